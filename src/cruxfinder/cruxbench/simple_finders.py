"""The baselines of the table. They are told more than a finder is: what everybody privately answers on everything.

Each answer carries the noise of one probe. Every proposition of the world is asked about, whether anybody named it or
not; only *most mentioned* goes by what was said, before a question was chosen.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from cruxfinder.crux.events import MessagePosted
from cruxfinder.cruxbench.world_truth import figures_of
from cruxfinder.kernel.pack import Pack

Floats = NDArray[np.float64]
BASELINES: Final = ("random", "most mentioned", "polarity", "DCG alone", "gap closed", "first component")
CERTAIN: Final = 0.001


@dataclass(frozen=True, slots=True)
class AllAnswers:
    """Rows are people, columns propositions."""

    p_top: Floats
    c: Floats
    p1: Floats
    p0: Floats


def simple_answers(pack: Pack, said: Iterable[MessagePosted], noise: float, name: str) -> dict[str, str]:
    """The proposition that each baseline names. `name` tells this run from others."""
    rng, told = answers_in_run(pack, noise, name)
    spoken = Counter(topic for message in said for topic in message.topics)
    ids = [p.id for p in pack.propositions]
    scores: Mapping[str, list[float]] = {
        "random": [rng.random() for _ in ids],
        "most mentioned": [float(spoken[id]) for id in ids],
        "polarity": list(map(float, polarity(told))),
        "DCG alone": list(map(float, dcg(told))),
        "gap closed": list(map(float, gap_closed(told))),
        "first component": list(map(float, first_component(told))),
    }
    return {name: ids[max(range(len(ids)), key=lambda n, s=scores[name]: (s[n], -n))] for name in BASELINES}


def answers_in_run(pack: Pack, noise: float, name: str) -> tuple[Random, AllAnswers]:
    """The private answers of a run, the same for every finder; and the chance that goes on from there."""
    rng = Random(f"simple finders/{name}")
    return rng, ask_everything(pack, noise, rng)


def ask_everything(pack: Pack, noise: float, rng: Random) -> AllAnswers:
    states = figures_of(pack).states.values()
    count = len(pack.propositions)

    def say(p: float) -> float:
        return min(1 - CERTAIN, max(CERTAIN, p + (rng.gauss(0.0, noise) if noise else 0.0)))

    return AllAnswers(
        p_top=np.array([s.p_top for s in states]),  # camps are told from first positions, which carry no noise
        c=np.array([[say(float(c)) for c in s.credences] for s in states]),
        p1=np.array([[say(s.top_if(n, True)) for n in range(count)] for s in states]),
        p0=np.array([[say(s.top_if(n, False)) for n in range(count)] for s in states]),
    )


def polarity(told: AllAnswers) -> Floats:
    yes, no = (told.c > 0.55).sum(axis=0), (told.c < 0.45).sum(axis=0)
    return 2 * np.minimum(yes, no) / np.maximum(yes + no, 1)


def dcg(told: AllAnswers) -> Floats:
    firm = (told.c > 0.55) | (told.c < 0.45)
    flips = firm & (np.maximum(told.p1, told.p0) > 0.55) & (np.minimum(told.p1, told.p0) < 0.45)
    sure = np.maximum(told.c, 1 - told.c)
    impact = (sure * flips).sum(axis=0) / np.maximum(flips.sum(axis=0), 1)
    return flips.mean(axis=0) * polarity(told) * impact


def gap_closed(told: AllAnswers) -> Floats:
    yes, no = told.p_top > 0.5, told.p_top < 0.5
    if not yes.any() or not no.any():
        return np.zeros_like(told.c[0])
    settled = (told.c[yes].mean(axis=0) + told.c[no].mean(axis=0)) / 2
    apart1 = np.abs(told.p1[yes].mean(axis=0) - told.p1[no].mean(axis=0))
    apart0 = np.abs(told.p0[yes].mean(axis=0) - told.p0[no].mean(axis=0))
    gap = abs(float(told.p_top[yes].mean() - told.p_top[no].mean()))
    return 1 - (settled * apart1 + (1 - settled) * apart0) / max(gap, CERTAIN)


def first_component(told: AllAnswers) -> Floats:
    """How much each proposition weighs in what divides people's credences most."""
    axes = cast("Floats", np.linalg.svd(told.c - told.c.mean(axis=0), full_matrices=False)[2])
    return np.abs(axes[0])
