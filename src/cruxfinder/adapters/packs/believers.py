"""Reads the personas of a pack: their values, what they believe and what they say about it."""

from collections.abc import Collection
from typing import Final

from cruxfinder.adapters.packs import conversation_material, fields, pack_limits
from cruxfinder.adapters.packs.document import Listing, Mapping, Scalar
from cruxfinder.adapters.packs.fields import Faults, Form, Record, YamlEntry, record
from cruxfinder.adapters.packs.pack_limits import NumberRange
from cruxfinder.crux.law import forecasts
from cruxfinder.kernel.pack import Belief, Falsifier, Lines, Persona, Proposition
from cruxfinder.kernel.vocabulary import AgentId, Horizon

HORIZONS: Final = {horizon.value: horizon for horizon in Horizon}

_TRAITS: Final = (
    "bias",
    "openness",
    "conformity",
    "trust",
    "trusts",
    "probe_noise",
    "horizon",
    "interests",
    "says",
    "icon",
)


def persona(
    entry: YamlEntry, propositions: tuple[Proposition, ...], personas: tuple[YamlEntry, ...], faults: Faults
) -> Persona:
    fields.check_id(entry.key, entry.line, faults)
    told = record(entry, faults, required=("name", "about", "beliefs"), optional=_TRAITS)
    others = {other.key for other in personas if other.key != entry.key}
    return Persona(
        id=AgentId(entry.key),
        name=told.text("name", pack_limits.NAME_MAX),
        about=told.text("about", pack_limits.CLAUSE_MAX, Form.CLAUSE),
        bias=told.number("bias", pack_limits.LOG_ODDS, 0.0),
        openness=told.number("openness", pack_limits.SHARE, 0.6),
        conformity=told.number("conformity", pack_limits.CONFORMITY, 1.0),
        trust=told.number("trust", pack_limits.SHARE, 0.7),
        trust_in=tuple((AgentId(other), x) for other, x in _numbers(told, "trusts", others, pack_limits.SHARE)),
        probe_noise=told.number("probe_noise", pack_limits.NOISE, 0.0),
        horizon=told.choice("horizon", HORIZONS, Horizon.FIVE_YEARS),
        interests=_interests(told),
        beliefs=_beliefs(told, propositions),
        icon=conversation_material.icon(told),
    )


def _interests(told: Record) -> tuple[str, ...]:
    """What it looks out for, each phrase once."""
    items = told.items("interests", pack_limits.INTERESTS_MAX)
    phrases = tuple(fields.text(item, pack_limits.INTEREST_MAX, Form.CLAUSE, told.faults) for item in items)
    firsts: dict[str, str] = {}
    for item, phrase in zip(items, phrases, strict=True):
        if phrase and (first := firsts.setdefault(phrase.lower(), item.path)) != item.path:
            told.faults.add(item.line, f"{item.path} repeats {first}, {phrase!r}")
    given = told.get("interests")
    if given and isinstance(given.node, Listing) and not items:
        told.faults.add(given.line, f"{given.path} is an empty list; without interests leave it out")
    return phrases


def _beliefs(told: Record, propositions: tuple[Proposition, ...]) -> tuple[Belief, ...]:
    """One belief for each proposition, in the pack's order."""
    known = {proposition.id: proposition for proposition in propositions}
    lines = {entry.key: _lines(entry, told.faults) for entry in _known_entries(told, "says", known)}
    held = {entry.key: entry for entry in _known_entries(told, "beliefs", known)}
    whole = told.get("beliefs")
    if whole and isinstance(whole.node, Mapping):
        for absent in (id for id in known if id not in held):
            told.faults.add(whole.line, f"{whole.path} lacks {absent}; write 0.5 where it has no opinion")
    beliefs = tuple(_belief(held[id], known, lines.get(id, Lines()), told.faults) for id in known if id in held)
    if circle := _circle({belief.proposition: [parent for parent, _ in belief.links] for belief in beliefs}):
        told.faults.add(held[circle[0]].line, f"{told.entry.path}: links run in a circle, {' > '.join(circle)}")
    return beliefs


def _belief(entry: YamlEntry, known: dict[str, Proposition], lines: Lines, faults: Faults) -> Belief:
    if isinstance(entry.node, Scalar):
        return Belief(proposition=entry.key, credence=fields.number(entry, pack_limits.CREDENCE, faults), lines=lines)
    told = record(entry, faults, required=("credence",), optional=("weight", "senses", "horizons", "links"))
    senses = {name for name, _ in known[entry.key].senses}
    return Belief(
        proposition=entry.key,
        credence=told.number("credence", pack_limits.CREDENCE, 0.5),
        weight=told.number("weight", pack_limits.LOG_ODDS, 0.0),
        by_sense=_numbers(told, "senses", senses, pack_limits.CREDENCE),
        by_horizon=tuple((HORIZONS[key], x) for key, x in _numbers(told, "horizons", HORIZONS, pack_limits.CREDENCE)),
        links=_numbers(told, "links", known.keys() - {entry.key}, pack_limits.LOG_ODDS),
        lines=lines,
    )


def _known_entries(told: Record, key: str, known: Collection[str]) -> tuple[YamlEntry, ...]:
    """The entries under a key whose names exist; the others are faults."""
    found = told.entries(key)
    for entry in found:
        if entry.key not in known:
            told.faults.add(
                entry.line, f"{entry.path} names nothing known here; {fields.suggest_word(entry.key, known)}"
            )
    return tuple(entry for entry in found if entry.key in known)


def _numbers(told: Record, key: str, known: Collection[str], span: NumberRange) -> tuple[tuple[str, float], ...]:
    return tuple((entry.key, fields.number(entry, span, told.faults)) for entry in _known_entries(told, key, known))


def _lines(entry: YamlEntry, faults: Faults) -> Lines:
    optional = ("claim", "reason", "challenge", "statement", "falsifier", "vague")
    told = record(entry, faults, required=(), optional=optional)
    return Lines(
        claim=told.text("claim", pack_limits.LINE_MAX),
        reason=told.text("reason", pack_limits.CLAUSE_MAX, Form.CLAUSE),
        challenge=told.text("challenge", pack_limits.LINE_MAX),
        statement=told.text("statement", pack_limits.CLAUSE_MAX, Form.CLAUSE),
        falsifier=_falsifier(told.get("falsifier"), faults),
        vague=_falsifier(told.get("vague"), faults),
    )


def _falsifier(entry: YamlEntry | None, faults: Faults) -> Falsifier | None:
    if entry is None:
        return None
    if isinstance(entry.node, Scalar):
        return forecasts.read(fields.text(entry, pack_limits.LINE_MAX, Form.LINE, faults))
    told = record(entry, faults, required=("metric", "threshold", "deadline"), optional=("reasoning",))
    return Falsifier(
        metric=told.text("metric", pack_limits.CLAUSE_MAX, Form.CLAUSE),
        threshold=told.text("threshold", pack_limits.CLAUSE_MAX, Form.CLAUSE),
        deadline=told.text("deadline", pack_limits.LABEL_MAX, Form.CLAUSE),
        reasoning=told.text("reasoning", pack_limits.CLAUSE_MAX, Form.CLAUSE),
    )


def _circle(parents: dict[str, list[str]]) -> list[str]:
    """The propositions on a circle of links, the first one repeated at its end; nothing if there is none."""
    for start in parents:
        paths = [[start]]
        seen: set[str] = set()
        while paths:
            path = paths.pop()
            for parent in parents.get(path[-1], []):
                if parent == start:
                    return [*path, start]
                if parent not in seen:
                    seen.add(parent)
                    paths.append([*path, parent])
    return []
