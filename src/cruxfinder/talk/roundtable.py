"""The roundtable: a host calls on speakers, a Voice of Reason sums up, and going in circles leads somewhere else."""

from collections.abc import Generator
from dataclasses import replace
from typing import Final

from cruxfinder.kernel.effects import Do, Effect, Observation, PartOfScript, Pause, Script
from cruxfinder.kernel.pack import Anchor, Dilemma, Tension
from cruxfinder.kernel.run_facts import Seat, name_of
from cruxfinder.kernel.vocabulary import AgentId, RuleId
from cruxfinder.language import dyads
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.commands import Pivot
from cruxfinder.talk.decide import limits_of, talk_of
from cruxfinder.talk.floor import (
    Floor,
    chair_of,
    exhausted_pair,
    has_spoken,
    may_speak,
    turn_counts,
    turns_of,
)
from cruxfinder.talk.law import pivots, turn_order
from cruxfinder.talk.law.turn_order import present_speakers
from cruxfinder.talk.state import Conversation, Talk
from cruxfinder.talk.turns import PivotKind, TurnType

ADDRESSED: Final = 0.3  # what being spoken to adds to how much a turn concerns somebody

Target = Dilemma | Anchor | Tension


def roundtable(floor: Floor) -> Script[Conversation]:
    seen = yield Pause(0)
    subject = opening_subject(floor, seen)
    host = chair_of(seen.debate)
    if may_speak(seen):
        seen = yield from floor.take(seen, floor.ask(seen, host, TurnType.QUESTION, turn_tasks.OPEN, subject=subject))
        seen = yield from floor.interlude(seen)
    passed: frozenset[AgentId] = frozenset()  # who had nothing to say since the last turn
    while may_speak(seen):
        before = len(turns_of(seen))
        if (led := wanted_pivot(floor, seen)) is not None:
            seen, subject = yield from pivot_to(floor, seen, *led)
        elif (seat := next_speaker(floor, seen, passed)) is not None:
            seen = yield from call_on(floor, seen, seat, subject)
            passed |= {seat.id}
        else:
            seen = yield from floor.relieve(seen)
            if len(turns_of(seen)) == before:
                break
        seen = yield from floor.interlude(seen)
        if len(turns_of(seen)) > before:
            passed = frozenset()
    yield from floor.finish(seen)


def opening_subject(floor: Floor, seen: Observation[Conversation]) -> str:
    tension = pivots.current_tension(talk_of(seen.debate), floor.agenda.tensions)
    return seen.debate.started.topic if tension is None else pivots.tension_name(tension)


# ---- who is next


def next_speaker(floor: Floor, seen: Observation[Conversation], passed: frozenset[AgentId]) -> Seat | None:
    """Whom the last turn concerns most, of those who may speak and have not just passed."""
    talk, debate = talk_of(seen.debate), seen.debate
    here = present_speakers(debate)
    held = exhausted_pair(seen)
    last = talk.turns[-1].agent if talk.turns else None
    free = [s for s in here if s.id != last and s.id not in held | passed]
    said, taken = talk.speaker_turns, turn_counts(talk)
    about = said[-1].content if said else debate.started.topic

    def pull(seat: Seat) -> float:
        spoken_to = ADDRESSED if said and is_addressed(debate, talk, seat) else 0.0
        more = turn_order.FAIRNESS * taken.get(seat.id, 0)
        return round(turn_order.concern(seat, about, floor.like) + spoken_to - more, 3)

    return max(free, key=pull) if free else None


def is_addressed(debate: Conversation, talk: Talk, seat: Seat) -> bool:
    """Does the last turn name it, or answer it?"""
    last = talk.speaker_turns[-1]
    answered = next((t.agent for t in talk.turns if t.id == last.draft.reply_to), None)
    return answered == seat.id or name_of(debate, seat.id) in last.content


def call_on(floor: Floor, seen: Observation[Conversation], seat: Seat, subject: str) -> PartOfScript[Conversation]:
    """The floor for one speaker. Where two have had their rounds, it is a pivot to somebody new."""
    talk = talk_of(seen.debate)
    if exhausted_pair(seen):
        seen = yield Do(Pivot(cause=dyads.BUDGET, to=PivotKind.SPEAKER, text=name_of(seen.debate, seat.id)))
    spoken = any(t.agent == seat.id for t in talk.speaker_turns)
    answers = talk.speaker_turns[-1].id if talk.speaker_turns and talk.speaker_turns[-1].agent != seat.id else None
    type = TurnType.REBUTTAL if spoken and answers is not None else TurnType.PROPOSITION
    task = turn_tasks.GO_ON if spoken else turn_tasks.PROPOSE
    return (yield from floor.take(seen, floor.ask(seen, seat, type, task, subject=subject, answers=answers)))


# ---- where it is led


def wanted_pivot(floor: Floor, seen: Observation[Conversation]) -> tuple[RuleId, Target] | None:
    """The conversation circles, or the act lacks substance: what to turn to, if there is anything left.

    A host that has just spoken lets somebody else speak first.
    """
    talk = talk_of(seen.debate)
    if talk.turns and talk.turns[-1].agent == chair_of(seen.debate).id:
        return None
    tension = pivots.current_tension(talk, floor.agenda.tensions)
    if pivots.is_circling(talk, tension, limits_of(seen.debate)) and (found := choices(floor, seen, tension)):
        return pivots.CIRCLING, found[0]
    if pivots.substance_due(talk, limits_of(seen.debate)):
        found = [t for t in choices(floor, seen, tension) if not isinstance(t, Tension)]
        if found:
            return pivots.SUBSTANCE, found[0]
    return None


def choices(floor: Floor, seen: Observation[Conversation], tension: Tension | None) -> list[Target]:
    """What may be turned to: one of each kind, the kind used least so far first."""
    talk, agenda = talk_of(seen.debate), floor.agenda
    found: list[Target] = []
    if limits_of(seen.debate).inject_dilemma:
        found += pivots.unused_dilemmas(talk, agenda.dilemmas)[:1]
    if limits_of(seen.debate).inject_retrieved_anchor:
        found += retrieve_anchor(floor, seen)
    found += pivots.other_tensions(talk, agenda.tensions, tension)[:1]
    return sorted(found, key=lambda t: sum(p.to is kind_of(t) for p in talk.pivots))


def retrieve_anchor(floor: Floor, seen: Observation[Conversation]) -> list[Anchor]:
    """The passage nearest to what is being talked about."""
    talk = talk_of(seen.debate)
    unused = pivots.unused_anchors(talk, floor.agenda.anchors)
    if not unused:
        return []
    about = " ".join((seen.debate.started.topic, *(t.content for t in talk.speaker_turns[-2:])))
    near = floor.like.likenesses(about, tuple(a.text for a in unused))
    return [max(zip(near, unused, strict=True), key=lambda pair: pair[0])[1]]


def kind_of(target: Target) -> PivotKind:
    match target:
        case Dilemma():
            return PivotKind.DILEMMA
        case Anchor():
            return PivotKind.ANCHOR
        case Tension():
            return PivotKind.TENSION


def speaking_order(seen: Observation[Conversation]) -> list[Seat]:
    """Everybody once, who has spoken least first; nobody who has just spoken begins."""
    taken = turn_counts(talk_of(seen.debate))
    order = sorted(present_speakers(seen.debate), key=lambda s: taken.get(s.id, 0))
    last = turns_of(seen)[-1].agent if turns_of(seen) else None
    return [*(s for s in order if s.id != last), *(s for s in order if s.id == last)]


def pivot_to(
    floor: Floor, seen: Observation[Conversation], cause: RuleId, target: Target
) -> Generator[Effect[Conversation], Observation[Conversation], tuple[Observation[Conversation], str]]:
    """The host puts it before the table; on a case or a passage everybody says one sentence."""
    text = pivots.tension_name(target) if isinstance(target, Tension) else target.text
    source = target.source if isinstance(target, Anchor) else ""
    kind = kind_of(target)
    seen = yield from floor.before_question(seen)
    seen = yield Do(Pivot(cause=cause, to=kind, text=text, source=source))
    host = chair_of(seen.debate)
    task = turn_tasks.PIVOT if kind is PivotKind.TENSION else turn_tasks.PRESENT
    seen = yield from floor.take(seen, floor.ask(seen, host, TurnType.QUESTION, task, subject=text))
    told = turns_of(seen)[-1].id if has_spoken(seen) else None
    seen = yield from floor.interlude(seen)
    if kind is PivotKind.TENSION:
        return seen, text
    task = turn_tasks.CASE if kind is PivotKind.DILEMMA else turn_tasks.PASSAGE
    asks = [
        replace(floor.ask(seen, s, TurnType.REACTION, task, subject=text, answers=told), sentences=1)
        for s in speaking_order(seen)
    ]
    seen = yield from floor.take_all(seen, asks)
    return seen, text
