"""A process that is stopped for longer than its deadlines: what arrived meanwhile is used, not asked and paid again."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest

from bench.fake.brain import reply
from bench.fake.server import served
from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.connection import ModelConnection
from cruxfinder.adapters.models.retries import ModelThinker
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import resumption
from cruxfinder.debaters.people.person import User
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import read_log
from cruxfinder.kernel.run_facts import AskFailed
from cruxfinder.kernel.timeouts import GRACE_S, GRACES_MAX, Deadline
from cruxfinder.kernel.vocabulary import USER
from cruxfinder.ports import Prompt, Usage
from cruxfinder.talk.asks import AskUser, UserSaid
from cruxfinder.talk.turns import TurnId
from tests.attack.crux_command import ROOT
from tests.models.killed_child import Job
from tests.models.models import RUN, Provider
from tests.models.test_limits import Free

PROMPT = Prompt(system="You are brief.", user="Say something.", tokens_out=50)
PATIENCE_S = 60.0


def stop_for(seconds: float, arrived: Callable[[], bool]) -> None:
    """Nothing of this process's loop runs, until so much time has passed and what is waited for has arrived."""
    until = time.monotonic() + PATIENCE_S
    while not arrived() and time.monotonic() < until:
        time.sleep(0.01)
    assert arrived()
    time.sleep(seconds)


def test_an_answer_that_came_while_nobody_ran_is_read() -> None:
    """A model is asked once, though its deadline passed before anybody looked."""
    with served(Provider(brain=lambda system, user: '{"said": "yes"}', latency_s=0.05)) as provider:

        async def think() -> str:
            loop = asyncio.get_running_loop()
            connection = ModelConnection(model_names.read("fake", provider.url))
            await ModelThinker(connection).think(PROMPT, str, budget=Free())  # what takes long to load is loaded
            provider.count = provider.answered = 0

            def stop_when_asked() -> None:
                if provider.count:
                    stop_for(1.8, lambda: provider.answered == 1)
                else:
                    loop.call_later(0.002, stop_when_asked)

            stop_when_asked()
            try:
                return (await ModelThinker(connection, deadline_s=1.0).think(PROMPT, str, budget=Free())).value
            finally:
                await connection.close()

        assert asyncio.run(think()) == '{"said": "yes"}'
        assert provider.count == 1


def test_what_a_person_said_while_nobody_ran_is_heard(tmp_path: Path) -> None:
    said: list[str] = []

    async def inbox(ask: AskUser) -> str:
        while not said:
            await asyncio.sleep(0.02)
        return said[0]

    async def ask() -> object:
        def stop() -> None:
            said.append("Yes, in May.")
            stop_for(1.0, lambda: True)

        asyncio.get_running_loop().call_later(0.05, stop)
        question = AskUser(agent=USER, turn=TurnId("t1"), question="When?")
        record: Any = None  # a person at the side is shown nothing of it
        return await User(inbox, 0.2).answer(question, record)

    assert asyncio.run(ask()) == UserSaid(text="Yes, in May.")


def test_what_lies_in_the_socket_when_a_deadline_strikes_on_time_is_read() -> None:
    async def read() -> bytes:
        ours, theirs = socket.socketpair()
        with closing(ours), closing(theirs):
            reader, writer = await asyncio.open_connection(sock=ours)
            loop = asyncio.get_running_loop()

            def stop() -> None:  # until a moment after the deadline
                time.sleep(0.12)
                theirs.sendall(b"x" * 5000 + b"\n")

            loop.call_later(0.05, stop)
            try:
                async with Deadline(0.1):
                    return await reader.readline()
            finally:
                writer.close()

    assert asyncio.run(read()).endswith(b"x\n")


def test_a_deadline_strikes_where_nothing_came() -> None:
    async def wait() -> float:
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            async with Deadline(0.1):
                await asyncio.Event().wait()
        return time.monotonic() - began

    assert 0.09 < asyncio.run(wait()) < PATIENCE_S


def test_whoever_is_stopped_again_and_again_waits_for_nothing_a_bounded_number_of_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each time the deadline is due the process was stopped: it strikes all the same in the end."""
    now = [0.0]

    async def wait() -> None:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "time", lambda: now[0])

        async def stop_again_and_again() -> None:
            for _ in range(1000):
                now[0] += 2 * GRACE_S
                for _ in range(200):
                    await asyncio.sleep(0)

        stopping = asyncio.create_task(stop_again_and_again())
        with pytest.raises(TimeoutError):
            async with Deadline(1.0):
                await asyncio.Event().wait()
        stopping.cancel()

    asyncio.run(wait())
    assert now[0] <= (GRACES_MAX + 2) * 2 * GRACE_S


# ---- a whole debate, in a process that is really stopped


def same_again(system: str, user: str) -> str:
    number = crc32(f"{system}\n{user}".encode()) % 10_000
    return json.dumps(reply(system, user, number, Random(number), 245))


@pytest.mark.slow
@pytest.mark.parametrize("at", [1, 4, 9])
def test_a_debate_that_is_stopped_while_its_models_answer_asks_nothing_twice(tmp_path: Path, at: int) -> None:
    deadline_s = 4.0
    with served(Provider(brain=same_again, latency_s=0.3)) as provider:
        job = Job(do="start", store=str(tmp_path / "runs.db"), url=provider.url, deadline_s=deadline_s)
        with subprocess.Popen(
            [sys.executable, "-m", "tests.models.killed_child"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as zygote:
            assert zygote.stdin is not None and zygote.stdout is not None
            zygote.stdin.write(json.dumps(job.__dict__) + "\n")
            zygote.stdin.flush()
            child = int(zygote.stdout.readline())
            wait_for(lambda: provider.count >= at and provider.open > 0)
            os.kill(child, signal.SIGSTOP)
            try:
                wait_for(lambda: provider.open == 0)
                asked = provider.count
                time.sleep(deadline_s + 1.5)
                assert provider.count == asked == provider.answered
            finally:
                os.kill(child, signal.SIGCONT)
            assert int(zygote.stdout.readline()) == 0
            zygote.stdin.close()
        with closing(SqliteStore(Path(job.store))) as store:
            log = read_log(store.load(RUN))
            again = asyncio.run(resumption.replay(RUN, store))
        assert [wire.dumps(event) for event in again.events] == list(log.events)
        assert not any(isinstance(event, AskFailed) for event in again.events)
        assert provider.count == len(log.answers), "one request an ask: nothing is paid for twice"
        assert log.usage == sum((kept.usage for kept in log.answers.values()), Usage())


def wait_for(fact: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not fact():
        assert time.monotonic() < until, "it never came to that"
        time.sleep(0.005)
