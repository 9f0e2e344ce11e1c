"""Does a turn say something that was not said? RED-2 it adds, RED-3 repeats no recent turn, RED-4 brings new claims."""

from collections.abc import Iterator, Sequence
from typing import Final

from cruxfinder.kernel.redundancy_limits import Entailment, Redundancy
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.language.reading import RECENT, Additions, DraftReading, Retelling

ENTAILMENT: Final = RuleId("RED-2")
REPETITION: Final = RuleId("RED-3")
GRAPH: Final = RuleId("RED-4")


def counted_additions(adds: Additions, limits: Redundancy) -> Additions:
    """Of what a text adds, what the limits let count."""
    wanted = wanted_types(limits)
    return adds._replace(entailments=tuple(tag for tag in adds.entailments if tag in wanted))


def wanted_types(limits: Redundancy) -> frozenset[Entailment]:
    """A concession counts wherever a counterexample does."""
    more = {Entailment.CONCESSION} if Entailment.COUNTEREXAMPLE in limits.entailment_types else set[Entailment]()
    return frozenset((*limits.entailment_types, *more))


def check(reading: DraftReading, adds: Additions, said: Sequence[str], limits: Redundancy) -> Iterator[Refusal]:
    """Everything that makes a turn redundant; `said` is what it was compared with, the last texts most of all."""
    yield from check_repetition(reading, said)
    if limits.require_entailment and not adds.entailments:
        yield Refusal(
            rule=ENTAILMENT,
            reason="it adds no new entailment",
            remedy=f"revise it by adding one of: {', '.join(limits.entailment_types)}",
        )
    if limits.claim_graph_required and not adds.claims and not adds.links:
        yield Refusal(
            rule=GRAPH,
            reason="it makes no claim and draws no link that is not there yet",
            remedy="bring in a claim, a consequence or a criterion nobody has stated",
        )


def check_repetition(reading: DraftReading, said: Sequence[str]) -> Iterator[Refusal]:
    """Of others the last texts count, of its own speaker all."""
    for other, text in zip(reading.near, said[-RECENT:], strict=False):
        if other.again >= reading.drawn and not other.opposed:
            yield repetition_refusal(f'it makes the point of "{beginning(text)}…" again')
            return
    retold = reading.retold
    if not is_retold(retold, reading.drawn):
        return
    start = beginning(said[retold.turn])
    if retold.again >= reading.drawn:
        yield repetition_refusal(f'its speaker has made this point: "{start}…"')
    else:
        yield repetition_refusal(f'its speaker has said as much already, as in "{start}…", and little of it is new')


def is_retold(retold: Retelling, drawn: float) -> bool:
    """Does it make the point of one of its speaker's turns again, or say the speaker's case again as a whole?"""
    beyond = retold.again >= drawn or retold.score >= retold.drawn
    return retold.turn >= 0 and not retold.opposed and beyond


def repetition_refusal(reason: str) -> Refusal:
    return Refusal(rule=REPETITION, reason=reason, remedy="make another point, or say what follows from it")


def beginning(text: str) -> str:
    return " ".join(text.split()[:8])
