"""PLUS-5: what a run may take at most."""

import pytest

from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.settings import Settings
from cruxfinder.ports import Usage


@pytest.mark.rule("PLUS-5")
@pytest.mark.parametrize(
    ("caps", "usage", "named"),
    [
        pytest.param(Caps(calls=3), Usage(calls=4), "3 calls", id="calls"),
        pytest.param(Caps(tokens=100), Usage(tokens_in=60, tokens_out=41), "100 tokens", id="tokens of both ways"),
        pytest.param(Caps(nanodollars=10_000_000), Usage(nanodollars=10_000_001), "$0.01", id="a billionth too much"),
    ],
)
def test_a_cap_that_would_be_passed_is_named(caps: Caps, usage: Usage, named: str) -> None:
    assert caps.exceeded_cap(usage) == named


@pytest.mark.rule("PLUS-5")
def test_what_just_fits_fits_and_no_cap_binds_nothing() -> None:
    usage = Usage(calls=3, tokens_in=60, tokens_out=40, nanodollars=7)
    assert Caps(calls=3, tokens=100, nanodollars=7).exceeded_cap(usage) == ""
    assert Caps().exceeded_cap(usage) == "" and not Caps().has_any


@pytest.mark.rule("PLUS-5")
def test_the_caps_of_a_run_are_those_of_its_settings() -> None:
    assert Caps.of(Settings(max_calls=1, max_tokens=2, max_nanodollars=3)) == Caps(calls=1, tokens=2, nanodollars=3)
