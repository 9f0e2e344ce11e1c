"""What `import cruxfinder` offers: debates from Python, kept in memory unless a store is given."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Generator, Iterable, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cruxfinder.adapters.models.allowance import allow_addresses
from cruxfinder.adapters.stores import store_url
from cruxfinder.app import credence_maps, repeats, resumption, roles, run_starts, stored_runs
from cruxfinder.app.debate_plan import plan_debate, require_crux_protocol
from cruxfinder.app.debate_request import DebateRequest, StabilityRequest
from cruxfinder.app.preparing import prepare, prepare_plan, repeat_debate, run_prepared
from cruxfinder.app.signatures import takes_request
from cruxfinder.crux.stability import Stability
from cruxfinder.crux.thread import Message
from cruxfinder.errors import BadInput
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.ports import Debater, Store
from cruxfinder.protocols.any_run import AnyEvent, Finished
from cruxfinder.protocols.registry import fold, protocol_of
from cruxfinder.tables.credences.credence_map import CredenceMap
from cruxfinder.telling import message_filter
from cruxfinder.telling.message_filter import MessageFilter

if TYPE_CHECKING:
    from cruxfinder.tables.votes.vote_map import VoteMap

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StreamRequest(DebateRequest):
    """A debate whose events are wanted as they happen."""

    _: KW_ONLY
    only: MessageFilter | None = None  # of its messages those that match, and nothing else


@contextmanager
def open_store(store: Store | str | Path | None) -> Generator[Store]:
    """A store as it is, one named by a path or a URL (closed again afterwards), or one that lives in memory."""
    if store is not None and not isinstance(store, str | Path):
        yield store
        return
    own = store_url.open_store(store_url.MEMORY if store is None else store)
    try:
        yield own
    finally:
        own.close()


async def hold(request: DebateRequest) -> Finished:
    with open_store(request.store) as place:
        return await run_prepared(await prepare(request), place)


@takes_request(DebateRequest)
async def adebate(request: DebateRequest) -> Finished:
    """`debate` for code that is asynchronous."""
    return await hold(request)


@takes_request(DebateRequest)
def debate(request: DebateRequest) -> Finished:
    """Run a debate and wait for its result: a pack's name, a path to one, a Pack, or a topic for models to think about.

    Every option may be left out; `cruxfinder.app.debate_request` says what each means. Raise CruxfinderError.
    """
    return run_blocking(hold(request))


@takes_request(StreamRequest)
async def stream(request: StreamRequest) -> AsyncGenerator[AnyEvent, None]:
    """The events of a debate as they happen; with `only`, those of its messages that match.

    A run left early, in a store of yours, can be resumed by its id.
    """
    only = request.only
    with open_store(request.store) as place:
        ready = await prepare(request)
        if only is not None:
            only = message_filter.resolve_filter(only, roles.seats(ready.pack, ready.plan.protocol))
        events = run_starts.stream(lambda hear: run_prepared(ready, place, listener=hear))
        async with aclosing(events):
            async for event in events:
                if only is None or only.passes(event):
                    yield event


async def hold_again(request: StabilityRequest) -> Stability:
    plan = plan_debate(request)
    require_crux_protocol(plan)
    seeds = repeats.seeds_from(plan.seed, request.runs)
    with open_store(request.store) as place:
        return await repeat_debate(await prepare_plan(plan), place, seeds)


@takes_request(StabilityRequest)
async def astability(request: StabilityRequest) -> Stability:
    """`stability` for code that is asynchronous."""
    return await hold_again(request)


@takes_request(StabilityRequest)
def stability(request: StabilityRequest) -> Stability:
    """How often the same crux comes first when a debate is held again with other seeds. Caps hold for all together."""
    return run_blocking(hold_again(request))


def resume(
    run: str,
    *,
    store: Store | str | Path,
    debaters: Mapping[AgentId, Debater] | None = None,
    base_url: str = "",
) -> Finished:
    """Go on with a run. One that asks models at an address of its own goes on only if `base_url` names it."""
    with open_store(store) as place:
        return run_blocking(resumption.resume(run, place, debaters=debaters, allowed=allow_addresses([base_url])))


def replay(run: str, *, store: Store | str | Path, debaters: Mapping[AgentId, Debater] | None = None) -> Finished:
    with open_store(store) as place:
        return run_blocking(resumption.replay(run, place, debaters=debaters))


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
            resumption.fork(run, at, change, place, debaters=debaters, allowed=allow_addresses([base_url]))
        )


def load(run: str, *, store: Store | str | Path) -> Finished:
    """A stored run, finished or not."""
    with open_store(store) as place:
        return stored_runs.load_run(run, place)


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
    protocol = protocol_of(debate.started)
    wanted = MessageFilter(
        threads=tuple(threads), topics=tuple(topics), since_ms=since_ms, agents=tuple(agents), mentions=mentions
    )
    only = message_filter.resolve_filter(wanted, debate.seats, protocol.threads(debate))
    return tuple(m for m in protocol.said(debate) if isinstance(m, Message) and only.matches(m))


def map_credences(
    table: str | Path | Iterable[Mapping[str, object]], *, columns: Mapping[str, str] | None = None, topic: str = ""
) -> CredenceMap:
    """What a disagreement turns on, from a table of credences: the path of a CSV file, or rows as mappings."""
    return credence_maps.map_credences(table, columns=columns or {}, topic=topic)


def map_votes(votes: str | Path | Mapping[str, Mapping[str, object]]) -> "VoteMap":
    """Coalitions, what divides and what unites them: a CSV, a Polis folder, or {agent: {question: vote}}."""
    from cruxfinder.app import vote_maps  # noqa: PLC0415 - numpy: 90 ms that debates load later

    return vote_maps.map_votes(votes)


def run_blocking(call: Coroutine[Any, Any, T]) -> T:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(call)
    call.close()
    raise BadInput("a debate is running in an event loop already: use `await cf.adebate(...)`")
