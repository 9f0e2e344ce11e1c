"""What the gate knows of actions and errors: rules, bypasses, and what is known to go wrong. Read from YAML."""

from dataclasses import dataclass, field
from enum import StrEnum

from cruxfinder.gate.forms import Stakes


class RuleKind(StrEnum):
    DESTRUCTIVE = "destructive"
    IRREVERSIBLE = "irreversible"
    PRODUCTION = "production"
    AVAILABILITY = "availability"
    SCHEMA = "schema"
    SECURITY = "security"
    CREDENTIALS = "credentials"
    MONEY = "money"
    PEOPLE = "people"


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureMode:
    """One way in which it went wrong for others."""

    id: str
    lost: str
    undo: str
    first: str = ""  # what to do first, or instead; empty: nothing is known to help


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellMatch:
    """Which plain commands are meant; of what is empty nothing is asked."""

    programs: frozenset[str] = frozenset()
    match: tuple[str, ...] = ()  # all are found in the command's text
    unless: tuple[str, ...] = ()  # none is
    spares: tuple[str, ...] = ()  # every word that is no flag is one of these: then it is not meant
    where: str = ""  # is found anywhere in the script
    through: frozenset[str] = frozenset()  # one of these wraps it
    fed_by: frozenset[str] = frozenset()  # one of these comes before it in its pipe


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """Where a rule looks; within a list, one is enough."""

    shell: tuple[ShellMatch, ...] = ()
    sql: tuple[str, ...] = ()
    stdin: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    raw: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    prose: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    id: str
    says: str
    kind: RuleKind
    stakes: Stakes
    patterns: Patterns
    fails: tuple[FailureMode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSummary:
    """A rule in a list of rules."""

    id: str
    stakes: Stakes
    kind: RuleKind
    off: bool
    says: str
    checks: tuple[str, ...]  # what can be checked


@dataclass(frozen=True, slots=True, kw_only=True)
class Bypass:
    """What passes without a debate, whatever else it looks like."""

    id: str
    says: str
    patterns: Patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorKind:
    id: str
    match: str
    means: str
    look: str
    escalate: bool = False  # no further attempt can mend it


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    rules: tuple[Rule, ...]
    bypasses: tuple[Bypass, ...] = ()
    errors: tuple[ErrorKind, ...] = ()
    off: frozenset[str] = field(default_factory=frozenset[str])

    def rule(self, id: str) -> Rule | None:
        return next((rule for rule in self.rules if rule.id == id), None)


def summaries(found: RuleSet) -> tuple[RuleSummary, ...]:
    return tuple(
        RuleSummary(
            id=rule.id,
            stakes=rule.stakes,
            kind=rule.kind,
            off=rule.id in found.off,
            says=rule.says,
            checks=tuple(mode.id for mode in rule.fails if mode.first),
        )
        for rule in found.rules
    )
