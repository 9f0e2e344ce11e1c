"""A seat at the table, taken from a terminal: lines that are typed become answers the engine can use."""

import asyncio
import os
import pty
import sys
from collections.abc import Callable, Generator

import pytest

import cruxfinder as cf
from cruxfinder.cli.seat import ask_person
from cruxfinder.cli.seat_fields import FIELDS
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
from cruxfinder.crux.moves import Concede, Steelman
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.vocabulary import (
    AgentId,
    CandidateId,
    Grade,
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


LINES: dict[MoveKind, tuple[str, ...]] = {
    MoveKind.CLAIM: ("It is slow", "we wait", "80", "YES"),
    MoveKind.CHALLENGE: (HEARD, "that it is fast", "we wait"),
    MoveKind.CLARIFY: (HEARD, "ask"),
    MoveKind.REFRAME: ("Is it the code?", "the rest follows"),
    MoveKind.PROPOSE_CRUX: ("Is it the code?", "then it is", "then it is not"),
    MoveKind.COMMIT_POSITION: ("YES", "It is slow", "we wait", "70 %", "5y", "yes", "lead time", "below a day", "2027"),
    MoveKind.DECLARE_FALSIFIER: ("lead time", "below a day", "2027"),
    MoveKind.STEELMAN: (OTHER, "It is fast", "nobody waits", ""),
    MoveKind.GRADE_STEELMAN: (HEARD, "inc", "the point"),
    MoveKind.PROVIDE_EVIDENCE: ("It took a week", "our log", OTHER, "1", "FOR"),
    MoveKind.CHALLENGE_EVIDENCE: (HEARD, "MEAS", "it was one week"),
    MoveKind.UPDATE_POSITION: ("YES", "NO", "70", "40", HEARD),
    MoveKind.CONCEDE: ("It took long", "no"),
}


@pytest.mark.parametrize("kind", MoveKind)
def test_every_move_can_be_made(type_in: Type, kind: MoveKind) -> None:
    type_in("1", *LINES[kind], "So I say.")
    answer = asked(draft(kind))
    assert isinstance(answer, Drafted)
    assert (answer.draft.move.kind, answer.draft.content) == (kind, "So I say.")


def test_every_move_has_its_questions() -> None:
    assert set(FIELDS) == set(MoveKind)


def test_a_changed_side_is_asked_for_with_the_concession(type_in: Type) -> None:
    type_in("1", "It took long", "yes", "YES", "NUANCED", "You are right.")
    answer = asked(draft(MoveKind.CONCEDE))
    assert isinstance(answer, Drafted) and isinstance(answer.draft.move, Concede)
    assert (answer.draft.move.side_before, answer.draft.move.side_after) == (TopSide.YES, TopSide.NUANCED)


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
    assert "You owe: steelman" in shown and "They miss the tests." in shown
    assert "Sent back: it leaves out the reason. Name it (STE-2)" in shown


@pytest.mark.parametrize("line", ["", "0"])
def test_a_turn_that_is_not_owed_can_pass(type_in: Type, line: str) -> None:
    type_in(line)
    assert asked(draft(MoveKind.CLAIM)) == Silence()


def test_slips_are_told_and_asked_again(type_in: Type, capsys: pytest.CaptureFixture[str]) -> None:
    type_in("7", "x", "1", "", "It is slow", "we wait", "much", "101", "-3", "80", "maybe", "y", "", "So I say.")
    answer = asked(draft(MoveKind.CLAIM))
    assert isinstance(answer, Drafted) and answer.draft.content == "So I say."
    shown = capsys.readouterr().out
    assert shown.count("A number from 0 to 1, please.") == 2
    assert shown.count("A number from 0 to 100, please.") == 3
    assert "One of YES, NO, NUANCED, please." in shown and "Something has to stand here." in shown


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
            ("",),
            Judged(),
            id="judge",
        ),
        pytest.param(
            AskRelate(agent=ME, first=ThreadId("t1"), second=ThreadId("t2"), questions=(QUESTIONS[0], QUESTIONS[1])),
            ("90", "10", "80", "30", "it follows"),
            Related(second_if_yes=0.9, second_if_no=0.1, first_if_yes=0.8, first_if_no=0.3, sketch="it follows"),
            id="relate",
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
    type_in("I see it otherwise.", "")
    answer = asked(ask)
    assert isinstance(answer, Spoken) and answer.turn.content == "I see it otherwise." and answer.turn.side is None
    assert "Answer Noor." in capsys.readouterr().out
    type_in("")
    assert asked(ask) == Silence()


@pytest.mark.parametrize(
    ("type", "lines", "told"),
    [
        (TurnType.CONCESSION, ("I can live with the night ferry.", "it is cheap at night", ""), {"concedes"}),
        (TurnType.CONCESSION, ("There is nothing.", "", "NO"), {"side"}),
        (TurnType.SYNTHESIS, ("Both want it.", "", "count the boats", ""), {"next_step"}),
        (TurnType.RULING, ("Petra carried it.", "", "YES"), {"side"}),
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
        metric="lead time", threshold="below a day", deadline="2027"
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
