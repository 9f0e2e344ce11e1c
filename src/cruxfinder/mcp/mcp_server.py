"""The MCP server, put together: one server for both protocol eras, over stdio and HTTP."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

from mcp.server.mcpserver import Context, MCPServer, RequestStateSecurity
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, InputRequiredResult, Resource
from pydantic import ValidationError

from cruxfinder.app.hosting import DebateHost, open_host
from cruxfinder.app.server_setup import Setup
from cruxfinder.mcp.choosing import describe_thinker
from cruxfinder.mcp.debate_tools import add_debate_tools
from cruxfinder.mcp.gate_tools import add_gate_tools
from cruxfinder.mcp.resources import add_resources, finished_runs
from cruxfinder.version import VERSION

NAME: Final = "cruxfinder"
STATE_S: Final = 900.0  # how long a caller's model may take for one answer
INSTRUCTIONS: Final = (
    "Before an action that is hard to undo call gate_plan, and keep to what it decides. After each failed attempt at a "
    "task call gate_attempt; when a debate is due call gate_failure. Once you know what came of a decision call "
    "gate_outcome. For what a disagreement turns on call debate_start, then debate_result."
)


class CruxServer(MCPServer[DebateHost]):
    """Tells what is wrong with a call in plain words, and lists finished runs beside the fixed resources."""

    def __init__(self, setup: Setup) -> None:
        @asynccontextmanager
        async def lifespan(_: MCPServer[DebateHost]) -> AsyncGenerator[DebateHost]:
            async with open_host(setup) as host:
                yield host

        super().__init__(
            NAME,
            title="Cruxfinder",
            version=VERSION,
            instructions=f"{INSTRUCTIONS} {describe_thinker(setup)}",
            log_level="WARNING",
            lifespan=lifespan,
            request_state_security=RequestStateSecurity.ephemeral(ttl=STATE_S),
        )
        self._setup: Final = setup
        self._known: dict[str, frozenset[str]] = {}

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[DebateHost, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        if strange := await self._strange(name, arguments):
            raise ToolError(strange)
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            # The library puts words of its own before ours, and pydantic's own words after them.
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                raise ToolError(f"{name} was not called: {faults(cause)}") from error
            raise (ToolError(str(cause)) if isinstance(cause, ToolError) else error) from error

    async def _strange(self, name: str, arguments: dict[str, Any]) -> str:
        """What stands against arguments that a tool does not have: the library would drop them without a word."""
        if not self._known:
            self._known = {t.name: frozenset(t.input_schema.get("properties", {})) for t in await self.list_tools()}
        unknown = sorted(set(arguments) - self._known.get(name, frozenset(arguments)))
        if not unknown:
            return ""
        return f"{name} has no argument {unknown[0][:80]!r}; it takes {', '.join(sorted(self._known[name]))}"

    async def list_resources(self) -> list[Resource]:
        return [*await super().list_resources(), *await asyncio.to_thread(finished_runs, self._setup.store)]


def faults(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(str(part) for part in fault['loc']) or 'arguments'}: {fault['msg']}" for fault in error.errors()[:5]
    )


def build(setup: Setup) -> CruxServer:
    server = CruxServer(setup)
    add_gate_tools(server, setup)
    add_debate_tools(server, setup)
    add_resources(server, setup)
    return server
