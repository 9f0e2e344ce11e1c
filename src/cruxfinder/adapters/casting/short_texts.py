"""Short texts out of a model's reply: on one line, visible characters only, cut at a word."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, cast

from cruxfinder.debaters.modelled.briefing import BRIEF_MAX
from cruxfinder.ports import UnreadableReply

HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def plain_line(text: str) -> str:
    """On one line, without characters that cannot be seen or sent."""
    words = " ".join(text.split())
    if words.isprintable():
        return words
    return " ".join("".join(c for c in words if unicodedata.category(c) not in HIDDEN).split())


def cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    head = text[: max(0, most - 1)]
    return (head.rsplit(" ", 1)[0] if " " in head else head).rstrip(" ,;:") + "…"


def text_field(reply: Mapping[str, object], name: str, most: int) -> str:
    """A text of a reply, empty if it is left out; as a clause, without a full stop."""
    value = reply.get(name)
    if value is None:
        return ""
    if isinstance(value, dict | list):
        raise UnreadableReply(f"{name} must be a text")
    return cut(plain_line(str(value)).rstrip(". "), most)


def object_rows(reply: Mapping[str, object], name: str) -> tuple[Mapping[str, object], ...]:
    """A list of objects in a reply."""
    value = reply.get(name)
    if not isinstance(value, list) or not value:
        raise UnreadableReply(f"it lacks {name}, a list of objects")
    items = cast("list[object]", value)
    if not all(isinstance(item, dict) for item in items):
        raise UnreadableReply(f"{name} must be a list of objects")
    return tuple(cast("dict[str, object]", item) for item in items)


def brief_of(name: str, role: str, opening: str, claims: Sequence[str]) -> str:
    """As many claims as there is room for beside name and role; the first in any case, cut if it must be."""
    room = BRIEF_MAX - len(f"{name}, {role}. ") - 1
    brief = f"{opening}{claims[0]}"
    if len(brief) >= room:
        return cut(brief, room)
    for claim in claims[1:]:
        if len(f"{brief}; {claim}") > room:
            break
        brief = f"{brief}; {claim}"
    return f"{brief}."
