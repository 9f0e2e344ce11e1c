"""Reads the limits of a conversation from YAML, and reports everything that is wrong in it, with its line, at once."""

from typing import Final

from cruxfinder.adapters.packs import fields, pack_finder
from cruxfinder.adapters.packs.document import Listing, Scalar, compose
from cruxfinder.adapters.packs.fields import Faults, Record, YamlEntry, record
from cruxfinder.adapters.packs.pack_limits import NumberRange
from cruxfinder.kernel.redundancy_limits import Entailment, Redundancy

VOLLEYS: Final = NumberRange(1, 12)
INTERVAL: Final = NumberRange(3, 100)
TURNS: Final = NumberRange(4, 400)
THRESHOLD: Final = NumberRange(0, 1, open=True)
CYCLES: Final = NumberRange(1, 20)
SECTIONS: Final = ("limits", "novelty", "entailment_types", "pivots")
USUAL: Final = Redundancy()
TYPES: Final = {tag.value: tag for tag in Entailment}


def load(path: str) -> Redundancy:
    return read(pack_finder.file_text(path), path)


def read(text: str, source: str) -> Redundancy:
    """What is left out keeps its default. Raise BadPack with everything that is wrong, and where."""
    faults = Faults()
    root = YamlEntry(key="", path="the file", line=1, node=compose(text, source))
    told = record(root, faults, required=(), optional=SECTIONS)
    turns = section(told, "limits", ("dyad_max_volleys", "synthesis_interval", "max_total_turns"))
    novelty = section(told, "novelty", ("similarity_threshold", "require_entailment", "claim_graph_required"))
    pivots = section(told, "pivots", ("on_tension_cycles", "inject_dilemma", "inject_retrieved_anchor"))
    found = Redundancy(
        dyad_max_volleys=whole(turns, "dyad_max_volleys", VOLLEYS, USUAL.dyad_max_volleys),
        synthesis_interval=whole(turns, "synthesis_interval", INTERVAL, USUAL.synthesis_interval),
        max_total_turns=whole(turns, "max_total_turns", TURNS, USUAL.max_total_turns),
        similarity_threshold=threshold(novelty),
        require_entailment=flag(novelty, "require_entailment"),
        claim_graph_required=flag(novelty, "claim_graph_required"),
        entailment_types=types(told),
        on_tension_cycles=whole(pivots, "on_tension_cycles", CYCLES, USUAL.on_tension_cycles),
        inject_dilemma=flag(pivots, "inject_dilemma"),
        inject_retrieved_anchor=flag(pivots, "inject_retrieved_anchor"),
    )
    faults.raise_if_any(source)
    return found


def section(told: Record, key: str, known: tuple[str, ...]) -> Record | None:
    entry = told.get(key)
    return None if entry is None else record(entry, told.faults, required=(), optional=known)


def threshold(told: Record | None) -> float:
    usual = USUAL.similarity_threshold
    return usual if told is None else told.number("similarity_threshold", THRESHOLD, usual)


def whole(told: Record | None, key: str, span: NumberRange, default: int) -> int:
    entry = None if told is None else told.get(key)
    if told is None or entry is None:
        return default
    if isinstance(entry.node, Scalar) and entry.node.reading == "a number" and not entry.node.text.isdigit():
        told.faults.add(entry.line, f"{entry.path} must be a whole number {span}")
        return default
    return int(fields.number(entry, span, told.faults))


def flag(told: Record | None, key: str) -> bool:
    entry = None if told is None else told.get(key)
    if told is None or entry is None:
        return True
    node = entry.node
    if not isinstance(node, Scalar) or node.reading != "true or false":
        told.faults.add(entry.line, f"{entry.path} must be true or false")
        return True
    return node.text.lower() in {"true", "yes", "on"}


def types(told: Record) -> tuple[Entailment, ...]:
    entry = told.get("entailment_types")
    if entry is None:
        return USUAL.entailment_types
    items = told.items("entailment_types", len(TYPES))
    if isinstance(entry.node, Listing) and not items:
        told.faults.add(entry.line, "entailment_types is an empty list; to ask for none set require_entailment: false")
    named = [item.node.text for item in items if isinstance(item.node, Scalar)]
    if len(set(named)) != len(named):
        told.faults.add(entry.line, "entailment_types names one twice")
    return tuple(fields.choice(item, TYPES, told.faults) for item in items)
