"""Which actions call for a debate, and why (DIA-8): rules over commands, statements, code, words, tools and paths."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from cruxfinder.dialectic import shell, statements
from cruxfinder.dialectic.actions import Action, Reading, Subject, read
from cruxfinder.dialectic.forms import Stakes
from cruxfinder.dialectic.rule_set import Bypass, Patterns, Rule, RuleSet, ShellMatch
from cruxfinder.dialectic.shell import Command

DISABLED: Final = "DISABLE_DEBATE"
UNREAD: Final = "unreadable"
CODE_MAX: Final = 20_000
SHOWN_MAX: Final = 200
RANK: Final = {Stakes.LOW: 0, Stakes.MEDIUM: 1, Stakes.HIGH: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fired:
    """A rule, and what in the action it fired at."""

    rule: Rule
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    stakes: Stakes
    fired: tuple[Fired, ...]  # the one that decides first
    debate: bool
    why: str
    bypass: str = ""

    @property
    def rule(self) -> str:
        """The id of what decided; empty where nothing fired."""
        return self.fired[0].rule.id if self.fired else self.bypass


def route(action: Action, rules: RuleSet, *, disabled: bool = False) -> Routing:
    subject = read(action)
    live = [rule for rule in rules.rules if rule.id not in rules.off]
    passes = [bypass for bypass in rules.bypasses if bypass.id not in rules.off]
    kept, bypass = remaining(subject, passes)
    fired = [Fired(rule=rule, at=at) for rule in live if (at := found(rule.patterns, kept)) is not None]
    fired.sort(key=lambda one: -RANK[one.rule.stakes])
    stakes = fired[0].rule.stakes if fired else Stakes.LOW
    if not subject.script.whole and not fired:
        return Routing(
            stakes=Stakes.MEDIUM,
            fired=(),
            debate=not disabled,
            why="it is too long or too deep to be read to its end",
            bypass=UNREAD,
        )
    debate = RANK[stakes] > RANK[Stakes.LOW]
    if disabled and debate:
        return Routing(stakes=stakes, fired=tuple(fired), debate=False, why=f"{DISABLED} is set")
    return Routing(
        stakes=stakes,
        fired=tuple(fired),
        debate=debate,
        why=fired[0].rule.says if fired else bypass.says if bypass else "no rule fired",
        bypass="" if fired or bypass is None else bypass.id,
    )


# ---- which rules fire


def remaining(subject: Subject, passes: list[Bypass]) -> tuple[Subject, Bypass | None]:
    """The subject without the commands that a bypass lets through, and the first bypass that did."""
    used: Bypass | None = None
    kept: list[Command] = []
    for command in subject.commands:
        bypass = next((b for b in passes if any(matches(m, command, subject.whole) for m in b.patterns.shell)), None)
        used = used or bypass
        if bypass is None:
            kept.append(command)
    if used is None:
        return subject, None
    told = subject.statements if Reading.SQL in subject.readings else tuple(statements.given_to_clients(kept))
    return replace(subject, commands=tuple(kept), statements=told), used


def found(patterns: Patterns, subject: Subject) -> str | None:
    """What in the subject the patterns are found in, shortened; None if they are not."""
    for text in places(patterns, subject):
        return text if len(text) <= SHOWN_MAX else f"{text[: SHOWN_MAX - 1]}…"
    return None


def places(patterns: Patterns, subject: Subject) -> Iterator[str]:
    for command in subject.commands:
        if any(matches(match, command, subject.whole) for match in patterns.shell):
            yield command.text.replace(shell.GAP, " ")
        if command.stdin and any_in(patterns.stdin, command.stdin):
            yield command.text.replace(shell.GAP, " ")
        if patterns.code and command.code and any_in(patterns.code, command.code[:CODE_MAX]):
            yield command.code
        yield from (target for target in command.writes if any_in(patterns.writes, target))
    for statement in subject.statements if patterns.sql else ():
        yield from (part for part in statements.parted(statement) if any_in(patterns.sql, part))
    if patterns.raw and subject.raw and any_in(patterns.raw, subject.raw[:CODE_MAX]):
        yield subject.raw
    if subject.prose and any_in(patterns.prose, subject.prose):
        yield subject.prose
    if subject.tool and any_in(patterns.tools, subject.tool):
        yield subject.tool
    yield from (path for path in subject.paths if any_in(patterns.paths, path))


def matches(match: ShellMatch, command: Command, whole: str) -> bool:
    if match.programs and command.program not in match.programs:
        return False
    if match.through and match.through.isdisjoint(command.through):
        return False
    if match.fed_by and (match.fed_by.isdisjoint(command.fed_by) or command.stdin):
        return False
    text = command.text[: shell.COMMAND_MAX]
    return (
        all(exact(one).search(text) for one in match.match)
        and not any(exact(one).search(text) for one in match.unless)
        and not spared(match.spares, command)
        and (not match.where or pattern(match.where).search(whole) is not None)
    )


def any_in(patterns: Iterable[str], text: str) -> bool:
    return any(pattern(one).search(text) for one in patterns)


def spared(patterns: tuple[str, ...], command: Command) -> bool:
    ended = command.words.index("--") if "--" in command.words else len(command.words)
    given = [word for place, word in enumerate(command.words) if not word.startswith("-") or place > ended]
    operands = [part for word in given for part in word.split()]  # a variable of a loop stands for all it takes
    return bool(patterns and operands) and all(any(exact(p).fullmatch(word) for p in patterns) for word in operands)


@cache
def exact(text: str) -> re.Pattern[str]:
    """For commands, where -d and -D are two things."""
    return re.compile(text)


@cache
def pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE | re.MULTILINE | re.DOTALL)
