"""Do two sentences that are about the same thing make one point, oppose each other, or differ in what they say?

Vectors put a sentence nearer to its opposite than to a paraphrase, and no list of opposites is complete. But who says a
thing again in other words changes most of them, and who denies it mostly keeps the frame: "the tariff … jobs in the
steel towns". Where two short sentences share their frame, the word they do not share decides: a synonym says the same,
anything else does not. A frame turned round ("cars are cheaper than vans"), other figures and other quantities tell
texts apart as well.
"""

import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from cruxfinder.language.english.extents import (
    duties_differ,
    extents_differ,
    figures_differ,
    kinds_differ,
    levels_differ,
)
from cruxfinder.language.english.polarity import (
    are_opposed,
    are_synonyms,
    degrees_agree,
    denies_alone,
    denies_unanswered,
    root_of,
)
from cruxfinder.language.english.texts import STOP

FRAME: Final = 0.24  # of the words of both, in their order
FRAME_AT_END: Final = 0.5  # where they begin with different words
FRAME_MAX: Final = 24  # words of a sentence; of a longer one a word or two are details
DEGREE: Final = 3  # words before "than" that say of what there is more
NOT_AS: Final = frozenset("not isn't aren't wasn't weren't doesn't don't didn't never hardly nowhere".split())
FIXED: Final = 0.4  # of the words, which stay where they are while others change places
ARTICLES: Final = frozenset("a an the".split())
WORD: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W_]+(?:['’-][^\W_]+)*")
# Either way round they say the same.
JOINING: Final = frozenset("and or".split())  # what they join is all that stands on either side
EITHER_WAY: Final = frozenset("and or equal equals with resemble resembles meet meets differ differs like".split())
# Small words that can be all the difference.
DECIDING: Final = frozenset(
    "in out up down on off before after over under above below more less fewer most least few many with without".split()
)
SMALL_CHANGES: Final = 2
# Small words that change with the sentence and not with what it says.
LOOSE: Final = frozenset(
    "a an the this that these those my your our his her its their i you we they he she it me us them him is are was"
    " were be been has have had do does did which who whom of on in at as also very so such too for to from by because"
    " since though although while should would will shall upon until till".split()
)
# What stands on their one side does something to what stands on the other: turned round it is another claim.
PIVOTS: Final = frozenset(
    root_of(word)
    for word in "because cause causes caused lead leads led drive drives before after precede precedes follow follows"
    " followed produce produces create creates beat beats defeat defeats outperform outperforms exceed exceeds outweigh"
    " outweighs replace replaces depend depends make makes result results stem stems explain explains influence"
    " influences determine determines shape shapes".split()
)


class PointRelation(StrEnum):
    """How one sentence stands to another that is about the same thing."""

    SAME = "same"
    OPPOSED = "opposed"
    DIFFERENT = "different"


@lru_cache(maxsize=4096)
def relate_points(a: str, b: str) -> PointRelation:
    """Of texts that are near each other; symmetric. Those that are not near are not for this function to tell."""
    if a == b:
        return PointRelation.SAME
    one, other = words_in(a), words_in(b)
    if one == other:
        return PointRelation.SAME
    if compares_turned_round(one, other):
        return PointRelation.OPPOSED if degrees_agree(degree(one), degree(other)) else PointRelation.SAME
    if are_opposed(a, b) != is_turned_round(one, other):
        return PointRelation.OPPOSED
    if max(len(one), len(other)) <= FRAME_MAX and (
        figures_differ(one, other)
        or (shares_frame(one, other) and differ_in_extent(one, other))
        or levels_differ(a.lower(), b.lower())
        or (begins_alike(one, other) and denies_alone(a, b))
        or denies_unanswered(a, b)
        or small_words_differ(one, other)
        or differ_in_frame(one, other)
    ):
        return PointRelation.DIFFERENT
    return PointRelation.SAME


def words_in(text: str) -> tuple[str, ...]:
    return tuple(word for word in WORD.findall(text.lower().replace("’", "'")) if word not in ARTICLES)


def is_turned_round(a: Sequence[str], b: Sequence[str]) -> bool:
    """Do they say of the one what the other says of the other, with the same words: "A beats B", "B beats A"?"""
    if acts_turned_round(a, b) or swaps_places(a, b):
        return True
    if a == b or Counter(a) != Counter(b):
        return False
    return exchanges_parts(a, b) or (
        EITHER_WAY.isdisjoint(a) and sum(one == other for one, other in zip(a, b, strict=True)) >= FIXED * len(a)
    )


def exchanges_parts(a: Sequence[str], b: Sequence[str]) -> bool:
    """But for how they begin and end, does the one put behind a middle what the other puts before it?"""
    first = next(n for n, (one, other) in enumerate(zip(a, b, strict=True)) if one != other)
    last = next(n for n in range(len(a), 0, -1) if a[n - 1] != b[n - 1])
    one, other = tuple(a[first:last]), tuple(b[first:last])
    count = len(one)
    return any(
        other == (*one[end:], *one[start:end], *one[:start]) and not are_exchangeable(one[start:end])
        for start in range(1, count - 1)
        for end in range(start + 1, count)
    )


def compares_turned_round(a: Sequence[str], b: Sequence[str]) -> bool:
    """What the one puts before "than" or "as" the other puts behind it, and what behind before."""
    if not ("than" in a and ("than" in b or "as" in b)) and not ("than" in b and "as" in a):
        return False
    (left, right), (before, behind) = sides_of_comparison(a), sides_of_comparison(b)
    return bool(left & behind and right & before)


def degree(words: Sequence[str]) -> str:
    """What one side is more of, or less, or not as much."""
    at = words.index("than") if "than" in words else len(words) - 1 - words[::-1].index("as")
    denied = "not " if "than" not in words and not NOT_AS.isdisjoint(words[:at]) else ""
    return denied + " ".join(word for word in words[max(0, at - DEGREE) : at] if word not in NOT_AS)


def swaps_places(a: Sequence[str], b: Sequence[str]) -> bool:
    """The same words with content, and two of them have changed places: "the cat bites dogs", "dogs bite the cat"."""
    if len(a) != len(b) or "than" in a:
        return False
    one, other = [root_of(word) for word in a], [root_of(word) for word in b]
    moved = [at for at, word in enumerate(a) if one[at] != other[at] and (word not in STOP or word in DECIDING)]
    if len(moved) < 2 or Counter(one[at] for at in moved) != Counter(other[at] for at in moved):
        return False
    fixed = sum(x == y for x, y in zip(one, other, strict=True))
    between = [word for at, word in enumerate(a) if moved[0] < at < moved[-1] and at not in moved]
    return fixed >= FIXED * len(a) and not are_exchangeable(between)


def are_exchangeable(between: Sequence[str]) -> bool:
    """Do the parts on either side of these words make the same sentence either way round?"""
    return not (EITHER_WAY - JOINING).isdisjoint(between) or (bool(between) and JOINING.issuperset(between))


def acts_turned_round(a: Sequence[str], b: Sequence[str]) -> bool:
    """One causes, beats or precedes the other in the one, and the other way round in the other; not in the passive."""
    if ("by" in a) != ("by" in b) or "than" in a or "than" in b:
        return False
    one, other = [root_of(word) for word in a], [root_of(word) for word in b]
    for pivot in PIVOTS.intersection(one).intersection(other):
        (left, right), (before, behind) = (
            sides_of(words, roots.index(pivot)) for words, roots in ((a, one), (b, other))
        )
        if left & behind and right & before and not left & before and not right & behind:
            return True
    return False


def sides_of_comparison(words: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The words with content on either side, without those on both."""
    at = words.index("than") if "than" in words else len(words) - 1 - words[::-1].index("as")
    return sides_of(words, at)


def sides_of(words: Sequence[str], at: int) -> tuple[frozenset[str], frozenset[str]]:
    left, right = (
        frozenset(root_of(w) for w in part if w not in STOP or w in DECIDING) for part in (words[:at], words[at + 1 :])
    )
    return left - right, right - left


def differ_in_extent(a: Sequence[str], b: Sequence[str]) -> bool:
    return extents_differ(a, b) or kinds_differ(a, b) or duties_differ(a, b)


def small_words_differ(a: Sequence[str], b: Sequence[str]) -> bool:
    """In one place another small word stands, and not one that any sentence may change: "every", "one"."""
    if len(a) != len(b):
        return False
    changed = [(one, other) for one, other in zip(a, b, strict=True) if root_of(one) != root_of(other)]
    return (
        0 < len(changed) <= SMALL_CHANGES
        and all(one in STOP and other in STOP for one, other in changed)
        and any(LOOSE.isdisjoint(pair) for pair in changed)
    )


def differ_in_frame(a: Sequence[str], b: Sequence[str]) -> bool:
    """Most words stand in both in the same order, and those that do not are no synonyms of each other."""
    if not shares_frame(a, b):
        return False
    left, right = only_in(a, b), only_in(b, a)
    if not (left and right):
        return False
    return not any(are_synonyms(one, other) for one in left for other in right)


def begins_alike(a: Sequence[str], b: Sequence[str]) -> bool:
    return bool(a and b) and root_of(a[0]) == root_of(b[0])


def shares_frame(a: Sequence[str], b: Sequence[str]) -> bool:
    one, other = [root_of(word) for word in a], [root_of(word) for word in b]
    if not one or not other or (one[0] != other[0] and one[-1] != other[-1]):
        return False
    least = FRAME if one[0] == other[0] else FRAME_AT_END
    return 2 * words_in_order(one, other) >= least * (len(one) + len(other))


def only_in(a: Sequence[str], b: Sequence[str]) -> list[str]:
    """The words with content that the one text has and the other has not."""
    there = {root_of(word) for word in b}
    return [word for word in a if (word in DECIDING or word not in STOP) and root_of(word) not in there]


def words_in_order(a: Sequence[str], b: Sequence[str]) -> int:
    """How many words stand in both texts in the same order."""
    above = [0] * (len(b) + 1)
    for word in a:
        row = [0]
        for n, other in enumerate(b):
            row.append(above[n] + 1 if word == other else max(above[n + 1], row[n]))
        above = row
    return above[-1]
