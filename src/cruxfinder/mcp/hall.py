"""Where whole debates are held: as tasks that live as long as the server, at most four at once.

A run that the server's end breaks off stays in the store, and `crux resume` goes on with it.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import anyio

from cruxfinder import app, library, parts
from cruxfinder.errors import BadInput, CruxfinderError, NoSuchRun
from cruxfinder.gate.gate import Choosing
from cruxfinder.library import Options, Prepared
from cruxfinder.mcp.faults import sentence
from cruxfinder.mcp.setup import Setup, configured
from cruxfinder.mcp.shapes import DebateState
from cruxfinder.model.events import Event
from cruxfinder.packs import shelf
from cruxfinder.ports import Store

LOG: Final = logging.getLogger(__name__)
AT_ONCE: Final = 4
REMEMBERED: Final = 100  # debates that are over, of which the server still knows why
END_S: Final = 5.0
NEEDS_MODEL: Final = (
    "a topic of your own needs a model that is configured for this server (`crux mcp --model …` or CRUX_MODEL): a "
    "whole debate asks too much of the caller's model; a pack needs none"
)


@dataclass(slots=True, kw_only=True)
class Held:
    """A debate that this server began."""

    run: str
    topic: str
    state: DebateState = "preparing"
    events: list[Event] = field(default_factory=list[Event])
    why: str = ""
    task: "asyncio.Task[None] | None" = None

    @property
    def over(self) -> bool:
        return self.state in ("complete", "failed")


class Hall:
    """What lives as long as the server: the configured model's clients, and the debates under way."""

    def __init__(self, setup: Setup, model: Choosing) -> None:
        self.model: Final = model
        self._setup = setup
        self._held: dict[str, Held] = {}

    @property
    def store(self) -> Store:
        return self._setup.store

    def held(self, run: str) -> Held | None:
        return self._held.get(run)

    def state(self, run: str) -> DebateState:
        """Raise NoSuchRun for a run nobody knows."""
        held = self._held.get(app.checked_run(run))
        if held is not None:
            return held.state
        return "complete" if self.store.row(run).state == "complete" else "open"

    async def start(self, subject: str, options: Options, seed: int) -> Held:
        """Begin a debate. What can be told to be wrong is told before; drawing up personas is part of the debate."""
        under_way = [held for held in self._held.values() if not held.over]
        if len(under_way) >= AT_ONCE:
            raise BadInput(
                f"{AT_ONCE} debates are under way ({', '.join(held.run for held in under_way)}); wait for one of them, "
                "or stop it"
            )
        library.settings(options)
        self.store.rows()  # a store that is none is told before anything is paid for
        if subject in shelf.names():
            ready = await library.prepared(subject, options)
            seated = app.seated(ready.pack, options.get("agents", ()))
            parts.arranged(seated, library.protocol_of(options), library.taking(options))
            held = Held(run=app.new_run_id(ready.pack), topic=ready.pack.topic, state="running")
        else:
            ready = None
            library.agents_expected(subject, options)
            held = Held(run=topic_run_id(subject), topic=subject)
        self._forget()
        self._held[held.run] = held
        held.task = asyncio.create_task(self._hold(held, subject, ready, options, seed))
        return held

    async def _hold(self, held: Held, subject: str, ready: Prepared | None, options: Options, seed: int) -> None:
        try:
            ready = ready or await library.prepared(subject, options)
            held.state, held.topic = "running", ready.pack.topic
            await library.started(ready, self.store, options, seed, held.run, listener=held.events.append)
            held.state = "complete"
        except asyncio.CancelledError:
            held.state, held.why = "failed", "it was stopped before it began"
        except CruxfinderError as error:
            held.state, held.why = "failed", sentence(error)
        except Exception:
            LOG.exception("run %s broke off", held.run)
            held.state, held.why = "failed", "a fault of the server; its own log says more"
        if held.state == "complete":
            held.events.clear()  # the store has them

    def stop(self, run: str) -> None:
        """Ask a run to end with what it has; one that is not in the store yet has nothing."""
        if self.state(run) in ("complete", "failed"):
            raise BadInput(f"run {run} is over already")
        held = self._held.get(run)
        if held is not None and held.task is not None and not begun(self.store, run):
            held.task.cancel()
            return
        self.store.request_stop(run)

    def _forget(self) -> None:
        over = [run for run, held in self._held.items() if held.over]
        for run in over[: max(0, len(over) - REMEMBERED)]:
            del self._held[run]

    async def close(self) -> None:
        tasks = [held.task for held in self._held.values() if held.task is not None and not held.task.done()]
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
async def opened(setup: Setup) -> AsyncGenerator[Hall]:
    async with configured(setup) as model:
        hall = Hall(setup, model)
        try:
            yield hall
        finally:
            with anyio.CancelScope(shield=True):
                await hall.close()
