"""A map of credences beside what was published about the same people: their camps, and the worth of each question.

The answers are not part of this repository. `folder` holds FORECASTS.csv, with the camp of each person in a column that
the map does not read, cross_camp_VoD.csv and VOI_medians.csv.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Map = Mapping[str, Any]  # as `crux credences FILE --json` prints it
TABLE, DISCRIMINATION, INFORMATION = "FORECASTS.csv", "cross_camp_VoD.csv", "VOI_medians.csv"
YES_NO = ("YES", "NO")
CAMPS_MATCHED_MIN = 20  # of 22 people


@dataclass(frozen=True)
class RankAgreement:
    """Spearman's rho over the questions that both rank."""

    rho: float
    of: int


def camps_matched(found: Map, folder: Path) -> tuple[int, int]:
    """How many people stand in the camp they are known to be of, named the way that fits better; and how many are."""
    with (folder / TABLE).open(newline="") as file:
        known = {row["person"]: row["Camp"] for row in csv.DictReader(file)}
    names = sorted(set(known.values()))
    assert len(names) == 2, f"two camps are known, not {names}"
    sides = {person["id"]: person["camp"] for person in found["agents"]}
    fits = [
        sum(sides[who] == side[names.index(camp)] for who, camp in known.items()) for side in (YES_NO, YES_NO[::-1])
    ]
    return max(fits), len(known)


def published(folder: Path, file: str, column: str) -> dict[str, float]:
    with (folder / file).open(newline="") as opened:
        return {row["ID"]: float(row[column]) for row in csv.DictReader(opened)}


def published_worths(folder: Path) -> dict[str, dict[str, float]]:
    return {
        "value of discrimination": published(folder, DISCRIMINATION, "median_VoD"),
        "value of information, concerned": published(folder, INFORMATION, "medianVOI_Concerned"),
        "value of information, skeptical": published(folder, INFORMATION, "medianVOI_Skeptical"),
    }


def rank_agreement(found: Map, worth: Mapping[str, float]) -> RankAgreement:
    """Our ranking against a published worth. A question renamed in between is known if it is the only one left over."""
    ours: dict[str, float] = {row["question"]: row["rank"] for row in found["tested"]}
    asked = {*ours, *(str(row["question"]) for row in found["untested"])}
    left, right = sorted(asked - set(worth)), sorted(set(worth) - asked)
    renamed = dict(zip(left, right, strict=True)) if len(left) == len(right) == 1 else {}
    named = {renamed.get(question, question): rank for question, rank in ours.items()}
    pairs = [(rank, worth[question]) for question, rank in named.items() if question in worth]
    return RankAgreement(spearman([rank for rank, _ in pairs], [value for _, value in pairs]), len(pairs))


def spearman(left: Sequence[float], right: Sequence[float]) -> float:
    """The correlation of ranks; ties share their mean rank."""
    one, other = mean_ranks(left), mean_ranks(right)
    middle = (len(left) + 1) / 2
    spread = sum((x - middle) ** 2 for x in one) * sum((y - middle) ** 2 for y in other)
    both = sum((x - middle) * (y - middle) for x, y in zip(one, other, strict=True))
    return both / spread**0.5 if spread else 0.0


def mean_ranks(values: Sequence[float]) -> list[float]:
    """Each value's place from below, 1 and on; those alike share the mean of theirs."""
    return [1 + sum(v < value for v in values) + (sum(v == value for v in values) - 1) / 2 for value in values]
