"""What nobody who makes a move has to write: what the record has, and what is known from what is owed."""

from cruxfinder.crux.asks import AskDraft
from cruxfinder.crux.law import crux_quality
from cruxfinder.crux.moves import MOVE_TYPES
from cruxfinder.crux.state import Debate
from cruxfinder.kernel.field_meanings import MeantField, When, meant_fields
from cruxfinder.kernel.vocabulary import MoveKind, Side, TopSide


def known_fields(move: MoveKind, ask: AskDraft, record: Debate) -> dict[str, str | float]:
    """The fields of a move that are given already, as they stand on the wire."""
    return {**owed_fields(move, ask), **recorded_fields(move, ask, record)}


def owed_fields(move: MoveKind, ask: AskDraft) -> dict[str, str | float]:
    """What is owed says whom it is about, or which message."""
    duty = ask.duty
    if duty is None or duty.move is not move:
        return {}
    told = {"agent": duty.about, "message": duty.message}
    found = {field.name: told.get(field.kind) for field in meant_fields(MOVE_TYPES[move])}
    return {name: value for name, value in found.items() if value is not None}


def recorded_fields(move: MoveKind, ask: AskDraft, record: Debate) -> dict[str, str | float]:
    """Where an agent stood before it changed its mind."""
    if move is MoveKind.UPDATE_POSITION:
        thread = record.threads[ask.thread]
        before = thread.commitments.get(ask.agent)
        side = crux_quality.positions_now(thread).get(ask.agent, Side.UNCERTAIN)
        return {"side_before": side.value, "confidence_before": 0.5 if before is None else before.confidence}
    if move is MoveKind.CONCEDE:
        top = record.tops.get(ask.agent)
        return {"side_before": (TopSide.NUANCED if top is None else top.side).value}
    return {}


def is_asked(field: MeantField, given: dict[str, object]) -> bool:
    return holds(field.meaning.asked_if, given, otherwise=True)


def is_needed(field: MeantField, given: dict[str, object]) -> bool:
    """May it not be left out, as the other fields of the move stand?"""
    condition = field.meaning.needed_if or field.meaning.asked_if
    return holds(condition, given, otherwise=not field.may_lack)


def holds(condition: When | None, given: dict[str, object], *, otherwise: bool) -> bool:
    return otherwise if condition is None else given.get(condition.field) in condition.values
