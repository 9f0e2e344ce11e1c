"""What can be read over MCP: the ledger, runs, the gate's rules."""

import json
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import TextResourceContents
from typer.testing import CliRunner

from cruxfinder import api
from cruxfinder.app import stored_runs
from cruxfinder.app.server_setup import Setup
from cruxfinder.cli.main import app
from cruxfinder.kernel import wire
from cruxfinder.mcp.mcp_server import build
from cruxfinder.mcp.resources import LISTED_MAX
from cruxfinder.ports import Entry
from tests.mcp_server.callers import ERAS

pytestmark = pytest.mark.anyio


async def read(client: Client, uri: str) -> Any:
    content = (await client.read_resource(uri)).contents[0]
    assert isinstance(content, TextResourceContents) and content.mime_type == "application/json"
    return json.loads(content.text)


def crux(*args: str) -> Any:
    return json.loads(CliRunner().invoke(app, [*args, "--json"]).stdout)


@pytest.mark.parametrize("era", ERAS)
async def test_what_is_read_is_what_the_command_prints(
    setup: Setup, era: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUX_STORE", str(tmp_path / "runs.db"))
    await api.adebate("bitcoin", seed=2, store=setup.store, run="first")
    async with Client(build(setup), mode=era) as client:
        listed = [resource.uri for resource in (await client.list_resources()).resources]
        templates = [t.uri_template for t in (await client.list_resource_templates()).resource_templates]
        ledger = await read(client, "crux://ledger")
        rows = await read(client, "crux://runs")
        first = await read(client, "crux://runs/first")
        rules = await read(client, "crux://gate/rules")
    assert [str(uri) for uri in listed] == ["crux://ledger", "crux://runs", "crux://gate/rules", "crux://runs/first"]
    assert templates == ["crux://runs/{run}"]
    assert ledger.pop("leftOut") == []
    assert ledger["falsifiers"] and ledger == crux("ledger")
    assert rows == crux("list")
    assert first == wire.camel(stored_runs.load_run("first", setup.store).outcome) == crux("show", "first")
    assert rules == crux("gate", "rules")


async def test_only_finished_runs_are_listed_and_read(setup: Setup) -> None:
    for number in range(LISTED_MAX + 1):
        setup.store.create(f"r{number}", topic="t", pack="p")
        setup.store.finish(f"r{number}")
    setup.store.create("open", topic="t", pack="p")
    setup.store.append("open", [Entry(seq=1, kind="event", body="{}", hash="0" * 64)]).result()
    async with Client(build(setup)) as client:
        listed = [str(resource.uri) for resource in (await client.list_resources()).resources]
        with pytest.raises(MCPError, match="run open is not over"):
            await client.read_resource("crux://runs/open")
        with pytest.raises(MCPError, match="nobody"):
            await client.read_resource("crux://runs/nobody")
        with pytest.raises(MCPError):
            await client.read_resource("crux://runs/..%2Fetc")
        rows = await read(client, "crux://runs")
    assert len(listed) == 3 + LISTED_MAX
    assert "crux://runs/open" not in listed
    assert len(rows) == LISTED_MAX + 2
