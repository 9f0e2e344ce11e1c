"""Is this question the crux? CRUX-1 gain, CRUX-2 flips, CRUX-3 authentic, CRUX-4 validated, CRUX-5 objections."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from cruxfinder.crux.asks import Judged
from cruxfinder.crux.events import CandidateFigures
from cruxfinder.crux.law import probes
from cruxfinder.crux.law.probes import Camps, ProbeReading
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import AcceptedFalsifier, Commitment, Thread, find_candidate
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, Phase, RuleId, Side
from cruxfinder.language.counts import percent_beside

AUTHENTIC: Final = RuleId("CRUX-3")
VALID: Final = RuleId("CRUX-4")

SHARE_MIN: Final = 0.20
FLIPS_MIN: Final = 2
CRITERIA_MIN: Final = 2
EXTRACTIONS_MAX: Final = 3  # the first, and two more on objections
MEASURES: Final = re.compile(
    r"\bwill (?:the |its |their |\w+['’]s )?(?:[\w-]+ ){0,2}(?:correlation|volatility|price)s?\b",
    re.IGNORECASE,
)


def figures(
    id: CandidateId,
    given: Mapping[AgentId, ProbeReading],
    camps: Camps,
    agents: tuple[AgentId, ...],
    commitments: Mapping[AgentId, Commitment],
) -> CandidateFigures:
    """All numbers of one candidate. Where nobody committed yet the private answers stand in for commitments."""
    answers = {a: r.credences[id] for a, r in given.items() if id in r.credences}
    if commitments:
        sides = {a: c.side for a, c in commitments.items()}
        confidence = {a: c.confidence for a, c in commitments.items()}
    else:
        sides = {a: probes.side_of(x.c) for a, x in answers.items()}
        confidence = {a: max(x.c, 1 - x.c) for a, x in answers.items()}
    flipping = tuple(
        a for a in agents if a in answers and sides.get(a) in (Side.YES, Side.NO) and probes.flips(answers[a])
    )
    coverage = len(flipping) / len(agents) if agents else 0.0
    polarity = polarity_of([sides[a] for a in agents if a in sides])
    impact = probes.mean([confidence[a] for a in flipping])
    yes, no = probes.camp_means(given, camps.yes, id), probes.camp_means(given, camps.no, id)
    gap = probes.gap(given, camps)
    share = probes.explained_share(yes, no, gap) if yes and no else 0.0
    closed = probes.gap_closed(yes, no, gap) if yes and no else 0.0
    dcg = coverage * polarity * impact
    return CandidateFigures(
        candidate=id,
        share=round(share, 4),
        gap_closed=round(closed, 4),
        coverage=round(coverage, 4),
        polarity=round(polarity, 4),
        impact=round(impact, 4),
        dcg=round(dcg, 4),
        rank=round(probes.rank(share, dcg), 4),
        flips=flipping,
    )


def explains_enough(found: CandidateFigures) -> bool:
    return found.share >= SHARE_MIN and not found.repeats_topic


def best_of(figures: Iterable[CandidateFigures]) -> CandidateFigures | None:
    """The question that explains most; the topic in other words is none."""
    return max((f for f in figures if not f.repeats_topic), key=lambda f: f.share, default=None)


def polarity_of(sides: list[Side]) -> float:
    yes, no = sides.count(Side.YES), sides.count(Side.NO)
    return 2 * min(yes, no) / (yes + no) if yes + no else 0.0


def criteria(thread: Thread) -> tuple[str, ...]:
    """What would settle the question, from the accepted falsifiers; the same one twice counts once."""
    said = (describe_criterion(held) for helds in thread.falsifiers.values() for held in helds)
    return tuple(dict.fromkeys(said))


def describe_criterion(held: AcceptedFalsifier) -> str:
    f = held.falsifier
    return f"{f.metric}: {f.threshold} ({f.deadline})"


def failures(debate: Debate, thread: Thread) -> Iterator[Refusal]:
    """Every reason the locked question is not a validated crux; nothing yielded means it is."""
    locked = find_candidate(thread, thread.crux)
    figured = thread.figures.get(Phase.LOCKED)
    assert locked is not None and figured is not None, "only a locked thread is validated"
    found = figured.figures[0]
    off = debate.settings.off
    if AUTHENTIC not in off:
        yield from authenticity_failures(thread, locked.question, found)
    if VALID in off:
        return
    sides = positions(thread).values()
    if not (Side.YES in sides and Side.NO in sides):
        yield Refusal(rule=VALID, reason="nobody holds one of the sides", remedy="find who would say YES and who NO")
    concrete = criteria(thread)
    if len(concrete) < CRITERIA_MIN:
        yield Refusal(
            rule=VALID,
            reason=f"{len(concrete)} concrete resolution criteria, {CRITERIA_MIN} are needed",
            remedy="declare another falsifier",
        )
    if not explains_enough(found):
        yield Refusal(
            rule=VALID,
            reason=f"it explains {percent_beside(found.share, SHARE_MIN)} of the gap, {SHARE_MIN:.0%} is the least",
            remedy="look for a question on which the camps' credences differ more",
        )


def authenticity_failures(thread: Thread, question: str, found: CandidateFigures) -> Iterator[Refusal]:
    if MEASURES.search(question):
        yield Refusal(
            rule=AUTHENTIC,
            reason="it asks for a measurement, not for what is the case or why",
            remedy="ask what the measurement would show",
        )
    if len(found.flips) < FLIPS_MIN:
        yield Refusal(
            rule=AUTHENTIC,
            reason=f"{len(found.flips)} would change their top claim with it, {FLIPS_MIN} are needed",
            remedy="look for a question that decides the topic for more people",
        )
    for agent, helds in thread.falsifiers.items():
        for held in helds:
            if held.vague:
                yield Refusal(
                    rule=AUTHENTIC,
                    reason=f"falsifier {held.number} of {agent} is vague",
                    remedy="make it concrete",
                )


def positions(thread: Thread) -> dict[AgentId, Side]:
    """Who stood where when the question was locked."""
    return {a: Side.UNCERTAIN if a in thread.excused else c.side for a, c in thread.commitments.items()}


def positions_now(thread: Thread) -> dict[AgentId, Side]:
    """Who stands where after the evidence, as they say themselves, with the corrections they made to the crux."""
    corrected = {o.agent: o.side for o in thread.objections if o.side is not None and not o.stands}
    return {**thread.sides, **corrected}


def statement(thread: Thread, agent: AgentId) -> str:
    """An agent's position in its own words, as corrected."""
    corrected = [o.statement for o in thread.objections if o.agent == agent and o.statement and not o.stands]
    held = thread.commitments.get(agent)
    return corrected[-1] if corrected else "" if held is None else held.statement


def may_extract_again(thread: Thread) -> bool:
    """An objection has the crux extracted anew twice; after that it stands beside the crux."""
    return thread.extracted is not None and thread.extracted.version < EXTRACTIONS_MAX


def confidence(thread: Thread) -> float:
    """How sure those who took a side on a crux were when they committed."""
    sides = positions(thread)
    return probes.mean([c.confidence for a, c in thread.commitments.items() if sides[a] is not Side.UNCERTAIN])


def earlier_judgements(thread: Thread) -> dict[AgentId, Judged]:
    """Who told with its last probe whether the crux represents it. A crux extracted anew is judged anew."""
    if thread.extracted is None or thread.extracted.version > 1:
        return {}
    answers = thread.probes.get((Phase.AFTER, 1), {})
    return {agent: answer.judged for agent, answer in answers.items() if answer.judged is not None}
