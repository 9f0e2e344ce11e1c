"""Lets the gate think with the model that is named or set up; what it cannot decide ends with code 3."""

import asyncio
import json as json_text
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from cruxfinder.app.gate_models import judge_name, open_mind_chooser
from cruxfinder.cli import exits
from cruxfinder.errors import BudgetSpent, DebaterFault
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.verdicts import GateVerdict
from cruxfinder.kernel.caps import Caps

if TYPE_CHECKING:
    from cruxfinder.app.options import Options
    from cruxfinder.kernel.pack import Models

Call = Callable[[Gate], Awaitable[GateVerdict]]
Wished = tuple[str | None, str | None, list[str] | None, str | None, bool] | tuple[()]


def decide_or_exit(here: Gate, wished: Wished, call: Call, *, json: bool) -> GateVerdict:
    try:
        return call_gate(here, wished, call)
    except DebaterFault as fault:
        reason = "budget" if isinstance(fault, BudgetSpent) else "model"
        if json:
            print(json_text.dumps({"resolution": None, "error": {"reason": reason, "message": str(fault)}}, indent=2))
        print(f"crux: the gate could not decide ({reason}): {fault}", file=sys.stderr)
        raise typer.Exit(exits.UNDECIDED) from None


def call_gate(here: Gate, wished: Wished, call: Call) -> GateVerdict:
    """Raise DebaterFault where a model was to think and gave nothing to work with."""
    return asyncio.run(call_gate_async(here, wished, call))


async def call_gate_async(here: Gate, wished: Wished, call: Call) -> GateVerdict:
    options = options_for(wished)
    models = models_for(options)
    if models is None:
        return await call(here)
    from cruxfinder.app import options as run_options

    caps = Caps.of(run_options.settings(options))
    async with open_mind_chooser(models, caps, run_options.pace_of(options)) as choose:
        return await call(replace(here, choose=choose, judge=judge_name(models)))


def options_for(wished: Wished) -> "Options":
    """What flags, environment and settings file say of a model; nothing where none is named or wished."""
    if not wished:
        return {}
    from cruxfinder.adapters.models.model_config import resolve_model_config
    from cruxfinder.cli import model_options

    model, judge, fallbacks, base_url, grammar = wished
    said, _ = model_options.flags([model] if model else None, judge, fallbacks, base_url, grammar=grammar)
    return model_options.options(said, {}, for_pack=False) if resolve_model_config(said).model else {}


def models_for(options: "Options") -> "Models | None":
    if not options:
        return None
    from cruxfinder.app import options as run_options

    return run_options.models_of(options)
