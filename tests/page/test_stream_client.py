"""The page's client of the event stream loses nothing and doubles nothing, wherever the line is cut."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cruxfinder.page.bundle import page_files

pytestmark = [
    pytest.mark.web,
    pytest.mark.skipif(shutil.which("node") is None, reason="the page's modules are run by node"),
]

SCRIPT = Path(__file__).parent / "stream.mjs"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("page")
    for name, data in page_files().items():  # as they are served
        (folder / name).write_bytes(data)
    command = ["node", str(SCRIPT), str(folder / "stream.js"), str(folder / "run-source.js")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_event_comes_once_and_in_order(told: dict[str, Any]) -> None:
    expected = [n for n in range(1, told["total"] + 1) if n not in told["withheld"]]
    assert told["requests"] > 5, "the line was cut several times"
    assert told["live"]["numbers"] == expected
    assert told["live"]["contents"] == len(expected)


def test_the_end_tells_what_was_withheld_and_all_can_be_read_then(told: dict[str, Any]) -> None:
    assert told["live"]["withheld"] == len(told["withheld"])
    assert told["all"] == list(range(1, told["total"] + 1))


def test_a_line_cut_just_before_the_end_loses_nothing_that_was_private(told: dict[str, Any]) -> None:
    """The second connection hears that nothing is left, the gaps tell that something was withheld."""
    total = told["unlucky"]["total"]
    assert told["unlucky"]["from"] == [0, total, 0]
    assert told["unlucky"]["shown"] == list(range(1, total + 1))


def test_whoever_leaves_a_run_reads_it_no_further(told: dict[str, Any]) -> None:
    assert told["left"] == {"gathered": None, "already": None, "askedAgain": 0}


def test_a_server_that_never_answers_is_asked_again(told: dict[str, Any]) -> None:
    assert told["silentAsked"] == told["silentTimes"] + 1
    assert told["quiet"]["withheld"] == 0
    assert "waiting" in told["quiet"]["states"]


def test_the_connection_is_told(told: dict[str, Any]) -> None:
    assert set(told["live"]["states"]) == {"connecting", "open", "waiting", "closed"}
    assert told["live"]["status"] == "running"


def test_a_run_that_is_not_there_is_not_asked_for_again(told: dict[str, Any]) -> None:
    assert told["missing"]["problem"] == 404
    assert told["missing"]["states"] == ["connecting", "closed"]
    assert told["broken"] is None


def test_it_waits_before_it_connects_anew(told: dict[str, Any]) -> None:
    assert told["shortestWait"] == 500
    assert told["longestWait"] <= 5000


def test_frames_are_the_same_however_they_are_cut(told: dict[str, Any]) -> None:
    (pieces,) = told["pieces"]
    assert [piece.split(" ", 1)[0] for piece in pieces] == ["message", "status", "message"]
    assert pieces[1] == 'status {"a":\n1}'
