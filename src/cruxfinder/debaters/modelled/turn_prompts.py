"""Asks for turns as prompts, and replies as turns: marked ones, or plain words where a model knows no better."""

import re
from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.law.blind import Labels
from cruxfinder.debaters.modelled import reply_shapes
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.vocabulary import AgentId, TopSide
from cruxfinder.language.quoted_data import mark_as_data
from cruxfinder.ports import Prompt, UnreadableReply
from cruxfinder.protocols.any_ask import AnyAnswer
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.asks import AskConsent, AskTurn, OfferedTurn, Spoken
from cruxfinder.talk.decide import talk_of
from cruxfinder.talk.law import markers
from cruxfinder.talk.law.turn_form import SUMMING_UP
from cruxfinder.talk.state import Conversation, Talk, find_turn, last_turn_of
from cruxfinder.talk.turns import CHAIRS, Turn, TurnDraft, TurnId, TurnType

SHOWN: Final = 4  # turns a prompt quotes; with topic, subject and synthesis it stays as long as it is
TURN_MAX: Final = 260
SUMMED_UP: Final = 12  # turns, each with less of it, that whoever sums up or rules is shown
SUMMED_UP_MAX: Final = 130
TOKENS: Final = {TurnType.REACTION: 200, TurnType.QUESTION: 200}
TOKENS_MAX: Final = 500
CONSENT: Final = (reply_shapes.ReplyField("agrees", "flag"), reply_shapes.ReplyField("why", optional=True))
CONSENT_TOKENS: Final = 150
PASS: Final = "PASS"
TAKES_SIDE: Final = frozenset({TurnType.RULING, TurnType.POSITION, TurnType.CONCESSION})

NEWNESS: Final = (
    "Say something new: an implication (if …, then …), an application to a case, a counterexample, or a test. "
    "Repeat nothing that was said."
)
FIELD: Final = re.compile(r"^[ \t]*\**(SIDE|CONCEDES|NEXT|USER|ANSWERS)\**[ \t]*:[ \t]*(.*)$", re.MULTILINE)
TURN_ID: Final = re.compile(r"\bn(\d{1,4})\b")


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
    limit = f"at most {ask.words} words" + (f" and {ask.sentences} sentences" if ask.sentences > 1 else "")
    limit += ", one sentence" if ask.sentences == 1 else ""
    parts = [
        f"Now: {mark_as_data(ask.subject, 300)}" if ask.subject else "",
        *talk_lines(ask, talk, names),
        f"You are {names.of(ask.agent)}, {ask.role.replace('-', ' ')}.{answer_hint(ask, talk, names)} {ask.task}",
        "" if ask.role in CHAIRS else NEWNESS,
        describe_refusal(ask, labels),
        f"{ask.type}, {limit}. Reply like this{'' if ask.owed else f', or {PASS} if you have nothing new'}:",
        reply_shape(ask, names, attended=record.settings.asks_user),
        request_following(ask, names),
    ]
    return Prompt(
        system=system,
        user="\n".join(part for part in parts if part),
        tokens_out=TOKENS.get(ask.type, TOKENS_MAX) * (1 + len(ask.following)),
        grammar=grammar(ask, names),
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


def reply_shape(ask: AskTurn, names: Names, *, attended: bool) -> str:
    body = "\n".join(("your words", *extra_lines(ask, attended=attended)))
    return markers.wrap_in_markers(markers.MarkedTurn(names.of(ask.agent), ask.role, ask.type, body))


def extra_lines(ask: AskTurn, *, attended: bool) -> Iterator[str]:
    """Lines after the words, for what a rule has to know."""
    if ask.answers is not None and ask.role not in CHAIRS:
        yield "ANSWERS: nN, the turn you answer"
    if ask.type in TAKES_SIDE or ask.task == turn_tasks.MERGE:
        yield "SIDE: YES|NO|NUANCED on the topic"
    if ask.type is TurnType.CONCESSION:
        yield "CONCEDES: the point of others that you grant, or nothing"
    if ask.type is TurnType.SYNTHESIS:
        yield "NEXT: the next step"
    if attended and ask.may_ask:
        yield "USER: a question to the user instead, only if their answer decides it"


def request_following(ask: AskTurn, names: Names) -> str:
    if not ask.following:
        return ""
    listed = ", ".join(f"{names.of(due.agent)} ({due.type})" for due in ask.following)
    return f"Then, marked in the same way, the turns of those who follow, each true to its own view: {listed}."


def grammar(ask: AskTurn, names: Names) -> str:
    """Markers and words, without what could end them; several turns are not held to a grammar."""
    if ask.following:
        return ""
    head = markers.head(names.of(ask.agent), ask.role, ask.type).replace("\\", "\\\\").replace('"', '\\"')
    turn = f'"{head}\\n" [^<>]{{1,900}} "\\n<!-- TURN_END -->"'
    return f"root ::= {turn}" if ask.owed else f'root ::= "{PASS}" | {turn}'


def consent_prompt(ask: AskConsent, system: str, record: Conversation, labels: Labels) -> Prompt:
    names = Names(record, labels)
    own = last_turn_of(talk_of(record), ask.agent)
    user = "\n".join(
        part
        for part in (
            "" if own is None else f"You said last: {mark_as_data(own.content, TURN_MAX)}",
            f"You are {names.of(ask.agent)}. In private: can you live with this as the position of all, "
            f"{mark_as_data(ask.proposal, 900)}? Agree only if you would sign it. why: what stands against it.",
            f"JSON: {{{reply_shapes.describe_fields(CONSENT)}}}",
        )
        if part
    )
    rule = reply_shapes.grammar(reply_shapes.object_rule(CONSENT, ()))
    return Prompt(system=system, user=user, tokens_out=CONSENT_TOKENS, grammar=rule, judges=True)


# ---- replies


def read_turn(text: str, ask: AskTurn, record: Conversation, labels: Labels) -> AnyAnswer:
    """The turn that was asked for, and those of others where they were asked for too."""
    names = Names(record, labels)
    found = markers.parse(text) or markers.parse(markers.separate_markers(text))
    own = next((t.content for t in found if names.find_agent(t.agent) == ask.agent), None)
    if found and own is None:
        raise UnreadableReply(f"there is no turn of {names.of(ask.agent)} in it")
    said = markers.strip_markers(text) if own is None else own
    if said.strip(" .*\"'\n").upper() == PASS:
        if ask.owed:
            raise UnreadableReply("this turn cannot be passed over")
        return Silence(why="nothing new to say")
    also: list[OfferedTurn] = []
    for other in found:
        agent = names.find_agent(other.agent)
        if agent is not None and any(due == (agent, other.type) for due in ask.following):
            also.append(OfferedTurn(agent=agent, turn=draft_from_text(other.content, other.type, None, record)))
    return Spoken(turn=draft_from_text(said, ask.type, ask, record), also=tuple(also))


def draft_from_text(text: str, type: TurnType, ask: AskTurn | None, record: Conversation) -> TurnDraft:
    """Words and the lines after them."""
    fields = {name: value.strip() for name, value in FIELD.findall(text)}
    content = " ".join(FIELD.sub("", text).split())
    user = fields.get("USER", "")
    if user and ask is not None and ask.may_ask:
        return TurnDraft(type=TurnType.QUESTION, content=" ".join(user.split()), to_user=True)
    if not content:
        raise UnreadableReply("there are no words in the turn")
    return TurnDraft(
        type=type,
        content=content,
        reply_to=reply_target(fields.get("ANSWERS", ""), ask, record),
        side=read_side(fields.get("SIDE", "")),
        concedes="" if is_nothing(fields.get("CONCEDES", "")) else fields["CONCEDES"],
        next_step=fields.get("NEXT", ""),
    )


def reply_target(said: str, ask: AskTurn | None, record: Conversation) -> TurnId | None:
    named = TURN_ID.search(said)
    id = None if named is None else TurnId(f"n{int(named[1])}")
    if id is not None and find_turn(talk_of(record), id) is not None:
        return id
    return None if ask is None else ask.answers


def read_side(said: str) -> TopSide | None:
    word = said.strip(" .*").upper().split(" ")[0].strip(".,;:")
    return TopSide(word) if word in set(TopSide) else None


def is_nothing(said: str) -> bool:
    return said.strip(" .\"'*").casefold() in {"", "nothing", "none", "no", "n/a", "-", "—"}
