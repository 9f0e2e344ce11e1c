"""Mermaid's own parser takes every flowchart without a fault, and finds the nodes and edges that were meant."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.exports.formats import Format
from cruxfinder.exports.mermaid import LABEL_MAX, quote
from cruxfinder.telling.export_text import cut
from cruxfinder.telling.outcomes import cruxes
from tests.exports.runs import NASTY, RUNS, half, nasty, read_by, run

SCRIPT = "read_mermaid.mjs"
MARKS = "\"#&<>`%:;\\{}[]()|$*_~=^-+.@'!/ \n1aé🙂"
SOILED: tuple[str, ...] = ("pack-bitcoin", "deeper", "values", "talk-stubborn", "talk-asking")


@given(st.text(alphabet=MARKS, max_size=40))
@settings(max_examples=60, deadline=None)
def test_a_label_never_leaves_its_quotes(text: str) -> None:
    inside = quote(text)[1:-1]
    assert not set(inside) & set('"\n<>`%&:')
    assert re.sub(r"#(\d+);", lambda code: chr(int(code[1])), inside) == (cut(text, LABEL_MAX) or "…")


@pytest.mark.web
def test_the_parser_takes_every_run() -> None:
    texts = [make(name).written(Format.MERMAID) for make in (run, half) for name in RUNS]
    found = read_by(SCRIPT, texts)
    assert [read["fault"] for read in found] == [None for _ in texts]
    assert {read["type"] for read in found} == {"flowchart-v2"}


@pytest.mark.web
def test_nasty_text_adds_no_node_and_no_edge() -> None:
    pairs = [(name, text) for name in SOILED for text in NASTY]
    found = read_by(SCRIPT, [nasty(name, text).written(Format.MERMAID) for name, text in pairs])
    clear = dict(zip(SOILED, read_by(SCRIPT, [run(name).written(Format.MERMAID) for name in SOILED]), strict=True))
    for (name, text), read in zip(pairs, found, strict=True):
        assert read["fault"] is None, (name, text)
        assert [(n["id"], n["classes"]) for n in read["nodes"]] == [
            (n["id"], n["classes"]) for n in clear[name]["nodes"]
        ]
        assert [(e["from"], e["to"]) for e in read["edges"]] == [(e["from"], e["to"]) for e in clear[name]["edges"]]
        assert read["nodes"][0]["text"] == cut(nasty(name, text).outcome.topic, LABEL_MAX)


@pytest.mark.web
def test_any_label_is_read_back_as_it_is() -> None:
    """Drawn once with a fixed seed: a parser started for every example would take minutes."""
    texts: list[str] = []

    @given(st.text(alphabet=MARKS, min_size=1, max_size=40))
    @settings(max_examples=200, deadline=None, database=None, derandomize=True)
    def draw(text: str) -> None:
        texts.append(text)

    draw()
    charts = [
        f"flowchart TD\n  a[{quote(t)}]\n  subgraph g [{quote(t)}]\n  b\n  end\n  a -->|{quote(t)}| b\n" for t in texts
    ]
    for text, read in zip(texts, read_by(SCRIPT, charts), strict=True):
        meant = cut(text, LABEL_MAX) or "…"
        assert read["fault"] is None, text
        assert read["nodes"][0]["text"] == meant and len(read["nodes"]) == 2
        assert [e["text"] for e in read["edges"]] == [meant] and [g["title"] for g in read["groups"]] == [meant]


@pytest.mark.web
def test_the_map_has_every_crux_and_everybody_in_a_camp() -> None:
    result = run("pack-bitcoin").result
    [read] = read_by(SCRIPT, [run("pack-bitcoin").written(Format.MERMAID)])
    nodes = {node["id"]: node for node in read["nodes"]}
    for number, asked in enumerate(cruxes(result), start=1):
        node = nodes[f"crux{number}"]
        assert asked.crux.question in node["text"] and f"rank {asked.crux.rank:.2f}" in node["text"]
        sides = [e for e in read["edges"] if e["to"] == node["id"] and e["from"].startswith("agent")]
        assert len(sides) == len(asked.crux.positions)
        assert all((e["type"] == "arrow_cross") == e["text"].startswith("NO") for e in sides)
    camps = [agent for group in read["groups"] for agent in group["nodes"]]
    assert sorted(camps) == [f"agent{n}" for n in range(1, len(result.agents) + 1)]
    assert all(nodes[agent]["classes"] for agent in camps)


@pytest.mark.web
def test_cruxes_that_bear_on_each_other_are_joined() -> None:
    result = run("deeper").result
    [read] = read_by(SCRIPT, [run("deeper").written(Format.MERMAID)])
    between = [e for e in read["edges"] if e["from"].startswith("crux") and e["to"].startswith("crux")]
    assert len(between) == len(result.dependencies) > 0
    assert all("sure" in edge["text"] for edge in between)


@pytest.mark.web
def test_an_arrow_goes_from_a_turn_to_the_one_it_answers() -> None:
    turns = run("talk-debate").minutes.turns
    [read] = read_by(SCRIPT, [run("talk-debate").written(Format.MERMAID)])
    numbers = {t.id: t.number for t in turns}
    arrows = {(e["from"], e["to"]) for e in read["edges"]}
    assert {(f"turn{t.number}", f"turn{numbers[t.reply_to]}") for t in turns if t.reply_to} <= arrows
    assert len(arrows) == len(turns)
