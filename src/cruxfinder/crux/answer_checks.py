"""Can an answer be used? Every ask has its kind of answer, a chance lies between 0 and 1, and a text can be written."""

import math
from collections.abc import Iterator
from typing import cast

from cruxfinder.crux import asks
from cruxfinder.crux.law.messages import confidences
from cruxfinder.kernel.effects import Ask
from cruxfinder.kernel.run_facts import Failed, Silence
from cruxfinder.kernel.value_checks import chance_faults, side_faults, text_faults
from cruxfinder.kernel.vocabulary import Grade, Side, TopSide


def answer_fault(ask: Ask, answer: object) -> str:
    """Why an answer cannot be used; empty if it can."""
    match ask, answer:
        case _, Failed():
            return ""
        case asks.AskGrade(), asks.Graded():
            return next(iter((*grade_faults(answer.grade), *text_faults(answer.missing))), "")
        case (
            (asks.AskFirst(), asks.First())
            | (asks.AskProbe(), asks.Probed())
            | (asks.AskRelate(), asks.Related())
            | (asks.AskJudge(), asks.Judged())
        ):
            return next(faults(answer), "")
        case asks.AskDraft(), asks.Drafted(draft=draft):
            strange = next((c for c in confidences(draft.move) if not math.isfinite(c)), None)
            return "" if strange is None else f"{strange!r} is not a confidence"
        case asks.AskDraft(), Silence():
            return ""
        case _:
            return f"{type(answer).__name__} is not an answer to it"


def faults(answer: asks.First | asks.Probed | asks.Related | asks.Judged) -> Iterator[str]:
    match answer:
        case asks.First():
            yield from (*chance_faults(answer.p_top), *text_faults(answer.reason), *side_faults(TopSide, answer.side))
        case asks.Related():
            yield from chance_faults(answer.second_if_yes, answer.second_if_no, answer.first_if_yes, answer.first_if_no)
            yield from text_faults(answer.sketch, answer.back)
        case asks.Judged():
            yield from text_faults(answer.objection, answer.statement)
            if answer.side is not None:
                yield from side_faults(Side, answer.side)
        case asks.Probed():
            yield from chance_faults(answer.p_top)
            if answer.judged is not None:
                yield from faults(answer.judged)
            for rows, kind in (
                (answer.credences, asks.Credence),
                (answer.fixed, asks.FixedReading),
                (answer.links, asks.QuestionLink),
            ):
                yield from row_faults(rows, kind)
            if answer.public_side is not None:
                yield from side_faults(TopSide, answer.public_side)


def row_faults(rows: object, kind: type[asks.Credence | asks.FixedReading | asks.QuestionLink]) -> Iterator[str]:
    if not isinstance(rows, tuple | list):
        yield f"{rows!r} is not a list of answers"
        return
    for row in cast("tuple[object, ...]", rows):
        if not isinstance(row, kind):
            yield f"{row!r} is not an answer about a question"
        else:
            ids = 2 if kind is asks.QuestionLink else 1
            yield from (*text_faults(*row[:ids]), *chance_faults(*row[ids:]))


def grade_faults(value: object) -> tuple[str, ...]:
    ok = isinstance(value, Grade) and value is not Grade.PENDING
    return () if ok else (f"{value!r} is not a grade",)
