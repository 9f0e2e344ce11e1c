"""Is a word of one question a word of the other: the same, one of its root, one that says the same, or the contrary?"""

from collections.abc import Callable
from typing import Final

from cruxfinder.language.english.question_claims import ALIKE_LINES, ClaimWord, bare_form, base_form
from cruxfinder.language.english.question_words import ALIKE, POLES
from cruxfinder.language.english.texts import stem

AlikeWords = Callable[[str, str], float]  # how alike two words, or two texts, are, as an embedder hears it
WordRelation = Callable[[ClaimWord, ClaimWord], int]  # 1: alike, -1: opposed, 0: neither

ROOT_MIN: Final = 5  # letters that two words of one root share
ENDING_MAX: Final = 4  # letters by which they may differ at the end
ALIKE_FROM: Final = 0.72  # of an embedder's cosine; "wages" and "salaries" are beyond it, "gold" and "silver" are not
NARROW: Final = 14  # words of a line of opposites whose poles hold synonyms only


def word_relations(alike: AlikeWords | None, alike_from: float = ALIKE_FROM) -> tuple[WordRelation, ...]:
    """The surest first."""
    return equal_words, akin_words, opposed_by_prefix, related_words, heard_alike(alike, alike_from)


def equal_words(a: ClaimWord, b: ClaimWord) -> int:
    return int(a.stem == b.stem)


def akin_words(a: ClaimWord, b: ClaimWord) -> int:
    """Two words of one root: "protects" and "protection"."""
    if not (a.word.isalpha() and b.word.isalpha()) or a.name or b.name or a.stem[0] in "=#" or b.stem[0] in "=#":
        return 0
    shared = next(
        (n for n, (x, y) in enumerate(zip(a.word, b.word, strict=False)) if x != y), min(len(a.word), len(b.word))
    )
    longest = max(len(a.word), len(b.word))
    return int(shared >= ROOT_MIN and longest - shared <= ENDING_MAX)


def opposed_by_prefix(a: ClaimWord, b: ClaimWord) -> int:
    """ "Safe" and "unsafe", "harmful" and "harmless"."""
    for word, other in ((a.word, b.word), (b.word, a.word)):
        bare = bare_form(word)
        if bare and (stem(bare) == stem(other) or base_form(other) == bare or other == f"{bare}ful"):
            return -1
    return 0


def related_words(a: ClaimWord, b: ClaimWord) -> int:
    """Words that say the same, or the contrary, by the tables."""
    first, second = base_form(a.word), base_form(b.word)
    if any(first in line and second in line for line in alike_lines(first)):
        return 1
    signs = [sign * dict(b.poles)[line] for line, sign in a.poles if line in dict(b.poles)]
    if not signs:
        return 0
    return -1 if min(signs) < 0 else 1 if len(signs) > 1 or close_on_line(first, second) else 0


def alike_lines(word: str) -> list[frozenset[str]]:
    return [line for line in ALIKE if word in line] if word in ALIKE_LINES else []


def close_on_line(first: str, second: str) -> bool:
    """Words at one pole are alike enough where both are of one narrow line."""
    line = next((name for name in POLES[first] if name in POLES.get(second, {})), "") if first in POLES else ""
    return bool(line) and sum(line in signs for signs in POLES.values()) <= NARROW


def heard_alike(alike: AlikeWords | None, alike_from: float) -> WordRelation:
    def compare(a: ClaimWord, b: ClaimWord) -> int:
        plain = a.word.isalpha() and b.word.isalpha() and not (a.name or b.name or a.poles or b.poles)
        if alike is None or not plain or a.stem[0] in "=#" or b.stem[0] in "=#":
            return 0
        return int(alike(a.word, b.word) >= alike_from)

    return compare
