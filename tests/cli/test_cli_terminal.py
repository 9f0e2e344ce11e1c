"""In a terminal: the live view, the card, and Ctrl-C at any time; in a pipe: readers that leave early."""

import json
import os
import re
import signal
import subprocess
import textwrap
import time
from contextlib import closing
from pathlib import Path

import pytest

from cruxfinder import api
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.cli import exits, minutes_view
from cruxfinder.cli.debate_commands import DEMO_SEED
from cruxfinder.kernel import wire
from cruxfinder.ports import RunRow
from tests.cli.terminal import CRUX, environment, in_terminal, piped, plainly

pytestmark = pytest.mark.slow  # real terminals and real seconds

ALTERNATE, BACK, CURSOR = "\x1b[?1049h", "\x1b[?1049l", "\x1b[?25h"
STOPPED = re.compile(r"crux: stopped; resume with: crux resume (\S+)\n")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


def unbroken(seed: int) -> list[str]:
    return [wire.dumps(event) for event in api.debate("bitcoin", seed=seed).events]


def said(store: Path, *args: str) -> str:
    done = subprocess.run([*CRUX, *args], env=environment(store), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


def resumed(store: Path, run: str) -> list[str]:
    assert json.loads(said(store, "resume", run, "--json"))["runId"] == run
    return [wire.dumps(event) for event in api.load(run, store=store).events]


@pytest.mark.parametrize(
    "more", [pytest.param((), id="lines"), pytest.param(("--json",), id="json", marks=pytest.mark.slow)]
)
def test_ctrl_c_keeps_what_there_is_and_says_how_to_resume(store: Path, more: tuple[str, ...]) -> None:
    with piped(store, "debate", "bitcoin", "--seed", "3", "--pace", "live", *more) as process:
        wait_until_begun(store)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert process.returncode == exits.INTERRUPTED
    told = STOPPED.fullmatch(err)
    assert told is not None, err
    assert 1 <= len(api.load(told[1], store=store).events) < 30
    assert resumed(store, told[1]) == unbroken(3)


def rows(store: Path) -> tuple[RunRow, ...]:
    with closing(SqliteStore(store)) as kept:
        return kept.rows()


def wait_until_begun(store: Path) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if any(row.entries for row in rows(store)):
            return
        time.sleep(0.05)
    raise AssertionError("the debate never began")


def test_ctrl_c_in_the_live_view_restores_the_terminal(store: Path) -> None:
    with in_terminal(store, "demo") as terminal:
        terminal.read("of 200 messages")
        assert ALTERNATE in terminal.seen
        terminal.interrupt()
        assert terminal.end() == exits.INTERRUPTED
    after = terminal.seen.rpartition(BACK)[2]
    assert BACK in terminal.seen and CURSOR in terminal.seen
    told = STOPPED.search(plainly(after))
    assert told is not None and "Traceback" not in terminal.seen
    assert resumed(store, told[1])


QUESTION = ("debate", "free-will", "--protocol", "discussion", "--ask", "--wait", "30")


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize(("leaving", "told"), [("Ctrl-C", "stopped"), ("Ctrl-D", "somebody is still asked")])
def test_whoever_leaves_at_a_question_reads_the_command_on_one_line(
    store: Path, columns: int, leaving: str, told: str
) -> None:
    with in_terminal(store, *QUESTION, columns=columns) as terminal:
        terminal.read("Your answer (Enter to pass): ")
        if leaving == "Ctrl-C":
            terminal.interrupt()
        else:
            os.write(terminal.screen, b"\x04")
        terminal.end()
    end = plainly(terminal.seen).rpartition("Your answer (Enter to pass): ")[2]
    assert re.fullmatch(rf"\ncrux: [^\n]*{told}; resume with:\s+crux resume \S+\n", end) is not None
    assert max(map(len, end.splitlines())) <= columns


@pytest.mark.parametrize(("columns", "width"), [(60, 60), (80, 80), (120, 96)])
def test_a_conversation_is_folded_once_for_its_terminal(store: Path, columns: int, width: int) -> None:
    finished = api.debate("free-will", protocol="consensus", store=store)
    with in_terminal(store, "show", finished.run, "--messages", columns=columns, rows=60) as terminal:
        assert terminal.end() == exits.OK
    shown = [line.rstrip() for line in plainly(terminal.seen).splitlines()]
    assert max(map(len, shown)) <= columns
    card = [row.text for row in minutes_view.card(finished, "", width)]
    assert shown[-len(card) + 3 :] == card[3:]
    for turn in finished.minutes.turns:
        assert textwrap.fill(turn.content, width) in "\n".join(shown)


def test_the_end_of_the_input_at_a_question_says_how_to_go_on(store: Path) -> None:
    with in_terminal(store, *QUESTION) as terminal:
        terminal.read("Your answer")
        os.write(terminal.screen, b"\x04")
        assert terminal.end() == exits.BAD_INPUT
    told = re.search(r"somebody is still asked; resume with: crux resume (\S+)\n", plainly(terminal.seen))
    assert told is not None and "Traceback" not in terminal.seen
    assert said(store, "answer", told[1], "both")


def test_an_answer_of_bytes_that_are_no_text_is_heard(store: Path) -> None:
    with in_terminal(store, *QUESTION) as terminal:
        terminal.read("Your answer")
        os.write(terminal.screen, b"the tide \xff decides\n")
        assert terminal.end() == exits.OK
    assert "the tide \ufffd decides" in plainly(terminal.seen)


def test_a_polite_kill_restores_the_terminal_too(store: Path) -> None:
    with in_terminal(store, "demo") as terminal:
        terminal.read("of 200 messages")
        terminal.process.terminate()
        assert terminal.end() == exits.TERMINATED
    assert BACK in terminal.seen and "Traceback" not in terminal.seen
    [row] = rows(store)
    assert row.entries > 0


def test_a_debate_too_quick_to_watch_leaves_transcript_and_card(store: Path) -> None:
    with in_terminal(store, "debate", "bitcoin", "--max-messages", "5", columns=80) as terminal:
        assert terminal.end() == exits.OK
    shown = plainly(terminal.seen)
    assert ALTERNATE not in terminal.seen
    said = " ".join(shown.replace("│", " ").split())
    assert "CLAIM" in said and "UNDECIDED" in said and "It ended early: the messages ran out." in said
    assert max(len(line) for line in shown.splitlines()) <= 80


@pytest.mark.parametrize("columns", [60, 80, *(pytest.param(n, marks=pytest.mark.slow) for n in (100, 140))])
def test_the_card_fits_its_terminal(store: Path, columns: int) -> None:
    run = api.debate("bitcoin", seed=DEMO_SEED, store=store).run
    with in_terminal(store, "show", run, columns=columns, rows=60) as terminal:
        assert terminal.end() == exits.OK
    lines = plainly(terminal.seen).splitlines()
    assert max(len(line) for line in lines) <= columns
    assert any(line.startswith("╭") and "CRUX" in line for line in lines)
    assert "\x1b[" in terminal.seen


def test_no_color_is_respected(store: Path) -> None:
    run = api.debate("bitcoin", seed=DEMO_SEED, store=store).run
    with in_terminal(store, "show", run, extra={"NO_COLOR": "1"}) as terminal:
        assert terminal.end() == exits.OK
    assert "CRUX" in terminal.seen
    assert re.search(r"\x1b\[[0-9;]*(?:[34][0-9]|9[0-7])[0-9;]*m", terminal.seen) is None


def test_a_dumb_terminal_gets_plain_lines(store: Path) -> None:
    with in_terminal(store, "debate", "bitcoin", "--max-messages", "3", extra={"TERM": "dumb"}) as terminal:
        assert terminal.end() == exits.OK
    assert "\x1b" not in terminal.seen and "  CLAIM  " in terminal.seen


def test_a_reader_that_leaves_early_is_no_fault(store: Path) -> None:
    run = api.debate("bitcoin", seed=DEMO_SEED, store=store).run
    with piped(store, "events", run, "--jsonl") as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(20) == exits.OK
        assert process.stderr.read() == ""


def test_output_that_cannot_be_written_is_told(store: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*CRUX, "packs"], env=environment(store), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == exits.BAD_INPUT
    assert done.stderr.startswith("crux: the output cannot be written") and done.stderr.count("\n") == 1


def test_a_run_is_watched_and_stopped_from_outside(store: Path) -> None:
    with piped(store, "debate", "bitcoin", "--seed", "3", "--pace", "live", "--json") as writer:
        wait_until_begun(store)
        [row] = rows(store)
        with piped(store, "watch", row.id) as watcher:
            assert watcher.stdout is not None
            assert "run " + row.id in watcher.stdout.readline()
            assert row.id in said(store, "stop", row.id)
            out, _ = writer.communicate(timeout=30)
            assert json.loads(out)["ending"] == "stopped"
            shown, _ = watcher.communicate(timeout=30)
            assert watcher.returncode == exits.OK and "It ended early: it was stopped." in " ".join(shown.split())
