"""How GraphML is written: keys with their types, nodes and edges with their data, everything escaped."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

Datum = str | bool | int | float
Held = dict[str, Datum]
_OUTSIDE: Final = re.compile(r"[^A-Za-z0-9.-]")
_ENTITIES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
SPACE: Final = "http://graphml.graphdrawing.org/xmlns"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    id: str
    held: Held


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    source: str
    target: str
    held: Held


def token(kind: str, id: str) -> str:
    """A name that XML takes, different for different ids: any other character is written as its number."""
    return f"{kind}:{_OUTSIDE.sub(lambda found: f'_{ord(found[0]):x}_', id)}"


def escape(text: str) -> str:
    return text.translate(_ENTITIES)


def type_of(value: Datum) -> str:
    match value:
        case bool():
            return "boolean"
        case int():
            return "long"
        case float():
            return "double"
        case str():
            return "string"


def format_datum(value: Datum) -> str:
    return str(value).lower() if isinstance(value, bool) else escape(str(value))


def xml(about: Held, nodes: Sequence[Node], edges: Sequence[Edge]) -> str:
    keys = [
        *keys_of("graph", [about]),
        *keys_of("node", (node.held for node in nodes)),
        *keys_of("edge", (edge.held for edge in edges)),
    ]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<graphml xmlns="{SPACE}">']
    lines += [
        f'  <key id="{where}.{name}" for="{where}" attr.name="{name}" attr.type="{kind}"/>'
        for where, name, kind in keys
    ]
    lines += ['  <graph id="run" edgedefault="directed">', *data("graph", about, 4)]
    for node in nodes:
        lines += [f'    <node id="{node.id}">', *data("node", node.held, 6), "    </node>"]
    for number, edge in enumerate(edges, start=1):
        lines.append(f'    <edge id="e{number}" source="{edge.source}" target="{edge.target}">')
        lines += [*data("edge", edge.held, 6), "    </edge>"]
    return "\n".join((*lines, "  </graph>", "</graphml>")) + "\n"


def keys_of(where: str, held: Iterable[Held]) -> Iterator[tuple[str, str, str]]:
    """Each key once, in the order of its first use."""
    kinds: dict[str, str] = {}
    for name, value in (pair for each in held for pair in each.items()):
        if kinds.get(name) != "double":  # a whole number among fractions is one of them
            kinds[name] = type_of(value)
    yield from ((where, name, kind) for name, kind in kinds.items())


def data(where: str, held: Held, indent: int) -> Iterator[str]:
    for name, value in held.items():
        yield f'{" " * indent}<data key="{where}.{name}">{format_datum(value)}</data>'
