"""Callers for the tests: models that answer sampling requests, each in a way of its own, and what they were asked."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from mcp import Client
from mcp.client import ClientRequestContext
from mcp_types import CallToolResult, CreateMessageRequestParams, CreateMessageResult, ErrorData, TextContent

ERAS: Final = ("legacy", "2026-07-28")
DROP: Final = {"action": "DROP TABLE users", "tool": "sql"}
ACCEPT: Final = {"Accept": "application/json, text/event-stream"}
HELLO: Final[dict[str, Any]] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
Brain = Callable[[str, str], str]  # system, user -> reply


def part(system: str) -> str:
    """Whom a prompt speaks to."""
    return system.partition("You are the ")[2].partition(".")[0]


def replies(**by_part: object) -> Brain:
    """A brain with one reply for each part: advocate, critic, judge."""

    def think(system: str, _user: str) -> str:
        return json.dumps(by_part[part(system).split()[0]])

    return think


SURE: Final = {"claim": "The table is empty.", "supports": ["count is 0"], "confidence": 0.95}
ALARMED: Final = {"objection": "All users are gone for good.", "risks": ["users"], "counter": "", "severity": "high"}
CALM: Final = {"objection": "Nothing that matters.", "risks": [], "counter": "", "severity": "low"}
HELPFUL: Final = {**ALARMED, "counter": "Take a dump with `pg_dump -t users` and read it back once."}


@dataclass
class Caller:
    """A client's model."""

    brain: Brain
    asked: list[CreateMessageRequestParams] = field(default_factory=list)

    async def __call__(self, context: ClientRequestContext, params: CreateMessageRequestParams) -> CreateMessageResult:
        self.asked.append(params)
        return message(self.brain(params.system_prompt or "", text_in(params)))

    @property
    def prompts(self) -> list[str]:
        return [f"{params.system_prompt}\n{text_in(params)}" for params in self.asked]


async def refusing(context: ClientRequestContext, params: CreateMessageRequestParams) -> ErrorData:
    return ErrorData(code=-1, message="the user declined")


def message(text: str) -> CreateMessageResult:
    return CreateMessageResult(role="assistant", content=TextContent(type="text", text=text), model="callers-own")


def text_in(params: CreateMessageRequestParams) -> str:
    content = params.messages[0].content
    assert isinstance(content, TextContent)
    return content.text


def said(result: CallToolResult) -> str:
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


async def called(client: Client, tool: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """What a call answers; it must not fail."""
    result = await client.call_tool(tool, arguments or {})
    assert not result.is_error, said(result)
    assert result.structured_content is not None
    return result.structured_content


async def failed(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """What a call says that must fail."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return said(result)
