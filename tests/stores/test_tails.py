"""What every store promises to those who follow a run: each entry once, in order, and nothing read for nothing."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from cruxfinder.adapters.stores.log_tails import PENDING_MAX
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.errors import NoSuchRun
from cruxfinder.ports import Entry, Store
from tests.sqlite_calls import SqliteCalls

WAIT_S = 30.0
STORES: dict[str, Callable[[Path], Store]] = {
    "memory": lambda folder: MemoryStore(),
    "sqlite": lambda folder: SqliteStore(folder / "runs.db"),
}


def entry(seq: int) -> Entry:
    body = f'{{"n":{seq}}}'
    return Entry(seq=seq, kind="event", body=body, hash=hashlib.sha256(body.encode()).hexdigest())


def entries(first: int, last: int) -> tuple[Entry, ...]:
    return tuple(entry(seq) for seq in range(first, last + 1))


@pytest.fixture(params=STORES.values(), ids=list(STORES))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Store]:
    with closing(request.param(tmp_path)) as made:
        made.create("d1", topic="cars", pack="demo")
        yield made


async def group(groups: AsyncIterator[tuple[Entry, ...]]) -> tuple[Entry, ...]:
    async with asyncio.timeout(WAIT_S):
        return await anext(groups)


async def collect(groups: AsyncIterator[tuple[Entry, ...]], count: int) -> tuple[Entry, ...]:
    found: tuple[Entry, ...] = ()
    while len(found) < count:
        found += await group(groups)
    return found


@pytest.mark.parametrize("after", [0, 2, 3])
def test_a_tail_begins_with_what_is_there_and_goes_on_with_what_comes(store: Store, after: int) -> None:
    async def scenario() -> tuple[Entry, ...]:
        store.append("d1", entries(1, 3)).result()
        with store.tail("d1", after) as groups:
            found = await collect(groups, 3 - after)
            store.append("d1", entries(4, 5)).result()
            return found + await collect(groups, 2)

    assert asyncio.run(scenario()) == entries(after + 1, 5)


def test_a_group_is_handed_over_whole_and_to_each_reader(store: Store) -> None:
    async def scenario() -> None:
        with store.claim("d1"), store.tail("d1") as one, store.tail("d1") as two:
            first = [asyncio.create_task(collect(groups, 1)) for groups in (one, two)]
            await asyncio.sleep(0)
            store.append("d1", [entry(1)]).result()
            assert await asyncio.gather(*first) == [(entry(1),)] * 2
            store.append("d1", entries(2, 4)).result()
            assert await group(one) == await group(two) == entries(2, 4)

    asyncio.run(scenario())


def test_an_unknown_run_is_named_and_can_be_followed_once_it_is_there(store: Store) -> None:
    async def scenario() -> None:
        with store.tail("d2") as groups:
            with pytest.raises(NoSuchRun, match="d2"):
                await group(groups)
            store.create("d2", topic="", pack="")
            store.append("d2", [entry(1)]).result()
            assert await group(groups) == (entry(1),)

    asyncio.run(scenario())


def test_waiting_may_be_given_up_at_any_point_and_nothing_is_lost(store: Store) -> None:
    async def scenario() -> tuple[Entry, ...]:
        found: tuple[Entry, ...] = ()
        with store.tail("d1") as groups, store.claim("d1"):
            for seq in range(1, 61):
                done = store.append("d1", [entry(seq)])
                waiting = asyncio.ensure_future(groups.__anext__())
                for _ in range(seq % 7):
                    await asyncio.sleep(0)
                waiting.cancel()
                await asyncio.wait([waiting])
                if not waiting.cancelled():
                    found += waiting.result()
                await asyncio.wrap_future(done)
            return found + await collect(groups, 60 - len(found))

    assert asyncio.run(scenario()) == entries(1, 60)


def test_a_reader_that_falls_far_behind_misses_nothing(store: Store) -> None:
    async def scenario() -> tuple[Entry, ...]:
        with store.tail("d1") as groups, store.claim("d1"):
            store.append("d1", [entry(1)]).result()
            found = await collect(groups, 1)
            for seq in range(2, 2 * PENDING_MAX, 97):
                store.append("d1", entries(seq, seq + 96)).result()
            return found + await collect(groups, store.row("d1").entries - 1)

    found = asyncio.run(scenario())
    assert len(found) > PENDING_MAX
    assert [e.seq for e in found] == list(range(1, len(found) + 1))


def test_many_readers_in_many_loops_hear_every_entry_once_while_it_is_written(store: Store) -> None:
    async def read() -> tuple[Entry, ...]:
        with store.tail("d1") as groups:
            return await collect(groups, 300)

    with ThreadPoolExecutor(6) as pool:
        reading = [pool.submit(lambda: asyncio.run(read())) for _ in range(6)]
        for seq in range(1, 300, 3):
            store.append("d1", entries(seq, seq + 2))
        for found in reading:
            assert found.result(WAIT_S) == entries(1, 300)


def test_a_reader_that_left_is_told_nothing(store: Store) -> None:
    async def scenario() -> None:
        with store.tail("d1") as groups:
            store.append("d1", [entry(1)]).result()
            assert await group(groups) == (entry(1),)
        store.append("d1", [entry(2)]).result()
        reading = asyncio.ensure_future(groups.__anext__())
        await asyncio.sleep(0)
        reading.cancel()

    asyncio.run(scenario())
    store.append("d1", [entry(3)]).result()  # its loop is over, too
    assert store.load("d1") == entries(1, 3)


# ---- one file, several stores


def test_what_another_store_appends_to_the_file_is_found(tmp_path: Path) -> None:
    async def scenario() -> None:
        path = tmp_path / "runs.db"
        with closing(SqliteStore(path)) as here, closing(SqliteStore(path)) as there:
            there.create("d1", topic="", pack="")
            with here.tail("d1") as groups:
                there.append("d1", entries(1, 2)).result()
                assert await collect(groups, 2) == entries(1, 2)
                there.append("d1", [entry(3)]).result()
                assert await group(groups) == (entry(3),)
                here.append("d1", [entry(4)]).result()
                assert await group(groups) == (entry(4),)

    asyncio.run(scenario())


def test_a_reader_hears_both_writers_when_a_run_changes_hands(tmp_path: Path) -> None:
    async def scenario() -> None:
        path = tmp_path / "runs.db"
        with closing(SqliteStore(path)) as here, closing(SqliteStore(path)) as there:
            here.create("d1", topic="", pack="")
            with here.tail("d1") as groups:
                for first in range(1, 40, 4):
                    with there.claim("d1"):
                        there.append("d1", entries(first, first + 1)).result()
                    with here.claim("d1"):
                        here.append("d1", entries(first + 2, first + 3)).result()
                        assert await collect(groups, 4) == entries(first, first + 3)

    asyncio.run(scenario())


def test_a_claimed_run_is_not_read_while_nothing_is_appended(tmp_path: Path, sqlite_calls: SqliteCalls) -> None:
    async def scenario() -> None:
        with closing(SqliteStore(tmp_path / "runs.db")) as store:
            store.create("d1", topic="", pack="")
            with store.claim("d1"), store.tail("d1") as one, store.tail("d1") as two:
                store.append("d1", [entry(1)]).result()
                assert await group(one) == await group(two) == (entry(1),)
                before = sqlite_calls.count
                waiting = [asyncio.ensure_future(groups.__anext__()) for groups in (one, two)]
                await asyncio.wait(waiting, timeout=1.0)  # several looks, were there any
                assert sqlite_calls.count == before
                store.append("d1", entries(2, 3)).result()
                written = sqlite_calls.count
                assert await asyncio.gather(*waiting) == [entries(2, 3)] * 2
                assert sqlite_calls.count == written, "what is committed is handed over, not read again"

    asyncio.run(scenario())


# ---- signals


def test_a_stop_through_the_store_counts_at_once_and_wakes_who_waits(store: Store) -> None:
    async def scenario() -> None:
        async with store.watch_stop("d1") as stop:
            assert not stop.is_requested
            waiting = asyncio.ensure_future(stop.wait())
            await asyncio.sleep(0)
            store.request_stop("d1")
            assert stop.is_requested, "nobody has to look"
            await asyncio.wait_for(waiting, WAIT_S)
        async with store.watch_stop("d1") as again:
            assert again.is_requested
            await asyncio.wait_for(again.wait(), WAIT_S)

    asyncio.run(scenario())


def test_a_stop_of_another_run_is_none_of_this_one(store: Store) -> None:
    async def scenario() -> None:
        store.create("d2", topic="", pack="")
        async with store.watch_stop("d1") as one, store.watch_stop("d2") as two:
            store.request_stop("d2")
            await asyncio.wait_for(two.wait(), WAIT_S)
            assert not one.is_requested

    asyncio.run(scenario())


def test_a_reply_reaches_who_waits_for_it_and_nobody_else(store: Store) -> None:
    async def scenario() -> None:
        first = asyncio.ensure_future(store.wait_for_reply("d1", "n1"))
        other = asyncio.ensure_future(store.wait_for_reply("d1", "n2"))
        await asyncio.sleep(0)
        store.put_reply("d1", "n1", "six feet")
        assert await asyncio.wait_for(first, WAIT_S) == "six feet"
        assert not other.done()
        store.put_reply("d1", "n2", "seven")
        assert await asyncio.wait_for(other, WAIT_S) == "seven"
        assert await asyncio.wait_for(store.wait_for_reply("d1", "n1"), WAIT_S) == "six feet"

    asyncio.run(scenario())


def test_who_watches_the_signals_of_an_unknown_run_is_told(store: Store) -> None:
    async def stop() -> None:
        async with store.watch_stop("nobody"):
            pass

    for watching in (stop(), store.wait_for_reply("nobody", "n1")):
        with pytest.raises(NoSuchRun, match="nobody"):
            asyncio.run(asyncio.wait_for(watching, WAIT_S))


def test_what_another_store_says_to_a_run_is_found(tmp_path: Path) -> None:
    async def scenario() -> None:
        path = tmp_path / "runs.db"
        with closing(SqliteStore(path)) as here, closing(SqliteStore(path)) as there:
            there.create("d1", topic="", pack="")
            replied = asyncio.ensure_future(here.wait_for_reply("d1", "n1"))
            async with here.watch_stop("d1") as stop:
                there.put_reply("d1", "n1", "six feet")
                assert await asyncio.wait_for(replied, WAIT_S) == "six feet"
                assert not stop.is_requested
                there.request_stop("d1")
                await asyncio.wait_for(stop.wait(), WAIT_S)
                assert stop.is_requested

    asyncio.run(scenario())
