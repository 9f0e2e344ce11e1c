"""A forecast in one sentence: how it is read as a falsifier."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.crux.law import forecasts
from cruxfinder.kernel.pack import Falsifier
from tests import pace
from tests.law.read_falsifiers import concreteness, faults, is_open_ended


def accepted(told: Falsifier) -> bool:
    return not any(faults(told))


# ---- what is read


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    ("text", "metric", "threshold", "deadline"),
    [
        pytest.param(
            "Will the ferry line resume its service before 1 March 2027?",
            "the ferry line",
            "Will the ferry line resume its service?",
            "before 1 March 2027",
            id="a question",
        ),
        pytest.param(
            "Before 1 July 2027, will the upper house ratify the treaty?",
            "the upper house",
            "will the upper house ratify the treaty?",
            "Before 1 July 2027",
            id="the date first",
        ),
        pytest.param(
            "Headline inflation exceeds 4% by Q3 2027.",
            "Headline inflation",
            "Headline inflation exceeds 4%",
            "by Q3 2027",
            id="a statement",
        ),
        pytest.param(
            "The bridge will be closed to lorries no later than the end of June 2027",
            "The bridge",
            "The bridge will be closed to lorries",
            "no later than the end of June 2027",
            id="a long way to a date",
        ),
        pytest.param(
            "Will the miners strike? by 2027-07-01",
            "the miners",
            "Will the miners strike?",
            "by 2027-07-01",
            id="the date behind the question",
        ),
        pytest.param(
            "Will the coalition lose the 2027 general election?",
            "the coalition",
            "Will the coalition lose the 2027 general election?",
            "the 2027 general election",
            id="a year that belongs to an event stays in it",
        ),
        pytest.param(
            "The regulator bans the additive within six months.",
            "The regulator",
            "The regulator bans the additive",
            "within six months",
            id="a span of time",
        ),
        pytest.param(
            "Will the incumbent resign before the next general election?",
            "the incumbent",
            "Will the incumbent resign?",
            "before the next general election",
            id="an occasion",
        ),
    ],
)
def test_a_forecast_is_read_as_metric_threshold_and_deadline(
    text: str, metric: str, threshold: str, deadline: str
) -> None:
    told = forecasts.read(text)
    assert (told.metric, told.threshold, told.deadline) == (metric, threshold, deadline)
    assert accepted(told)


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Remote work is the future", id="no time at all"),
        pytest.param("Burglaries have gone up since 2019", id="a date that is a beginning"),
        pytest.param("The reform has failed over the last ten years", id="a span that is past"),
        pytest.param("Children watch two hours of television a day", id="a duration that is a measure"),
        pytest.param("In the 1970s the union closed the mine", id="a date long gone"),
    ],
)
def test_a_claim_without_a_deadline_is_told_so(text: str) -> None:
    told = forecasts.read(text)
    assert told.deadline == ""
    assert "the deadline is empty" in [refusal.reason for refusal in faults(told)]


@pytest.mark.rule("FALS-1")
def test_a_text_that_says_nothing_lacks_every_part() -> None:
    assert [refusal.reason for refusal in faults(forecasts.read(" "))] == [
        "the metric is empty",
        "the threshold is empty",
        "the deadline is empty",
    ]


@pytest.mark.rule("FALS-1")
def test_a_background_does_not_hide_the_question() -> None:
    story = "The treaty was signed in 1998. It might be amended, some say, and probably will be. " * 5
    told = forecasts.read(f"Will the senate ratify the treaty by 30 June 2027? {story}")
    assert (told.metric, told.deadline) == ("the senate", "by 30 June 2027")
    assert accepted(told)


@pytest.mark.rule("FALS-2")
def test_a_question_for_a_number_is_less_concrete_than_one_that_names_it() -> None:
    asked = forecasts.read("How many seats will the farmers' party win at the election on 9 May 2027?")
    named = forecasts.read("Will the farmers' party win more than 20 seats at the election on 9 May 2027?")
    assert accepted(asked) and accepted(named)
    assert concreteness(asked) < concreteness(named)


@pytest.mark.rule("FALS-2")
def test_an_occasion_without_a_date_is_open_ended() -> None:
    told = forecasts.read("Will the champion keep the title at the next tournament?")
    assert accepted(told) and is_open_ended(told)


# ---- questions in three parts, as they are handed over


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize("deadline", ["2027-07-01", "before 1 July 2027", "2027-07-01 07:01:27+00:00"])
@pytest.mark.parametrize("threshold", ["yes", "Yes.", "it happens", "resolves YES", "the airline files for bankruptcy"])
def test_a_question_and_its_answer_make_a_falsifier(threshold: str, deadline: str) -> None:
    question = "Will the airline file for bankruptcy?"
    assert accepted(Falsifier(metric=question, threshold=threshold, deadline=deadline))
    assert accepted(Falsifier(metric=question, threshold=question, deadline=deadline))


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize("threshold", ["yes", "it happens"])
def test_an_answer_to_a_vague_question_makes_none(threshold: str) -> None:
    told = Falsifier(metric="Will things get better?", threshold=threshold, deadline="2027-07-01")
    assert not accepted(told)


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    ("question", "choice"),
    [
        ("Which party will form the next government?", "the social democrats"),
        ("Who will win the cup?", "Someone else"),
        ("How many storms will be named in the season?", "Between 12 and 16"),
    ],
)
def test_one_of_several_answers_is_a_threshold(question: str, choice: str) -> None:
    assert accepted(Falsifier(metric=question, threshold=choice, deadline="2027-11-30"))


# ---- any text


@pytest.mark.rule("FALS-2")
@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert 0 <= concreteness(forecasts.read(text)) <= 1


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "will ",
        '"',
        "'a",
        "1",
        " ",
        "a, ",
        "by the next ",
        "in 2 ",
        "may ",
        "?",
        "a. A ",
        "before the end of ",
        "((",
    ],
)
def test_a_hostile_text_takes_little_longer_than_prose(piece: str) -> None:
    def judge(text: str) -> None:
        told = forecasts.read(text)
        assert 0 <= concreteness(told) <= 1
        list(faults(told))
        list(faults(Falsifier(metric=text, threshold=text, deadline=text)))

    assert pace.times_prose(judge, piece * (100_000 // len(piece)), enough=100) < 100
