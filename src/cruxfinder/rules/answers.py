"""Can an answer be used? Every ask has its kind of answer, and a chance lies between 0 and 1."""

import math
from collections.abc import Iterator

from cruxfinder.model.asks import (
    Ask,
    AskDraft,
    AskFirst,
    AskJudge,
    AskProbe,
    AskRelate,
    Drafted,
    Failed,
    First,
    Judged,
    Probed,
    Related,
    Silence,
)
from cruxfinder.rules.messages import confidences


def fault(ask: Ask, answer: object) -> str:
    """Why an answer cannot be used; empty if it can."""
    match ask, answer:
        case _, Failed():
            return ""
        case (AskFirst(), First()) | (AskProbe(), Probed()) | (AskRelate(), Related()):
            strange = next((p for p in chances(answer) if not is_chance(p)), None)
            return "" if strange is None else f"{strange!r} is not a chance between 0 and 1"
        case AskDraft(), Drafted(draft=draft):
            strange = next((c for c in confidences(draft.move) if not math.isfinite(c)), None)
            return "" if strange is None else f"{strange!r} is not a confidence"
        case (AskDraft(), Silence()) | (AskJudge(), Judged()):
            return ""
        case _:
            return f"{type(answer).__name__} is not an answer to it"


def chances(answer: First | Probed | Related) -> Iterator[object]:
    if isinstance(answer, Related):
        yield from (answer.second_if_yes, answer.second_if_no, answer.first_if_yes, answer.first_if_no)
        return
    yield answer.p_top
    if isinstance(answer, Probed):
        for row in (*answer.credences, *answer.fixed):
            yield from row[1:]


def is_chance(p: object) -> bool:
    return isinstance(p, float | int) and not isinstance(p, bool) and math.isfinite(p) and 0 <= p <= 1
