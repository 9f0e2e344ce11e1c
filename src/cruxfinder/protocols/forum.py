"""The turn protocol's three modes: a debate with an arbitrator, a search for consensus, a led discussion."""

from dataclasses import replace
from typing import Final

from cruxfinder.debate.commands import NoteFailure, Speak
from cruxfinder.debate.speaking import talk_of
from cruxfinder.model.asks import AskConsent, Consent, Due, Failed, Spoken
from cruxfinder.model.events import (
    Seat,
)
from cruxfinder.model.record import Debate, name_of
from cruxfinder.model.talk import Talk
from cruxfinder.model.turn_events import (
    Dissent,
)
from cruxfinder.model.turns import Part, Turn, TurnDraft, TurnId, TurnType
from cruxfinder.model.words import AgentId, Ending, TopSide, Verdict
from cruxfinder.protocols import tasks
from cruxfinder.protocols.effects import Do, Inner, Pause, Script, Seen, Think
from cruxfinder.protocols.floor import (
    Floor,
    asks_user,
    chair_of,
    counts,
    limits,
    may_speak,
    present,
    seat_with,
    spoke,
    turns_of,
)
from cruxfinder.rules import acts, turn_order
from cruxfinder.rules.turns import WORDS_MAX, shortened, words

DEBATE_TASKS: Final = {
    TurnType.PROPOSITION: tasks.PROPOSE,
    TurnType.REBUTTAL: tasks.REBUT,
    TurnType.COUNTER: tasks.COUNTER,
    TurnType.REACTION: tasks.REMARK,
    TurnType.RULING: tasks.RULE,
}
PHASE_TASKS: Final = {
    TurnType.POSITION: tasks.STAND,
    TurnType.EXPLORATION: tasks.EXPLORE,
    TurnType.CONCESSION: tasks.CONCEDE,
}
TOGETHER: Final = frozenset({TurnType.POSITION, TurnType.CONCESSION})  # thought out unheard, so that nobody drifts
ROUNDS_MAX: Final = 4  # subjects of a discussion
SIDES: Final = {TopSide.YES: "for the claim", TopSide.NO: "against the claim", TopSide.NUANCED: "for neither side"}


# ---- debate


def debate(floor: Floor) -> Script:
    """Three rounds; the arbitrator speaks last in each, and rules in the third."""
    seen = yield Pause(0)
    for steps in turn_order.ROUNDS:
        left = list(steps)
        while left and (may_speak(seen) or left[0].type is TurnType.RULING):
            step = left[0]
            seat = seat_with(seen.debate, step.part)
            following = [Due(seat_with(seen.debate, s.part).id, s.type) for s in left[1:]]
            task, answers = DEBATE_TASKS[step.type], opposing(seen, seat)
            ask = floor.ask(seen, seat, step.type, task, answers=answers, following=following, owed=True)
            seen = yield from floor.take(seen, ask)
            if not asks_user(seen):  # a question to the user ends the round: it is taken up again with the answer
                left.pop(0)
            if step.type is not TurnType.RULING:  # which is the last word
                seen = yield from floor.interlude(seen)
    if not any(t.type is TurnType.RULING for t in turns_of(seen)):  # cut short, it is ruled on as it stands
        seat = seat_with(seen.debate, Part.ARBITRATOR)
        seen = yield from floor.take(seen, floor.ask(seen, seat, TurnType.RULING, tasks.RULE, owed=True))
    ruled = next((t for t in reversed(turns_of(seen)) if t.type is TurnType.RULING), None)
    if ruled is None:
        yield from floor.close(seen, Verdict.UNDECIDED, "nobody ruled on it", Ending.MESSAGES)
        return
    yield from floor.close(seen, Verdict.RULED, f"{SIDES[ruled.draft.side or TopSide.NUANCED]}: {ruled.content}")


def opposing(seen: Seen, seat: Seat) -> TurnId | None:
    """The last turn of the other side."""
    talk = talk_of(seen.debate)
    found = next((t for t in reversed(talk.said) if t.agent != seat.id), None)
    return None if found is None else found.id


# ---- consensus


def consensus(floor: Floor) -> Script:
    """Positions, explorations, concessions, then a merged position that is put to everybody in private."""
    seen = yield Pause(0)
    room = True
    for phase in turn_order.PHASES:
        room = may_speak(seen)
        seen = yield from all_speak(floor, seen, phase)
    seen = yield from merge(floor, seen)
    talk = talk_of(seen.debate)
    given = next((s for s in reversed(talk.syntheses) if s.closing), None)
    conceding = conceded(talk)
    if given is None:
        yield from floor.close(seen, Verdict.NO_CONSENSUS, "no merged position could be written", Ending.FAULTS)
    elif not conceding and not room:
        why = f"the turns ran out before anybody was asked to concede{named_dissent(seen.debate)}"
        yield from floor.close(seen, Verdict.NO_CONSENSUS, why, Ending.MESSAGES)
    elif not conceding:
        yield from floor.close(seen, Verdict.NO_CONSENSUS, f"nobody conceded anything{named_dissent(seen.debate)}")
    elif given.dissent:
        yield from floor.close(seen, Verdict.NO_CONSENSUS, f"not everybody accepts it{named_dissent(seen.debate)}")
    else:
        who = ", ".join(name_of(seen.debate, a) for a in conceding)
        yield from floor.close(seen, Verdict.CONSENSUS, f"all accept the merged position; {who} conceded something")


def all_speak(floor: Floor, seen: Seen, phase: TurnType) -> Inner:
    """Everybody in turn, whom the topic concerns most first."""
    subject = seen.debate.started.topic
    order = turn_order.by_relevance(present(seen.debate), subject, counts(talk_of(seen.debate)), floor.like)
    order = unless_last(order, turns_of(seen))
    if phase in TOGETHER:
        asks = [floor.ask(seen, s, phase, PHASE_TASKS[phase], owed=True) for s in order]
        return (yield from floor.take_all(seen, asks))
    left = list(order)
    while left and may_speak(seen):
        following = [Due(s.id, phase) for s in left[1:]]
        answers = opposing(seen, left[0])
        ask = floor.ask(seen, left[0], phase, PHASE_TASKS[phase], answers=answers, following=following, owed=True)
        seen = yield from floor.take(seen, ask)
        if not asks_user(seen):
            left.pop(0)
        seen = yield from floor.interlude(seen)
    return seen


def unless_last(order: tuple[Seat, ...], said: tuple[Turn, ...]) -> tuple[Seat, ...]:
    """Who spoke last does not begin the next phase."""
    if len(order) > 1 and said and said[-1].agent == order[0].id:
        return (order[1], order[0], *order[2:])
    return order


def merge(floor: Floor, seen: Seen) -> Inner:
    """The chair writes it, everybody says in private whether they can live with it, and it is said with the dissent."""
    chair = chair_of(seen.debate)
    ask = floor.ask(seen, chair, TurnType.SYNTHESIS, tasks.MERGE)
    seen = yield Think((ask,), 0)
    answer = seen.answers[0]
    if isinstance(answer, Failed):
        return (yield Do(NoteFailure(agent=chair.id, ask=ask.kind, reason=answer.reason)))
    if not isinstance(answer, Spoken):
        return seen
    draft = answer.turn
    asks = tuple(
        AskConsent(agent=s.id, heard=len(turns_of(seen)), proposal=draft.content, side=draft.side)
        for s in present(seen.debate)
    )
    seen = yield Think(asks, 0)
    given = list(zip(asks, seen.answers, strict=True))
    accepted = tuple(a.agent for a, said in given if isinstance(said, Consent) and said.agrees)
    dissent = tuple(
        Dissent(agent=a.agent, why=said.why.strip() if isinstance(said, Consent) else "gave no answer")
        for a, said in given
        if not (isinstance(said, Consent) and said.agrees)
    )
    for ask_, said in given:
        if isinstance(said, Failed):
            seen = yield Do(NoteFailure(agent=ask_.agent, ask=ask_.kind, reason=said.reason))
    told = with_dissent(seen.debate, draft, dissent)
    command = Speak(agent=chair.id, draft=told, dissent=dissent, accepted=accepted, closing=True)
    return (yield from floor.say(seen, ask, command))


def with_dissent(debate: Debate, draft: TurnDraft, dissent: tuple[Dissent, ...]) -> TurnDraft:
    """A synthesis names who still dissents, whether or not its writer did."""
    if not dissent:
        return draft
    note = f"Still dissenting: {', '.join(name_of(debate, d.agent) for d in dissent)}."
    room = WORDS_MAX[TurnType.SYNTHESIS] - words(note)
    return replace(draft, content=f"{shortened(draft.content, room)} {note}")


def conceded(talk: Talk) -> tuple[AgentId, ...]:
    return tuple(t.agent for t in talk.said if t.type is TurnType.CONCESSION and t.draft.concedes.strip())


def named_dissent(debate: Debate) -> str:
    talk = talk_of(debate)
    names = [name_of(debate, d.agent) for s in talk.syntheses[-1:] for d in s.dissent]
    return f"; still dissenting: {', '.join(names)}" if names else ""


# ---- discussion


def discussion(floor: Floor) -> Script:
    """The facilitator puts a question, the one it concerns most answers, the others react; then the next question."""
    seen = yield Pause(0)
    subjects = floor.agenda.subjects[:ROUNDS_MAX] or ("",) * ROUNDS_MAX
    for subject in subjects:
        least = len(present(seen.debate)) if turns_of(seen) else 1  # a first question is put, whoever can answer
        if acts.room(talk_of(seen.debate), limits(seen)) <= least or not may_speak(seen):
            break
        seen = yield from discuss(floor, seen, subject)
    seen = yield from floor.synthesise(seen, tasks.CLOSING, closing=True)
    told = talk_of(seen.debate).syntheses[-1:]
    why = f"next: {told[0].next_step}" if told else "nobody closed it"
    yield from floor.close(seen, Verdict.DISCUSSED, why)


def discuss(floor: Floor, seen: Seen, subject: str) -> Inner:
    chair = chair_of(seen.debate)
    seen = yield from floor.take(seen, floor.ask(seen, chair, TurnType.QUESTION, tasks.POSE, subject=subject))
    while asks_user(seen):  # that ended a round; the same question then goes to the table, with the answer
        seen = yield from floor.interlude(seen)
        seen = yield from floor.take(seen, floor.ask(seen, chair, TurnType.QUESTION, tasks.POSE, subject=subject))
    about = turns_of(seen)[-1].content if spoke(seen) else subject or seen.debate.started.topic
    seen = yield from floor.interlude(seen)
    order = turn_order.by_relevance(present(seen.debate), about, counts(talk_of(seen.debate)), floor.like)
    if not order or not may_speak(seen):
        return seen
    first, *others = unless_last(order, turns_of(seen))
    following = [Due(s.id, TurnType.REACTION) for s in others]
    ask = floor.ask(seen, first, TurnType.POSITION, tasks.STAND, subject=about, following=following)
    seen = yield from floor.take(seen, ask)
    answers = turns_of(seen)[-1].id if spoke(seen) else None
    ended = asks_user(seen)
    seen = yield from floor.interlude(seen)
    if ended:
        return seen
    asks = [floor.ask(seen, s, TurnType.REACTION, tasks.REACT, subject=about, answers=answers) for s in others]
    return (yield from floor.take_all(seen, asks, then_chair=True))
