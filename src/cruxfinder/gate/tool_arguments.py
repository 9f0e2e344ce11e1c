"""Takes a tool's arguments apart: every text in them with the name it is given under, however deep it stands."""

import json
import re
import shlex
from dataclasses import dataclass, field
from typing import Final, cast

LEAVES_MAX: Final = 2_000
JSON_MAX: Final = 1_000_000  # characters

HEADS: Final = frozenset(
    "command cmd program executable binary bin exec entrypoint file interpreter tool argv0".split()
)
LISTS: Final = frozenset("commands cmds scripts statements queries sqls steps lines ops operations batch".split())
TAILS: Final = frozenset("args argv arguments params parameters flags options".split())
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_APART: Final = re.compile(r"[^a-z0-9]+")
_PATH_SIGN: Final = re.compile(r"[./~\\]")


@dataclass(frozen=True, slots=True)
class Leaf:
    name: str
    value: str


@dataclass(slots=True)
class Leaves:
    found: list[Leaf] = field(default_factory=list[Leaf])
    lines: list[str] = field(default_factory=list[str])  # a program and its words, given apart
    tails: list[str] = field(default_factory=list[str])  # words whose program is not named beside them
    keys: list[str] = field(default_factory=list[str])  # of objects, where they may be names of files
    cut: bool = False  # too many or too deep: some were not looked at

    def add(self, name: str, value: object) -> None:
        if len(self.found) >= LEAVES_MAX:
            self.cut = True
        elif isinstance(value, str):
            self._text(name, value)
        elif isinstance(value, list):
            self._list(name, cast("list[object]", value))
        elif isinstance(value, dict):
            self.members({str(key): held for key, held in cast("dict[object, object]", value).items()})
        elif value is True:
            self.found.append(Leaf(name, "true"))
        elif value is not None and value is not False:
            self.found.append(Leaf(name, str(value)))

    def _text(self, name: str, value: str) -> None:
        value = value.replace("\0", "")  # as a shell leaves it out
        if value.lstrip()[:1] not in ("{", "["):
            self.found.append(Leaf(name, value))
            return
        try:
            held: object = json.loads(value) if len(value) <= JSON_MAX else None
        except ValueError:
            held = None
        except RecursionError:
            held, self.cut = None, True
        if len(value) > JSON_MAX:
            self.cut = True
        if isinstance(held, list | dict):
            self.add(name, cast("object", held))
        else:
            self.found.append(Leaf(name, value))

    def _list(self, name: str, values: list[object]) -> None:
        words = [value.replace("\0", "") for value in values if isinstance(value, str)]
        if len(words) == len(values) > 1:
            self.found.append(Leaf(name, shlex.join(words)))  # a command in words
            one_by_one = not name_words(name).isdisjoint(LISTS)
            for word in words:
                if one_by_one or any(blank in word for blank in " \t\n"):
                    self.add(name, word)  # or a list of commands
        else:
            for value in values:
                self.add(name, value)

    def members(self, given: dict[str, object]) -> None:
        """The values of an object; where a program stands beside its words, the line they make too."""
        for name, value in given.items():
            if _PATH_SIGN.search(name) and len(self.keys) < LEAVES_MAX:
                self.keys.append(name)
            self.add(name, value)
        tails = [line_of(value) for name, value in given.items() if name_words(name) & TAILS]
        heads = [value for name, value in given.items() if isinstance(value, str) and is_head(name, value)]
        for tail in filter(None, tails):
            self.lines.extend(f"{head} {tail}" for head in heads)
            if not heads:
                self.tails.append(tail)


def leaves_of(arguments: tuple[tuple[str, str], ...], exact: str = "") -> Leaves:
    """The leaves of arguments; `exact` is the JSON they were given as, in which lists are still lists."""
    found = Leaves()
    try:
        given = exact_values(exact)
        found.members({name: given.get(name, value) for name, value in arguments})
    except RecursionError:
        found.cut = True
    return found


def exact_values(exact: str) -> dict[str, object]:
    """The lists and objects among the arguments as they were given; none where that is not known."""
    try:
        held: object = json.loads(exact) if exact else None
    except ValueError:
        held = None
    if not isinstance(held, dict):
        return {}
    told = cast("dict[str, object]", held)
    return {name: value for name, value in told.items() if isinstance(value, list | dict)}


def is_head(name: str, value: str) -> bool:
    """Does an argument name the program whose words stand beside it? A name of several words is a title."""
    words = name_words(name)
    return not words.isdisjoint(HEADS) or ("name" in words and not any(blank in value for blank in " \t\n"))


def line_of(value: object) -> str:
    """The words of a command, as a text or a list of them; empty where it is neither."""
    if isinstance(value, str) and value.lstrip().startswith("[") and len(value) <= JSON_MAX:
        try:
            value = cast("object", json.loads(value))
        except (ValueError, RecursionError):
            return value
    if isinstance(value, str):
        return value
    words = cast("list[object]", value) if isinstance(value, list) else []
    return shlex.join(word for word in words if isinstance(word, str))


def name_words(name: str) -> frozenset[str]:
    """`shellCommand` as shell and command."""
    return frozenset(_APART.split(snake_case(name)))


def snake_case(name: str) -> str:
    """`deleteAllRecords` as `delete_all_records`."""
    return _HUMP.sub("_", name).lower()
