"""Asks for turns as prompts: what was said last, what is due, and the object a reply has to be."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from cruxfinder.crux.law.blind import Labels
from cruxfinder.debaters.modelled import reply_shapes
from cruxfinder.debaters.modelled.reply_shapes import ReplyVariant
from cruxfinder.kernel.field_meanings import MeantField
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.language.quoted_data import mark_as_data
from cruxfinder.ports import JsonSchema, Prompt
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.asks import AskConsent, AskTurn
from cruxfinder.talk.decide import talk_of
from cruxfinder.talk.law.turn_form import SUMMING_UP
from cruxfinder.talk.state import Conversation, Talk, find_turn, last_turn_of
from cruxfinder.talk.turns import CHAIRS, Turn, TurnType

SHOWN: Final = 4  # turns a prompt quotes; with topic, subject and synthesis it stays as long as it is
TURN_MAX: Final = 260
SUMMED_UP: Final = 12  # turns, each with less of it, that whoever sums up or rules is shown
SUMMED_UP_MAX: Final = 130
TOKENS: Final = {TurnType.REACTION: 200, TurnType.QUESTION: 200}
TOKENS_MAX: Final = 500
CONSENT_TOKENS: Final = 150
PASS: Final = "PASS"

NEWNESS: Final = (
    "Say something new: an implication (if …, then …), an application to a case, a counterexample, or a test. "
    "Repeat nothing that was said."
)


class Names:
    """How speakers are called among themselves: by name, or by letters where nobody is to know who speaks."""

    def __init__(self, record: Conversation, labels: Labels) -> None:
        self._shown = {
            s.id: labels.of(s.id) if labels.hidden and s.role not in CHAIRS else s.name for s in record.seats
        }

    def of(self, agent: AgentId) -> str:
        return self._shown.get(agent, str(agent))

    def find_agent(self, said: str) -> AgentId | None:
        wanted = said.strip().casefold()
        for agent, shown in self._shown.items():
            if wanted in {shown.casefold(), str(agent).casefold()}:
                return agent
        return None


# ---- prompts


def turn_prompt(ask: AskTurn, system: str, record: Conversation, labels: Labels) -> Prompt:
    names, talk = Names(record, labels), talk_of(record)
    variants = turn_variants(ask, attended=record.settings.asks_user)
    limit = f"at most {ask.words} words" + (f" and {ask.sentences} sentences" if ask.sentences > 1 else "")
    limit += ", one sentence" if ask.sentences == 1 else ""
    parts = [
        f"Now: {mark_as_data(ask.subject, 300)}" if ask.subject else "",
        *talk_lines(ask, talk, names),
        f"You are {names.of(ask.agent)}, {ask.role.replace('-', ' ')}.{answer_hint(ask, talk, names)} {ask.task}",
        "" if ask.role in CHAIRS else NEWNESS,
        describe_refusal(ask, labels),
        f"{ask.type}, {limit}.{' Several turns in one reply.' if ask.following else ''}",
        *describe_replies(ask, variants, names),
    ]
    return Prompt(
        system=system,
        user="\n".join(part for part in parts if part),
        tokens_out=TOKENS.get(ask.type, TOKENS_MAX) * (1 + len(ask.following)),
        grammar=turn_grammar(ask, variants, names),
        schema=turn_schema(ask, variants, names),
        judges=ask.role in CHAIRS,
    )


def talk_lines(ask: AskTurn, talk: Talk, names: Names) -> Iterator[str]:
    """The last synthesis, the turn to be answered, and the last turns; more of them, shorter, to sum up."""
    summing_up = ask.type in SUMMING_UP
    shown = list(talk.turns[-SUMMED_UP:] if summing_up else talk.turns[-SHOWN:])
    given = next((t for t in reversed(talk.turns) if t.type is TurnType.SYNTHESIS), None)
    for wanted in (find_turn(talk, ask.answers), given, last_turn_of(talk, ask.agent)):
        if wanted is not None and wanted not in shown:
            shown.insert(0, wanted)
    yield from (describe_turn(t, names, SUMMED_UP_MAX if summing_up else TURN_MAX) for t in shown)
    answers = {a.turn: a.answer for a in talk.answers}
    for asked in talk.questions[-1:]:
        if answers.get(asked.turn):
            yield f"The user answered: {mark_as_data(answers[asked.turn], TURN_MAX)}"


def describe_turn(turn: Turn, names: Names, most: int) -> str:
    granted = f" concedes {mark_as_data(turn.draft.concedes, most)}" if turn.draft.concedes else ""
    return f"{turn.id} {names.of(turn.agent)} {turn.type} {mark_as_data(turn.content, most)}{granted}"


def answer_hint(ask: AskTurn, talk: Talk, names: Names) -> str:
    to = find_turn(talk, ask.answers)
    return "" if to is None else f" Answer {to.id} of {names.of(to.agent)}."


def describe_refusal(ask: AskTurn, labels: Labels) -> str:
    if not ask.refused:
        return ""
    reasons = "; ".join(f"{r.reason}: {r.remedy}" for r in ask.refused)
    return f"Your last draft was refused: {mark_as_data(labels.without_names(reasons), 400)}"


# ---- what a reply looks like


@dataclass(frozen=True, slots=True)
class TurnVariants:
    """The turn that was asked for, and what may stand in its place."""

    due: ReplyVariant
    question: ReplyVariant | None  # to the user
    silence: ReplyVariant | None


def turn_variants(ask: AskTurn, *, attended: bool) -> TurnVariants:
    words = reply_shapes.TURN_FIELDS["content"]
    return TurnVariants(
        due=ReplyVariant((("type", ask.type.value),), (words, *more_fields(ask))),
        question=ReplyVariant((("type", TurnType.QUESTION.value), ("to_user", True)), (words,))
        if attended and ask.may_ask
        else None,
        silence=None if ask.owed else ReplyVariant((("type", PASS),), ()),
    )


def more_fields(ask: AskTurn) -> Iterator[MeantField]:
    """What a rule has to know beside the words."""
    if ask.answers is not None and ask.role not in CHAIRS:
        yield given_always("reply_to")
    yield from (given_always(name) for name in turn_tasks.extra_fields(ask.type, ask.task))


def given_always(name: str) -> MeantField:
    """A field that a turn of some other kind may lack."""
    field = reply_shapes.TURN_FIELDS[name]
    return field if field.meaning.may_be_empty else replace(field, may_lack=False)


def all_turns(ask: AskTurn, variants: TurnVariants, names: Names) -> list[ReplyVariant]:
    """The turn that was asked for and those of who follows, each with its speaker."""
    own = replace(variants.due, tags=(("agent", names.of(ask.agent)), *variants.due.tags))
    words = reply_shapes.TURN_FIELDS["content"]
    others: list[ReplyVariant] = []
    for due in ask.following:
        more = (given_always(name) for name in turn_tasks.extra_fields(due.type))
        others.append(ReplyVariant((("agent", names.of(due.agent)), ("type", due.type.value)), (words, *more)))
    return [own, *others]


def describe_replies(ask: AskTurn, variants: TurnVariants, names: Names) -> Iterator[str]:
    if ask.following:
        turns = ", ".join(reply_shapes.describe_variant(turn) for turn in all_turns(ask, variants, names))
        yield f'JSON: {{"turns": [{turns}]}}, the turns of those who follow each true to its own view.'
    else:
        yield f"JSON: {reply_shapes.describe_variant(variants.due)}"
    if variants.question is not None:
        told = reply_shapes.describe_variant(variants.question)
        yield f"Or a question to the user, only if their answer decides it: {told}"
    if variants.silence is not None:
        yield f"Or, if you have nothing new: {reply_shapes.describe_variant(variants.silence)}"


def instead(variants: TurnVariants) -> list[ReplyVariant]:
    return [variant for variant in (variants.question, variants.silence) if variant is not None]


def turn_schema(ask: AskTurn, variants: TurnVariants, names: Names) -> JsonSchema:
    if not ask.following:
        return reply_shapes.schema_of([variants.due, *instead(variants)])
    turns = [reply_shapes.variant_schema(turn) for turn in all_turns(ask, variants, names)]
    several: JsonSchema = {
        "type": "object",
        "properties": {"turns": {"type": "array", "items": {"oneOf": turns}, "minItems": 1}},
        "required": ["turns"],
        "additionalProperties": False,
    }
    others = [reply_shapes.variant_schema(variant) for variant in instead(variants)]
    return {"oneOf": [several, *others]} if others else several


def turn_grammar(ask: AskTurn, variants: TurnVariants, names: Names) -> str:
    if not ask.following:
        return reply_shapes.grammar_of([variants.due, *instead(variants)])
    turns = ' "," '.join(reply_shapes.object_rule(t.fields, (), t.tags) for t in all_turns(ask, variants, names))
    several = f'"{{\\"turns\\":[" {turns} "]}}"'
    others = [reply_shapes.object_rule(v.fields, (), v.tags) for v in instead(variants)]
    return reply_shapes.grammar(" | ".join((several, *others)))


def consent_prompt(ask: AskConsent, system: str, record: Conversation, labels: Labels) -> Prompt:
    names = Names(record, labels)
    own = last_turn_of(talk_of(record), ask.agent)
    reply = reply_shapes.plain_variant(*reply_shapes.CONSENT)
    user = "\n".join(
        part
        for part in (
            "" if own is None else f"You said last: {mark_as_data(own.content, TURN_MAX)}",
            f"You are {names.of(ask.agent)}. In private: can you live with this as the position of all, "
            f"{mark_as_data(ask.proposal, 900)}?",
            reply_shapes.describe_reply(reply),
        )
        if part
    )
    return Prompt(
        system=system,
        user=user,
        tokens_out=CONSENT_TOKENS,
        grammar=reply_shapes.grammar_of([reply]),
        schema=reply_shapes.schema_of([reply]),
        judges=True,
    )
