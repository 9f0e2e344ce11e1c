"""How a tool is offered: with its description on one line, typed output, and hints of what it does to the world."""

from collections.abc import Callable
from typing import Any, Final

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ToolAnnotations

from cruxfinder.app.hosting import DebateHost

THINKS: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True
)
NOTES: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
REPEATS: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
READS: Final = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
ENDS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


def offer(server: MCPServer[DebateHost], tool: Callable[..., Any], title: str, hints: ToolAnnotations) -> None:
    described = " ".join((tool.__doc__ or "").split())
    # Asked for outright, because the library else drops the structure of a type it cannot describe, without a word.
    server.add_tool(tool, title=title, description=described, annotations=hints, structured_output=True)


def host_of(ctx: Context[DebateHost]) -> DebateHost:
    return ctx.request_context.lifespan_context
