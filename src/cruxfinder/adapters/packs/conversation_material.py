"""Reads what a pack brings for a conversation: tensions, dilemmas, passages, and who takes a part of their own."""

from typing import Final

from cruxfinder.adapters.packs import fields, pack_limits
from cruxfinder.adapters.packs.document import Scalar
from cruxfinder.adapters.packs.fields import Faults, Form, Record, YamlEntry, record
from cruxfinder.kernel.pack import Anchor, Dilemma, Proposition, Tension
from cruxfinder.kernel.vocabulary import AgentId, Role

LISTED_MAX: Final = 40
WORDS_MAX: Final = 20
WORD_MAX: Final = 40
ICON_MAX: Final = 8
PARTS: Final = {part.value: part for part in Role if part is not Role.SPEAKER}


def tensions(told: Record) -> tuple[Tension, ...]:
    return tuple(_tension(item, told.faults) for item in told.items("tensions", LISTED_MAX))


def _tension(entry: YamlEntry, faults: Faults) -> Tension:
    """A mapping of the two sides to the words that speak of each."""
    sides = fields.entries(entry, faults)
    if len(sides) != 2:
        faults.add(entry.line, f"{entry.path} needs two sides, each with a list of words")
        return Tension(sides=("", ""))
    words = tuple(
        tuple(fields.text(item, WORD_MAX, Form.CLAUSE, faults) for item in fields.items(side, WORDS_MAX, faults))
        for side in sides
    )
    return Tension(sides=(sides[0].key, sides[1].key), words=(words[0], words[1]))


def dilemmas(told: Record, propositions: tuple[Proposition, ...]) -> tuple[Dilemma, ...]:
    known = {p.id: p.id for p in propositions}
    return tuple(_dilemma(item, known, told.faults) for item in told.items("dilemmas", LISTED_MAX))


def _dilemma(entry: YamlEntry, known: dict[str, str], faults: Faults) -> Dilemma:
    told = record(entry, faults, required=("text", "turns_on", "if_true", "if_false"))
    return Dilemma(
        text=told.text("text", pack_limits.QUESTION_MAX, Form.QUESTION),
        turns_on=told.choice("turns_on", known, "") if known else "",  # that there are none is told elsewhere
        if_true=told.text("if_true", pack_limits.CLAUSE_MAX, Form.CLAUSE),
        if_false=told.text("if_false", pack_limits.CLAUSE_MAX, Form.CLAUSE),
    )


def anchors(told: Record) -> tuple[Anchor, ...]:
    return tuple(_anchor(item, told.faults) for item in told.items("anchors", LISTED_MAX))


def _anchor(entry: YamlEntry, faults: Faults) -> Anchor:
    told = record(entry, faults, required=("text", "source"))
    return Anchor(
        text=told.text("text", pack_limits.LINE_MAX), source=told.text("source", pack_limits.SOURCE_MAX, Form.CLAUSE)
    )


def parts(told: Record, personas: tuple[YamlEntry, ...]) -> tuple[tuple[Role, AgentId], ...]:
    """Personas that lead a conversation, or argue a side of a debate."""
    known = {entry.key: AgentId(entry.key) for entry in personas}
    found: dict[Role, AgentId] = {}
    given = told.entries("roles")
    for entry in given:
        if entry.key not in PARTS:
            told.faults.add(entry.line, f"{entry.path} is no role; {fields.suggest_word(entry.key, PARTS)}")
        elif known:
            found[PARTS[entry.key]] = fields.choice(entry, known, told.faults)
    named = [entry.node.text for entry in given if isinstance(entry.node, Scalar)]
    if len(set(named)) != len(named) and (roles := told.get("roles")) is not None:
        told.faults.add(roles.line, "roles gives two roles to one persona")
    return tuple(sorted(found.items()))


def icon(told: Record) -> str:
    """One sign before a name; at most a few characters, as some signs are made of several."""
    return told.text("icon", ICON_MAX, Form.CLAUSE)
