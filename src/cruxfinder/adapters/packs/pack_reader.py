"""Reads a pack from YAML, strictly: whatever is wrong is reported with its line, all of it at once.

The format is described in `docs/guide/packs.md`.
"""

import re
from typing import Final, Literal

from cruxfinder.adapters.packs import believers, conversation_material, fields, pack_limits
from cruxfinder.adapters.packs.document import Mapping, Scalar, compose
from cruxfinder.adapters.packs.fields import Faults, Form, Record, YamlEntry, record
from cruxfinder.errors import BadPack
from cruxfinder.kernel.pack import Exhibit, Pack, Persona, Proposition, PropositionType, Rebuttal, Truth
from cruxfinder.kernel.vocabulary import AGENTS_MAX, AGENTS_MIN, Attack, Horizon
from cruxfinder.language.calendar_days import read_day

FORMAT: Final = 1

_TYPES: Final[dict[str, PropositionType]] = {"empirical": "empirical", "factual": "factual", "value": "value"}
_TRUTHS: Final[dict[str, Truth]] = {"OPEN": "OPEN", "YES": "YES", "NO": "NO"}
_ANSWERS: Final[dict[str, Literal["YES", "NO"]]] = {"YES": "YES", "NO": "NO"}
_ATTACKS: Final = {attack.value: attack for attack in Attack}


def read(text: str, source: str) -> Pack:
    """The pack in the text. Raise BadPack with every fault found; `source` names the text to the user."""
    root = YamlEntry(key="", path=fields.ROOT, line=1, node=compose(text, source))
    _refuse_newer(root, source)
    faults = Faults()
    pack = _pack(root, faults)
    faults.raise_if_any(source)
    return pack


def _refuse_newer(root: YamlEntry, source: str) -> None:
    """A newer format is refused at once: its other keys cannot be judged."""
    for key, value in root.node.pairs if isinstance(root.node, Mapping) else ():
        if not (isinstance(key, Scalar) and isinstance(value, Scalar) and key.text == "pack"):
            continue
        if re.fullmatch("[0-9]{1,9}", value.text) and int(value.text) > FORMAT:
            sentence = f"this pack has format {value.text}, and this Cruxfinder reads {FORMAT}: update it"
            raise BadPack(source, ((value.line, sentence),))


def _pack(root: YamlEntry, faults: Faults) -> Pack:
    required = ("pack", "name", "title", "topic", "summary", "propositions", "personas")
    told = record(root, faults, required=required, optional=("tensions", "dilemmas", "anchors", "roles", "day"))
    _check_head(told)
    _check_count(told, "propositions", 1, pack_limits.PROPOSITIONS_MAX)
    _check_count(told, "personas", AGENTS_MIN, AGENTS_MAX)
    propositions = tuple(_proposition(entry, faults) for entry in told.entries("propositions"))
    entries = told.entries("personas")
    personas = tuple(believers.persona(entry, propositions, entries, faults) for entry in entries)
    _check_names(personas, entries, faults)
    return Pack(
        name=told.text("name", pack_limits.NAME_MAX),
        title=told.text("title", pack_limits.LABEL_MAX, Form.CLAUSE),
        topic=told.text("topic", pack_limits.CLAUSE_MAX, Form.CLAUSE),
        summary=told.text("summary", pack_limits.LINE_MAX),
        propositions=propositions,
        personas=personas,
        tensions=conversation_material.tensions(told),
        dilemmas=conversation_material.dilemmas(told, propositions),
        anchors=conversation_material.anchors(told),
        roles=conversation_material.parts(told, entries),
        day=_day(told.get("day"), faults),
    )


def _day(entry: YamlEntry | None, faults: Faults) -> str:
    if entry is None:
        return ""
    day = fields.text(entry, pack_limits.LABEL_MAX, Form.LINE, faults)
    if day and read_day(day) is None:
        faults.add(entry.line, f'{entry.path} must be a day such as "2027-06-30", in quotes')
    return day


def _check_head(told: Record) -> None:
    version, name = told.get("pack"), told.get("name")
    if version and not (isinstance(version.node, Scalar) and version.node.text == str(FORMAT)):
        told.faults.add(version.line, f"pack must be {FORMAT}, the version of the format")
    if name and isinstance(name.node, Scalar) and name.node.reading == "text":
        fields.check_id(name.node.text, name.line, told.faults)


def _check_count(told: Record, key: str, least: int, most: int) -> None:
    entry = told.get(key)
    if entry and isinstance(entry.node, Mapping) and not least <= len(entry.node.pairs) <= most:
        told.faults.add(entry.line, f"a pack has {least} to {most} {key}, not {len(entry.node.pairs)}")


def _check_names(personas: tuple[Persona, ...], entries: tuple[YamlEntry, ...], faults: Faults) -> None:
    """Two personas of one name could not be told apart in a transcript."""
    owners: dict[str, str] = {}
    for persona, entry in zip(personas, entries, strict=True):
        if persona.name and (owner := owners.setdefault(persona.name.lower(), entry.key)) != entry.key:
            faults.add(entry.line, f"{entry.path} has the name of {owner}, {persona.name!r}")


def _proposition(entry: YamlEntry, faults: Faults) -> Proposition:
    fields.check_id(entry.key, entry.line, faults)
    required = ("statement", "denial", "question", "yes_means", "no_means")
    optional = ("type", "truth", "sense", "senses", "horizon", "evidence")
    told = record(entry, faults, required=required, optional=optional)
    senses = _senses(told)
    return Proposition(
        id=entry.key,
        statement=told.text("statement", pack_limits.CLAUSE_MAX, Form.CLAUSE),
        denial=told.text("denial", pack_limits.CLAUSE_MAX, Form.CLAUSE),
        question=told.text("question", pack_limits.QUESTION_MAX, Form.QUESTION),
        yes_means=told.text("yes_means", pack_limits.CLAUSE_MAX, Form.CLAUSE),
        no_means=told.text("no_means", pack_limits.CLAUSE_MAX, Form.CLAUSE),
        type=told.choice("type", _TYPES, "empirical"),
        truth=told.choice("truth", _TRUTHS, "OPEN"),
        sense=_sense(told, senses),
        senses=senses,
        horizon=told.choice("horizon", believers.HORIZONS, Horizon.FIVE_YEARS),
        exhibits=tuple(_exhibit(item, faults) for item in told.items("evidence", pack_limits.LISTED_MAX)),
    )


def _senses(told: Record) -> tuple[tuple[str, str], ...]:
    senses: list[tuple[str, str]] = []
    for entry in told.entries("senses"):
        fields.check_id(entry.key, entry.line, told.faults)
        senses.append((entry.key, fields.text(entry, pack_limits.CLAUSE_MAX, Form.CLAUSE, told.faults)))
    given = told.get("senses")
    if given and isinstance(given.node, Mapping) and len(given.node.pairs) < 2:
        told.faults.add(given.line, f"{given.path} needs two senses or more; with one meaning leave it out")
    return tuple(senses)


def _sense(told: Record, senses: tuple[tuple[str, str], ...]) -> str:
    """The sense that the YES and NO texts fix."""
    field = told.get("sense")
    if field is None and senses:
        told.faults.add(told.entry.line, f"{told.entry.path} lacks sense, the one of its senses that its texts fix")
    elif field and not senses:
        told.faults.add(field.line, f"{field.path} names a sense where no senses are listed")
    elif field:
        return fields.choice(field, {name: name for name, _ in senses}, told.faults)
    return ""


def _exhibit(entry: YamlEntry, faults: Faults) -> Exhibit:
    told = record(entry, faults, required=("points", "text", "source"), optional=("rebuttals",))
    return Exhibit(
        text=told.text("text", pack_limits.EVIDENCE_MAX),
        source=told.text("source", pack_limits.SOURCE_MAX, Form.CLAUSE),
        points=told.choice("points", _ANSWERS, "YES"),
        rebuttals=tuple(_rebuttal(item, faults) for item in told.items("rebuttals", pack_limits.LISTED_MAX)),
    )


def _rebuttal(entry: YamlEntry, faults: Faults) -> Rebuttal:
    told = record(entry, faults, required=("attacks", "why"))
    return Rebuttal(
        attacks=told.choice("attacks", _ATTACKS, Attack.MEASUREMENT), why=told.text("why", pack_limits.EVIDENCE_MAX)
    )
