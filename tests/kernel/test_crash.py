"""Nothing paid for is lost or asked twice: debates killed with SIGKILL again and again, debaters elsewhere."""

import asyncio
import json
import os
import pickle
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random
from select import select
from typing import Any

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import participants, resumption, run_starts, stored_runs
from cruxfinder.crux.asks import Drafted, First, Probed
from cruxfinder.crux.moves import Claim, Commit
from cruxfinder.debaters.simulated.debater import SimulatedDebater
from cruxfinder.errors import RunTaken, StaleWriter
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import Journal, Log, read_log
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, read_answer
from cruxfinder.protocols.registry import read_event
from tests.kernel.crash_child import LENGTH, Job
from tests.kernel.runs import PAIR, chained, debated, given_again, lines, log_of, pack_of, replayed, resumed

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
FIVE = ("holder", "trader", "economist", "builder", "statistician")
KILLED = -signal.SIGKILL
PATIENCE_S = 30


# ---- the debaters, outside the process that dies


def shaken(answer: AnyAnswer, chance: Random) -> AnyAnswer:
    """The same answer in other words and with other numbers: nobody gives it twice."""

    def moved(p: float) -> float:
        return min(0.999, max(0.001, p + chance.uniform(-0.02, 0.02)))

    match answer:
        case First():
            return replace(answer, p_top=moved(answer.p_top), reason=f"{answer.reason}, take {chance.random():.6f}")
        case Probed():
            credences = tuple(c._replace(c=moved(c.c), p1=moved(c.p1), p0=moved(c.p0)) for c in answer.credences)
            return replace(answer, p_top=moved(answer.p_top), credences=credences)
        case Drafted(draft=draft):
            move = draft.move
            if isinstance(move, Claim | Commit):
                move = replace(move, confidence=moved(move.confidence))
            return Drafted(draft=replace(draft, move=move, content=f"{draft.content} ({chance.random():.6f})"))
        case _:
            return answer


@dataclass
class Asked:
    ask: AnyAsk
    answer: AnyAnswer


@dataclass
class Oracle:
    """Counts its asks and answers differently each time."""

    path: Path
    debaters: dict[AgentId, SimulatedDebater]
    asked: list[Asked] = field(default_factory=list[Asked])
    gate: threading.Event = field(default_factory=threading.Event)
    busy: int = 0  # connections taken and not yet served
    turn: threading.Condition = field(default_factory=threading.Condition)

    def reply(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        chance = Random(os.urandom(8))
        time.sleep(chance.uniform(0.0, 0.002))
        self.gate.wait()
        with self.turn:
            answer = shaken(self.debaters[ask.agent].reply(ask, record), chance)
            self.asked.append(Asked(ask, answer))
        return answer

    def settle(self) -> None:
        """Wait until everything a dead process has asked is answered: connections are taken in order."""
        with socket.socket(socket.AF_UNIX) as last:
            last.connect(str(self.path))
            last.sendall(LENGTH.pack(0))
            assert last.recv(1) == b"."
        with self.turn:
            assert self.turn.wait_for(lambda: self.busy == 0, timeout=20)


def serving(path: Path, agents: tuple[str, ...]) -> tuple[Oracle, socketserver.ThreadingUnixStreamServer]:
    pack = participants.with_agents(pack_of("bitcoin"), agents)
    oracle = Oracle(path, {p.id: SimulatedDebater(p, pack.propositions, 1) for p in pack.personas})
    oracle.gate.set()

    class Answering(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            head = self.rfile.read(LENGTH.size)
            length = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else 0
            body = self.rfile.read(length)
            with suppress(OSError):  # whoever asked may be dead
                if head == LENGTH.pack(0):
                    self.wfile.write(b".")
                elif length and len(body) == length:
                    answer = pickle.dumps(oracle.reply(*pickle.loads(body)))
                    self.wfile.write(LENGTH.pack(len(answer)) + answer)

    class Server(socketserver.ThreadingUnixStreamServer):
        daemon_threads = True
        request_queue_size = 64

        def process_request(self, request: Any, client_address: Any) -> None:
            with oracle.turn:
                oracle.busy += 1
                oracle.turn.notify_all()
            super().process_request(request, client_address)

        def shutdown_request(self, request: Any) -> None:
            super().shutdown_request(request)
            with oracle.turn:
                oracle.busy -= 1
                oracle.turn.notify_all()

    server = Server(str(path), Answering)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return oracle, server


class Zygote:
    """A process that forks one child a job."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.kernel.crash_child"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._errors = ""

    def begin(self, job: Job) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asdict(job)) + "\n")
        self._process.stdin.flush()

    def end(self) -> int:
        assert self._process.stdout is not None
        ready, _, _ = select([self._process.stdout], [], [], PATIENCE_S)
        assert ready, "the child hangs"
        return int(self._process.stdout.readline())

    def do(self, job: Job) -> int:
        self.begin(job)
        return self.end()

    def close(self) -> str:
        """What its children had to say."""
        if self._process.returncode is None:
            try:
                _, self._errors = self._process.communicate(timeout=PATIENCE_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                raise
        return self._errors


@pytest.fixture
def zygote() -> Generator[Zygote]:
    made = Zygote()
    yield made
    made.close()


@pytest.fixture
def rival() -> Generator[Zygote]:
    made = Zygote()
    yield made
    made.close()


@dataclass
class Bench:
    """One run on disk, its oracle, and what is known of both."""

    zygote: Zygote
    oracle: Oracle
    job: Job
    in_flight: int = 0

    def log(self) -> Log:
        with closing(SqliteStore(Path(self.job.store))) as store:
            begun = self.job.run in {row.id for row in store.rows()}
            return log_of(store, self.job.run) if begun else read_log(())

    def session(self, die: str, at: int) -> int:
        """Run until it dies or ends; check that only what was in flight was asked again and the log only grew."""
        begun = len(self.oracle.asked)
        before = self.log()
        code = self.zygote.do(replace(self.job, do="resume" if before.events else "start", die=die, at=at))
        after = self.log()
        self.oracle.settle()
        asked = self.oracle.asked[begun:]
        assert after.entries[: len(before.entries)] == before.entries, "the log only grows: first answers stay"
        for agent in self.job.agents:
            # Asks are numbered by agent: what a session asks for first is what the log lacks, and so on.
            kept = [digests_of(log, agent) for log in (before, after)]
            fresh = kept[1][len(kept[0]) :]
            put = [wire.digest(wire.dumps(a.ask)) for a in asked if a.ask.agent == agent]
            assert put[: len(fresh)] == fresh, f"{agent} was asked for something the log had, or out of order"
            assert 0 <= len(put) - len(fresh) <= 1, "at most one call of an agent is in flight"
            self.in_flight += len(put) - len(fresh)
        if not after.entries:
            self.forget()
        return code

    def forget(self) -> None:
        """A run killed before its first commit never began; it is started anew under another name."""
        number = int(self.job.run.removeprefix("r")) + 1
        self.job = replace(self.job, run=f"r{number}")


def digests_of(log: Log, agent: str) -> list[str]:
    """The asks of one agent that the log has answers to, in the order of asking."""
    found = {int(key.split("#")[1]): kept.ask for key, kept in log.answers.items() if key.split("#")[0] == agent}
    assert sorted(found) == list(range(1, len(found) + 1))
    return [found[number] for number in sorted(found)]


@pytest.fixture
def bench(zygote: Zygote, tmp_path: Path, request: pytest.FixtureRequest) -> Generator[Bench]:
    agents: tuple[str, ...] = getattr(request, "param", PAIR)
    oracle, server = serving(tmp_path / "o", agents)
    job = Job(do="start", store=str(tmp_path / "runs.db"), socket=str(tmp_path / "o"), agents=agents)
    yield Bench(zygote, oracle, job)
    oracle.gate.set()
    server.shutdown()
    server.server_close()


def check(bench: Bench) -> None:
    """The log holds what was answered, each once, and an unbroken run with these answers is the same run."""
    log = bench.log()
    assert len(bench.oracle.asked) == len(log.answers) + bench.in_flight
    given = {(wire.digest(wire.dumps(a.ask)), wire.dumps(a.answer)) for a in bench.oracle.asked}
    assert {(kept.ask, wire.dumps(read_answer(kept.body))) for kept in log.answers.values()} <= given

    agents = [AgentId(a) for a in bench.job.agents]
    with closing(SqliteStore(Path(bench.job.store))) as store:
        broken = stored_runs.load_run(bench.job.run, store)
        assert isinstance(broken.events[-1], DebateComplete)
        unbroken = debated(
            pack_finder.find("bitcoin")[0], run=bench.job.run, agents=agents, debaters=given_again(log, agents)
        )
        assert lines(unbroken.events) == lines(broken.events) == list(log.events)
        assert unbroken.result == broken.result
        entries = store.load(bench.job.run)
        assert lines(replayed(store, bench.job.run, given_again(log, agents)).events) == list(log.events)
        assert store.load(bench.job.run) == entries and store.row(bench.job.run).state == "complete"


def killed_at_every(bench: Bench, die: str, step: int, limit: int = 1_000) -> int:
    """Kill it at every `step`-th point of a kind, in a loop; how often it died."""
    for deaths in range(limit):
        at = step * (deaths + 1) if die == "event" else step
        code = bench.session(die, at)
        if code == 0:
            return deaths
        assert code == KILLED, code
    raise AssertionError("it never ended")


# ---- killed, and killed again


@pytest.mark.parametrize(
    ("die", "step", "least"),
    [
        pytest.param("event", 9, 4, id="at every ninth event", marks=pytest.mark.slow),
        pytest.param("arrived", 6, 3, id="when an answer has arrived and is not on the disk", marks=pytest.mark.slow),
        pytest.param("kept", 6, 3, id="when an answer is on the disk and not used", marks=pytest.mark.slow),
    ],
)
def test_a_run_of_two_killed_again_and_again_is_the_run_it_would_have_been(
    bench: Bench, die: str, step: int, least: int
) -> None:
    assert killed_at_every(bench, die, step) >= least
    check(bench)


@pytest.mark.parametrize(
    ("bench", "die", "step"),
    [
        pytest.param(PAIR, "event", 1, id="two, at every event"),
        pytest.param(FIVE, "event", 4, id="five, at every fourth event"),
        pytest.param(PAIR, "arrived", 1, id="two, at every other answer that arrives"),
        pytest.param(FIVE, "arrived", 3, id="five, at every fourth answer that arrives"),
        pytest.param(PAIR, "kept", 1, id="two, at every answer on the disk"),
        pytest.param(FIVE, "kept", 2, id="five, at every second answer on the disk"),
    ],
    indirect=["bench"],
)
def test_a_run_killed_at_every_point_is_the_run_it_would_have_been(bench: Bench, die: str, step: int) -> None:
    assert killed_at_every(bench, die, step) >= 10
    check(bench)


def test_an_unbroken_run_asks_for_nothing_twice(bench: Bench) -> None:
    assert bench.session("never", 0) == 0
    assert bench.in_flight <= len(PAIR), "those nobody waited for when the debate was over"
    check(bench)


def test_a_finished_run_is_resumed_without_asking(bench: Bench) -> None:
    assert bench.session("never", 0) == 0
    asked = len(bench.oracle.asked)
    assert bench.session("never", 0) == 0
    assert len(bench.oracle.asked) == asked


# ---- two who want one run


def test_of_two_processes_that_resume_one_run_one_is_turned_away(rival: Zygote, bench: Bench) -> None:
    assert bench.session("event", 30) == KILLED
    asked = len(bench.oracle.asked)
    bench.oracle.gate.clear()
    bench.zygote.begin(replace(bench.job, do="resume"))
    with closing(SqliteStore(Path(bench.job.store))) as store:
        with bench.oracle.turn:  # the first one has the run as soon as it asks
            assert bench.oracle.turn.wait_for(lambda: bench.oracle.busy > 0, timeout=20)
        entries = store.load(bench.job.run)
        assert rival.do(replace(bench.job, do="resume")) == 3
        assert "RunTaken" in rival.close()
        assert store.load(bench.job.run) == entries and len(bench.oracle.asked) == asked
        with pytest.raises(RunTaken):
            resumed(store, bench.job.run)
        bench.oracle.gate.set()
        assert bench.zygote.end() == 0
        log = log_of(store, bench.job.run)
        assert [e.seq for e in log.entries] == list(range(1, len(log.entries) + 1))
        assert log.entries[: len(entries)] == entries


class Unguarded(MemoryStore):
    """A store whose claim holds nobody off, as if a lock had failed."""

    @contextmanager
    def claim(self, run: str) -> Generator[None]:
        yield


def test_where_the_claim_fails_the_sequence_fences_a_second_writer_off() -> None:
    async def scenario() -> None:
        whole = MemoryStore()
        await run_starts.start(pack_of("bitcoin"), whole, agents=PAIR, seed=1, run="r1")
        store = Unguarded()
        store.create("r1", topic="t", pack="bitcoin")
        sha = json.loads(whole.load("r1")[0].body)["pack_sha"]
        store.put_text(sha, whole.text(sha))
        store.append("r1", whole.load("r1")[:20]).result()
        ended = await asyncio.gather(
            resumption.resume("r1", store), resumption.resume("r1", store), return_exceptions=True
        )
        assert sorted(type(e).__name__ for e in ended) == ["Finished", "StaleWriter"]
        assert store.load("r1") == whole.load("r1"), "nothing is written twice"

    asyncio.run(scenario())


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_two_journals_on_one_run_cannot_both_write(kind: str, tmp_path: Path) -> None:
    made = MemoryStore()
    debated(pack_of("bitcoin"), made, agents=PAIR)
    whole = chained([(e.kind, e.body) for e in made.load("r1") if e.kind == "event"])
    events = tuple(read_event(e.body) for e in whole)

    async def scenario() -> None:
        store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / "runs.db")
        store.create("r1", topic="t", pack="bitcoin")
        store.append("r1", whole[:10]).result()
        first, second = (Journal(store, "r1", read_log(store.load("r1"))) for _ in range(2))
        for journal in (first, second):
            journal.write(events[:10])
            assert not journal.is_replaying
        first.write(events[10:14])
        await first.settle()
        second.write(events[10:15])
        with pytest.raises(StaleWriter):
            await second.settle()
        assert store.load("r1") == whole[:14]
        store.close()

    asyncio.run(scenario())
