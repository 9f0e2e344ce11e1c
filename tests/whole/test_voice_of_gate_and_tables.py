"""The gate's resolutions and the figures of tables: the same words and numbers in terminal, JSON and tools."""

import json
from pathlib import Path

import anyio
import pytest
from mcp import Client
from typer.testing import CliRunner

from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.server_setup import Setup
from cruxfinder.cli.main import app
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.kernel.vocabulary import Verdict
from cruxfinder.language.counts import percent
from cruxfinder.mcp.mcp_server import build
from cruxfinder.telling.wording import HEADLINES, RESOLUTIONS
from tests.cli.test_cli_credences import TABLE
from tests.mcp_server.callers import called, said

TOWN = Path(__file__).parents[2] / "docs" / "assets" / "town-votes.csv"


def typed(*args: str, memory: Path | None = None) -> str:
    env = {"COLUMNS": "100", "CRUX_GATE_MEMORY": str(memory)} if memory else {"COLUMNS": "100"}
    return CliRunner().invoke(app, list(args), env=env).stdout


@pytest.mark.parametrize("action", ["rm -rf /", "git push --force origin main", "ls -la"])
def test_the_gate_calls_a_resolution_the_same_in_terminal_and_tool(tmp_path: Path, action: str) -> None:
    async def planned() -> tuple[str, dict[str, object]]:
        opened = SqliteStore(tmp_path / "runs.db")
        try:
            gate = Gate(rules=rules_in_force(), memory=Memory(tmp_path / "other"), disabled=False)
            async with Client(build(Setup(gate=gate, store=opened))) as client:
                text = said(await client.call_tool("gate_plan", {"action": action}))
                return text, await called(client, "gate_plan", {"action": action})
        finally:
            opened.close()

    text, verdict = anyio.run(planned)
    resolution = str(verdict["resolution"])
    first = f"{resolution}: {RESOLUTIONS[resolution][0]}"
    assert text.splitlines()[0] == first
    assert typed("gate", "plan", action, memory=tmp_path / "memory").splitlines()[0] == first
    assert json.loads(typed("gate", "plan", action, "--json", memory=tmp_path / "third"))["resolution"] == resolution


def test_a_table_of_votes_has_its_numbers_in_the_terminal(tmp_path: Path) -> None:
    told, shown = json.loads(typed("votes", str(TOWN), "--json")), " ".join(typed("votes", str(TOWN)).split())
    assert f"{len(told['agents'])} people" in shown
    for coalition in told["coalitions"]:
        assert f"{coalition['size']} people" in shown


def test_a_table_of_credences_has_its_numbers_and_its_headline_in_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(TABLE, encoding="utf-8")
    told, shown = json.loads(typed("credences", str(path), "--json")), typed("credences", str(path))
    best = told["tested"][0]
    assert HEADLINES[Verdict(told["verdict"])] in shown
    assert percent(best["explainedShare"]) in shown and percent(best["gapClosed"]) in shown
    assert f"{len(best['wouldFlip'])}/{best['answered']}" in shown
    flipping = {agent for agent, found in best["counterfactual"].items() if found["wouldFlip"]}
    assert flipping == set(best["wouldFlip"])
    assert f"{len(best['wouldFlip'])} would change" in " ".join(shown.split())
