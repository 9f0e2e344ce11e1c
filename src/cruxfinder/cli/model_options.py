"""What flags, environment and settings file say about models, as options of a debate; and what is told first."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import typer

from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.model_config import (
    ModelConfig,
    config_path,
    from_environment,
    from_file,
    resolve_model_config,
)
from cruxfinder.errors import BadInput, UnnamedAddress
from cruxfinder.kernel.vocabulary import Role

if TYPE_CHECKING:
    from cruxfinder.adapters.models.allowance import Allowance
    from cruxfinder.adapters.models.model_pool import RequestLimits
    from cruxfinder.app.options import Options
    from cruxfinder.app.preparing import Prepared
    from cruxfinder.kernel.pack import Pack
    from cruxfinder.kernel.vocabulary import AgentId
    from cruxfinder.protocols.any_run import Finished

ABOVE_NOTHING: Final = ("--per-minute", "--at-once", "--deadline", "--max-cost", "--max-calls", "--max-tokens")
WISH_MAX: Final = 1_000_000_000


def flags(
    model: Sequence[str] | None,
    judge_model: str | None,
    fallback: Sequence[str] | None,
    base_url: str | None,
    *,
    grammar: bool,
    per_minute: int | None = None,
    at_once: int | None = None,
    deadline: float | None = None,
    max_cost: float | None = None,
    max_calls: int | None = None,
    max_tokens: int | None = None,
) -> tuple[ModelConfig, dict[str, str]]:
    """The wishes of the command line, and the models of single agents (`--model ada=openai:…`)."""
    own: dict[str, str] = {}
    general = ""
    for given in model or ():
        agent, equals, name = given.partition("=")
        if equals and agent and name:
            own[agent.strip()] = name.strip()
        elif equals or general:
            raise BadInput(f"--model {given!r}: name one model for all, and others as AGENT=MODEL")
        else:
            general = given.strip()
    given = (per_minute, at_once, deadline, max_cost, max_calls, max_tokens)
    for value, name in zip(given, ABOVE_NOTHING, strict=True):
        if value is not None and not value > 0:
            raise BadInput(f"{name} must be above 0")
        if value is not None and value > WISH_MAX:
            raise BadInput(f"{name} must be at most {WISH_MAX:,}")
    said = ModelConfig(
        model=general,
        judge_model=judge_model or "",
        fallback=tuple(fallback or ()),
        base_url=base_url or "",
        grammar=grammar,
        per_minute=per_minute or 0,
        at_once=at_once or 0,
        deadline=deadline or 0.0,
        max_cost=max_cost or 0.0,
        max_calls=max_calls or 0,
        max_tokens=max_tokens or 0,
    )
    return said, own


def options(said: ModelConfig, own: dict[str, str], *, for_pack: bool) -> "Options":
    """A pack is debated by its believers unless a model is named on the command line; a topic takes what is set."""
    if for_pack and not said.model:
        if own:
            raise BadInput("--model AGENT=MODEL goes with a --model for the others")
        if said.judge_model or said.fallback or said.base_url or said.grammar:
            raise BadInput("a pack is debated without models unless --model names one for its agents")
        found: Options = {}
        if said.max_calls:
            found["max_calls"] = said.max_calls
        return found
    wished = resolve_model_config(said)
    if wished.model:
        check_usable((wished.model, wished.judge_model, *wished.fallback, *own.values()), wished.base_url)
    from cruxfinder.app.server_setup import options_of

    found = options_of(wished)
    found["models"] = own
    return found


def check_usable(models: Sequence[str], base_url: str) -> None:
    """A name that is none and a key that is not there are told before anything is paid for."""
    for model in models:
        if model:
            model_names.key_of(model_names.read(model, base_url))


def allowance(base_url: str | None) -> "Allowance":
    """What a stored run may use: the addresses named on this command line, in the environment, or in the own file."""
    from cruxfinder.adapters.models.allowance import allow_addresses

    env = os.environ
    said = (from_environment(env), from_file(config_path(env)))
    return allow_addresses([base_url or "", *(wished.base_url for wished in said)])


def resume_confirming_address(
    work: "Callable[[Allowance], Finished]", allowed: "Allowance", *, quiet: bool
) -> "Finished":
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


def pace() -> "RequestLimits":
    """How hard to press providers, for a run that goes on: from the environment or the settings file."""
    from cruxfinder.app import options as run_options

    wished = resolve_model_config(ModelConfig())
    return run_options.pace_of(
        {"per_minute": wished.per_minute, "at_once": wished.at_once, "deadline_s": wished.deadline}
    )


def print_estimate(subject: str, options: "Options", runs: int = 1) -> None:
    """What a debate will take, before the first request is paid for."""
    from cruxfinder.adapters.models.estimate import estimate
    from cruxfinder.app import options as run_options
    from cruxfinder.app import preparing

    models = run_options.models_of(options)
    if models is None:
        return
    agents = preparing.agents_expected(subject, options)
    foreseen = estimate(agents, models, run_options.settings(options), run_options.chosen_protocol(options))
    tell(f"Estimate{f' for each of {runs} runs' if runs > 1 else ''}: {foreseen.summary()}")


def announce(ready: "Prepared", options: "Options") -> None:
    """Who debates, and what to keep in mind; on standard error, so that results stay alone."""
    from cruxfinder.app import debate_runs, roles
    from cruxfinder.app import options as run_options
    from cruxfinder.kernel.run_warnings import warning
    from cruxfinder.telling.terminal_text import clean

    protocol = run_options.chosen_protocol(options)
    pack = roles.assign_roles(
        debate_runs.with_agents(ready.pack, options.get("agents", ())), protocol, run_options.role_assignments(options)
    )
    if pack.models is None:
        return
    check_usable([persona.model for persona in pack.personas], pack.models.base_url)
    tell_who(pack, {seat.id: seat.role for seat in roles.seats(pack, protocol) if seat.role is not Role.SPEAKER})
    for note in ready.notes:
        tell(f"Note: {clean(note)}")
    if told := warning(roles.seats(pack, protocol)):
        tell(f"Warning: {clean(told)} (--model AGENT=MODEL gives one of them another)")


def tell_who(pack: "Pack", parts: Mapping["AgentId", Role]) -> None:
    from cruxfinder.telling.terminal_text import clean

    tell(f"Claim: {clean(pack.topic)}")
    for persona in pack.personas:
        part = f" ({parts[persona.id]})" if persona.id in parts else ""
        own = f" [{persona.model}]" if persona.model else ""
        brief = f": {clean(persona.brief)}" if persona.brief else ""
        tell(f"  {clean(persona.name)}, {clean(persona.about)}{part}{own}{brief}")


def tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
