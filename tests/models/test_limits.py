"""How hard a provider is pressed, by its own clock: Retry-After, requests at once, requests a minute."""

import asyncio
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

import pytest

from bench.fake.server import running
from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.connection import ModelConnection
from cruxfinder.adapters.models.model_pool import ModelPool, RequestLimits
from cruxfinder.adapters.models.rate_limits import Paused, RateLimiter
from cruxfinder.adapters.models.retries import ModelThinker
from cruxfinder.errors import DebaterFault
from cruxfinder.kernel.pack import Models
from cruxfinder.kernel.settings import Settings
from cruxfinder.ports import NOTHING, Prompt, Usage
from tests import clock
from tests.models.models import Provider, failing_at, held, table_of

pytestmark = pytest.mark.slow

PROMPT: Final = Prompt(system="s", user="u", tokens_out=5)


@dataclass
class Free:
    """A budget without a cap that sees to it that what is held is given back."""

    held: Usage = NOTHING
    spent: Usage = NOTHING

    async def hold(self, key: str, worst: Usage) -> None:
        self.held += worst

    def settle(self, worst: Usage, taken: Usage) -> None:
        self.held -= worst
        self.spent += taken


def said(text: str) -> str:
    return text


async def asked(thinker: ModelThinker, times: int, budget: Free) -> list[str | BaseException]:
    calls = (thinker.think(PROMPT, said, budget=budget) for _ in range(times))
    found = await asyncio.gather(*calls, return_exceptions=True)
    return [thought if isinstance(thought, BaseException) else thought.value for thought in found]


def pressed(
    provider: Provider, times: int, *, limits: RateLimiter | None = None, deadline_s: float = 5.0
) -> tuple[float, Free]:
    """So many asks at once of one thinker: how long they took, and what they spent."""
    budget = Free()

    async def scenario() -> float:
        async with running(provider):
            connection = ModelConnection(model_names.read("fake", provider.url), limits)
            begun = asyncio.get_running_loop().time()
            found = await asked(ModelThinker(connection, deadline_s=deadline_s), times, budget)
            took = asyncio.get_running_loop().time() - begun
            await connection.close()
            assert all(isinstance(text, str | DebaterFault) for text in found), found
            failures.extend(text for text in found if isinstance(text, DebaterFault))
            return took

    failures.clear()
    took = clock.run(scenario())
    assert budget.held == NOTHING
    return took, budget


failures: Final[list[DebaterFault]] = []


# ---- Retry-After


def test_retry_after_is_waited_for_by_everybody_who_asks_this_provider() -> None:
    provider = Provider(retry_after="1", latency_s=0.05, faults=failing_at(1, fault="rate limit"))
    pressed(provider, 6, limits=RateLimiter(at_once=2))
    assert not failures
    first, refused = provider.times[0], provider.times[0] + provider.latency_s
    early = [t for t in provider.times if t <= refused + 0.02]
    later = [t for t in provider.times if t > refused + 0.02]
    assert len(early) <= 3, "those who were under way already"
    assert later and all(t >= first + 1.0 for t in later)
    assert later[0] <= first + 1.6, "and no longer"


def test_different_models_of_one_provider_wait_for_each_other() -> None:
    async def scenario() -> list[float]:
        provider = Provider(retry_after="1", faults=failing_at(1, fault="rate limit"))
        async with running(provider):
            pool = ModelPool(Models(dialogue="one", base_url=provider.url), RequestLimits(deadline_s=5))
            first = asyncio.ensure_future(pool.thinker().think(PROMPT, said, budget=Free()))
            await asyncio.sleep(0.2)
            await pool.thinker("two").think(PROMPT, said, budget=Free())
            await first
            await pool.close()
            assert set(provider.by_model) == {"one", "two"}
            return provider.times

    times = clock.run(scenario())
    assert all(t - times[0] >= 0.99 for t in times[1:])


@pytest.mark.parametrize("seconds", ["3", "60", "119", "3600"])
def test_a_pause_longer_than_the_deadline_fails_at_once(seconds: str) -> None:
    provider = Provider(retry_after=seconds, faults=lambda n: "rate limit")
    took, budget = pressed(provider, 1, deadline_s=1.0)
    assert took < 0.2
    assert len(failures) == 1 and "is busy (429), and asks to wait" in str(failures[0])
    assert budget.spent == Usage(calls=1)


def test_whoever_cannot_wait_as_long_as_the_provider_asks_is_told_at_once() -> None:
    """The pause holds for everybody: nobody sends a request that would be turned away, or sleeps for nothing."""
    provider = Provider(retry_after="60", latency_s=0.05, faults=lambda n: "rate limit")
    took, budget = pressed(provider, 5, limits=RateLimiter(at_once=1), deadline_s=1.0)
    assert took < 0.2
    assert len(failures) == 5
    assert provider.count == 1
    assert budget.spent == Usage(calls=1), "what was not sent costs nothing"


def test_a_whole_debate_under_a_pause_that_is_too_long_ends_at_once() -> None:
    provider = Provider(retry_after="60", faults=lambda n: "rate limit" if n > 6 else "")
    found = held(provider, settings=Settings(), pace=RequestLimits(deadline_s=0.5))
    assert found.finished.result.ending == "faults"
    assert found.took_s < 5


# ---- requests at once, requests a minute


@pytest.mark.parametrize("at_once", [1, 3])
def test_no_more_requests_at_once_than_asked_for(at_once: int) -> None:
    provider = Provider(latency_s=0.03)
    pressed(provider, 12, limits=RateLimiter(at_once=at_once))
    assert not failures
    assert (provider.most_open, provider.count) == (at_once, 12)


@pytest.mark.parametrize("at_once", [1, 2])
def test_a_whole_debate_keeps_to_it(at_once: int) -> None:
    found = held(Provider(latency_s=0.01), table_of(5), pace=RequestLimits(at_once=at_once))
    assert found.provider.most_open == at_once
    assert not found.count("ask_failed")


@pytest.mark.parametrize("per_minute", [1, 2, 7, 60, 250])
def test_no_minute_has_more_requests_than_asked_for(per_minute: int) -> None:
    async def scenario() -> list[float]:
        limits, times = RateLimiter(per_minute=per_minute), list[float]()

        async def one(number: int) -> None:
            await limits.acquire()
            times.append(asyncio.get_running_loop().time())
            await asyncio.sleep(0.1)
            limits.release()

        await asyncio.gather(*(one(n) for n in range(4 * per_minute + 3)))
        await asyncio.sleep(600)  # rest, and a burst again
        await asyncio.gather(*(one(n) for n in range(2 * per_minute)))
        return times

    times = clock.run(scenario())
    assert len(times) == 6 * per_minute + 3
    for first, since in enumerate(times):
        assert bisect_left(times, since + 59.9) - first <= per_minute
    assert times[4 * per_minute] - times[0] <= 5 * 60, "nor much fewer"


def test_requests_a_minute_as_the_provider_sees_them() -> None:
    provider = Provider()
    pressed(provider, 68, limits=RateLimiter(per_minute=600))
    assert not failures
    times = provider.times
    assert times[59] - times[0] < 1.0, "a tenth of a minute's requests at once"
    assert times[-1] - times[60] >= 0.5, "and the others one by one"


def test_waiting_for_our_own_limits_is_not_the_models_fault() -> None:
    """Ten requests one after the other take longer than one deadline, and none of them fails."""
    provider = Provider(latency_s=0.06)
    took, _ = pressed(provider, 10, limits=RateLimiter(at_once=1), deadline_s=0.3)
    assert not failures
    assert took > 0.5


def test_a_slot_is_given_back_whatever_happens() -> None:
    async def scenario() -> None:
        limits = RateLimiter(at_once=1)
        limits.pause(30)
        with pytest.raises(Paused, match="asks to wait"):
            await limits.acquire(1.0)
        waiting = asyncio.ensure_future(limits.acquire())
        await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        fresh = RateLimiter(at_once=1)
        await fresh.acquire()
        fresh.release()
        await asyncio.wait_for(fresh.acquire(), 1)
        with pytest.raises(Paused):
            await asyncio.wait_for(limits.acquire(1.0), 1)  # were the slot lost, this would wait

    clock.run(scenario())
