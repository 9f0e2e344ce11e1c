"""What is told before models are asked, and what a stored run may use when it goes on."""

import os
import sys
from collections.abc import Callable, Mapping

import typer

from cruxfinder.adapters.models.allowance import Allowance, allow_addresses
from cruxfinder.adapters.models.estimate import estimate
from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.app import roles
from cruxfinder.app.debate_plan import DebatePlan
from cruxfinder.app.model_request import NOTHING_SAID
from cruxfinder.app.model_settings import config_path, from_environment, from_file, with_model_settings
from cruxfinder.app.preparing import Prepared
from cruxfinder.cli import configured_models
from cruxfinder.errors import UnnamedAddress
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.run_warnings import warning
from cruxfinder.kernel.vocabulary import AgentId, Role
from cruxfinder.protocols.any_run import Finished
from cruxfinder.telling.terminal_text import clean


def allowance(base_url: str | None) -> Allowance:
    """What a stored run may use: the addresses named on this command line, in the environment, or in the own file."""
    env = os.environ
    said = (from_environment(env), from_file(config_path(env)))
    return allow_addresses([base_url or "", *(wished.base_url for wished in said)])


def resume_confirming_address(work: Callable[[Allowance], Finished], allowed: Allowance, *, quiet: bool) -> Finished:
    """Go on with a stored run. An address that only its log names is used once somebody at a terminal says so."""
    try:
        return work(allowed)
    except UnnamedAddress as fault:
        if quiet or not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise
        tell(f"The log of this run sends it to {fault.address}, an address that was not named here.")
        if not typer.confirm("Ask its models there, with the key in CRUX_API_KEY if it is set?", err=True):
            raise
        return work(allowed.with_address(fault.address))


def pace() -> RequestLimits:
    """How hard to press providers, for a run that goes on: from the environment or the settings file."""
    return with_model_settings(NOTHING_SAID).request_limits


def print_estimate(plan: DebatePlan, runs: int = 1) -> None:
    """What a debate will take, before the first request is paid for."""
    if plan.models is None:
        return
    foreseen = estimate(plan.expected, plan.models, plan.settings, plan.protocol)
    tell(f"Estimate{f' for each of {runs} runs' if runs > 1 else ''}: {foreseen.summary()}")


def announce(ready: Prepared) -> None:
    """Who debates, and what to keep in mind; on standard error, so that results stay alone."""
    pack, seats = ready.pack, roles.seats(ready.pack, ready.plan.protocol)
    if pack.models is None:
        return
    configured_models.check_names([persona.model for persona in pack.personas], pack.models.base_url)
    tell_who(pack, {seat.id: seat.role for seat in seats if seat.role is not Role.SPEAKER})
    for note in ready.notes:
        tell(f"Note: {clean(note)}")
    if told := warning(seats):
        tell(f"Warning: {clean(told)} (--model AGENT=MODEL gives one of them another)")


def tell_who(pack: Pack, parts: Mapping[AgentId, Role]) -> None:
    tell(f"Claim: {clean(pack.topic)}")
    for persona in pack.personas:
        part = f" ({parts[persona.id]})" if persona.id in parts else ""
        own = f" [{persona.model}]" if persona.model else ""
        brief = f": {clean(persona.brief)}" if persona.brief else ""
        tell(f"  {clean(persona.name)}, {clean(persona.about)}{part}{own}{brief}")


def tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
