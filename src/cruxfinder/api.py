"""The library's front door: debates from Python, kept in memory unless a store is given."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from typing_extensions import TypedDict, Unpack

from cruxfinder.adapters.casting.persona_sources import PEOPLE, Sources, count_personas, gather_personas, with_models
from cruxfinder.adapters.casting.top_claim import top_claim
from cruxfinder.adapters.models.allowance import allow_addresses
from cruxfinder.adapters.models.model_names import WAYS
from cruxfinder.adapters.models.model_pool import AT_ONCE, DEADLINE_S, ModelPool, RequestLimits
from cruxfinder.adapters.packs import anchors, limits_file, pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite import SqliteStore
from cruxfinder.adapters.tables.credence_table import read, read_rows
from cruxfinder.app import debate_runs, fork_changes, repeats, roles
from cruxfinder.app.debate_runs import Finished
from cruxfinder.app.people import Participation
from cruxfinder.app.repeats import EndedRun
from cruxfinder.app.signatures import with_options
from cruxfinder.crux import message_filter
from cruxfinder.crux.events import Event
from cruxfinder.crux.evolve import fold
from cruxfinder.crux.message_filter import MessageFilter
from cruxfinder.crux.stability import Stability
from cruxfinder.crux.thread import Message
from cruxfinder.debaters.people.person import Inbox, Sitting
from cruxfinder.errors import BadInput
from cruxfinder.extras import require_extra
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.pack import Models, Pack
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.runner import Listener
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.usage import NANO, NOTHING, Usage
from cruxfinder.kernel.vocabulary import PROPOSITIONS_MAX, RESERVED, AgentId
from cruxfinder.ports import Debater, Store
from cruxfinder.tables.credences.credence_map import CredenceMap, map_of
from cruxfinder.talk.turns import Protocol, Role

if TYPE_CHECKING:
    from cruxfinder.tables.votes.vote_map import VoteMap

T = TypeVar("T")


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
    people: int  # how many the model draws up for a free topic
    max_calls: int | None
    max_tokens: int | None
    max_cost: float | None  # dollars
    per_minute: int
    at_once: int
    deadline_s: float
    protocol: str  # "crux", "debate", "consensus", "discussion" or "roundtable"
    parts: Mapping[str, str]  # who leads or argues which side: {"host": "monk"}
    anchors: str  # a folder of texts to quote from
    limits: str | Redundancy  # a file with the limits of a conversation, or the limits themselves
    redundancy: bool  # hold the crux protocol to them too
    together: bool  # one reply of a model may hold the turns of several speakers
    ask_user: bool  # somebody is there to answer questions
    user: Inbox | None  # how they are asked; by default through the store
    wait_s: float  # how long an answer is waited for
    humans: Sequence[str]  # whose seats people take; with a topic of your own, who joins
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


def protocol_of(options: Options) -> Protocol:
    return fork_changes.one_of(options.get("protocol", Protocol.CRUX.value), Protocol, "protocol")


def role_assignments(options: Options) -> dict[Role, AgentId]:
    protocol = protocol_of(options)
    return {roles.parse_role(part, protocol): AgentId(agent) for part, agent in options.get("parts", {}).items()}


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


@dataclass(frozen=True, slots=True)
class Prepared:
    """A pack that can be debated, and what was told and taken while it was made ready."""

    pack: Pack
    notes: tuple[str, ...] = ()
    usage: Usage = NOTHING


async def prepare(subject: str | Pack, options: Options) -> Prepared:
    """A pack by its name or path, with models to think for it where they are named; or a pack made for a topic."""
    models = models_of(options)
    if models is not None:
        require_extra("models")
    if isinstance(subject, str) and not is_pack(subject):
        return await prepare_topic(subject, models, options)
    if options.get("personas") or options.get("positions") or options.get("transcript"):
        raise BadInput("a pack has its own personas; files of personas go with a topic of yours")
    pack = with_anchors(with_own_models(subject, options), options)
    agents, humans = options.get("agents", ()), options.get("humans", ())
    here = debate_runs.with_people(
        debate_runs.with_agents(pack, agents), humans
    )  # nobody takes a seat that is left out
    asked_for = {*agents, *(p.id for p in here.personas if p.human)}
    roles.check_all_speak(here, protocol_of(options), role_assignments(options), asked_for)
    return Prepared(debate_runs.with_people(pack, humans))


def with_anchors(pack: Pack, options: Options) -> Pack:
    """The texts to quote from travel with the pack, so that a run can be repeated without their folder."""
    folder = options.get("anchors", "")
    if not folder:
        return pack
    if protocol_of(options) is not Protocol.ROUNDTABLE:
        raise BadInput("anchors are for a roundtable: add --protocol roundtable")
    return replace(pack, anchors=anchors.load(folder))


def is_pack(subject: str) -> bool:
    """A name, or the path of a file; anything with a space in it that is neither is a topic."""
    return subject in pack_finder.names() or subject.endswith(pack_finder.SUFFIXES) or " " not in subject.strip()


def agents_expected(subject: str | Pack, options: Options) -> int:
    """How many will debate, as far as it can be told before anything is asked; what stands against it is told too."""
    if not isinstance(subject, str) or is_pack(subject):
        pace_of(options)
        return len(debate_runs.with_agents(with_own_models(subject, options), options.get("agents", ())).personas)
    return check_topic(subject, options)


def check_topic(topic: str, options: Options) -> int:
    """How many will debate a topic; what stands against it is told before anything is asked."""
    pace_of(options)
    top_claim(topic)
    return count_personas(sources_of(options))


def with_own_models(subject: str | Pack, options: Options) -> Pack:
    """A pack, and models to think for it where they are named."""
    models = models_of(options)
    if models is None:
        return resolve_pack(subject)
    return with_models(resolve_pack(subject), models, options.get("models", {}))


def sources_of(options: Options) -> Sources:
    return Sources(
        personas=tuple(options.get("personas", ())),
        positions=tuple(options.get("positions", ())),
        transcript=options.get("transcript", ""),
        people=options.get("people", PEOPLE),
    )


async def prepare_topic(topic: str, models: Models | None, options: Options) -> Prepared:
    if models is None:
        raise BadInput(f"a topic of your own needs a model to think about it; {WAYS}")
    if options.get("agents"):
        raise BadInput("agents are chosen from a pack; a topic of yours is debated by everybody it brings")
    caps = Caps.of(settings(options))
    company = await gather_personas(topic, sources_of(options), models, caps=caps, pace=pace_of(options))
    if caps.exceeded_cap(company.usage + Usage(calls=1, tokens_in=1, nanodollars=1)):
        raise BadInput("making the personas took the whole budget")
    pack = with_anchors(with_models(company.pack, models, options.get("models", {})), options)
    return Prepared(debate_runs.with_guests(pack, options.get("humans", ())), company.notes, company.usage)


def resolve_pack(pack: str | Pack) -> Pack:
    """A pack by name or path, or one made in Python, which has not been through the reader's checks."""
    match pack:
        case str():
            return pack_finder.find(pack)[0]
        case Pack():
            return checked_pack(pack)
        case _:  # pyright: ignore[reportUnnecessaryComparison]
            raise BadInput(f"a pack is a name, a path or a Pack, not {type(pack).__name__}")


def checked_pack(pack: Pack) -> Pack:
    ids = [p.id for p in pack.personas]
    known = {p.id for p in pack.propositions}
    if taken := [id for id in ids if id in RESERVED]:
        raise BadInput(f"the id {taken[0]!r} is taken by the engine")
    if len(set(ids)) != len(ids):
        raise BadInput("two personas have the same id")
    least = 0 if pack.models is not None else 1  # models bring what they believe along
    if not least <= len(known) <= PROPOSITIONS_MAX or len(known) != len(pack.propositions):
        raise BadInput(f"a pack has 1 to {PROPOSITIONS_MAX} propositions, each with its own id")
    if strange := [b.proposition for p in pack.personas for b in p.beliefs if b.proposition not in known]:
        raise BadInput(f"there is no proposition {strange[0]!r}")
    return pack


def checked_seed(seed: int) -> int:
    if not isinstance(seed, int) or isinstance(seed, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BadInput(f"a seed is a whole number, not {seed!r}")
    return seed


@contextmanager
def open_store(store: Store | str | Path | None) -> Generator[Store]:
    """A store as it is, a path to an SQLite file (closed again afterwards), or one that lives in memory."""
    if not isinstance(store, str | Path):
        yield MemoryStore() if store is None else store
        return
    own = SqliteStore(Path(store))
    try:
        yield own
    finally:
        own.close()


@with_options(Options)
async def adebate(subject: str | Pack, **options: Unpack[Options]) -> Finished:
    """`debate` for code that is asynchronous."""
    check_options(options)
    with open_store(options.get("store")) as place:
        ready = await prepare(subject, options)
        return await run_prepared(ready, place, options, checked_seed(options.get("seed", 0)))


async def run_prepared(
    ready: Prepared,
    place: Store,
    options: Options,
    seed: int,
    run: str | None = None,
    listener: Listener | None = None,
    pace: float = 0,
    *,
    thinking: ModelPool | None = None,
    user: Participation | None = None,
) -> Finished:
    return await debate_runs.start(
        ready.pack,
        place,
        agents=options.get("agents", ()),
        seed=seed,
        settings=settings(options),
        debaters=options.get("debaters"),
        thinking=thinking or (pace_of(options) if ready.pack.models is not None else None),
        spent=ready.usage,
        listener=listener,
        pace=pace,
        run=run or options.get("run"),
        protocol=protocol_of(options),
        taking=role_assignments(options),
        user=user or participation_of(options),
    )


def check_options(options: Options) -> None:
    """A misspelt option is told as Python tells it."""
    if strange := sorted(set(options) - set(Options.__annotations__)):
        raise TypeError(f"there is no option {strange[0]!r}")


@with_options(Options)
def debate(subject: str | Pack, **options: Unpack[Options]) -> Finished:
    """Run a debate and wait for its result: a pack's name, a path to one, a Pack, or a topic for models to think about.

    Every option may be left out; `cruxfinder.api.Options` says what each means. Raise CruxfinderError.
    """
    return run_blocking(adebate(subject, **options))


@with_options(Options)
async def stream(
    subject: str | Pack, *, only: MessageFilter | None = None, **options: Unpack[Options]
) -> AsyncGenerator[Event, None]:
    """The events of a debate as they happen; with `only`, those of its messages that match.

    A run left early, in a store of yours, can be resumed by its id.
    """
    check_options(options)
    with open_store(options.get("store")) as place:
        ready = await prepare(subject, options)
        if only is not None:
            pack = debate_runs.with_agents(ready.pack, options.get("agents", ()))
            only = message_filter.resolve_filter(only, roles.seats(pack, protocol_of(options)))
        events = debate_runs.stream(
            ready.pack,
            place,
            agents=options.get("agents", ()),
            seed=checked_seed(options.get("seed", 0)),
            settings=settings(options),
            debaters=options.get("debaters"),
            thinking=pace_of(options) if ready.pack.models is not None else None,
            spent=ready.usage,
            run=options.get("run"),
            protocol=protocol_of(options),
            taking=role_assignments(options),
            user=participation_of(options),
        )
        async with aclosing(events):
            async for event in events:
                if only is None or only.passes(event):
                    yield event


def require_crux_protocol(options: Options) -> None:
    if protocol_of(options) is not Protocol.CRUX:
        raise BadInput("only debates for their crux are compared over several runs")


@with_options(Options)
async def astability(subject: str | Pack, *, runs: int, **options: Unpack[Options]) -> Stability:
    """`stability` for code that is asynchronous."""
    check_options(options)
    require_crux_protocol(options)
    seeds = repeats.seeds_from(checked_seed(options.get("seed", 0)), runs)
    with open_store(options.get("store")) as place:
        return await repeat_debate(await prepare(subject, options), place, options, seeds)


async def repeat_debate(
    ready: Prepared,
    place: Store,
    options: Options,
    seeds: Sequence[int],
    heard: Callable[[EndedRun], None] | None = None,
) -> Stability:
    """The same debate with other seeds; models serve all runs within the same limits."""
    likeness = debate_runs.load_embedder(settings(options))
    once = Prepared(ready.pack, ready.notes)  # what was spent to make it ready is not spent again
    if ready.pack.models is None:
        return await repeats.repeat(lambda seed: run_prepared(once, place, options, seed), seeds, likeness, heard=heard)
    each = split_caps(options, len(seeds), ready.usage)
    crew = ModelPool(ready.pack.models, pace_of(options))
    try:
        return await repeats.repeat(
            lambda seed: run_prepared(once, place, each, seed, thinking=crew), seeds, likeness, heard=heard
        )
    finally:
        await crew.close()


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


@with_options(Options)
def stability(subject: str | Pack, *, runs: int, **options: Unpack[Options]) -> Stability:
    """How often the same crux comes first when a debate is held again with other seeds. Caps hold for all together."""
    return run_blocking(astability(subject, runs=runs, **options))


def resume(
    run: str,
    *,
    store: Store | str | Path,
    debaters: Mapping[AgentId, Debater] | None = None,
    base_url: str = "",
) -> Finished:
    """Go on with a run. One that asks models at an address of its own goes on only if `base_url` names it."""
    with open_store(store) as place:
        return run_blocking(debate_runs.resume(run, place, debaters=debaters, allowed=allow_addresses([base_url])))


def replay(run: str, *, store: Store | str | Path, debaters: Mapping[AgentId, Debater] | None = None) -> Finished:
    with open_store(store) as place:
        return run_blocking(debate_runs.replay(run, place, debaters=debaters))


def fork(
    run: str,
    *,
    at: int,
    change: Sequence[str],
    store: Store | str | Path,
    debaters: Mapping[AgentId, Debater] | None = None,
    base_url: str = "",
) -> Finished:
    """Branch off a run. What asks models at an address of its own does so only if `base_url` names it."""
    with open_store(store) as place:
        return run_blocking(
            debate_runs.fork(run, at, change, place, debaters=debaters, allowed=allow_addresses([base_url]))
        )


def load(run: str, *, store: Store | str | Path) -> Finished:
    """A stored run, finished or not."""
    with open_store(store) as place:
        return debate_runs.load_run(run, place)


def messages(
    run: str | Finished,
    *,
    store: Store | str | Path | None = None,
    threads: Sequence[str] = (),
    topics: Sequence[str] = (),
    since_ms: int = 0,
    agents: Sequence[str] = (),
    mentions: str = "",
) -> tuple[Message, ...]:
    """What was said in a run, all of it or what matches: everything given must hold, within a list one is enough."""
    if isinstance(run, str):
        if store is None:
            raise BadInput("a run given by its id needs the store it lies in")
        run = load(run, store=store)
    debate = fold(run.events)
    wanted = MessageFilter(
        threads=tuple(threads), topics=tuple(topics), since_ms=since_ms, agents=tuple(agents), mentions=mentions
    )
    only = message_filter.resolve_filter(wanted, debate.seats, debate.threads)
    return tuple(message for message in message_filter.messages(debate) if only.matches(message))


def map_credences(table: str | Path | Iterable[Mapping[str, object]]) -> CredenceMap:
    """What a disagreement turns on, from a table of credences: the path of a CSV file, or rows as mappings."""
    return map_of(read(table) if isinstance(table, str | Path) else read_rows(table))


def map_votes(votes: str | Path | Mapping[str, Mapping[str, object]]) -> "VoteMap":
    """Coalitions, what divides and what unites them: a CSV, a Polis folder, or {agent: {question: vote}}."""
    from cruxfinder.tables.votes import vote_map  # noqa: PLC0415 - numpy: 90 ms that debates load later

    return vote_map.map_votes(votes)


def run_blocking(call: Coroutine[Any, Any, T]) -> T:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(call)
    call.close()
    raise BadInput("a debate is running in an event loop already: use `await cf.adebate(...)`")
