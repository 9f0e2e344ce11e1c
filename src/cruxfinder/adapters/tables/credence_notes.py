"""What was left out of a table of credences, worked out, or could not be used: a sentence each, with the lines."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cruxfinder.adapters.tables.column_names import CONDITIONAL
from cruxfinder.adapters.tables.credence_rows import SHOWN_MAX, AnswerCollector, ToldChances, place_lines
from cruxfinder.kernel.vocabulary import AgentId, CandidateId
from cruxfinder.language.counts import count_phrase, percent
from cruxfinder.tables.credences.credence_answers import RARE_BELOW, Origin

Origins = Mapping[tuple[AgentId, CandidateId], Origin]
LAW: Final = "by the law of total probability"


def list_notes(found: AnswerCollector, origins: Origins) -> Iterator[str]:
    for agent, line in found.agents.items():
        if agent not in found.tops:
            yield f"{agent} left top empty and is left out ({place_lines(found.unit, [line])})"
    for line, empty in found.partly[:SHOWN_MAX]:
        yield f"{found.unit} {line} lacks {empty} and counts as not answered"
    if len(found.partly) > SHOWN_MAX:
        yield f"{len(found.partly) - SHOWN_MAX} more answers lack a part and count as not given"
    yield from derivation_notes(found, origins)
    if found.skipped:
        many = "is" if len(found.skipped) == 1 else "are"
        where = place_lines(found.unit, found.skipped)
        told = f"{len(found.skipped)} of {len(found.rows)} answers {many} empty"
        yield f"{told}; whoever skipped a proposition is left out of it ({where})"


def derivation_notes(found: AnswerCollector, origins: Origins) -> Iterator[str]:
    """Which chances were not told, and what became of the answers that lack them."""
    for lacking, other in (CONDITIONAL, CONDITIONAL[::-1]):

        def of(*kinds: Origin, lacking: str = lacking) -> list[int]:
            return [
                told.line
                for (agent, id), told in found.told.items()
                if lacks(told, lacking) and origins.get((AgentId(agent), id)) in kinds
            ]

        if derived := of(Origin.DERIVED, Origin.NEAREST):
            yield f"in {describe_answers(found, derived)} only {other} is told; {lacking} is worked out {LAW}"
        if nearest := of(Origin.NEAREST):
            it = f"that leaves no {lacking} between 0 and 1, and the nearer end is taken"
            yield f"in {describe_answers(found, nearest)} {it} ({place_lines(found.unit, nearest)})"
        if rare := of(Origin.RARE):
            sure = f"above {percent(1 - RARE_BELOW)}" if lacking == CONDITIONAL[1] else f"below {percent(RARE_BELOW)}"
            why = f"with a credence {sure} {lacking} does not follow safely from the rest"
            yield f"{describe_answers(found, rare)} not used: {why} ({place_lines(found.unit, rare)})"
        if wrong := of(Origin.CONTRADICTORY):
            why = f"no {lacking} fits the other chances"
            yield f"{describe_answers(found, wrong)} not used: {why} ({place_lines(found.unit, wrong)})"


def lacks(told: ToldChances, name: str) -> bool:
    return (told.p1 if name == CONDITIONAL[0] else told.p0) is None


def describe_answers(found: AnswerCollector, lines: Sequence[int]) -> str:
    return f"{len(lines)} of {count_phrase(len(found.rows), 'answer')}"
