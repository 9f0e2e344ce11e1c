"""Markdown stays what it was, whatever was said: read back by a parser of Markdown."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cruxfinder.exports.formats import Format, export_run
from cruxfinder.exports.markdown_minutes import minutes
from cruxfinder.exports.markdown_text import document, escape
from cruxfinder.kernel.vocabulary import ADVOCATE, Role, TopSide
from cruxfinder.talk.turns import TurnType
from cruxfinder.telling.export_text import clean
from cruxfinder.telling.outcomes import names_of
from tests.exports.runs import NASTY, RUNS, Run, nasty, run

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
MARKS = st.text(alphabet="\\`*_{}[]()<>#+-.!|~$&:;=%^\"' \n\t1aé🙂", max_size=30)
WRITTEN = (Format.MARKDOWN, Format.DECISION)


def shape(text: str) -> list[tuple[str, str]]:
    """Blocks and what is inside of them, without the text."""
    found: list[tuple[str, str]] = []
    for token in PARSER.parse(text):
        found.append((token.type, token.tag))
        found += [(child.type, child.tag) for child in token.children or () if child.type != "text"]
    # A character that is escaped or an entity is one of its own, and says nothing about the shape.
    return [pair for pair in found if pair[0] != "text_special"]


def plain_text(tokens: Any) -> str:
    return "".join(child.content for token in tokens for child in token.children or ())


@given(st.one_of(MARKS, st.sampled_from(NASTY), st.text(max_size=20)))
@settings(max_examples=60, deadline=None)
def test_text_is_read_back_as_it_is(text: str) -> None:
    for before in ("", "x ", "- ", "> ", "## "):
        tokens = PARSER.parse(f"{before}{escape(text)}\n")
        meant = f"{before}{clean(text)}".strip() if before == "x " else clean(text)
        assert plain_text(tokens) == meant
        assert not any(t.type in {"html_block", "fence", "hr", "code_block"} for t in tokens)


@given(st.lists(MARKS, min_size=1, max_size=4))
@settings(max_examples=50, deadline=None)
def test_a_cell_stays_in_its_column(texts: list[str]) -> None:
    row = " | ".join(escape(text) or " " for text in texts)
    table = f"| {' | '.join('h' for _ in texts)} |\n|{'|'.join('---' for _ in texts)}|\n| {row} |\n"
    tokens = PARSER.parse(table)
    cells = [tokens[n + 1] for n, token in enumerate(tokens) if token.type == "td_open"]
    assert [plain_text([cell]) for cell in cells] == [clean(text) for text in texts]


@pytest.mark.parametrize("text", NASTY, ids=["marks", "code", "lines"])
@pytest.mark.parametrize("format", WRITTEN)
@pytest.mark.parametrize("name", ["contested", "values", "talk-stubborn", "talk-asking"])
def test_nasty_text_changes_nothing_about_the_document(name: str, format: Format, text: str) -> None:
    found = shape(nasty(name, text).written(format))
    assert found == shape(run(name).written(format))


def test_nasty_text_changes_nothing_between_cruxes() -> None:
    for format in WRITTEN:
        assert shape(nasty("deeper", NASTY[1]).written(format)) == shape(run("deeper").written(format))


@pytest.mark.parametrize("format", WRITTEN)
@pytest.mark.parametrize("name", RUNS)
def test_there_is_no_html_and_no_empty_part(name: str, format: Format) -> None:
    tokens = PARSER.parse(run(name).written(format))
    assert not any("html" in kind for kind, _ in shape(run(name).written(format)))
    headings = [(n, token.tag) for n, token in enumerate(tokens) if token.type == "heading_open"]
    assert headings[0][1] == "h1" and sum(tag == "h1" for _, tag in headings) == 1
    for n, tag in headings:
        after = tokens[n + 3] if n + 3 < len(tokens) else None
        deeper = after is not None and after.type == "heading_open" and after.tag > tag
        assert after is not None and (after.type != "heading_open" or deeper), f"{tokens[n + 1].content} is empty"


def headings(found: Run, format: Format) -> list[str]:
    return [t.content for t in PARSER.parse(found.written(format)) if t.type == "inline" and t.level == 1]


def test_the_crux_comes_first_and_its_grounds_follow() -> None:
    found = run("pack-bitcoin")
    written = found.written(Format.MARKDOWN)
    head, _, rest = written.partition("## Who stands where")
    crux = next(t.crux for t in found.result.threads if t.crux is not None)
    assert f"**{crux.question}**" in head and "**Verdict: crux.**" in head
    for agent, position in crux.positions.items():
        name = next(a.name for a in found.result.agents if a.id == agent)
        assert name in rest
        for item in position.falsifiers:
            assert item.metric in rest and f"**{item.deadline}**" in rest
    for shared in found.result.common_ground:
        assert shared.statement[1:] in rest
    for asked in found.result.recommended_next_questions:
        assert asked.question in rest


def test_every_message_is_in_the_appendix() -> None:
    found = run("twelve")
    appendix = found.written(Format.MARKDOWN).partition("## Appendix")[2]
    assert sum(line.startswith("- ") for line in appendix.splitlines()) >= found.result.total_messages


@pytest.mark.parametrize(
    ("name", "told"),
    [
        pytest.param("values", "**Verdict: values.**", id="values"),
        pytest.param("agreement", "**Verdict: no real disagreement.**", id="no disagreement"),
        pytest.param("one-side", "**Verdict: failed lock.**", id="a failed lock"),
        pytest.param("deeper", "means a NO to t1.c1", id="cruxes that bear on each other"),
        pytest.param("asked-twice", "t1.c1 and t2.c1 ask the same.", id="a question asked twice"),
        pytest.param("talk-debate", "**Verdict: ruling.**", id="a ruling"),
        pytest.param("talk-stubborn", "## Who dissents", id="dissent"),
        pytest.param("talk-asking", "## Questions to the user", id="questions to the user"),
    ],
)
def test_what_is_particular_about_a_run_is_told(name: str, told: str) -> None:
    assert told in run(name).written(Format.MARKDOWN)


@pytest.mark.parametrize(
    ("name", "status"),
    [
        pytest.param("pack-bitcoin", "proposed (it waits for the answer to its crux)", id="a crux"),
        pytest.param("values", "proposed (it is a matter of what is wanted", id="values"),
        pytest.param("one-side", "draft (no question", id="a failed lock"),
        pytest.param("resolved", "accepted\n", id="a gap that closed on one side"),
        pytest.param("agreement", "accepted\n", id="everybody on one side from the start"),
        pytest.param("wrong-evidence", "proposed (the private answers are on no one side)", id="nobody on one side"),
        pytest.param("conforming", "proposed (in private the agreement is not meant)", id="a hollow agreement"),
        pytest.param("talk-willing", "accepted by consensus", id="a consensus"),
        pytest.param("talk-stubborn", "proposed (not everybody", id="no consensus"),
        pytest.param("talk-roundtable", "draft (it was discussed", id="a round table"),
    ],
)
def test_a_decision_has_the_status_its_verdict_gives_it(name: str, status: str) -> None:
    assert f"- Status: {status}" in run(name).written(Format.DECISION)


def test_only_speakers_drive_a_decision() -> None:
    found = run("talk-roundtable")
    drivers = found.written(Format.DECISION).partition("## Decision drivers")[2].partition("\n## ")[0]
    speakers = {a.name for a in found.minutes.agents if a.role is Role.SPEAKER}
    chairs = {a.name for a in found.minutes.agents} - speakers
    assert all(f"- {name}: " in drivers for name in speakers)
    assert chairs and not any(f"- {name}: " in drivers for name in chairs)


def test_of_all_turns_the_ruling_is_quoted() -> None:
    found = run("talk-debate")
    (ruling,) = [turn for turn in found.minutes.turns if turn.type is TurnType.RULING]
    head = found.written(Format.MARKDOWN).partition("\n> ")[2].partition("\n")[0]
    assert head.startswith("**") and ruling.content[:40] in head


def test_a_ruling_decides_as_it_was_ruled() -> None:
    found = run("talk-debate")
    word = {"YES": "accepted", "NO": "rejected", "NUANCED": "proposed"}[str(found.minutes.ruling)]
    assert f"- Status: {word}" in found.written(Format.DECISION)


@pytest.mark.parametrize(
    ("content", "lead"),
    [
        pytest.param("The claim is carried. Noor left it unanswered.", "Arbitrator:", id="the ruling says so itself"),
        pytest.param("Noor left it unanswered.", "The claim is carried. Arbitrator:", id="the ruling does not"),
    ],
)
def test_a_ruling_is_told_once(content: str, lead: str) -> None:
    told = run("talk-debate").minutes
    turns = tuple(replace(t, content=content) if t.type is TurnType.RULING else t for t in told.turns)
    ruled = Run("r1", (), replace(told, ruling=TopSide.YES, turns=turns))
    decision = ruled.written(Format.DECISION).partition("## Decision\n")[2]
    assert decision.startswith(f"\n{lead}\n\n> {content}\n")


@pytest.mark.parametrize(
    ("topic", "question"),
    [
        pytest.param("Ferries should be free.", "Do we accept the claim “Ferries should be free”?", id="a claim"),
        pytest.param("Should ferries be free?", "Should ferries be free?", id="a question"),
    ],
)
@pytest.mark.parametrize("name", ["talk-debate", "pack-bitcoin"])
def test_what_is_to_be_decided_reads_as_a_question(name: str, topic: str, question: str) -> None:
    asked = Run("r1", (), replace(run(name).outcome, topic=topic))
    assert f"## The question\n\n{question}\n" in asked.written(Format.DECISION)


@pytest.mark.parametrize(
    ("format", "line"), [(Format.MARKDOWN, "- **Petra** grants: "), (Format.DECISION, "- Petra grants: ")]
)
def test_what_somebody_grants_is_not_told_as_given_up(format: Format, line: str) -> None:
    told = replace(run("talk-debate").minutes, conceded={"platform": "it may rain"})
    assert f"{line}It may rain.\n" in export_run("r1", (), told, format)


def test_nothing_is_held_by_what_nobody_said() -> None:
    told = replace(run("talk-debate").minutes, turns=(), ruling=None)
    text = document(minutes("r1", told, names_of(told)))
    assert "No speaker said anything." in text and "what must hold" not in text


@pytest.mark.parametrize(("cost", "line"), [(0.0, "- 9 calls of models\n"), (0.0123, "- 9 calls of models, $0.0123\n")])
def test_a_price_that_is_not_known_is_not_told_as_none(cost: float, line: str) -> None:
    told = run("talk-debate").minutes
    told = replace(told, cost=cost, system_metrics=replace(told.system_metrics, calls=9))
    assert line in document(minutes("r1", told, names_of(told))).replace("\\", "")


def test_a_decision_is_reopened_by_what_would_change_minds() -> None:
    found = run("pack-bitcoin")
    reopening = found.written(Format.DECISION).partition("## What would reopen this decision")[2]
    items = [i for t in found.result.threads if t.crux for p in t.crux.positions.values() for i in p.falsifiers]
    assert items and all(item.metric in reopening and item.deadline in reopening for item in items)
    assert {"Context", "The question", "Decision drivers", "Options", "Decision", "Consequences"} <= set(
        headings(found, Format.DECISION)
    )


def test_the_devils_advocate_decides_nothing() -> None:
    found = run("adrift")
    assert any(agent.id == ADVOCATE for agent in found.result.agents)
    [deciders] = [line for line in found.written(Format.DECISION).splitlines() if line.startswith("- Deciders:")]
    assert "advocate" not in deciders and found.result.agents[0].name in deciders
