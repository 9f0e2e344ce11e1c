"""Reads personas from YAML, strictly: whatever is wrong is reported with its line, all of it at once.

The format is described in `docs/guide/personas.md`.
"""

from typing import Final

from cruxfinder.adapters.casting.ids import slug, unique_id
from cruxfinder.adapters.models.model_names import NAME
from cruxfinder.adapters.packs import fields, pack_finder, pack_limits
from cruxfinder.adapters.packs.believers import HORIZONS
from cruxfinder.adapters.packs.document import Listing, Mapping, Scalar, compose
from cruxfinder.adapters.packs.fields import Faults, Form, Record, YamlEntry, record
from cruxfinder.debaters.modelled.briefing import BRIEF_MAX
from cruxfinder.kernel.pack import Persona
from cruxfinder.kernel.vocabulary import AGENTS_MAX, AgentId, Horizon

ROOT: Final = "the persona"
REQUIRED: Final = ("name", "about")
OPTIONAL: Final = ("id", "brief", "interests", "model", "horizon")


def read_personas(path: str) -> tuple[Persona, ...]:
    """The personas in a file. Raise BadInput if it cannot be read, BadPack with every fault."""
    return read(pack_finder.file_text(path), pack_finder.shown_name(path))


def read(text: str, source: str) -> tuple[Persona, ...]:
    root = YamlEntry(key="", path=ROOT, line=1, node=compose(text, source))
    faults = Faults()
    told = [record(entry, faults, required=REQUIRED, optional=OPTIONAL) for entry in entries(root, faults)]
    ids = ids_of(told, faults)
    personas = tuple(persona(row, id) for row, id in zip(told, ids, strict=True))
    check_names(told, personas, faults)
    faults.raise_if_any(source)
    return personas


def entries(root: YamlEntry, faults: Faults) -> tuple[YamlEntry, ...]:
    """The items of a list under `personas`, or the one persona that is the whole file."""
    pairs = root.node.pairs if isinstance(root.node, Mapping) else ()
    if not any(isinstance(key, Scalar) and key.text == "personas" for key, _ in pairs):
        return (root,)
    whole = YamlEntry(key="", path="the file", line=1, node=root.node)
    told = record(whole, faults, required=("personas",))
    given, found = told.get("personas"), told.items("personas", AGENTS_MAX)
    if given and isinstance(given.node, Listing) and not found:
        faults.add(given.line, "personas is empty: name at least one")
    return found


def ids_of(told: list[Record], faults: Faults) -> tuple[str, ...]:
    """Those that are given, and for the others one made from the name."""
    given: dict[int, str] = {}
    for n, row in enumerate(told):
        entry, id = row.get("id"), row.text("id", pack_limits.NAME_MAX)
        if entry and id:
            fields.check_id(id, entry.line, faults)
            if id in given.values():
                faults.add(entry.line, f"{entry.path} is taken: {id!r} stands above")
            given[n] = id
    made: dict[int, str] = {}
    for n, row in enumerate(told):
        if n not in given:
            entry = row.get("name")
            name = entry.node.text if entry and isinstance(entry.node, Scalar) else ""
            made[n] = unique_id(slug(name), {*given.values(), *made.values()})
    return tuple(given.get(n) or made[n] for n in range(len(told)))


def persona(told: Record, id: str) -> Persona:
    name, role = told.text("name", pack_limits.NAME_MAX), told.text("about", pack_limits.CLAUSE_MAX, Form.CLAUSE)
    brief = told.text("brief", BRIEF_MAX)
    length = len(f"{name}, {role}. {brief}")
    if brief and len(brief) <= BRIEF_MAX < length:
        where = told.fields["brief"]
        together = f"name, role and brief together have {length} characters"
        told.faults.add(where.line, f"{where.path} is too long: {together}, at most {BRIEF_MAX} are told to a model")
    return Persona(
        id=AgentId(id),
        name=name,
        about=role,
        brief=brief,
        interests=interests(told),
        model=model(told),
        horizon=told.choice("horizon", HORIZONS, Horizon.FIVE_YEARS),
    )


def interests(told: Record) -> tuple[str, ...]:
    items = told.items("interests", pack_limits.INTERESTS_MAX)
    return tuple(fields.text(item, pack_limits.INTEREST_MAX, Form.CLAUSE, told.faults) for item in items)


def model(told: Record) -> str:
    """The name of a model; which provider it has is known only where the debate is started."""
    entry = told.get("model")
    if entry is None:
        return ""
    name = fields.text(entry, 200, Form.LINE, told.faults)
    if name and NAME.fullmatch(name) is None:
        told.faults.add(entry.line, f"{entry.path} is no model; name one as provider:model, such as openai:gpt-5-mini")
    return name


def check_names(told: list[Record], personas: tuple[Persona, ...], faults: Faults) -> None:
    """Two personas of one name could not be told apart."""
    first: dict[str, int] = {}
    for n, someone in enumerate(personas):
        if someone.name and first.setdefault(someone.name.casefold(), n) != n:
            entry = told[n].fields["name"]
            faults.add(entry.line, f"{entry.path} is taken: {someone.name!r} stands above")
