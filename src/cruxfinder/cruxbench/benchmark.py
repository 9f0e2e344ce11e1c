"""The benchmark: which runs it takes, several at once, and the table they come to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cruxfinder.crux.ablation import SWITCHES
from cruxfinder.cruxbench.bench_pool import BenchWork, Heard, Held, run_work
from cruxfinder.cruxbench.bench_report import BenchReport, failures_of, rows_of
from cruxfinder.cruxbench.case_bench import CasePlan, run_cases
from cruxfinder.cruxbench.outside_finders import (
    SECONDS,
    Finder,
    OutsideFinder,
    check_finders,
    read_command,
)
from cruxfinder.cruxbench.planted_runs import OURS, RunKey, ScoredRun, keys_of_others, score_world
from cruxfinder.cruxbench.planted_subjects import WorldSet
from cruxfinder.cruxbench.planted_worlds import draw_world
from cruxfinder.cruxbench.rule_worth import worth_of
from cruxfinder.cruxbench.simple_finders import BASELINES
from cruxfinder.cruxbench.world_sketches import Kind
from cruxfinder.errors import BadInput

WORLDS: Final = 8
NOISES: Final = (0.0, 0.1, 0.2)
RUNS: Final = 3
WORLDS_MAX: Final = 10_000
EVERY: Final = "all"  # rules


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
    finders: tuple[OutsideFinder, ...] = ()  # beside ours
    private: bool = False  # are they told what everybody privately answers, as the baselines are?
    seconds: float = SECONDS  # that a program may take for an answer

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
        check_finders(self.finders, self.seconds, (OURS, *BASELINES))

    def tasks(self) -> Iterator[tuple[RunKey, ...]]:
        """The runs of one world after the other, kinds in turn, so that a part of them is a fair sample."""
        for number in range(self.worlds):
            for kind in self.kinds:
                ours = [
                    RunKey(of=self.of, seed=self.seed, kind=kind.value, number=number, noise=noise, run=run, off=off)
                    for off in ((), *((rule,) for rule in self.ablate))
                    for noise in self.noises
                    for run in range(self.runs)
                ]
                yield (*ours, *keys_of_others((key for key in ours if not key.off), self.finders, private=self.private))


def plan_of(
    *,
    worlds: int,
    kinds: Sequence[str],
    noise: Sequence[float],
    runs: int,
    of: str,
    seed: int,
    ablate: Sequence[str],
    finders: tuple[OutsideFinder, ...] = (),
    private: bool = False,
    seconds: float = SECONDS,
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
        finders=finders,
        private=private,
        seconds=seconds,
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
    finders: Mapping[str, str | Finder] | None = None,
    private: bool = False,
    seconds: float = SECONDS,
    cases: str | Path | None = None,
    jobs: int = 1,
    keep: str | Path | None = None,
) -> BenchReport:
    """How often the planted crux of known worlds is found: what `crux bench` prints, as values.

    `finders` are others, by name: a command, or a function of a record. `private` tells them what everybody privately
    answers, as the baselines are told. With `cases`, a folder of written cases, they get these and nothing is debated.

    With several jobs the calling program is imported anew in each: its own work belongs under `if __name__ == ...`.
    """
    file = None if keep is None else Path(keep)
    named = tuple(finder_of(name, given) for name, given in (finders or {}).items())
    if cases is not None:
        return run_cases(CasePlan(Path(cases), named, runs, seconds), jobs=jobs, file=file)
    plan = plan_of(
        worlds=worlds,
        kinds=kinds,
        noise=noise,
        runs=runs,
        of=of,
        seed=seed,
        ablate=ablate,
        finders=named,
        private=private,
        seconds=seconds,
    )
    return run_benchmark(plan, jobs=jobs, file=file)


def finder_of(name: str, given: str | Finder) -> OutsideFinder:
    if isinstance(given, str):
        return replace(read_command(given), name=name)
    return OutsideFinder(name=name, function=given)


def hold_task(keys: Sequence[RunKey]) -> Held:
    """All runs of one world."""
    first = keys[0]
    return score_world(draw_world(WorldSet(first.of), first.seed, Kind(first.kind), first.number), keys)


def run_benchmark(
    plan: BenchPlan, *, jobs: int = 0, file: Path | None = None, heard: Heard | None = None
) -> BenchReport:
    """The table of planted worlds. Jobs and file as `run_work` has them."""
    work = BenchWork(hold=hold_task, tasks=tuple(plan.tasks()), finders=plan.finders, seconds=plan.seconds)
    return report_of(plan, run_work(work, jobs=jobs, file=file, heard=heard))


def report_of(plan: BenchPlan, runs: Sequence[ScoredRun]) -> BenchReport:
    return BenchReport(
        worlds=plan.of,
        seed=plan.seed,
        worlds_a_kind=plan.worlds,
        kinds=tuple(kind.value for kind in plan.kinds),
        noises=plan.noises,
        runs_a_world=plan.runs,
        rows=rows_of(runs),
        failures=failures_of(runs),
        worth=worth_of(runs),
        private=plan.private,
    )
