"""From a reply to an answer: lenient about dress, strict about content, and never an accident."""

import json
from dataclasses import asdict, replace
from typing import Final, cast

import pytest
from hypothesis import example, given
from hypothesis import settings as tried
from hypothesis import strategies as st

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
    QuestionLink,
    Related,
)
from cruxfinder.crux.law.blind import Labels, labels
from cruxfinder.crux.moves import Claim, Concede, GradeSteelman, ProvideEvidence, Steelman, UpdatePosition
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.debaters.known_fields import owed_fields
from cruxfinder.debaters.modelled import reply_shapes
from cruxfinder.debaters.modelled.debate_prompts import PromptContext, prompt_for
from cruxfinder.debaters.modelled.reply_reading import read
from cruxfinder.kernel import wire
from cruxfinder.kernel.field_meanings import MeantField
from cruxfinder.kernel.run_facts import DebateStarted, Seat, Silence
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import (
    AgentId,
    CandidateId,
    Grade,
    MessageId,
    MoveKind,
    Phase,
    Side,
    ThreadId,
    TopSide,
)
from cruxfinder.ports import UnreadableReply
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, answer_fault, read_answer

ME, YOU = AgentId("ann"), AgentId("bob")
T1, T2 = ThreadId("t1"), ThreadId("t2")
QUESTION: Final = Question(id=CandidateId("c1"), question="Does it?", yes_means="It does.", no_means="It does not.")
SECOND: Final = replace(QUESTION, id=CandidateId("c2"), question="Will it?")
RECORD: Final = Debate(
    started=DebateStarted(
        at_ms=0,
        topic="It works",
        seats=(),
        seed=0,
        pack="p",
        pack_sha="0",
        settings=Settings(),
        format=1,
        kernel=1,
    ),
    settings=Settings(),
    seats=(Seat(id=ME, name="Ann"), Seat(id=YOU, name="Bob")),
    threads={t: Thread(id=t, topic="It works", created_ms=0) for t in (T1, T2)},
)
LABELS: Final[Labels] = labels((ME, YOU), blind=False)
ALL: Final = tuple(MoveKind)


def draft_of(*allowed: MoveKind, duty: Duty | None = None) -> AskDraft:
    return AskDraft(agent=ME, thread=T1, allowed=allowed, heard=0, duty=duty)


def probe_of(phase: Phase) -> AskProbe:
    return AskProbe(agent=ME, thread=T1, phase=phase, round=1, heard=0, questions=(QUESTION, SECOND))


JUDGE: Final = AskJudge(
    agent=ME, thread=T1, heard=0, question="Does it?", side=Side.YES, statement="It does", version=1
)
RELATE: Final = AskRelate(agent=ME, first=T1, second=T2, questions=(QUESTION, SECOND))
GRADE: Final = AskGrade(agent=ME, thread=T1, heard=0, claim="a", reason="b", falsifier="c")
ASKS: Final[dict[str, AnyAsk]] = {
    "first": AskFirst(agent=ME),
    "draft": draft_of(*ALL),
    **{f"owed {move}": draft_of(move, duty=Duty(move=move, thread=T1)) for move in ALL},
    **{f"probe {phase}": probe_of(phase) for phase in Phase},
    "judge": JUDGE,
    "relate": RELATE,
    "grade": GRADE,
}


def understood(text: str, ask: AnyAsk) -> AnyAnswer:
    return read(text, ask, RECORD, LABELS)


def told(reply: object, ask: AnyAsk) -> str:
    with pytest.raises(UnreadableReply) as raised:
        understood(json.dumps(reply), ask)
    return str(raised.value)


# ---- how questions bear on each other


@pytest.mark.rule("CRUX-13")
def test_a_reply_says_how_each_question_bears_on_the_next() -> None:
    ask = probe_of(Phase.LINKS)
    answer = understood(json.dumps({"p_top": 0.6, "c1_c2": {"if_yes": 0.8, "if_no": 0.3}}), ask)
    assert isinstance(answer, Probed)
    assert answer.links == (QuestionLink(QUESTION.id, SECOND.id, 0.8, 0.3),)
    assert told({"p_top": 0.6}, ask) == "it lacks the object c1_c2"
    assert "if_no" in told({"p_top": 0.6, "c1_c2": {"if_yes": 0.8}}, ask)


# ---- any text


def accepted_or_unreadable(text: str, ask: AnyAsk) -> None:
    try:
        answer = understood(text, ask)
    except UnreadableReply as error:
        fault = str(error)
    else:
        fault = ""
        assert answer_fault(ask, answer) == "", "what is read can be used"
        assert read_answer(wire.dumps(answer)) == answer, "and kept"
    assert "\n" not in fault and len(fault) < 500


ANYTHING: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES: Final = sorted(
    {"move", "content", "p_top", "c1", "c2", "objection", "public_side", "metric", "threshold", "deadline"}
    | {field.reply_name for move in MoveKind for field in reply_shapes.move_fields(move)}
    | {f.reply_name for f in (*reply_shapes.FIRST, *reply_shapes.RELATE, *reply_shapes.JUDGE, *reply_shapes.CONSENT)}
)
STRANGE: Final = (10**400, -(10**400), "9" * 500, 1e308, "1e999", "nan", float("nan"), float("inf"), "٣", "½", "0,8")
USUAL: Final = ("YES", "yes", "no ", "5y", "ACCURATE", 0.5, "70%", 1, "m3", 3, -1, True, "", None, "bob", "\ud800")
LIKELY: Final = st.sampled_from([*MoveKind, *USUAL, *STRANGE, [], {}])
ROWS: Final = st.dictionaries(
    st.sampled_from(["yes", "top_if_yes", "top_if_no", "as_worded", "in_its_time", "metric", "threshold", "deadline"]),
    LIKELY,
    max_size=6,
)
OBJECTS: Final = st.dictionaries(st.sampled_from(NAMES), LIKELY | ROWS | ANYTHING, max_size=12)


@given(text=st.text(max_size=200), ask=st.sampled_from(list(ASKS.values())))
@example(text="{" * 40_000, ask=JUDGE)
@example(text='{"a":' * 20_000, ask=JUDGE)
@example(text='{"objection": ' + "[" * 900 + "]" * 900 + "}", ask=JUDGE)
@example(text='{"side": ' + "[" * 940 + "]" * 940 + ', "objection": "x"}', ask=JUDGE)
@example(text='{"p_top": ' + "9" * 4_000 + "}", ask=AskFirst(agent=ME))
@example(text='{"p_top": ' + "9" * 5_000 + "}", ask=AskFirst(agent=ME))
@tried(max_examples=120, deadline=None)
def test_any_text_is_an_answer_or_unreadable(text: str, ask: AnyAsk) -> None:
    accepted_or_unreadable(text, ask)


@given(reply=OBJECTS, ask=st.sampled_from(list(ASKS.values())))
@example(reply={"p_top": 10**400, "side": "YES", "reason": "r"}, ask=AskFirst(agent=ME))
@tried(max_examples=100, deadline=None)
def test_any_object_is_an_answer_or_unreadable(reply: dict[str, object], ask: AnyAsk) -> None:
    accepted_or_unreadable(json.dumps(reply), ask)


@pytest.mark.parametrize("depth", range(100, 1100, 25))
def test_no_depth_is_too_deep(depth: int) -> None:
    for name in ("objection", "side", "statement"):
        text = f'{{"objection": "x", "{name}": {"[" * depth}{"]" * depth}}}'
        accepted_or_unreadable(text, JUDGE)


# ---- what was told is what is read

FALSIFIER: Final = {"metric": "lead time in days", "threshold": "above 5 days", "deadline": "by 2027-06-30"}


def sample(field: MeantField) -> object:
    match field.kind:
        case "text":
            return f"some {field.name}"
        case "chance":
            return 0.7
        case "message":
            return "m3"
        case "agent":
            return "bob"
        case "count":
            return 2
        case "flag":
            return True
        case "choice":
            return field.choices[0]
        case "turn":
            return "n3"
        case "group":
            return {part.reply_name: FALSIFIER.get(part.name, sample(part)) for part in field.parts}


def shape_of(move: MoveKind, ask: AskDraft) -> tuple[MeantField, ...]:
    return reply_shapes.move_fields(move, known=owed_fields(move, ask))


def reply_for(move: MoveKind, *, owed: bool) -> dict[str, object]:
    ask = draft_of(move, duty=duty_of(move)) if owed else draft_of(*ALL)
    given = {field.reply_name: sample(field) for field in shape_of(move, ask)}
    return {"move": move.value, **given, "content": "Said so."}


def duty_of(move: MoveKind) -> Duty:
    return Duty(move=move, thread=T1, about=YOU, message=MessageId("m3"))


@pytest.mark.parametrize("move", ALL)
@pytest.mark.parametrize("owed", [True, False], ids=["owed", "free"])
def test_each_move_in_the_shape_told_reads_as_that_move(move: MoveKind, owed: bool) -> None:
    ask = draft_of(move, duty=duty_of(move)) if owed else draft_of(*ALL)
    shown = prompt_for(ask, PromptContext("s", RECORD, LABELS)).user
    reply = reply_for(move, owed=owed)
    if owed or move is not MoveKind.GRADE_STEELMAN:  # a grade is owed, never offered
        assert move.value in shown and all(name in shown for name in reply)
    answer = understood(json.dumps(reply), ask)
    assert isinstance(answer, Drafted)
    assert answer.draft.move.kind is move
    assert answer.draft.content == "Said so."
    for name, value in reply.items():
        if name not in {"move", "content"} and not isinstance(value, dict):
            assert getattr(answer.draft.move, name) == value, name
    assert answer_fault(ask, answer) == ""


@pytest.mark.parametrize("move", ALL)
def test_each_field_that_is_left_out_is_named(move: MoveKind) -> None:
    ask = draft_of(*ALL)
    for field in shape_of(move, ask):
        reply = {k: v for k, v in reply_for(move, owed=False).items() if k != field.reply_name}
        if field.may_lack and field.meaning.asked_if is None:
            assert isinstance(understood(json.dumps(reply), ask), Drafted)
        else:
            assert f"it lacks {field.reply_name}" in told(reply, ask)


def test_what_is_missing_is_owed_unless_accurate_and_sides_exactly_if_they_changed() -> None:
    ask = draft_of(*ALL)
    graded = reply_for(MoveKind.GRADE_STEELMAN, owed=False)
    assert "it lacks missing" in told({**graded, "grade": "WRONG", "missing": ""}, ask)
    assert isinstance(understood(json.dumps({**graded, "grade": "ACCURATE", "missing": ""}), ask), Drafted)
    conceded = {**reply_for(MoveKind.CONCEDE, owed=False), "top_changed": False}
    answer = understood(json.dumps(conceded), ask)
    assert isinstance(answer, Drafted) and isinstance(answer.draft.move, Concede)
    assert (answer.draft.move.side_before, answer.draft.move.side_after) == (None, None)


def test_what_is_owed_knows_its_target() -> None:
    for move, target in ((MoveKind.STEELMAN, "bob"), (MoveKind.GRADE_STEELMAN, "m3"), (MoveKind.CLARIFY, "m3")):
        reply = {**reply_for(move, owed=True), "target": "m999"}
        answer = understood(json.dumps(reply), draft_of(move, duty=duty_of(move)))
        assert isinstance(answer, Drafted)
        assert cast("Steelman | GradeSteelman", answer.draft.move).target == target


def test_positions_before_a_change_are_the_records_own() -> None:
    update = understood(json.dumps(reply_for(MoveKind.UPDATE_POSITION, owed=False)), draft_of(*ALL))
    concede = understood(json.dumps(reply_for(MoveKind.CONCEDE, owed=False)), draft_of(*ALL))
    assert isinstance(update, Drafted) and isinstance(update.draft.move, UpdatePosition)
    assert update.draft.move.side_before is Side.UNCERTAIN
    assert isinstance(concede, Drafted) and isinstance(concede.draft.move, Concede)
    assert concede.draft.move.side_before is TopSide.NUANCED


def row(**more: object) -> dict[str, object]:
    return {"yes": 0.6, "top_if_yes": 0.9, "top_if_no": 0.1, **more}


def test_private_answers_in_the_shape_told() -> None:
    first = understood('{"p_top": 0.8, "side": "YES", "reason": "r"}', AskFirst(agent=ME))
    assert first == First(p_top=0.8, side=TopSide.YES, reason="r")
    exact = row(as_worded=0.5, in_its_time=0.4)
    before = understood(json.dumps({"p_top": 0.8, "c1": exact, "c2": row()}), probe_of(Phase.BEFORE))
    assert isinstance(before, Probed)
    assert before.credences == (("c1", 0.6, 0.9, 0.1), ("c2", 0.6, 0.9, 0.1))
    assert before.fixed == (("c1", 0.5, 0.4), ("c2", 0.6, 0.6)), "the exact reading, or else the same"
    change = understood(
        json.dumps({"p_top": 0.8, "c1": row(), "c2": row(), "public_side": "NO"}), probe_of(Phase.CHANGE)
    )
    assert isinstance(change, Probed) and change.public_side is TopSide.NO
    after = understood(json.dumps({"p_top": 0.8, "c1": row(), "c2": row(), "objection": ""}), probe_of(Phase.AFTER))
    assert isinstance(after, Probed) and after.judged == Judged()
    related = Related(second_if_yes=0.6, second_if_no=0.5, first_if_yes=0.4, first_if_no=0.3, sketch="so")
    assert understood(json.dumps(asdict(related)), RELATE) == related
    graded = understood('{"grade": "WRONG", "missing": "all of it"}', GRADE)
    assert graded == Graded(grade=Grade.WRONG, missing="all of it")
    objected = understood('{"objection": "I said NO", "side": "NO", "statement": "It does not"}', JUDGE)
    assert objected == Judged(objection="I said NO", side=Side.NO, statement="It does not")


@pytest.mark.parametrize("name", ASKS)
def test_every_ask_has_a_grammar(name: str) -> None:
    prompt = prompt_for(ASKS[name], PromptContext("s", RECORD, LABELS))
    assert prompt.grammar.startswith("root ::= ")
    used = {word for word in ("text", "chance", "message", "count", "flag") if f" {word} " in prompt.grammar}
    assert all(f"{word} ::= " in prompt.grammar for word in used)
    assert prompt.tokens_out > 0


# ---- dress

CLAIM: Final = {
    "move": "CLAIM",
    "content": "It saves days.",
    "proposition": "It saves days",
    "reason": "Measured",
    "confidence": 0.7,
    "top_side": "YES",
}
PLAIN: Final = json.dumps(CLAIM)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"```json\n{PLAIN}\n```", id="a code fence"),
        pytest.param(f"```\n{PLAIN}\n```\nHope that helps {{really}}!", id="a fence and prose"),
        pytest.param(f"Here is what I say:\n\n{PLAIN}", id="prose before"),
        pytest.param(f"In {{this}} case {{1}}: {PLAIN}", id="braces in prose"),
        pytest.param(f"<think>a set like {{x, y}}</think>\n{PLAIN}", id="thinking aloud"),
        pytest.param(json.dumps(CLAIM, indent=4), id="spread over lines"),
        pytest.param(PLAIN + PLAIN, id="twice"),
        pytest.param(PLAIN.replace("It saves days.", "It\nsaves\tdays."), id="a line break in a text"),
        pytest.param(json.dumps({**CLAIM, "move": "claim"}), id="a move in lower case"),
        pytest.param(json.dumps({**CLAIM, "top_side": "yes"}), id="a side in lower case"),
        pytest.param(json.dumps({**CLAIM, "confidence": "0.7"}), id="a number as a text"),
        pytest.param(json.dumps({**CLAIM, "confidence": "70%"}), id="a percentage"),
        pytest.param(json.dumps({**CLAIM, "confidence": 70}), id="a percentage without its sign"),
        pytest.param(json.dumps({**CLAIM, "confidence": "0,7"}), id="a comma"),
        pytest.param(json.dumps({**CLAIM, "confidence": ".7"}), id="no zero"),
        pytest.param(json.dumps({**CLAIM, "confidence": "about 0.70"}), id="about so much"),
        pytest.param(json.dumps({**CLAIM, "horizon": None, "mood": [1]}), id="fields nobody asked for"),
    ],
)
def test_dress_does_not_matter(text: str) -> None:
    assert understood(text, draft_of(*ALL)) == understood(PLAIN, draft_of(*ALL))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("1%", 0.01),
        ("0.5 %", 0.005),
        ("100%", 1.0),
        (1, 1.0),
        ("1", 1.0),
        (0, 0.0),
        (1e-05, 1e-05),
        ("1e-3", 1e-3),
        (99, 0.99),
    ],
)
def test_chances_are_read_as_they_are_meant(written: object, meant: float) -> None:
    found = understood(json.dumps({"p_top": written, "side": "NO", "reason": "r"}), AskFirst(agent=ME))
    assert isinstance(found, First) and found.p_top == pytest.approx(meant, abs=1e-12)


@pytest.mark.parametrize("target", ["m12", "12", 12, "M12", "message m12", "#12", " m12 "])
def test_messages_are_found_however_they_are_named(target: object) -> None:
    reply = {**reply_for(MoveKind.CHALLENGE, owed=False), "target": target}
    answer = understood(json.dumps(reply), draft_of(*ALL))
    assert isinstance(answer, Drafted) and answer.draft.reply_to == "m12"


@pytest.mark.parametrize("who", ["bob", "Bob", " BOB "])
def test_agents_are_found_in_any_case(who: str) -> None:
    reply = {**reply_for(MoveKind.PROVIDE_EVIDENCE, owed=False), "falsifier_of": who, "number": "F2"}
    answer = understood(json.dumps(reply), draft_of(*ALL))
    assert isinstance(answer, Drafted) and isinstance(answer.draft.move, ProvideEvidence)
    assert (answer.draft.move.falsifier_of, answer.draft.move.number) == ("bob", 2)


def test_nothing_to_say_is_an_answer_unless_something_is_owed() -> None:
    assert isinstance(understood('{"move": "silence"}', draft_of(*ALL)), Silence)
    owed = draft_of(MoveKind.CLARIFY, duty=duty_of(MoveKind.CLARIFY))
    assert told({"move": "SILENCE"}, owed) == "move must be one of CLARIFY, not 'SILENCE'"


# ---- content


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"top_side": "MAYBE"}, "top_side must be one of YES, NO, NUANCED, not 'MAYBE'"),
        ({"move": "SHOUT"}, "move must be one of"),
        ({"move": ["CLAIM"]}, "move must be a text"),
        ({"confidence": "high"}, "confidence must be a number between 0 and 1, not 'high'"),
        ({"confidence": 1.5}, "confidence must be a number between 0 and 1"),
        ({"confidence": -0.2}, "confidence must be a number between 0 and 1"),
        ({"confidence": True}, "confidence must be a"),
        ({"confidence": [0.7]}, "confidence must be a"),
        ({"proposition": {"text": "x"}}, "proposition must be a text"),
        ({"proposition": "", "reason": None}, "it lacks proposition, reason"),
        ({"content": ""}, "it lacks content"),
        ({"horizon": "soon"}, "horizon must be one of 1-3mo"),
    ],
)
def test_what_is_wrong_is_told_by_name(change: dict[str, object], fault: str) -> None:
    assert fault in told({**CLAIM, **change}, draft_of(*ALL))


@pytest.mark.parametrize(
    ("reply", "ask", "fault"),
    [
        ({}, AskFirst(agent=ME), "it lacks p_top, side, reason"),
        ({"p_top": 0.5, "c1": row()}, probe_of(Phase.LOCKED), "it lacks the object c2"),
        ({"p_top": 0.5, "c1": {"yes": 1}, "c2": row()}, probe_of(Phase.LOCKED), "it lacks top_if_yes, top_if_no"),
        ({"c1": row(), "c2": row()}, probe_of(Phase.LOCKED), "p_top must be a number"),
        ({"p_top": 0.5, "c1": row(), "c2": row()}, probe_of(Phase.CHANGE), "it lacks public_side"),
        ({"verdict": ["yes", 3]}, JUDGE, "it lacks objection"),
        ({}, RELATE, "it lacks second_if_yes"),
        ({"grade": "PENDING"}, GRADE, "grade must be one of ACCURATE, INCOMPLETE, WRONG"),
        ({"objection": "no!", "side": "MAYBE"}, JUDGE, "side must be one of"),
    ],
)
def test_private_answers_that_miss_something(reply: dict[str, object], ask: AnyAsk, fault: str) -> None:
    assert fault in told(reply, ask)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "there is no JSON object in it"),
        ("I would rather not.", "there is no JSON object in it"),
        ("[1, 2]", "there is no JSON object in it"),
        ('{"move": "CLAIM", "content": "This br', "the JSON in it is broken or incomplete"),
        ("{'move': 'CLAIM'}", "there is no JSON object in it"),
    ],
)
def test_texts_without_an_object(text: str, fault: str) -> None:
    with pytest.raises(UnreadableReply, match=fault):
        understood(text, draft_of(*ALL))


def test_a_field_that_is_too_long_is_cut_at_a_word() -> None:
    long = " ".join(["word"] * 300)
    answer = understood(json.dumps({**CLAIM, "reason": long}), draft_of(*ALL))
    assert isinstance(answer, Drafted)
    assert isinstance(answer.draft.move, Claim)
    reason = answer.draft.move.reason
    assert len(reason) <= 400 and reason.endswith("word…")
