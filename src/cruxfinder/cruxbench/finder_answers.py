"""What a finder is given and what it answers; an answer matched with the propositions of a world, by meaning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cruxfinder.crux.result import NO_CRUX, Result
from cruxfinder.cruxbench.world_truth import SEVERAL_FACTS
from cruxfinder.debaters.simulated.hearing import normalise_text
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.pack import Proposition
from cruxfinder.language.english.question_matching import same_questions

SAME_QUESTION: Final = 0.4  # cosine distance; nearer, two questions are one. Of one development topic none are


@dataclass(frozen=True, slots=True, kw_only=True)
class FinderAnswer:
    """What a finder says a disagreement turns on. Questions are in its own words."""

    primary: str = ""  # none: it turns on no question
    cruxes: tuple[str, ...] = ()  # the primary one too
    ending: str = ""  # none: it says nothing of how it ends
    sides: Mapping[str, str] = field(default_factory=dict[str, str])  # by person, on the topic
    crux_sides: Mapping[str, str] = field(default_factory=dict[str, str])  # by person, on the primary crux


def answer_of(result: Result) -> FinderAnswer:
    """What a debate of ours came to."""
    named = {agent.id: agent.name for agent in result.agents}
    threads = [t for t in result.threads if t.verdict not in NO_CRUX]
    claimed = [t.question for thread in threads for t in thread.tested if t.chosen or t.partial]
    ending = str(result.verdict.value)
    if ending == SEVERAL_FACTS:
        claimed = [t.question for thread in result.threads for t in thread.tested if t.joint]
    crux = next((t.crux for t in result.threads if t.crux and t.crux.id == result.primary_crux), None)
    positions = {} if crux is None else crux.positions
    primary = result.primary_crux_question or ""
    return FinderAnswer(
        primary=primary,
        cruxes=tuple(dict.fromkeys((primary, *claimed) if primary else claimed)),
        ending=ending,
        sides={named[agent]: held.side.value for agent, held in result.private_positions.items()},
        crux_sides={named[agent]: held.side.value for agent, held in positions.items() if agent in named},
    )


@dataclass(frozen=True, slots=True)
class MatchedQuestion:
    """The proposition a question asks for; `turned` where it asks for the contrary."""

    id: str
    turned: bool = False


def match_question(asked: str, known: Sequence[Proposition], likeness: Likeness) -> MatchedQuestion | None:
    """Word for word where it can be; else by what is asked, turned round or not; else the nearest, if near enough."""
    plain = normalise_text(asked)
    for p in known:
        if plain in (normalise_text(p.question), normalise_text(p.statement)):
            return MatchedQuestion(p.id)
        if plain == normalise_text(p.denial):
            return MatchedQuestion(p.id, turned=True)
    if not plain:
        return None
    for p in known:
        sameness = same_questions(asked, p.question)
        if sameness:
            return MatchedQuestion(p.id, turned=sameness == "opposite")
    far, id = min((likeness.distance(asked, p.question), p.id) for p in known)
    return MatchedQuestion(id) if far < SAME_QUESTION else None
