"""What simple commands print where that can be known from their words alone: `echo`, `printf`, `base64 -d`, `tr` …"""

import base64
import binascii
import re
from typing import Final

from cruxfinder.dialectic.shell_words import unescaped

PRINTED_MAX: Final = 20_000  # characters
TEMPORARY: Final = "/tmp/made-for-this"  # where `mktemp` puts things
LETTERS_MAX: Final = 256
_PLACE: Final = re.compile(r"%[-0-9.]*[sdbcqi]|%%")
_RANGE: Final = re.compile(r"(.)-(.)", re.DOTALL)


def printed(program: str, words: tuple[str, ...], given: str | None) -> str | None:
    """The output of a command on a known input; None where it cannot be told."""
    found: str | None = None
    match program:
        case "echo":
            found = echo(words)
        case "printf":
            found = formatted(words)
        case "cat" if not [w for w in words if not w.startswith("-") and w != "/dev/stdin"]:
            found = given
        case "true" | ":":
            found = ""
        case (
            "head"
            | "tail"
            | "sort"
            | "uniq"
            | "grep"
            | "cut"
            | "fold"
            | "dd"
            | "tee"
            | "tac"
            | "nl"
            | "pv"
            | "envsubst"
        ):
            found = given  # no more than this
        case "mktemp":
            found = TEMPORARY
        case "which" if words:
            found = words[-1]
        case "command" | "type" if len(words) > 1 and words[0] in ("-v", "-p", "-P"):
            found = words[-1]
        case "base64" if given is not None and any(re.fullmatch(r"-[a-z]*[dD][a-z]*|--d\w*", w) for w in words):
            found = decoded(given)
        case "openssl" if given is not None and {"base64", "enc"} & set(words) and "-d" in words:
            found = decoded(given)
        case "xxd" if given is not None and any(w.startswith("-") and "r" in w for w in words):
            found = from_hex(given)
        case "rev" if given is not None:
            found = "\n".join(line[::-1] for line in given.split("\n"))
        case "tr" if given is not None:
            found = translated(given, words)
        case _:
            pass
    return None if found is None else found[:PRINTED_MAX]


def echo(words: tuple[str, ...]) -> str:
    escapes = False
    while words and re.fullmatch(r"-[neE]+", words[0]):
        escapes = escapes or "e" in words[0]
        words = words[1:]
    text = " ".join(words)
    return (unescaped(text) if escapes else text) + "\n"


def formatted(words: tuple[str, ...]) -> str:
    if words and words[0] == "--":
        words = words[1:]
    if not words:
        return ""
    pattern, rest = unescaped(words[0]), list(words[1:])
    if not _PLACE.search(pattern):
        return pattern
    made, left = "", len(rest) + 1
    while len(rest) < left and len(made) <= PRINTED_MAX:  # the pattern is used again as long as it takes up words
        left = len(rest)
        made += _PLACE.sub(lambda found: placed(found.group(), rest), pattern)
        if not rest:
            break
    return made


def placed(place: str, rest: list[str]) -> str:
    if place == "%%":
        return "%"
    word = rest.pop(0) if rest else ""
    return unescaped(word) if place.endswith("b") else word


def decoded(text: str) -> str | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode()
    except (binascii.Error, ValueError):
        return None


def from_hex(text: str) -> str | None:
    try:
        return bytes.fromhex(text).decode()
    except ValueError:
        return None


def translated(text: str, words: tuple[str, ...]) -> str | None:
    sets = [spread(w) for w in words if not w.startswith("-")]
    if any(w.startswith("-") and "d" in w for w in words) and sets:
        return "".join(letter for letter in text if letter not in sets[0])
    if len(sets) != 2 or not sets[1] or any(w.startswith("-") for w in words):
        return None
    into = sets[1].ljust(len(sets[0]), sets[1][-1])
    return text.translate({ord(old): new for old, new in zip(sets[0], into, strict=False)})


def spread(letters: str) -> str:
    """`a-z` as the letters it stands for."""

    def between(found: re.Match[str]) -> str:
        first, last = ord(found[1]), ord(found[2])
        return "".join(map(chr, range(first, last + 1))) if last - first < LETTERS_MAX else found.group()

    return _RANGE.sub(between, unescaped(letters))
