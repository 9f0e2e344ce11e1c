"""What a message is, and the words it is made of: SPEC §1."""

from collections.abc import Callable
from dataclasses import MISSING, fields, replace
from math import inf, nan
from typing import Any

import pytest

from cruxfinder.crux.asks import Drafted
from cruxfinder.crux.commands import Say
from cruxfinder.crux.events import MessagePosted, MessageRefused, ThreadFailed
from cruxfinder.crux.moves import Draft, Move
from cruxfinder.errors import LogFault
from cruxfinder.kernel import wire
from cruxfinder.kernel.vocabulary import (
    ADVOCATE,
    MODERATOR,
    AgentId,
    Grade,
    Horizon,
    MessageId,
    MoveKind,
    Side,
    Stage,
    Status,
    TopSide,
)
from cruxfinder.protocols.any_ask import read_answer
from tests.law.build import (
    ANN,
    BOB,
    CAT,
    T1,
    Play,
    attack,
    challenge,
    claim,
    clarify,
    commit,
    concede,
    declare,
    evidence,
    grade,
    of,
    only,
    propose,
    reframe,
    refused,
    steelman,
    update,
)

M1 = MessageId("m1")
EXAMPLES: tuple[Move, ...] = (
    claim(),
    challenge(M1),
    clarify(M1),
    reframe(),
    propose(),
    commit(BOB, Side.NO),
    declare(),
    steelman(ANN),
    grade(M1, Grade.WRONG),
    evidence(ANN),
    attack(M1),
    update(M1, Side.NO, Side.YES),
    concede(),
)


def opened(stage: Stage) -> tuple[Play, MessageId]:
    """A play in that stage and a message of Ann's that Bob can aim at."""
    play = Play()
    match stage:
        case Stage.DISCOVERY:
            return play, play.post(ANN, claim())
        case Stage.CRUX_LOCK:
            play.to_lock()
            play.commit_all()
            return play, play.post(ANN, steelman(BOB))
        case Stage.EVIDENCE:
            play.to_evidence()
            return play, play.post(ANN, evidence(BOB))


# ---- VOC-1: moves and their fields

REQUIRED = [(move, f.name) for move in EXAMPLES for f in fields(move) if f.default is MISSING]


@pytest.mark.rule("VOC-1")
def test_there_are_thirteen_moves_each_its_own_type() -> None:
    assert [move.kind for move in EXAMPLES] == list(MoveKind)
    assert len({type(move) for move in EXAMPLES}) == len(MoveKind) == 13


@pytest.mark.rule("VOC-1")
@pytest.mark.parametrize(("move", "field"), [pytest.param(m, f, id=f"{m.kind} without its {f}") for m, f in REQUIRED])
def test_a_move_with_a_missing_field_cannot_exist(move: Move, field: str) -> None:
    rest: dict[str, Any] = {f.name: getattr(move, f.name) for f in fields(move) if f.name not in (field, "kind")}
    with pytest.raises(TypeError, match=field):
        type(move)(**rest)


@pytest.mark.rule("VOC-1")
@pytest.mark.parametrize(("move", "field"), [pytest.param(m, f, id=f"{m.kind} without its {f}") for m, f in REQUIRED])
def test_a_draft_with_a_missing_field_is_not_read(move: Move, field: str) -> None:
    text = wire.dumps(Drafted(draft=Draft(move=move, content="Something.")))
    assert read_answer(text) == Drafted(draft=Draft(move=move, content="Something."))
    with pytest.raises(LogFault):
        read_answer(text.replace(f'"{field}":', '"another":'))


TEXTS: list[tuple[Stage, Callable[[MessageId], Move], str]] = [
    (Stage.DISCOVERY, lambda target: claim(), "proposition"),
    (Stage.DISCOVERY, lambda target: claim(), "reason"),
    (Stage.DISCOVERY, challenge, "disputes"),
    (Stage.DISCOVERY, challenge, "why"),
    (Stage.DISCOVERY, lambda target: reframe(), "question"),
    (Stage.DISCOVERY, lambda target: reframe(), "why"),
    (Stage.DISCOVERY, lambda target: propose(), "yes_means"),
    (Stage.DISCOVERY, lambda target: propose(), "no_means"),
    (Stage.CRUX_LOCK, lambda target: commit(BOB, Side.NO), "statement"),
    (Stage.CRUX_LOCK, lambda target: commit(BOB, Side.NO), "reason"),
    (Stage.CRUX_LOCK, lambda target: steelman(ANN), "claim"),
    (Stage.CRUX_LOCK, lambda target: steelman(ANN), "reason"),
    (Stage.CRUX_LOCK, lambda target: grade(target, Grade.INCOMPLETE), "missing"),
    (Stage.CRUX_LOCK, lambda target: grade(target, Grade.WRONG), "missing"),
    (Stage.EVIDENCE, lambda target: evidence(ANN), "evidence"),
    (Stage.EVIDENCE, lambda target: evidence(ANN), "source"),
    (Stage.EVIDENCE, attack, "why"),
    (Stage.EVIDENCE, lambda target: concede(), "proposition"),
]


@pytest.mark.rule("VOC-1")
@pytest.mark.parametrize(
    ("stage", "made", "field"), [pytest.param(*row, id=f"{row[1](M1).kind} with a blank {row[2]}") for row in TEXTS]
)
def test_a_draft_with_a_blank_field_is_not_a_message(
    stage: Stage, made: Callable[[MessageId], Move], field: str
) -> None:
    play, target = opened(stage)
    whole = made(target)
    said = only(play.say(BOB, replace(whole, **{field: "  "})), MessageRefused)
    assert [r.rule for r in said.refusals] == ["VOC-1"]
    assert field in said.refusals[0].reason and field in said.refusals[0].remedy
    assert refused(play.say(BOB, whole)) == set(), "with the field it is one"


@pytest.mark.rule("VOC-1")
def test_every_blank_field_is_named_at_once() -> None:
    play = Play()
    blank = replace(claim(), proposition="", reason="")
    (refusal,) = only(play.say(ANN, blank), MessageRefused).refusals
    assert "proposition" in refusal.reason and "reason" in refusal.reason


@pytest.mark.rule("VOC-1")
def test_an_accurate_grade_need_not_say_what_is_missing() -> None:
    play, target = opened(Stage.CRUX_LOCK)
    assert refused(play.say(BOB, grade(target, Grade.ACCURATE))) == set()


@pytest.mark.rule("VOC-1")
def test_the_falsifier_of_a_commitment_may_follow_later() -> None:
    play = Play()
    play.to_lock()
    assert refused(play.say(ANN, commit(ANN, Side.YES, falsifier=None))) == set()
    assert refused(play.say(ANN, declare())) == set()


@pytest.mark.rule("VOC-1")
@pytest.mark.parametrize(
    ("confidence", "allowed"),
    [
        pytest.param(0.0, True, id="0"),
        pytest.param(1.0, True, id="1"),
        pytest.param(-0.01, False, id="below 0"),
        pytest.param(1.01, False, id="above 1"),
        pytest.param(70.0, False, id="a percentage"),
        pytest.param(nan, False, id="not a number"),
        pytest.param(inf, False, id="infinite"),
    ],
)
@pytest.mark.parametrize("kind", [MoveKind.CLAIM, MoveKind.COMMIT_POSITION, MoveKind.UPDATE_POSITION])
def test_a_confidence_lies_between_0_and_1(kind: MoveKind, confidence: float, allowed: bool) -> None:
    stage = {MoveKind.CLAIM: Stage.DISCOVERY, MoveKind.COMMIT_POSITION: Stage.CRUX_LOCK}.get(kind, Stage.EVIDENCE)
    play, target = opened(stage)
    moves: dict[MoveKind, Move] = {
        MoveKind.CLAIM: claim(confidence),
        MoveKind.COMMIT_POSITION: commit(BOB, Side.NO, confidence=confidence),
        MoveKind.UPDATE_POSITION: update(target, Side.NO, Side.YES, (0.8, confidence)),
    }
    assert refused(play.say(BOB, moves[kind])) == (set() if allowed else {"VOC-1"})


@pytest.mark.rule("VOC-1")
@pytest.mark.parametrize("target", ["m99", "m0", "m01", "m", "", "1", "M1", "m-1", "m١", "m1 ", "m9999999999"])
@pytest.mark.parametrize("aim", ["target", "reply_to", "refs"])
def test_a_message_that_is_aimed_at_exists(aim: str, target: str) -> None:
    play, _ = opened(Stage.DISCOVERY)
    match aim:
        case "target":
            events = play.say(BOB, challenge(target))
        case "reply_to":
            events = play.say(BOB, claim(), reply_to=target)
        case _:
            events = play.say(BOB, claim(), refs=("m1", target))
    assert refused(events) == {"VOC-1"}


@pytest.mark.rule("VOC-1")
def test_a_message_that_moved_somebody_exists() -> None:
    play, target = opened(Stage.EVIDENCE)
    assert refused(play.say(BOB, update("m99", Side.NO, Side.YES))) == {"VOC-1"}
    assert refused(play.say(BOB, update(target, Side.NO, Side.YES))) == set()


@pytest.mark.rule("VOC-1")
def test_nobody_aims_at_a_message_of_its_own_but_to_clarify_it() -> None:
    play, mine = opened(Stage.DISCOVERY)
    assert refused(play.say(ANN, challenge(mine))) == {"VOC-1"}
    assert refused(play.say(ANN, clarify(mine, asks=False))) == set()
    assert refused(play.say(ANN, claim(), reply_to=mine, refs=(mine,))) == set()


@pytest.mark.rule("VOC-1")
@pytest.mark.parametrize(
    ("target", "allowed"),
    [
        pytest.param(BOB, True, id="another agent"),
        pytest.param(CAT, True, id="an uncertain agent"),
        pytest.param(ANN, False, id="oneself"),
        pytest.param(MODERATOR, False, id="the moderator"),
        pytest.param(ADVOCATE, False, id="a devil's advocate"),
        pytest.param(AgentId("nobody"), False, id="nobody at the table"),
    ],
)
def test_a_steelman_is_of_another_agent(target: AgentId, allowed: bool) -> None:
    play = Play(unsure=(CAT,))
    play.to_lock()
    play.commit_all()
    assert refused(play.say(ANN, steelman(target))) == (set() if allowed else {"VOC-1"})


# ---- VOC-2: the form of a message


@pytest.mark.rule("VOC-2")
@pytest.mark.parametrize(
    ("content", "allowed"),
    [
        pytest.param("Reserves grow. They did so last year too.", True, id="two sentences"),
        pytest.param("x" * 600, True, id="600 characters are the limit"),
        pytest.param("x" * 601, False, id="601 are too many"),
        pytest.param("  " + "x" * 600 + "  ", True, id="spaces around it do not count"),
        pytest.param("", False, id="nothing"),
        pytest.param(" \t ", False, id="spaces only"),
        pytest.param("one\ntwo", False, id="a line break"),
        pytest.param("one\x1b[31mtwo", False, id="an escape sequence"),
        pytest.param("one\x7ftwo", False, id="a delete character"),
        pytest.param("Größer als 40 %, sagt Åsa – „ja“ 日本", True, id="any script"),
    ],
)
def test_a_content_of_one_or_two_sentences(content: str, allowed: bool) -> None:
    play = Play()
    assert refused(play.say(ANN, claim(), content=content)) == (set() if allowed else {"VOC-2"})


@pytest.mark.rule("VOC-2")
@pytest.mark.parametrize(("length", "allowed"), [(400, True), (401, False)])
def test_a_field_has_400_characters_at_most(length: int, allowed: bool) -> None:
    play = Play()
    events = play.say(ANN, replace(claim(), reason="x" * length))
    assert refused(events) == (set() if allowed else {"VOC-2"})


@pytest.mark.rule("VOC-2")
def test_what_was_said_before_word_for_word_is_no_new_message() -> None:
    play = Play()
    play.post(ANN, claim(), content="Reserves grow.")
    assert refused(play.say(BOB, claim(), content=" Reserves grow. ")) == {"VOC-2"}
    assert refused(play.say(BOB, claim(), content="Reserves grow, I say.")) == set()


@pytest.mark.rule("VOC-2")
def test_a_message_has_all_its_parts() -> None:
    play = Play()
    first = play.post(ANN, claim())
    play.wait(3_500)
    move = challenge(first)
    draft = Draft(move=move, content=" It is one fund. ", topics=("funds",), reply_to=first, refs=(first,))
    said = only(play.do(Say(agent=BOB, thread=T1, draft=draft, cooldown_ms=7_000)), MessagePosted)
    assert said == MessagePosted(
        at_ms=play.now_ms,
        id=MessageId("m2"),
        agent=BOB,
        thread=T1,
        move=move,
        content="It is one fund.",
        topics=("funds",),
        reply_to=first,
        refs=(first,),
        cooldown_ms=7_000,
        counted=True,
    )


@pytest.mark.rule("VOC-2")
def test_messages_are_numbered_through_the_debate_and_refused_drafts_have_no_number() -> None:
    play = Play()
    play.talk(6)
    play.say(ANN, claim(), content="")
    play.post(ANN, claim())
    said = [(m.id, m.agent) for m in play.thread.messages]
    assert [id for id, _ in said] == [f"m{n}" for n in range(1, 9)]
    assert said[6][1] == MODERATOR and said[7][1] == ANN


@pytest.mark.rule("VOC-2")
def test_all_reasons_come_with_one_refusal() -> None:
    play = Play()
    events = play.say(ANN, replace(claim(), reason=""), content="x" * 700, reply_to="m9")
    assert refused(events) == {"VOC-1", "VOC-2"}
    assert len(only(events, MessageRefused).refusals) == 3


# ---- VOC-3: sides, horizons, grades


@pytest.mark.rule("VOC-3")
def test_the_words_are_these_and_no_others() -> None:
    assert [s.value for s in Side] == ["YES", "NO", "UNCERTAIN"]
    assert [s.value for s in TopSide] == ["YES", "NO", "NUANCED"]
    assert [g.value for g in Grade] == ["PENDING", "ACCURATE", "INCOMPLETE", "WRONG"]
    assert [h.value for h in Horizon] == ["1-3mo", "12-18mo", "5y", "10y+"], "from near to far"


@pytest.mark.rule("VOC-3")
@pytest.mark.parametrize("horizon", list(Horizon))
@pytest.mark.parametrize("side", list(Side))
def test_a_commitment_takes_any_side_of_a_crux_and_any_horizon(side: Side, horizon: Horizon) -> None:
    play = Play()
    play.to_lock()
    assert refused(play.say(ANN, commit(ANN, side, horizon=horizon))) == set()
    held = play.thread.commitments[ANN]
    assert (held.side, held.horizon, play.thread.sides[ANN]) == (side, horizon, side)


@pytest.mark.rule("VOC-3")
@pytest.mark.parametrize("side", list(TopSide))
def test_a_claim_takes_any_side_of_the_topic(side: TopSide) -> None:
    play = Play()
    play.post(ANN, claim(top_side=side))
    assert play.debate.tops[ANN].side is side


@pytest.mark.rule("VOC-3")
@pytest.mark.parametrize(
    ("move", "known", "unknown"),
    [
        pytest.param(commit(ANN, Side.NO), '"side":"NO"', '"side":"NUANCED"', id="NUANCED is no side of a crux"),
        pytest.param(claim(), '"top_side":"YES"', '"top_side":"UNCERTAIN"', id="UNCERTAIN is no side of the topic"),
        pytest.param(commit(ANN, Side.NO), '"side":"NO"', '"side":"no"', id="sides are written in capitals"),
        pytest.param(commit(ANN, Side.NO), '"horizon":"5y"', '"horizon":"3y"', id="3y is no horizon"),
        pytest.param(grade("m1"), '"grade":"ACCURATE"', '"grade":"GOOD"', id="GOOD is no grade"),
    ],
)
def test_any_other_word_is_not_read(move: Move, known: str, unknown: str) -> None:
    text = wire.dumps(Drafted(draft=Draft(move=move, content="Something.")))
    assert known in text and isinstance(read_answer(text), Drafted)
    with pytest.raises(LogFault):
        read_answer(text.replace(known, unknown))


# ---- VOC-4: the status of a thread


@pytest.mark.rule("VOC-4")
def test_the_statuses_are_these_and_no_others() -> None:
    known = ["DISCOVERY", "LOCKING", "LOCKED", "CONVERGED", "FAILED_LOCK", "STALE", "MERGED"]
    assert [s.value for s in Status] == known


@pytest.mark.rule("VOC-4")
def test_a_thread_goes_from_discovery_by_locking_and_locked_to_converged() -> None:
    play = Play()
    seen = [play.thread.status]
    for step in (play.to_lock, play.to_evidence, play.to_closing, play.to_end):
        step()
        seen.append(play.thread.status)
    assert seen == [Status.DISCOVERY, Status.LOCKING, Status.LOCKED, Status.LOCKED, Status.CONVERGED]
    assert play.thread.over


@pytest.mark.rule("VOC-4")
def test_a_thread_whose_lock_is_lost_is_failed_and_takes_no_message() -> None:
    play = Play()
    play.to_lock()
    for agent in play.agents * 4:
        play.say(agent, commit(agent, Side.YES))
    assert of(play.events, ThreadFailed)
    assert play.thread.status is Status.FAILED_LOCK and play.thread.over
    assert play.say(ANN, commit(ANN, Side.NO)) == ()


@pytest.mark.rule("VOC-4")
def test_a_thread_in_which_nobody_has_anything_to_say_is_stale() -> None:
    play = Play()
    play.tick(after_ms=29_999)
    assert play.thread.status is Status.DISCOVERY
    play.tick(after_ms=1)
    assert play.thread.status is Status.STALE and play.thread.over
