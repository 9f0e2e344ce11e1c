"""What the memory of failures comes to (DIA-6): how often a task failed since its last reset, and what is due."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cruxfinder.gate.task_ids import most_similar_task
from cruxfinder.language.english.texts import content_words

DEBATED_AT: Final = 2
ESCALATED_AT: Final = 3
STALE_MS: Final = 24 * 60 * 60 * 1000
NEW_WORDS: Final = 4  # content words that say something not said before


class ResetReason(StrEnum):
    """Why a count begins again. Time alone is no reason."""

    SUCCESS = "success"
    USER = "user"
    CONTEXT = "context"


class FollowUp(StrEnum):
    NOTHING = "nothing"
    DEBATE = "debate"
    ESCALATION = "escalation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    task_id: str
    attempt: int
    at_ms: int
    error: str
    approach: str
    task: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset:
    task_id: str
    at_ms: int
    because: ResetReason
    told: str = ""


Remembered = Failure | Reset


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureStreak:
    task_id: str
    failures: tuple[Failure, ...]  # since the last reset
    stale: bool = False  # the last one is older than a day: said, and no reason by itself

    @property
    def count(self) -> int:
        return len(self.failures)

    @property
    def due(self) -> FollowUp:
        if self.count >= ESCALATED_AT:
            return FollowUp.ESCALATION
        return FollowUp.DEBATE if self.count >= DEBATED_AT else FollowUp.NOTHING


def failure_streak(entries: Iterable[Remembered], task_id: str, now_ms: int) -> FailureStreak:
    since: list[Failure] = []
    for entry in entries:
        if entry.task_id != task_id:
            continue
        if isinstance(entry, Reset):
            since.clear()
        else:
            since.append(entry)
    stale = bool(since) and now_ms - since[-1].at_ms > STALE_MS
    return FailureStreak(task_id=task_id, failures=tuple(since), stale=stale)


def open_tasks(entries: Iterable[Remembered]) -> dict[str, str]:
    """The tasks that failed and have not been reset since, with their words."""
    found: dict[str, str] = {}
    for entry in entries:
        if isinstance(entry, Reset):
            found.pop(entry.task_id, None)
        else:
            found[entry.task_id] = entry.task or entry.task_id
    return found


_FRESH: Final = re.compile(
    r"\b(start (?:over|fresh|again|from scratch)|fresh start|try (?:a |some(?:thing)? )?(?:different|other|another"
    r"|else)(?: approach| way)?"
    r"|try something else|(?:ignore|forget|disregard) (?:all )?(?:the |my |your )?(?:previous|earlier|last"
    r"|past) (?:attempts?|tries|failures?)"
    r"|clean slate|never mind (?:the|what) (?:previous|earlier|was)|reset (?:it|the count(?:er)?|this))\b",
    re.IGNORECASE,
)
_CHANGED: Final = re.compile(
    r"\b(?:i|we|they|somebody|someone|ops|the team)(?:['’]ve| have| just| now)* (?:just |now )?(?:fixed|updated"
    r"|upgraded|installed|changed"
    r"|restarted|rotated|renewed|granted|added|removed|restored|rebuilt|patched|reverted|cleared|freed|moved|enabled"
    r"|reinstalled|set|created)\b"
    r"|\b(?:is|are|was|were|has been|have been) (?:now )?(?:fixed|updated|upgraded|installed|restarted|renewed|granted"
    r"|back up|restored"
    r"|available|online)(?: now)?\b|\bnow (?:works|runs|has|uses|points)\b",
    re.IGNORECASE,
)
_NEWS: Final = re.compile(
    r"\b(?:it turns out|turns out|the real|actually|here is|here are|it should|i meant|to be precise|additional"
    r"|more detail"
    r"|the (?:cause|problem|reason|log|version|goal) (?:is|was|says)|only (?:on|when|if)|instead)\b|[\w.-]+/[\w./-]+"
    r"|\b\d+\.\d+",
    re.IGNORECASE,
)


_SENTENCE: Final = re.compile(r"[^.!?\n]+(?:\.(?=\S)[^.!?\n]*)*[.!?]?")
_DENIED: Final = re.compile(
    r"\b(?:don['’]?t|do not|never|not going to|no need to|without) (?:\w+ ){0,2}"
    r"(?:start|try|reset|ignore|forget)",
    re.IGNORECASE,
)


def reset_reason(words: str, standing: FailureStreak) -> ResetReason | None:
    """Does what the user says begin the count again? Rephrasing, questions and impatience do not."""
    told = [part for part in _SENTENCE.findall(words) if not part.endswith("?") and not _DENIED.search(part)]
    if any(_FRESH.search(part) for part in told):
        return ResetReason.USER
    if any(_CHANGED.search(part) for part in told):
        return ResetReason.CONTEXT
    known = frozenset[str]().union(*(content_words(f"{f.task} {f.error} {f.approach}") for f in standing.failures))
    news = [part for part in told if len(content_words(part) - known) >= NEW_WORDS and _NEWS.search(part)]
    return ResetReason.CONTEXT if news else None


def known_tasks(past: tuple[Remembered, ...]) -> dict[str, str]:
    """Tasks and their words, those that failed last at the end."""
    return {f.task_id: f.task or f.task_id for f in past if isinstance(f, Failure)}


def similar_task(past: tuple[Remembered, ...], text: str, id: str) -> str:
    """A task that failed, much like one that has not yet."""
    return "" if id in known_tasks(past) else most_similar_task(text, open_tasks(past)) or ""
