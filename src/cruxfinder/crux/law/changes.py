"""What moved somebody who changed sides in public: PLUS-2, told from the private answers around the change."""

from collections.abc import Sequence
from typing import Final

from cruxfinder.crux.asks import Credence
from cruxfinder.crux.events import ProbeAnswered
from cruxfinder.crux.law import probes
from cruxfinder.crux.law.probes import ProbeReading
from cruxfinder.crux.moves import Claim, Concede, UpdatePosition
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Message, Thread, number_of, rounds_before
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, Label, Phase, Side, TopSide

EXPLAINED_MIN: Final = 0.5
MOVED_MIN: Final = 0.08
SPREADS: Final = 2.0  # of the noise of the answers compared: less than this may be nothing but noise


def is_change(message: Message) -> bool:
    match message.move:
        case UpdatePosition(side_before=before, side_after=after):
            return before is not after
        case Concede(top_changed=changed):
            return changed
        case _:
            return False


def rounds_of_change(thread: Thread, change: int) -> range:
    """The rounds in which somebody is asked what moved it: as many as there are in what they are compared with."""
    count = rounds_before(thread)
    return range(change * count + 1, (change + 1) * count + 1)


def is_fully_answered(thread: Thread, agent: AgentId) -> bool:
    """Has the agent answered every round about the change that is told next?"""
    rounds = rounds_of_change(thread, len(thread.changes))
    return all(agent in thread.probes.get((Phase.CHANGE, number), {}) for number in rounds)


def answers_at(thread: Thread, agent: AgentId, change: int) -> list[ProbeAnswered]:
    given = (thread.probes.get((Phase.CHANGE, n), {}).get(agent) for n in rounds_of_change(thread, change))
    return [answer for answer in given if answer is not None and not answer.failed]


def label(debate: Debate, thread: Thread, change: Message) -> Label:
    """Of the change that is told next."""
    answers = answers_at(thread, change.agent, len(thread.changes))
    now = probes.readings_of({n: {a.agent: a} for n, a in enumerate(answers)}).get(change.agent)
    if now is None:
        return Label.NOISE
    match change.move:
        case Concede(side_after=after) if after is not None:
            return topic_label(debate, thread, change, after, now, answers)
        case UpdatePosition(side_after=after):
            return crux_label(thread, change, after, now)
        case _:
            return Label.NOISE


def earlier_reading(thread: Thread, agent: AgentId, on: str) -> ProbeReading | None:
    """An agent's private answers before a change: those at its last change of the kind, or else before EVIDENCE."""
    told = [n for n, change in enumerate(thread.changes) if change.on == on and change.agent == agent]
    for number in reversed(told):
        if answers := answers_at(thread, agent, number):
            return probes.readings_of({n: {agent: answer} for n, answer in enumerate(answers)})[agent]
    return probes.readings(thread, Phase.BEFORE).get(agent)


def topic_label(
    debate: Debate, thread: Thread, change: Message, after: TopSide, now: ProbeReading, answers: Sequence[ProbeAnswered]
) -> Label:
    before = earlier_reading(thread, change.agent, "topic")
    if before is None:
        return Label.NOISE
    held = probes.top_side_of(before.p_top)
    if held is after:
        return Label.NOISE  # it held this side in private all along
    moved, noise = now.p_top - before.p_top, noise_of_answers(thread)
    opposed = most_are_opposed(debate, thread, change, after)
    has_moved = abs(moved) >= max(MOVED_MIN, SPREADS * noise) and is_towards(after, before.p_top, moved)
    if has_moved and probes.top_side_of(now.p_top) is not held:
        explained = explained_move(before, now, thread.crux, noise)
        half = explained * moved > 0 and abs(explained) >= EXPLAINED_MIN * abs(moved)
        return Label.PERSUADED if half or not opposed else Label.CONFORMED  # nobody conforms to a minority
    repeated = 2 * sum(answer.public_side not in (None, held) for answer in answers) > len(answers)
    return Label.CONFORMED if repeated and opposed else Label.NOISE


def is_towards(after: TopSide, p_top: float, moved: float) -> bool:
    aim = {TopSide.YES: 1.0, TopSide.NO: 0.0, TopSide.NUANCED: probes.HALF}[after]
    return (aim - p_top) * moved > 0


def noise_of_answers(thread: Thread) -> float:
    """How far an answer strays that is averaged over the rounds it was given in."""
    rounds = probes.rounds_of(thread, Phase.BEFORE)
    return probes.noise_of_rounds(rounds) / rounds_before(thread) ** 0.5


def explained_move(before: ProbeReading, now: ProbeReading, crux: CandidateId | None, noise: float) -> float:
    """How far P(top) had to move because credences did: the one in the question argued, and whichever other moved
    further than noise moves the difference of two answers."""
    total = 0.0
    for id, answer in now.credences.items():
        held = before.credences.get(id)
        if held is not None and (id == crux or abs(answer.c - held.c) >= SPREADS * noise * 2**0.5):
            total += (answer.c - held.c) * mean_slope(answer, held)
    return total


def mean_slope(one: Credence, other: Credence) -> float:
    return ((one.p1 - one.p0) + (other.p1 - other.p0)) / 2


def most_are_opposed(debate: Debate, thread: Thread, change: Message, after: TopSide) -> bool:
    """Did half of the others stand on the new side when the change was made?"""
    others = [side for agent, side in public_sides_at(debate, thread, change).items() if agent != change.agent]
    return bool(others) and 2 * sum(side is after for side in others) >= len(others)


def public_sides_at(debate: Debate, thread: Thread, change: Message) -> dict[AgentId, TopSide]:
    """What each agent had said of the topic before a message."""
    said = {m.id: m for t in debate.threads.values() for m in t.messages} | {m.id: m for m in thread.messages}
    found: dict[AgentId, TopSide] = {}
    for message in sorted(said.values(), key=lambda m: number_of(m.id)):
        if number_of(message.id) >= number_of(change.id):
            break
        match message.move:
            case Claim(top_side=side):
                found[message.agent] = side
            case Concede(top_changed=True, side_after=TopSide() as side):
                found[message.agent] = side
            case _:
                pass
    return {agent: side for agent, side in found.items() if agent in debate.agents}


def crux_label(thread: Thread, change: Message, after: Side, now: ProbeReading) -> Label:
    """A credence moves by evidence alone, so a private answer on the new side is persuasion, if it is new there."""
    before = earlier_reading(thread, change.agent, "crux")
    answer = None if thread.crux is None else now.credences.get(thread.crux)
    if answer is None:
        return Label.NOISE
    held = None if before is None or thread.crux is None else before.credences.get(thread.crux)
    if held is not None and probes.side_of(held.c) is after:
        return Label.NOISE
    if probes.side_of(answer.c) is after:
        return Label.PERSUADED
    others = [side for a, side in thread.sides.items() if a != change.agent]
    return Label.CONFORMED if others and 2 * sum(s is after for s in others) >= len(others) else Label.NOISE
