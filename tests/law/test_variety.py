"""PLUS-8: a warning where all debaters share one model."""

import pytest

from cruxfinder.kernel.run_facts import Seat
from cruxfinder.kernel.run_warnings import warning
from cruxfinder.kernel.vocabulary import ADVOCATE, AgentId


def seats(*models: str) -> list[Seat]:
    return [Seat(id=AgentId(f"a{n}"), name=f"A{n}", model=model) for n, model in enumerate(models)]


@pytest.mark.rule("PLUS-8")
def test_one_model_for_all_is_told_whoever_else_sits_there() -> None:
    assert "all debaters think with openai:m1" in warning(seats("openai:m1", "openai:m1"))
    advocate = Seat(id=ADVOCATE, name="Devil's advocate")
    assert "all debaters think with openai:m1" in warning([*seats("openai:m1", "openai:m1"), advocate])


@pytest.mark.rule("PLUS-8")
def test_two_models_or_none_are_not() -> None:
    assert warning(seats("openai:m1", "anthropic:m2")) == ""
    assert warning(seats("", "")) == ""
    assert warning(seats("openai:m1", "")) == ""
