"""What a rule is worth: the same runs with it and without it, world by world."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cruxfinder.cruxbench.answer_scoring import Measure, Tally
from cruxfinder.cruxbench.planted_runs import OURS, RunKey, ScoredRun
from cruxfinder.kernel.intervals import paired_interval

COMPARED: Final = (
    Measure.PRIMARY, Measure.RECALL, Measure.FALSE_CRUX, Measure.ENDING, Measure.SIDES, Measure.CRUX_SIDES,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class WorthShare:
    """How much higher a share is with the rule than without it, over worlds that have it both ways."""

    difference: float
    low: float
    high: float
    of: int  # worlds


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWorth:
    """A rule switched off, beside the same runs with it."""

    off: tuple[str, ...]
    runs: int
    changed: int  # runs that named something else, ended otherwise or were scored otherwise
    diverted: int  # runs in which something else was said or sent back
    kinds: tuple[str, ...]  # of worlds in which some run was diverted or changed
    measures: Mapping[str, WorthShare]


def worth_of(runs: Iterable[ScoredRun]) -> tuple[RuleWorth, ...]:
    ours = {run.key: run for run in runs if run.key.finder == OURS}
    offs = dict.fromkeys(key.off for key in ours if key.off)
    return tuple(compare_runs(off, list(pairs_of(ours, off))) for off in offs)


def pairs_of(ours: Mapping[RunKey, ScoredRun], off: tuple[str, ...]) -> Iterable[tuple[ScoredRun, ScoredRun]]:
    for key, without in ours.items():
        if key.off == off and (whole := ours.get(replace(key, off=()))) is not None:
            yield whole, without


def compare_runs(off: tuple[str, ...], pairs: Sequence[tuple[ScoredRun, ScoredRun]]) -> RuleWorth:
    changed = [whole for whole, without in pairs if outcome(whole) != outcome(without)]
    measures = {what.value: worth for what in COMPARED if (worth := compare_measure(what, pairs)) is not None}
    diverted = [whole for whole, without in pairs if whole.course != without.course]
    return RuleWorth(
        off=off,
        runs=len(pairs),
        changed=len(changed),
        diverted=len(diverted),
        kinds=tuple(dict.fromkeys(run.key.kind for run in (*changed, *diverted))),
        measures=measures,
    )


def outcome(run: ScoredRun) -> tuple[object, ...]:
    return run.primary, run.ending, {what: tally for what, tally in run.scores.items() if what in COMPARED}


def compare_measure(what: Measure, pairs: Sequence[tuple[ScoredRun, ScoredRun]]) -> WorthShare | None:
    by_world: dict[str, list[float]] = defaultdict(list)
    for whole, without in pairs:
        if what in whole.scores and what in without.scores:
            by_world[whole.key.world].append(share_of_tally(whole.scores[what]) - share_of_tally(without.scores[what]))
    if not by_world:
        return None
    apart = [sum(told) / len(told) for told in by_world.values()]
    difference = sum(apart) / len(apart)
    low, high = paired_interval(sum(d for d in apart if d > 0), -sum(d for d in apart if d < 0), len(apart))
    return WorthShare(difference=round(difference, 4), low=round(low, 4), high=round(high, 4), of=len(apart))


def share_of_tally(tally: Tally) -> float:
    hits, of = tally
    return hits / of
