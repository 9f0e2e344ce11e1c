"""Short names for personas and packs: lower-case letters, digits and hyphens, none of them twice."""

import re
import unicodedata
from collections.abc import Collection
from typing import Final

from cruxfinder.kernel.vocabulary import RESERVED

ID_MAX: Final = 40


def slug(text: str, stand_in: str = "persona") -> str:
    """An id made from a text; the stand-in where none of its letters are Latin."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall("[a-z0-9]+", plain.replace("'", ""))
    if not words:
        return stand_in
    if not words[0][0].isalpha():
        words.insert(0, stand_in)
    return "-".join(words)[:ID_MAX].strip("-")


def unique_id(wanted: str, taken: Collection[str]) -> str:
    """The wanted id, or the first free one of those with a number."""
    if wanted not in taken and wanted not in RESERVED:
        return wanted
    for number in range(2, len(taken) + len(RESERVED) + 3):
        ending = f"-{number}"
        found = wanted[: ID_MAX - len(ending)].rstrip("-") + ending
        if found not in taken:
            return found
    raise AssertionError("more numbers were tried than ids are taken")
