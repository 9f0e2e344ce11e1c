"""Whether two questions are one, contraries or two, how right: pairs the rules were written on (CRUX-10, CRUX-11)."""

import json
from pathlib import Path

import pytest

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.language.english.question_matching import compare_questions
from tests.quality.shares import Judge, share_of

pytestmark = pytest.mark.quality

PAIRS = Path(__file__).parent / "questions"
LEAST = {"development": 0.9, "second_development": 0.75, "strangers_development": 0.45}


def alike(one: str, other: str) -> float:
    return 1 - embedder("static").distance(one, other)


@pytest.mark.parametrize("name", LEAST)
def test_questions_are_told_apart(name: str, judge: Judge) -> None:
    rows = [json.loads(line) for line in (PAIRS / f"{name}.jsonl").read_text("utf-8").splitlines()]
    told = [(row["relation"], compare_questions(row["first"], row["second"], alike) or "different") for row in rows]
    found = share_of(relation == said for relation, said in told if relation != "different")
    merged = share_of(said != "different" for relation, said in told if relation == "different")
    judge.at_least(f"questions: {name}, the same or contrary found so", found, LEAST[name])
    judge.at_most(f"questions: {name}, different ones taken for one", merged, 0.05)


def test_the_order_of_two_questions_does_not_matter() -> None:
    for name in LEAST:
        for row in map(json.loads, (PAIRS / f"{name}.jsonl").read_text("utf-8").splitlines()):
            forth, back = (
                compare_questions(*pair) for pair in ((row["first"], row["second"]), (row["second"], row["first"]))
            )
            assert forth == back, row
