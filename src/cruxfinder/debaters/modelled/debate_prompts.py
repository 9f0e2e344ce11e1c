"""From an ask to a prompt: how the thread stands, what is owed, what to do, and what the reply looks like."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from cruxfinder.crux.asks import AskDraft, AskFirst, AskGrade, AskJudge, AskProbe, AskRelate, Duty, Question
from cruxfinder.crux.law import crux_quality
from cruxfinder.crux.law.blind import Labels
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread, find_message
from cruxfinder.debaters.known_fields import owed_fields
from cruxfinder.debaters.modelled import reply_shapes
from cruxfinder.debaters.modelled.reply_shapes import (
    SILENCE,
    ReplyVariant,
    any_move,
    describe_field,
    describe_fields,
    describe_reply,
    grammar_of,
    move_variant,
    plain_variant,
    schema_of,
)
from cruxfinder.debaters.modelled.thread_picture import MESSAGES, describe_message, describe_thread, full_position
from cruxfinder.debaters.modelled.turn_prompts import consent_prompt, turn_prompt
from cruxfinder.kernel.field_meanings import Meaning, MeantField
from cruxfinder.kernel.vocabulary import AgentId, MoveKind, Phase, Stage
from cruxfinder.language.quoted_data import mark_as_data
from cruxfinder.ports import Prompt
from cruxfinder.protocols.any_ask import AnyAsk, AnyRecord, conversation_in, debate_in
from cruxfinder.talk.asks import AskConsent, AskTurn, AskUser

DRAFT_TOKENS: Final = 500
PRIVATE_TOKENS: Final = 300
QUESTION_MAX: Final = 160
SAID_MAX: Final = 100

FIRST: Final = "No question is open and you owe nothing yet. Before anybody speaks, in private: where do you stand?"
FREE: Final = {
    Stage.DISCOVERY: (
        "Bring out where you differ; propose a yes/no question whose answer would change minds on the claim."
    ),
    Stage.CRUX_LOCK: "Serve the lock.",
    Stage.EVIDENCE: "Bring or contest evidence on a falsifier, or say what it changed for you.",
}
OWED: Final = {
    MoveKind.COMMIT_POSITION: "You owe: commit on the question; as falsifier a measurable thing, a number, a date.",
    MoveKind.DECLARE_FALSIFIER: "You owe: a falsifier for your side: a measurable thing, a number to pass, a date.",
    MoveKind.STEELMAN: "You owe: {about}'s position, put as {about} would sign it, with reason and falsifier: {full}",
    MoveKind.GRADE_STEELMAN: "You owe: grade how {about} put your position ({own}): {text}.",
    MoveKind.CLARIFY: "You owe: an answer to {text}",
}


@dataclass(frozen=True, slots=True)
class PromptContext:
    """Everything a prompt may draw on."""

    system: str
    run: AnyRecord
    labels: Labels

    @property
    def record(self) -> Debate:
        return debate_in(self.run)


def prompt_for(ask: AnyAsk, setting: PromptContext) -> Prompt:
    match ask:
        case AskFirst():
            return private_prompt(setting, "", FIRST, plain_variant(*reply_shapes.FIRST))
        case AskDraft():
            return draft_prompt(ask, setting)
        case AskProbe():
            return probe_prompt(ask, setting)
        case AskJudge():
            return judge_prompt(ask, setting)
        case AskRelate():
            return relate_prompt(ask, setting)
        case AskGrade():
            return grade_prompt(ask, setting)
        case AskTurn():
            return turn_prompt(ask, setting.system, conversation_in(setting.run), setting.labels)
        case AskConsent():
            return consent_prompt(ask, setting.system, conversation_in(setting.run), setting.labels)
        case AskUser():
            raise AssertionError("a model is not the user")
        case _:
            assert_never(ask)


def private_prompt(
    setting: PromptContext, state: str, task: str, reply: ReplyVariant, tokens: int = PRIVATE_TOKENS
) -> Prompt:
    return Prompt(
        system=setting.system,
        user="\n".join(part for part in (state, task, describe_reply(reply)) if part),
        tokens_out=tokens,
        grammar=grammar_of([reply]),
        schema=schema_of([reply]),
        judges=True,
    )


# ---- drafts


def draft_prompt(ask: AskDraft, setting: PromptContext) -> Prompt:
    thread = setting.record.threads[ask.thread]
    labels = setting.labels
    alone = ask.duty is not None or len(ask.allowed) == 1
    about_one = ask.duty is not None and ask.duty.move in {MoveKind.STEELMAN, MoveKind.GRADE_STEELMAN}
    shown = 0 if about_one else MESSAGES
    variants = reply_variants(ask, alone=alone)
    parts = [
        describe_thread(thread, labels, messages=shown, answers=ask.answers),
        f"You are {labels.of(ask.agent)}. {task(ask, thread, labels)}",
        describe_refusal(ask, labels),
        describe_reply(variants[0]) if alone else any_move(variants),
    ]
    return Prompt(
        system=setting.system,
        user="\n".join(part for part in parts if part),
        tokens_out=DRAFT_TOKENS,
        grammar=grammar_of(variants, others(setting, ask.agent)),
        schema=schema_of(variants, others(setting, ask.agent)),
        judges=ask.duty is not None and ask.duty.move is MoveKind.GRADE_STEELMAN,
    )


def reply_variants(ask: AskDraft, *, alone: bool) -> tuple[ReplyVariant, ...]:
    if alone:
        return (move_variant(ask.allowed[0], known=owed_fields(ask.allowed[0], ask)),)
    return (*(move_variant(move) for move in offered_moves(ask.allowed)), SILENCE)


def offered_moves(allowed: Sequence[MoveKind]) -> tuple[MoveKind, ...]:
    """A grade is always owed, never offered."""
    return tuple(move for move in allowed if move is not MoveKind.GRADE_STEELMAN)


def others(setting: PromptContext, me: AgentId) -> list[str]:
    return [setting.labels.of(a) for a in setting.record.agents if a != me]


def task(ask: AskDraft, thread: Thread, labels: Labels) -> str:
    if ask.duty is None:
        answers = f" Answer {ask.answers}." if ask.answers is not None else ""
        return f"You owe nothing.{answers} {FREE[thread.stage]}{said_last(thread, ask.agent)}"
    return describe_duty(ask.duty, ask.agent, thread, labels)


def said_last(thread: Thread, me: AgentId) -> str:
    """What one has said already need not be said again; a model does not remember."""
    last = next((m for m in reversed(thread.messages) if m.agent == me), None)
    return (
        ""
        if last is None or last in thread.messages[-MESSAGES:]
        else f" You said last: {mark_as_data(last.content, SAID_MAX)} Add something new."
    )


def describe_duty(duty: Duty, me: AgentId, thread: Thread, labels: Labels) -> str:
    about = "somebody" if duty.about is None else labels.of(duty.about)
    message = None if duty.message is None else find_message(thread, duty.message)
    text = "" if message is None else describe_message(message, labels)
    if message is not None and duty.move is MoveKind.GRADE_STEELMAN:
        attempt = next((t for tries in thread.tries.values() for t in tries if t.message == message.id), None)
        if attempt is not None:
            text = mark_as_data(
                f"{attempt.claim} because {attempt.reason}; falsifier: {attempt.falsifier or 'none'}", 400
            )
    full = "" if duty.about is None else full_position(thread, duty.about)
    line = OWED.get(duty.move, f"You owe: {duty.move}").format(
        about=about, text=text, full=full, own=full_position(thread, me)
    )
    return f"{line} Heed: {mark_as_data(labels.without_names(duty.note), 200)}" if duty.note else line


def describe_refusal(ask: AskDraft, labels: Labels) -> str:
    if not ask.refused:
        return ""
    reasons = "; ".join(f"{r.reason}: {r.remedy}" for r in ask.refused)
    return f"Your last draft was refused: {mark_as_data(labels.without_names(reasons), 300)}"


# ---- private questions


def probe_prompt(ask: AskProbe, setting: PromptContext) -> Prompt:
    thread = setting.record.threads[ask.thread]
    reply = plain_variant(*probe_fields(ask))
    about = "how each question bears on the next ones" if ask.pairs else "for each question"
    parts = [
        describe_thread(thread, setting.labels, messages=0),
        f"You are {setting.labels.of(ask.agent)} and owe this, in private: p_top, and {about}:",
        *(f"{q.id} {question(q)}" for q in ask.questions),
        judgement_line(ask, setting, thread),
        f"JSON: {{{', '.join(keys(ask, reply.fields))}}}",
    ]
    return Prompt(
        system=setting.system,
        user="\n".join(part for part in parts if part),
        tokens_out=PRIVATE_TOKENS + 40 * (len(ask.pairs) or len(ask.questions)),
        grammar=grammar_of([reply]),
        schema=schema_of([reply]),
        judges=True,
    )


def probe_fields(ask: AskProbe) -> tuple[MeantField, ...]:
    """An object for each question, or each two of them, and what is asked in the same breath."""
    parts = question_fields(ask.phase)
    asked = (MeantField(name=name, kind="group", meaning=Meaning("", ""), parts=parts) for name in asked_names(ask))
    public = reply_shapes.PUBLIC if ask.phase is Phase.CHANGE else ()
    objection = reply_shapes.OBJECTION if ask.phase is Phase.AFTER else ()
    return (*reply_shapes.TOP, *asked, *public, *objection)


def asked_names(ask: AskProbe) -> list[str]:
    return [reply_shapes.pair_name(*pair) for pair in ask.pairs] or [str(q.id) for q in ask.questions]


def question_fields(phase: Phase) -> tuple[MeantField, ...]:
    """Of what nobody disputed only the credence is asked for: nothing hangs on it."""
    if phase is Phase.LINKS:
        return reply_shapes.LINK
    if phase is Phase.GROUND:
        return reply_shapes.PROBE[:1]
    return (*reply_shapes.PROBE, *(reply_shapes.WORDED if asks_exact_reading(phase) else ()))


def asks_exact_reading(phase: Phase) -> bool:
    """The exact reading is asked for together with the first one: one call instead of two."""
    return phase in {Phase.BEFORE, Phase.WORDING}


def keys(ask: AskProbe, fields: Sequence[MeantField]) -> list[str]:
    """Each question with the same fields, which are told once."""
    ids = asked_names(ask)
    told = {id: f"{{{describe_fields(question_fields(ask.phase))}}}" if n == 0 else "{…}" for n, id in enumerate(ids)}
    return [f'"{f.name}": {told[f.name]}' if f.name in told else describe_field(f) for f in fields]


def judgement_line(ask: AskProbe, setting: PromptContext, thread: Thread) -> str:
    """At the end the crux is published: whether it represents the agent is asked in the same breath."""
    if ask.phase is not Phase.AFTER:
        return ""
    side = crux_quality.positions_now(thread).get(ask.agent, "UNCERTAIN")
    return (
        f"The record has you as {side}: {mark_as_data(crux_quality.statement(thread, ask.agent), 200)}. "
        "Object if that does not represent you."
    )


def question(q: Question) -> str:
    return (
        f"{mark_as_data(q.question, QUESTION_MAX)} YES: {mark_as_data(q.yes_means, 90)} NO: "
        f"{mark_as_data(q.no_means, 90)}"
    )


def judge_prompt(ask: AskJudge, setting: PromptContext) -> Prompt:
    thread = setting.record.threads[ask.thread]
    task = (
        f"You are {setting.labels.of(ask.agent)} and owe a judgement: on "
        f"{mark_as_data(ask.question, QUESTION_MAX)} the record "
        f"has you as {ask.side}: {mark_as_data(ask.statement, 240)}. Object if that does not represent you."
    )
    state = describe_thread(thread, setting.labels, messages=0)
    return private_prompt(setting, state, task, plain_variant(*reply_shapes.JUDGE))


def relate_prompt(ask: AskRelate, setting: PromptContext) -> Prompt:
    one, two = ask.questions
    task = (
        f"You are {setting.labels.of(ask.agent)} and owe this, in private.\n"
        f"First: {question(one)}\nSecond: {question(two)}"
    )
    states = "\n".join(
        describe_thread(setting.record.threads[t], setting.labels, messages=0) for t in (ask.first, ask.second)
    )
    return private_prompt(setting, states, task, plain_variant(*reply_shapes.RELATE))


def grade_prompt(ask: AskGrade, setting: PromptContext) -> Prompt:
    thread = setting.record.threads[ask.thread]
    put = mark_as_data(f"{ask.claim} because {ask.reason}; falsifier: {ask.falsifier or 'none'}", 400)
    task = (
        f"You are {setting.labels.of(ask.agent)} and owe a grade, in private. Somebody put your position "
        f"({full_position(thread, ask.agent)}) as {put}."
    )
    state = describe_thread(thread, setting.labels, messages=0)
    return private_prompt(setting, state, task, plain_variant(*reply_shapes.GRADE))
