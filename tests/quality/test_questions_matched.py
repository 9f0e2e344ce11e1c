"""Whether an answer in a finder's own words is matched with the question it means, in the written cases."""

import json
from pathlib import Path

import pytest

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.cruxbench.finder_answers import SAME_QUESTION, match_question
from cruxfinder.cruxbench.planted_subjects import read_subjects
from cruxfinder.cruxbench.written_cases import read_cases
from tests.quality.shares import Judge, share_of

pytestmark = pytest.mark.quality

CASES = Path(__file__).parents[2] / "bench" / "cases"
ASKED = Path(__file__).parent / "questions" / "matched.jsonl"


def test_a_question_in_other_words_is_matched(judge: Judge) -> None:
    known = {case.name: case.answer_key.known for case in read_cases(CASES)}
    rows = [json.loads(line) for line in ASKED.read_text("utf-8").splitlines()]
    told = [(row["is"], match_question(row["asked"], known[row["of"]], embedder())) for row in rows]
    named = [(wanted, found.id if found else "") for wanted, found in told]
    judge.at_least("cases: a crux or decoy in other words is matched", share_of(w == f for w, f in named if w), 0.7)
    judge.at_most("cases: a question is matched with another", share_of(f not in ("", w) for w, f in named), 0.06)


def test_no_two_questions_of_a_topic_are_one() -> None:
    """The line was drawn on the development topics; the others only show that it holds."""
    for group in read_subjects().values():
        for subject in group:
            asked = [p.question for p in subject.propositions]
            near = [embedder().distance(a, b) for n, a in enumerate(asked) for b in asked[:n]]
            assert min(near) > SAME_QUESTION, subject.topic
