"""Do two questions ask the same, or the one the contrary of the other? Words, their order and what is asked of them.

A question wrongly taken for another is lost, so that every word with content needs its match: another number, date,
scope or subject is another question. What is not sure is not the same.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cruxfinder.language.english.question_claims import (
    ClaimWord,
    QuestionClaim,
    base_form,
    is_light,
    is_of_subject,
    read_claim,
)
from cruxfinder.language.english.question_word_pairs import AlikeWords, word_relations
from cruxfinder.language.english.question_words import ACTORS, COMPARING
from cruxfinder.language.english.restated_questions import Sameness, compare_restated

MATCHED_MIN: Final = 2
ACTOR_MAX: Final = 3  # words that name who is to do it
WORDS_MAX: Final = 60


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A word of the one question, one of the other, and whether they are opposed."""

    one: int
    other: int
    opposed: bool


def same_questions(one: str, other: str) -> Sameness:
    """By their words alone."""
    return compare_questions(one, other, None)


@lru_cache(maxsize=4096)
def compare_questions(one: str, other: str, alike: AlikeWords | None = None) -> Sameness:
    if one.split() == other.split():
        return "same"
    first, second = read_claim(one), read_claim(other)
    if first.mood != second.mood or tenses_differ(first, second):
        return ""
    matches = match_words(first, second, alike)
    if matches is None:
        return compare_restated(first, second, nearness(one, other, alike), alike)
    swapped = parted_otherwise(first, second, matches)
    if swapped is None:
        return ""
    if not swapped and roles_differ(first, second, matches):
        return compare_restated(first, second, nearness(one, other, alike), alike)
    opposed = sum(m.opposed for m in matches) + swapped + (first.turned != second.turned)
    return "opposite" if opposed % 2 else "same"


def nearness(one: str, other: str, alike: AlikeWords | None) -> float:
    """Of the texts; by words alone nothing is near."""
    return 0.0 if alike is None else alike(one, other)


def tenses_differ(one: QuestionClaim, other: QuestionClaim) -> bool:
    both = {one.tense, other.tense} - {""}
    return (both > {"past"} and both != {"past", "perfect"}) or both == {"perfect", "future"}


# ---- every word needs its match


def match_words(one: QuestionClaim, other: QuestionClaim, alike: AlikeWords | None) -> tuple[WordMatch, ...] | None:
    """The words of two questions side by side; None where one of them is left over."""
    if len(one.words) > WORDS_MAX or len(other.words) > WORDS_MAX:
        return None
    found: list[WordMatch] = []
    for relation in word_relations(alike):
        left = [n for n in range(len(one.words)) if n not in {m.one for m in found}]
        for n in left:
            free = [k for k in range(len(other.words)) if k not in {m.other for m in found}]
            for k in sorted(free, key=lambda k: (is_light(other.words[k]), abs(k - n))):
                sign = relation(one.words[n], other.words[k])
                if sign:
                    turned = one.words[n].turned != other.words[k].turned
                    if sign < 0 and is_of_subject(one.words[n], other.words[k]):
                        return None
                    found.append(WordMatch(n, k, (sign < 0) != turned))
                    break
    matched, also = {m.one for m in found}, {m.other for m in found}
    left_over = actor_left_out(one, other, matched) + actor_left_out(other, one, also)
    if any(w.turned or not (is_light(w) or (one.mood == "ought" and w.word in ACTORS)) for w in left_over):
        return None
    telling = [m for m in found if not (is_light(one.words[m.one]) and is_light(other.words[m.other]))]
    enough = len(telling) >= MATCHED_MIN or (bool(telling) and not left_over and len(one.words) == len(telling))
    return tuple(found) if enough else None


def actor_left_out(claim: QuestionClaim, other: QuestionClaim, matched: set[int]) -> list[ClaimWord]:
    """The words without a match; not those who are to do it, where the other says what ought to be done by nobody."""
    left = [n for n in range(len(claim.words)) if n not in matched]
    if any(w.word in ACTORS for w in other.words):
        return [claim.words[n] for n in left]  # that is another actor
    if other.actorless and not claim.actorless and len(left) <= ACTOR_MAX and left == [*range(len(left))]:
        return []
    return [claim.words[n] for n in left]


# ---- who does it to whom


def parted_otherwise(one: QuestionClaim, other: QuestionClaim, matches: Sequence[WordMatch]) -> bool | None:
    """Have the two sides of a comparison changed places? None where those of a condition have."""
    pairs = {m.one: m.other for m in matches}
    for n, k in pairs.items():
        left, right = one.words[n], other.words[k]
        if left.word in ("if",) and right.word in ("if",):
            if sides_swapped(n, k, pairs, one, other):
                return None
        elif is_comparing(left) and is_comparing(right) and sides_swapped(n, k, pairs, one, other):
            return True
    return False


def is_comparing(word: ClaimWord) -> bool:
    return word.word == "than" or base_form(word.word) in COMPARING


def sides_swapped(n: int, k: int, pairs: dict[int, int], one: QuestionClaim, other: QuestionClaim) -> bool:
    single = unique(one, other)
    there = [(a, b) for a, b in pairs.items() if one.words[a].stem in single and a != n]
    crossed = [(a, b) for a, b in there if (a < n) != (b < k)]
    return any(a < n for a, _ in crossed) and any(a > n for a, _ in crossed)


def unique(one: QuestionClaim, other: QuestionClaim) -> set[str]:
    counts = Counter(w.stem for w in one.words), Counter(w.stem for w in other.words)
    return {w.stem for w in one.words if counts[0][w.stem] == 1 and counts[1][w.stem] <= 1}


def roles_differ(one: QuestionClaim, other: QuestionClaim, matches: Sequence[WordMatch]) -> bool:
    """Do the words stand in another order that nothing accounts for: "crime causes poverty"?"""
    single = unique(one, other)
    order = [
        m.other
        for m in sorted(matches, key=lambda m: m.one)
        if one.words[m.one].stem in single and is_placed(one.words[m.one])
    ]
    inverted = order != sorted(order)
    if one.converse != other.converse:
        return not inverted
    if one.passive != other.passive:
        return misplaces_agent(one, other, matches)
    if inverted and one.of != other.of and has_moved_once(order):
        return False  # "housing supply", "the supply of housing"
    return inverted and one.recast == other.recast


def has_moved_once(order: Sequence[int]) -> bool:
    """Do two neighbouring groups of words stand the other way round, and nothing else?"""
    falls = [n for n in range(1, len(order)) if order[n] < order[n - 1]]
    if len(falls) != 1:
        return False
    start = next(n for n, (k, plain) in enumerate(zip(order, sorted(order), strict=True)) if k != plain)
    end = max(n for n, (k, plain) in enumerate(zip(order, sorted(order), strict=True)) if k != plain) + 1
    turned = [*order[falls[0] : end], *order[start : falls[0]]]
    return turned == sorted(order[start:end])


def is_placed(word: ClaimWord) -> bool:
    """Does the place of a word say who does it to whom? That of a date does not."""
    return not is_light(word) and word.stem[0] != "#"


def misplaces_agent(one: QuestionClaim, other: QuestionClaim, matches: Sequence[WordMatch]) -> bool:
    """Who did it comes last in the passive and first in the active."""
    passive, active = (one, other) if one.passive else (other, one)
    if not passive.agent or passive.agent == active.agent:
        return False
    pairs = [(m.one, m.other) if one.passive else (m.other, m.one) for m in matches]
    agents = [b for a, b in pairs if passive.words[a].stem == passive.agent]
    deeds = [
        b
        for a, b in pairs
        if passive.words[a].stem != passive.agent and passive.words[a].word.endswith(("ed", "en", "d", "t"))
    ]
    return bool(agents and deeds) and agents[0] > min(deeds) and active is not passive
