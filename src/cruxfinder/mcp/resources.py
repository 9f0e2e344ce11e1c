"""What can be read: the ledger, the runs and what finished ones came to, the gate's rules."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import date
from typing import Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.server.mcpserver.resources import FunctionResource
from mcp_types import Resource

from cruxfinder.app import stakes, stored_runs
from cruxfinder.app.hosting import DebateHost
from cruxfinder.app.server_setup import Setup
from cruxfinder.crux.ledger import standings
from cruxfinder.gate.rule_set import summaries
from cruxfinder.kernel import wire
from cruxfinder.mcp.tool_faults import as_resource_error
from cruxfinder.ports import RunLogs, Store

JSON: Final = "application/json"
LISTED_MAX: Final = 50
LEDGER: Final = "crux://ledger"
RUNS: Final = "crux://runs"
RULES: Final = "crux://gate/rules"


def add_resources(server: MCPServer[DebateHost], setup: Setup) -> None:
    store = setup.store
    texts: tuple[tuple[str, str, str, Callable[[], object]], ...] = (
        (LEDGER, "ledger", "What would change whose mind, by when, and how it came out.", lambda: ledger(store)),
        (RUNS, "runs", "All runs, newest first.", store.rows),
        (RULES, "gate-rules", "The rules that call for a debate.", lambda: summaries(setup.gate.rules)),
    )
    for uri, name, description, read in texts:
        server.add_resource(
            FunctionResource(uri=uri, name=name, description=description, mime_type=JSON, fn=json_reader(read))
        )

    def outcome(run: str) -> str:
        if store.row(stored_runs.checked_run(run)).state == "open":
            raise ResourceError(f"run {run} is not over; debate_status tells how far it is")
        return text(stored_runs.load_run(run, store).outcome)

    async def run(run: str) -> str:
        """What a finished run came to: the crux map, or the minutes of a conversation."""
        with as_resource_error():
            return await asyncio.to_thread(outcome, run)

    server.resource("crux://runs/{run}", name="run", mime_type=JSON)(run)


def json_reader(read: Callable[[], object]) -> Callable[[], Awaitable[str]]:
    async def read_json() -> str:
        with as_resource_error():
            return text(await asyncio.to_thread(read))

    return read_json


def text(value: object) -> str:
    return json.dumps(wire.camel(value), ensure_ascii=False, indent=2)


def finished_runs(logs: RunLogs) -> list[Resource]:
    """The newest finished runs, for the list of resources."""
    with as_resource_error():
        complete = [row for row in logs.rows() if row.state == "complete"]
    return [
        Resource(uri=f"{RUNS}/{row.id}", name=row.id, description=row.topic, mime_type=JSON)
        for row in complete[:LISTED_MAX]
    ]


def ledger(store: Store) -> dict[str, object]:
    """As `crux ledger --json`."""
    on = date.today().isoformat()
    held, faults = stakes.stakes_in_store(store, on)
    return {"on": on, "falsifiers": held, "scores": standings(held), "leftOut": list(faults)}
