"""A cap is a contract (PLUS-5): never passed, not by a cent, whatever is under way; and what fits is granted."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.app import stored_runs
from cruxfinder.errors import BudgetSpent
from cruxfinder.kernel.budget import Caps, RunBudget
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Ending
from cruxfinder.ports import NOTHING, Usage
from tests import clock
from tests.models.models import PRICED, RUN, Held, Provider, check, held, table_of

FIGURES: Final = ("calls", "tokens", "nanodollars")
NANO_IN, NANO_OUT = 250, 2000  # gpt-5-mini: $0.25 and $2 a million tokens


# ---- the budget alone, under any interleaving


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request: when it wants to start, the most it can take, what it takes, and how long that lasts."""

    starts: int
    worst: Usage
    taken: Usage
    lasts: int
    noting: int  # how long its note takes
    cancelled: int  # after so many turns of the loop; -1: never


@dataclass
class Ledger:
    """An account of its own, kept beside the budget."""

    caps: Caps
    spent: Usage = NOTHING
    under_way: list[Usage] = field(default_factory=list[Usage])
    refused: int = 0

    def check(self) -> None:
        most = sum(self.under_way, self.spent)
        for name in FIGURES:
            cap = getattr(self.caps, name)
            assert not cap or getattr(most, name) <= cap, f"{name}: {most} passes {self.caps}"

    def fits(self, worst: Usage) -> bool:
        most = self.spent + worst
        return all(not getattr(self.caps, n) or getattr(most, n) <= getattr(self.caps, n) for n in FIGURES)


@st.composite
def requests(draw: st.DrawFn) -> Request:
    worst = Usage(
        calls=1,
        tokens_in=draw(st.integers(0, 40)),
        tokens_out=draw(st.integers(0, 20)),
        nanodollars=draw(st.integers(0, 50)),
    )
    taken = Usage(
        calls=draw(st.integers(0, 1)),
        tokens_in=draw(st.integers(0, worst.tokens_in)),
        tokens_out=draw(st.integers(0, worst.tokens_out)),
        nanodollars=draw(st.integers(0, worst.nanodollars)),
    )
    turns = st.integers(0, 6)
    cancelled = draw(st.one_of(st.just(-1), st.integers(0, 12)))
    return Request(
        starts=draw(turns), worst=worst, taken=taken, lasts=draw(turns), noting=draw(turns), cancelled=cancelled
    )


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def paid(budget: RunBudget, ledger: Ledger, request: Request, key: str) -> None:
    await turns(request.starts)
    try:
        await budget.hold(key, request.worst)
    except BudgetSpent:
        assert not ledger.under_way, "while others are under way nobody is turned away"
        assert not ledger.fits(request.worst), "what fits is granted"
        ledger.refused += 1
        return
    ledger.under_way.append(request.worst)
    ledger.check()
    spent = request.worst
    try:
        await turns(request.lasts)
        spent = request.taken
    finally:
        ledger.under_way.remove(request.worst)
        ledger.spent += spent
        budget.settle(request.worst, spent)
        ledger.check()


async def all_paid(caps: Caps, wanted: list[Request]) -> None:
    noting = {str(n): request.noting for n, request in enumerate(wanted)}

    async def noted(key: str, worst: Usage) -> None:
        await turns(noting[key])

    ledger, budget = Ledger(caps), RunBudget(caps, noted=noted)
    tasks = [asyncio.ensure_future(paid(budget, ledger, r, str(n))) for n, r in enumerate(wanted)]

    async def cancel(task: "asyncio.Future[None]", after: int) -> None:
        await turns(after)
        task.cancel()

    cancels = [cancel(t, r.cancelled) for t, r in zip(tasks, wanted, strict=True) if r.cancelled >= 0]
    async with asyncio.timeout(5):  # nobody waits for ever
        found = await asyncio.gather(*tasks, *cancels, return_exceptions=True)
    assert all(e is None or isinstance(e, asyncio.CancelledError) for e in found), found
    assert budget.held_usage == NOTHING
    assert budget.usage == ledger.spent
    if all(ledger_fits(caps, wanted)):
        assert ledger.refused == 0


def ledger_fits(caps: Caps, wanted: list[Request]) -> list[bool]:
    most = sum((r.worst for r in wanted), NOTHING)
    return [not getattr(caps, name) or getattr(most, name) <= getattr(caps, name) for name in FIGURES]


@pytest.mark.rule("PLUS-5")
@given(
    caps=st.builds(Caps, calls=st.integers(0, 8), tokens=st.integers(0, 200), nanodollars=st.integers(0, 200)),
    wanted=st.lists(requests(), min_size=1, max_size=14),
)
@tried(max_examples=60, deadline=None)
def test_no_interleaving_passes_a_cap_and_nobody_waits_for_ever(caps: Caps, wanted: list[Request]) -> None:
    clock.run(all_paid(caps, wanted))


@pytest.mark.rule("PLUS-5")
def test_a_request_waits_for_what_others_may_leave() -> None:
    async def scenario() -> None:
        budget = RunBudget(Caps(tokens=100))
        big = Usage(calls=1, tokens_in=80)
        await budget.hold("a", big)
        second = asyncio.ensure_future(budget.hold("b", big))
        await turns(5)
        assert not second.done()
        budget.settle(big, Usage(calls=1, tokens_in=10))
        await asyncio.wait_for(second, 1)
        budget.settle(big, big)
        with pytest.raises(BudgetSpent, match="the budget of 100 tokens is spent"):
            await budget.hold("c", big)

    clock.run(scenario())


@pytest.mark.rule("PLUS-5")
def test_a_hold_that_cannot_be_noted_holds_nothing() -> None:
    async def broken(key: str, worst: Usage) -> None:
        raise OSError("the disk is full")

    async def scenario() -> None:
        budget = RunBudget(Caps(calls=1), noted=broken)
        with pytest.raises(OSError, match="full"):
            await budget.hold("a", Usage(calls=1))
        assert (budget.held_usage, budget.usage) == (NOTHING, NOTHING)

    clock.run(scenario())


# ---- whole debates, by the provider's own count

Counting = Callable[[str, str], tuple[int, int]]


def costly(prompt: str, reply: str) -> tuple[int, int]:
    """A tokeniser as bad as can be, and replies nearly as long as they may be."""
    return len(prompt.encode()) + 60, 300


def frugal(prompt: str, reply: str) -> tuple[int, int]:
    return len(prompt) // 4, len(reply) // 4


PACE: Final = RequestLimits(deadline_s=1.0)


def capped(settings: Settings, provider: Provider, agents: int = 5) -> Held:
    found = held(provider, table_of(agents), settings=settings, pace=PACE, **PRICED)
    clock.run(check(found))
    return found


def nanodollars(provider: Provider) -> int:
    return provider.tokens_in * NANO_IN + provider.tokens_out * NANO_OUT


def budget_ended(found: Held) -> None:
    assert (found.finished.result.ending, found.finished.result.confidence) == (Ending.BUDGET, "LOW")
    usage = found.usage
    assert usage.calls >= found.provider.count
    assert usage.tokens >= found.provider.tokens_in + found.provider.tokens_out
    assert usage.nanodollars >= nanodollars(found.provider)


@pytest.mark.rule("PLUS-5")
@pytest.mark.rule("END-1")
@pytest.mark.parametrize("calls", [1, 2, 7, 23])
def test_so_many_calls_and_no_more(calls: int) -> None:
    found = capped(Settings(max_calls=calls), Provider(latency_s=0.005))
    budget_ended(found)
    assert found.provider.count == calls, "all that may be asked is asked"


@pytest.mark.rule("PLUS-5")
@pytest.mark.parametrize("usage_of", [frugal, costly])
@pytest.mark.parametrize("tokens", [500, 4_000, 15_000])
def test_so_many_tokens_and_no_more(tokens: int, usage_of: Counting) -> None:
    provider = Provider(latency_s=0.005, usage_of=usage_of)
    found = capped(Settings(max_tokens=tokens), provider)
    budget_ended(found)
    assert found.provider.tokens_in + found.provider.tokens_out <= tokens
    assert found.usage.tokens <= tokens
    if tokens > 4_000:
        assert found.provider.tokens_in + found.provider.tokens_out >= tokens - 2 * 3_000, "nor much less"


@pytest.mark.rule("PLUS-5")
@pytest.mark.parametrize("usage_of", [frugal, costly])
@pytest.mark.parametrize("cap", [500_000, 2_500_000, 8_000_000])
def test_so_much_money_and_no_more(cap: int, usage_of: Counting) -> None:
    provider = Provider(latency_s=0.005, usage_of=usage_of)
    found = capped(Settings(max_nanodollars=cap), provider)
    budget_ended(found)
    assert nanodollars(found.provider) <= cap
    assert found.usage.nanodollars <= cap


@pytest.mark.rule("PLUS-5")
@pytest.mark.parametrize("fault", ["cut", "hang", "html", "server error", "malformed", "rate limit"])
def test_faults_pass_no_cap(fault: str) -> None:
    """What was broken off counts at its worst: the provider may have billed it."""
    provider = Provider(latency_s=0.005, faults=lambda n: fault if n % 4 == 0 else "")
    found = held(
        provider,
        table_of(3),
        settings=Settings(max_nanodollars=4_000_000),
        pace=RequestLimits(deadline_s=0.3),
        **PRICED,
    )
    clock.run(check(found))
    broken = [c for c in provider.calls if c.fault in {"cut", "hang", "html"}]
    most = sum((len(c.system.encode()) + len(c.user.encode())) * NANO_IN for c in broken)
    assert nanodollars(provider) + most <= 4_000_000
    assert found.usage.nanodollars <= 4_000_000
    assert found.usage.calls >= provider.count


@pytest.mark.rule("PLUS-5")
def test_a_provider_that_does_not_say_what_it_took_is_counted_at_its_worst() -> None:
    provider = Provider(usage_of=lambda prompt, reply: (0, 0))
    found = capped(Settings(max_tokens=20_000), provider, agents=2)
    budget_ended(found)
    assert sum(len(c.system) + len(c.user) for c in provider.calls) <= 20_000


@pytest.mark.rule("PLUS-5")
def test_a_cap_that_is_not_reached_changes_nothing() -> None:
    free = held(Provider(), table_of(2), settings=Settings(), **PRICED)
    wide = held(Provider(), table_of(2), settings=Settings(max_calls=10_000, max_tokens=10**9), **PRICED)
    assert wide.finished.events[1:] == free.finished.events[1:]
    assert wide.provider.count == free.provider.count
    noted = [sum(entry.kind == "hold" for entry in run.log.entries) for run in (wide, free)]
    assert noted[0] >= wide.provider.count and noted[1] == 0, "holds are written down where there is a cap"


@pytest.mark.rule("END-3")
def test_a_result_says_what_its_log_says_was_spent() -> None:
    """Calls under way when the debate ends are broken off, and count."""
    found = capped(Settings(max_calls=500, max_messages=20), Provider(latency_s=0.03))
    assert found.finished.result == stored_runs.load_run(RUN, found.store).result
