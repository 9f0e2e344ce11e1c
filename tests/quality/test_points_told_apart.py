"""Whether two texts make the same point, how right: arguments of ArgKP and the key points they make."""

import csv
from pathlib import Path

import numpy as np
import pytest

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.adapters.embeddings.vectors import StaticModel
from tests.quality.shares import Judge, Share, share_of

pytestmark = pytest.mark.quality

ARGKP = Path(__file__).parents[3] / "shared" / "data" / "argkp" / "dev"


def rows(kind: str) -> list[dict[str, str]]:
    return list(csv.DictReader((ARGKP / f"{kind}_dev.csv").open(encoding="utf-8", newline="")))


def nearer(figures: np.ndarray, same: np.ndarray) -> Share:
    """The area under the curve, with the interval of draws of as many pairs."""

    def area(drawn: np.ndarray) -> float:
        match, other = np.sort(figures[drawn][same[drawn]]), figures[drawn][~same[drawn]]
        return float(1 - np.searchsorted(match, other, side="right").mean() / len(match))

    dice = np.random.default_rng(0)
    draws = [area(dice.integers(0, len(figures), len(figures))) for _ in range(200)]
    low, high = (float(edge) for edge in np.quantile(draws, [0.025, 0.975]))
    return Share(area(np.arange(len(figures))), low, high, len(figures))


@pytest.mark.skipif(not ARGKP.is_dir(), reason="the arguments do not travel with the package")
def test_arguments_and_the_key_points_they_make(judge: Judge) -> None:
    """In part the vectors were trained on these pairs; what they reach on others is in docs/research/embeddings.md."""
    model = embedder("static")
    assert isinstance(model, StaticModel)
    said = {row["arg_id"]: row["argument"] for row in rows("arguments")}
    made = {row["key_point_id"]: row["key_point"] for row in rows("key_points")}
    figures = np.array([model.same_point(said[r["arg_id"]], made[r["key_point_id"]]) for r in rows("labels")])
    same = np.array([row["label"] == "1" for row in rows("labels")])
    judge.at_least("same point: ArgKP dev, of two pairs the matching one is nearer", nearer(figures, same), 0.75)
    judge.at_most(
        "same point: ArgKP dev, others called a repetition", share_of(figures[~same] >= model.repetition), 0.05
    )
