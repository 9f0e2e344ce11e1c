"""Which entries of a WordPiece vocabulary a text is made of: lower case, accents dropped, each CJK character a word.

Every step reads Unicode 3.2, which all versions of Python carry unchanged, so that a text has the same pieces
everywhere. Characters that no entry contains, and punctuation, only separate words.
"""

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from itertools import chain
from typing import Final
from unicodedata import ucd_3_2_0 as unicode

TEXT_MAX: Final = 20_000  # characters; what follows is not read
WORD_MAX: Final = 100  # characters; a longer run is no word
WORDS_CACHED: Final = 8192
PREFIX: Final = "##"

# Ranges that the vocabulary's makers set apart, character by character.
CJK: Final = "㐀-䶿一-鿿豈-﫿\U00020000-\U0002a6df\U0002a700-\U0002b81f\U0002b820-\U0002ceaf\U0002f800-\U0002fa1f"
WORD: Final = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")
ASCII_WORD: Final = re.compile(r"[a-z0-9]+")


class WordPiece:
    """Greedy longest match, each word from its beginning."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._first = {piece: id for piece, id in vocabulary.items() if not piece.startswith(PREFIX)}
        self._later = {piece[len(PREFIX) :]: id for piece, id in vocabulary.items() if piece.startswith(PREFIX)}
        self._word = lru_cache(maxsize=WORDS_CACHED)(self._split)

    @cached_property
    def _alphabet(self) -> frozenset[str]:
        return frozenset("".join((PREFIX, *self._first, *self._later)))

    def ids(self, text: str) -> list[int]:
        """The ids of a text's pieces, in order; a word without any is left out."""
        return [*chain.from_iterable(map(self._word, self._words(text[:TEXT_MAX])))]

    def _words(self, text: str) -> list[str]:
        if text.isascii():
            return ASCII_WORD.findall(text.lower())
        return WORD.findall("".join(map(self._fold_character, text)))

    def _fold_character(self, character: str) -> str:
        """What a word shows of a character: its letters in lower case, nothing of its marks, or a space."""
        if character.isascii():
            return character.lower()
        category = unicode.category(character)
        if category in {"Mn", "Cf"}:
            return ""
        if category == "Cn":  # younger than the table: no case, no parts
            return character if character in self._alphabet else " "
        letters = "".join(c for c in unicode.normalize("NFD", character) if unicode.category(c) != "Mn").lower()
        return letters if letters and self._alphabet.issuperset(letters) else " "

    def _split(self, word: str) -> tuple[int, ...]:
        if len(word) > WORD_MAX:
            return ()
        pieces: list[int] = []
        known, at = self._first, 0
        while at < len(word):
            end = len(word)
            while (piece := known.get(word[at:end])) is None:
                end -= 1
                if end == at:
                    return ()
            pieces.append(piece)
            known, at = self._later, end
        return tuple(pieces)
