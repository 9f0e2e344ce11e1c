"""Planted worlds: disagreements drawn at random, of a kind that is known, whose truth follows from their networks."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from cruxfinder.cruxbench.answer_scoring import AnswerKey
from cruxfinder.cruxbench.planted_subjects import WorldSet, subjects
from cruxfinder.cruxbench.world_sketches import DRAW, FACTS, Kind, Sketch
from cruxfinder.cruxbench.world_truth import (
    GAP_MIN,
    JOINT_MIN,
    MARGIN,
    SEVERAL_FACTS,
    SHARE_MIN,
    WorldFigures,
    WorldTruth,
    crux_ending,
    figures_of,
    top_side,
)
from cruxfinder.cruxbench.world_wording import pack_of
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.vocabulary import Verdict

GENERATOR: Final = 1  # raised when the same name draws another world
SIZES: Final = (2, 3, 5, 8, 12, 4, 6, 10, 7, 9, 11)
CROWDS: Final = tuple(size for size in SIZES if size >= 4)
MESSAGES_A_HEAD: Final = 6  # where a debate is cut short: a question is chosen by then, and seldom heard out
TRIES_MAX: Final = 2000


@dataclass(frozen=True, slots=True)
class PlantedWorld:
    """A disagreement with its answer. Its name is all that it takes to draw it again."""

    name: str
    kind: Kind
    number: int
    pack: Pack
    truth: WorldTruth

    @property
    def messages_max(self) -> int:
        """After which its debate ends; none where it takes as long as it takes."""
        return MESSAGES_A_HEAD * len(self.pack.personas) if self.kind is Kind.CUT_SHORT else 0

    @property
    def answer_key(self) -> AnswerKey:
        people = {p.id: p.name for p in self.pack.personas}
        return AnswerKey(known=self.pack.propositions, truth=self.truth, people=people)


def draw_world(of: WorldSet, seed: int, kind: Kind, number: int) -> PlantedWorld:
    """A world by its name. What is drawn is drawn again until it is clearly what it is meant to be."""
    name = f"{of}/{seed}/{kind}/{number}"
    rng = Random(f"cruxbench {GENERATOR}/{name}")
    sizes = CROWDS if kind in (Kind.CONFORMITY, Kind.PERSUASION) else SIZES
    subject = rng.choice(subjects(of))
    for _ in range(TRIES_MAX):
        sketch = DRAW[kind](rng, sizes[number % len(sizes)])
        pack = pack_of(sketch, subject, rng)
        truth = truth_of(kind, sketch, pack)
        if truth is not None:
            return PlantedWorld(name=name, kind=kind, number=number, pack=pack, truth=truth)
    raise AssertionError(f"no world {name} in {TRIES_MAX} draws")


# ---- the answer


def truth_of(kind: Kind, sketch: Sketch, pack: Pack) -> WorldTruth | None:
    """The answer that the networks give; None where the draw is not clearly of its kind."""
    found = figures_of(pack)
    if kind is Kind.NO_DISAGREEMENT:
        return make_truth(pack, found, Verdict.NO_DISAGREEMENT.value) if agrees(found) else None
    if not found.yes or not found.no or found.gap < GAP_MIN + MARGIN:
        return None
    if any(abs(p_top - 0.5) < 0.01 for p_top in found.tops):
        return None
    match kind:
        case Kind.VALUES:
            return values_truth(pack, found)
        case Kind.SEVERAL_FACTS:
            return facts_truth(pack, found)
        case Kind.DEFINITIONS | Kind.HORIZON:
            return reading_truth(kind, sketch, pack, found)
        case _:
            return crux_truth(kind, sketch, pack, found)


def agrees(found: WorldFigures) -> bool:
    """No two groups anywhere, whatever line is drawn between them."""
    low, high = min(found.tops), max(found.tops)
    return high - low < GAP_MIN - MARGIN and high / (1 - high) < 2 * low / (1 - low)


def values_truth(pack: Pack, found: WorldFigures) -> WorldTruth | None:
    if max(found.share) > SHARE_MIN - 2 * MARGIN or found.joint_share(range(len(found.share))) > JOINT_MIN - 2 * MARGIN:
        return None
    return make_truth(pack, found, Verdict.VALUES.value)


def facts_truth(pack: Pack, found: WorldFigures) -> WorldTruth | None:
    facts = [n for n, share in enumerate(found.share) if share >= 0.15]
    others = [share for n, share in enumerate(found.share) if n not in facts]
    if len(facts) != FACTS or max(found.share) >= SHARE_MIN - 0.002 or max(others) > MARGIN:
        return None
    if found.joint_share(facts) < JOINT_MIN + MARGIN:
        return None
    return make_truth(pack, found, SEVERAL_FACTS, facts=facts)


def reading_truth(kind: Kind, sketch: Sketch, pack: Pack, found: WorldFigures) -> WorldTruth | None:
    """Far apart as each reads the question, close once its wording, or its span of time, is fixed."""
    hinge = sketch.hinge
    rivals = [share for n, share in enumerate(found.share) if n != hinge]
    if found.share[hinge] < SHARE_MIN + MARGIN or max(rivals) > SHARE_MIN - MARGIN:
        return None
    held = {p.id: (p.beliefs[hinge].by_sense or p.beliefs[hinge].by_horizon)[0][1] for p in pack.personas}
    own, fixed = (
        abs(sum(by[a] for a in found.yes) / len(found.yes) - sum(by[a] for a in found.no) / len(found.no))
        for by in ({a: float(s.credences[hinge]) for a, s in found.states.items()}, held)
    )
    verdict = Verdict.DEFINITIONS if kind is Kind.DEFINITIONS else Verdict.HORIZON
    return make_truth(pack, found, verdict.value, named=[hinge]) if fixed < 0.4 * own else None


def crux_truth(kind: Kind, sketch: Sketch, pack: Pack, found: WorldFigures) -> WorldTruth | None:
    """The question that closes most of the gap, and whoever comes near it."""
    share, closed = list(found.share), list(found.closed)
    if sketch.again is not None:
        if share[sketch.again] < 0.9:
            return None
        share[sketch.again] = closed[sketch.again] = 0.0
    wanted = 2 if kind in (Kind.TWO_CRUXES, Kind.CHAIN) else 1
    ranked = sorted(range(len(share)), key=lambda n: -closed[n])
    cruxes, rest = ranked[:wanted], ranked[wanted:]
    if min(share[n] for n in cruxes) < SHARE_MIN + MARGIN:
        return None
    if max(share[n] for n in rest) > (SHARE_MIN - MARGIN if wanted > 1 else share[cruxes[0]] - MARGIN):
        return None
    if closed[cruxes[-1]] - closed[rest[0]] < MARGIN:
        return None
    if kind is not Kind.TWO_CRUXES and cruxes[0] != sketch.hinge:
        return None
    endings = {crux_ending(found, n) for n in cruxes}
    ending = endings.pop()
    if ending is None or endings:
        return None
    return make_truth(
        pack,
        found,
        ending,
        primary=cruxes,
        cruxes=[*cruxes, *(n for n in rest if share[n] > SHARE_MIN + MARGIN)],
        allowed=[n for n in rest if abs(share[n] - SHARE_MIN) <= MARGIN],
        again=sketch.again,
    )


def make_truth(
    pack: Pack,
    found: WorldFigures,
    ending: str,
    *,
    primary: Sequence[int] = (),
    cruxes: Sequence[int] = (),
    facts: Sequence[int] = (),
    allowed: Sequence[int] = (),
    named: Sequence[int] = (),
    again: int | None = None,
) -> WorldTruth:
    ids = [p.id for p in pack.propositions]
    return WorldTruth(
        ending=ending,
        primary=tuple(ids[n] for n in primary),
        cruxes=tuple(ids[n] for n in cruxes),
        facts=tuple(ids[n] for n in facts),
        allowed=tuple(ids[n] for n in allowed),
        again="" if again is None else ids[again],
        sides={agent: top_side(s.p_top) for agent, s in found.states.items()},
        crux_sides={ids[n]: found.sides(n) for n in (*cruxes, *facts, *named)},
    )
