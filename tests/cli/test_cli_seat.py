"""A seat at the table, taken from a terminal: lines that are typed become answers the engine can use."""

import asyncio
import os
import pty
import sys
from collections.abc import Callable, Generator
from dataclasses import replace

import pytest

import cruxfinder as cf
from cruxfinder.cli.seat import ask_person
from cruxfinder.crux.asks import (
    AskDraft,
    AskFirst,
    AskGrade,
    AskJudge,
    AskProbe,
    AskRelate,
    Drafted,
    Duty,
    First,
    Graded,
    Judged,
    Probed,
    Question,
    Related,
)
from cruxfinder.crux.moves import Claim, Concede, DeclareFalsifier, ProvideEvidence, Steelman, UpdatePosition
from cruxfinder.crux.thread import Thread
from cruxfinder.debaters.people.seat_form import form_for
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.vocabulary import (
    AgentId,
    CandidateId,
    Grade,
    Horizon,
    MoveKind,
    Phase,
    Role,
    RuleId,
    Side,
    ThreadId,
    TopSide,
)
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, debate_in
from cruxfinder.protocols.registry import fold
from cruxfinder.talk.asks import AskConsent, AskTurn, Consent, Spoken
from cruxfinder.talk.turns import TurnType

RECORD = debate_in(fold(cf.debate("monolith", seed=3).events))
ME, OTHER = RECORD.seats[0].id, RECORD.seats[1].id
HEARD = next(m.id for m in reversed(RECORD.threads[ThreadId("t1")].messages) if m.agent != ME)
QUESTIONS = tuple(
    Question(id=CandidateId(f"c{n}"), question=f"Is it {n}?", yes_means="it is", no_means="it is not") for n in (1, 2)
)
Type = Callable[..., None]


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch) -> Generator[Type]:
    """Types lines ahead, into a terminal of its own."""
    hand, keyboard = pty.openpty()
    with os.fdopen(keyboard, "r", closefd=True) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)

        def type_ahead(*lines: str) -> None:
            os.write(hand, "".join(f"{line}\n" for line in lines).encode())

        yield type_ahead
    os.close(hand)


def asked(ask: AnyAsk) -> AnyAnswer:
    return asyncio.run(asyncio.wait_for(ask_person(ask, RECORD), 10))


def draft(*allowed: MoveKind, duty: Duty | None = None, refused: tuple[Refusal, ...] = ()) -> AskDraft:
    return AskDraft(agent=ME, number=1, thread=ThreadId("t1"), allowed=allowed, heard=0, duty=duty, refused=refused)


TEST_OF = next((a, found[0].number) for a, found in RECORD.threads[ThreadId("t1")].falsifiers.items() if found)
FINDING = next(m.id for m in RECORD.threads[ThreadId("t1")].messages if isinstance(m.move, ProvideEvidence))
FALSIFIER = ("lead time", "below a day", "2027", "it measures the wait")
LINES: dict[MoveKind, tuple[str, ...]] = {
    MoveKind.CLAIM: ("It is slow", "we wait", "80", "YES", "5y"),
    MoveKind.CHALLENGE: (HEARD, "that it is fast", "we wait"),
    MoveKind.CLARIFY: (HEARD, "I ask"),
    MoveKind.REFRAME: ("Is it the code?", "the rest follows"),
    MoveKind.PROPOSE_CRUX: ("Is it the code?", "then it is", "then it is not"),
    MoveKind.COMMIT_POSITION: ("YES", "It is slow", "we wait", "70 %", "5y", "yes", *FALSIFIER),
    MoveKind.DECLARE_FALSIFIER: FALSIFIER,
    MoveKind.STEELMAN: (OTHER, "It is fast", "nobody waits", ""),
    MoveKind.GRADE_STEELMAN: ("1", "inc", "the point"),
    MoveKind.PROVIDE_EVIDENCE: ("It took a week", "our log", f"{TEST_OF[0]}#{TEST_OF[1]}", "1"),
    MoveKind.CHALLENGE_EVIDENCE: (FINDING, "what it meas", "it was one week"),
    MoveKind.UPDATE_POSITION: ("NO", "40", HEARD),
    MoveKind.CONCEDE: ("It took long", "no"),
}


@pytest.mark.parametrize("kind", MoveKind)
def test_every_move_can_be_made(type_in: Type, kind: MoveKind, capsys: pytest.CaptureFixture[str]) -> None:
    type_in("1", *LINES[kind], "So I say.")
    answer = asked(draft(kind))
    assert isinstance(answer, Drafted)
    assert (answer.draft.move.kind, answer.draft.content) == (kind, "So I say.")
    shown = capsys.readouterr().out
    for group in form_for(draft(kind), RECORD).groups:
        for field in group.fields:
            if field.shown is None:
                assert all(f"  {part.asks}" in shown for part in (field, *field.parts))


def test_a_claim_can_say_over_what_time_it_holds_and_a_falsifier_why_it_would_tell(type_in: Type) -> None:
    type_in("1", *LINES[MoveKind.CLAIM], "So I say.", "2", *LINES[MoveKind.DECLARE_FALSIFIER], "So I say.")
    claim, falsifier = (asked(draft(MoveKind.CLAIM, MoveKind.DECLARE_FALSIFIER)) for _ in range(2))
    assert isinstance(claim, Drafted) and isinstance(claim.draft.move, Claim)
    assert claim.draft.move.horizon is Horizon.FIVE_YEARS
    assert isinstance(falsifier, Drafted) and isinstance(falsifier.draft.move, DeclareFalsifier)
    assert falsifier.draft.move.falsifier.reasoning == "it measures the wait"


def test_evidence_names_one_of_the_falsifiers_there_are(type_in: Type, capsys: pytest.CaptureFixture[str]) -> None:
    type_in("1", *LINES[MoveKind.PROVIDE_EVIDENCE], "So I say.")
    answer = asked(draft(MoveKind.PROVIDE_EVIDENCE))
    assert isinstance(answer, Drafted) and isinstance(answer.draft.move, ProvideEvidence)
    assert (answer.draft.move.falsifier_of, answer.draft.move.number) == TEST_OF
    assert "Which falsifier does it bear on?" in capsys.readouterr().out


def test_a_move_that_can_point_to_nothing_is_not_begun(type_in: Type, capsys: pytest.CaptureFixture[str]) -> None:
    empty = replace(RECORD, threads={ThreadId("t1"): Thread(id=ThreadId("t1"), topic="It is slow", created_ms=0)})
    type_in("1", "2", "It is slow", "we wait", "80", "YES", "", "So I say.")
    ask = draft(MoveKind.CHALLENGE, MoveKind.CLAIM)
    answer = asyncio.run(asyncio.wait_for(ask_person(ask, empty), 10))
    assert isinstance(answer, Drafted) and isinstance(answer.draft.move, Claim) and answer.draft.move.horizon is None
    assert "Which message do you dispute? There is none yet." in capsys.readouterr().out


def test_where_one_stood_before_is_taken_from_the_record(type_in: Type) -> None:
    thread = RECORD.threads[ThreadId("t1")]
    type_in("1", *LINES[MoveKind.UPDATE_POSITION], "So I say.")
    answer = asked(draft(MoveKind.UPDATE_POSITION))
    assert isinstance(answer, Drafted) and isinstance(answer.draft.move, UpdatePosition)
    held = thread.commitments[ME]
    assert (answer.draft.move.side_before, answer.draft.move.confidence_before) == (thread.sides[ME], held.confidence)
    assert answer.draft.reply_to == answer.draft.move.moved_by == HEARD


def test_a_changed_side_is_asked_for_with_the_concession(type_in: Type) -> None:
    type_in("1", "It took long", "yes", "in between", "You are right.")
    answer = asked(draft(MoveKind.CONCEDE))
    assert isinstance(answer, Drafted) and isinstance(answer.draft.move, Concede)
    assert (answer.draft.move.side_before, answer.draft.move.side_after) == (RECORD.tops[ME].side, TopSide.NUANCED)


def test_what_is_owed_is_offered_first_and_knows_whom_it_is_about(
    type_in: Type, capsys: pytest.CaptureFixture[str]
) -> None:
    duty = Duty(move=MoveKind.STEELMAN, thread=ThreadId("t1"), about=OTHER, note="They miss the tests.")
    why = Refusal(rule=RuleId("STE-2"), reason="it leaves out the reason", remedy="Name it")
    type_in("", "It is fast", "nobody waits", "", "They say it is fast.")
    answer = asked(draft(MoveKind.CLAIM, MoveKind.STEELMAN, duty=duty, refused=(why,)))
    assert isinstance(answer, Drafted) and isinstance(answer.draft.move, Steelman)
    assert answer.draft.move.target == OTHER
    shown = capsys.readouterr().out
    assert "You owe: Steelman" in shown and "They miss the tests." in shown
    assert "Sent back: it leaves out the reason. Name it (STE-2)" in shown


@pytest.mark.parametrize("line", ["", "0"])
def test_a_turn_that_is_not_owed_can_pass(type_in: Type, line: str) -> None:
    type_in(line)
    assert asked(draft(MoveKind.CLAIM)) == Silence()


def test_slips_are_told_and_asked_again(type_in: Type, capsys: pytest.CaptureFixture[str]) -> None:
    type_in(
        "7", "x", "1", "", "It is slow", "we wait", "much", "101", "-3", "80", "maybe", "y", "9", "", "", "So I say."
    )
    answer = asked(draft(MoveKind.CLAIM))
    assert isinstance(answer, Drafted) and answer.draft.content == "So I say."
    shown = capsys.readouterr().out
    assert shown.count("A number from 0 to 1, please.") == 2
    assert shown.count("A number from 0 to 100, please.") == 3
    assert (
        "One of Yes, No, In between, please." in shown
        and "A number from 1 to 4, please." in shown
        and "Something has to stand here." in shown
    )


@pytest.mark.parametrize(
    ("ask", "lines", "answer"),
    [
        pytest.param(
            AskFirst(agent=ME),
            ("65", "y", "we wait"),
            First(p_top=0.65, side=TopSide.YES, reason="we wait"),
            id="first",
        ),
        pytest.param(
            AskProbe(agent=ME, thread=ThreadId("t1"), phase=Phase.BEFORE, round=1, heard=0, questions=QUESTIONS),
            ("60", "70", "80", "20", "50", "60", "60"),
            Probed(p_top=0.6, credences=(("c1", 0.7, 0.8, 0.2), ("c2", 0.5, 0.6, 0.6))),  # pyright: ignore[reportArgumentType]
            id="probe",
        ),
        pytest.param(
            AskProbe(agent=ME, thread=ThreadId("t1"), phase=Phase.WORDING, round=1, heard=0, questions=QUESTIONS[:1]),
            ("60", "70", "80"),
            Probed(p_top=0.6, fixed=(("c1", 0.7, 0.8),)),  # pyright: ignore[reportArgumentType]
            id="wording",
        ),
        pytest.param(
            AskProbe(agent=ME, thread=ThreadId("t1"), phase=Phase.CHANGE, round=1, heard=0, questions=()),
            ("60", "NO"),
            Probed(p_top=0.6, public_side=TopSide.NO),
            id="change",
        ),
        pytest.param(
            AskJudge(
                agent=ME, thread=ThreadId("t1"), heard=0, question="Is it?", side=Side.YES, statement="It is", version=1
            ),
            ("yes",),
            Judged(),
            id="judge",
        ),
        pytest.param(
            AskJudge(
                agent=ME, thread=ThreadId("t1"), heard=0, question="Is it?", side=Side.YES, statement="It is", version=1
            ),
            ("no", "I said no", "NO", "It is not"),
            Judged(objection="I said no", side=Side.NO, statement="It is not"),
            id="an objection",
        ),
        pytest.param(
            AskRelate(agent=ME, first=ThreadId("t1"), second=ThreadId("t2"), questions=(QUESTIONS[0], QUESTIONS[1])),
            ("90", "10", "it follows", "80", "30", "not so"),
            Related(
                second_if_yes=0.9,
                second_if_no=0.1,
                first_if_yes=0.8,
                first_if_no=0.3,
                sketch="it follows",
                back="not so",
            ),
            id="relate",
        ),
        pytest.param(
            AskProbe(agent=ME, thread=ThreadId("t1"), phase=Phase.GROUND, round=1, heard=0, questions=QUESTIONS),
            ("60", "70", "50"),
            Probed(p_top=0.6, credences=(("c1", 0.7, 0.6, 0.6), ("c2", 0.5, 0.6, 0.6))),  # pyright: ignore[reportArgumentType]
            id="ground",
        ),
        pytest.param(
            AskGrade(agent=ME, thread=ThreadId("t1"), heard=0, claim="It is fast", reason="so", falsifier=""),
            ("wrong", "all of it"),
            Graded(grade=Grade.WRONG, missing="all of it"),
            id="grade",
        ),
        pytest.param(
            AskConsent(agent=ME, heard=0, proposal="We wait"),
            ("no", "it is late"),
            Consent(agrees=False, why="it is late"),
            id="consent",
        ),
    ],
)
def test_private_asks_are_answered_line_by_line(
    type_in: Type, ask: AnyAsk, lines: tuple[str, ...], answer: AnyAnswer
) -> None:
    type_in(*lines)
    assert asked(ask) == answer


def test_a_turn_of_a_conversation_is_spoken_or_passes(type_in: Type, capsys: pytest.CaptureFixture[str]) -> None:
    ask = AskTurn(
        agent=ME, role=Role.SPEAKER, type=TurnType.REACTION, words=60, heard=0, task="Answer Noor.", subject="the tests"
    )
    type_in("I see it otherwise.")
    answer = asked(ask)
    assert isinstance(answer, Spoken) and answer.turn.content == "I see it otherwise." and answer.turn.side is None
    assert "Answer Noor." in capsys.readouterr().out
    type_in("")
    assert asked(ask) == Silence()


@pytest.mark.parametrize(
    ("type", "lines", "told"),
    [
        (TurnType.CONCESSION, ("I can live with the night ferry.", "", "it is cheap at night"), {"concedes"}),
        (TurnType.CONCESSION, ("There is nothing.", "NO", ""), {"side"}),
        (TurnType.SYNTHESIS, ("Both want it.", "count the boats"), {"next_step"}),
        (TurnType.RULING, ("Petra carried it.", "YES"), {"side"}),
    ],
)
def test_a_turn_is_asked_for_all_that_its_kind_needs(
    type_in: Type, type: TurnType, lines: tuple[str, ...], told: set[str]
) -> None:
    type_in(*lines)
    part = Role.SPEAKER if type is TurnType.CONCESSION else Role.FACILITATOR
    answer = asked(AskTurn(agent=ME, role=part, type=type, words=60, heard=0, task="Say it.", owed=True))
    assert isinstance(answer, Spoken)
    given = {name: getattr(answer.turn, name) for name in ("concedes", "next_step", "side")}
    assert {name for name, value in given.items() if value} == told


def test_a_closed_terminal_ends_the_run_and_loses_nothing(type_in: Type) -> None:
    type_in("\x04")
    with pytest.raises(BadInput, match="somebody is still asked"):
        asked(AskFirst(agent=AgentId(ME)))


def test_a_falsifier_travels_with_the_commitment(type_in: Type) -> None:
    type_in("1", *LINES[MoveKind.COMMIT_POSITION], "YES, it is slow.")
    answer = asked(draft(MoveKind.COMMIT_POSITION))
    assert isinstance(answer, Drafted)
    assert getattr(answer.draft.move, "falsifier", None) == Falsifier(
        metric="lead time", threshold="below a day", deadline="2027", reasoning="it measures the wait"
    )


def test_two_people_at_one_keyboard_are_asked_one_after_the_other(
    type_in: Type, capsys: pytest.CaptureFixture[str]
) -> None:
    async def both() -> list[AnyAnswer]:
        asks = (AskFirst(agent=ME), AskFirst(agent=OTHER))
        return await asyncio.gather(*(asyncio.wait_for(ask_person(ask, RECORD), 10) for ask in asks))

    type_in("65", "y", "we wait", "20", "NO", "we do not")
    first, second = asyncio.run(both())
    assert first == First(p_top=0.65, side=TopSide.YES, reason="we wait")
    assert second == First(p_top=0.2, side=TopSide.NO, reason="we do not")
    shown = capsys.readouterr().out
    assert shown.index(f"{RECORD.seats[0].name}, it is for you") < shown.index(f"{RECORD.seats[1].name}, it is for you")
