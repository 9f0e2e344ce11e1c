"""`crux bench`: other finders and written cases, as a table, as JSON, as a figure; and what it refuses."""

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Crux

CASES = str(Path(__file__).parents[2] / "bench" / "cases")
FEW = ("--worlds", "1", "--kinds", "one-crux", "--noise", "0", "--runs", "1", "--jobs", "1")
SAYS_VALUES = 'import sys\nfor _ in sys.stdin:\n    print(\'{"ending": "values"}\', flush=True)\n'


@pytest.fixture
def finder(tmp_path: Path) -> str:
    path = tmp_path / "says_values.py"
    path.write_text(SAYS_VALUES)
    return f"mine={sys.executable} {path}"


def test_a_finder_stands_in_table_json_and_figure(crux: Crux, finder: str, tmp_path: Path) -> None:
    figure = tmp_path / "bench.svg"
    table = crux("bench", *FEW, "--finder", finder, "--figure", str(figure))
    assert table.code == 0
    assert any(line.split()[:2] == ["mine", "0"] for line in table.out.splitlines())
    drawn = [node.text for node in ElementTree.parse(figure).iter() if node.tag.endswith("text")]
    assert {"mine", "cruxfinder", "polarity"} <= set(drawn)
    told = json.loads(crux("bench", *FEW, "--finder", finder, "--private", "--json").out)
    assert told["private"] is True
    row = next(row for row in told["rows"] if (row["finder"], row["kind"], row["noise"]) == ("mine", "all", None))
    assert row["measures"]["ending right"]["share"] == 0.0


def test_written_cases_are_told_case_by_case(crux: Crux, finder: str, tmp_path: Path) -> None:
    figure = tmp_path / "cases.svg"
    found = crux("bench", "--cases", CASES, "--runs", "1", "--finder", finder, "--figure", str(figure))
    assert found.code == 0
    line = next(line for line in found.out.splitlines() if line.strip().startswith("pilot-cutter"))
    assert line.split()[-1] == "1"  # of all cases, this one is about values
    assert "9 written cases" in found.out and "9 written cases" in figure.read_text()


def test_what_a_finder_failed_at_is_told(crux: Crux) -> None:
    found = crux("bench", "--cases", CASES, "--runs", "1", "--finder", f"mine={sys.executable} -c 'input(); print(1)'")
    assert "mine gave no answer in 9 of 9 runs" in found.out
    assert "its answer is no JSON object" in found.out


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        ("CRUX-10", "topic-again"),
        ("CRUX-12", "careless-words"),
        ("CRUX-13", "several-facts"),
        ("CRUX-14", "cut-short"),
        ("FALS-4", "careless-words"),
    ],
)
def test_a_rule_bites_in_some_kind_of_world(crux: Crux, rule: str, kind: str) -> None:
    words = ("--worlds", "4", "--kinds", kind, "--noise", "0.1", "--runs", "1", "--jobs", "1")
    found = crux("bench", *words, "--set", "development", "--seed", "3", "--ablate", f"{rule},MOD-6")
    rows = [line.split() for line in found.out.splitlines()]
    diverted, changed = next((int(row[1]), int(row[4])) for row in rows if row[:1] == [rule])
    assert diverted or changed
    assert "Nothing differed in these worlds without MOD-6" in found.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--finder", ""), "--finder needs a command"),
        (("--finder", "no-such-program-anywhere"), "cannot be started"),
        (("--finder", "polarity=true"), "there is a finder called 'polarity' already"),
        (("--seconds", "nan"), "seconds for an answer"),
        (("--cases", "/nowhere"), "there is no folder /nowhere"),
        (("--cases", CASES, "--worlds", "2"), "--worlds is for planted worlds"),
        (("--cases", CASES, "--private"), "--private is for planted worlds"),
    ],
)
def test_what_cannot_be_scored_is_refused(crux: Crux, words: tuple[str, ...], told: str) -> None:
    refused = crux("bench", *words)
    assert refused.code == 2
    assert told in refused.err
    assert refused.err.count("\n") == 1
