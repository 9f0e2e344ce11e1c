"""The benchmark: which runs it takes, several at once, and the table they come to."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from cruxfinder.crux.ablation import SWITCHES
from cruxfinder.cruxbench.bench_report import BenchReport, rows_of
from cruxfinder.cruxbench.planted_runs import RunKey, ScoredRun, score_run
from cruxfinder.cruxbench.planted_subjects import WorldSet
from cruxfinder.cruxbench.planted_worlds import GENERATOR, draw_world
from cruxfinder.cruxbench.run_file import RunFile, code_digest
from cruxfinder.cruxbench.world_sketches import Kind
from cruxfinder.errors import BadInput
from cruxfinder.version import VERSION

WORLDS: Final = 8
NOISES: Final = (0.0, 0.1, 0.2)
RUNS: Final = 3
WORLDS_MAX: Final = 10_000
JOBS_MAX: Final = 256
EVERY: Final = "all"  # rules
AHEAD: Final = 4  # worlds handed to each process in advance
Heard = Callable[[int, int], None]  # so many runs of so many are done


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchPlan:
    """What to run. Every kind gets so many worlds, each is debated at each noise and with each seed."""

    of: WorldSet = WorldSet.OPEN
    seed: int = 0
    kinds: tuple[Kind, ...] = tuple(Kind)
    worlds: int = WORLDS
    noises: tuple[float, ...] = NOISES
    runs: int = RUNS
    ablate: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.worlds <= WORLDS_MAX:
            raise BadInput(f"a kind has 1 to {WORLDS_MAX} worlds, not {self.worlds}")
        if not 1 <= self.runs <= 100:
            raise BadInput(f"a world is debated with 1 to 100 seeds, not {self.runs}")
        if not self.kinds or not self.noises:
            raise BadInput("name at least one kind of world and one noise")
        if bad := [n for n in self.noises if not 0 <= n <= 0.5]:
            raise BadInput(f"the noise of a private answer lies between 0 and 0.5, not at {bad[0]}")
        if unknown := sorted(set(self.ablate) - SWITCHES):
            raise BadInput(f"no rule {unknown[0]} can be switched off; `crux debate --help` lists those that can")

    def tasks(self) -> Iterator[tuple[RunKey, ...]]:
        """The runs of one world after the other, kinds in turn, so that a part of them is a fair sample."""
        for number in range(self.worlds):
            for kind in self.kinds:
                yield tuple(
                    RunKey(of=self.of, seed=self.seed, kind=kind.value, number=number, noise=noise, run=run, off=off)
                    for off in ((), *((rule,) for rule in self.ablate))
                    for noise in self.noises
                    for run in range(self.runs)
                )


def plan_of(
    *, worlds: int, kinds: Sequence[str], noise: Sequence[float], runs: int, of: str, seed: int, ablate: Sequence[str]
) -> BenchPlan:
    """A plan as people name its parts. Raise BadInput for a name that there is not."""
    known = {kind.value: kind for kind in Kind} | {kind.value.replace(" ", "-"): kind for kind in Kind}
    if unknown := [name for name in kinds if name not in known]:
        raise BadInput(f"there is no kind of world {unknown[0]!r}; there are {', '.join(Kind)}")
    if of not in list(WorldSet):
        raise BadInput(f"there is no set of worlds {of!r}; there are {', '.join(WorldSet)}")
    return BenchPlan(
        of=WorldSet(of),
        seed=seed,
        kinds=tuple(dict.fromkeys(known[name] for name in kinds)) or tuple(Kind),
        worlds=worlds,
        noises=tuple(dict.fromkeys(noise)),
        runs=runs,
        ablate=tuple(sorted(SWITCHES)) if tuple(ablate) == (EVERY,) else tuple(dict.fromkeys(ablate)),
    )


def bench(
    *,
    worlds: int = WORLDS,
    kinds: Sequence[str] = (),
    noise: Sequence[float] = NOISES,
    runs: int = RUNS,
    of: str = "open",
    seed: int = 0,
    ablate: Sequence[str] = (),
    jobs: int = 1,
    keep: str | Path | None = None,
) -> BenchReport:
    """How often the planted crux of known worlds is found: what `crux bench` prints, as values.

    With several jobs the calling program is imported anew in each: its own work belongs under `if __name__ == ...`.
    """
    plan = plan_of(worlds=worlds, kinds=kinds, noise=noise, runs=runs, of=of, seed=seed, ablate=ablate)
    return run_benchmark(plan, jobs=jobs, file=None if keep is None else Path(keep))


def score_task(keys: Sequence[RunKey]) -> list[ScoredRun]:
    """All runs of one world."""
    first = keys[0]
    world = draw_world(first.of, first.seed, Kind(first.kind), first.number)
    return [score_run(world, key) for key in keys]


def run_benchmark(
    plan: BenchPlan, *, jobs: int = 0, file: Path | None = None, heard: Heard | None = None
) -> BenchReport:
    """Run what is not in the file yet, in so many processes (as many as there are processors, where it is 0)."""
    if not 0 <= jobs <= JOBS_MAX:
        raise BadInput(f"1 to {JOBS_MAX} processes work at once, not {jobs}")
    kept = RunFile(file)
    tasks = list(plan.tasks())
    wanted = {key for task in tasks for key in task}
    done = len(wanted & kept.known.keys())
    left = [open_ for task in tasks if (open_ := tuple(key for key in task if key not in kept.known))]
    if heard is not None:
        heard(done, len(wanted))
    for runs in score_all(left, jobs or os.cpu_count() or 1):
        kept.add(runs)
        done += len(runs)
        if heard is not None:
            heard(done, len(wanted))
    return report_of(plan, [kept.known[key] for task in tasks for key in task])


def score_all(tasks: Sequence[tuple[RunKey, ...]], jobs: int) -> Iterator[list[ScoredRun]]:
    if jobs == 1 or len(tasks) < 2:
        yield from map(score_task, tasks)
        return
    # A fresh interpreter each: a copy of this one might hold a lock that nobody releases.
    with ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=get_context("spawn")) as pool:
        waiting = iter(tasks)
        under_way: set[Future[list[ScoredRun]]] = set()
        try:
            while True:
                for task in waiting:
                    under_way.add(pool.submit(score_task, task))
                    if len(under_way) >= AHEAD * jobs:
                        break
                if not under_way:
                    return
                finished, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def report_of(plan: BenchPlan, runs: Iterable[ScoredRun]) -> BenchReport:
    return BenchReport(
        worlds=plan.of,
        seed=plan.seed,
        worlds_a_kind=plan.worlds,
        kinds=tuple(kind.value for kind in plan.kinds),
        noises=plan.noises,
        runs_a_world=plan.runs,
        version=VERSION,
        generator=GENERATOR,
        code=code_digest(),
        rows=rows_of(runs),
    )
