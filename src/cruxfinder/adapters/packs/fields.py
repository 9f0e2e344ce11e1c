"""Reads the fields of a pack one by one: faults are noted with their line, and reading goes on."""

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterator
from collections.abc import Mapping as Options
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeVar

from cruxfinder.adapters.packs.document import Fault, Listing, Mapping, Node, Scalar
from cruxfinder.adapters.packs.pack_limits import NumberRange
from cruxfinder.errors import BadPack
from cruxfinder.kernel.vocabulary import RESERVED

ROOT: Final = "the pack"
HINTS_MAX: Final = 100  # faults up to which what may have been meant is looked for, which takes longest

_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_NUMBER: Final = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_SHOWN_MAX: Final = 40

T = TypeVar("T")


class Form(Enum):
    """How a text is used: said as it stands, fitted into a sentence, or asked."""

    LINE = "line"
    CLAUSE = "clause"
    QUESTION = "question"


class Faults:
    """Everything found wrong so far."""

    def __init__(self) -> None:
        self._found: list[Fault] = []

    def __len__(self) -> int:
        return len(self._found)

    def add(self, line: int, sentence: str) -> None:
        self._found.append((line, sentence))

    def raise_if_any(self, source: str) -> None:
        if self._found:
            raise BadPack(source, tuple(sorted(self._found, key=lambda fault: fault[0])))


@dataclass(frozen=True, slots=True, kw_only=True)
class YamlEntry:
    """A key of a mapping, or an item of a list, with its value; `path` names it in a fault."""

    key: str
    path: str
    line: int
    node: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A mapping whose keys are known; a field left out gives its default."""

    entry: YamlEntry
    fields: Options[str, YamlEntry]
    faults: Faults

    def get(self, key: str) -> YamlEntry | None:
        return self.fields.get(key)

    def text(self, key: str, limit: int, form: Form = Form.LINE) -> str:
        field = self.get(key)
        return text(field, limit, form, self.faults) if field else ""

    def number(self, key: str, span: NumberRange, default: float) -> float:
        field = self.get(key)
        return number(field, span, self.faults) if field else default

    def choice(self, key: str, options: Options[str, T], default: T) -> T:
        field = self.get(key)
        return choice(field, options, self.faults) if field else default

    def entries(self, key: str) -> tuple[YamlEntry, ...]:
        field = self.get(key)
        return entries(field, self.faults) if field else ()

    def items(self, key: str, most: int) -> tuple[YamlEntry, ...]:
        field = self.get(key)
        return items(field, most, self.faults) if field else ()


def record(entry: YamlEntry, faults: Faults, *, required: Collection[str], optional: Collection[str] = ()) -> Record:
    known = (*required, *optional)
    fields: dict[str, YamlEntry] = {}
    for field in entries(entry, faults):
        if field.key in known:
            fields[field.key] = field
        else:
            hint = f"; {suggest_word(field.key, known)}" if len(faults) < HINTS_MAX else ""
            faults.add(field.line, f"{entry.path}: unknown key {_short_repr(field.key)}{hint}")
    if isinstance(entry.node, Mapping):
        for key in required:
            if key not in fields:
                faults.add(entry.line, f"{entry.path} lacks {key}")
    return Record(entry=entry, fields=fields, faults=faults)


def entries(entry: YamlEntry, faults: Faults) -> tuple[YamlEntry, ...]:
    """The keys of a mapping, each once."""
    if not isinstance(entry.node, Mapping):
        faults.add(entry.line, f"{entry.path} must be a mapping of keys to values")
        return ()
    found: dict[str, YamlEntry] = {}
    for key, value in entry.node.pairs:
        if not isinstance(key, Scalar):
            faults.add(key.line, f"{entry.path}: a key must be a word")
        elif key.reading != "text":
            faults.add(key.line, f"{entry.path}: {_misread(key)}")
        elif key.text in found:
            first = found[key.text].line
            faults.add(key.line, f"{entry.path}: {_short_repr(key.text)} stands here twice, first on line {first}")
        else:
            path = f"{entry.path}.{_plain(key.text)}" if entry.key else _plain(key.text)
            found[key.text] = YamlEntry(key=key.text, path=path, line=key.line, node=value)
    return tuple(found.values())


def items(entry: YamlEntry, most: int, faults: Faults) -> tuple[YamlEntry, ...]:
    """The items of a list, numbered from 1."""
    if not isinstance(entry.node, Listing):
        faults.add(entry.line, f"{entry.path} must be a list")
        return ()
    if len(entry.node.items) > most:
        faults.add(entry.node.items[most].line, f"{entry.path} has more than {most} items")
    return tuple(
        YamlEntry(key=str(position), path=f"{entry.path}.{position}", line=node.line, node=node)
        for position, node in enumerate(entry.node.items, start=1)
    )


def check_id(word: str, line: int, faults: Faults) -> None:
    if not _ID.fullmatch(word):
        rule = "lower-case letters, digits and hyphens, a letter first, at most 40"
        faults.add(line, f"{_short_repr(word)} is no id: {rule}")
    elif word in RESERVED:
        faults.add(line, f"the id {word!r} is reserved")


def text(entry: YamlEntry, limit: int, form: Form, faults: Faults) -> str:
    node = entry.node
    if not isinstance(node, Scalar):
        faults.add(entry.line, f"{entry.path} must be a text")
        return ""
    words = node.text.strip()
    for fault in _text_faults(node, words, limit, form):
        faults.add(entry.line, f"{entry.path} {fault}")
    return words


def _text_faults(node: Scalar, words: str, limit: int, form: Form) -> Iterator[str]:
    if not words or node.reading == "nothing":
        yield "is empty"
        return
    if node.reading != "text":
        yield f"must be a text: {_misread(node)}"
    if "\n" in words:
        yield "must be one line: fold it with >- and leave no line empty"
    elif not words.isprintable() and (hidden := [c for c in words if unicodedata.category(c) in _HIDDEN]):
        yield f"holds the hidden character U+{ord(hidden[0]):04X}"
    if len(words) > limit:
        yield f"has {len(words)} characters, at most {limit} are allowed"
    if form is Form.QUESTION and not words.endswith("?"):
        yield "must end with a question mark"
    if form is Form.CLAUSE and words.endswith("."):
        yield "is fitted into sentences: leave out the full stop at its end"


def number(entry: YamlEntry, span: NumberRange, faults: Faults) -> float:
    """A number of the span; the stand-in for a bad one lies inside it."""
    node = entry.node
    if not isinstance(node, Scalar):
        faults.add(entry.line, f"{entry.path} must be a number {span}")
    elif node.reading != "a number" or not _NUMBER.fullmatch(node.text):
        shown = _short_repr(node.text)
        faults.add(entry.line, f"{entry.path} must be a plain number {span} without quotes, not {shown}")
    elif not span.contains(float(node.text)):
        faults.add(entry.line, f"{entry.path} must be {span}, not {_plain(node.text)}")
    else:
        return float(node.text)
    return (span.low + span.high) / 2


def choice(entry: YamlEntry, options: Options[str, T], faults: Faults) -> T:
    """One of the options; the stand-in for a bad one is the first."""
    node = entry.node
    if isinstance(node, Scalar) and node.reading == "text" and node.text in options:
        return options[node.text]
    said = f"{entry.path} must be one of {', '.join(options)}"
    if not isinstance(node, Scalar):
        faults.add(entry.line, said)
    elif node.reading == "text":
        faults.add(entry.line, f"{said}, not {_short_repr(node.text)}{_perhaps(node.text, options)}")
    elif node.text.upper() in options:
        why = f"YAML reads a bare {node.text} as {node.reading}"
        faults.add(entry.line, f'{said}: {why}; write "{node.text.upper()}", in quotes')
    else:
        faults.add(entry.line, f"{said}: {_misread(node)}")
    return next(iter(options.values()))


def suggest_word(word: str, known: Collection[str]) -> str:
    """What somebody who wrote this word may have meant, as the tail of a sentence."""
    if close := _close(word, known):
        return f"did you mean {close[0]!r}?"
    return f"known are {', '.join(sorted(known))}" if known else "none is known here"


def _perhaps(word: str, options: Collection[str]) -> str:
    """The same behind a sentence that names the options already."""
    same = [option for option in options if option.lower() == word.lower()]
    close = same or _close(word, options)
    return f"; did you mean {close[0]!r}?" if close else ""


def _close(word: str, known: Collection[str]) -> list[str]:
    return difflib.get_close_matches(word.lower()[:_SHOWN_MAX], sorted(known), n=1, cutoff=0.6)


def _misread(node: Scalar) -> str:
    if node.reading == "nothing":
        return "nothing stands here"
    return f'YAML reads a bare {_plain(node.text)} as {node.reading}; put it in quotes: "{_plain(node.text)}"'


def _short_repr(words: str) -> str:
    return repr(words if len(words) <= _SHOWN_MAX else words[:_SHOWN_MAX] + "…")


def _plain(words: str) -> str:
    return words if len(words) <= _SHOWN_MAX and words.isprintable() else _short_repr(words)
