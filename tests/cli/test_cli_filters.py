"""Reading a run from the command line: threads, topics, time, agents, mentions."""

import json
import re

import pytest

from cruxfinder.cli import exits
from cruxfinder.cli.message_flags import parse_debate_time
from cruxfinder.errors import BadInput
from tests.cli.conftest import Crux


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("1:30", 90_000),
        ("0:05.5", 5_500),
        ("90s", 90_000),
        ("90", 90_000),
        ("1.5m", 90_000),
        ("1m30s", 90_000),
        ("2 min", 120_000),
        ("0", 0),
    ],
)
def test_a_time_of_a_debate(text: str, ms: int) -> None:
    assert parse_debate_time(text) == ms


@pytest.mark.parametrize("text", ["", "soon", "1:75", "-5", "1:2:3", "5h", "1e9"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(BadInput, match="no time of a debate"):
        parse_debate_time(text)


def posted(crux: Crux, run: str, *args: str) -> list[dict[str, str]]:
    said = crux("events", run, "--jsonl", *args)
    assert said.code == exits.OK, said.err
    return [json.loads(line) for line in said.out.splitlines()]


def test_events_are_filtered_as_messages_are(crux: Crux, run: str) -> None:
    every = [e for e in posted(crux, run) if e["kind"] in ("message_posted", "moderator_intervention")]
    assert posted(crux, run, "--since", "0s") == posted(crux, run)
    late = posted(crux, run, "--since", "0:30")
    assert late == [e for e in every if int(e["at_ms"]) >= 30_000]
    two = posted(crux, run, "--agent", "trader", "--agent", "holder", "--since", "0:30")
    assert two == [e for e in late if e.get("agent") in ("trader", "holder")]
    topic = every[0]["topics"][0]
    assert posted(crux, run, "--topic", topic) == [e for e in every if topic in e.get("topics", ())]
    thread = posted(crux, run, "--thread", every[0]["thread"])
    assert thread == [e for e in every if e["thread"] == every[0]["thread"]]
    spoken = posted(crux, run, "--mentions", "economist")
    assert spoken
    assert all("Aurelia" in e["content"] for e in spoken)


def test_filtered_lines_keep_their_numbers(crux: Crux, run: str) -> None:
    every = crux("events", run).out.splitlines()
    chosen = crux("events", run, "--agent", "trader").out.splitlines()
    assert chosen
    assert set(chosen) < set(every)
    assert crux("events", run, "--agent", "trader", "--follow").out.splitlines() == chosen


def test_watching_shows_only_what_fits_and_the_whole_card(crux: Crux, run: str) -> None:
    whole, some = crux("watch", run).out, crux("watch", run, "--agent", "trader").out
    card = whole.index("\n\n")
    assert some.endswith(whole[card:])
    assert len(some) < len(whole)
    lines = some[: some.index("\n\n")].splitlines()[1:]
    said = [next(word for word in line.split()[1:] if not re.fullmatch(r"t\d+", word)) for line in lines]
    assert set(said) == {"Rufus"}


@pytest.mark.parametrize("command", ["events", "watch"])
@pytest.mark.parametrize(
    ("args", "told"),
    [
        pytest.param(("--agent", "nobody"), "no agent 'nobody'; there are holder", id="an agent"),
        pytest.param(("--mentions", "nobody"), "no agent 'nobody'; there are holder", id="a mention"),
        pytest.param(("--thread", "t99"), "no thread 't99'; there are t1", id="a thread"),
        pytest.param(("--since", "soon"), "no time of a debate", id="a time"),
        pytest.param(("--agent", ""), "--agent lacks a name", id="no name"),
    ],
)
def test_unknown_names_get_one_sentence(crux: Crux, run: str, command: str, args: tuple[str, ...], told: str) -> None:
    said = crux(command, run, *args)
    assert (said.code, said.out) == (exits.BAD_INPUT, "")
    assert told in said.err
    assert said.err.count("\n") == 1
