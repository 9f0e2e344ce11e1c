"""Whether a text speaks of an agent: `@id` or `@Name` in any case, or the name as written, as whole words. SPEC §9."""

import unicodedata
from functools import lru_cache
from typing import Final

from cruxfinder.kernel.vocabulary import AgentId

# Scripts that put no space between words (Thai to Khmer, kana and ideographs) or hang particles on a name (Hangul):
# there a letter beside a name does not make it another word.
UNSPACED: Final = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x2E80, 0x9FFF),
    (0xAC00, 0xD7AF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)


def is_mentioned(text: str, agent: AgentId, name: str = "") -> bool:
    """A name in small letters is a mention only behind an @: many names are words as well ("will", "hope")."""
    if "@" in text:
        folded = _fold_case(text)
        if _stands(folded, "@" + _fold_case(agent)) or (name and _stands(folded, "@" + _fold_case(name))):
            return True
    return bool(name) and _stands(_compose_accents(text), _compose_accents(name))


def _stands(text: str, word: str) -> bool:
    """Whether the word stands in the text with nothing grown onto either end; hyphens grow: @ann is not @ann-marie."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not _is_attached(text, at - 1, at - 2, word[0]) and not _is_attached(text, end, end + 1, word[-1]):
            return True
        at = text.find(word, at + 1)
    return False


def _is_attached(text: str, beside: int, beyond: int, edge: str) -> bool:
    if not 0 <= beside < len(text):
        return False
    if text[beside] == "-":
        return 0 <= beyond < len(text) and _letter(text[beyond])
    return _letter(text[beside]) and not (_is_unspaced_script(text[beside]) or _is_unspaced_script(edge))


def _letter(char: str) -> bool:
    return char.isalnum() or char == "_" or (char > "\x7f" and unicodedata.category(char)[0] == "M")


def _is_unspaced_script(char: str) -> bool:
    return char > "\x7f" and any(first <= ord(char) <= last for first, last in UNSPACED)


@lru_cache(maxsize=4096)
def _fold_case(text: str) -> str:
    return _compose_accents(text).casefold()


@lru_cache(maxsize=4096)
def _compose_accents(text: str) -> str:
    """One spelling for one text, whether its accents came as letters or as marks."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)
