"""One request to one model through pydantic-ai, and what went wrong with it in our words: never a key."""

import re
from importlib import import_module
from typing import Final

from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    UnexpectedModelBehavior,
    UserError,
)
from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from cruxfinder.adapters.models.model_names import ModelName, key_of
from cruxfinder.adapters.models.model_replies import Declined, Reply
from cruxfinder.adapters.models.prices import price_of, request_usage
from cruxfinder.adapters.models.rate_limits import RateLimiter
from cruxfinder.ports import Prompt

TOLD_MAX: Final = 160
CLIENTS: Final = {
    "anthropic": "cruxfinder.adapters.models.anthropic_client",
    "compatible": "cruxfinder.adapters.models.openai_client",
    "openai": "cruxfinder.adapters.models.openai_client",
}
REASONING: Final = 1_500  # tokens
SECRET: Final = re.compile(r"(?i)\b(sk|key|bearer|api[-_ ]?key)[-_: =]+[^\s\"',;]{6,}")
NO_ANSWER: Final = (ValueError, TypeError, LookupError, AttributeError, RecursionError)  # what strange bodies lead to


class ModelConnection:
    """A model at its provider. Clients live in the event loop they were first used in; close them there."""

    def __init__(self, name: ModelName, limits: RateLimiter | None = None, *, grammar: bool = False) -> None:
        self.name = name
        self.limits = limits or RateLimiter()
        self._key = key_of(name)
        price_of(name)  # the table is read here, before any deadline runs
        self._model = model_of(name, self._key)
        self._grammar = grammar
        # JSON is not asked for beside a grammar: llama.cpp would then leave the grammar out without a word
        self._parameters: ModelRequestParameters = ModelRequestParameters(output_mode="text" if grammar else "prompted")

    async def request(self, prompt: Prompt) -> Reply:
        asked = ModelRequest(parts=[SystemPromptPart(prompt.system), UserPromptPart(prompt.user)])
        try:
            given = await self._model.request([asked], self._settings(prompt), self._parameters)
        except ModelAPIError as error:
            raise self._classify_error(error) from None
        except (UnexpectedModelBehavior, UserError, *NO_ANSWER) as error:
            told = f"{self.name} sent what is no answer: {self._scrub(str(error))}"
            raise Declined("broken", told, billed=True) from None
        usage = request_usage(
            self.name,
            tokens_in=given.usage.input_tokens,
            cached=given.usage.cache_read_tokens,
            kept=given.usage.cache_write_tokens,
            tokens_out=given.usage.output_tokens,
        )
        text = (given.text or "").encode(errors="replace").decode()  # half a character cannot be kept or sent back
        return Reply(text=text, cut=given.finish_reason == "length", usage=usage)

    def tokens_out(self, prompt: Prompt) -> int:
        """The longest reply. A model that cannot be kept from reasoning needs room for it, or it says nothing."""
        return prompt.tokens_out + (REASONING if self._model.profile.get("thinking_always_enabled") else 0)

    async def close(self) -> None:
        client = getattr(self._model, "client", None)
        if client is not None:
            await client.close()

    def _settings(self, prompt: Prompt) -> ModelSettings:
        settings = ModelSettings(max_tokens=self.tokens_out(prompt), thinking=False)
        if self._grammar and prompt.grammar:
            settings["extra_body"] = {"grammar": prompt.grammar}
        return settings

    def _classify_error(self, error: ModelAPIError) -> Declined:
        """What a provider's error means for the next attempt."""
        if not isinstance(error, ModelHTTPError):
            if (status := redirect_status(error)) is not None:
                return Declined("refused", f"{self.name} sends elsewhere ({status}); name that address if it is right")
            away = never_connected(error)
            what = (
                f"{self.name} cannot be reached{self._place()}" if away else f"the connection to {self.name} broke off"
            )
            return Declined("broken", f"{what}: {self._scrub(error.message)}", billed=not away)
        status = error.status_code
        if isinstance(error, ModelQuotaExceededError):
            return Declined("refused", f"the account for {self.name} has nothing left to spend ({status})")
        if isinstance(error, ModelRateLimitError) or status in {429, 503, 529}:
            return Declined("busy", f"{self.name} is busy ({status})", error.retry_after)
        if status >= 500 or status in {408, 409, 425}:
            return Declined("broken", f"{self.name} failed ({status})", error.retry_after)
        why = self._scrub(error_message(error.body))
        return Declined("refused", f"{self.name} refused the request ({status}){f': {why}' if why else ''}")

    def _place(self) -> str:
        return f" at {self.name.base_url}" if self.name.base_url else ""

    def _scrub(self, text: str) -> str:
        """Short, on one line, and without anything that looks like a key."""
        if self._key:
            text = text.replace(self._key, "…")
        text = SECRET.sub(r"\1 …", " ".join(text.split()))
        return text if len(text) <= TOLD_MAX else f"{text[: TOLD_MAX - 1]}…"


def never_connected(error: BaseException) -> bool:
    """Was the provider never reached at all? The clients rest on different HTTP libraries with the same names."""
    cause: BaseException | None = error
    while cause is not None and type(cause).__name__ not in {"ConnectError", "ConnectTimeout"}:
        cause = cause.__cause__
    return cause is not None


def redirect_status(error: BaseException) -> int | None:
    """The status with which a provider sends elsewhere."""
    status: object = getattr(error.__cause__, "status_code", None)
    return status if isinstance(status, int) and 300 <= status < 400 else None


def error_message(body: object) -> str:
    """The message in a provider's error, if it has one."""
    if isinstance(body, dict):
        inner: object = body.get("error", body)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        if isinstance(inner, dict):
            return str(inner.get("message", ""))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    return str(body) if isinstance(body, str) else ""


def model_of(name: ModelName, key: str) -> Model:
    """The model at its provider, of whose clients only one is loaded: all take more than a second."""
    return import_module(CLIENTS[name.provider]).model_of(name, key)
