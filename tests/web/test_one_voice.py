"""One voice: terminal, JSON, exports, tools, page and report show the same numbers and the same words (PLUS-13)."""

import json
import re
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from mcp import Client
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import stored_runs
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.server_setup import Setup
from cruxfinder.cli.main import app
from cruxfinder.crux.result import Result
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.language.counts import percent
from cruxfinder.mcp.mcp_server import build
from cruxfinder.protocols.any_run import Outcome
from cruxfinder.telling.brief import Brief, brief_of
from cruxfinder.telling.figures import figures_of
from cruxfinder.telling.wording import ENDINGS, GAUGES
from tests.mcp_server.callers import said
from tests.web.browsing import serving
from tests.web.conftest import Open

ASKED = {
    "several": ("bitcoin", "--seed", "36"),
    "one": ("free-will", "--seed", "1"),
    "early": ("monolith", "--seed", "8", "--max-messages", "30"),
    "ruled": ("monolith", "--seed", "2", "--protocol", "debate"),
    "agreed": ("monolith", "--seed", "3", "--protocol", "consensus"),
}
FORMATS = ("json", "md", "csv", "adr", "argdown", "mermaid")
NOUNS = {"messages": "messages?", "turns": "turns?", "refusals": "drafts? sent back"}
OVER_MS = 60_000


@dataclass(frozen=True)
class Told:
    """A run and everything that is said of it without a browser."""

    run: str
    outcome: Outcome
    brief: Brief
    texts: dict[str, str]  # by surface
    report: Path


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("voice") / "runs.db"


def crux(store: Path, *args: str) -> str:
    found = CliRunner().invoke(app, list(args), env={"CRUX_STORE": str(store), "COLUMNS": "100"})
    assert found.exit_code == 0, found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def told(store: Path) -> dict[str, Told]:
    runs = {name: str(json.loads(crux(store, "debate", *asked, "--json"))["runId"]) for name, asked in ASKED.items()}
    texts: dict[str, dict[str, str]] = {}
    for name, run in runs.items():
        texts[name] = {"terminal": crux(store, "show", run), "events": crux(store, "events", run)}
        texts[name] |= {format: crux(store, "export", run, "--format", format) for format in FORMATS}
        crux(store, "report", run, "-o", str(store.with_name(f"{name}.html")))
    opened = SqliteStore(store)
    try:
        outcomes = {name: stored_runs.load_run(run, opened).outcome for name, run in runs.items()}
        for name, run in runs.items():
            texts[name] |= anyio.run(tools_told, opened, run, store.with_name("memory"))
    finally:
        opened.close()
    return {
        name: Told(run, outcomes[name], brief_of(outcomes[name]), texts[name], store.with_name(f"{name}.html"))
        for name, run in runs.items()
    }


async def tools_told(opened: SqliteStore, run: str, memory: Path) -> dict[str, str]:
    gate = Gate(rules=rules_in_force(), memory=Memory(memory), disabled=False)
    async with Client(build(Setup(gate=gate, store=opened))) as client:
        result = await client.call_tool("debate_result", {"run": run})
        status = await client.call_tool("debate_status", {"run": run})
        assert result.structured_content is not None
        return {
            "tool": said(result),
            "status tool": said(status).splitlines()[0],
            "tool's JSON": json.dumps(result.structured_content["result"]),
        }


def numbers(text: str, noun: str) -> set[int]:
    return {int(found) for found in re.findall(rf"(?<![\d.:×])(\d+) (?:{noun})\b", text)}


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_every_text_tells_the_same_numbers(told: dict[str, Told], name: str) -> None:
    run = told[name]
    found = figures_of(run.outcome)
    threads = {t.messages for t in run.outcome.threads} if isinstance(run.outcome, Result) else set[int]()
    plain = {surface: run.texts[surface] for surface in ("terminal", "md", "adr", "tool", "status tool")}
    said_nothing = "turns" if isinstance(run.outcome, Result) else "messages"
    for surface, text in plain.items():
        summary = " ".join(text.partition("\n## Appendix")[0].split())
        if surface in ("terminal", "md"):
            assert numbers(summary, NOUNS["refusals"]) | {0} == {found.refusals, 0}, surface
        if said_nothing == "turns":
            assert numbers(summary, NOUNS["messages"]) <= {found.messages, *threads}, surface
            assert found.messages in numbers(summary, NOUNS["messages"]), surface
    if said_nothing == "messages":
        for surface in ("terminal", "md", "tool", "adr"):
            assert found.turns in numbers(plain[surface], NOUNS["turns"]), surface
    for surface in ("json", "tool's JSON"):
        result = json.loads(run.texts[surface])
        if isinstance(run.outcome, Result):
            assert result["totalMessages"] == found.messages
            assert result["systemMetrics"]["messagesBlocked"] == found.refusals
            assert len(result["coalitions"]) == found.coalitions
            assert [t["messages"] for t in result["threads"]] == [t.messages for t in run.outcome.threads]
            primary = [t["crux"] for t in result["threads"] if t["crux"] and t["crux"]["id"] == result["primaryCrux"]]
            assert sum(len(c["wouldFlip"]) for c in primary) == found.flips
        else:
            assert (result["totalTurns"], result["systemMetrics"]["turnsRefused"]) == (found.turns, found.refusals)


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_every_text_has_the_headline_and_the_figures_of_the_question(told: dict[str, Told], name: str) -> None:
    run = told[name]
    for surface in ("terminal", "md", "adr", "tool"):
        text = " ".join(run.texts[surface].replace("\\", "").split())
        assert run.brief.headline in text, surface
        if run.brief.ending:
            assert ENDINGS[run.outcome.ending].partition(": ")[2] in text, surface
        if run.brief.question:
            assert run.brief.question in text, surface
            assert run.brief.gauges[0].figure in text, surface
    for gauge in run.brief.gauges[:2]:
        assert all(gauge.figure in run.texts[surface] for surface in ("terminal", "md", "tool")), gauge.name
    if run.brief.gauges:
        flips, asked = run.brief.gauges[2].figure.split("/")
        assert f"{flips}/{asked}" in run.texts["terminal"] and f"{flips} of {asked}" in run.texts["md"]


@pytest.mark.slow
def test_the_table_has_a_row_for_everybody_and_a_column_for_every_crux(told: dict[str, Told]) -> None:
    for run in told.values():
        rows = run.texts["csv"].splitlines()
        found = figures_of(run.outcome)
        assert len(rows) - 1 == (found.agents if isinstance(run.outcome, Result) else found.turns)
        if isinstance(run.outcome, Result):
            assert rows[0].count("[side when locked]") == sum(t.crux is not None for t in run.outcome.threads)


@pytest.fixture(scope="module")
def address(store: Path, told: dict[str, Told]) -> Generator[str]:
    assert told
    with serving(store) as server:
        yield server.address


def page_tells(page: Page, run: Told, *, wide: bool = True) -> None:
    """What a person sees of a run: the same on the page and in a report."""
    found, outcome = figures_of(run.outcome), run.outcome
    verdict = page.locator("crux-verdict")
    expect(verdict.locator(".eyebrow")).to_have_text(run.brief.headline, timeout=OVER_MS)
    if run.brief.ending:
        expect(verdict).to_contain_text(run.brief.ending)
    expect(page.locator("crux-run-head")).to_contain_text(f"{found.agents} agents")
    if isinstance(outcome, Result):
        for thread in outcome.threads:
            word = f"{thread.messages} message{'s' * (thread.messages != 1)}"
            expect(page.locator(f'crux-thread[data-thread="{thread.id}"] .thread-count')).to_have_text(word)
        if run.brief.question and outcome.verdict.value in ("crux", "partial crux"):
            for n, gauge in enumerate(run.brief.gauges[:3]):
                expect(page.locator("crux-verdict .figure b").nth(n)).to_have_text(gauge.figure)
    page.get_by_role("tab", name="Limits").click()
    costs = page.locator("crux-costs")
    for title, number in (("Messages" if found.messages else "Turns", found.messages + found.turns),
                          ("Drafts sent back", found.refusals)):  # fmt: skip
        used = costs.locator(".cost").filter(has=page.get_by_text(title, exact=True)).locator(".cost-used")
        expect(used).to_have_text(str(number))
    if isinstance(outcome, Result):
        page.get_by_role("tab", name="Cruxes").click()
        for thread in outcome.threads:
            if thread.crux is not None:
                card = page.locator(f'article.crux-card[data-thread="{thread.id}"]')
                expect(card.locator(".crux-flips li")).to_have_count(len(thread.crux.would_flip))
                expect(card).to_contain_text(percent(thread.crux.gap_closed))
                expect(card).to_contain_text(GAUGES["gapClosed"][1])


@pytest.mark.web
@pytest.mark.parametrize("name", ASKED)
def test_the_page_and_the_report_tell_what_the_texts_tell(
    told: dict[str, Told], address: str, open_page: Open, name: str
) -> None:
    page_tells(open_page(f"{address}#/run/{told[name].run}"), told[name])
    page_tells(open_page(told[name].report.as_uri(), offline=True), told[name])


@pytest.mark.web
@pytest.mark.parametrize("name", ["several", "ruled"])
def test_the_log_of_page_and_report_has_the_lines_of_the_terminal(
    told: dict[str, Told], address: str, open_page: Open, name: str
) -> None:
    run = told[name]
    texts: list[list[str]] = []
    for where in (f"{address}#/run/{run.run}", run.report.as_uri()):
        page = open_page(where)
        expect(page.locator("crux-verdict")).to_contain_text(run.brief.headline, ignore_case=True, timeout=OVER_MS)
        page.get_by_role("tab", name="Log").click()
        expect(page.locator("crux-log li").first).to_be_attached()
        texts.append(page.locator("crux-log .log-text").all_text_contents())
    assert texts[0] == texts[1]
    shown = [" ".join(text.split()).casefold() for text in texts[0]]
    looked = 0
    for line in run.texts["events"].splitlines():
        badge = next((b for b in (" LOCKED ", " LOCK FAILED ", " END ", " PIVOT ") if b in line), None)
        if badge is not None:
            _, _, text = line.partition(badge)
            assert any(" ".join(text.split()).casefold() in row for row in shown), line
            looked += 1
    assert looked
