"""The benchmark on written cases: what finders make of what people wrote. Nothing is debated."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from cruxfinder.cruxbench.bench_pool import BenchWork, Heard, Held, run_work
from cruxfinder.cruxbench.bench_report import WRITTEN, BenchReport, failures_of, rows_of
from cruxfinder.cruxbench.dispute_records import DisputeRecord, blind_id
from cruxfinder.cruxbench.outside_finders import OutsideFinder, check_finders
from cruxfinder.cruxbench.planted_runs import OURS, FinderJob, RunKey, keys_of_others
from cruxfinder.cruxbench.text_finders import TEXT_BASELINES, TEXT_FINDERS
from cruxfinder.cruxbench.written_cases import WrittenCase, read_cases
from cruxfinder.errors import BadInput

RUNS_MAX: Final = 100


@dataclass(frozen=True, slots=True)
class CasePlan:
    """Which cases, and who is asked about them, how often."""

    folder: Path
    finders: tuple[OutsideFinder, ...]
    runs: int
    seconds: float

    def __post_init__(self) -> None:
        if not 1 <= self.runs <= RUNS_MAX:
            raise BadInput(f"a finder is asked 1 to {RUNS_MAX} times about a case, not {self.runs}")
        check_finders(self.finders, self.seconds, (OURS, *TEXT_BASELINES))


def run_cases(plan: CasePlan, *, jobs: int = 0, file: Path | None = None, heard: Heard | None = None) -> BenchReport:
    cases = {case.name: case for case in read_cases(plan.folder)}
    finders = (*TEXT_FINDERS, *plan.finders)
    tasks = tuple(tuple(keys_of_others(keys_of(case, plan.runs), finders, private=False)) for case in cases.values())
    work = BenchWork(
        hold=partial(hold_case, cases), tasks=tasks, finders=finders, seconds=plan.seconds, in_processes=False
    )
    runs = run_work(work, jobs=jobs, file=file, heard=heard)
    return BenchReport(
        worlds=WRITTEN,
        seed=0,
        worlds_a_kind=1,
        kinds=tuple(cases),
        noises=(0.0,),
        runs_a_world=plan.runs,
        rows=rows_of(runs),
        failures=failures_of(runs),
    )


def keys_of(case: WrittenCase, runs: int) -> list[RunKey]:
    return [
        RunKey(of=WRITTEN, seed=0, kind=case.name, number=0, noise=0.0, run=run, source=f" {case.digest}")
        for run in range(runs)
    ]


def hold_case(cases: dict[str, WrittenCase], keys: Sequence[RunKey]) -> Held:
    case = cases[keys[0].kind]
    return [], [FinderJob(key=key, record=record_of_case(case, key.run), answer_key=case.answer_key) for key in keys]


def record_of_case(case: WrittenCase, run: int) -> DisputeRecord:
    return DisputeRecord(id=blind_id(case.digest, run), topic=case.topic, people=case.people, said=case.said)
