"""How a tool or a resource says what went wrong: one sentence, without the paths of this machine, never a traceback."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp_types import CallToolResult, TextContent

from cruxfinder.app.public_faults import public_message
from cruxfinder.errors import CruxfinderError, NoSuchRun


@contextmanager
def as_tool_error(folder: Path | None = None) -> Generator[None]:
    """For tools. `folder` is a place of this machine that the sentence must not name."""
    try:
        yield
    except CruxfinderError as error:
        told = public_message(error)
        hidden = folder is not None and folder.is_absolute()
        raise ToolError(told.replace(str(folder), "its folder") if hidden else told) from error


@contextmanager
def as_resource_error() -> Generator[None]:
    """For resources."""
    try:
        yield
    except NoSuchRun as error:
        raise ResourceNotFoundError(public_message(error)) from error
    except CruxfinderError as error:
        raise ResourceError(public_message(error)) from error


def tool_result(structure: object, text: str) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=cast("dict[str, Any]", structure)
    )
