"""Lets the gate think with the model that is named or set up; what it cannot decide ends with code 3."""

import asyncio
import json as json_text
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace

import typer

from cruxfinder.cli import exits
from cruxfinder.errors import BudgetSpent, DebaterFault
from cruxfinder.gate.gate import Gate
from cruxfinder.gate.thinking import thinking
from cruxfinder.gate.verdicts import Verdict
from cruxfinder.model.pack import Models
from cruxfinder.rules.budget import Caps

Call = Callable[[Gate], Awaitable[Verdict]]
Wished = tuple[str | None, str | None, list[str] | None, str | None, bool] | tuple[()]


def decided(here: Gate, wished: Wished, call: Call, *, json: bool) -> Verdict:
    try:
        return asked(here, wished, call)
    except DebaterFault as fault:
        reason = "budget" if isinstance(fault, BudgetSpent) else "model"
        if json:
            print(json_text.dumps({"resolution": None, "error": {"reason": reason, "message": str(fault)}}, indent=2))
        print(f"crux: the gate could not decide ({reason}): {fault}", file=sys.stderr)
        raise typer.Exit(exits.UNDECIDED) from None


def asked(here: Gate, wished: Wished, call: Call) -> Verdict:
    """Raise DebaterFault where a model was to think and gave nothing to work with."""
    return asyncio.run(held(here, wished, call))


async def held(here: Gate, wished: Wished, call: Call) -> Verdict:
    if not wished:
        return await call(here)
    from cruxfinder.llm.config import Wishes, resolved
    from cruxfinder.llm.crew import AT_ONCE, DEADLINE_S, Pace
    from cruxfinder.model.usage import NANO

    model, judge, fallbacks, base_url, grammar = wished
    found = resolved(
        Wishes(
            model=model or "",
            judge_model=judge or "",
            fallback=tuple(fallbacks or ()),
            base_url=base_url or "",
            grammar=grammar,
        )
    )
    models = (
        Models(
            dialogue=found.model,
            judgement=found.judge_model,
            fallbacks=found.fallback,
            base_url=found.base_url,
            grammar=found.grammar,
        )
        if found.model
        else None
    )
    caps = Caps(calls=found.max_calls, tokens=found.max_tokens, nanodollars=round(found.max_cost * NANO))
    pace = Pace(per_minute=found.per_minute, at_once=found.at_once or AT_ONCE, deadline_s=found.deadline or DEADLINE_S)
    async with thinking(models, caps, pace) as choose:
        return await call(replace(here, choose=choose))
