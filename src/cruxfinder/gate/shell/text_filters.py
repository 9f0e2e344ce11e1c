"""What simple filters make of a text that is known: `head`, `tail`, `cut`, `tac`, `sort`, `sed s/…/…/`.

A filter that is used in a way which is not followed here hands on no more than it is given, or is not told: None.
"""

import re
from itertools import pairwise
from typing import Final

PATTERN_MAX: Final = 200  # characters
SCRIPTS_MAX: Final = 20  # replacements of one `sed`
LENGTH_MAX: Final = 400_000  # characters
_COUNT: Final = re.compile(r"-(?:(n|c|-lines=|-bytes=))?\s*([+-]?)(\d{1,6})")
_FIELDS: Final = re.compile(r"(\d{0,6})(-?)(\d{0,6})")
_SED_FLAGS: Final = re.compile(r"-(?:[nErzsu]+|-quiet|-silent|-regexp-extended)")
_SED_REPLACES: Final = re.compile(r"[gpI0-9]*")
# What of a pattern can be followed in time by the length of a text: letters, sets and ends, nothing that repeats.
_PLAIN_PATTERN: Final = re.compile(r"\^?(?:[^\\*+?{}()|\[\]^$]|\\[./\\*\[\]$^&-]|\[[^\[\]\\]{1,80}\])*\$?")


def head_or_tail(program: str, words: tuple[str, ...], given: str) -> str:
    """The lines or the characters at one end."""
    joined = [f"{word}{after}" if word in ("-n", "-c") else word for word, after in pairwise((*words, ""))]
    found = next((found for word in joined if (found := _COUNT.fullmatch(word))), None)
    unit, sign, count = (found[1] or "n", found[2], int(found[3])) if found else ("n", "", 10)
    parts: list[str] = list(given) if unit in ("c", "-bytes=") else given.splitlines(keepends=True)
    if program == "head":
        return "".join(parts[:-count] if sign == "-" and count else parts[:count])
    if sign == "+":
        return "".join(parts[max(0, count - 1) :])
    return "".join(parts[-count:]) if count else ""


def cut_fields(words: tuple[str, ...], given: str) -> str:
    """The characters or the fields of each line; the whole of it where it is not told which."""
    flags = dict[str, str]()
    place = 0
    while place < len(words):
        letter, value = words[place][:2], words[place][2:]
        if letter in ("-c", "-b", "-f", "-d") and not value and place + 1 < len(words):
            place, value = place + 1, words[place + 1]
        flags[letter] = value
        place += 1
    wanted = flags.get("-c") or flags.get("-b") or flags.get("-f") or ""
    between = (flags.get("-d") or "\t")[:1] if "-f" in flags else ""
    ranges = [bounds(part) for part in wanted.split(",")[:SCRIPTS_MAX]]
    told = [one for one in ranges if one is not None]
    if len(told) < len(ranges):
        return given

    def pick_fields(line: str) -> str:
        if between and between not in line:
            return line
        parts = line.split(between) if between else list(line)
        return between.join(part for first, last in told for part in parts[first:last])

    return "".join(f"{pick_fields(line)}\n" for line in given.splitlines())


def bounds(part: str) -> tuple[int, int | None] | None:
    found = _FIELDS.fullmatch(part)
    if found is None or not (found[1] or found[3]):
        return None
    first = max(0, int(found[1] or 1) - 1)
    return first, (int(found[3]) if found[3] else None) if found[2] else first + 1


def order_lines(program: str, words: tuple[str, ...], given: str) -> str:
    lines = given.splitlines()
    if program == "tac":
        lines.reverse()
    elif program == "sort" and not any(word.startswith("-") and word not in ("-u", "-r") for word in words):
        lines.sort(reverse="-r" in words)
    return "".join(f"{line}\n" for line in lines)


def run_sed(words: tuple[str, ...], given: str) -> str | None:
    """What `sed` makes of a text with nothing but plain replacements."""
    scripts = [after for word, after in pairwise(words) if word in ("-e", "--expression")]
    rest = [word for word in words if not _SED_FLAGS.fullmatch(word)]
    if not scripts and len(rest) == 1:
        scripts = rest
    elif len(rest) != 2 * len(scripts):
        return None
    parts = [part.strip() for script in scripts for part in script.split(";") if part.strip()]
    text = given
    for part in parts[:SCRIPTS_MAX]:
        made = replace_in_lines(part, text)
        if made is None or len(made) > LENGTH_MAX:
            return None
        text = made
    return text if 0 < len(parts) <= SCRIPTS_MAX else None


def replace_in_lines(script: str, text: str) -> str | None:
    pieces = script[2:].split(script[1]) if script[:1] == "s" and len(script) > 2 else []
    if len(pieces) != 3 or len(script) > PATTERN_MAX or not _SED_REPLACES.fullmatch(pieces[2]):
        return None
    old, new, flags = pieces
    if not old or not _PLAIN_PATTERN.fullmatch(old) or re.search(r"[&\\]", new):
        return None
    try:
        pattern = re.compile(old, re.IGNORECASE if "I" in flags else 0)
    except re.error:
        return None
    count = 0 if "g" in flags else 1
    if "g" in flags and len(text) * max(1, len(new)) > LENGTH_MAX:
        return None
    return "\n".join(pattern.sub(lambda _: new, line, count=count) for line in text.split("\n"))
