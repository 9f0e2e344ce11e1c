"""Whether two texts make the same point, and whether a turn says its speaker's case again, how right.

ArgKP and the disputes do not travel with the repository; what `opposites/` is stands in its README.
"""

import csv
import hashlib
import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.adapters.embeddings.vectors import StaticModel
from cruxfinder.language.english.repetition import DRAWN_AT, measure_retelling, repeats
from cruxfinder.language.english.retelling import RETOLD, Retellings
from cruxfinder.language.reading import Passage
from tests.quality.shares import Judge, Share, share_of

pytestmark = pytest.mark.quality

SETS = Path(os.environ.get("SETS") or Path(__file__).parents[3] / "shared") / "data"
ARGKP = SETS / "argkp" / "dev"
DISPUTES = SETS / "wikitactics" / "dev" / "disputes.json"
REPEATED = "DH4: Repeated argument"
OPPOSITES = Path(__file__).parent / "opposites"


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


# ---- restatements and contradictions


@cache
def triples(name: str) -> tuple[tuple[str, str, str], ...]:
    """A statement, its contradiction, its restatement."""
    lines = (OPPOSITES / f"{name}.txt").read_text("utf-8").splitlines()
    return tuple((said, denied, again) for said, denied, again in (line.split(" | ") for line in lines))


@pytest.mark.rule("RED-3")
@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("development", 0.75, 0.05),
        ("reworded_development", 0.55, 0.15),
        ("held_out", 0.7, 0.05),
        ("longer_development", 0.6, 0.15),
        ("judging", 0.7, 0.15),
    ],
)
def test_restatements_are_repetitions_and_contradictions_are_not(
    judge: Judge, name: str, least: float, most: float
) -> None:
    model = embedder("static")
    found = triples(name)
    judge.at_least(
        f"repetition: {name}, restatements found", share_of(repeats(model, s, a) for s, _, a in found), least
    )
    judge.at_most(
        f"repetition: {name}, contradictions called one", share_of(repeats(model, d, s) for s, d, _ in found), most
    )


@pytest.mark.rule("RED-3")
def test_pairs_of_strangers(judge: Judge) -> None:
    """Half of them were read while the rule was made; what they judged at first sight is in the folder's README."""
    model = embedder("static")
    pairs = [json.loads(line) for line in (OPPOSITES / "strangers_development.jsonl").read_text("utf-8").splitlines()]
    called = {
        kind: share_of(repeats(model, pair["second"], pair["first"]) for pair in pairs if pair["kind"] == kind)
        for kind in ("contradiction", "restatement", "different")
    }
    judge.at_least("repetition: strangers, restatements found", called["restatement"], 0.6)
    judge.at_most("repetition: strangers, contradictions called one", called["contradiction"], 0.12)
    judge.at_most("repetition: strangers, different points called one", called["different"], 0.05)


# ---- a speaker's own case again


def disputed_turns() -> Iterator[tuple[bool, bool, float]]:
    """Of each turn whose speaker spoke before: does its dispute judge, is it labelled a repetition, its score."""
    for dispute in json.loads(DISPUTES.read_text("utf-8")):
        judges = int(hashlib.sha256(dispute["conv_id"].encode()).hexdigest(), 16) % 2 == 1
        said = dispute["utterances"]
        texts, names = [turn["text"] for turn in said], [turn["username"] for turn in said]
        kept = Retellings(embedder("static"))
        for n, turn in enumerate(said):
            if own := tuple(m for m in range(n) if names[m] == names[n]):
                passage = Passage(text=texts[n], before=tuple(texts[:n]), own=own)
                found = measure_retelling(embedder("static"), kept, passage, DRAWN_AT)
                yield judges, REPEATED in turn["rebuttal_labels"], found.score


@pytest.mark.rule("RED-3")
@pytest.mark.skipif(not DISPUTES.is_file(), reason="the disputes do not travel with the repository")
def test_arguments_that_their_speakers_repeat(judge: Judge) -> None:
    """The constants were chosen on one half of the disputes; the other half judges. A false alarm is any other turn."""
    told = [*disputed_turns()]
    for judges, half, least in ((False, "tuning", 0.8), (True, "judging", 0.78)):
        figures = np.array([score for which, _, score in told if which is judges])
        again = np.array([repeated for which, repeated, _ in told if which is judges])
        line = np.quantile(figures[~again], 0.95)
        judge.at_least(
            f"own case again: disputes, {half} half, a repeated one scores higher", nearer(figures, again), least
        )
        judge.at_least(f"own case again: disputes, {half} half, found at 5 %", share_of(figures[again] > line), 0.25)
        judge.at_most(
            f"own case again: disputes, {half} half, others beyond the line", share_of(figures[~again] >= RETOLD), 0.03
        )
