"""What can be seen to happen, and what is only said: FALS-5."""

from dataclasses import replace
from importlib.resources import files

import pytest

from cruxfinder.adapters.packs import pack_reader
from cruxfinder.crux.law import forecasts
from cruxfinder.crux.law.falsifiers import with_parts
from cruxfinder.crux.moves import DeclareFalsifier, Draft
from cruxfinder.debaters.modelled.field_reading import read_fields
from cruxfinder.debaters.modelled.reply_shapes import move_fields
from cruxfinder.debaters.people.seat_form import fields_of
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.vocabulary import MoveKind
from cruxfinder.language.english.falsifier_texts import read_falsifier
from cruxfinder.language.english.refutation_frames import bare_claim
from tests.law.read_falsifiers import faults

SEEN = (
    ("the health inspector", "finds rats in the kitchen"),
    ("the insurer", "pays the claim in full"),
    ("the phase III trial", "is stopped for futility by its data board"),
    ("the king", "abdicates"),
    ("the tarpaulin", "frays at the seam"),
    ("a beaver dam", "is recorded upstream of the weir"),
    ("happiness as scored in the Eurobarometer", "up by a third"),
    ("crime", "the council hires a second warden"),
)
FELT = (
    ("the brand", "loses its shine"),
    ("the start-up", "fails to deliver"),
    ("the science", "is settled"),
    ("momentum", "stalls"),
    ("the new design", "is a joke"),
    ("people", "come to accept it"),
    ("enough voters", "turn away"),
    ("happiness", "up by a third"),
    ("society", "is twice as fair"),
    ("the plan", "either works or it does not"),
    ("the referee", "treats us unfairly"),
)
WHEN = "by 30 June 2029"


def told(parts: tuple[str, str]) -> Falsifier:
    return Falsifier(metric=parts[0], threshold=parts[1], deadline=WHEN)


@pytest.mark.rule("FALS-5")
@pytest.mark.parametrize("parts", SEEN, ids=" ".join)
def test_what_can_be_seen_needs_no_verb_of_a_list(parts: tuple[str, str]) -> None:
    assert list(faults(told(parts))) == []


@pytest.mark.rule("FALS-5")
@pytest.mark.parametrize("parts", FELT, ids=" ".join)
def test_an_opinion_or_a_figure_of_speech_is_refused_dated_as_it_is(parts: tuple[str, str]) -> None:
    assert [r.rule for r in faults(told(parts))] == ["FALS-1"]


@pytest.mark.rule("FALS-5")
@pytest.mark.parametrize("parts", [SEEN[0], SEEN[1], FELT[0], FELT[4]], ids=" ".join)
def test_words_alone_tell_the_plain_cases_apart(parts: tuple[str, str]) -> None:
    assert bool(read_falsifier(told(parts)).sharpness) is (parts in SEEN)


@pytest.mark.rule("FALS-5")
@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (
            "If the toll is still charged on 1 January 2029, I was wrong.",
            "the toll is still charged on 1 January 2029.",
        ),
        ("I would change my mind if no member resigns by May 2028", "no member resigns by May 2028"),
        ("What would convince me: the mill closes by 2030.", "the mill closes by 2030."),
        ("Were the union to sign by 31 March 2027, I'd be refuted.", "the union to sign by 31 March 2027."),
        ("Unless the bridge is open by 2028, I was wrong.", "not: the bridge is open by 2028."),
        ("Should the museum hand it back before 2030, I owe her a dinner.", "the museum hand it back before 2030."),
        ("If no twin is ill by May 2028, hats off to the nurse.", "no twin is ill by May 2028."),
        ("A sighting of a lynx before 2030 would prove me wrong.", "there is a sighting of a lynx before 2030."),
        ("It would take a signed deed by 2028 to make me drop this.", "a signed deed by 2028."),
        ("The theory is dead if the probe finds ice by 2035.", "the probe finds ice by 2035."),
        ("The ferry sails by June 2028? Then I was too gloomy.", "The ferry sails by June 2028."),
        ("The tram reaches the airport by 2030.", "The tram reaches the airport by 2030."),
        ("Will the tram reach the airport by 2030?", "Will the tram reach the airport by 2030?"),
    ],
)
def test_what_its_speaker_says_of_itself_is_no_part_of_the_claim(text: str, claim: str) -> None:
    assert bare_claim(text) == claim


@pytest.mark.rule("FALS-5")
def test_one_sentence_is_taken_apart() -> None:
    read = forecasts.read("If the appeals court overturns the conviction before the end of 2027, I am wrong.")
    assert "appeals court" in read.metric and "overturns the conviction" in read.threshold
    assert read.deadline == "before the end of 2027"
    assert list(faults(read)) == []
    labelled = forecasts.read("Metric: signatures. Threshold: more than 10,000. Deadline: 30 June 2029.")
    assert labelled == Falsifier(metric="signatures", threshold="more than 10,000", deadline="30 June 2029")


@pytest.mark.rule("FALS-5")
def test_a_draft_may_hold_its_falsifier_in_one_sentence() -> None:
    said = "If the mill closes its last loom by June 2029, I am wrong."
    whole = Falsifier(metric=said, reasoning="It was the largest one.")
    parted = with_parts(Draft(move=DeclareFalsifier(falsifier=whole), content="This would refute me."))
    assert isinstance(parted.move, DeclareFalsifier)
    assert parted.move.falsifier == replace(forecasts.read(said), reasoning=whole.reasoning)
    assert with_parts(parted) == parted


@pytest.mark.rule("FALS-5")
@pytest.mark.parametrize(
    "metric",
    [
        "share of respondents who say they might move house",
        'staff who tick "agree" under "I feel heard"',
        "patients who report that they feel worse",
        "sales of a new kind of battery",
    ],
)
def test_what_others_are_counted_as_saying_is_no_hedge(metric: str) -> None:
    assert list(faults(Falsifier(metric=metric, threshold="at least a third", deadline=WHEN))) == []


@pytest.mark.rule("FALS-5")
@pytest.mark.parametrize("deadline", ["when experts agree", "when the time is ripe", "as soon as reasonable"])
def test_an_event_that_is_an_opinion_is_no_deadline(deadline: str) -> None:
    (refusal,) = faults(Falsifier(metric="the drug", threshold="is approved in Canada", deadline=deadline))
    assert refusal.reason.startswith("the deadline")


SENTENCE = "If the mill closes its last loom by June 2029, I am wrong."


@pytest.mark.rule("FALS-5")
@pytest.mark.parametrize(
    "given", [SENTENCE, {"metric": SENTENCE}, {"metric": SENTENCE, "threshold": "", "deadline": ""}]
)
def test_a_model_may_tell_its_falsifier_in_one_sentence(given: object) -> None:
    fields = [f for f in move_fields(MoveKind.DECLARE_FALSIFIER) if f.name == "falsifier"]
    found = read_fields({"falsifier": given}, fields)["falsifier"]
    assert isinstance(found, dict) and found["metric"] == SENTENCE
    assert not found.get("threshold") and not found.get("deadline")


@pytest.mark.rule("FALS-5")
def test_a_person_may_leave_the_other_parts_empty() -> None:
    (field,) = [f for f in fields_of(DeclareFalsifier, "f") if f.key == "f.falsifier"]
    assert {part.key: part.optional for part in field.parts} == {
        "f.metric": False,
        "f.threshold": True,
        "f.deadline": True,
        "f.reasoning": True,
    }


@pytest.mark.rule("FALS-5")
def test_a_pack_may_tell_a_falsifier_in_one_line() -> None:
    text = ((files("cruxfinder.adapters.packs") / "shipped") / "bitcoin.yaml").read_text("utf-8")
    start = text.index("        falsifier:\n")
    end = text.index("        vague:", start)
    pack = pack_reader.read(f'{text[:start]}        falsifier: "{SENTENCE}"\n{text[end:]}', "a pack")
    lines = [belief.lines.falsifier for persona in pack.personas for belief in persona.beliefs]
    assert forecasts.read(SENTENCE) in lines
