"""The law asks no language: with a reader of another one, rules come out as that reader reads."""

import re
from dataclasses import replace

import pytest

from cruxfinder.crux.commands import Say
from cruxfinder.crux.decide import decide
from cruxfinder.crux.draft_passage import draft_passage
from cruxfinder.crux.events import Event, FalsifierDeclared, MessagePosted
from cruxfinder.crux.moves import Draft, Move
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.redundancy_limits import Entailment, Redundancy
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.language.reading import (
    Additions,
    Blemish,
    DraftReading,
    FalsifierReading,
    Hedge,
    Passage,
)
from cruxfinder.ports import Reader
from tests.law.build import ANN, BOB, READER, Play, claim, declare, of, only, propose, refused

COURTESY = re.compile(r"\b(?:vielen Dank|gute Frage|guter Punkt)\b", re.IGNORECASE)
HEDGE = re.compile(r"\b(?:vielleicht|womöglich|eher)\b", re.IGNORECASE)
BY_WHEN = re.compile(r"\b(?:bis|im) (?:Ende |Juni )?\d{4}\b|\bbinnen \w+ Jahren?\b")
HOW_MUCH = re.compile(r"\b(?:unter|über|mindestens) \d+")
FOLLOWS = re.compile(r"\b(?:weil|deshalb|folglich)\b")
LETTERS = re.compile(r"[a-zäöüß]{5,}")


class GermanReader:
    """A few German words; it has no embedder."""

    name = "german-toy"

    def read(self, passage: Passage) -> DraftReading:
        polite = COURTESY.search(passage.text)
        follows = FOLLOWS.search(passage.text)
        return DraftReading(
            blemishes=() if polite is None else (Blemish("pleasantry", polite[0]),),
            adds=Additions(() if follows is None else (Entailment.IMPLICATION,), 1, 0),
            falsifier=None if passage.falsifier is None else read_falsifier(passage.falsifier),
            binary=passage.question.startswith(("Ist ", "Sinkt ", "Wird ")),
            again=tuple(q for q in passage.asked if words(q) == words(passage.question)),
            carried=tuple(float(words(passage.position) <= words(said)) for said in passage.accounts),
        )


def words(text: str) -> frozenset[str]:
    return frozenset(LETTERS.findall(text.lower()))


def read_falsifier(told: Falsifier) -> FalsifierReading:
    hedge = HEDGE.search(told.threshold)
    return FalsifierReading(
        named=min(2, len(words(told.metric))),
        sharpness=1.0 if HOW_MUCH.search(told.threshold) else 0.0,
        nearness=1.0 if BY_WHEN.search(told.deadline) else 0.0,
        hedges=() if hedge is None else (Hedge("threshold", hedge[0]),),
    )


GERMAN = GermanReader()
SHARP = Falsifier(metric="der Bestand der Rücklagen", threshold="fällt unter 40 Prozent", deadline="binnen zwei Jahren")
VAGUE = replace(SHARP, threshold="fällt vielleicht unter 40 Prozent", deadline="bis 2029")


def said(play: Play, move: Move, content: str, reader: Reader) -> tuple[Event, ...]:
    """What is decided on a draft as this reader reads it; the debate stays where it was."""
    draft = Draft(move=move, content=content)
    reading = reader.read(draft_passage(play.debate, play.thread, ANN, draft))
    return decide(play.debate, Say(agent=ANN, thread=play.at, draft=draft, reading=reading), play.now_ms + 9_000).events


@pytest.mark.rule("TURN-5")
def test_a_pleasantry_is_one_in_the_language_that_is_read() -> None:
    play = Play()
    thanks, english = "Vielen Dank, aber die Nachfrage hält.", "Great point, but demand holds."
    assert refused(said(play, claim(), thanks, GERMAN)) == {"TURN-5"}
    assert refused(said(play, claim(), thanks, READER)) == set()
    assert refused(said(play, claim(), english, GERMAN)) == set()
    assert refused(said(play, claim(), english, READER)) == {"TURN-5"}


@pytest.mark.rule("RED-2")
def test_what_follows_from_what_is_heard_in_the_language_that_is_read() -> None:
    limited = Settings(redundancy=Redundancy(claim_graph_required=False))
    play = Play(settings=limited)
    assert refused(said(play, claim(), "Die Nachfrage hält, weil Rücklagen wachsen.", GERMAN)) == set()
    assert refused(said(play, claim(), "Die Nachfrage hält, because reserves grow.", GERMAN)) == {"RED-2"}


@pytest.mark.rule("FALS-1")
@pytest.mark.rule("FALS-2")
def test_a_falsifier_is_vague_where_its_language_says_so() -> None:
    play = Play()
    play.to_lock()
    assert refused(said(play, declare(VAGUE), "Das würde mich umstimmen.", GERMAN)) == {"FALS-1"}
    taken = said(play, declare(SHARP), "Das würde mich umstimmen.", GERMAN)
    assert [(e.concreteness, e.open_ended, e.vague) for e in of(taken, FalsifierDeclared)] == [(1.0, False, False)]
    assert refused(said(play, declare(SHARP), "Das würde mich umstimmen.", READER)) == {"FALS-1"}


@pytest.mark.rule("CRUX-11")
@pytest.mark.rule("CRUX-12")
def test_a_question_is_the_same_one_where_its_reader_says_so() -> None:
    play = Play(settings=Settings(off=(RuleId("CRUX-12"),)))
    play.post(BOB, propose("Sinkt die Nachfrage nach Reserven?"))
    again = propose("Sinkt nach den Reserven die Nachfrage?")
    joined = only(said(play, again, "Daran hängt es.", GERMAN), MessagePosted).joins
    assert joined is not None and not joined.turned
    assert only(said(play, again, "Daran hängt es.", READER), MessagePosted).joins is None
    other = propose("Sinkt die Zahl der Halter?")
    assert only(said(play, other, "Daran hängt es.", GERMAN), MessagePosted).joins is None
