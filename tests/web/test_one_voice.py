"""One voice: terminal, JSON, exports, tools, page and report show the same numbers and the same words (PLUS-13).

Debates, conversations, calls of the gate, a table of votes and one of credences.
"""

import json
import re
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

import cruxfinder as cf
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import stored_runs
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.server_setup import Setup
from cruxfinder.cli.main import app
from cruxfinder.crux.result import Result
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.kernel.vocabulary import Verdict
from cruxfinder.language.counts import percent
from cruxfinder.mcp.mcp_server import build
from cruxfinder.protocols.any_run import Outcome
from cruxfinder.telling.brief import Brief, brief_of
from cruxfinder.telling.figures import figures_of
from cruxfinder.telling.gate_words import GateBrief, brief_of_gate
from cruxfinder.telling.wording import ENDINGS, GAUGES, HEADLINES, RESOLUTIONS
from tests.cli.test_cli_credences import TABLE
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
        if run.brief.question and outcome.verdict.value in ("crux", "locked, unresolved", "partial crux"):
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


# ---- the gate


@dataclass(frozen=True)
class GateTold:
    """A call of the gate, and what is said of it and of all calls without a browser."""

    verdict: dict[str, Any]
    report: dict[str, Any]
    brief: GateBrief
    planned: dict[str, str]  # by surface
    reported: dict[str, str]


ACTION = "git push --force origin main"


@pytest.fixture(scope="module")
def gate_told(store: Path) -> GateTold:
    with ThreadPoolExecutor(1) as aside:  # the browser's driver keeps a loop in this thread
        return aside.submit(gate_tells, store).result(60)


def gate_tells(store: Path) -> GateTold:
    memory = store.with_name("memory")
    kept = ("--memory", str(memory))
    planned = {"terminal": typed(store, "gate", "plan", ACTION, "--memory", str(store.with_name("other")))}
    verdict = json.loads(typed(store, "gate", "plan", ACTION, *kept, "--json"))
    first = json.loads(typed(store, "gate", "plan", "terraform destroy", *kept, "--json"))
    typed(store, "gate", "outcome", first["debateId"], "success", *kept)
    opened = SqliteStore(store)
    try:
        planned["tool"], reported = anyio.run(gate_tools_told, opened, memory)
    finally:
        opened.close()
    report = json.loads(typed(store, "gate", "report", *kept, "--json"))
    brief = brief_of_gate(Gate(rules=rules_in_force(), memory=Memory(memory), disabled=False).report())
    texts = {"terminal": typed(store, "gate", "report", *kept), "tool": reported}
    texts["log of the day"] = "".join(path.read_text("utf-8") for path in memory.glob("20??-??-??.md"))
    return GateTold(verdict, report, brief, planned, texts)


def typed(store: Path, *args: str) -> str:
    """The gate's exit code says what it decided."""
    return CliRunner().invoke(app, list(args), env={"CRUX_STORE": str(store), "COLUMNS": "100"}).stdout


async def gate_tools_told(opened: SqliteStore, memory: Path) -> tuple[str, str]:
    def gate(folder: Path) -> Gate:
        return Gate(rules=rules_in_force(), memory=Memory(folder), disabled=False)

    async with Client(build(Setup(gate=gate(memory.with_name("third")), store=opened))) as client:
        planned = said(await client.call_tool("gate_plan", {"action": ACTION}))
    async with Client(build(Setup(gate=gate(memory), store=opened))) as client:
        return planned, said(await client.call_tool("gate_report", {}))


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.slow
def test_a_call_of_the_gate_is_told_alike(gate_told: GateTold) -> None:
    verdict = gate_told.verdict
    for surface, text in gate_told.planned.items():
        assert f"{verdict['resolution']}: {RESOLUTIONS[verdict['resolution']][0]}" in text, surface
        for sentence in (verdict["rationale"], *verdict["modifications"], *verdict["rules"]):
            assert plain(sentence) in plain(text), surface
    assert verdict["resolution"] in gate_told.reported["log of the day"]
    assert ACTION in gate_told.reported["log of the day"]


@pytest.mark.slow
def test_what_the_gate_did_is_told_alike(gate_told: GateTold) -> None:
    figures = {figure.name: figure.figure for figure in gate_told.brief.figures}
    report = gate_told.report
    assert figures["planning"] == str(report["planning"]) == "2"
    assert figures["helped"] == f"{report['helped']} of {report['known']}"
    assert figures["open"] == str(report["debates"] - report["known"])
    for surface in ("terminal", "tool"):
        text = plain(gate_told.reported[surface])
        assert gate_told.brief.span in text, surface
        for figure in gate_told.brief.figures:
            assert figure.line in text, surface


@pytest.mark.web
def test_the_page_tells_of_the_gate_what_the_texts_tell(gate_told: GateTold, address: str, open_page: Open) -> None:
    view = open_page(f"{address}#/gate").locator("crux-gate")
    expect(view).to_contain_text(gate_told.brief.span, timeout=OVER_MS)
    for figure in gate_told.brief.figures:
        tile = view.locator(".gate-tile").filter(has_text=figure.words)
        expect(tile.locator(".gate-number")).to_have_text(figure.figure)
    row = view.get_by_role("region", name="Debates of the gate").locator("tbody tr").filter(has_text=ACTION)
    for text in (gate_told.verdict["resolution"], gate_told.verdict["stakes"], *gate_told.verdict["rules"]):
        expect(row).to_contain_text(text)


# ---- tables

VOTES = Path(__file__).parents[2] / "docs" / "assets" / "town-votes.csv"
QUESTIONS = len(VOTES.read_text("utf-8").splitlines()[0].split(",")) - 1


@pytest.fixture(scope="module")
def votes_told(store: Path) -> tuple[dict[str, Any], str]:
    return json.loads(crux(store, "votes", str(VOTES), "--json")), crux(store, "votes", str(VOTES))


def yes_share(tally: dict[str, int]) -> str:
    return percent(tally["yes"] / (tally["yes"] + tally["no"]))


@pytest.mark.slow
def test_a_table_of_votes_is_told_alike(votes_told: tuple[dict[str, Any], str]) -> None:
    found, text = votes_told
    lines = text.splitlines()
    assert f"{len(found['agents'])} people · {QUESTIONS} questions" in lines[1]
    for group in found["coalitions"]:
        assert any(f"#{group['id']}  {group['label']}  {group['size']} people" in line for line in lines)
        assert ", ".join(group["members"]) in text
    shown = lines[lines.index(next(line for line in lines if line.startswith("WHAT DIVIDES"))) :]
    ranked = [line for line in shown if re.match(r" +\d+  ", line)]
    assert ranked
    for line, question in zip(ranked, found["cruxes"], strict=False):
        shares = [yes_share(tally) for tally in (question, *question["coalitions"].values())]
        assert question["id"] in line and re.findall(r"\d+%", line) == shares
    for held in found["commonGround"]:
        assert f"{percent(held['share'])} {held['side']} {held['id']}" in text


@pytest.mark.web
def test_the_page_tells_of_votes_what_the_terminal_tells(
    votes_told: tuple[dict[str, Any], str], address: str, open_page: Open
) -> None:
    found, text = votes_told
    page = open_page(f"{address}#/votes")
    page.locator("crux-votes input[type=file]").set_input_files(VOTES)
    head = f"{len(found['agents'])} people · {QUESTIONS} questions"
    expect(page.locator("crux-votes .votes-head")).to_contain_text(head)
    expect(page.locator("crux-votes table thead th")).to_have_count(1 + QUESTIONS)
    assert head in text
    coalitions = page.locator("crux-votes .votes-coalitions > li")
    expect(coalitions).to_have_count(len(found["coalitions"]))
    for n, group in enumerate(found["coalitions"]):
        expect(coalitions.nth(n)).to_contain_text(f"{group['label']} {group['size']} people")
    drawn = page.locator("crux-votes .votes-crux")
    for n, question in enumerate(found["cruxes"][: drawn.count()]):
        expect(drawn.nth(n)).to_contain_text(question["id"])
        bars = drawn.nth(n).locator(".votes-figures").all_inner_texts()
        tallies = (question, *question["coalitions"].values())
        assert [bar.split(" · ")[:2] for bar in bars] == [[f"{t['yes']} YES", f"{t['no']} NO"] for t in tallies]


@pytest.mark.slow
def test_a_table_of_credences_is_told_alike(store: Path) -> None:
    path = store.with_name("credences.csv")
    path.write_text(TABLE, encoding="utf-8")
    found, text = json.loads(crux(store, "credences", str(path), "--json")), crux(store, "credences", str(path))
    assert text.startswith(f"{found['verdict'].upper()}: {HEADLINES[Verdict(found['verdict'])]}")
    assert f"{len(found['agents'])} people" in text and plain(found["why"]) in plain(text)
    for row in found["tested"]:
        line = next(line for line in text.splitlines() if line.endswith(row["question"]) and "/" in line)
        figures = [
            f"{row['rank']:.2f}".replace("-0.00", "0.00"),
            percent(row["explainedShare"]),
            percent(row["gapClosed"]),
        ]
        figures += [f"{row['dcg']['score']:.2f}", f"{len(row['wouldFlip'])}/{row['answered']}"]
        figures += [percent(row[camp]["credence"]) for camp in ("yesCamp", "noCamp")]
        assert line.split()[:7] == figures
        assert sum(one["wouldFlip"] for one in row["counterfactual"].values()) == len(row["wouldFlip"])
    for person, held in found["privatePositions"].items():
        assert re.search(rf"{person} +{held['side']} +{percent(held['pTop'])}", text)
    mapped = cf.map_credences(path)
    assert (mapped.verdict, len(mapped.tested)) == (found["verdict"], len(found["tested"]))
