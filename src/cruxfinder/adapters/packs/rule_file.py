"""Reads the gate's rules from YAML, the ones that ship and one's own, and reports everything wrong in them at once."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Final

from cruxfinder.adapters.packs import fields, pack_finder
from cruxfinder.adapters.packs.document import Listing, Scalar, compose
from cruxfinder.adapters.packs.fields import Faults, Record, YamlEntry, record
from cruxfinder.errors import BadInput
from cruxfinder.gate.forms import Stakes
from cruxfinder.gate.rule_set import Bypass, ErrorKind, FailureMode, Patterns, Rule, RuleKind, RuleSet, ShellMatch

SHIPPED: Final = "rules.yaml"
SECTIONS: Final = ("bypasses", "rules", "errors", "disabled")
RULES_MAX: Final = 500
ITEMS_MAX: Final = 200
PATTERN_MAX: Final = 4_000  # characters
SENTENCE_MAX: Final = 400
SHELL_KEYS: Final = ("programs", "match", "unless", "spares", "where", "through", "fed_by")
LISTS: Final = ("sql", "stdin", "code", "raw", "writes", "written", "prose", "tools", "paths")
STAKES: Final = {stakes.value: stakes for stakes in Stakes}
KINDS: Final = {kind.value: kind for kind in RuleKind}


def rules(path: str = "", off: Sequence[str] = ()) -> RuleSet:
    """The rules that ship, with those of a file before them, and without the ones that are switched off."""
    found = shipped_rules()
    if path:
        own = read(pack_finder.file_text(path), path, PatternFaults())
        taken = {rule.id for rule in own.rules} | {bypass.id for bypass in own.bypasses}
        found = RuleSet(
            rules=(*own.rules, *(rule for rule in found.rules if rule.id not in taken)),
            bypasses=(*own.bypasses, *(bypass for bypass in found.bypasses if bypass.id not in taken)),
            errors=(*own.errors, *found.errors),
            off=own.off,
        )
    known = {rule.id for rule in found.rules} | {bypass.id for bypass in found.bypasses}
    if strange := sorted((found.off | set(off)) - known):
        raise BadInput(f"there is no rule {strange[0]!r} to switch off; `crux gate rules` lists them")
    return replace(found, off=found.off | set(off))


@cache
def shipped_rules() -> RuleSet:
    text = files("cruxfinder.gate").joinpath(SHIPPED).read_text("utf-8")
    return read(text, SHIPPED)


class PatternFaults(Faults):
    """For rules of one's own, whose patterns are tried out; those that ship are by the tests, not at every start."""


def read(text: str, source: str, faults: Faults | None = None) -> RuleSet:
    """What a file says. Raise BadPack with everything that is wrong, and where."""
    faults = Faults() if faults is None else faults
    root = YamlEntry(key="", path="the file", line=1, node=compose(text, source))
    told = record(root, faults, required=(), optional=SECTIONS)
    found = RuleSet(
        rules=tuple(rule(entry, faults) for entry in told.items("rules", RULES_MAX)),
        bypasses=tuple(bypass(entry, faults) for entry in told.items("bypasses", RULES_MAX)),
        errors=tuple(error(entry, faults) for entry in told.items("errors", RULES_MAX)),
        off=frozenset(word(entry, faults) for entry in told.items("disabled", RULES_MAX)),
    )
    seen: set[str] = set()
    places = (*told.items("rules", RULES_MAX), *told.items("bypasses", RULES_MAX))
    for one, entry in zip((*found.rules, *found.bypasses), places, strict=True):
        if one.id and one.id in seen:
            faults.add(entry.line, f"another rule has the id {one.id!r} already")
        seen.add(one.id)
    faults.raise_if_any(source)
    return found


def rule(entry: YamlEntry, faults: Faults) -> Rule:
    told = record(entry, faults, required=("id", "kind", "stakes", "says", "fails"), optional=("shell", *LISTS))
    fails = tuple(mode(item, faults) for item in told.items("fails", ITEMS_MAX))
    if told.get("fails") is not None and not fails:
        faults.add(entry.line, f"{entry.path} names no way in which it fails")
    return Rule(
        id=id_of(told),
        says=told.text("says", SENTENCE_MAX),
        kind=told.choice("kind", KINDS, RuleKind.DESTRUCTIVE),
        stakes=told.choice("stakes", STAKES, Stakes.HIGH),
        patterns=patterns(told),
        fails=fails,
    )


def bypass(entry: YamlEntry, faults: Faults) -> Bypass:
    told = record(entry, faults, required=("id", "says", "shell"))
    return Bypass(id=id_of(told), says=told.text("says", SENTENCE_MAX), patterns=patterns(told))


def mode(entry: YamlEntry, faults: Faults) -> FailureMode:
    told = record(entry, faults, required=("id", "lost", "undo"), optional=("first",))
    return FailureMode(
        id=id_of(told),
        lost=told.text("lost", SENTENCE_MAX),
        undo=told.text("undo", SENTENCE_MAX),
        first=told.text("first", SENTENCE_MAX),
    )


def error(entry: YamlEntry, faults: Faults) -> ErrorKind:
    told = record(entry, faults, required=("id", "match", "means", "look"), optional=("escalate",))
    return ErrorKind(
        id=id_of(told),
        match=next(iter(pattern_list(told, "match")), ""),
        means=told.text("means", SENTENCE_MAX),
        look=told.text("look", SENTENCE_MAX),
        escalate=flag(told, "escalate"),
    )


def flag(told: Record, key: str) -> bool:
    entry = told.get(key)
    if entry is None:
        return False
    if not isinstance(entry.node, Scalar) or entry.node.reading != "true or false":
        told.faults.add(entry.line, f"{entry.path} must be true or false")
        return False
    return entry.node.text.lower() in {"true", "yes", "on"}


def id_of(told: Record) -> str:
    entry = told.get("id")
    return word(entry, told.faults) if entry is not None else ""


def word(entry: YamlEntry, faults: Faults) -> str:
    if not isinstance(entry.node, Scalar):
        faults.add(entry.line, f"{entry.path} must be an id")
        return ""
    fields.check_id(entry.node.text, entry.line, faults)
    return entry.node.text


def patterns(told: Record) -> Patterns:
    lists = {name: pattern_list(told, name) for name in LISTS}
    shell = tuple(shell_match(entry, told.faults) for entry in told.items("shell", ITEMS_MAX))
    if not shell and not any(lists.values()):
        told.faults.add(told.entry.line, f"{told.entry.path} looks at nothing: it needs shell, {' or '.join(LISTS)}")
    return Patterns(
        shell=shell,
        sql=lists["sql"],
        stdin=lists["stdin"],
        code=lists["code"],
        raw=lists["raw"],
        writes=lists["writes"],
        written=lists["written"],
        prose=lists["prose"],
        tools=lists["tools"],
        paths=lists["paths"],
    )


def shell_match(entry: YamlEntry, faults: Faults) -> ShellMatch:
    told = record(entry, faults, required=(), optional=SHELL_KEYS)
    if not told.fields:
        faults.add(entry.line, f"{entry.path} would match every command")
    return ShellMatch(
        programs=names(told, "programs"),
        match=pattern_list(told, "match"),
        unless=pattern_list(told, "unless"),
        spares=pattern_list(told, "spares"),
        where=next(iter(pattern_list(told, "where")), ""),
        through=names(told, "through"),
        fed_by=names(told, "fed_by"),
    )


def names(told: Record, key: str) -> frozenset[str]:
    found: set[str] = set()
    for entry in told.items(key, ITEMS_MAX):
        if isinstance(entry.node, Scalar):
            found.add(entry.node.text.lower())
        else:
            told.faults.add(entry.line, f"{entry.path} must be the name of a program")
    return frozenset(found)


def pattern_list(told: Record, key: str) -> tuple[str, ...]:
    """One pattern, or a list of them; each must compile."""
    entry = told.get(key)
    if entry is None:
        return ()
    several = isinstance(entry.node, Listing)
    return tuple(read_pattern(one, told.faults) for one in (told.items(key, ITEMS_MAX) if several else (entry,)))


def read_pattern(entry: YamlEntry, faults: Faults) -> str:
    if not isinstance(entry.node, Scalar) or not entry.node.text:
        faults.add(entry.line, f"{entry.path} must be a pattern")
        return ""
    text = entry.node.text
    if len(text) > PATTERN_MAX:
        faults.add(entry.line, f"{entry.path} is longer than {PATTERN_MAX} characters")
    elif isinstance(faults, PatternFaults):
        try:
            re.compile(text)
        except (re.error, RecursionError, OverflowError) as error:
            faults.add(entry.line, f"{entry.path} is no pattern ({error}): {text[:60]}")
    return text
