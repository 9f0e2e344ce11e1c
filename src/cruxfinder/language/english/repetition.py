"""How much a text makes the points of earlier ones again, as an embedder hears it, and is it against them?"""

from collections.abc import Sequence
from itertools import islice
from typing import Final

from cruxfinder.kernel.likeness import Likeness
from cruxfinder.language.english.contrasts import PointRelation, relate_points
from cruxfinder.language.english.retelling import RETOLD, Retellings
from cruxfinder.language.english.texts import content_words, sentences
from cruxfinder.language.reading import NOT_RETOLD, Nearness, Passage, Retelling

SENTENCES_MAX: Final = 40  # of a turn that are compared; nobody says more in one
DRAWN_AT: Final = 0.85  # the threshold as people write it, wherever an embedder draws its own line
POINT_MIN: Final = 4  # content words
DIGITS: Final = 9  # of a figure that is kept


def measure_nearness(like: Likeness, draft: str, said: Sequence[str], drawn: float) -> tuple[Nearness, ...]:
    """How much a draft makes the point of each earlier turn again; `drawn` is the line on the embedder's scale.

    Vectors of many words grow alike whatever they say. So where a turn is beyond the line as a whole, it repeats the
    other only as far as its sentences, one by one, make the point of one of the other's.
    """
    wholes = like.same_pairs([(draft, text) for text in said])
    return tuple(
        measure_pair(like, draft, text, whole, drawn) if whole >= drawn else as_whole(whole)
        for text, whole in zip(said, wholes, strict=True)
    )


def as_whole(whole: float) -> Nearness:
    figure = round(whole, DIGITS)
    return Nearness(figure, figure, opposed=False)


def measure_pair(like: Likeness, draft: str, other: str, whole: float, drawn: float) -> Nearness:
    """Of two texts beyond the line; opposed where only sentences that say another thing bring the draft beyond it."""
    parts, others = sentences(draft)[:SENTENCES_MAX], sentences(other)[:SENTENCES_MAX]
    weights = [len(content_words(part)) for part in parts]
    if (len(parts) < 2 and len(others) < 2) or not sum(weights):
        opposed = relate_points(draft, other) is not PointRelation.SAME
        return Nearness(round(whole, DIGITS), round(whole, DIGITS), opposed)
    figures = iter(like.same_pairs([(part, said) for part in parts for said in others]))
    again = same = 0.0
    for part, weight in zip(parts, weights, strict=True):
        best, nearest = max(zip(islice(figures, len(others)), others, strict=True), default=(0.0, ""))
        again += weight * best
        same += weight * best * (best < drawn or relate_points(part, nearest) is PointRelation.SAME)
    again, same = min(whole, again / sum(weights)), min(whole, same / sum(weights))
    return Nearness(round(whole, DIGITS), round(again, DIGITS), same < drawn <= again)


def measure_retelling(like: Likeness, kept: Retellings, passage: Passage, threshold: float) -> Retelling:
    """How much a draft says its speaker's case again, judged against everything the speaker said before it."""
    if not passage.own:
        return NOT_RETOLD
    mine = frozenset(passage.own)
    own = [text for n, text in enumerate(passage.before) if n in mine]
    others = [text for n, text in enumerate(passage.before) if n not in mine]
    line, drawn = repetition_line(threshold, like.repetition), repetition_line(threshold, RETOLD)
    found = measure_nearness(like, passage.text, own, line)
    score = kept.score(passage.text, own, others, max(near.whole for near in found))
    again = [near.again if makes_point(passage.text, text) else 0.0 for near, text in zip(found, own, strict=True)]
    turn = max(range(len(own)), key=lambda n: (not found[n].opposed, again[n], n))
    opposed = found[turn].opposed or (
        score >= drawn and relate_points(passage.text, own[turn]) is not PointRelation.SAME
    )
    return Retelling(score, drawn, sorted(mine)[turn], again[turn], opposed)


def makes_point(draft: str, said: str) -> bool:
    """A heading or a remark of few words is near to much that is said later."""
    return draft == said or min(len(content_words(draft)), len(content_words(said))) >= POINT_MIN


def repetition_line(threshold: float, calibrated: float) -> float:
    """From the written scale, on which .85 is the embedder's own line, to the embedder's figures."""
    if threshold <= DRAWN_AT:
        return round(calibrated * threshold / DRAWN_AT, DIGITS)
    return round(calibrated + (1 - calibrated) * (threshold - DRAWN_AT) / (1 - DRAWN_AT), DIGITS)


def repeats(like: Likeness, draft: str, said: str, threshold: float = DRAWN_AT) -> bool:
    """Would a draft be refused as one text again?"""
    drawn = repetition_line(threshold, like.repetition)
    (near,) = measure_nearness(like, draft, (said,), drawn)
    return near.again >= drawn and not near.opposed
