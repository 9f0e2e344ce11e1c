"""What moved somebody who changed sides in public: PLUS-2, told from the private answers around the change."""

from dataclasses import dataclass
from typing import Final

from cruxfinder.crux.asks import Credence
from cruxfinder.crux.events import ProbeAnswered
from cruxfinder.crux.law import probes
from cruxfinder.crux.moves import Concede, UpdatePosition
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Message, Thread
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, Label, Phase, Side, TopSide

EXPLAINED_MIN: Final = 0.5


def is_change(message: Message) -> bool:
    match message.move:
        case UpdatePosition(side_before=before, side_after=after):
            return before is not after
        case Concede(top_changed=changed):
            return changed
        case _:
            return False


def label(debate: Debate, thread: Thread, change: Message, now: ProbeAnswered) -> Label:
    match change.move:
        case Concede(side_after=after) if after is not None:
            return topic_label(debate, thread, change.agent, after, now)
        case UpdatePosition(side_after=after):
            return crux_label(thread, change.agent, after, now)
        case _:
            return Label.NOISE


@dataclass(frozen=True, slots=True)
class EarlierAnswers:
    """An agent's private answers before a change: those at its last change of the kind, or else before EVIDENCE."""

    p_top: float
    credences: dict[CandidateId, Credence]


def earlier_answers(thread: Thread, agent: AgentId, on: str, now: ProbeAnswered) -> EarlierAnswers | None:
    told = [number for number, change in enumerate(thread.changes, start=1) if change.on == on and number < now.round]
    at_changes = [
        given[agent]
        for (phase, number), given in sorted(thread.probes.items(), key=lambda item: item[0][1])
        if phase is Phase.CHANGE and number in told and agent in given and not given[agent].failed
    ]
    if at_changes:
        return EarlierAnswers(at_changes[-1].p_top, {x.candidate: x for x in at_changes[-1].credences})
    before = probes.readings(thread, Phase.BEFORE).get(agent)
    return None if before is None else EarlierAnswers(before.p_top, dict(before.credences))


def topic_label(debate: Debate, thread: Thread, agent: AgentId, after: TopSide, now: ProbeAnswered) -> Label:
    before = earlier_answers(thread, agent, "topic", now)
    if before is None or now.failed:
        return Label.NOISE
    if probes.top_side_of(before.p_top) is after:
        return Label.NOISE  # it held this side in private all along
    if probes.top_side_of(now.p_top) is after:
        explained = 0.0
        for answer in now.credences:
            held = before.credences.get(answer.candidate)
            if held is not None:
                slope = ((answer.p1 - answer.p0) + (held.p1 - held.p0)) / 2
                explained += (answer.c - held.c) * slope
        moved = now.p_top - before.p_top
        half = explained * moved > 0 and abs(explained) >= EXPLAINED_MIN * abs(moved)
        return Label.PERSUADED if half else Label.CONFORMED
    others = [top.side for a, top in debate.tops.items() if a != agent and a in debate.agents]
    opposed = sum(side is after for side in others)
    repeated = now.public_side not in (None, probes.top_side_of(now.p_top))
    return Label.CONFORMED if repeated and others and 2 * opposed >= len(others) else Label.NOISE


def crux_label(thread: Thread, agent: AgentId, after: Side, now: ProbeAnswered) -> Label:
    """A credence moves by evidence alone, so a private answer on the new side is persuasion, if it is new there."""
    before = earlier_answers(thread, agent, "crux", now)
    answer = next((x for x in now.credences if x.candidate == thread.crux), None)
    if answer is None or now.failed:
        return Label.NOISE
    held = None if before is None else before.credences.get(answer.candidate)
    if held is not None and probes.side_of(held.c) is after:
        return Label.NOISE
    if probes.side_of(answer.c) is after:
        return Label.PERSUADED
    others = [side for a, side in thread.sides.items() if a != agent]
    return Label.CONFORMED if others and 2 * sum(s is after for s in others) >= len(others) else Label.NOISE
