"""GraphML is XML, every edge joins nodes that are there, every datum has a key, and nothing said is lost."""

import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.crux.events import MessagePosted, ModeratorIntervention
from cruxfinder.exports.formats import Format
from cruxfinder.exports.graphml_text import SPACE, Edge, Node, token, xml
from cruxfinder.telling.export_text import clean
from tests.exports.runs import NASTY, RUNS, Run, nasty, run

READS = {"string": str, "long": int, "double": float, "boolean": {"true": True, "false": False}.__getitem__}
Found = tuple[dict[str, dict[str, object]], list[tuple[str, str, dict[str, object]]]]


def read(text: str) -> Found:
    """The nodes and edges with their data, as a reader that trusts the keys takes them."""
    root = ET.fromstring(text.encode())
    keys = {
        key.get("id"): (key.get("for"), key.get("attr.name"), key.get("attr.type")) for key in root.iter(tag("key"))
    }

    def data(element: ET.Element, where: str) -> dict[str, object]:
        found: dict[str, object] = {}
        for datum in element.findall(tag("data")):
            place, name, kind = keys[datum.get("key")]
            assert place == where
            found[str(name)] = READS[str(kind)](datum.text or "")
        return found

    nodes = {str(node.get("id")): data(node, "node") for node in root.iter(tag("node"))}
    edges = [(str(e.get("source")), str(e.get("target")), data(e, "edge")) for e in root.iter(tag("edge"))]
    return nodes, edges


def tag(name: str) -> str:
    return f"{{{SPACE}}}{name}"


@pytest.mark.parametrize("name", RUNS)
def test_every_edge_joins_nodes_that_are_there(name: str) -> None:
    nodes, edges = read(run(name).written(Format.GRAPHML))
    assert all(source in nodes and target in nodes for source, target, _ in edges)
    assert all(held["kind"] for held in nodes.values()) and all(held["kind"] for _, _, held in edges)


@pytest.mark.parametrize("name", ["pack-bitcoin", "twelve", "deeper"])
def test_everything_of_a_debate_is_a_node(name: str) -> None:
    found = run(name)
    nodes, edges = read(found.written(Format.GRAPHML))
    said = [e for e in found.events if isinstance(e, MessagePosted | ModeratorIntervention)]
    kinds = Counter(str(held["kind"]) for held in nodes.values())
    assert kinds["message"] == len(said) and kinds["agent"] == len(found.result.agents)
    assert kinds["thread"] == len(found.result.threads)
    assert kinds["crux"] == sum(t.crux is not None for t in found.result.threads)
    held = Counter(str(edge["kind"]) for _, _, edge in edges)
    assert held["commits"] == sum(len(t.crux.positions) for t in found.result.threads if t.crux is not None)
    assert held["answers"] == sum(isinstance(e, MessagePosted) and e.reply_to is not None for e in said)
    assert held["bears_on"] == len(found.result.dependencies)


def test_who_answered_whom_is_in_a_conversation() -> None:
    found = run("talk-debate")
    _, edges = read(found.written(Format.GRAPHML))
    answers = {(source, target) for source, target, held in edges if held["kind"] == "answers"}
    turns = found.minutes.turns
    assert answers == {(f"message:{t.id}", f"message:{t.reply_to}") for t in turns if t.reply_to is not None}


@pytest.mark.parametrize("text", NASTY, ids=["marks", "code", "lines"])
@pytest.mark.parametrize("name", ["deeper", "talk-stubborn"])
def test_nasty_text_is_read_back(name: str, text: str) -> None:
    def shape(found: Run) -> tuple[list[str], list[tuple[str, str]]]:
        nodes, edges = read(found.written(Format.GRAPHML))
        return sorted(nodes), sorted((source, target) for source, target, _ in edges)

    soiled = nasty(name, text)
    assert shape(soiled) == shape(run(name))
    nodes, _ = read(soiled.written(Format.GRAPHML))
    assert nodes["topic"]["label"] == clean(soiled.outcome.topic)


@given(st.one_of(st.text(max_size=30), st.sampled_from(NASTY)))
@settings(max_examples=60, deadline=None)
def test_text_and_ids_survive(text: str) -> None:
    node = Node(id=token("agent", text.encode("utf-8", "ignore").decode()), held={"label": clean(text)})
    nodes, edges = read(xml({"topic": clean(text)}, [node], [Edge(source=node.id, target=node.id, held={})]))
    assert nodes == {node.id: {"label": clean(text)}} and edges == [(node.id, node.id, {})]


@given(st.lists(st.text(max_size=4), min_size=2, max_size=6, unique=True))
@settings(max_examples=60, deadline=None)
def test_ids_that_differ_stay_different(ids: list[str]) -> None:
    assert len({token("agent", id) for id in ids}) == len(ids)


def test_a_whole_number_among_fractions_is_one_of_them() -> None:
    nodes, _ = read(xml({}, [Node(id="a", held={"rank": 0.5}), Node(id="b", held={"rank": 1})], []))
    assert nodes == {"a": {"rank": 0.5}, "b": {"rank": 1.0}}


def test_the_file_is_indented_as_it_nests() -> None:
    written = xml({}, [Node(id="a", held={"rank": 1})], [Edge(source="a", target="a", held={"rank": 2})])
    assert written.splitlines()[-8:] == [
        '    <node id="a">',
        '      <data key="node.rank">1</data>',
        "    </node>",
        '    <edge id="e1" source="a" target="a">',
        '      <data key="edge.rank">2</data>',
        "    </edge>",
        "  </graph>",
        "</graphml>",
    ]
