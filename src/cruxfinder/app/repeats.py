"""Runs a debate again with other seeds, a few at once, and hands the results to the count of what recurs."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

from cruxfinder.crux.result import Result
from cruxfinder.crux.stability import RUNS_MAX, RUNS_MIN, Stability, run_of, stability_of
from cruxfinder.errors import BadInput
from cruxfinder.kernel.likeness import Likeness

AT_ONCE: Final = 4


class EndedRun(Protocol):
    """A run that is over."""

    @property
    def result(self) -> Result: ...


def seeds_from(first: int, runs: int) -> tuple[int, ...]:
    """As many seeds as runs, from the first on."""
    if not is_whole(runs) or not RUNS_MIN <= runs <= RUNS_MAX:
        raise BadInput(f"a debate is repeated in {RUNS_MIN} to {RUNS_MAX} runs, not {runs}")
    return tuple(range(first, first + runs))


def is_whole(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


async def repeat(
    start: Callable[[int], Awaitable[EndedRun]],
    seeds: Sequence[int],
    likeness: Likeness,
    *,
    at_once: int = AT_ONCE,
    heard: Callable[[EndedRun], None] | None = None,
) -> Stability:
    """Start a run for each seed, at most so many at once, and tell what they have in common.

    `heard` is given each run as it ends. Where one cannot be run at all the others are cancelled: what they have
    written stays in their store.
    """
    if not RUNS_MIN <= len(seeds) <= RUNS_MAX:
        raise BadInput(f"a debate is repeated in {RUNS_MIN} to {RUNS_MAX} runs, not {len(seeds)}")
    if len(set(seeds)) != len(seeds):
        raise BadInput("two runs have the same seed: they would be one debate, counted twice")
    if not is_whole(at_once) or not 1 <= at_once <= RUNS_MAX:
        raise BadInput(f"1 to {RUNS_MAX} runs go on at once, not {at_once}")
    places = asyncio.Semaphore(at_once)

    async def one(seed: int) -> Result:
        async with places:
            ended = await start(seed)
        if heard is not None:
            heard(ended)
        return ended.result

    results = await gather_or_cancel([asyncio.ensure_future(one(seed)) for seed in sorted(seeds)])
    return stability_of(results[0].topic, [run_of(result) for result in results], likeness)


async def gather_or_cancel(tasks: Sequence[asyncio.Future[Result]]) -> list[Result]:
    """Everything, or the first error; nothing goes on behind it."""
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
