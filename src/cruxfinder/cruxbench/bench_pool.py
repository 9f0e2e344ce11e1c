"""Debates are held in processes, and finders are asked in threads, each of which has started every finder once."""

import os
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Final

from cruxfinder.cruxbench.dispute_records import NoAnswer
from cruxfinder.cruxbench.outside_finders import OpenFinder, OutsideFinder, open_finder
from cruxfinder.cruxbench.planted_runs import FinderJob, RunKey, ScoredRun, score_outside
from cruxfinder.cruxbench.run_file import RunFile
from cruxfinder.errors import BadInput

AHEAD: Final = 4  # worlds handed to each process in advance
JOBS_MAX: Final = 256
Held = tuple[list[ScoredRun], list[FinderJob]]
Hold = Callable[[Sequence[RunKey]], Held]  # what is known of one world's runs, and what finders are to be asked
Heard = Callable[[int, int], None]  # so many runs of so many are done


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchWork:
    """What is to be run: `hold` takes the runs of one world, or of one case, together."""

    hold: Hold
    tasks: tuple[tuple[RunKey, ...], ...]
    finders: tuple[OutsideFinder, ...]
    seconds: float
    in_processes: bool = True  # what is held takes a processor


def run_work(work: BenchWork, *, jobs: int, file: Path | None, heard: Heard | None) -> list[ScoredRun]:
    """Run what is not in the file yet, in so many processes (as many as there are processors, where it is 0)."""
    if not 0 <= jobs <= JOBS_MAX:
        raise BadInput(f"1 to {JOBS_MAX} processes work at once, not {jobs}")
    kept = RunFile(file)
    wanted = [key for task in work.tasks for key in task]
    done = sum(key in kept.known for key in wanted)
    left = [open_ for task in work.tasks if (open_ := tuple(key for key in task if key not in kept.known))]
    if heard is not None:
        heard(done, len(wanted))
    with closing(score_all(work, left, jobs or os.cpu_count() or 1)) as scored:
        for runs in scored:
            kept.add(runs)
            done += len(runs)
            if heard is not None:
                heard(done, len(wanted))
    return [kept.known[key] for key in wanted]


class FinderDesk:
    """All finders, so many times as there are jobs. Whoever asks takes one of these sets and puts it back."""

    def __init__(self, finders: Sequence[OutsideFinder], jobs: int, seconds: float) -> None:
        self._free: SimpleQueue[dict[str, OpenFinder]] = SimpleQueue()
        self._closing = ExitStack()
        called = {f.name: self._open(f, seconds) for f in finders if f.function is not None}
        try:
            for _ in range(jobs if finders else 0):
                self._free.put(called | {f.name: self._open(f, seconds) for f in finders if f.function is None})
        except BaseException:
            self._closing.close()
            raise

    def _open(self, finder: OutsideFinder, seconds: float) -> OpenFinder:
        opened = open_finder(finder, seconds)
        self._closing.callback(opened.close)
        return opened

    def answer(self, jobs: Sequence[FinderJob]) -> Held:
        finders = self._free.get()
        try:
            return [ask_finder(finders[job.key.finder], job) for job in jobs], []
        finally:
            self._free.put(finders)

    def close(self) -> None:
        self._closing.close()


def ask_finder(finder: OpenFinder, job: FinderJob) -> ScoredRun:
    try:
        return score_outside(job, finder.ask(job.record))
    except NoAnswer as fault:
        return score_outside(job, None, str(fault))


def score_all(work: BenchWork, tasks: Sequence[tuple[RunKey, ...]], jobs: int) -> Generator[list[ScoredRun]]:
    """The runs of these tasks as they are done."""
    if not tasks:
        return
    jobs = min(jobs, len(tasks))
    with closing(FinderDesk(work.finders, jobs, work.seconds)) as desk:
        if jobs == 1:
            for task in tasks:
                runs, asked = work.hold(task)
                yield [*runs, *(desk.answer(asked)[0] if asked else ())]
        else:
            yield from score_at_once(work, tasks, jobs, desk)


def open_holders(work: BenchWork, jobs: int) -> Executor:
    # A fresh interpreter each: a copy of this one might hold a lock that nobody releases.
    spawn = get_context("spawn")
    if not work.in_processes:
        return ThreadPoolExecutor(1)
    return ProcessPoolExecutor(jobs, mp_context=spawn, initializer=watch_parent)


def watch_parent() -> None:
    """A process whose parent was killed would wait for work for good."""
    Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None, "it was started by the benchmark"
    parent.join()
    os._exit(1)


def score_at_once(
    work: BenchWork, tasks: Sequence[tuple[RunKey, ...]], jobs: int, desk: FinderDesk
) -> Generator[list[ScoredRun]]:
    with ThreadPoolExecutor(jobs) as askers, open_holders(work, jobs) as holders:
        waiting = iter(tasks)
        under_way: set[Future[Held]] = set()
        try:
            while True:
                while len(under_way) < AHEAD * jobs and (task := next(waiting, None)) is not None:
                    under_way.add(holders.submit(work.hold, task))
                if not under_way:
                    return
                finished, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for future in finished:
                    runs, asked = future.result()
                    if asked:
                        under_way.add(askers.submit(desk.answer, asked))
                    if runs:
                        yield runs
        finally:
            holders.shutdown(wait=False, cancel_futures=True)
            askers.shutdown(wait=False, cancel_futures=True)
