"""Lets the gate think: the house, or the model that is named or set up."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from cruxfinder.app.model_request import ModelRequest
from cruxfinder.app.model_settings import with_model_settings
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.verdicts import GateVerdict

if TYPE_CHECKING:
    from cruxfinder.cli.gate_model import GateModel

Call = Callable[[Gate], Awaitable[GateVerdict]]


def call_gate(here: Gate, model: "GateModel | None", call: Call) -> GateVerdict:
    """Raise DebaterFault where a model was to think and gave nothing to work with."""

    async def ask_gate() -> GateVerdict:
        return await (call(here) if model is None else model.call(here, call))

    return asyncio.run(ask_gate())


def named_model(said: ModelRequest | None) -> "GateModel | None":
    """The model that flags, environment or settings file name; None where none is named or wished."""
    wished = None if said is None else with_model_settings(said)
    if wished is None or not wished.model:
        return None
    from cruxfinder.cli.gate_model import GateModel  # noqa: PLC0415 - 100 ms that the house does without

    return GateModel.of(wished)
