"""A wish becomes facts of a conversation: `decide` judges a command, a draft above all, and says what follows."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, assert_never

from cruxfinder.kernel.protocol import Decision
from cruxfinder.kernel.recorder import DecisionRecorder
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import (
    DebateComplete,
    Fork,
    NoteFailure,
    Seat,
    Start,
    Stop,
    failure_event,
    fork_event,
)
from cruxfinder.kernel.vocabulary import AgentId, Ending, Verdict
from cruxfinder.language import plain_speech, redundancy
from cruxfinder.language.reading import NO_ADDITIONS, Additions, DraftReading, measure_nearest
from cruxfinder.talk.commands import Close, HearUser, Pivot, Speak, TalkCommand
from cruxfinder.talk.events import (
    PivotForced,
    SynthesisGiven,
    TalkEvent,
    TurnRefused,
    TurnSpoken,
    UserAnswered,
    UserQuestion,
)
from cruxfinder.talk.evolve import evolve, start
from cruxfinder.talk.law import acts, markers, novelty, turn_form, turn_order, volleys
from cruxfinder.talk.state import Conversation, Talk
from cruxfinder.talk.turns import CHAIRS, TurnDraft, TurnId, TurnType

ANSWER_MAX: Final = 600
Recorder = DecisionRecorder[Conversation, TalkEvent]
ATTEMPTS_MAX: Final = 3  # a draft and two revisions; then the best of them is taken


def decide(state: Conversation | None, command: TalkCommand, now_ms: int) -> Decision[Conversation, TalkEvent]:
    """The events a command brings about, and the conversation after them. One that is over decides nothing more."""
    if state is None:
        assert isinstance(command, Start), "a conversation begins with Start"
        return Decision(events=(command.started,), debate=start(command.started))
    if state.complete is not None:
        return Decision(events=(), debate=state)
    recorder = DecisionRecorder(state, now_ms, evolve)
    match command:
        case Start():
            raise AssertionError("this conversation has begun already")
        case Speak():
            speak(recorder, command)
        case Pivot():
            pivot(recorder, command)
        case HearUser():
            hear_user(recorder, command)
        case NoteFailure():
            recorder.write(failure_event(command, now_ms))
        case Fork():
            recorder.write(fork_event(command, now_ms))
        case Stop():
            close(recorder, command.ending, Verdict.UNDECIDED, "it ended before it came to anything")
        case Close():
            close(recorder, command.ending, command.verdict, command.why)
        case _:
            assert_never(command)
    return Decision(events=recorder.events, debate=recorder.debate)


def close(recorder: Recorder, reason: Ending, verdict: Verdict, why: str) -> None:
    recorder.write(DebateComplete(at_ms=recorder.now_ms, ending=reason, verdict=verdict, why=why))


def limits_of(debate: Conversation) -> Redundancy:
    return debate.settings.redundancy or Redundancy()


def seat_of(debate: Conversation, agent: AgentId) -> Seat:
    return next(seat for seat in debate.seats if seat.id == agent)


def speak(recorder: Recorder, command: Speak) -> None:
    """Publish it, send it back, or take it with what still stands against it, where no draft will follow."""
    debate, talk = recorder.debate, talk_of(recorder.debate)
    seat = seat_of(debate, command.agent)
    draft, reading = without_markers(command.draft), command.reading
    adds = turn_additions(debate, seat, reading)
    hard = in_force(debate, final_refusals(debate, talk, seat, draft))
    soft = in_force(debate, wording_refusals(debate, talk, seat, command.sentences, draft, reading))
    if hard or (soft and not command.last):
        outcome = "dropped" if command.last else "revise" if command.attempt < ATTEMPTS_MAX else "weighed"
        recorder.write(
            TurnRefused(at_ms=recorder.now_ms, agent=seat.id, type=draft.type, refusals=hard + soft, outcome=outcome)
        )
        return
    if command.trial:
        return
    too_long = tuple(r for r in soft if r.rule == turn_form.LENGTH)
    if too_long and command.shortened is not None:  # what is left of it may add less
        draft = replace(draft, content=reading.shortened)
        left = replace(command.shortened, near=reading.near, drawn=reading.drawn, retold=reading.retold)
        adds = turn_additions(debate, seat, left)
        others = in_force(debate, wording_refusals(debate, talk, seat, command.sentences, draft, left))
        soft = (*too_long, *(r for r in others if r.rule != turn_form.LENGTH))
    id = TurnId(f"n{len(talk.turns) + 1}")
    recorder.write(
        TurnSpoken(
            at_ms=recorder.now_ms,
            id=id,
            agent=seat.id,
            role=seat.role,
            turn=draft,
            entailments=adds.entailments,
            claims=adds.claims,
            links=adds.links,
            similarity=round(measure_nearest(reading), 3),
            flags=soft,
            off_topic=seat.role not in CHAIRS and reading.off_topic,
        )
    )
    derive(recorder, command, draft, id)


def in_force(debate: Conversation, refusals: Iterable[Refusal]) -> tuple[Refusal, ...]:
    return tuple(r for r in refusals if r.rule not in debate.settings.off)


def without_markers(draft: TurnDraft) -> TurnDraft:
    """Nothing of it looks like the beginning or end of a turn."""
    held = draft.content, draft.concedes, draft.next_step
    content, concedes, step = plain = (*map(markers.strip_markers, held),)
    return draft if plain == held else replace(draft, content=content, concedes=concedes, next_step=step)


def turn_additions(debate: Conversation, seat: Seat, reading: DraftReading) -> Additions:
    """What a turn adds; whoever leads is not there to add."""
    return NO_ADDITIONS if seat.role in CHAIRS else redundancy.counted_additions(reading.adds, limits_of(debate))


def derive(recorder: Recorder, command: Speak, draft: TurnDraft, id: TurnId) -> None:
    if draft.type is TurnType.SYNTHESIS:
        recorder.write(
            SynthesisGiven(
                at_ms=recorder.now_ms,
                turn=id,
                act=acts.act_of(len(talk_of(recorder.debate).turns), limits_of(recorder.debate)),
                next_step=draft.next_step.strip(),
                closing=command.closing,
                accepted=command.accepted,
                dissent=command.dissent,
            )
        )
    if draft.type is TurnType.QUESTION and draft.to_user:
        recorder.write(UserQuestion(at_ms=recorder.now_ms, turn=id, agent=command.agent, question=draft.content))


def is_barred(debate: Conversation, agent: AgentId, type: TurnType) -> bool:
    """Would any turn of this type be refused now, whatever it says?"""
    talk, seat, draft = talk_of(debate), seat_of(debate, agent), TurnDraft(type=type, content="")
    return any(r.rule not in debate.settings.off for r in placement_refusals(debate, talk, seat, draft))


def final_refusals(debate: Conversation, talk: Talk, seat: Seat, draft: TurnDraft) -> Iterator[Refusal]:
    """What is not revised but refused: a turn that says nothing, or that is not due."""
    yield from turn_form.check_not_empty(draft)
    yield from placement_refusals(debate, talk, seat, draft)


def placement_refusals(debate: Conversation, talk: Talk, seat: Seat, draft: TurnDraft) -> Iterator[Refusal]:
    """What no wording mends: whose turn it is, and whether there is one."""
    limits = limits_of(debate)
    yield from turn_form.check_speaker(talk, seat.id, seat.role, draft)
    yield from acts.check_cap(talk, draft, limits)
    if seat.role not in CHAIRS:
        yield from volleys.check(talk, seat.id, len(turn_order.present_speakers(debate)), limits)


def wording_refusals(
    debate: Conversation, talk: Talk, seat: Seat, sentences_max: int, draft: TurnDraft, reading: DraftReading
) -> Iterator[Refusal]:
    """What another wording would mend."""
    yield from turn_form.check_length(draft, reading, sentences_max)
    yield from turn_form.check_self_contained(reading)
    yield from plain_speech.check(reading)
    if seat.role in CHAIRS:
        yield from acts.check_synthesis(draft)
        yield from turn_form.check_ruling(draft)
        return
    yield from turn_form.check_reference(debate, talk, seat.id, draft, reading)
    if draft.type is not TurnType.QUESTION:
        adds = turn_additions(debate, seat, reading)
        yield from redundancy.check(reading, adds, novelty.texts_said(talk), limits_of(debate))


def talk_of(debate: Conversation) -> Talk:
    return debate.talk


def pivot(recorder: Recorder, command: Pivot) -> None:
    recorder.write(
        PivotForced(
            at_ms=recorder.now_ms,
            cause=command.cause,
            to=command.to,
            text=command.text,
            source=command.source,
            number=len(talk_of(recorder.debate).turns),
        )
    )


def hear_user(recorder: Recorder, command: HearUser) -> None:
    told = " ".join(markers.strip_markers(command.text).split())[:ANSWER_MAX]
    recorder.write(UserAnswered(at_ms=recorder.now_ms, turn=command.turn, answer=told))
