"""What flags, environment and settings file say about models, as options of a debate; and what is told first."""

import os
import sys
from collections.abc import Callable, Mapping

import typer

from cruxfinder.adapters.models.allowance import Allowance, allow_addresses
from cruxfinder.adapters.models.estimate import estimate
from cruxfinder.adapters.models.model_config import (
    ModelConfig,
    config_path,
    from_environment,
    from_file,
    resolve_model_config,
)
from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.app import participants, preparing, roles
from cruxfinder.app import request_settings as run_options
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.preparing import Prepared
from cruxfinder.cli import configured_models
from cruxfinder.errors import BadInput, UnnamedAddress
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.run_warnings import warning
from cruxfinder.kernel.vocabulary import AgentId, Role
from cruxfinder.protocols.any_run import Finished
from cruxfinder.telling.terminal_text import clean


def options(said: ModelConfig, own: dict[str, str], *, for_pack: bool) -> DebateRequest:
    """A pack is debated by its believers unless a model is named on the command line; a topic takes what is set."""
    if for_pack and not said.model:
        if own:
            raise BadInput("--model AGENT=MODEL goes with a --model for the others")
        if said.judge_model or said.fallback or said.base_url or said.grammar:
            raise BadInput("a pack is debated without models unless --model names one for its agents")
        found: DebateRequest = {}
        if said.max_calls:
            found["max_calls"] = said.max_calls
        return found
    wished = resolve_model_config(said)
    if wished.model:
        configured_models.check_usable(
            (wished.model, wished.judge_model, *wished.fallback, *own.values()), wished.base_url
        )
    from cruxfinder.app.server_setup import options_of  # noqa: PLC0415 - the gate: 90 ms paid by models alone

    found = options_of(wished)
    found["models"] = own
    return found


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
    wished = resolve_model_config(ModelConfig())
    return run_options.pace_of(
        {"per_minute": wished.per_minute, "at_once": wished.at_once, "deadline_s": wished.deadline}
    )


def print_estimate(subject: str, options: DebateRequest, runs: int = 1) -> None:
    """What a debate will take, before the first request is paid for."""
    models = run_options.models_of(options)
    if models is None:
        return
    agents = preparing.agents_expected(subject, options)
    foreseen = estimate(agents, models, run_options.settings(options), run_options.chosen_protocol(options))
    tell(f"Estimate{f' for each of {runs} runs' if runs > 1 else ''}: {foreseen.summary()}")


def announce(ready: Prepared, options: DebateRequest) -> None:
    """Who debates, and what to keep in mind; on standard error, so that results stay alone."""
    protocol = run_options.chosen_protocol(options)
    pack = roles.assign_roles(
        participants.with_agents(ready.pack, options.get("agents", ())), protocol, run_options.role_assignments(options)
    )
    if pack.models is None:
        return
    configured_models.check_usable([persona.model for persona in pack.personas], pack.models.base_url)
    tell_who(pack, {seat.id: seat.role for seat in roles.seats(pack, protocol) if seat.role is not Role.SPEAKER})
    for note in ready.notes:
        tell(f"Note: {clean(note)}")
    if told := warning(roles.seats(pack, protocol)):
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
