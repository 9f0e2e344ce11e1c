"""Texts in the code that an interpreter is given: as they stand there, and what those in code come to."""

import re
from collections.abc import Iterator
from typing import Final

from cruxfinder.gate.shell.printing import decode_base64, from_hex

_ENCODED: Final = re.compile(r"[A-Za-z0-9+/]{12,}={0,2}")
_STRINGS: Final = re.compile(
    r"'''(.*?)'''|\"\"\"(.*?)\"\"\"|'((?:[^'\\\n]|\\.)*)'|\"((?:[^\"\\\n]|\\.)*)\"|`([^`]*)`", re.DOTALL
)
_SPAWNS: Final = re.compile(
    r"system|popen|subprocess|\bexec|spawn|`|\bsh\b|pipepager|getoutput|Runtime"
    r"|Deno\.Command|\bfabric\b|\binvoke\b|Connection\(|sys\.process|ProcessBuilder|Bun\.\$|Open3",
    re.IGNORECASE,
)
_ASKS_DATABASE: Final = re.compile(r"execut|query|cursor|\braw\b|sql|prepare", re.IGNORECASE)
_DECODES: Final = re.compile(r"hex|base64|b64|atob|Buffer\.from|pack|decode", re.IGNORECASE)


def may_spawn(code: str) -> bool:
    return _SPAWNS.search(code) is not None


def may_decode(code: str) -> bool:
    return _DECODES.search(code) is not None


def asks_database(code: str) -> bool:
    return _ASKS_DATABASE.search(code) is not None


def strings_in(code: str) -> Iterator[str]:
    return (next(part for part in found.groups() if part is not None) for found in _STRINGS.finditer(code))


def from_base64(text: str) -> str | None:
    return decode_base64(text) if _ENCODED.fullmatch(text) else None


def decoded_texts(code: str) -> Iterator[str]:
    """What texts in hexadecimal or base64 come to, where that can be read."""
    for text in dict.fromkeys(strings_in(code)):
        for plain in (from_hex(text), from_base64(text)):
            if plain and plain.replace("\n", " ").replace("\t", " ").isprintable():
                yield plain
