"""A draft of a turn becomes a turn: every rule that stands against it, and what follows once it is said."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from cruxfinder.crux.commands import HearUser, Pivot, Speak
from cruxfinder.crux.events import (
    Seat,
)
from cruxfinder.crux.recorder import DecisionRecorder
from cruxfinder.crux.state import Debate
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.language import plain_speech, redundancy
from cruxfinder.language.redundancy import Contribution
from cruxfinder.talk.events import (
    PivotForced,
    SynthesisGiven,
    TurnRefused,
    TurnSpoken,
    UserAnswered,
    UserQuestion,
)
from cruxfinder.talk.law import acts, dyads, markers, turn_form, turn_order
from cruxfinder.talk.state import Talk
from cruxfinder.talk.turns import CHAIRS, TurnDraft, TurnId, TurnType

NOTHING_NEW: Final = Contribution((), 0, 0)
ANSWER_MAX: Final = 600
ATTEMPTS_MAX: Final = 3  # a draft and two revisions; then the best of them is taken


def limits_of(debate: Debate) -> Redundancy:
    return debate.settings.redundancy or Redundancy()


def seat_of(debate: Debate, agent: AgentId) -> Seat:
    return next(seat for seat in debate.seats if seat.id == agent)


def speak(pen: DecisionRecorder, command: Speak) -> None:
    """Publish it, send it back, or take it with what still stands against it, where no draft will follow."""
    debate, talk = pen.debate, talk_of(pen.debate)
    seat = seat_of(debate, command.agent)
    draft = without_markers(command.draft)
    found = turn_additions(debate, talk, seat, draft, command.measured.vector)
    hard = in_force(debate, final_refusals(debate, talk, seat, draft))
    soft = in_force(debate, wording_refusals(debate, talk, seat, command, draft, found))
    if hard or (soft and not command.last):
        outcome = "dropped" if command.last else "revise" if command.attempt < ATTEMPTS_MAX else "weighed"
        pen.write(TurnRefused(at_ms=pen.now_ms, agent=seat.id, type=draft.type, refusals=hard + soft, outcome=outcome))
        return
    if command.trial:
        return
    if too_long := tuple(r for r in soft if r.rule == turn_form.LENGTH):  # what is left of it may add less
        draft = replace(
            draft, content=turn_form.shorten(draft.content, turn_form.WORDS_MAX[draft.type], command.sentences)
        )
        found = turn_additions(debate, talk, seat, draft, None)
        left = in_force(debate, wording_refusals(debate, talk, seat, command, draft, found))
        soft = (*too_long, *(r for r in left if r.rule != turn_form.LENGTH))
    id = TurnId(f"n{len(talk.turns) + 1}")
    pen.write(
        TurnSpoken(
            at_ms=pen.now_ms,
            id=id,
            agent=seat.id,
            part=seat.part,
            turn=draft,
            entailments=found.entailments,
            claims=found.claims,
            links=found.links,
            similarity=round(max((n.whole for n in command.measured.near), default=0.0), 3),
            flags=soft,
            off_topic=seat.part not in CHAIRS and command.on_topic <= 0,
        )
    )
    derive(pen, command, draft, id)


def in_force(debate: Debate, refusals: Iterable[Refusal]) -> tuple[Refusal, ...]:
    return tuple(r for r in refusals if r.rule not in debate.settings.off)


def without_markers(draft: TurnDraft) -> TurnDraft:
    """Nothing of it looks like the beginning or end of a turn."""
    held = draft.content, draft.concedes, draft.next_step
    content, concedes, step = plain = (*map(markers.strip_markers, held),)
    return draft if plain == held else replace(draft, content=content, concedes=concedes, next_step=step)


def turn_additions(debate: Debate, talk: Talk, seat: Seat, draft: TurnDraft, vector: int | None) -> Contribution:
    """What a turn adds; whoever leads is not there to add."""
    return (
        NOTHING_NEW
        if seat.part in CHAIRS
        else redundancy.contribution_to_talk(talk, draft.content, vector, limits_of(debate))
    )


def derive(pen: DecisionRecorder, command: Speak, draft: TurnDraft, id: TurnId) -> None:
    if draft.type is TurnType.SYNTHESIS:
        pen.write(
            SynthesisGiven(
                at_ms=pen.now_ms,
                turn=id,
                act=acts.act_of(len(talk_of(pen.debate).turns), limits_of(pen.debate)),
                next_step=draft.next_step.strip(),
                closing=command.closing,
                accepted=command.accepted,
                dissent=command.dissent,
            )
        )
    if draft.type is TurnType.QUESTION and draft.to_user:
        pen.write(UserQuestion(at_ms=pen.now_ms, turn=id, agent=command.agent, question=draft.content))


def is_barred(debate: Debate, agent: AgentId, type: TurnType) -> bool:
    """Would any turn of this type be refused now, whatever it says?"""
    talk, seat, draft = talk_of(debate), seat_of(debate, agent), TurnDraft(type=type, content="")
    return any(r.rule not in debate.settings.off for r in placement_refusals(debate, talk, seat, draft))


def final_refusals(debate: Debate, talk: Talk, seat: Seat, draft: TurnDraft) -> Iterator[Refusal]:
    """What is not revised but refused: a turn that says nothing, or that is not due."""
    yield from turn_form.check_not_empty(draft)
    yield from placement_refusals(debate, talk, seat, draft)


def placement_refusals(debate: Debate, talk: Talk, seat: Seat, draft: TurnDraft) -> Iterator[Refusal]:
    """What no wording mends: whose turn it is, and whether there is one."""
    limits = limits_of(debate)
    yield from turn_form.check_speaker(talk, seat.id, seat.part, draft)
    yield from acts.check_cap(talk, draft, limits)
    if seat.part not in CHAIRS:
        yield from dyads.check(talk, seat.id, len(turn_order.present_speakers(debate)), limits)


def wording_refusals(
    debate: Debate, talk: Talk, seat: Seat, command: Speak, draft: TurnDraft, found: Contribution
) -> Iterator[Refusal]:
    """What another wording would mend."""
    yield from turn_form.check_length(draft, command.sentences)
    yield from turn_form.check_self_contained(draft)
    yield from plain_speech.faults(draft.content)
    if seat.part in CHAIRS:
        yield from acts.check_synthesis(draft)
        yield from turn_form.check_ruling(draft)
        return
    yield from turn_form.check_reference(debate, talk, seat.id, draft)
    if draft.type is not TurnType.QUESTION:
        yield from redundancy.check(draft.content, found, command.measured, limits_of(debate))


def talk_of(debate: Debate) -> Talk:
    assert debate.talk is not None, "turns are taken in conversations only"
    return debate.talk


def pivot(pen: DecisionRecorder, command: Pivot) -> None:
    pen.write(
        PivotForced(
            at_ms=pen.now_ms,
            cause=command.cause,
            to=command.to,
            text=command.text,
            source=command.source,
            number=len(talk_of(pen.debate).turns),
        )
    )


def hear_user(pen: DecisionRecorder, command: HearUser) -> None:
    told = " ".join(markers.strip_markers(command.text).split())[:ANSWER_MAX]
    pen.write(UserAnswered(at_ms=pen.now_ms, turn=command.turn, answer=told))
