"""What a request for a debate means: checked, made into settings, caps and models."""

from typing import Any, Final, Literal

from cruxfinder.adapters.models.model_pool import AT_ONCE, DEADLINE_S, RequestLimits
from cruxfinder.adapters.packs import limits_file, pack_finder
from cruxfinder.app import fork_changes, roles
from cruxfinder.app.debate_request import DebateRequest, SetBy, checked_number, checked_whole, request_fields
from cruxfinder.app.people import Participation
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Models
from cruxfinder.kernel.protocol import AnyProtocol
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import CRUX, Role
from cruxfinder.ports import Usage
from cruxfinder.protocols.registry import protocol_named

CHECKS: Final = {"whole": checked_whole, "number": checked_number}


def settings(options: DebateRequest) -> Settings:
    """What is not asked for is left to the rules' own values."""
    given: dict[str, Any] = {}
    for field in request_fields(SetBy.FORK):
        if (value := options.get(field.name)) is not None:
            checked = CHECKS[field.kind](field.name, value) if field.kind in CHECKS else value
            given |= fork_changes.setting(field.name, checked)
    return Settings(
        **given,
        embedder=parse_embedder(options.get("embedder", "static")),
        blind=bool(options.get("blind", False)),
        planted=checked_whole("planted", options.get("planted", 0)),
        redundancy=limits_of(options),
        together=bool(options.get("together", False)),
        asks_user=bool(options.get("ask_user", False)),
    )


def parse_embedder(name: str) -> Literal["static", "keyword"]:
    """The embedder of this name. A run keeps the one it began with: no fork changes it."""
    match name:
        case "static" | "keyword":
            return name
        case _:
            raise BadInput(f"{name!r} is no embedder; there are static and keyword")


def limits_of(options: DebateRequest) -> Redundancy | None:
    """The limits that were given; none where the protocol's own hold."""
    given = options.get("limits", "")
    if isinstance(given, Redundancy):
        return given
    if given:
        return limits_file.load(given)
    return Redundancy() if options.get("redundancy") else None


def chosen_protocol(options: DebateRequest) -> AnyProtocol:
    return protocol_named(options.get("protocol", CRUX))


def role_assignments(options: DebateRequest) -> dict[Role, str]:
    protocol = chosen_protocol(options)
    return {roles.parse_role(part, protocol): agent for part, agent in options.get("roles", {}).items()}


def participation_of(options: DebateRequest) -> Participation:
    wait_s = checked_number("wait_s", options.get("wait_s", 0.0))
    people_wait_s = checked_number("people_wait_s", options.get("people_wait_s", 0.0))
    return Participation(options.get("user"), wait_s, options.get("sitting"), people_wait_s)


def models_of(options: DebateRequest) -> Models | None:
    """Who thinks, if models are to."""
    model = options.get("model", "")
    if not model:
        return None
    return Models(
        dialogue=model,
        judgement=options.get("judge_model", ""),
        fallbacks=tuple(options.get("fallbacks", ())),
        base_url=options.get("base_url", ""),
        grammar=options.get("grammar", False),
    )


def pace_of(options: DebateRequest) -> RequestLimits:
    return RequestLimits(
        per_minute=options.get("per_minute", 0),
        at_once=options.get("at_once", 0) or AT_ONCE,
        deadline_s=options.get("deadline_s", 0.0) or DEADLINE_S,
    )


def is_pack(subject: str, options: DebateRequest) -> bool:
    """A name, the topic of a pack that ships, or the path of a file; anything else with a space in it is a topic, and
    so is what brings its own personas."""
    if " " in subject.strip() and any(options.get(source) for source in ("personas", "positions", "transcript")):
        return subject.endswith(pack_finder.SUFFIXES)
    named = pack_finder.name_of(subject)
    return named in pack_finder.names() or named.endswith(pack_finder.SUFFIXES) or " " not in named


def checked_seed(seed: int) -> int:
    if not isinstance(seed, int) or isinstance(seed, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BadInput(f"a seed is a whole number, not {seed!r}")
    return seed


def check_options(options: DebateRequest) -> None:
    """A misspelt option is told as Python tells it."""
    if strange := sorted(set(options) - set(DebateRequest.__annotations__)):
        raise TypeError(f"there is no option {strange[0]!r}")


def require_crux_protocol(options: DebateRequest) -> None:
    if chosen_protocol(options).name != CRUX:
        raise BadInput("only debates for their crux are compared over several runs")


def split_caps(options: DebateRequest, runs: int, spent: Usage) -> DebateRequest:
    """What each of several runs may take of what is left."""
    found = options.copy()
    calls, tokens, cost = options.get("max_calls"), options.get("max_tokens"), options.get("max_cost")
    if calls:
        found["max_calls"] = share_of_cap(calls - spent.calls, runs)
    if tokens:
        found["max_tokens"] = share_of_cap(tokens - spent.tokens, runs)
    if cost:
        found["max_cost"] = max(0.0, cost - spent.dollars) / runs
    return found


def share_of_cap(most: int, runs: int) -> int:
    if most < runs:
        raise BadInput(f"the budget leaves nothing for each of {runs} runs")
    return most // runs
