"""Killed with calls in flight and resumed: only those are paid again, by the provider's own count."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from zlib import crc32

import pytest

from bench.fake.brain import reply
from bench.fake.server import served
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import resumption
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import Log, read_log
from cruxfinder.kernel.vocabulary import Ending
from tests.models.killed_child import Job
from tests.models.models import RUN, Provider

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
KILLED = -signal.SIGKILL
LATENCY_S = 0.04
PATIENCE_S = 30


def same_again(system: str, user: str) -> str:
    """The same reply to the same prompt, whoever asked before."""
    number = crc32(f"{system}\n{user}".encode()) % 10_000
    return json.dumps(reply(system, user, number, Random(number), 245))


# ---- a provider that outlives the run, and a process that forks those who die


class Zygote:
    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.models.killed_child"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def line(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())

    def begin(self, job: Job) -> int:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asdict(job)) + "\n")
        self._process.stdin.flush()
        return self.line()

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()


@pytest.fixture(scope="module")
def zygote() -> Generator[Zygote]:
    found = Zygote()
    yield found
    found.close()


@pytest.fixture
def provider() -> Generator[Provider]:
    with served(Provider(brain=same_again, latency_s=LATENCY_S)) as found:
        yield found


def log_at(job: Job) -> Log:
    with closing(SqliteStore(Path(job.store))) as store:
        return read_log(store.load(RUN))


def killed(zygote: Zygote, provider: Provider, job: Job, at: int) -> int:
    """Begin the job, kill it when the provider has got so many requests in all; how many were in flight."""
    child = zygote.begin(job)
    until = time.monotonic() + PATIENCE_S
    while provider.count < at and time.monotonic() < until:
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    assert zygote.line() == KILLED
    while provider.open and time.monotonic() < until:
        time.sleep(0.005)
    return provider.count


def resumed(zygote: Zygote, job: Job) -> None:
    zygote.begin(replace(job, do="resume"))
    assert zygote.line() == 0


def whole(job: Job) -> Ending:
    """The run is over, its log verifies, and it replays byte for byte with nobody to ask."""
    with closing(SqliteStore(Path(job.store))) as store:
        log = read_log(store.load(RUN))
        again = asyncio.run(resumption.replay(RUN, store))
        assert [wire.dumps(event) for event in again.events] == list(log.events)
        return again.result.ending


@pytest.fixture
def job(tmp_path: Path, provider: Provider) -> Job:
    return Job(do="start", store=str(tmp_path / "runs.db"), url=provider.url)


@pytest.fixture(scope="module")
def calm(zygote: Zygote, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many calls the debate takes when nobody kills it."""
    with served(Provider(brain=same_again)) as provider:
        job = Job(do="start", store=str(tmp_path_factory.mktemp("calm") / "runs.db"), url=provider.url)
        zygote.begin(job)
        assert zygote.line() == 0
        assert provider.count == len(log_at(job).answers)
        return provider.count


def killed_and_resumed(zygote: Zygote, provider: Provider, job: Job, at: tuple[int, ...]) -> int:
    """How many calls were in flight at the kills."""
    lost = 0
    for place in at:
        asked = killed(zygote, provider, job, place + lost)
        in_flight = asked - lost - len(log_at(job).answers)
        assert 1 <= in_flight <= job.agents, "there were calls in flight, and no more than one an agent"
        lost += in_flight
        job = replace(job, do="resume")
    resumed(zygote, job)
    assert whole(job) is Ending.MESSAGES
    return lost


def test_only_calls_in_flight_are_paid_again(zygote: Zygote, provider: Provider, job: Job, calm: int) -> None:
    lost = killed_and_resumed(zygote, provider, job, (2, 6, 11))
    assert provider.count == calm + lost


@pytest.mark.parametrize("first", range(1, 16))
def test_only_calls_in_flight_are_paid_again_wherever_it_is_killed(
    first: int, zygote: Zygote, provider: Provider, job: Job, calm: int
) -> None:
    lost = killed_and_resumed(zygote, provider, job, tuple(range(first, 16, 4)))
    assert provider.count == calm + lost


@pytest.mark.rule("PLUS-5")
def test_what_was_held_before_the_crash_counts_after_it(zygote: Zygote, provider: Provider, job: Job) -> None:
    job = replace(job, max_calls=100)
    asked = killed(zygote, provider, job, 5)
    log = log_at(job)
    assert asked > len(log.answers), "something was in flight"
    assert asked <= log.usage.calls <= asked + job.agents, "each request that was sent is in the log before it is"
    assert log.usage.calls == len(log.answers) + len(log.held)
    resumed(zygote, job)
    assert whole(job) is Ending.MESSAGES
    assert log_at(job).usage.calls >= provider.count, "and stays there when the ask is answered after all"


@pytest.mark.rule("PLUS-5")
@pytest.mark.parametrize(
    ("cap", "at"), [(13, (2, 5, 8)), *(pytest.param(c, (c // 2,), marks=pytest.mark.slow) for c in range(4, 16, 2))]
)
def test_kills_pass_no_cap(cap: int, at: tuple[int, ...], zygote: Zygote, provider: Provider, job: Job) -> None:
    job = replace(job, max_calls=cap)
    for place in at:
        killed(zygote, provider, job, place)
        job = replace(job, do="resume")
    resumed(zygote, job)
    assert whole(job) is Ending.BUDGET
    assert provider.count <= cap
