"""DIA-4: the same task has the same id however it is put down, another task another, and near ones are named."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.gate.task_ids import canonical_text, most_similar_task, stem_verb, task_id


@pytest.mark.rule("DIA-4")
def test_the_canonical_text_and_its_hash() -> None:
    assert canonical_text("Fix the authentication test") == "fix authentication test"
    assert task_id("Fix the authentication test") == hashlib.sha256(b"fix authentication test").hexdigest()[:16]


@pytest.mark.rule("DIA-4")
@pytest.mark.parametrize(
    "wording",
    [
        "fix authentication test",
        "FIX the Authentication TEST!!!",
        "  Fixing   the\tauthentication tests. ",
        "Fixed: the authentication test",
        "please fix the authentication test",
    ],
)
def test_punctuation_case_blanks_stop_words_and_verb_forms_do_not_matter(wording: str) -> None:
    assert task_id(wording) == task_id("Fix the authentication test")


@pytest.mark.rule("DIA-4")
@pytest.mark.parametrize(
    "other",
    ["fix the authorisation test", "delete the authentication test", "fix authentication", "fix the login test"],
)
def test_another_goal_is_another_task(other: str) -> None:
    assert task_id(other) != task_id("Fix the authentication test")


def test_hyphens_and_underscores_stay_within_words() -> None:
    assert canonical_text("Update user_id in front-end - now!") == "update user_id front-end"


FORMS = """fixing fix
fixed fix
fixes fix
running run
updating update
updated update
tries try
copied copy
writes write
string string
class class
sing sing"""


@pytest.mark.parametrize(
    ("word", "stem"),
    [pair.split() for pair in FORMS.splitlines()],
)
def test_verbs_lose_their_endings_and_nothing_else_does(word: str, stem: str) -> None:
    assert stem_verb(word) == stem


KNOWN = {
    task_id(text): text
    for text in ("fix the flaky login test", "migrate the invoices table", "upgrade webpack to version five")
}


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ("fix the flaky login tests in CI", "fix the flaky login test"),
        ("migrate invoice table", "migrate the invoices table"),
        ("upgrading webpack to version 5", "upgrade webpack to version five"),
        ("write the release notes", None),
        ("fix the parser", None),
    ],
)
def test_a_task_worded_almost_like_a_known_one_is_recognised(text: str, like: str | None) -> None:
    assert most_similar_task(text, KNOWN) == (None if like is None else task_id(like))


def test_a_task_does_not_resemble_itself() -> None:
    assert most_similar_task("Fix the flaky login test!", {task_id("fix the flaky login test"): "x"}) is None


@given(st.text(max_size=80))
def test_the_canonical_text_is_stable(text: str) -> None:
    assert canonical_text(canonical_text(text)) == canonical_text(text)
    assert len(task_id(text)) == 16
