"""Who thinks in a call: the caller's model where the client offers it, else the configured one, else the house."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, assert_never

from mcp.server.mcpserver import Context

from cruxfinder.app.server_setup import Setup
from cruxfinder.gate.failing import AskDiagnosis, AskPattern, AskSubstantial
from cruxfinder.gate.forms import Answer
from cruxfinder.gate.house_critic import House
from cruxfinder.gate.planning import AskActionable, AskClaim, AskObjection
from cruxfinder.gate.router import FiredRule
from cruxfinder.gate.runtime.gate import Choosing, Gate
from cruxfinder.gate.runtime.minds import Ask, GateMind, HouseMind
from cruxfinder.mcp.caller import CallerMind, channel_to
from cruxfinder.ports import Usage

Housed = Callable[[tuple[FiredRule, ...]], House]
BY_HOUSE: Final = "The house critic thinks."


class ReportingMind:
    """A mind whose answers are reported as progress, each one once."""

    def __init__(self, mind: GateMind, context: Context[Any, Any]) -> None:
        self._mind = mind
        self._context = context
        self._answers = 0

    @property
    def name(self) -> str:
        return self._mind.name

    @property
    def usage(self) -> Usage:
        return self._mind.usage

    async def answer(self, ask: Ask) -> Answer:
        answer = await self._mind.answer(ask)
        self._answers += 1
        if not isinstance(self._mind, CallerMind) or self._mind.fresh:
            told = f"{role(ask)} has answered ({self._mind.name})"
            await self._context.report_progress(self._answers, message=told)
        return answer


def role(ask: Ask) -> str:
    match ask:
        case AskClaim() | AskDiagnosis():
            return "the advocate"
        case AskObjection() | AskPattern():
            return "the critic"
        case AskActionable() | AskSubstantial():
            return "the judge"
        case _:
            assert_never(ask)


def gate_for_call(setup: Setup, model: Choosing, context: Context[Any, Any], housed: Housed) -> Gate:
    """The gate with the mind of this call."""

    def choose(fired: tuple[FiredRule, ...]) -> GateMind:
        stand_in = model(fired) or HouseMind(housed(fired))
        line = None if setup.house else channel_to(context)
        return ReportingMind(stand_in if line is None else CallerMind(line, stand_in, fired), context)

    return replace(setup.gate, choose=choose)


def describe_thinker(setup: Setup) -> str:
    """Who thinks, for the server's instructions."""
    if setup.house:
        return BY_HOUSE
    rest = f"the configured model {setup.wished.model}" if setup.wished.model else "the house critic"
    return f"Your own model thinks if your client offers sampling, else {rest}; `thoughtBy` says which."
