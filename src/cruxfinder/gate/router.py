"""Which actions call for a debate, and why (DIA-8): rules over commands, statements, code, words, tools and paths."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from cruxfinder.gate.actions import Action, Subject, read
from cruxfinder.gate.forms import Stakes
from cruxfinder.gate.rule_set import Bypass, Patterns, Rule, RuleSet, ShellMatch
from cruxfinder.gate.self_paths import NOWHERE, GatePlaces
from cruxfinder.gate.shell import sql_statements
from cruxfinder.gate.shell.command import COMMAND_MAX, GAP, Command

DISABLED: Final = "DISABLE_DEBATE"
UNREAD: Final = "unreadable"
SHOWN_MAX: Final = 200
RANK: Final = {Stakes.LOW: 0, Stakes.MEDIUM: 1, Stakes.HIGH: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class FiredRule:
    """A rule, and what in the action it fired at."""

    rule: Rule
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    stakes: Stakes
    fired: tuple[FiredRule, ...]  # the one that decides first
    debate: bool
    why: str
    bypass: str = ""
    unread: bool = False  # some of it was not looked at: whatever fired, more may hide there

    @property
    def rule(self) -> str:
        """The id of what decided; empty where nothing fired."""
        return self.fired[0].rule.id if self.fired else self.bypass


def route(action: Action, rules: RuleSet, *, disabled: bool = False, places: GatePlaces = NOWHERE) -> Routing:
    """Which rules fire at an action; `places` says where the gate itself is on this machine."""
    subject = read(action, places)
    live = [rule for rule in rules.rules if rule.id not in rules.off]
    passes = [bypass for bypass in rules.bypasses if bypass.id not in rules.off]
    sight = RuleMatcher.of(subject, tuple(visible_command(command) for command in dict.fromkeys(subject.commands)))
    kept, bypass = sight.without_bypassed(passes)
    fired = [FiredRule(rule=rule, at=at) for rule in live if (at := kept.find_match(rule.patterns)) is not None]
    fired.sort(key=lambda one: -RANK[one.rule.stakes])
    stakes = fired[0].rule.stakes if fired else Stakes.LOW
    if subject.unread and not fired:
        return Routing(
            stakes=Stakes.MEDIUM,
            fired=(),
            debate=not disabled,
            why="it is too long or too deep to be read to its end",
            bypass=UNREAD,
            unread=True,
        )
    debate = RANK[stakes] > RANK[Stakes.LOW] or subject.unread
    if disabled and debate:
        return Routing(stakes=stakes, fired=tuple(fired), debate=False, why=f"{DISABLED} is set")
    return Routing(
        stakes=stakes,
        fired=tuple(fired),
        debate=debate,
        why=fired[0].rule.says if fired else bypass.says if bypass else "no rule fired",
        bypass="" if fired or bypass is None else bypass.id,
        unread=subject.unread,
    )


# ---- which rules fire


@dataclass(frozen=True, slots=True)
class VisibleCommand:
    """A command, with what the rules look at put together once."""

    command: Command
    texts: tuple[str, ...]  # the text, and what long words hide in it
    code: str

    @property
    def display_text(self) -> str:
        return self.texts[0].replace(GAP, " ")


def visible_command(command: Command) -> VisibleCommand:
    return VisibleCommand(command, (command.text[:COMMAND_MAX], *command.stretches), command.code)


@dataclass(frozen=True, slots=True)
class RuleMatcher:
    """What the rules see of an action."""

    subject: Subject
    commands: tuple[VisibleCommand, ...]
    programs: frozenset[str]
    statements: tuple[str, ...]
    elsewhere: dict[str, bool]  # what was looked for in the whole script

    @classmethod
    def of(cls, subject: Subject, commands: tuple[VisibleCommand, ...]) -> "RuleMatcher":
        given = sql_statements.given_to_clients(one.command for one in commands)
        said = (
            part
            for text in dict.fromkeys((*given, *subject.statements))
            for part in sql_statements.split_statements(text)
        )
        return cls(subject, commands, frozenset(one.command.program for one in commands), tuple(said), {})

    def without_bypassed(self, passes: list[Bypass]) -> "tuple[RuleMatcher, Bypass | None]":
        """This without the commands that a bypass lets through, and the first bypass that did."""
        used: Bypass | None = None
        kept: list[VisibleCommand] = []
        known = [(bypass, self._candidates(bypass.patterns)) for bypass in passes]
        for one in self.commands:
            whole = replace(one, texts=one.texts[:1])  # a stretch of a word is no flag
            bypass = next((b for b, candidates in known if any(self._matches(m, whole) for m in candidates)), None)
            used = used or bypass
            if bypass is None:
                kept.append(one)
        if used is None:
            return self, None
        return RuleMatcher.of(self.subject, tuple(kept)), used

    def find_match(self, patterns: Patterns) -> str | None:
        """What in the subject the patterns are found in, shortened; None if they are not."""
        for text in self._places(patterns):
            return text if len(text) <= SHOWN_MAX else f"{text[: SHOWN_MAX - 1]}…"
        return None

    def _places(self, patterns: Patterns) -> Iterator[str]:
        candidates = self._candidates(patterns)
        if candidates or patterns.stdin or patterns.code or patterns.writes or patterns.written:
            for one in self.commands:
                yield from self._places_in(one, candidates, patterns)
        if patterns.sql:
            yield from (statement for statement in self.statements if matches_any(patterns.sql, statement))
        yield from (raw for raw in self.subject.raw if matches_any(patterns.raw, raw))
        if self.subject.prose and matches_any(patterns.prose, self.subject.prose):
            yield self.subject.prose
        if self.subject.tool and matches_any(patterns.tools, self.subject.tool):
            yield self.subject.tool
        yield from (path for path in self.subject.paths if matches_any(patterns.paths, path))

    def _places_in(self, one: VisibleCommand, candidates: list[ShellMatch], patterns: Patterns) -> Iterator[str]:
        if any(self._matches(match, one) for match in candidates):
            yield one.display_text
        if one.command.stdin and matches_any(patterns.stdin, one.command.stdin):
            yield one.display_text
        if one.code and matches_any(patterns.code, one.code):
            yield one.code
        yield from (target for target in one.command.writes if matches_any(patterns.writes, target))
        if patterns.written and (written := one.command.written_text) and matches_any(patterns.written, written):
            yield one.display_text

    def _candidates(self, patterns: Patterns) -> list[ShellMatch]:
        """Those that may match: most name programs that are not there."""
        return [m for m in patterns.shell if not m.programs or not m.programs.isdisjoint(self.programs)]

    def _matches(self, match: ShellMatch, one: VisibleCommand) -> bool:
        command = one.command
        if match.programs and command.program not in match.programs:
            return False
        if match.through and match.through.isdisjoint(command.through):
            return False
        if match.fed_by and (match.fed_by.isdisjoint(command.fed_by) or command.stdin):
            return False
        return (
            any(all(exact_pattern(one).search(text) for one in match.match) for text in one.texts)
            and not any(exact_pattern(pattern).search(one.texts[0]) for pattern in match.unless)
            and not is_spared(match.spares, command)
            and (not match.where or self._is_anywhere(match.where))
        )

    def _is_anywhere(self, where: str) -> bool:
        if where not in self.elsewhere:
            self.elsewhere[where] = pattern(where).search(self.subject.whole) is not None
        return self.elsewhere[where]


def matches_any(patterns: Iterable[str], text: str) -> bool:
    return any(pattern(one).search(text) for one in patterns)


def is_spared(patterns: tuple[str, ...], command: Command) -> bool:
    ended = command.words.index("--") if "--" in command.words else len(command.words)
    given = [word for place, word in enumerate(command.words) if not word.startswith("-") or place > ended]
    operands = [part for word in given for part in word.split()]  # a variable of a loop stands for all it takes
    return bool(patterns and operands) and all(
        any(exact_pattern(p).fullmatch(word) for p in patterns) for word in operands
    )


@cache
def exact_pattern(text: str) -> re.Pattern[str]:
    """For commands, where -d and -D are two things."""
    return re.compile(text)


@cache
def pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE | re.MULTILINE | re.DOTALL)
