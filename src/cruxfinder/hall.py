"""Where whole debates are held: as tasks that live as long as the server, only so many at once.

What is under way is noted in the store: the next server goes on with it, however this one ended.
"""

import asyncio
import json
import logging
import secrets
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

import anyio

from cruxfinder import app, library, parts
from cruxfinder.app import Finished
from cruxfinder.attending import Attending
from cruxfinder.debaters.desk import Desk
from cruxfinder.engine.runner import Listener
from cruxfinder.errors import BadInput, Busy, CruxfinderError, NoSuchRun, RunTaken
from cruxfinder.gate.gate import Choosing
from cruxfinder.library import Options, Prepared
from cruxfinder.model.events import Event
from cruxfinder.packs import shelf
from cruxfinder.plainly import sentence
from cruxfinder.ports import Store
from cruxfinder.setup import Setup, configured

LOG: Final = logging.getLogger(__name__)
AT_ONCE: Final = 4
REMEMBERED: Final = 100  # debates that are over, of which the server still knows why
END_S: Final = 5.0
DebateState = Literal["preparing", "running", "complete", "failed", "open"]
Work = Callable[[Listener], Coroutine[Any, Any, Finished]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a run is held, beside what its log says: kept, so that another server goes on with it in the same way."""

    pace: float = 0.0  # wall seconds a debate second; 0: nobody waits
    wait_s: float = 0.0  # for an answer to a question of a conversation
    seat_s: float = 0.0  # for the people at the seats; 0: as long as it takes


AT_SPEED: Final = Manner()


@dataclass(slots=True, kw_only=True)
class Held:
    """A debate that this server holds."""

    run: str
    topic: str
    manner: Manner
    state: DebateState = "preparing"
    events: list[Event] = field(default_factory=list[Event])
    why: str = ""
    fault: CruxfinderError | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    desk: Desk = field(init=False)
    task: "asyncio.Task[None] | None" = None
    noted: "asyncio.Task[None] | None" = None  # that it is held

    def __post_init__(self) -> None:
        self.desk = Desk(self.manner.seat_s)

    @property
    def over(self) -> bool:
        return self.state in ("complete", "failed")

    @property
    def attending(self) -> Attending:
        return Attending(None, self.manner.wait_s, self.desk.sit, self.manner.seat_s, self.desk.kept)


class Hall:
    """What lives as long as the server: the configured model's clients, and the debates under way."""

    def __init__(self, setup: Setup, model: Choosing, at_once: int = AT_ONCE) -> None:
        self.model: Final = model
        self._setup = setup
        self._at_once = at_once
        self._held: dict[str, Held] = {}
        self._left = False  # runs of the last server wait for room
        self._going_on: asyncio.Task[tuple[str, ...]] | None = None
        self._closing = False

    @property
    def store(self) -> Store:
        return self._setup.store

    def held(self, run: str) -> Held | None:
        return self._held.get(run)

    def state(self, run: str) -> DebateState:
        """Raise NoSuchRun for a run nobody knows."""
        held = self._held.get(app.checked_run(run))
        if held is not None and (held.state != "failed" or not begun(self.store, run)):
            return held.state
        if self.store.row(run).state == "complete":
            return "complete"  # what failed here may have been brought to its end elsewhere
        return "open" if held is None else "failed"

    async def start(self, subject: str, options: Options, seed: int, manner: Manner = AT_SPEED) -> Held:
        """Begin a debate about a pack that ships, or a topic; no file is read on a caller's word.

        What can be told to be wrong is told before; drawing up personas is part of the debate.
        """
        self._check_room()
        library.settings(options)
        self.store.rows()  # a store that is none is told before anything is paid for
        if subject in shelf.names():
            return await self.hold(await library.prepared(subject, options), options, seed, manner)
        library.checked_topic(subject, options)
        held = Held(run=topic_run_id(subject), topic=subject, manner=manner)
        self._begin(held, lambda hear: self._with_personas(held, subject, options, seed, hear))
        return held

    async def hold(self, ready: Prepared, options: Options, seed: int, manner: Manner = AT_SPEED) -> Held:
        """Begin a debate that is ready to be held."""
        self._check_room()
        seated = app.seated(ready.pack, options.get("agents", ()))
        parts.arranged(seated, library.protocol_of(options), library.taking(options))
        held = Held(run=app.new_run_id(ready.pack), topic=ready.pack.topic, manner=manner, state="running")
        self._begin(held, lambda hear: self._started(held, ready, options, seed, hear))
        return await self._under_way(held)

    async def _started(self, held: Held, ready: Prepared, options: Options, seed: int, hear: Listener) -> Finished:
        return await library.started(
            ready, self.store, options, seed, held.run, hear, held.manner.pace, user=held.attending
        )

    async def _with_personas(self, held: Held, topic: str, options: Options, seed: int, hear: Listener) -> Finished:
        ready = await library.for_topic(topic, library.models_of(options), options)
        held.state, held.topic = "running", ready.pack.topic
        return await self._started(held, ready, options, seed, hear)

    async def resume(self, run: str, manner: Manner = AT_SPEED) -> Held:
        """Go on with a run that nobody holds."""
        if self.state(run) in ("preparing", "running"):
            raise BadInput(f"run {run} is under way already")
        row = self.store.row(run)
        if row.state == "complete":
            raise BadInput(f"run {run} is over already")
        self._check_room()
        held = Held(run=run, topic=row.topic, manner=manner, state="running")
        thinking = library.pace_of(self._setup.options)
        self._begin(
            held,
            lambda hear: app.resume(
                run, self.store, thinking=thinking, listener=hear, pace=manner.pace, user=held.attending
            ),
        )
        return await self._under_way(held)

    async def fork(self, parent: str, at: int, changes: Sequence[str], manner: Manner = AT_SPEED) -> Held:
        """A run that shares the first events of another one and goes on with something changed."""
        row = self.store.row(app.checked_run(parent))
        self._check_room()
        held = Held(run=app.new_fork_id(parent), topic=row.topic, manner=manner, state="running")
        thinking = library.pace_of(self._setup.options)
        self._begin(
            held,
            lambda hear: app.fork(
                parent,
                at,
                changes,
                self.store,
                thinking=thinking,
                listener=hear,
                pace=manner.pace,
                run=held.run,
                user=held.attending,
            ),
        )
        return await self._under_way(held)

    def _check_room(self) -> None:
        under_way = [held.run for held in self._held.values() if not held.over]
        if len(under_way) >= self._at_once:
            raise Busy(
                f"{self._at_once} debates are under way ({', '.join(under_way)}); wait for one of them, or stop it"
            )

    def _begin(self, held: Held, work: Work) -> None:
        over = [run for run, known in self._held.items() if known.over]
        for run in over[: max(0, len(over) - REMEMBERED)]:
            del self._held[run]
        self._held[held.run] = held
        held.task = asyncio.create_task(self._hold(held, work))

    async def _hold(self, held: Held, work: Work) -> None:
        def hear(event: Event) -> None:
            held.events.append(event)
            if held.noted is None:
                # Beside the loop: a store that is locked for a while must not stop everybody else.
                how = json.dumps(asdict(held.manner))
                held.noted = asyncio.create_task(asyncio.to_thread(self.store.host, held.run, how))
                held.noted.add_done_callback(noted)

        def noted(task: asyncio.Task[None]) -> None:
            if not task.cancelled() and (fault := task.exception()) is not None:
                LOG.warning("the next server will not know of run %s: %s", held.run, fault)
            held.begun.set()

        try:
            await work(hear)
            held.state = "complete"
            held.events.clear()  # the store has them
        except asyncio.CancelledError:
            held.state, held.why = "failed", "it was stopped before it began"
        except CruxfinderError as error:
            held.state, held.why, held.fault = "failed", sentence(error), error
            await self._let_go(held)
        except Exception:
            LOG.exception("run %s broke off", held.run)
            held.state, held.why = "failed", "a fault of the server; its own log says more"
            await self._let_go(held)
        finally:
            held.begun.set()
            held.desk.close()
            self._go_on()

    def _go_on(self) -> None:
        """There is room again for what had to wait when the server began."""
        if self._left and not self._closing:
            self._left = False
            self._going_on = asyncio.create_task(self.recover())

    async def _let_go(self, held: Held) -> None:
        """A run that failed is not tried again by itself; one that another process has is none of ours."""
        if isinstance(held.fault, RunTaken):
            return
        if held.noted is not None:
            await asyncio.wait([held.noted])
        with suppress(CruxfinderError):
            await asyncio.to_thread(self.store.host, held.run, "")

    async def _under_way(self, held: Held) -> Held:
        """Wait for the first event, so that what stands against the run is told at once."""
        await held.begun.wait()
        if held.fault is not None and not held.events:
            if self._held.get(held.run) is held:  # another call may have had the same wish
                del self._held[held.run]
            raise held.fault
        return held

    async def stop(self, run: str) -> None:
        """Ask a run to end with what it has; one that is not in the store yet has nothing."""
        if self.state(run) in ("complete", "failed"):
            raise BadInput(f"run {run} is over already")
        held = self._held.get(run)
        if held is not None and held.task is not None and not begun(self.store, run):
            held.task.cancel()
            return
        await asyncio.to_thread(self.store.request_stop, run)
        if held is not None:
            held.desk.close()  # nobody is waited for any more

    async def recover(self) -> tuple[str, ...]:
        """Go on with what was under way when the last server ended, as far as there is room."""
        found: list[str] = []
        for run, how in await asyncio.to_thread(self.store.hosted):
            if (held := self._held.get(run)) is not None and not held.over:
                continue
            try:
                await self.resume(run, Manner(**json.loads(how)))
                found.append(run)
            except RunTaken:
                LOG.info("run %s is held by another process", run)
            except Busy as error:
                LOG.info("run %s has to wait: %s", run, error)
                self._left = True
                break
            except (CruxfinderError, TypeError, ValueError) as error:
                LOG.warning("run %s cannot go on: %s", run, error)
                with suppress(CruxfinderError):
                    self.store.host(run, "")
        return tuple(found)

    async def close(self) -> None:
        self._closing = True
        every = [self._going_on, *(held.task for held in self._held.values())]
        tasks = [task for task in every if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=END_S)


def begun(store: Store, run: str) -> bool:
    try:
        store.row(run)
    except NoSuchRun:
        return False
    return True


def topic_run_id(topic: str) -> str:
    """As of a pack: the claim a topic becomes is not known yet."""
    return f"{app.SLUG.sub('-', topic.lower()).strip('-')[:40].strip('-') or 'run'}-{secrets.token_hex(3)}"


@asynccontextmanager
async def opened(setup: Setup, at_once: int = AT_ONCE) -> AsyncGenerator[Hall]:
    async with configured(setup) as model:
        hall = Hall(setup, model, at_once)
        try:
            yield hall
        finally:
            with anyio.CancelScope(shield=True):
                await hall.close()
