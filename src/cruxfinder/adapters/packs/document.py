"""Turns the text of a pack into nodes that know their lines, and refuses the YAML a pack never needs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import yaml

from cruxfinder.errors import BadPack

BYTES_MAX: Final = 1_000_000
DEPTH_MAX: Final = 12
VALUES_MAX: Final = 20_000  # keys among them; ten times what a large pack has

Reading = Literal["text", "a number", "true or false", "a date", "nothing", "a merge"]

_READINGS: Final[dict[str, Reading]] = {
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "timestamp": "a date",
    "null": "nothing",
    "merge": "a merge",
}
_UNREADABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_TAB_INDENT: Final = re.compile(r" *\t")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    line: int
    text: str
    reading: Reading  # what YAML takes it for: a bare no is "true or false"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    line: int
    items: tuple["Node", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    line: int
    pairs: tuple[tuple["Node", "Node"], ...]


Node = Scalar | Listing | Mapping
Fault = tuple[int, str]


class _Loader(Protocol):
    """The part used here of PyYAML's loaders."""

    def get_event(self) -> yaml.Event | None: ...
    def get_single_node(self) -> yaml.Node | None: ...


def compose(text: str, source: str) -> Node:
    """The one document in the text. Raise BadPack for broken YAML and for what could hide or explode."""
    if len(text) > BYTES_MAX or len(text.encode(errors="surrogatepass")) > BYTES_MAX:
        raise BadPack(source, ((1, "a file is at most 1 MB of text"),))
    unreadable = tuple(_unreadable(text))
    if unreadable:
        raise BadPack(source, unreadable)
    try:
        hostile = tuple(_hostile(text))
        if hostile:
            raise BadPack(source, hostile)
        root = _loader(text).get_single_node()
    except yaml.MarkedYAMLError as error:
        raise BadPack(source, (_syntax(error, text),)) from None
    except yaml.YAMLError as error:
        raise BadPack(source, ((1, f"this is not YAML: {' '.join(str(error).split())}"),)) from None
    if root is None:
        raise BadPack(source, ((1, "the file is empty"),))
    return _node(root)


def _loader(text: str) -> _Loader:
    return yaml.CSafeLoader(text) if yaml.__with_libyaml__ else yaml.SafeLoader(text)


def _unreadable(text: str) -> Iterator[Fault]:
    if _UNREADABLE.search(text) is None:
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if found := _UNREADABLE.search(line):
            yield number, f"the character U+{ord(found[0]):04X} does not belong in a text file"


def _hostile(text: str) -> Iterator[Fault]:
    """Look at the stream of events before any node is built: aliases can make a small file huge."""
    depth = documents = values = 0
    loader = _loader(text)
    while (event := loader.get_event()) is not None:
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents == 2:
                yield line, "a second document starts here; a file holds one"
        elif isinstance(event, yaml.AliasEvent):
            yield line, f"the alias *{event.anchor} is refused; write the value out"
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.NodeEvent):
            yield from _anchor_and_tag_faults(event, line)
            values += 1
            if values > VALUES_MAX:
                yield line, f"a file holds at most {VALUES_MAX:,} keys and values"
                return
            depth += isinstance(event, yaml.CollectionStartEvent)
            if depth > DEPTH_MAX:
                yield line, f"nested deeper than {DEPTH_MAX} levels"
                return


def _anchor_and_tag_faults(event: yaml.NodeEvent, line: int) -> Iterator[Fault]:
    if event.anchor is not None:
        yield line, f"the anchor &{event.anchor} is refused; write the value out"
    if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag is not None:
        yield line, f"the tag {event.tag} is refused; plain text, numbers, lists and mappings are enough"


def _syntax(error: yaml.MarkedYAMLError, text: str) -> Fault:
    mark = error.problem_mark or error.context_mark
    number = mark.line + 1 if mark else 1
    lines = text.split("\n")
    line = lines[number - 1] if number <= len(lines) else ""
    if _TAB_INDENT.match(line):
        return number, "a tab indents this line; YAML wants spaces"
    return number, f"this is not YAML: {error.problem or error.context}"


def _node(node: yaml.Node) -> Node:
    line = node.start_mark.line + 1
    match node:
        case yaml.MappingNode():
            return Mapping(line=line, pairs=tuple((_node(key), _node(value)) for key, value in node.value))
        case yaml.SequenceNode():
            return Listing(line=line, items=tuple(_node(item) for item in node.value))
        case _:
            reading = _READINGS.get(node.tag.rpartition(":")[2], "text")
            return Scalar(line=line, text=str(node.value), reading=reading)
