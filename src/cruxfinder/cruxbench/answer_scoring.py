"""How right an answer is: for each measure, how many of how many."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cruxfinder.cruxbench.finder_answers import FinderAnswer, match_question
from cruxfinder.cruxbench.world_truth import SEVERAL_FACTS, WorldTruth
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.pack import Proposition
from cruxfinder.kernel.vocabulary import AgentId, Side


class Measure(StrEnum):
    """What is measured. Of `FALSE_CRUX` and `DECOY` less is better, of all others more."""

    PRIMARY = "primary right"
    RECALL = "cruxes found"
    FALSE_CRUX = "false crux"
    DECOY = "decoy named"
    ENDING = "ending right"
    SIDES = "sides right"
    CRUX_SIDES = "sides on crux right"
    STABLE = "same verdict"
    STABLE_CRUX = "same crux"
    LABELS = "labels right"
    PERSUADED = "persuaded found"


Tally = tuple[int, int]  # hits, of so many
Scores = dict[Measure, Tally]
NONE: Final = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerKey:
    """What an answer is scored by: the questions there are, and the truth of them. No finder sees it."""

    known: tuple[Proposition, ...]
    truth: WorldTruth
    people: Mapping[AgentId, str]  # their names
    also: frozenset[str] = frozenset()  # endings that are right, too
    decoys: frozenset[str] = frozenset()  # questions that were put there to be taken for a crux


def score_answer(
    by: AnswerKey, answer: FinderAnswer, endings: frozenset[str], likeness: Likeness
) -> tuple[Scores, str]:
    """The scores of an answer, and the proposition it names first. `endings` are those that are right here."""
    questions = [q for q in dict.fromkeys((answer.primary, *answer.cruxes)) if q]
    matched = {q: match_question(q, by.known, likeness) for q in questions}
    named = {found.id if found else f"?{q}" for q, found in matched.items()}
    first = matched.get(answer.primary)
    primary = NONE if not answer.primary else first.id if first else f"?{answer.primary}"
    truth = by.truth
    wanted = {*truth.cruxes, *truth.facts}
    facts_named = answer.ending == SEVERAL_FACTS == truth.ending
    right = {*truth.cruxes, *truth.allowed, *(truth.facts if facts_named else ())}
    scores: Scores = {Measure.FALSE_CRUX: (int(bool(named - right)), 1)}
    if by.decoys:
        scores[Measure.DECOY] = int(bool(named & by.decoys)), 1
    if truth.primary:
        scores[Measure.PRIMARY] = int(primary in truth.primary), 1
    if wanted:
        scores[Measure.RECALL] = len(named & wanted & right), len(wanted)
    if answer.ending:
        scores[Measure.ENDING] = int(answer.ending in endings), 1
    if answer.sides:
        told = {agent: side.value for agent, side in truth.sides.items()}
        scores[Measure.SIDES] = count_sides(by.people, answer.sides, told)
    if answer.crux_sides and first is not None and first.id in truth.crux_sides:
        scores[Measure.CRUX_SIDES] = count_sides(
            by.people, answer.crux_sides, turn(truth.crux_sides[first.id], first.turned)
        )
    return scores, primary


def turn(sides: Mapping[AgentId, Side], turned: bool) -> dict[AgentId, str]:
    """The sides on a question, or on its contrary."""
    swap = {Side.YES: Side.NO, Side.NO: Side.YES}
    return {agent: (swap.get(side, side) if turned else side).value for agent, side in sides.items()}


def count_sides(people: Mapping[AgentId, str], told: Mapping[str, str], truth: Mapping[AgentId, str]) -> Tally:
    return sum(told.get(name, NONE) == truth[id] for id, name in people.items()), len(people)
