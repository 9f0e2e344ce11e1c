"""A conversation in turns as Argdown: every turn an argument for or against the topic, or the turn it answers."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.exports.argdown_text import Datum, heading, line, short_titles, title
from cruxfinder.kernel.vocabulary import TopSide
from cruxfinder.talk.minutes import Minutes, TurnRow
from cruxfinder.talk.turns import TurnType
from cruxfinder.telling.export_text import sentence
from cruxfinder.telling.outcomes import Names, is_over, names_of

TOPIC: Final = "[Topic]"
ON_TOPIC: Final = {TopSide.YES: "+>", TopSide.NO: "->"}
AGAINST: Final = frozenset({TurnType.REBUTTAL, TurnType.COUNTER})


def turns(told: Minutes) -> Iterator[str]:
    names = short_titles(names_of(told))
    held: dict[str, Datum] = {"verdict": told.verdict.value, "confidence": told.confidence, "over": is_over(told)}
    yield heading(1, "What it is about")
    yield line(0, "", TOPIC, told.topic, "topic", told.verdict.value, held=held)
    if told.turns:
        yield heading(1, "What was said")
    known = {turn.id: turn for turn in told.turns}
    for turn in told.turns:
        yield "\n".join(argument(turn, known, names))
    closing = told.syntheses[-1] if told.syntheses else None
    if closing is not None and closing.dissent:
        yield heading(1, "Who dissents")
        for row in closing.dissent:
            named = f"<{title(f'{names.get(row.agent, row.agent)} dissents')}>"
            yield "\n".join(
                (
                    line(0, "", named, sentence(row.why) or "Gave no reason.", "dissent"),
                    line(1, "->", turn_title(known[closing.turn], names), ""),
                )
            )


def argument(turn: TurnRow, known: dict[str, TurnRow], names: Names) -> Iterator[str]:
    tags = (turn.type.value, *((turn.side.value,) if turn.side is not None else ()), *turn.entailments)
    held: dict[str, Datum] = {"agent": turn.agent, "role": turn.role.value, "turn": turn.number}
    if turn.concedes:
        held["concedes"] = turn.concedes
    if turn.next_step:
        held["nextStep"] = turn.next_step
    yield line(0, "", turn_title(turn, names), turn.content, *tags, held=held)
    answered = None if turn.reply_to is None else known.get(turn.reply_to)
    if answered is not None:
        relation = relation_to(turn, answered)
        if relation:
            yield line(1, relation, turn_title(answered, names), "")
    elif turn.side is not None and turn.side in ON_TOPIC:
        yield line(1, ON_TOPIC[turn.side], TOPIC, "")


def turn_title(turn: TurnRow, names: Names) -> str:
    return f"<{title(f'{turn.id} {names.get(turn.agent, turn.agent)}')}>"


def relation_to(turn: TurnRow, answered: TurnRow) -> str:
    """For or against what it answers: by its kind, else by the sides both stand on."""
    if turn.type in AGAINST:
        return "->"
    if turn.type is TurnType.CONCESSION:
        return "+>"
    if turn.side not in ON_TOPIC or answered.side not in ON_TOPIC:
        return ""
    return "+>" if turn.side is answered.side else "->"
