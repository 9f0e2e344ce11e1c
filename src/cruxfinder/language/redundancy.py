"""Does a turn say something that was not said? RED-3 it repeats no recent turn, RED-4 it adds to the claim graph."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.redundancy_limits import Entailment, Redundancy
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.language import claims, entailments, polarity
from cruxfinder.language.claim_graph import ClaimGraph
from cruxfinder.language.texts import content_words, sentences

REPETITION: Final = RuleId("RED-3")
GRAPH: Final = RuleId("RED-4")
RECENT: Final = 3  # turns a draft is compared with
SENTENCES_MAX: Final = 40  # of a turn that are compared; nobody says more in one
DRAWN_AT: Final = 0.85  # the threshold as people write it, wherever an embedder draws its own line


@dataclass(frozen=True, slots=True)
class NearText:
    """An earlier text, how near a draft is to it as a whole, and how much of it the draft says again."""

    text: str
    whole: float
    again: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftMeasurement:
    """What an embedder says of a draft."""

    near: tuple[NearText, ...] = ()  # the last turns, and how much it makes their points again
    drawn: float = 1.0  # from where on that is a repetition
    vector: int | None = None  # what its vector says for it, where it has one


UNMEASURED: Final = DraftMeasurement()


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a draft would add."""

    entailments: tuple[Entailment, ...]
    claims: int
    links: int


def measure_draft(like: Likeness, draft: str, said: Sequence[str], threshold: float) -> DraftMeasurement:
    """The draft beside what was said last; `threshold` is that of the limits."""
    drawn = repetition_line(threshold, like.repetition)
    return DraftMeasurement(near=nearness(like, draft, said, drawn), drawn=drawn, vector=like.substance_score(draft))


def nearness(like: Likeness, draft: str, said: Sequence[str], drawn: float) -> tuple[NearText, ...]:
    """How much a draft makes the point of each earlier turn again; `drawn` is the line on the embedder's scale.

    Vectors of many words grow alike whatever they say. So where a turn is beyond the line as a whole, it repeats the
    other only as far as its sentences, one by one, make the point of one of the other's.
    """
    wholes = like.same_pairs([(draft, text) for text in said])
    return tuple(
        NearText(text, whole, whole if whole < drawn else min(whole, sentence_nearness(like, draft, text, whole)))
        for text, whole in zip(said, wholes, strict=True)
    )


def sentence_nearness(like: Likeness, draft: str, other: str, whole: float) -> float:
    """How near the sentences of a draft come to those of another text, each by its content words."""
    parts, others = sentences(draft)[:SENTENCES_MAX], sentences(other)[:SENTENCES_MAX]
    weights = [len(content_words(part)) for part in parts]
    if (len(parts) < 2 and len(others) < 2) or not sum(weights):
        return whole
    figures = iter(like.same_pairs([(part, said) for part in parts for said in others]))
    best = [max(islice(figures, len(others)), default=0.0) for _ in parts]
    return sum(w * b for w, b in zip(weights, best, strict=True)) / sum(weights)


def repetition_line(threshold: float, calibrated: float) -> float:
    """From the written scale, on which .85 is the embedder's own line, to the embedder's figures."""
    if threshold <= DRAWN_AT:
        return calibrated * threshold / DRAWN_AT
    return calibrated + (1 - calibrated) * (threshold - DRAWN_AT) / (1 - DRAWN_AT)


def contribution_to_texts(
    before: Sequence[str], graph: ClaimGraph, content: str, vector: int | None, limits: Redundancy
) -> Contribution:
    """What a text adds to others and to the claims they made."""
    wanted = wanted_types(limits)
    tags = tuple(tag for tag in entailments.find_entailments(content, before, vector) if tag in wanted)
    new = claims.find_new_claims(graph, claims.read(content))
    return Contribution(tags, len(new.claims), len(new.links))


def wanted_types(limits: Redundancy) -> frozenset[Entailment]:
    """A concession counts wherever a counterexample does."""
    more = {Entailment.CONCESSION} if Entailment.COUNTEREXAMPLE in limits.entailment_types else set[Entailment]()
    return frozenset((*limits.entailment_types, *more))


def check(content: str, found: Contribution, measured: DraftMeasurement, limits: Redundancy) -> Iterator[Refusal]:
    """Everything that makes a turn redundant."""
    yield from check_repetition(content, measured)
    if limits.require_entailment and not found.entailments:
        yield entailments.missing_refusal(limits.entailment_types)
    if limits.claim_graph_required and not found.claims and not found.links:
        yield Refusal(
            rule=GRAPH,
            reason="it makes no claim and draws no link that is not there yet",
            remedy="bring in a claim, a consequence or a criterion nobody has stated",
        )


def repeats(like: Likeness, draft: str, said: str, threshold: float = DRAWN_AT) -> bool:
    """Would a draft be refused as one text again?"""
    drawn = repetition_line(threshold, like.repetition)
    near = DraftMeasurement(near=nearness(like, draft, (said,), drawn), drawn=drawn)
    return next(check_repetition(draft, near), None) is not None


def check_repetition(content: str, measured: DraftMeasurement) -> Iterator[Refusal]:
    for other in measured.near:
        if other.again >= measured.drawn and not polarity.are_opposed(content, other.text):
            start = " ".join(other.text.split()[:8])
            yield Refusal(
                rule=REPETITION,
                reason=f'it makes the point of "{start}…" again',
                remedy="make another point, or say what follows from it",
            )
            return
