"""Whether words were really said, and where. PLUS-10: a claim taken from a document rests on a quote that stands in it.

White space may run differently and quotation marks may be typographic or plain; every other character must be the same.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cruxfinder.kernel.pack import QuotedClaim

QUOTE_MIN: Final = 8  # characters; fewer stand in any text
QUOTE_MAX: Final = 400

MARKS: Final = ('"“”„‟«»″〝〞＂', "'‘’‚‛‹›′`´＇")  # all of one row are one mark


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSpan:
    """A part of a document, in characters from its beginning."""

    start: int
    end: int


def verify_quote(
    claim: str, quote: str, document: str, stretches: Sequence[DocumentSpan], source: str
) -> QuotedClaim | None:
    """The claim with the words it rests on as they stand in the document; None if they do not stand there."""
    if not QUOTE_MIN <= len("".join(quote.split())) <= QUOTE_MAX:
        return None
    found = next((place for within in stretches if (place := locate(quote, document, within))), None)
    if found is None:
        return None
    words = document[found.start : found.end]
    return QuotedClaim(claim=claim, quote=words, start=found.start, end=found.end, source=source)


def locate(quote: str, document: str, within: DocumentSpan | None = None) -> DocumentSpan | None:
    """Where whole words of a document are those of the quote, for the first time; None if nowhere."""
    words = quote.split()
    if not words:
        return None
    start, end = (0, len(document)) if within is None else (within.start, within.end)
    pattern = re.compile(r"\s+".join(word_pattern(word) for word in words))
    while found := pattern.search(document, start, end):
        if not cuts_a_word(document, found.start()) and not cuts_a_word(document, found.end()):
            return DocumentSpan(start=found.start(), end=found.end())
        start = found.start() + 1
    return None


def word_pattern(word: str) -> str:
    """A word as a pattern in which a quotation mark stands for all of its kind."""
    return "".join(next((f"[{re.escape(row)}]" for row in MARKS if c in row), re.escape(c)) for c in word)


def cuts_a_word(document: str, at: int) -> bool:
    """Between two letters or digits: "5 percent" is no quote from "15 percent", nor "safe" from "unsafe"."""
    return 0 < at < len(document) and is_spaced_script(document[at - 1]) and is_spaced_script(document[at])


def is_spaced_script(character: str) -> bool:
    """Of a script that puts spaces between words, as far as capitals tell."""
    return character.isdigit() or character.lower() != character.upper()
