"""What `${x…}` makes of a value that is known, and `{a..c}` of a word: patterns, cuts, replacements, ranges.

A pattern is followed letter by letter as a set of places in it, so that no pattern takes more than its length times
that of the value. What is too long for that is not told: None.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Final

PATTERN_MAX: Final = 200  # characters
VALUE_MAX: Final = 10_000  # characters a variable may hold
SEARCHED_MAX: Final = 200  # characters of a value in which a pattern with `*` is looked for at every place
RANGE_MAX: Final = 100  # words that one range is spread out to
CODE_POINT_MAX: Final = 0x10FFFF

_ANSI: Final = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|0?[0-7]{1,3}|.)", re.DOTALL)
_ANSI_LETTERS: Final = {"n": "\n", "t": "\t", "r": "\r", "a": "", "b": "", "e": "\x1b", "f": "", "v": ""}
_CLOSING: Final = re.compile(r"[\\'\"{}]")
_PIECE: Final = re.compile(r"\\(.)|\[[!^]?\]?(?:\[:\w{1,10}:\]|[^\]])*\]|.", re.DOTALL)
_EXTENDED: Final = re.compile(r"[@?*+!]\(")
_CLASS: Final = re.compile(r"\[:(\w+):\]")
_CLASSES: Final = {
    "alpha": "a-zA-Z",
    "upper": "A-Z",
    "lower": "a-z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "space": " \t\n\r",
    "blank": " \t",
    "punct": "!-/:-@[-`{-~",
    "print": " -~",
    "graph": "!-~",
    "word": "a-zA-Z0-9_",
}
_RANGE: Final = re.compile(r"\{(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?\}")
_TERM: Final = re.compile(r"([-+]?)\s*(\w+)\s*")


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern as its pieces: `*`, or what one letter is held against."""

    pieces: tuple[str, ...]

    @property
    def literal(self) -> str | None:
        """The text it stands for where it stands for one only."""
        if any(piece in ("*", "?") or (piece[0] == "[" and len(piece) > 1) for piece in self.pieces):
            return None
        return "".join(piece[-1] for piece in self.pieces)

    @property
    def reversal(self) -> "Glob":
        return Glob(self.pieces[::-1])

    def ends(self, value: str) -> Iterator[int]:
        """How long each beginning of the value is that matches, the shortest first."""
        stars = sum(1 << place for place, piece in enumerate(self.pieces) if piece == "*")
        accepted, last = dict[str, int](), 1 << len(self.pieces)
        here = 1 | (1 & stars) << 1
        if here & last:
            yield 0
        for length, letter in enumerate(value, 1):
            if letter not in accepted:
                accepted[letter] = sum(1 << n for n, piece in enumerate(self.pieces) if piece_matches(piece, letter))
            here = (here & accepted[letter]) << 1 | here & stars
            here |= (here & stars) << 1
            if here & last:
                yield length
            if not here:
                return


@lru_cache(maxsize=256)
def parse_glob(pattern: str) -> Glob | None:
    if len(pattern) > PATTERN_MAX or _EXTENDED.search(pattern):
        return None
    pieces = list[str]()
    for found in _PIECE.finditer(pattern):
        piece = found.group()
        if not (piece == "*" and pieces[-1:] == ["*"]):
            pieces.append(piece)
    return Glob(tuple(pieces))


def piece_matches(piece: str, letter: str) -> bool:
    """Does one piece of a pattern, other than `*`, match a letter?"""
    if piece == "?":
        return True
    if piece[0] == "[" and len(piece) > 1:
        named = named_letters(piece)
        return fnmatchcase(letter, f"[!{named[2:]}" if named.startswith("[^") else named)
    return piece != "*" and piece[-1] == letter


def named_letters(text: str) -> str:
    """`[:upper:]` as `A-Z`, and so on."""
    return _CLASS.sub(lambda found: _CLASSES.get(found[1], ""), text)


def without_prefix(value: str, pattern: str, *, longest: bool) -> str | None:
    if (found := parse_glob(pattern)) is None:
        return None
    return value[chosen_end(found, value, longest=longest) or 0 :]


def without_suffix(value: str, pattern: str, *, longest: bool) -> str | None:
    if (found := parse_glob(pattern)) is None:
        return None
    return value[: len(value) - (chosen_end(found.reversal, value[::-1], longest=longest) or 0)]


def chosen_end(pattern: Glob, value: str, *, longest: bool) -> int | None:
    end: int | None = None
    for end in pattern.ends(value):
        if not longest:
            return end
    return end


def replace_matches(value: str, pattern: str, new: str, how: str) -> str | None:
    """`/` replaces the first match, `//` each, `/#` one at the beginning, `/%` one at the end."""
    if (found := parse_glob(pattern)) is None:
        return None
    if how == "/#":
        end = chosen_end(found, value, longest=True)
        return value if end is None else new + value[end:]
    if how == "/%":
        end = chosen_end(found.reversal, value[::-1], longest=True)
        return value if end is None else value[: len(value) - end] + new
    if not found.pieces:
        return value
    if (literal := found.literal) is not None:
        times = value.count(literal) if how == "//" else 1
        return None if times * len(new) > VALUE_MAX else value.replace(literal, new, times)
    return replace_found(value, found, new, every=how == "//")


def replace_found(value: str, pattern: Glob, new: str, *, every: bool) -> str | None:
    if "*" in pattern.pieces and len(value) > SEARCHED_MAX:
        return None
    made, at, length = list[str](), 0, 0
    reach = SEARCHED_MAX if "*" in pattern.pieces else len(pattern.pieces)
    while at < len(value):
        end = chosen_end(pattern, value[at : at + reach], longest=True)
        if end:
            made.append(new)
            at += end
        else:
            made.append(value[at])
            at += 1
        length += len(made[-1])
        if length > VALUE_MAX:
            return None
        if end and not every:
            break
    return "".join(made) + value[at:]


def change_case(value: str, how: str, pattern: str) -> str | None:
    """`,` and `^` change the first letter, `,,` and `^^` every one, of those that match."""
    found, first = parse_glob(pattern or "?"), len(value) if len(how) > 1 else 1
    if found is None:
        return None

    def change_letter(letter: str) -> str:
        if 1 not in found.ends(letter):
            return letter
        return letter.lower() if how[0] == "," else letter.upper()

    return "".join(map(change_letter, value[:first])) + value[first:]


def slice_value(value: str, start: int, length: int | None) -> str:
    start = max(0, len(value) + start) if start < 0 else start
    if length is None:
        return value[start:]
    return value[start : start + length] if length >= 0 else value[start:length]


def simple_sum(text: str, values: dict[str, str]) -> int | None:
    """A number, a variable that holds one, or some of them added up; None where it is more than that."""
    text, total, at = text.strip().removeprefix("(").removesuffix(")").strip(), 0, 0
    if not text:
        return 0
    while at < len(text):
        found = _TERM.match(text, at)
        if found is None or (at and not found[1]):
            return None
        number = found[2] if found[2].isdecimal() else values.get(found[2], found[2])
        if not (number.isdecimal() and number.isascii()) or len(number) > 9:
            return None
        total += -int(number) if found[1] == "-" else int(number)
        at = found.end()
    return total


def spread_range(word: str) -> tuple[str, list[str], str] | None:
    """The first range in a word: what stands before it, what it comes to, and what stands behind it.

    A range that is longer than it is worth looking at is left as it is written: it holds numbers only.
    """
    for found in _RANGE.finditer(word):
        first, last, step = found.groups()
        if first.isalpha() != last.isalpha():
            continue
        begin, end = (ord(first), ord(last)) if first.isalpha() else (int(first), int(last))
        wide = max(1, abs(int(step or 1)))
        if abs(end - begin) // wide < RANGE_MAX:
            places = range(begin, end + 1, wide) if begin <= end else range(begin, end - 1, -wide)
            width = max(map(len, (first, last))) if re.match("-?0\\d", first) or re.match("-?0\\d", last) else 0
            made = [chr(place) if first.isalpha() else str(place).zfill(width) for place in places]
            return word[: found.start()], made, word[found.end() :]
    return None


# ---- escapes and brackets


def unescape(text: str) -> str:
    r"""What `$'…'`, `echo -e` and `printf` make of `\x72`, `\162` and `\n`."""

    def letter(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] in "xuU" and len(code) > 1:
            return character(int(code[1:], 16))
        if code[0] in "01234567":
            return character(int(code, 8) & 0xFF)
        return _ANSI_LETTERS.get(code, code)

    return _ANSI.sub(letter, text)


def character(code: int) -> str:
    return chr(code) if code <= CODE_POINT_MAX else ""


def find_closing_brace(text: str, at: int) -> int:
    """Where the brace that is open here closes; the end of the text if it does not."""
    depth = 1
    while (found := _CLOSING.search(text, at)) is not None:
        at = found.end()
        match found.group():
            case "\\":
                at += 1
            case "{":
                depth += 1
            case "}":
                depth -= 1
                if depth == 0:
                    return found.start()
            case quote:
                end = text.find(quote, at)
                at = len(text) if end < 0 else end + 1
    return len(text)
