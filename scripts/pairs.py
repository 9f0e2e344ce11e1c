"""Pairs of texts from ArgKP that make the same point or do not, by motion; for the scripts that train and measure."""

import csv
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np


class Pair(NamedTuple):
    a: int
    b: int
    same: bool


class Motion(NamedTuple):
    name: str
    arguments: list[int]
    points: list[Pair]  # an argument with a key point
    arguments_paired: list[Pair]  # two arguments on one side


def motions(folder: Path) -> tuple[list[str], list[Motion]]:
    """All texts, and the pairs of each motion; ids are unique only within a part."""
    texts: dict[str, int] = {}
    pairs: dict[str, list[Pair]] = defaultdict(list)
    made: dict[tuple[str, str], dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in sorted(folder.glob("labels_*.csv")):
        arguments, points = (
            {row[id]: row for row in rows(path.with_name(path.name.replace("labels", kind)))}
            for kind, id in (("arguments", "arg_id"), ("key_points", "key_point_id"))
        )
        for row in rows(path):
            said, point = arguments[row["arg_id"]], points[row["key_point_id"]]
            a = texts.setdefault(said["argument"], len(texts))
            b = texts.setdefault(point["key_point"], len(texts))
            pairs[said["topic"]].append(Pair(a, b, row["label"] == "1"))
            if row["label"] == "1":
                made[said["topic"], said["stance"]][a].add(row["key_point_id"])
    found: list[Motion] = []
    for name in sorted(pairs):
        sides = [points for (topic, _), points in made.items() if topic == name]
        two = [Pair(a, b, bool(side[a] & side[b])) for side in sides for a, b in combinations(side, 2)]
        found.append(Motion(name, sorted({pair.a for pair in pairs[name]}), pairs[name], two))
    return list(texts), found


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def drawn(given: list[Motion], some: int, arguments: int, chance: np.random.Generator) -> tuple[list[Pair], list[Pair]]:
    """The pairs among a few arguments of a few motions: with key points, and two by two."""
    kinds: tuple[list[Pair], list[Pair]] = ([], [])
    for number in chance.choice(len(given), some, replace=False):
        motion = given[number]
        chosen = set(chance.choice(motion.arguments, min(arguments, len(motion.arguments)), replace=False).tolist())
        kinds[0].extend(pair for pair in motion.points if pair.a in chosen)
        kinds[1].extend(pair for pair in motion.arguments_paired if {pair.a, pair.b} <= chosen)
    return kinds


def auc(same: np.ndarray, other: np.ndarray) -> float:
    order = np.sort(other)
    below = np.searchsorted(order, same, "left") + np.searchsorted(order, same, "right")
    return float(below.mean() / 2 / len(other))
