"""The gate from Python: `cf.gate(action)` for one decision, `cf.Gate` for its memory too."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from typing_extensions import TypedDict, Unpack

from cruxfinder.app.gate_models import open_mind_chooser
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.signatures import with_options
from cruxfinder.errors import BadInput
from cruxfinder.gate.actions import Action
from cruxfinder.gate.forms import Stakes
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.gate.runtime.gate_place import memory_folder
from cruxfinder.gate.runtime.verdicts import GateVerdict
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.pack import Models
from cruxfinder.ports import NANO


class GateOptions(TypedDict, total=False):
    """How an action is judged. Everything may be left out."""

    tool: str
    arguments: Mapping[str, str]
    paths: Sequence[str]
    environment: str
    stakes: str  # "low", "medium" or "high": at least this much, and always a debate
    rounds: int
    reason: str
    checked: Mapping[str, str]  # the id of a failure mode, and what was seen
    memory: str | Path
    rules: str  # a file of rules of your own
    off: Sequence[str]
    model: str  # who debates, instead of the house
    judge_model: str
    fallbacks: Sequence[str]
    base_url: str
    max_calls: int
    max_tokens: int
    max_cost: float  # dollars


def open_gate(options: GateOptions) -> Gate:
    return Gate(
        rules=rules_in_force(options.get("rules", ""), options.get("off", ())),
        memory=Memory(memory_folder(str(options.get("memory", "")))),
    )


@with_options(GateOptions)
async def agate(action: str, **options: Unpack[GateOptions]) -> GateVerdict:
    """`gate` for code that is asynchronous."""
    if strange := sorted(set(options) - set(GateOptions.__annotations__)):
        raise TypeError(f"there is no option {strange[0]!r}")
    level = options.get("stakes")
    if level is not None and level not in set(Stakes):
        raise BadInput(f"stakes are low, medium or high, not {level!r}")
    said = Action(
        text=action,
        tool=options.get("tool", ""),
        arguments=tuple(options.get("arguments", {}).items()),
        paths=tuple(options.get("paths", ())),
        environment=options.get("environment", ""),
    )
    caps = Caps(
        calls=options.get("max_calls", 0),
        tokens=options.get("max_tokens", 0),
        nanodollars=round(options.get("max_cost", 0.0) * NANO),
    )
    gate = await asyncio.to_thread(open_gate, options)
    async with open_mind_chooser(models_of(options), caps) as choose:
        return await replace(gate, choose=choose).plan(
            said,
            stakes=None if level is None else Stakes(level),
            rounds=options.get("rounds"),
            reason=options.get("reason", ""),
            checked=options.get("checked"),
        )


def models_of(options: GateOptions) -> Models | None:
    if not options.get("model"):
        return None
    return Models(
        dialogue=options.get("model", ""),
        judgement=options.get("judge_model", ""),
        fallbacks=tuple(options.get("fallbacks", ())),
        base_url=options.get("base_url", ""),
    )


@with_options(GateOptions)
def gate(action: str, **options: Unpack[GateOptions]) -> GateVerdict:
    """May this be done? A debate where a rule calls for one, else PROCEED at once. Raise DebaterFault if nobody can."""
    call = agate(action, **options)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(call)
    call.close()
    raise BadInput("an event loop is running already: use `await cf.agate(...)`")
