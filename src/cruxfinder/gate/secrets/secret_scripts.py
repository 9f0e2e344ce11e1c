"""Secrets that scripts hand on: encoded and decoded on the way to a login, or typed at a prompt by expect."""

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterator
from typing import Final

from cruxfinder.gate.secrets import secret_forms as forms

LOOK_BACK: Final = 100
PROMPT_BACK: Final = 400  # characters between a prompt and what is typed at it
Span = tuple[int, int]


def find_encoded_secrets(
    text: str, low: str, says_secret: Callable[[str], bool], holds_secret: Callable[[str], bool]
) -> Iterator[Span]:
    """Base64 that is decoded in place, if it is handed to a login, given to a name that says secret, or holds one."""
    for hints, pattern in forms.DECODED:
        for hint in hints.split():
            place = low.find(hint)
            while place >= 0:
                found = pattern.match(text, place)
                if found and is_encoded_secret(text, place, found.end(), found["value"], says_secret, holds_secret):
                    yield found.span("value")
                place = low.find(hint, max(place + 1, found.end() if found else 0))


def is_encoded_secret(
    text: str,
    start: int,
    end: int,
    value: str,
    says_secret: Callable[[str], bool],
    holds_secret: Callable[[str], bool],
) -> bool:
    if forms.LOGIN.match(text, end):
        return True
    given = forms.SUBSTITUTED.search(text, max(0, start - LOOK_BACK), start)
    if given and (given["name"] is None or says_secret(given["name"])):
        return True
    plain = decode_base64(value)
    return forms.MIXED.fullmatch(plain) is not None or holds_secret(plain)


def decode_base64(value: str) -> str:
    """The text a base64 value holds; nothing if it holds none."""
    try:
        return b64decode(value + "=" * (-len(value) % 4), altchars=b"-_" if set("-_") & set(value) else None).decode()
    except (binascii.Error, ValueError):
        return ""


def find_typed_secrets(text: str, value_at: Callable[[str, int], Span]) -> Iterator[Span]:
    """What is sent after a prompt for a password, or looks like one by itself."""
    place = text.find("send")
    while place >= 0:
        found = forms.SENT.match(text, place)
        if found and begins_word(text, place):
            start, end = braced_word(text, found.end()) or value_at(text, found.end())
            end -= len(ending[0]) if (ending := forms.SENT_END.search(text, max(start, end - 20), end)) else 0
            before = text[max(0, place - PROMPT_BACK) : place]
            asked = forms.PROMPT.search(before, max(0, before.rfind("expect"))) if "expect" in before else None
            if start < end and text[start] not in "$[" and (asked or forms.TYPED.fullmatch(text, start, end)):
                yield start, end
        place = text.find("send", place + 4)


def begins_word(text: str, at: int) -> bool:
    """The letter of an escaped line end is no part of the word after it."""
    return at == 0 or not text[at - 1].isalnum() or text[max(0, at - 2) : at] in {"\\n", "\\r", "\\t"}


def braced_word(text: str, at: int) -> Span | None:
    """A Tcl word in braces."""
    if text[at : at + 1] != "{":
        return None
    close = text.find("}", at, at + forms.VALUE_MAX)
    return (at + 1, close) if close > at else None
