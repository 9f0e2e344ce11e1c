"""Words of an export: text made safe to write anywhere, times, shares and lists."""

import re
from typing import Final

# Control characters, marks that reorder or hide what follows, halves of characters and codes that no character has:
# XML forbids some of them, a file cannot hold others, and none of them is anything a reader sees.
_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufdd0-\ufdef\ufeff\ufffe\uffff\ud800-\udfff]+"
)


def clean(text: str) -> str:
    """One line of characters that every format can hold."""
    return " ".join(_UNSAFE.sub(" ", text).split())


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    text = clean(text)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!', '…')) else '.'}" if text else ""


def strip_period(text: str) -> str:
    """Without a full stop, to go on behind it."""
    return clean(text).rstrip(". ")


def decision_question(topic: str) -> str:
    """A topic as what is to be decided: a question as it stands, a claim as one to accept or not."""
    return clean(topic) if clean(topic).endswith("?") else f"Do we accept the claim “{strip_period(topic)}”?"


def cut(text: str, most: int) -> str:
    """At the end of a word where there is one."""
    text = clean(text)
    if len(text) <= most:
        return text
    head, _, _ = text[:most].rpartition(" ")
    return f"{(head or text[: most - 1]).rstrip(' ,;:.')}…"


def clock(ms: int) -> str:
    minutes, rest = divmod(ms // 1000, 60)
    return f"{minutes}:{rest:02d}"
