"""RED-2, how right: of turns that only agree or restate most come back, and of turns that argue few.

What each set is, and how clean it is, stands in docs/research/turns.md.
"""

from collections.abc import Callable, Iterable
from functools import cache

import pytest

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.kernel.redundancy_limits import Entailment
from cruxfinder.language.english.entailments import find_entailments
from tests.quality.shares import Judge, Share, share_of
from tests.quality.turn_corpus import HALVES, LEARNT, NEVER_LEARNT, turns

pytestmark = [pytest.mark.quality, pytest.mark.rule("RED-2")]

Find = Callable[..., tuple[Entailment, ...]]


@cache
def heard(text: str, before: tuple[str, ...] = ()) -> tuple[Entailment, ...]:
    """As it is found where the shipped model hears the turn; kept, as several tests ask of the same turns."""
    return find_entailments(text, before, embedder("static").substance_score(text))


WAYS = {"by words": find_entailments, "by vector": heard}
EITHER_WAY = pytest.mark.parametrize("way", WAYS)
# Of arguments that come back, by their words and with their vectors.
MOST = {"examiner": (0.12, 0.08), "hearing": (0.12, 0.08), "inquest": (0.2, 0.15), "jury": (0.15, 0.15)}


def sent_back(find: Find, texts: Iterable[str]) -> Share:
    return share_of(not find(text) for text in texts)


@EITHER_WAY
@pytest.mark.parametrize("half", HALVES)
def test_turns_that_only_repeat_or_agree_come_back(judge: Judge, way: str, half: str) -> None:
    judge.at_least(f"turns sent back: {half}, empty, {way}", sent_back(WAYS[way], turns(f"empty_{half}")), 0.9)


@EITHER_WAY
@pytest.mark.parametrize("half", HALVES)
def test_turns_that_argue_stay(judge: Judge, way: str, half: str) -> None:
    judge.at_most(f"turns sent back: {half}, adding, {way}", sent_back(WAYS[way], turns(f"adding_{half}")), 0.2)


@EITHER_WAY
@pytest.mark.parametrize("writer", NEVER_LEARNT)
@pytest.mark.parametrize("kind", ["agree", "restate", "adds"])
def test_turns_of_writers_from_whom_nothing_was_learnt(judge: Judge, writer: str, kind: str, way: str) -> None:
    found = sent_back(WAYS[way], turns(writer, kind))
    what = f"turns sent back: {writer} (judges only), {kind}, {way}"
    if kind == "adds":
        judge.at_most(what, found, MOST[writer][way == "by vector"])
    else:
        judge.at_least(what, found, 0.9)


def test_arguments_about_thought_and_speech_are_the_hardest(judge: Judge) -> None:
    """Where people argue about thinking, saying and agreeing, words of stance are the subject."""
    idle = [*turns("reflective", "agree"), *turns("reflective", "restate")]
    judge.at_least("turns sent back: reflective (learnt), agree or restate, by vector", sent_back(heard, idle), 0.95)
    judge.at_most(
        "turns sent back: reflective (learnt), adds, by vector", sent_back(heard, turns("reflective", "adds")), 0.3
    )


@EITHER_WAY
@pytest.mark.parametrize("writer", LEARNT)
def test_turns_of_writers_from_whom_the_weights_were_learnt(judge: Judge, writer: str, way: str) -> None:
    idle = [*turns(writer, "agree"), *turns(writer, "restate")]
    what = f"turns sent back: {writer} (learnt)"
    judge.at_least(f"{what}, agree or restate, {way}", sent_back(WAYS[way], idle), 0.9)
    judge.at_most(f"{what}, adds, {way}", sent_back(WAYS[way], turns(writer, "adds")), 0.25)


@EITHER_WAY
def test_an_unrelated_turn_before_changes_nothing(way: str) -> None:
    """Sentences without content words were not said before: "They do. They have rights!" still insists."""
    find, before = WAYS[way], ("Quokkas graze beside limestone lakes.",)
    for text in (text for writer in LEARNT for kind in ("agree", "restate", "adds") for text in turns(writer, kind)):
        assert find(text, before) == find(text)


@EITHER_WAY
def test_no_mark_and_no_single_word_decides(judge: Judge, way: str) -> None:
    find = WAYS[way]
    adding = [text.rstrip(".") for writer in LEARNT for text in turns(writer, "adds")[::2] if find(text)]
    letter = 0.01 if way == "by words" else 0.02  # two words more move a vector, if only a little
    for changed, most in (("{}!", 0.0), ("{} in İzmir.", letter), ("Please. {}.", 0.15), ("{} tonight.", 0.15)):
        found = sent_back(find, [changed.format(text) for text in adding])
        judge.at_most(f"arguments sent back once they read {changed!r}, {way}", found, most)
