"""Whether two groups lie far enough apart to be two coalitions. SPEC §13.

With enough votes every shade of opinion is beyond chance: the wing of a party, the middle of a line. So being real is
not enough. Two groups are two only if they disagree with each other about as often as any two people of the table do.
And where they agree on three questions in four, only if they are clearly more of one mind among themselves.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

APART_MIN: Final = 0.8  # of what any two people disagree: groups that disagree less with each other are one
AGREED: Final = 0.25  # who disagrees on less than this has more in common than not
CLEARLY: Final = 2.0  # times as much as among themselves, groups that agree on most have to disagree with each other
DIGITS: Final = 9
TOO_CLOSE: Final = "the groups that can be told apart agree too much to be coalitions"

Counts = tuple[float, float, float]  # YES, NO, UNCERTAIN
GroupCounts = Sequence[Sequence[Counts]]  # a row a group, a column a question
Pairs = tuple[float, float]  # how far they differ, added up, and how many there are


def merge_undistinguished(groups: GroupCounts, weights: Sequence[float]) -> list[int]:
    """For each group the number of the group it is part of, once all lie far enough apart. The closest go first."""
    home = list(range(len(groups)))
    for _ in groups:
        numbers = sorted(set(home))
        joined = [join([group for group, n in zip(groups, home, strict=True) if n == number]) for number in numbers]
        near = closest_undistinguished(joined, weights)
        if near is None:
            break
        keep, gone = numbers[near[0]], numbers[near[1]]
        home = [keep if n == gone else n for n in home]
    numbers = sorted(set(home))
    return [numbers.index(n) for n in home]


def closest_undistinguished(groups: GroupCounts, weights: Sequence[float]) -> tuple[int, int] | None:
    """The two groups that lie closest together, of those too close to be two."""
    overall = share(add_pairs([disagreements_within(c) for c in join(groups)], weights))
    inside = [add_pairs([disagreements_within(c) for c in group], weights) for group in groups]
    near: list[tuple[float, int, int]] = []
    for a, b in combinations(range(len(groups)), 2):
        both = zip(groups[a], groups[b], strict=True)
        across = round(share(add_pairs([disagreements_across(c, d) for c, d in both], weights)), DIGITS)
        within = share((inside[a][0] + inside[b][0], inside[a][1] + inside[b][1]))
        if across < APART_MIN * overall or (across < AGREED and across <= CLEARLY * within):
            near.append((across, a, b))
    return min(near)[1:] if near else None


def join(groups: GroupCounts) -> list[Counts]:
    return [
        (sum(c[0] for c in column), sum(c[1] for c in column), sum(c[2] for c in column))
        for column in zip(*groups, strict=True)
    ]


def disagreements_across(one: Counts, other: Counts) -> Pairs:
    """All pairs across two groups, on one question; opposed sides differ by 1, UNCERTAIN from anything by half."""
    (yes, no, unsure), (yes_too, no_too, unsure_too) = one, other
    half = unsure * sum(other) + unsure_too * sum(one) - unsure * unsure_too
    return yes * no_too + no * yes_too + half / 2, sum(one) * sum(other)


def disagreements_within(counts: Counts) -> Pairs:
    """All pairs within one group."""
    yes, no, unsure = counts
    given = yes + no + unsure
    half = unsure * (given - unsure) + unsure * (unsure - 1) / 2
    return yes * no + half / 2, given * (given - 1) / 2


def add_pairs(found: Sequence[Pairs], weights: Sequence[float]) -> Pairs:
    differ = sum(weight * pairs[0] for weight, pairs in zip(weights, found, strict=True))
    return differ, sum(weight * pairs[1] for weight, pairs in zip(weights, found, strict=True))


def share(pairs: Pairs) -> float:
    """Of pairs that never answered the same question nobody knows: as a coin would have it."""
    return pairs[0] / pairs[1] if pairs[1] else 0.5
