"""How right an answer is: for each measure, how many of how many."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from cruxfinder.cruxbench.finder_answers import FinderAnswer, match_question
from cruxfinder.cruxbench.planted_worlds import PlantedWorld
from cruxfinder.cruxbench.world_truth import SEVERAL_FACTS
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.vocabulary import AgentId, Side


class Measure(StrEnum):
    """What is measured. Of `FALSE_CRUX` less is better, of all others more."""

    PRIMARY = "primary right"
    RECALL = "cruxes found"
    FALSE_CRUX = "false crux"
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


def score_answer(
    world: PlantedWorld, answer: FinderAnswer, endings: frozenset[str], likeness: Likeness
) -> tuple[Scores, str]:
    """The scores of an answer, and the proposition it names first. `endings` are those that are right here."""
    known = world.pack.propositions
    matched = {q: match_question(q, known, likeness) for q in dict.fromkeys((answer.primary, *answer.cruxes)) if q}
    named = {found.id if found else f"?{q}" for q, found in matched.items()}
    first = matched.get(answer.primary)
    primary = NONE if not answer.primary else first.id if first else f"?{answer.primary}"
    truth = world.truth
    wanted = {*truth.cruxes, *truth.facts}
    facts_named = answer.ending == SEVERAL_FACTS == truth.ending
    right = {*truth.cruxes, *truth.allowed, *(truth.facts if facts_named else ())}
    scores: Scores = {Measure.FALSE_CRUX: (int(bool(named - right)), 1)}
    if truth.primary:
        scores[Measure.PRIMARY] = int(primary in truth.primary), 1
    if wanted:
        scores[Measure.RECALL] = len(named & wanted & right), len(wanted)
    if answer.ending:
        scores[Measure.ENDING] = int(answer.ending in endings), 1
    if answer.sides:
        told = {agent: side.value for agent, side in truth.sides.items()}
        scores[Measure.SIDES] = count_sides(world, answer.sides, told)
    if answer.crux_sides and first is not None and first.id in truth.crux_sides:
        scores[Measure.CRUX_SIDES] = count_sides(
            world, answer.crux_sides, turn(truth.crux_sides[first.id], first.turned)
        )
    return scores, primary


def turn(sides: Mapping[AgentId, Side], turned: bool) -> dict[AgentId, str]:
    """The sides on a question, or on its contrary."""
    swap = {Side.YES: Side.NO, Side.NO: Side.YES}
    return {agent: (swap.get(side, side) if turned else side).value for agent, side in sides.items()}


def count_sides(world: PlantedWorld, told: Mapping[str, str], truth: Mapping[AgentId, str]) -> Tally:
    right = sum(told.get(p.name, NONE) == truth[p.id] for p in world.pack.personas)
    return right, len(world.pack.personas)
