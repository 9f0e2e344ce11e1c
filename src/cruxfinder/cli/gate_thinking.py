"""Lets the gate think: the house, or the model that is named or set up."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from cruxfinder.adapters.models.model_config import resolve_model_config
from cruxfinder.cli import configured_models
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.verdicts import GateVerdict

if TYPE_CHECKING:
    from cruxfinder.cli.gate_model import GateModel

Call = Callable[[Gate], Awaitable[GateVerdict]]
Wished = tuple[str | None, str | None, list[str] | None, str | None, bool] | tuple[()]


def call_gate(here: Gate, model: "GateModel | None", call: Call) -> GateVerdict:
    """Raise DebaterFault where a model was to think and gave nothing to work with."""

    async def ask_gate() -> GateVerdict:
        return await (call(here) if model is None else model.call(here, call))

    return asyncio.run(ask_gate())


def named_model(wished: Wished) -> "GateModel | None":
    """The model that flags, environment or settings file name; None where none is named or wished."""
    if not wished:
        return None
    model, judge, fallbacks, base_url, grammar = wished
    said, _ = configured_models.from_flags([model] if model else None, judge, fallbacks, base_url, grammar=grammar)
    if not resolve_model_config(said).model:
        return None
    from cruxfinder.cli.gate_model import GateModel  # noqa: PLC0415 - 100 ms that the house does without

    return GateModel.of(said)
