"""What is installed beside the base, and the one sentence where something is not."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final, Literal

from cruxfinder.errors import MissingExtra

Extra = Literal["models", "server", "mcp"]
MODULES: Final[Mapping[Extra, tuple[str, ...]]] = {
    "models": ("pydantic_ai", "openai", "anthropic", "genai_prices"),
    "server": ("fastapi", "uvicorn"),
    "mcp": ("mcp", "uvicorn"),
}
PURPOSES: Final[Mapping[Extra, str]] = {
    "models": "asking a model",
    "server": "serving pages over HTTP",
    "mcp": "serving agents over MCP",
}


def is_installed(extra: Extra) -> bool:
    return all(find_spec(module) is not None for module in MODULES[extra])


def require_extra(extra: Extra) -> None:
    """Raise MissingExtra where it is not installed. It stands before every import that needs one."""
    if not is_installed(extra):
        raise MissingExtra(f"{PURPOSES[extra]} needs packages that are not installed: {command_for(extra)}", extra)


def command_for(extra: Extra) -> str:
    return f"pip install 'cruxfinder[{extra}]'"
