"""A store that lives and dies with its process: for tests, and for debates nobody wants kept."""

from collections.abc import AsyncIterator, Generator, Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from dataclasses import replace
from threading import Lock

from cruxfinder.adapters.stores.log_checks import RUN_ID, SHA, Now, check_sequence, wall_clock
from cruxfinder.adapters.stores.log_tails import LogTails
from cruxfinder.adapters.stores.signal_watches import SignalWatches
from cruxfinder.errors import CruxfinderError, NoSuchRun, RunTaken, StoreFault
from cruxfinder.ports import Entry, FalsifierResolution, Mark, RunRow, StopSignal


class MemoryStore:
    def __init__(self, now: Now = wall_clock) -> None:
        self._now = now
        self._lock = Lock()
        self._rows: dict[str, RunRow] = {}
        self._logs: dict[str, list[Entry]] = {}
        self._stops: set[str] = set()
        self._texts: dict[str, str] = {}
        self._replies: dict[tuple[str, str], str] = {}
        self._hosted: dict[str, str] = {}
        self._outcomes: dict[str, dict[Mark, FalsifierResolution]] = {}
        self._held: set[str] = set()
        self._tails = LogTails(self._look)
        self._watches = SignalWatches()

    def check_writable(self) -> None:
        pass

    def create(self, run: str, *, topic: str, pack: str, parent: str = "") -> None:
        assert RUN_ID.fullmatch(run)
        now = self._now()
        with self._lock:
            if run in self._rows:
                raise StoreFault(f"run {run} already exists")
            self._logs[run] = []
            self._rows[run] = RunRow(
                id=run,
                topic=topic,
                pack=pack,
                state="open",
                entries=0,
                created=now,
                updated=now,
                parent=parent,
            )

    def append(self, run: str, entries: Sequence[Entry]) -> Future[None]:
        assert all(SHA.fullmatch(entry.hash) for entry in entries)
        done: Future[None] = Future()
        try:
            with self._lock:
                row = self._require_row(run)
                log = self._logs[run]
                check_sequence(run, len(log), entries)
                log.extend(entries)
                self._rows[run] = replace(row, entries=len(log), written=len(log), updated=self._now())
                self._tails.tell(run, entries)
        except CruxfinderError as error:
            done.set_exception(error)
        else:
            done.set_result(None)
        return done

    def load(self, run: str, after: int = 0) -> tuple[Entry, ...]:
        assert after >= 0
        with self._lock:
            self._require_row(run)
            return tuple(self._logs[run][after:])

    def tail(self, run: str, after: int = 0) -> AbstractContextManager[AsyncIterator[tuple[Entry, ...]]]:
        return self._tails.follow(run, after)

    async def _look(self, run: str, after: int) -> tuple[Entry, ...]:
        return self.load(run, after)

    def row(self, run: str) -> RunRow:
        with self._lock:
            return self._require_row(run)

    def rows(self) -> tuple[RunRow, ...]:
        with self._lock:
            return tuple(row for row in reversed(self._rows.values()) if row.entries or row.state != "open")

    def finish(self, run: str) -> None:
        with self._lock:
            self._rows[run] = replace(self._require_row(run), state="complete", updated=self._now())

    @contextmanager
    def claim(self, run: str) -> Generator[None]:
        assert RUN_ID.fullmatch(run)
        with self._lock:
            if run in self._held:
                raise RunTaken(f"run {run} is taken: another process is writing it")
            self._held.add(run)
        try:
            with self._tails.claim(run):
                yield
        finally:
            with self._lock:
                self._held.remove(run)

    def request_stop(self, run: str) -> None:
        with self._lock:
            self._require_row(run)
            self._stops.add(run)
        self._watches.tell(run, stop=True)

    def stop_requested(self, run: str) -> bool:
        with self._lock:
            self._require_row(run)
            return run in self._stops

    def watch_stop(self, run: str) -> AbstractAsyncContextManager[StopSignal]:
        async def read() -> bool:
            return self.stop_requested(run)

        return self._watches.watch_stop(run, read)

    def put_reply(self, run: str, turn: str, text: str) -> None:
        with self._lock:
            self._require_row(run)
            self._replies.setdefault((run, turn), text)
        self._watches.tell(run)

    def reply(self, run: str, turn: str) -> str | None:
        with self._lock:
            self._require_row(run)
            return self._replies.get((run, turn))

    async def wait_for_reply(self, run: str, turn: str) -> str:
        async def read() -> str | None:
            return self.reply(run, turn)

        return await self._watches.find(run, read)

    def host(self, run: str, how: str) -> None:
        with self._lock:
            self._require_row(run)
            self._hosted[run] = how

    def hosted_runs(self) -> tuple[tuple[str, str], ...]:
        with self._lock:
            rows = [row for row in self._rows.values() if row.state == "open"]
            return tuple((row.id, how) for row in rows if (how := self._hosted.get(row.id)))

    def put_text(self, sha: str, text: str) -> None:
        assert SHA.fullmatch(sha)
        with self._lock:
            self._texts.setdefault(sha, text)

    def text(self, sha: str) -> str:
        assert SHA.fullmatch(sha)
        with self._lock:
            if sha not in self._texts:
                raise StoreFault(f"the store holds no text {sha}")
            return self._texts[sha]

    def put_outcome(self, resolution: FalsifierResolution) -> None:
        with self._lock:
            self._require_row(resolution.run)
            self._outcomes.setdefault(resolution.run, {})[resolution.mark] = resolution

    def outcomes(self, run: str) -> tuple[FalsifierResolution, ...]:
        with self._lock:
            self._require_row(run)
            return tuple(kept for _, kept in sorted(self._outcomes.get(run, {}).items()))

    def close(self) -> None:
        pass

    def _require_row(self, run: str) -> RunRow:
        if run not in self._rows:
            raise NoSuchRun(f"there is no run {run}")
        return self._rows[run]
