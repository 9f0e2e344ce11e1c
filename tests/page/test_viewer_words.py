"""The page calls things what the exports and the terminal call them."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, get_args

import pytest

import cruxfinder
from cruxfinder.app.hosting import DebateState
from cruxfinder.cli import live_header
from cruxfinder.kernel.vocabulary import ENDED, Side, Stage, Status, TopSide
from cruxfinder.telling import outcomes

pytestmark = [
    pytest.mark.web,
    pytest.mark.skipif(shutil.which("node") is None, reason="the page's modules are run by node"),
]

WORDS = Path(cruxfinder.__file__).parent / "page" / "words.js"
SCRIPT = Path(__file__).parent / "words.mjs"
STATES = get_args(DebateState)


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    asked = {"sides": [*Side, *TopSide], "stages": list(Stage), "statuses": list(Status), "runs": STATES}
    command = ["node", str(SCRIPT), str(WORDS), json.dumps(asked)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_verdicts_and_endings_are_those_of_the_exports(told: dict[str, Any]) -> None:
    assert told["headlines"] == {verdict.value: text for verdict, text in outcomes.HEADLINES.items()}
    assert told["endings"] == {ending.value: text for ending, text in outcomes.ENDINGS.items()}


def test_threads_are_called_as_in_the_terminal(told: dict[str, Any]) -> None:
    ended = {status.value: word for status, word in live_header.ENDED.items()}
    assert told["stages"] == {stage.value: stage.value.replace("_", " ").lower() for stage in Stage}
    assert {status: told["threads"][status] for status in ended} == ended
    assert told["threads"]["MERGED"] == "joined t1"
    assert all(told["threads"][status] == "evidence" for status in Status if status not in ENDED)


def test_everything_has_a_word(told: dict[str, Any]) -> None:
    assert told["sides"] == {"YES": "YES", "NO": "NO", "UNCERTAIN": "not sure", "NUANCED": "in between"}
    assert set(told["runs"]) == set(STATES)
    assert len(set(told["runs"].values())) == len(STATES)
