"""What simple commands print where that can be known from their words alone: `echo`, `printf`, `base64 -d`, `tr` …"""

import base64
import binascii
import re
from collections import deque
from typing import Final

from cruxfinder.gate.shell.expansions import named_letters, unescape
from cruxfinder.gate.shell.text_filters import cut_fields, head_or_tail, order_lines, run_sed

PRINTED_MAX: Final = 200_000  # characters
TEMPORARY: Final = "/tmp/made-for-this"  # where `mktemp` puts things
LETTERS_MAX: Final = 256
_PLACE: Final = re.compile(r"%[-0-9.]*[sdbcqi]|%%")
_ECHO_FLAG: Final = re.compile(r"-[neE]+")
_RANGE: Final = re.compile(r"(.)-(.)", re.DOTALL)


def command_output(program: str, words: tuple[str, ...], given: str | None) -> str | None:
    """The output of a command on a known input, which may be a little longer than PRINTED_MAX; None where it cannot be
    told."""
    found: str | None = None
    match program:
        case "echo":
            found = run_echo(words)
        case "printf":
            found = "" if words[:1] == ("-v",) else run_printf(words)
        case "cat" if not [w for w in words if not w.startswith("-") and w != "/dev/stdin"]:
            found = given
        case "true" | ":":
            found = ""
        case "head" | "tail" if given is not None:
            found = head_or_tail(program, words, given)
        case "cut" if given is not None:
            found = cut_fields(words, given)
        case "tac" | "sort" if given is not None:
            found = order_lines(program, words, given)
        case "sed" if given is not None:
            found = run_sed(words, given)
        case "uniq" | "grep" | "fold" | "dd" | "tee" | "nl" | "pv" | "envsubst" | "paste" | "column" | "xargs":
            found = given  # no more than this
        case "ls" if any(re.fullmatch(r"-[A-Za-z]*d[A-Za-z]*|--directory", w) for w in words):
            found = "\n".join(w for w in words if not w.startswith("-"))
        case "realpath" | "readlink" if words and not words[-1].startswith("-"):
            found = words[-1]
        case "basename" | "dirname" if len(words) == 1:
            found = words[0].rstrip("/").rpartition("/")[2 if program == "basename" else 0] or "."
        case "mktemp":
            found = TEMPORARY
        case "which" if words:
            found = words[-1]
        case "command" | "type" if len(words) > 1 and words[0] in ("-v", "-p", "-P"):
            found = words[-1]
        case "base64" if given is not None and any(re.fullmatch(r"-[a-z]*[dD][a-z]*|--d\w*", w) for w in words):
            found = decode_base64(given)
        case "openssl" if given is not None and {"base64", "enc"} & set(words) and "-d" in words:
            found = decode_base64(given)
        case "xxd" if given is not None and any(w.startswith("-") and "r" in w for w in words):
            found = from_hex(given)
        case "rev" if given is not None:
            found = "\n".join(line[::-1] for line in given.split("\n"))
        case "tr" if given is not None:
            found = run_tr(given, words)
        case _:
            pass
    return found


def run_echo(words: tuple[str, ...]) -> str:
    escapes, first = False, 0
    while first < len(words) and _ECHO_FLAG.fullmatch(words[first]):
        escapes = escapes or "e" in words[first]
        first += 1
    text = " ".join(words[first:])
    return (unescape(text) if escapes else text) + "\n"


def run_printf(words: tuple[str, ...]) -> str:
    if words and words[0] == "--":
        words = words[1:]
    if not words:
        return ""
    pattern, rest = unescape(words[0]), deque(words[1:])
    if not _PLACE.search(pattern):
        return pattern
    made, left, length = list[str](), len(rest) + 1, 0
    while len(rest) < left and length <= PRINTED_MAX:  # the pattern is used again as long as it takes up words
        left = len(rest)
        made.append(_PLACE.sub(lambda found: fill_placeholder(found.group(), rest), pattern))
        length += len(made[-1])
        if not rest:
            break
    return "".join(made)


def fill_placeholder(place: str, rest: deque[str]) -> str:
    if place == "%%":
        return "%"
    word = rest.popleft() if rest else ""
    return unescape(word) if place.endswith("b") else word


def decode_base64(text: str) -> str | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode()
    except (binascii.Error, ValueError):
        return None


def from_hex(text: str) -> str | None:
    try:
        return bytes.fromhex(text).decode()
    except ValueError:
        return None


def run_tr(text: str, words: tuple[str, ...]) -> str | None:
    sets = [expand_ranges(w) for w in words if not w.startswith("-")]
    if any(w.startswith("-") and "d" in w for w in words) and sets:
        return text.translate(dict.fromkeys(map(ord, sets[0])))
    if len(sets) != 2 or not sets[1] or any(w.startswith("-") for w in words):
        return None
    into = sets[1].ljust(len(sets[0]), sets[1][-1])
    return text.translate({ord(old): new for old, new in zip(sets[0], into, strict=False)})


def expand_ranges(letters: str) -> str:
    """`a-z` as the letters it stands for."""

    def between(found: re.Match[str]) -> str:
        first, last = ord(found[1]), ord(found[2])
        return "".join(map(chr, range(first, last + 1))) if last - first < LETTERS_MAX else found.group()

    return _RANGE.sub(between, unescape(named_letters(letters)))
