"""How often the same crux comes out of a debate repeated with other seeds. SPEC §19, PLUS-7.

Two questions are the same where they lie nearer than two threads may. The measure hears the topic and not the side, so
that a question and its negation are one crux. Of many questions the nearest are joined first, and groups as long as
they lie so near on average: joined by single neighbours alone, a hundred wordings of several cruxes would become one,
and it would seem to recur always. Neither the order of the runs nor how often a wording was used changes a group.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cruxfinder.crux.law.threads import APART
from cruxfinder.crux.result import NO_CRUX, Result
from cruxfinder.kernel.intervals import wilson_interval
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.vocabulary import Ending, Verdict

RUNS_MIN: Final = 2
RUNS_MAX: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCrux:
    """A crux as one run worded and ranked it."""

    id: str
    question: str
    rank: float
    locked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one run came to; its first crux is its primary one."""

    id: str
    seed: int
    verdict: Verdict
    ending: Ending
    cruxes: tuple[FoundCrux, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """So many of all runs, with a 95 % interval (Wilson)."""

    runs: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    question: str
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurrentCrux:
    """One crux, whatever the words, over all runs."""

    number: int
    question: str  # the wording of most runs; of several, the one nearest to all
    primary: Share
    found: Share
    locked: int  # runs
    mean_rank: float  # over the runs that found it
    wordings: tuple[Wording, ...]
    spread: float  # the distance of the two wordings farthest apart


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """A run, with its cruxes by the numbers of the report."""

    run_id: str
    seed: int
    verdict: Verdict
    ending: Ending
    primary: int | None
    cruxes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    topic: str
    runs: int
    embedder: str
    verdicts: dict[str, int]
    endings: dict[str, int]
    without_crux: int
    primary_crux: int | None  # the number of the crux that is the primary one most often
    primary_crux_question: str | None
    recurrence: Share  # how often it is; never, where no run found a crux
    tied: tuple[int, ...]  # other cruxes that are the primary one as often
    cruxes: tuple[RecurrentCrux, ...]  # most often primary first
    outcomes: tuple[RunOutcome, ...]  # by seed


def run_of(result: Result) -> Run:
    """A result as far as its cruxes go: the questions that its primary crux was chosen from."""
    weighed = [
        tested
        for thread in result.threads
        if thread.verdict not in NO_CRUX
        for tested in thread.tested
        if tested.chosen or tested.partial
    ]
    weighed.sort(key=lambda t: (t.id != result.primary_crux, not t.locked, -t.rank))
    return Run(
        id=result.run_id,
        seed=result.seed,
        verdict=result.verdict,
        ending=result.ending,
        cruxes=tuple(FoundCrux(id=t.id, question=t.question, rank=t.rank, locked=t.locked) for t in weighed),
    )


def stability_of(topic: str, runs: Sequence[Run], likeness: Likeness) -> Stability:
    """What repeated runs have in common. Every run counts, those that found or decided nothing too."""
    assert runs, "nothing recurs in no runs"
    ordered = sorted(runs, key=lambda run: (run.seed, run.id))
    groups = group_questions({crux.question for run in ordered for crux in run.cruxes}, likeness)
    found = [recurrent_crux(group, ordered, likeness) for group in groups]
    found.sort(key=lambda r: (-r.primary.runs, -r.found.runs, -r.mean_rank, r.question))
    numbers = {wording.question: n for n, r in enumerate(found, start=1) for wording in r.wordings}
    best = found[0] if found else None
    often = best.primary.runs if best else 0
    return Stability(
        topic=topic,
        runs=len(ordered),
        embedder=likeness.name,
        verdicts=counts(run.verdict.value for run in ordered),
        endings=counts(run.ending.value for run in ordered),
        without_crux=sum(not run.cruxes for run in ordered),
        primary_crux=1 if best else None,
        primary_crux_question=best.question if best else None,
        recurrence=share_of(often, len(ordered)),
        tied=tuple(n for n, r in enumerate(found[1:], start=2) if r.primary.runs == often),
        cruxes=tuple(replace(r, number=n) for n, r in enumerate(found, start=1)),
        outcomes=tuple(outcome(run, numbers) for run in ordered),
    )


def group_questions(questions: Iterable[str], likeness: Likeness) -> tuple[tuple[str, ...], ...]:
    """The questions in groups: nearest first, two groups become one while their mean distance is below the limit."""
    groups = {n: [question] for n, question in enumerate(sorted(set(questions)))}
    sums = {  # of the distances between the members of two groups
        n: {m: likeness.distance(here[0], there[0]) for m, there in groups.items() if m != n}
        for n, here in groups.items()
    }

    def nearest(n: int) -> tuple[float, int]:
        return min(((far / (len(groups[n]) * len(groups[m])), m) for m, far in sums[n].items()), default=(math.inf, n))

    near = {n: nearest(n) for n in groups}
    while near and min(near.values())[0] < APART:
        first = min(near, key=lambda n: (near[n], n))
        kept, gone = sorted((first, near[first][1]))
        groups[kept] += groups.pop(gone)
        lost = sums.pop(gone)
        for m in groups.keys() - {kept}:
            sums[m][kept] = sums[kept][m] = sums[kept][m] + lost[m]
            del sums[m][gone]
        del sums[kept][gone], near[gone]
        # To no other group the joined one is nearer than the nearer of its two parts was.
        near |= {m: nearest(m) for m in near if m == kept or near[m][1] in (kept, gone)}
    return tuple(tuple(sorted(group)) for group in groups.values())


def recurrent_crux(group: Sequence[str], runs: Sequence[Run], likeness: Likeness) -> RecurrentCrux:
    """A group of wordings counted over all runs; a run that has it twice counts once, with its better place."""
    known = set(group)
    held = [[crux for crux in run.cruxes if crux.question in known] for run in runs]
    ranks = [max(crux.rank for crux in cruxes) for cruxes in held if cruxes]
    used = Counter(question for cruxes in held for question in {crux.question for crux in cruxes})
    apart = {a: {b: likeness.distance(a, b) for b in group} for a in group}
    order = sorted(group, key=lambda q: (-used[q], sum(used[b] * far for b, far in apart[q].items()), q))
    return RecurrentCrux(
        number=0,
        question=order[0],
        primary=share_of(sum(bool(run.cruxes) and run.cruxes[0].question in known for run in runs), len(runs)),
        found=share_of(len(ranks), len(runs)),
        locked=sum(any(crux.locked for crux in cruxes) for cruxes in held),
        mean_rank=round(math.fsum(ranks) / len(ranks), 4),
        wordings=tuple(Wording(question=question, runs=used[question]) for question in order),
        spread=round(max(far for row in apart.values() for far in row.values()), 4),
    )


def share_of(runs: int, of: int) -> Share:
    """A share with Wilson's interval, which stays within 0…1 and is honest where all runs or none agree."""
    low, high = wilson_interval(runs, of)
    return Share(runs=runs, share=round(runs / of, 4), low=round(low, 4), high=round(high, 4))


def outcome(run: Run, numbers: Mapping[str, int]) -> RunOutcome:
    cruxes = tuple(dict.fromkeys(numbers[crux.question] for crux in run.cruxes))
    return RunOutcome(
        run_id=run.id,
        seed=run.seed,
        verdict=run.verdict,
        ending=run.ending,
        primary=cruxes[0] if cruxes else None,
        cruxes=cruxes,
    )


def counts(words: Iterable[str]) -> dict[str, int]:
    """How often each word occurs, the most frequent first."""
    return dict(sorted(Counter(words).items(), key=lambda counted: (-counted[1], counted[0])))
