"""Every pure parser takes any text: it gives a value or raises what it documents, and time grows with length.

The seed is fixed, so these are the same texts each time. Others: `python -m tests.attack.fuzz --seed N` (see there), or
`make fuzz` for a million.
"""

import math

import pytest

from tests.attack.findings import FINDINGS
from tests.attack.fuzz import Fault, fuzz, growth_faults, text_of, wrong_in
from tests.attack.parsers import PARSERS, Parser

QUICK, SLOW = 60, 5_000  # texts for each parser

every_parser = pytest.mark.parametrize("parser", PARSERS.values(), ids=PARSERS.keys())


def listed(faults: list[Fault]) -> str:
    return "\n".join(str(fault) for fault in faults)


@every_parser
def test_any_text_is_read_or_refused(parser: Parser) -> None:
    found = fuzz(parser, seed=0, count=QUICK, slow_ms=math.inf)  # a busy machine is no fault; what never ends is
    assert not found.faults, listed(found.faults)


@every_parser
def test_samples_are_read(parser: Parser) -> None:
    """A parser that refused everything would pass every other test here."""
    for sample in parser.samples:
        assert wrong_in(parser, sample) == ""
    assert any(is_read(parser, sample) for sample in parser.samples)


def is_read(parser: Parser, said: str) -> bool:
    try:
        parser.run(said)
    except parser.documented:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "said"),
    [pytest.param(name, said, id=f"{name} {n}") for name in FINDINGS for n, said in enumerate(FINDINGS[name])],
)
def test_what_was_found_once_stays_mended(name: str, said: str) -> None:
    assert wrong_in(PARSERS[name], said) == ""


def test_the_same_seed_gives_the_same_texts() -> None:
    parser = PARSERS["csp"]
    assert [text_of(parser, 1, n) for n in range(20)] == [text_of(parser, 1, n) for n in range(20)]
    assert text_of(parser, 1, 3) != text_of(parser, 2, 3)


@pytest.mark.slow
@every_parser
def test_many_more_texts_are_read_or_refused(parser: Parser) -> None:
    found = fuzz(parser, seed=1, count=SLOW, slow_ms=math.inf)
    assert not found.faults, listed(found.faults)


@pytest.mark.slow
@every_parser
def test_time_grows_with_length(parser: Parser) -> None:
    found = list(growth_faults(parser, seed=0, most=6))
    assert not found, listed(found)
