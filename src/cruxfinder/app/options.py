"""What a debate is asked for, as keyword options: read once, checked, made into settings, caps and models."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from typing_extensions import TypedDict

from cruxfinder.adapters.models.model_pool import AT_ONCE, DEADLINE_S, RequestLimits
from cruxfinder.adapters.packs import limits_file, pack_finder
from cruxfinder.app import fork_changes, roles
from cruxfinder.app.people import Participation
from cruxfinder.debaters.people.person import Inbox, Sitting
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Models
from cruxfinder.kernel.protocol import AnyProtocol
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import CRUX, AgentId, Role
from cruxfinder.ports import NANO, Debater, Store, Usage
from cruxfinder.protocols.registry import protocol_named


class Options(TypedDict, total=False):
    """How a debate is held. Everything may be left out."""

    agents: Sequence[str]  # only these personas of a pack
    seed: int
    max_messages: int | None
    max_minutes: float | None
    embedder: str  # "static" or "keyword"
    off: Sequence[str]  # rules to leave out
    attention: float  # how much a message must concern somebody to reach them
    blind: bool  # debaters do not see who spoke
    planted: int  # steelmans made wrong on purpose, as a test of the graders
    debaters: Mapping[AgentId, Debater] | None  # stand in for the simulated ones
    store: Store | str | Path | None
    run: str | None
    model: str  # "openai:gpt-5-mini", or any name of a server at base_url
    models: Mapping[str, str]  # for single agents
    judge_model: str
    fallbacks: Sequence[str]
    base_url: str
    grammar: bool
    personas: Sequence[str]  # files
    positions: Sequence[str]
    transcript: str
    cast: int  # how many the model draws up for a free topic
    max_calls: int | None
    max_tokens: int | None
    max_cost: float | None  # dollars
    per_minute: int
    at_once: int
    deadline_s: float
    protocol: str  # "crux", "debate", "consensus", "discussion" or "roundtable"
    roles: Mapping[str, str]  # who leads or argues which side: {"host": "monk"}
    anchors: str  # a folder of texts to quote from
    limits: str | Redundancy  # a file with the limits of a conversation, or the limits themselves
    redundancy: bool  # hold the crux protocol to them too
    together: bool  # one reply of a model may hold the turns of several speakers
    ask_user: bool  # somebody is there to answer questions
    user: Inbox | None  # how they are asked; by default through the store
    wait_s: float  # how long an answer is waited for
    people: Sequence[str]  # whose seats people take; with a topic of your own, who joins
    sitting: Sitting | None  # how the people at the seats are asked
    seat_s: float  # how long they are waited for; 0: as long as it takes


def settings(options: Options) -> Settings:
    messages, ms = 0, 0  # the rules' own limits
    if (given := options.get("max_messages")) is not None:
        messages = fork_changes.whole_number(str(given), *fork_changes.MESSAGES, "max_messages")
    if (minutes := options.get("max_minutes")) is not None:
        ms = fork_changes.minutes_to_ms(fork_changes.number(str(minutes), *fork_changes.MINUTES, "max_minutes"))
    return Settings(
        max_messages=messages,
        max_ms=ms,
        max_calls=cap(options.get("max_calls"), "max_calls"),
        max_tokens=cap(options.get("max_tokens"), "max_tokens"),
        max_nanodollars=cap_in_nanodollars(options.get("max_cost")),
        embedder=fork_changes.parse_embedder(options.get("embedder", "static")),
        attention=fork_changes.number(str(options.get("attention", 0.6)), *fork_changes.ATTENTION, "attention"),
        blind=bool(options.get("blind", False)),
        planted=fork_changes.whole_number(str(options.get("planted", 0)), 0, 12, "planted"),
        off=fork_changes.rules_to_switch_off(options.get("off", ())),
        redundancy=limits_of(options),
        together=bool(options.get("together", False)),
        asks_user=bool(options.get("ask_user", False)),
    )


def limits_of(options: Options) -> Redundancy | None:
    """The limits that were given; none where the protocol's own hold."""
    given = options.get("limits", "")
    if isinstance(given, Redundancy):
        return given
    if given:
        return limits_file.load(given)
    return Redundancy() if options.get("redundancy") else None


def chosen_protocol(options: Options) -> AnyProtocol:
    return protocol_named(options.get("protocol", CRUX))


def role_assignments(options: Options) -> dict[Role, AgentId]:
    protocol = chosen_protocol(options)
    return {roles.parse_role(part, protocol): AgentId(agent) for part, agent in options.get("roles", {}).items()}


def participation_of(options: Options) -> Participation:
    wait_s, seat_s = (
        fork_changes.number(str(options.get(name, 0.0)), *fork_changes.SECONDS, name) for name in ("wait_s", "seat_s")
    )
    return Participation(options.get("user"), wait_s, options.get("sitting"), seat_s)


def cap(given: int | None, name: str) -> int:
    return 0 if given is None else fork_changes.whole_number(str(given), *fork_changes.CALLS, name)


def cap_in_nanodollars(given: float | None) -> int:
    return 0 if given is None else round(fork_changes.number(str(given), *fork_changes.DOLLARS, "max_cost") * NANO)


def models_of(options: Options) -> Models | None:
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


def pace_of(options: Options) -> RequestLimits:
    return RequestLimits(
        per_minute=options.get("per_minute", 0),
        at_once=options.get("at_once", 0) or AT_ONCE,
        deadline_s=options.get("deadline_s", 0.0) or DEADLINE_S,
    )


def is_pack(subject: str) -> bool:
    """A name, or the path of a file; anything with a space in it that is neither is a topic."""
    return subject in pack_finder.names() or subject.endswith(pack_finder.SUFFIXES) or " " not in subject.strip()


def checked_seed(seed: int) -> int:
    if not isinstance(seed, int) or isinstance(seed, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BadInput(f"a seed is a whole number, not {seed!r}")
    return seed


def check_options(options: Options) -> None:
    """A misspelt option is told as Python tells it."""
    if strange := sorted(set(options) - set(Options.__annotations__)):
        raise TypeError(f"there is no option {strange[0]!r}")


def require_crux_protocol(options: Options) -> None:
    if chosen_protocol(options).name != CRUX:
        raise BadInput("only debates for their crux are compared over several runs")


def split_caps(options: Options, runs: int, spent: Usage) -> Options:
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
