"""Every run can be written in every format, whole and cut short, and says which it is."""

import json

import pytest

import cruxfinder as cf
from cruxfinder.exports.formats import Format, export_run
from cruxfinder.kernel import wire
from cruxfinder.protocols.registry import read_event
from cruxfinder.telling.outcomes import names_of
from tests.exports.runs import NASTY, RUNS, begun, half, made, nasty, run

TOLD_OPEN = {
    Format.JSON: '"ending": "unfinished"',
    Format.MARKDOWN: "**It is not over:",
    Format.ARGDOWN: "over: false",
    Format.MERMAID: "<br/>not over",
    Format.GRAPHML: '<data key="graph.over">false</data>',
    Format.DECISION: "is not over)",
}


@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("name", RUNS)
def test_every_run_has_every_format(name: str, format: Format) -> None:
    written = run(name).written(format)
    assert written.endswith("\n") and written.strip()
    assert "Side." not in written and "Verdict." not in written
    if format is not Format.JSON:
        assert "None" not in written.replace("None yet", "")


@pytest.mark.parametrize("format", TOLD_OPEN)
@pytest.mark.parametrize("name", ["pack-bitcoin", "talk-roundtable"])
def test_an_unfinished_run_says_so_and_a_finished_one_does_not(name: str, format: Format) -> None:
    assert TOLD_OPEN[format] in half(name).written(format)
    assert TOLD_OPEN[format] not in run(name).written(format)


@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("name", ["deeper", "one-side", "agreement", "talk-stubborn"])
def test_a_run_cut_anywhere_can_be_written(name: str, format: Format) -> None:
    whole = len(run(name).events)
    for length in (1, 2, whole // 3, 3 * whole // 4, whole - 1):
        assert begun(name, length).written(format).endswith("\n")


@pytest.mark.parametrize("name", ["twelve", "talk-consensus"])
def test_json_is_the_result_as_it_is_shown(name: str) -> None:
    found = run(name)
    assert json.loads(found.written(Format.JSON)) == json.loads(json.dumps(wire.camel(found.outcome)))


def test_a_debate_just_held_can_be_written() -> None:
    finished = cf.debate("bitcoin", seed=36)
    question = str(finished.result.primary_crux_question)
    for format in Format:
        assert question in export_run(finished.run, finished.events, finished.outcome, format).replace("\\", "")


def test_a_conversation_just_held_can_be_written() -> None:
    finished = cf.debate("monolith", seed=0, protocol="consensus")
    for format in Format:
        written = export_run(finished.run, finished.events, finished.outcome, format)
        assert all(agent.name in written for agent in finished.minutes.agents)


def test_every_format_has_a_media_type_and_an_ending_of_its_own() -> None:
    assert len({format.suffix for format in Format}) == len(Format)
    assert all(format.suffix.startswith(".") and "/" in format.media_type for format in Format)


def test_two_of_one_name_are_told_apart() -> None:
    events = run("values").events
    renamed = tuple(read_event(wire.dumps(e).replace('"name":"Bob"', '"name":"Ann"')) for e in events)
    names = names_of(made("values", renamed).outcome)
    assert names["ann"] == "Ann (ann)" and names["bob"] == "Ann (bob)"


@pytest.mark.parametrize(
    "format", [f for f in Format if f is not Format.JSON]
)  # JSON escapes them, and keeps what was said
@pytest.mark.parametrize("name", ["deeper", "talk-stubborn"])
def test_nothing_a_terminal_would_obey_is_written(name: str, format: Format) -> None:
    written = nasty(name, NASTY[2]).written(format)
    bad = {c for c in written if c in "\x00\x1b\u2028\u202e" or "\ud800" <= c <= "\udfff"}
    assert bad == set()
