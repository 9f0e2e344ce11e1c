"""RED-8: distinct content words over all of them, at least a quarter over the run."""

import pytest

from cruxfinder.talk.law.compression import LEAST, compression
from tests.law.build import ANN, BOB
from tests.law.talk import HOST, Talking


def density(*turns: str) -> float:
    talk = Talking(ANN, BOB)
    for place, content in enumerate(turns):
        talk.say((ANN, BOB)[place % 2], content, last=True)
    assert len(talk.talk.turns) == len(turns)
    return compression(talk.talk)


@pytest.mark.rule("RED-8")
@pytest.mark.parametrize(
    ("turns", "figure"),
    [
        pytest.param((), 1.0, id="nothing said"),
        pytest.param(("It is what it is.",), 1.0, id="no content word at all"),
        pytest.param(("Ferries cost money.",), 1.0, id="nothing twice"),
        pytest.param(("Ferries cost money.", "Ferries cost money."), 0.5, id="everything twice"),
        pytest.param(("Ferries, ferries, ferries, ferries.",), 0.25, id="one word four times"),
        pytest.param(("Sailing ferries.", "The ferry sails."), 0.75, id="inflections are one word"),
        pytest.param(("Ferries cost money.", "Tides cost time.", "Money is time."), 0.625, id="over the whole run"),
    ],
)
def test_compression_is_distinct_content_words_over_all(turns: tuple[str, ...], figure: float) -> None:
    assert density(*turns) == figure


@pytest.mark.rule("RED-8")
def test_a_quarter_is_the_least() -> None:
    assert LEAST == 0.25
    assert density(*["Ferries cost money."] * 4) >= LEAST
    assert density(*["Ferries cost money."] * 5) < LEAST


@pytest.mark.rule("RED-8")
def test_what_chairs_say_is_part_of_the_run() -> None:
    talk = Talking(ANN, BOB)
    talk.say(ANN, "Ferries cost money.", last=True)
    talk.say(HOST, "Ferries cost money.", last=True)
    assert compression(talk.talk) == 0.5
