"""The turn protocol's three modes: a debate with an arbitrator, a search for consensus, a led discussion."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cruxfinder.kernel.effects import Do, Observation, PartOfScript, Pause, Script, Think
from cruxfinder.kernel.run_facts import Failed, NoteFailure, Seat, name_of
from cruxfinder.kernel.vocabulary import Ending, Role, TopSide, Verdict
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.asks import AskConsent, AskTurn, Consent, DueTurn
from cruxfinder.talk.commands import Speak
from cruxfinder.talk.decide import limits_of, talk_of
from cruxfinder.talk.events import (
    Dissent,
)
from cruxfinder.talk.floor import (
    Floor,
    asks_user,
    chair_of,
    has_spoken,
    may_speak,
    seat_in_role,
    turn_counts,
    turns_of,
    why_over,
)
from cruxfinder.talk.law import acts, turn_order
from cruxfinder.talk.law.turn_form import WORDS_MAX, count_words
from cruxfinder.talk.law.turn_order import Step, present_speakers
from cruxfinder.talk.state import Conversation, concession_turns, last_turn_of
from cruxfinder.talk.turns import Turn, TurnId, TurnType

DEBATE_TASKS: Final = {
    TurnType.PROPOSITION: turn_tasks.PROPOSE,
    TurnType.REBUTTAL: turn_tasks.REBUT,
    TurnType.COUNTER: turn_tasks.COUNTER,
    TurnType.REACTION: turn_tasks.REMARK,
}
PHASE_TASKS: Final = {
    TurnType.POSITION: turn_tasks.STAND,
    TurnType.EXPLORATION: turn_tasks.EXPLORE,
    TurnType.CONCESSION: turn_tasks.CONCEDE,
}
TOGETHER: Final = frozenset({TurnType.POSITION, TurnType.CONCESSION})  # thought out unheard, so that nobody drifts
CUT_SHORT: Final = {
    Ending.FAULTS: "too few were left to speak",
    Ending.TIME: "the time ran out",
    Ending.MESSAGES: "the turns ran out",
}
SIDES: Final = {TopSide.YES: "for the claim", TopSide.NO: "against the claim", TopSide.NUANCED: "for neither side"}


# ---- debate


def debate(floor: Floor) -> Script[Conversation]:
    """Three rounds; the arbitrator speaks last in each, and rules in the third."""
    seen = yield Pause(0)
    for steps in turn_order.ROUNDS:
        left = list(steps)
        while left and may_speak(seen) and left[0].type is not TurnType.RULING:
            step = left[0]
            ask = ask_for_step(floor, seen, step, left[1:])
            seen = yield from floor.take(seen, ask)
            if not asks_user(seen):  # a question to the user ends the round: it is taken up again with the answer
                left.pop(0)
            chair_next = bool(left) and left[0].role is Role.ARBITRATOR
            seen = yield from floor.interlude(seen, chair_next=chair_next)
    if unheard := silent_sides(seen.debate):
        why = f"{' and '.join(unheard)} never spoke, so there is nothing to rule on"
        yield from floor.close(seen, Verdict.UNDECIDED, why, Ending.FAULTS)
        return
    seat = seat_in_role(seen.debate, Role.ARBITRATOR)  # cut short, it is ruled on as it stands
    seen = yield from floor.take(seen, floor.ask(seen, seat, TurnType.RULING, turn_tasks.RULE))
    ruled = next((t for t in reversed(turns_of(seen)) if t.type is TurnType.RULING), None)
    if ruled is None:
        yield from floor.close(seen, Verdict.UNDECIDED, "nobody ruled on it", Ending.FAULTS)
        return
    side = f"{SIDES[ruled.draft.side]}: " if ruled.draft.side is not None else ""
    yield from floor.close(seen, Verdict.RULED, f"{side}{ruled.content}")


def ask_for_step(floor: Floor, seen: Observation[Conversation], step: Step, after: Sequence[Step]) -> AskTurn:
    """What a step of a round asks for; the arbitrator answers nobody."""
    seat = seat_in_role(seen.debate, step.role)
    following = [DueTurn(seat_in_role(seen.debate, s.role).id, s.type) for s in after]
    answers = None if step.role is Role.ARBITRATOR else last_opposing_turn(seen, seat)
    return floor.ask(seen, seat, step.type, DEBATE_TASKS[step.type], answers=answers, following=following, owed=True)


def silent_sides(debate: Conversation) -> list[str]:
    sides = (seat_in_role(debate, part) for part in (Role.PROPONENT, Role.OPPONENT))
    return [seat.name for seat in sides if last_turn_of(talk_of(debate), seat.id) is None]


def last_opposing_turn(seen: Observation[Conversation], seat: Seat) -> TurnId | None:
    """The last turn of the other side."""
    talk = talk_of(seen.debate)
    found = next((t for t in reversed(talk.speaker_turns) if t.agent != seat.id), None)
    return None if found is None else found.id


# ---- consensus


def consensus(floor: Floor) -> Script[Conversation]:
    """Positions, explorations, concessions, then a merged position that is put to everybody in private."""
    seen = yield Pause(0)
    for phase in turn_order.PHASES:
        seen = yield from floor.relieve(seen)
        seen = yield from all_speak(floor, seen, phase)
    over = None if may_speak(seen) else why_over(seen) or Ending.MESSAGES
    seen = yield from merge(floor, seen)
    talk, dissent = talk_of(seen.debate), named_dissent(seen.debate)
    given = next((s for s in reversed(talk.syntheses) if s.closing), None)
    conceded = concession_turns(talk)
    asked = any(t.type is TurnType.CONCESSION for t in talk.speaker_turns)
    if given is None:
        yield from floor.close(seen, Verdict.NO_CONSENSUS, "no merged position could be written", Ending.FAULTS)
    elif over is not None and not asked:
        yield from floor.close(
            seen, Verdict.NO_CONSENSUS, f"{CUT_SHORT[over]} before anybody was asked to concede{dissent}", over
        )
    elif not conceded:
        yield from floor.close(seen, Verdict.NO_CONSENSUS, f"nobody conceded anything{dissent}")
    elif given.dissent:
        yield from floor.close(seen, Verdict.NO_CONSENSUS, f"not everybody accepts it{dissent}")
    else:
        who = ", ".join(name_of(seen.debate, turn.agent) for turn in conceded)
        yield from floor.close(seen, Verdict.CONSENSUS, f"all accept the merged position; {who} conceded something")


def all_speak(floor: Floor, seen: Observation[Conversation], phase: TurnType) -> PartOfScript[Conversation]:
    """Everybody in turn, whom the topic concerns most first."""
    subject = seen.debate.started.topic
    order = turn_order.sort_by_relevance(
        present_speakers(seen.debate), subject, turn_counts(talk_of(seen.debate)), floor.like
    )
    order = defer_last_speaker(order, turns_of(seen))
    if phase in TOGETHER:
        asks = [floor.ask(seen, s, phase, PHASE_TASKS[phase], owed=True) for s in order]
        return (yield from floor.take_all(seen, asks))
    left = list(order)
    while left and may_speak(seen):
        following = [DueTurn(s.id, phase) for s in left[1:]]
        answers = last_opposing_turn(seen, left[0])
        ask = floor.ask(seen, left[0], phase, PHASE_TASKS[phase], answers=answers, following=following, owed=True)
        seen = yield from floor.take(seen, ask)
        if not asks_user(seen):
            left.pop(0)
        seen = yield from floor.interlude(seen)
    return seen


def defer_last_speaker(order: tuple[Seat, ...], said: tuple[Turn, ...]) -> tuple[Seat, ...]:
    """Who spoke last does not begin the next phase."""
    if len(order) > 1 and said and said[-1].agent == order[0].id:
        return (order[1], order[0], *order[2:])
    return order


def merge(floor: Floor, seen: Observation[Conversation]) -> PartOfScript[Conversation]:
    """The chair writes it, everybody says in private whether they can live with it, and it is said with the dissent."""
    chair, here = chair_of(seen.debate), present_speakers(seen.debate)
    room = WORDS_MAX[TurnType.SYNTHESIS] - count_words(dissent_note([s.name for s in here]))
    ask = replace(floor.ask(seen, chair, TurnType.SYNTHESIS, turn_tasks.MERGE), words=room)
    seen, draft = yield from floor.write_draft(seen, ask)
    if draft is None:
        return seen
    seen, draft = yield from floor.fit(seen, draft, room)  # what is said is what was put to everybody
    asks = tuple(
        AskConsent(agent=s.id, heard=len(turns_of(seen)), proposal=draft.content, side=draft.side) for s in here
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
    if dissent:  # a synthesis names who still dissents, whether or not its writer did
        note = dissent_note([name_of(seen.debate, d.agent) for d in dissent])
        draft = replace(draft, content=f"{draft.content} {note}")
    command = Speak(agent=chair.id, draft=draft, dissent=dissent, accepted=accepted, closing=True)
    return (yield from floor.say(seen, ask, command))


def dissent_note(names: Sequence[str]) -> str:
    return f"Still dissenting: {', '.join(names)}."


def named_dissent(debate: Conversation) -> str:
    talk = talk_of(debate)
    names = [name_of(debate, d.agent) for s in talk.syntheses[-1:] for d in s.dissent]
    return f"; still dissenting: {', '.join(names)}" if names else ""


# ---- discussion


def discussion(floor: Floor) -> Script[Conversation]:
    """The facilitator puts a question, the one it concerns most answers, the others react; then the next question."""
    seen = yield Pause(0)
    subjects = floor.agenda.subjects[: turn_order.SUBJECTS_MAX] or ("",) * turn_order.SUBJECTS_MAX
    for subject in subjects:
        least = (
            len(present_speakers(seen.debate)) if turns_of(seen) else 1
        )  # a first question is put, whoever can answer
        if acts.turns_left(talk_of(seen.debate), limits_of(seen.debate)) <= least or not may_speak(seen):
            break
        seen = yield from floor.relieve(seen)
        seen = yield from discuss(floor, seen, subject)
    yield from floor.finish(seen)


def discuss(floor: Floor, seen: Observation[Conversation], subject: str) -> PartOfScript[Conversation]:
    chair = chair_of(seen.debate)
    seen = yield from floor.before_question(seen)
    seen = yield from floor.take(seen, floor.ask(seen, chair, TurnType.QUESTION, turn_tasks.POSE, subject=subject))
    while asks_user(seen):  # that ended a round; the same question then goes to the table, with the answer
        seen = yield from floor.interlude(seen)
        seen = yield from floor.take(seen, floor.ask(seen, chair, TurnType.QUESTION, turn_tasks.POSE, subject=subject))
    about = turns_of(seen)[-1].content if has_spoken(seen) else subject or seen.debate.started.topic
    seen = yield from floor.interlude(seen)
    order = turn_order.sort_by_relevance(
        present_speakers(seen.debate), about, turn_counts(talk_of(seen.debate)), floor.like
    )
    if not order or not may_speak(seen):
        return seen
    first, *others = defer_last_speaker(order, turns_of(seen))
    following = [DueTurn(s.id, TurnType.REACTION) for s in others]
    ask = floor.ask(seen, first, TurnType.POSITION, turn_tasks.STAND, subject=about, following=following)
    seen = yield from floor.take(seen, ask)
    answers = turns_of(seen)[-1].id if has_spoken(seen) else None
    ended = asks_user(seen)
    seen = yield from floor.interlude(seen)
    if ended:
        return seen
    asks = [floor.ask(seen, s, TurnType.REACTION, turn_tasks.REACT, subject=about, answers=answers) for s in others]
    return (yield from floor.take_all(seen, asks, then_chair=True))
