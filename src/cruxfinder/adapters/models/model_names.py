"""Which model is meant: `provider:model`, or a bare model name where an address is given."""

import os
import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

from cruxfinder.errors import BadInput

Provider = Literal["openai", "anthropic", "compatible"]
KEYS: Final[dict[Provider, str]] = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "compatible": "CRUX_API_KEY",
}
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}")
ADDRESS: Final = re.compile(r"[!-\[\]-~]{1,2000}")  # without spaces, backslashes, and letters that look like others
# A name or an IPv4 address, or an IPv6 address in brackets; then a port. Parsers differ on what stands beside brackets.
AUTHORITY: Final = re.compile(r"(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
PORTS: Final = {"http": 80, "https": 443}
WAYS: Final = (
    "there are three ways to get going: a pack, which needs no model (`crux packs` lists them), "
    "a local server (--model NAME --base-url http://localhost:11434/v1), "
    "or a key (set OPENAI_API_KEY or ANTHROPIC_API_KEY and name --model openai:NAME or anthropic:NAME)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelName:
    provider: Provider
    model: str
    base_url: str = ""

    def __str__(self) -> str:
        return self.model if self.provider == "compatible" else f"{self.provider}:{self.model}"

    @property
    def key_variable(self) -> str:
        return KEYS[self.provider]


def read(text: str, base_url: str = "") -> ModelName:
    """The model a text names; with an address, any name is a model of the server there."""
    if NAME.fullmatch(text) is None:
        raise BadInput(f"{text!r} is not a model; name one as provider:model, such as openai:gpt-5-mini")
    provider, colon, model = text.partition(":")
    if base_url:
        check_url(base_url)
        named = model if colon and provider == "openai" else text
        return ModelName(provider="compatible", model=named, base_url=base_url.rstrip("/"))
    if model and provider == "openai":
        return ModelName(provider="openai", model=model)
    if model and provider == "anthropic":
        return ModelName(provider="anthropic", model=model)
    known = (
        f"{provider!r} is not a provider here (openai and anthropic are)" if colon else f"{text!r} names no provider"
    )
    raise BadInput(f"{known}: write openai:{model or text}, or give the address of its server with --base-url")


def check_url(url: str) -> None:
    """Raise BadInput for what is no plain address of a server."""
    address_of(url)


def address_of(url: str) -> str:
    """An address in the one form in which two can be compared: scheme, host, port and path."""
    try:
        parts = urlsplit(url) if ADDRESS.fullmatch(url) else urlsplit("")
        port = parts.port
    except ValueError:
        raise BadInput(f"{url!r} is not an address; one looks like http://localhost:11434/v1") from None
    if parts.scheme not in PORTS or not parts.hostname or port == 0:
        raise BadInput(f"{url!r} is not an address; one looks like http://localhost:11434/v1")
    if "@" in parts.netloc or "?" in url or "#" in url:
        raise BadInput("an address may not hold a key or a password: put it into CRUX_API_KEY")
    if AUTHORITY.fullmatch(parts.netloc) is None:
        raise BadInput(f"{url!r} is not an address; one looks like http://localhost:11434/v1")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}:{port or PORTS[parts.scheme]}{parts.path.rstrip('/')}"


def key_of(name: ModelName) -> str:
    """The key for a model; servers of one's own often need none."""
    key = os.environ.get(name.key_variable, "").strip()
    if not key and name.provider != "compatible":
        raise BadInput(f"{name} needs a key, and {name.key_variable} is not set; {WAYS}")
    return key
