"""Takes the rows of a table of credences one by one; whatever is wrong with one is kept with its line."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cruxfinder.adapters.tables.column_names import COLUMNS, CONDITIONAL
from cruxfinder.adapters.tables.csv_sheet import clip_text
from cruxfinder.errors import BadInput
from cruxfinder.kernel.vocabulary import CandidateId
from cruxfinder.tables.credences.credence_answers import SurveyProposition

CHANCES: Final = COLUMNS[3:]
NOT_ANSWERED: Final = ("na", "n/a")  # beside an empty cell
AGENTS_MAX: Final = 1000
PROPOSITIONS_MAX: Final = 60
NAME_MAX: Final = 80
TEXT_MAX: Final = 400
SHOWN_MAX: Final = 5
CHANCE: Final = re.compile(r"([-+]?)([0-9]{0,30}(?:[.,][0-9]{0,30})?(?:[eE][-+]?[0-9]{1,3})?)\s*(%?)")


@dataclass(frozen=True)
class ToldChances:
    """One row's chances, at least one of the conditional ones, and its line."""

    line: int
    c: float
    p1: float | None
    p0: float | None


@dataclass
class AnswerCollector:
    """What the rows said so far, and on which line each thing was said first."""

    source: str
    unit: str  # what a row's number counts: lines of a file, or rows
    faults: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    topic: str = ""
    agents: dict[str, int] = field(default_factory=dict[str, int])
    folded: dict[str, str] = field(default_factory=dict[str, str])
    tops: dict[str, dict[CandidateId, float]] = field(default_factory=dict[str, dict[CandidateId, float]])
    asked: dict[str, SurveyProposition] = field(default_factory=dict[str, SurveyProposition])
    rows: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    told: dict[tuple[str, CandidateId], ToldChances] = field(default_factory=dict[tuple[str, CandidateId], ToldChances])
    skipped: list[int] = field(default_factory=list[int])
    partly: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    def fault(self, line: int, sentence: str) -> None:
        self.faults.append((line, sentence))


def take_row(found: AnswerCollector, line: int, row: Mapping[str, str]) -> None:
    row = {**row, **{name: "" for name in ("top", *CHANCES) if row.get(name, "").lower() in NOT_ANSWERED}}
    agent, text = " ".join(row["agent"].split()), " ".join(row["proposition"].split())
    answered = any(row.get(name) for name in ("top", *CHANCES))
    if not agent and not answered:
        return  # a row of a form that nobody took
    if not check_row_names(found, line, agent, text):
        return
    if row.get("topic"):
        found.topic = found.topic or row["topic"]
        if row["topic"] != found.topic:
            found.fault(line, f"the topic is {clip_text(row['topic'])!r} here and {clip_text(found.topic)!r} above")
    asked = found.asked.setdefault(text, SurveyProposition(id=CandidateId(f"p{len(found.asked) + 1}"), text=text))
    if not asked.yes_means and not asked.no_means and (row.get("yes_means") or row.get("no_means")):
        meanings = (row.get("yes_means", ""), row.get("no_means", ""))
        found.asked[text] = SurveyProposition(id=asked.id, text=text, yes_means=meanings[0], no_means=meanings[1])
    if row.get("top"):
        take_top(found, line, agent, asked.id, row["top"])
    take_chances(found, line, agent, asked.id, row)


def check_row_names(found: AnswerCollector, line: int, agent: str, text: str) -> bool:
    """Whether the row says once who answers what."""
    for what, words, most in (("agent", agent, NAME_MAX), ("proposition", text, TEXT_MAX)):
        if not words:
            found.fault(line, f"the {what} is empty")
        elif len(words) > most:
            found.fault(line, f"the {what} has {len(words)} characters, at most {most} are allowed")
        elif not words.isprintable():
            found.fault(line, f"the {what} holds a hidden character: {clip_text(words)}")
        else:
            continue
        return False
    spelled = found.folded.setdefault(agent.casefold(), agent)
    if spelled != agent:
        found.fault(line, f"{agent!r} and {spelled!r} differ only in capital letters: spell a name one way")
        return False
    if (first := found.rows.setdefault((agent, text), line)) != line:
        found.fault(line, f"{agent} answers {clip_text(text)!r} here and on {found.unit} {first}")
        return False
    found.agents.setdefault(agent, line)
    if len(found.agents) > AGENTS_MAX or (text not in found.asked and len(found.asked) >= PROPOSITIONS_MAX):
        most = f"{AGENTS_MAX} agents and {PROPOSITIONS_MAX} propositions"
        raise BadInput(f"{found.source}, {found.unit} {line}: a table has at most {most}")
    return True


def take_top(found: AnswerCollector, line: int, agent: str, id: CandidateId, text: str) -> None:
    top = chance(found, line, "top", text)
    if top is not None:
        found.tops.setdefault(agent, {})[id] = top


def take_chances(found: AnswerCollector, line: int, agent: str, id: CandidateId, row: Mapping[str, str]) -> None:
    told = {name: chance(found, line, name, row[name]) for name in CHANCES if row.get(name)}
    c, p1, p0 = (told.get(name) for name in CHANCES)
    if not told:
        found.skipped.append(line)
    elif c is not None and (p1 is not None or p0 is not None):
        found.told[agent, id] = ToldChances(line, c, p1, p0)
    elif CHANCES[0] in told:
        found.partly.append((line, " and ".join(name for name in CONDITIONAL if name not in told)))
    else:
        found.partly.append((line, CHANCES[0]))


def chance(found: AnswerCollector, line: int, name: str, text: str) -> float | None:
    """A number from 0 to 1 or a percentage; 70 could be either by mistake and is neither."""
    told = CHANCE.fullmatch(text)
    try:
        number = float(told[2].replace(",", ".")) if told else None
    except ValueError:
        number = None
    if told is None or number is None:
        how = "write a number from 0 to 1 or a percentage such as 70%, or leave it empty"
        found.fault(line, f"{name} is {clip_text(text)!r}: {how}")
        return None
    most = 100.0 if told[3] else 1.0
    if number > most or (told[1] == "-" and number > 0):
        hint = f"; write {text}% or {number / 100:g}" if not told[1] and not told[3] and number <= 100 else ""
        found.fault(line, f"{name} is {text}, and must lie between {'0% and 100%' if told[3] else '0 and 1'}{hint}")
        return None
    return number / most


def raise_faults(found: AnswerCollector) -> None:
    if not found.faults:
        return
    (line, sentence), *others = sorted(found.faults, key=lambda fault: fault[0])
    rest = [number for number, _ in others]
    more = f" (and {len(rest)} more: {place_lines(found.unit, rest)})" if rest else ""
    raise BadInput(f"{found.source}, {found.unit} {line}: {sentence}{more}")


def place_lines(unit: str, lines: Sequence[int]) -> str:
    """Where, with the first few lines."""
    unique = list(dict.fromkeys(lines))
    shown = ", ".join(str(line) for line in unique[:SHOWN_MAX])
    return f"{unit}{'s' if len(unique) > 1 else ''} {shown}{', …' if len(unique) > SHOWN_MAX else ''}"


def list_agents(agents: Iterable[str]) -> str:
    names = list(agents)
    return ", ".join(names[:SHOWN_MAX]) + (f" and {len(names) - SHOWN_MAX} more" if len(names) > SHOWN_MAX else "")
