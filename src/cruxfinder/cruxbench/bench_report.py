"""The table: for each finder, kind and noise, how often each measure was met, with an interval."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cruxfinder.cruxbench.answer_scoring import Measure, Scores
from cruxfinder.cruxbench.planted_runs import OURS, ScoredRun
from cruxfinder.cruxbench.planted_worlds import GENERATOR
from cruxfinder.cruxbench.rule_worth import RuleWorth
from cruxfinder.cruxbench.run_file import code_digest
from cruxfinder.kernel.intervals import wilson_interval
from cruxfinder.version import VERSION

POOLED: Final = (Measure.LABELS, Measure.PERSUADED)  # changes of side are counted, however many a world has
ALL: Final = "all"
WRITTEN: Final = "cases"  # in place of a set of worlds


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredShare:
    """A share with Wilson's 95 % interval. Runs of one world are no observations of their own: worlds are counted."""

    share: float
    low: float
    high: float
    of: int  # worlds; of labels, changes of side
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow:
    finder: str
    kind: str  # or all
    noise: float | None  # all
    off: tuple[str, ...]
    measures: Mapping[str, MeasuredShare]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinderFailures:
    """How often a finder gave no answer, which is scored as one that names nothing; and why, the first time."""

    finder: str
    failed: int
    of: int
    first: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchReport:
    """What was run, and every row of the table."""

    worlds: str  # the set they are drawn from; or cases, of which each is a kind
    seed: int
    worlds_a_kind: int
    kinds: tuple[str, ...]
    noises: tuple[float, ...]
    runs_a_world: int
    version: str = VERSION
    generator: int = GENERATOR
    code: str = field(default_factory=code_digest)
    worth: tuple[RuleWorth, ...] = ()  # of each rule that was switched off
    private: bool = False  # other finders were told all private answers
    rows: tuple[ReportRow, ...] = ()
    failures: tuple[FinderFailures, ...] = ()

    def row(
        self, finder: str = OURS, kind: str = ALL, noise: float | None = None, off: tuple[str, ...] = ()
    ) -> ReportRow:
        return next(r for r in self.rows if (r.finder, r.kind, r.noise, r.off) == (finder, kind, noise, off))


@dataclass(frozen=True, slots=True)
class FinderRun:
    """One run as one finder did it."""

    finder: str
    off: tuple[str, ...]
    kind: str
    noise: float
    world: str
    run: int
    scores: Scores
    primary: str
    ending: str
    failed: bool = False


def finder_runs(runs: Iterable[ScoredRun]) -> list[FinderRun]:
    found: list[FinderRun] = []
    for run in runs:
        key = run.key
        place = (key.off, key.kind, key.noise, key.world, key.run)
        found.append(FinderRun(key.finder, *place, run.scores, run.primary, run.ending, bool(run.failure)))
        found += [FinderRun(name, *place, scores, primary, "") for name, (scores, primary) in run.baselines.items()]
    return found


def fill_in(runs: Sequence[ScoredRun]) -> list[ScoredRun]:
    """What a finder says of some worlds and not of others is wrong of the others: else silence would be rewarded."""
    says: dict[str, set[Measure]] = defaultdict(set)
    for run in runs:
        says[run.key.finder] |= {Measure.ENDING, Measure.SIDES} & run.scores.keys()
    return [
        replace(
            run,
            scores={what: (0, run.size if what is Measure.SIDES else 1) for what in says[run.key.finder]}
            | dict(run.scores),
        )
        for run in runs
    ]


def failures_of(runs: Iterable[ScoredRun]) -> tuple[FinderFailures, ...]:
    by_finder: dict[str, list[str]] = defaultdict(list)
    for run in runs:
        by_finder[run.key.finder].append(run.failure)
    return tuple(
        FinderFailures(finder=name, failed=len(told), of=len(all_), first=told[0])
        for name, all_ in by_finder.items()
        if (told := [failure for failure in all_ if failure])
    )


def rows_of(runs: Sequence[ScoredRun]) -> tuple[ReportRow, ...]:
    """Each finder over all kinds and noises, over each noise, each kind, and both."""
    groups: dict[tuple[str, tuple[str, ...], str, float | None], list[FinderRun]] = defaultdict(list)
    for seen in finder_runs(fill_in(runs)):
        for kind in (ALL, seen.kind):
            for noise in (None, seen.noise):
                groups[seen.finder, seen.off, kind, noise].append(seen)
    return tuple(
        ReportRow(finder=finder, kind=kind, noise=noise, off=off, measures=measure(group))
        for (finder, off, kind, noise), group in groups.items()
    )


def measure(group: Sequence[FinderRun]) -> dict[str, MeasuredShare]:
    found: dict[str, MeasuredShare] = {}
    for what in Measure:
        if what in (Measure.STABLE, Measure.STABLE_CRUX):
            tallies = [(s.world, *told) for s, told in stability(group, what)]
        else:
            tallies = [(s.world, *s.scores[what]) for s in group if what in s.scores]
        if tallies:
            found[what.value] = share_of_worlds(tallies, pooled=what in POOLED)
    return found


def stability(group: Sequence[FinderRun], what: Measure) -> Iterable[tuple[FinderRun, tuple[int, int]]]:
    """Of each world and noise: did the runs with other seeds come to the same?"""
    together: dict[tuple[str, float], list[FinderRun]] = defaultdict(list)
    for seen in group:
        together[seen.world, seen.noise].append(seen)
    for runs in together.values():
        if len(runs) > 1 and (what is Measure.STABLE_CRUX or any(run.ending for run in runs)):
            told = {run.primary if what is Measure.STABLE_CRUX else run.ending for run in runs}
            yield runs[0], (int(len(told) == 1 and not any(run.failed for run in runs)), 1)


def share_of_worlds(tallies: Sequence[tuple[str, int, int]], *, pooled: bool) -> MeasuredShare:
    by_world: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for world, hits, of in tallies:
        by_world[world].append((hits, of))
    if pooled:
        of = sum(of for _, _, of in tallies)
        share = sum(hits for _, hits, _ in tallies) / of
    else:
        of = len(by_world)
        share = sum(sum(h for h, _ in told) / sum(o for _, o in told) for told in by_world.values()) / of
    low, high = wilson_interval(share * of, of)
    return MeasuredShare(share=round(share, 4), low=round(low, 4), high=round(high, 4), of=of, runs=len(tallies))
