"""Where whole debates are held: as tasks that live as long as the server, only so many at once.

What is under way is noted in the store: the next server goes on with it, however this one ended.
"""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

import anyio

from cruxfinder.adapters.models.allowance import check_priced
from cruxfinder.app import preparing, resumption, run_starts, stored_runs
from cruxfinder.app.debate_plan import DebatePlan, plan_debate
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.people import Participation
from cruxfinder.app.preparing import Prepared
from cruxfinder.app.public_faults import public_message
from cruxfinder.app.server_setup import Setup, check_no_file, open_configured_chooser
from cruxfinder.debaters.people.desk import Desk
from cruxfinder.errors import BadInput, Busy, CruxfinderError, NoSuchRun, NotAllowed, RunTaken
from cruxfinder.gate.runtime.gate import Choosing
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.journal import log_faults
from cruxfinder.kernel.runner import Listener
from cruxfinder.ports import RunRow, Store
from cruxfinder.protocols.any_run import AnyEvent, Finished

LOG: Final = logging.getLogger(__name__)
AT_ONCE: Final = 4
REMEMBERED: Final = 100  # debates that are over, of which the server still knows why
END_S: Final = 5.0
DECLINED_TOLD: Final = 5  # runs left as they stand that are told of one by one
DebateState = Literal["preparing", "running", "complete", "failed", "open", "cut"]
Work = Callable[[Listener], Coroutine[Any, Any, Finished]]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostingSettings:
    """How a run is held, beside what its log says: kept, so that another server goes on with it in the same way."""

    pace: float = 0.0  # wall seconds a debate second; 0: nobody waits
    wait_s: float = 0.0  # for an answer to a question of a conversation
    seat_s: float = 0.0  # for the people at the seats; 0: as long as it takes


AT_SPEED: Final = HostingSettings()
PACE_MAX: Final = 3600.0
WAIT_S_MAX: Final = 86_400.0


def parse_hosting_settings(how: str) -> HostingSettings:
    """The manner a store keeps for a run. Raise LogFault for one that no server wrote."""
    with log_faults("how it was held:"):
        manner = HostingSettings(**json.loads(how))
        for name, most in (("pace", PACE_MAX), ("wait_s", WAIT_S_MAX), ("seat_s", WAIT_S_MAX)):
            value: object = getattr(manner, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
                raise ValueError(f"{name} is out of range")
        return manner


@dataclass(slots=True, kw_only=True)
class HostedDebate:
    """A debate that this server holds."""

    run: str
    topic: str
    manner: HostingSettings
    state: DebateState = "preparing"
    events: list[AnyEvent] = field(default_factory=list[AnyEvent])
    why: str = ""
    fault: CruxfinderError | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    changed: Callable[[], None]  # to be called when it stands otherwise or waits for somebody else
    desk: Desk = field(init=False)
    task: "asyncio.Task[None] | None" = None
    noted: "asyncio.Task[None] | None" = None  # that it is held

    def __post_init__(self) -> None:
        self.desk = Desk(self.manner.seat_s, self.changed)

    def enter(self, state: DebateState, why: str = "") -> None:
        self.state, self.why = state, why
        self.changed()

    @property
    def is_over(self) -> bool:
        return self.state in ("complete", "failed")

    @property
    def participation(self) -> Participation:
        return Participation(
            None, self.manner.wait_s, self.desk.wait_for_answer, self.manner.seat_s, self.desk.confirm_stored
        )


class DebateHost:
    """What lives as long as the server: the configured model's clients, and the debates under way."""

    def __init__(self, setup: Setup, model: Choosing, at_once: int = AT_ONCE) -> None:
        self.model: Final = model
        self._setup = setup
        self._at_once = at_once
        self._held: dict[str, HostedDebate] = {}
        self._declined: dict[str, str] = {}  # runs of the last server that may not go on here, and why
        self._broken: dict[str, str] = {}  # those that cannot go on anywhere, and why
        self._listeners: defaultdict[str, set[Callable[[], None]]] = defaultdict(set)
        self._left = False  # runs of the last server wait for room
        self._going_on: asyncio.Task[tuple[str, ...]] | None = None
        self._closing = False
        self._stopping = ThreadPoolExecutor(1, "cruxfinder-stop")  # whatever else keeps the usual threads busy

    @property
    def store(self) -> Store:
        return self._setup.store

    def find_debate(self, run: str) -> HostedDebate | None:
        return self._held.get(run)

    def on_change(self, run: str, hear: Callable[[], None]) -> Callable[[], None]:
        """Call `hear` when the run is held, stands otherwise or waits for somebody else, until the answer is called."""
        self._listeners[run].add(hear)

        def leave() -> None:
            self._listeners[run].discard(hear)
            if not self._listeners[run]:
                del self._listeners[run]

        return leave

    def _tell(self, run: str) -> None:
        for hear in tuple(self._listeners.get(run, ())):
            hear()

    def failure_reason(self, run: str) -> str:
        """What stands against a run, if anything does."""
        held = self._held.get(run)
        return self._declined.get(run, self._broken.get(run, "")) if held is None else held.why

    async def state(self, run: str) -> DebateState:
        """Raise NoSuchRun for a run nobody knows."""
        held = self._held.get(stored_runs.checked_run(run))
        if held is not None and (held.state != "failed" or not await asyncio.to_thread(is_stored, self.store, run)):
            return held.state
        stored = (await asyncio.to_thread(self.store.row, run)).state
        if held is None or stored != "open":
            return stored  # what failed here may have been brought to its end elsewhere
        return "failed"

    async def start(self, request: DebateRequest, manner: HostingSettings = AT_SPEED) -> HostedDebate:
        """Begin a debate about a pack that ships, or a topic; no file is read on a caller's word.

        What can be told to be wrong is told before; drawing up personas is part of the debate.
        """
        self._check_room()
        if isinstance(request.subject, str):
            check_no_file(request.subject)
        # A store that is none is told before anything is paid for.
        await asyncio.to_thread(self.store.check_writable)
        self._check_room()  # others may have come meanwhile
        plan = plan_debate(request)
        self._check_prices(plan)
        if plan.pack is not None:
            return await self.start_prepared(await preparing.prepare_plan(plan), manner)
        held = self._new_debate(run_starts.new_run_id(plan.subject), plan.subject, manner, "preparing")
        self._begin(held, lambda hear: self._with_personas(held, plan, hear))
        return held

    def _check_prices(self, plan: DebatePlan) -> None:
        """Raise NotAllowed for a cap in dollars, the server's or the caller's, that could not hold."""
        if plan.models is not None:
            for caps in (self._setup.allowance.caps, Caps.of(plan.settings)):
                check_priced(caps, plan.models, plan.seating.models.values())

    async def start_prepared(self, ready: Prepared, manner: HostingSettings = AT_SPEED) -> HostedDebate:
        """Begin a debate that is ready to be held."""
        self._check_room()
        self._check_prices(ready.plan)
        self._setup.allowance.check_prices(ready.pack)
        held = self._new_debate(run_starts.new_run_id(ready.pack.name), ready.pack.topic, manner)
        self._begin(held, lambda hear: self._run_prepared(held, ready, hear))
        return await self._under_way(held)

    async def _run_prepared(self, held: HostedDebate, ready: Prepared, hear: Listener) -> Finished:
        return await preparing.run_prepared(
            ready, self.store, run=held.run, listener=hear, pace=held.manner.pace, user=held.participation
        )

    async def _with_personas(self, held: HostedDebate, plan: DebatePlan, hear: Listener) -> Finished:
        ready = await preparing.prepare_plan(plan)
        held.topic = ready.pack.topic
        held.enter("running")
        return await self._run_prepared(held, ready, hear)

    async def resume(self, run: str, manner: HostingSettings = AT_SPEED) -> HostedDebate:
        """Go on with a run that nobody holds. Raise NotAllowed for one that would use more than may be used here."""
        row = await self._resumable(run)
        await asyncio.to_thread(self._check_allowed, run)
        self._check_idle(run)  # somebody may have been quicker
        self._check_room()
        held = self._new_debate(run, row.topic, manner)
        self._begin(
            held,
            lambda hear: resumption.resume(
                run,
                self.store,
                thinking=self._setup.pace,
                listener=hear,
                pace=manner.pace,
                user=held.participation,
                allowed=self._setup.allowance,
            ),
        )
        self._declined.pop(run, None)
        self._broken.pop(run, None)
        return await self._under_way(held)

    async def _resumable(self, run: str) -> RunRow:
        self._check_idle(stored_runs.checked_run(run))
        row = await asyncio.to_thread(self.store.row, run)
        if row.state == "complete":
            raise BadInput(f"run {run} is over already")
        return row

    def _check_idle(self, run: str) -> None:
        held = self._held.get(run)
        if held is not None and not held.is_over:
            raise BadInput(f"run {run} is under way already")

    def _check_allowed(self, run: str) -> None:
        """Before it is held: what may not go on here is left as it stands, for somebody who may."""
        log = stored_runs.load_log(run, self.store)
        if log.events:
            resumption.check_allowed(run, log, self.store, self._setup.allowance)

    async def fork(
        self, parent: str, at: int, changes: Sequence[str], manner: HostingSettings = AT_SPEED
    ) -> HostedDebate:
        """A run that shares the first events of another one and goes on with something changed."""
        row = await asyncio.to_thread(self.store.row, stored_runs.checked_run(parent))
        self._check_room()
        held = self._new_debate(resumption.new_fork_id(parent), row.topic, manner)
        self._begin(
            held,
            lambda hear: resumption.fork(
                parent,
                at,
                changes,
                self.store,
                thinking=self._setup.pace,
                listener=hear,
                pace=manner.pace,
                run=held.run,
                user=held.participation,
                allowed=self._setup.allowance,
            ),
        )
        return await self._under_way(held)

    def _check_room(self) -> None:
        under_way = [held.run for held in self._held.values() if not held.is_over]
        if len(under_way) >= self._at_once:
            raise Busy(
                f"{self._at_once} debates are under way ({', '.join(under_way)}); wait for one of them, or stop it"
            )

    def _new_debate(
        self, run: str, topic: str, manner: HostingSettings, state: DebateState = "running"
    ) -> HostedDebate:
        return HostedDebate(run=run, topic=topic, manner=manner, state=state, changed=lambda: self._tell(run))

    def _begin(self, held: HostedDebate, work: Work) -> None:
        over = [run for run, known in self._held.items() if known.is_over]
        for run in over[: max(0, len(over) - REMEMBERED)]:
            del self._held[run]
        self._held[held.run] = held
        self._tell(held.run)
        held.task = asyncio.create_task(self._hold(held, work))

    async def _hold(self, held: HostedDebate, work: Work) -> None:
        def hear(event: AnyEvent) -> None:
            held.events.append(event)
            if held.noted is None:
                held.changed()  # from here on the run is in the store
                # Beside the loop: a store that is locked for a while must not stop everybody else.
                how = json.dumps(asdict(held.manner))
                held.noted = asyncio.create_task(asyncio.to_thread(self.store.host, held.run, how))
                held.noted.add_done_callback(on_hosting_recorded)

        def on_hosting_recorded(task: asyncio.Task[None]) -> None:
            if not task.cancelled() and (fault := task.exception()) is not None:
                LOG.warning("the next server will not know of run %s: %s", held.run, fault)
            held.begun.set()

        try:
            await work(hear)
            held.enter("complete")
            held.events.clear()  # the store has them
        except asyncio.CancelledError:
            held.enter("failed", "it was stopped before it began")
        except CruxfinderError as error:
            held.fault = error
            held.enter("failed", public_message(error))
            await self._let_go(held)
        except Exception:
            LOG.exception("run %s broke off", held.run)
            held.enter("failed", "a fault of the server; its own log says more")
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

    async def _let_go(self, held: HostedDebate) -> None:
        """A run that failed is not tried again by itself; one that another process has is none of ours."""
        if isinstance(held.fault, RunTaken):
            return
        if held.noted is not None:
            await asyncio.wait([held.noted])
        await self._forget(held.run)

    async def _forget(self, run: str) -> None:
        """The next server does not go on with it."""
        with suppress(CruxfinderError):
            await asyncio.to_thread(self.store.host, run, "")

    async def _under_way(self, held: HostedDebate) -> HostedDebate:
        """Wait for the first event, so that what stands against the run is told at once."""
        await held.begun.wait()
        if held.fault is not None and not held.events:
            if self._held.get(held.run) is held:  # another call may have had the same wish
                del self._held[held.run]
                self._tell(held.run)
            raise held.fault
        return held

    async def stop(self, run: str) -> None:
        """Ask a run to end with what it has; one that is not in the store yet has nothing."""
        if await self.state(run) in ("complete", "failed"):
            raise BadInput(f"run {run} is over already")
        held = self._held.get(run)
        stored = await asyncio.get_running_loop().run_in_executor(self._stopping, self._request_stop, run)
        if not stored and held is not None and held.task is not None:
            held.task.cancel()
            return
        if held is not None:
            held.desk.close()  # nobody is waited for any more

    def _request_stop(self, run: str) -> bool:
        """Whether the run is in the store."""
        with suppress(NoSuchRun):
            if not self.store.stop_requested(run):  # stops are not counted: one that changes nothing writes nothing
                self.store.request_stop(run)
            return True
        return False

    async def recover(self) -> tuple[str, ...]:
        """Go on with what was under way when the last server ended, as far as there is room and it may go on here."""
        found: list[str] = []
        declined = len(self._declined)
        for run, how in await asyncio.to_thread(self.store.hosted_runs):
            if run in self._declined or ((held := self._held.get(run)) is not None and not held.is_over):
                continue
            try:
                await self.resume(run, parse_hosting_settings(how))
                found.append(run)
            except RunTaken:
                LOG.info("run %s is held by another process", run)
            except Busy as error:
                LOG.info("run %s has to wait: %s", run, error)
                self._left = True
                break
            except NotAllowed as error:
                self._declined[run] = public_message(error)
                self._tell(run)
                if len(self._declined) <= DECLINED_TOLD:
                    LOG.warning("left as it stands: %s", error)
            except CruxfinderError as error:
                LOG.warning("run %s cannot go on: %s", run, error)
                self._broken[run] = public_message(error)
                self._tell(run)
                await self._forget(run)
            except Exception:  # a bug included: one run keeps no server from beginning, and no other run from going on
                LOG.exception("run %s cannot go on", run)
                self._broken[run] = "a fault of the server; its own log says more"
                self._tell(run)
                await self._forget(run)
        if (more := len(self._declined) - max(declined, DECLINED_TOLD)) > 0:
            LOG.warning("%s more runs are left as they stand: they would use more than may be used here", more)
        return tuple(found)

    async def close(self) -> None:
        self._closing = True
        every = [self._going_on, *(held.task for held in self._held.values())]
        tasks = [task for task in every if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=END_S)
        self._stopping.shutdown(wait=False)


def is_stored(store: Store, run: str) -> bool:
    try:
        store.row(run)
    except NoSuchRun:
        return False
    return True


@asynccontextmanager
async def open_host(setup: Setup, at_once: int = AT_ONCE) -> AsyncGenerator[DebateHost]:
    async with open_configured_chooser(setup) as model:
        host = DebateHost(setup, model, at_once)
        try:
            yield host
        finally:
            with anyio.CancelScope(shield=True):
                await host.close()
