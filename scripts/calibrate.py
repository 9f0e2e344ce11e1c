"""Measure an embedder on real pairs and print the constants that make its cosine a likeness.

    python scripts/calibrate.py ARGKP [--questions FILE] [--embedder static|keyword]

ARGKP is a folder with the tables of the ArgKP 2021 shared task: arguments_*.csv, key_points_*.csv, labels_*.csv.
FILE is a JSON list of forecasting questions, each with a "question" (Autocast). Neither ships with the package.
"""

import argparse
import csv
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from cruxfinder.adapters.embeddings.embedders import CHOICES, embedder
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.language.english.polarity import are_opposed

PAIRS_MAX = 40_000
FALSE_ALARMS = 0.04  # of pairs of arguments that make different points, before their polarity is compared
KINDS = ("same", "other")
SHARES = (0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
# What a motion asks for, as against what it is about.
ASKING = frozenset(
    "a abandon abandoned abolish abolition adopt allowed an and assisted ban banned be bring close criminal end"
    " fight for have having introduce is legalize limit more not of or prohibit should subsidize than the to use was"
    " we".split()
)
Pair = tuple[str, str]


class Argument(NamedTuple):
    text: str
    topic: str
    stance: str


class Tables(NamedTuple):
    arguments: dict[str, Argument]
    points: dict[str, Argument]
    labels: list[tuple[str, str, bool]]  # argument, key point, whether the one makes the other


def tables(folder: Path) -> Tables:
    """All parts in one; ids are unique only within a part, so the part's name goes before them."""

    def rows(kind: str) -> Iterable[tuple[str, dict[str, str]]]:
        for path in sorted(folder.glob(f"{kind}_*.csv")):
            with path.open(encoding="utf-8", newline="") as file:
                yield from ((path.stem.removeprefix(kind), row) for row in csv.DictReader(file))

    def texts(kind: str, id: str, text: str) -> dict[str, Argument]:
        return {part + row[id]: Argument(row[text], row["topic"], row["stance"]) for part, row in rows(kind)}

    labels = [(part + r["arg_id"], part + r["key_point_id"], r["label"] == "1") for part, r in rows("labels")]
    return Tables(texts("arguments", "arg_id", "argument"), texts("key_points", "key_point_id", "key_point"), labels)


# ---- the pairs


def subject(topic: str) -> str:
    return " ".join(word for word in re.findall(r"\w+", topic.lower()) if word not in ASKING)


def by_topic(data: Tables) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for argument in data.arguments.values():
        found[argument.topic].append(argument.text)
    return dict(found)


def interests(data: Tables, chance: Random, shown: Callable[[str], str]) -> tuple[list[Pair], list[Pair]]:
    """Arguments with the subject of their own topic, and with that of another one."""
    groups = by_topic(data)
    same = [(text, shown(topic)) for topic, texts in groups.items() for text in texts]
    other = [
        (text, shown(chance.choice([t for t in groups if t != topic]))) for topic in groups for text in groups[topic]
    ]
    return same, other


def sentences(data: Tables, chance: Random, count: int = 8000) -> tuple[list[Pair], list[Pair]]:
    """Two arguments on one topic, and on two topics."""
    groups = by_topic(data)
    topics = list(groups)
    same = [(a, b) for _ in range(count) for a, b in [chance.sample(groups[chance.choice(topics)], 2)]]
    other = [
        (chance.choice(groups[one]), chance.choice(groups[two]))
        for one, two in (chance.sample(topics, 2) for _ in range(count))
    ]
    return same, other


def points(data: Tables) -> tuple[list[Pair], list[Pair]]:
    """An argument with a key point it makes, and with one of its topic and side that it does not make."""
    split: dict[bool, list[Pair]] = {True: [], False: []}
    for argument, point, made in data.labels:
        split[made].append((data.arguments[argument].text, data.points[point].text))
    return split[True], split[False]


def two_arguments(data: Tables) -> tuple[list[Pair], list[Pair]]:
    """Two arguments on one topic and side, with a key point in common and without; evenly thinned."""
    made: dict[str, set[str]] = defaultdict(set)
    for argument, point, label in data.labels:
        if label:
            made[argument].add(point)
    sides: dict[tuple[str, str], list[str]] = defaultdict(list)
    for id in made:
        sides[data.arguments[id].topic, data.arguments[id].stance].append(id)
    pairs = [pair for ids in sides.values() for pair in combinations(ids, 2)]
    split: dict[bool, list[Pair]] = {True: [], False: []}
    for a, b in pairs[:: max(1, len(pairs) // PAIRS_MAX)]:
        split[bool(made[a] & made[b])].append((data.arguments[a].text, data.arguments[b].text))
    return split[True], split[False]


def distinct_points(data: Tables) -> list[Pair]:
    """Key points of one topic and side: written by experts so that no two are the same."""
    sides: dict[tuple[str, str], list[str]] = defaultdict(list)
    for point in data.points.values():
        sides[point.topic, point.stance].append(point.text)
    return [pair for texts in sides.values() for pair in combinations(texts, 2)]


# ---- the figures


def auc(same: np.ndarray, other: np.ndarray) -> float:
    """How often a pair of the first kind has the higher figure; ties count half."""
    below = np.searchsorted(np.sort(other), same, "left") + np.searchsorted(np.sort(other), same, "right")
    return float(below.mean() / 2 / len(other))


def cosines(measure: Likeness, pairs: list[Pair]) -> np.ndarray:
    return np.array([1 - measure.distance(a, b) for a, b in pairs])


def show(what: str, values: np.ndarray) -> None:
    print(f"{what:<44}" + "".join(f"{value:8.2f}" for value in np.quantile(values, SHARES)))


def compare(measure: Likeness, what: str, same: list[Pair], other: list[Pair]) -> tuple[np.ndarray, np.ndarray]:
    high, low = cosines(measure, same), cosines(measure, other)
    show(f"{what}: same", high)
    show(f"{what}: other", low)
    like, unlike = (np.mean([measure.likeness(a, b) for a, b in pairs]) for pairs in (same, other))
    print(f"    AUC {auc(high, low):.3f}; mean likeness now {like:.2f} and {unlike:.2f}")
    return high, low


def repetition(measure: Likeness, data: Tables) -> None:
    """How well the figure of a point made again tells same from other, and from where on it is a repetition."""
    print(f"{'same_point at the share':<44}" + "".join(f"{share:8g}" for share in SHARES))
    kinds = {"argument, key point": points(data), "two arguments, by key point": two_arguments(data)}
    found = {what: [figures(measure, pairs) for pairs in both] for what, both in kinds.items()}
    for what, (same, other) in found.items():
        show(f"{what}: same", same)
        show(f"{what}: other", other)
        print(f"    AUC {auc(same, other):.3f}")
    short = distinct_points(data)
    show("key points of one side", figures(measure, short))
    from_on = round(float(np.quantile(found["two arguments, by key point"][1], 1 - FALSE_ALARMS)), 2)
    print(f"repetition = {from_on}")
    told = {f"{what}: {kind}": pairs for what, both in kinds.items() for kind, pairs in zip(KINDS, both, strict=True)}
    for what, pairs in (told | {"key points of one side": short}).items():
        print(f"    {what}: {np.mean([repeated(measure, from_on, a, b) for a, b in pairs]):.1%}")


def figures(measure: Likeness, pairs: list[Pair]) -> np.ndarray:
    return np.array([measure.same_point(a, b) for a, b in pairs])


def repeated(measure: Likeness, from_on: float, a: str, b: str) -> bool:
    return measure.same_point(a, b) >= from_on and not are_opposed(a, b)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("argkp", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--embedder", choices=CHOICES, default="static")
    args = parser.parse_args()
    measure, data, chance = embedder(args.embedder), tables(args.argkp), Random(0)
    print(f"{measure.name + ', cosine at the share':<44}" + "".join(f"{share:8g}" for share in SHARES))
    high, low = compare(measure, "argument, subject of a topic", *interests(data, chance, subject))
    compare(measure, "argument, one word of it", *interests(data, chance, lambda topic: subject(topic).split()[-1]))
    compare(measure, "two arguments, by topic", *sentences(data, chance))
    compare(measure, "argument, key point", *points(data))
    compare(measure, "two arguments, by key point", *two_arguments(data))
    different = cosines(measure, distinct_points(data))
    show("key points of one side", different)
    print(f"    0.3 apart: {np.mean(different <= 0.7):.1%}")
    if args.questions:
        asked = [entry["question"] for entry in json.loads(args.questions.read_text(encoding="utf-8"))]
        random = cosines(measure, [(a, b) for a, b in (chance.sample(asked, 2) for _ in range(8000))])
        show("two forecasting questions", random)
        print(f"    0.3 apart: {np.mean(random <= 0.7):.1%}")
    print(f"Scale(zero={np.quantile(low, 0.9):.2f}, one={np.quantile(high, 0.5):.2f})")
    repetition(measure, data)


if __name__ == "__main__":
    main()
