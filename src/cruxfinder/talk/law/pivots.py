"""When a conversation is led elsewhere. RED-5: it circles in one tension. RED-9: an act has no case and no text yet."""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

from cruxfinder.kernel.pack import Anchor, Dilemma, Tension
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.language.english.texts import stem
from cruxfinder.talk.law import acts
from cruxfinder.talk.law.volleys import LEADS_ELSEWHERE
from cruxfinder.talk.state import Talk
from cruxfinder.talk.turns import PivotKind, Turn

CIRCLING: Final = RuleId("RED-5")
SUBSTANCE: Final = RuleId("RED-9")
SUBSTANTIAL: Final = frozenset({PivotKind.DILEMMA, PivotKind.ANCHOR})
WORD: Final = re.compile(r"[^\W\d_]+")


def count_cycles(talk: Talk, tension: Tension | None) -> int:
    """How often both sides of the tension came up in two turns running, since something new was said.

    Where there is no tension to watch, two turns without anything new are a cycle.
    """
    found = 0
    since = max((p.number for p in talk.pivots if p.to in LEADS_ELSEWHERE), default=0)
    turns = [turn for turn in talk.speaker_turns if turn.number > since]
    for before, turn in pairwise(turns):
        if turn.entailments:
            found = 0
        elif tension is None or sides(before, tension) | sides(turn, tension) == {0, 1}:
            found += 1
    return found


def is_circling(talk: Talk, tension: Tension | None, limits: Redundancy) -> bool:
    return count_cycles(talk, tension) >= limits.on_tension_cycles


def sides(turn: Turn, tension: Tension) -> set[int]:
    """Which sides of a tension a turn speaks of."""
    said = {stem(word) for word in WORD.findall(turn.content.lower())}
    return {n for n in (0, 1) if not said.isdisjoint(side_words(tension, n))}


@lru_cache(maxsize=256)
def side_words(tension: Tension, side: int) -> frozenset[str]:
    told = (tension.sides[side], *tension.words[side])
    return frozenset(stem(word) for phrase in told for word in WORD.findall(phrase.lower()))


def substance_due(talk: Talk, limits: Redundancy) -> bool:
    """Two thirds of an act are over without a case or a text to think about, or all that is left is to sum it up."""
    number = len(talk.turns)
    began = number - number % limits.synthesis_interval
    if number - began < min((2 * limits.synthesis_interval) // 3, limits.synthesis_interval - 2):
        return False
    return not any(p.to in SUBSTANTIAL and p.number >= began for p in talk.pivots)


def acts_without_substance(talk: Talk, limits: Redundancy) -> tuple[int, ...]:
    """Whole acts in which neither a dilemma nor an anchor came up."""
    whole = len(talk.turns) // limits.synthesis_interval
    had = {acts.act_of(p.number + 1, limits) for p in talk.pivots if p.to in SUBSTANTIAL}
    return tuple(act for act in range(1, whole + 1) if act not in had)


def unused_dilemmas(talk: Talk, dilemmas: tuple[Dilemma, ...]) -> tuple[Dilemma, ...]:
    used = {p.text for p in talk.pivots}
    return tuple(d for d in dilemmas if d.text not in used)


def unused_anchors(talk: Talk, anchors: tuple[Anchor, ...]) -> tuple[Anchor, ...]:
    """Neither brought up by the host nor quoted by a speaker."""
    used = {p.text for p in talk.pivots}
    said = " ".join(turn.content for turn in talk.speaker_turns)
    return tuple(a for a in anchors if a.text not in used and a.text.rstrip(".") not in said)


def current_tension(talk: Talk, tensions: tuple[Tension, ...]) -> Tension | None:
    """The tension the conversation is in: the one it was led to last, else the first."""
    led = [p.text for p in talk.pivots if p.to is PivotKind.TENSION]
    named = {tension_name(t): t for t in tensions}
    return named.get(led[-1]) if led else next(iter(tensions), None)


def other_tensions(talk: Talk, tensions: tuple[Tension, ...], now: Tension | None) -> list[Tension]:
    """All but the one the conversation is in, those first it was never in or left longest ago."""
    led = {p.text: at for at, p in enumerate(talk.pivots, 1) if p.to is PivotKind.TENSION}
    began = {tension_name(t): 0 for t in tensions[:1]}  # where a conversation begins
    return sorted(
        (t for t in tensions if t != now), key=lambda t: led.get(tension_name(t), began.get(tension_name(t), -1))
    )


def tension_name(tension: Tension) -> str:
    return f"{tension.sides[0]} and {tension.sides[1]}"
