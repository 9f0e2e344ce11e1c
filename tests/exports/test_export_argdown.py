"""Argdown's own parser takes every document without a fault, and reads what was meant."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.exports.argdown_text import TITLE_MAX, data, escape, short_titles, title
from cruxfinder.exports.formats import Format
from cruxfinder.telling.export_text import clean
from tests.exports.runs import NASTY, RUNS, half, nasty, read_by, run

SCRIPT = "read_argdown.mjs"
MARKS = "\\@#*_[]<>{}.:/=()+-,;|`\"'^~ \n\t1aé🙂"
SOILED: tuple[str, ...] = ("pack-bitcoin", "deeper", "values", "talk-stubborn", "talk-asking")


@given(st.text(alphabet=MARKS, max_size=40))
@settings(max_examples=60, deadline=None)
def test_a_title_holds_plain_characters_only(text: str) -> None:
    found = title(text)
    assert found and len(found) <= TITLE_MAX and not set(found) & set('\\@#*_[]<>{}:/=|`"\n')


@given(st.lists(st.sampled_from(["Ann", "[Ann]", "Ann" * 30, "Ann" * 31, "", "<>"]), min_size=2, max_size=5))
@settings(max_examples=30, deadline=None)
def test_different_people_have_different_titles(names: list[str]) -> None:
    found = short_titles({f"a{number}": name for number, name in enumerate(names)})
    assert len(set(found.values())) == len(names)


@given(st.text(alphabet=MARKS, max_size=40))
@settings(max_examples=60, deadline=None)
def test_taking_the_escapes_away_gives_the_text(text: str) -> None:
    assert re.sub(r"\\(.)", r"\1", escape(text)) == (clean(text) or "…")


@given(st.text(alphabet=MARKS, max_size=40))
@settings(max_examples=50, deadline=None)
def test_data_ends_with_its_own_brace(text: str) -> None:
    assert set(data({"source": text})[1:-1]) & set("{}\n") == set()


@pytest.mark.web
def test_the_parser_takes_every_run() -> None:
    texts = [make(name).written(Format.ARGDOWN) for make in (run, half) for name in RUNS]
    assert [found["faults"] for found in read_by(SCRIPT, texts)] == [[] for _ in texts]


@pytest.mark.web
def test_the_parser_takes_nasty_text_for_text() -> None:
    pairs = [(name, text) for name in SOILED for text in NASTY]
    found = read_by(SCRIPT, [nasty(name, text).written(Format.ARGDOWN) for name, text in pairs])
    clear = dict(zip(SOILED, read_by(SCRIPT, [run(name).written(Format.ARGDOWN) for name in SOILED]), strict=True))
    for (name, text), read in zip(pairs, found, strict=True):
        assert read["faults"] == [], (name, text)
        assert read["frontMatter"]["title"] == clean(nasty(name, text).outcome.topic)
        assert text_of(read, "Topic") == clean(nasty(name, text).outcome.topic)
        for part in ("arguments", "relations"):
            assert len(read[part]) == len(clear[name][part]), (name, text, part)
        assert tags_of(read) == tags_of(clear[name]), (name, text)


def tags_of(read: Any) -> list[list[str]]:
    """Of all statements but those that everybody shares: which these are, and of what type, is read off their words,
    and so the nasty ones change it."""
    return [s["tags"] for s in read["statements"] if "common-ground" not in s["tags"]]


@pytest.mark.web
def test_any_text_is_read_back_as_it_is() -> None:
    """Drawn once with a fixed seed: a parser started for every example would take minutes."""
    texts: list[str] = []

    @given(st.text(alphabet=MARKS, min_size=1, max_size=40))
    @settings(max_examples=300, deadline=None, database=None, derandomize=True)
    def draw(text: str) -> None:
        texts.append(text)

    draw()
    texts += [*NASTY, "x. === y === z", "=== x ===", "// x", "/* x */ y", "a .b. :c: d", "(1) x", "+ x", "-- x"]
    documents = [f"[A]: {escape(text)} #(tag) {data({'source': text})}\n\n[B]: b\n  + [A]\n" for text in texts]
    for text, read in zip(texts, read_by(SCRIPT, documents), strict=True):
        [first, _] = read["statements"]
        assert read["faults"] == [], text
        assert text_of(read, "A") == (clean(text) or "…") and first["tags"] == ["tag"]
        assert first["data"] == {"source": clean(text)} and len(read["relations"]) == 1


def text_of(read: dict[str, Any], wanted: str) -> str:
    """The text of a statement; the parser leaves its tags in it."""
    [found] = [s for s in read["statements"] if s["title"] == wanted]
    text = found["text"].rstrip()
    for tag in reversed(found["tags"]):
        text = text.removesuffix(f"#({tag})").rstrip()
    return text


@pytest.mark.web
def test_the_crux_bears_on_the_topic_and_people_on_the_crux() -> None:
    result = run("pack-bitcoin").result
    [read] = read_by(SCRIPT, [run("pack-bitcoin").written(Format.ARGDOWN)])
    relations = {(r["from"], r["kind"], r["to"]) for r in read["relations"]}
    names = {a.id: a.name for a in result.agents}
    for crux in (t.crux for t in result.threads if t.crux is not None):
        assert (crux.id, "+", "Topic") in relations
        for agent, position in crux.positions.items():
            kind = {"YES": "+", "NO": "-"}.get(position.side_after)
            told = (f"{names[agent]} on {crux.id}", kind, crux.id)
            assert (told in relations) == (kind is not None)
            assert (
                (f"What would move {names[agent]} on {crux.id}", "-", f"{names[agent]} on {crux.id}") in relations
            ) == bool(position.falsifiers)


@pytest.mark.web
def test_a_turn_bears_on_the_one_it_answers() -> None:
    [read] = read_by(SCRIPT, [run("talk-debate").written(Format.ARGDOWN)])
    turns = run("talk-debate").minutes.turns
    names = {a.id: a.name for a in run("talk-debate").minutes.agents}
    titles = {t.id: f"{t.id} {names[t.agent]}" for t in turns}
    pairs = {(r["from"], r["to"]) for r in read["relations"]}
    assert {(titles[t.id], titles[t.reply_to]) for t in turns if t.reply_to} <= pairs
    assert [a["title"] for a in read["arguments"]] == list(titles.values())
