"""The table of the benchmark, in plain text: how right, with intervals, beside the baselines; by kind and noise."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from cruxfinder.cruxbench.answer_scoring import Measure
from cruxfinder.cruxbench.bench_report import ALL, WRITTEN, BenchReport, MeasuredShare, ReportRow
from cruxfinder.cruxbench.planted_runs import OURS
from cruxfinder.cruxbench.rule_worth import COMPARED, WorthShare
from cruxfinder.cruxbench.simple_finders import BASELINES
from cruxfinder.cruxbench.text_finders import TEXT_BASELINES
from cruxfinder.language.counts import count_phrase
from cruxfinder.telling.terminal_text import clean

HEADS: Final = {
    Measure.PRIMARY: "primary",
    Measure.RECALL: "found",
    Measure.FALSE_CRUX: "false",
    Measure.DECOY: "decoy",
    Measure.ENDING: "ending",
    Measure.SIDES: "sides",
    Measure.CRUX_SIDES: "on crux",
    Measure.STABLE: "same end",
    Measure.STABLE_CRUX: "same crux",
    Measure.LABELS: "labels",
    Measure.PERSUADED: "persuaded",
}
CELL: Final = 15
WIDE: Final = 19  # a difference
WRAPPED: Final = 116
LEGEND: Final = (
    "primary: the question named first is the planted one. found: of all planted cruxes, or facts. false: names",
    "as a crux what is none; less is better (decoy: one put there as a trap). ending: ends as it should. sides: on the",
    "topic; on crux: on the question named. same end, same crux: with every seed. labels: told rightly why somebody",
    "changed sides, by persuasion, conformity or noise; persuaded: of those whom evidence moved, found to be so.",
    "In brackets: Wilson's 95 % interval, with worlds for observations and not runs (of labels: changes of side).",
)


def lines(report: BenchReport) -> Iterator[str]:
    yield from heading(report)
    yield from case_tables(report) if report.worlds == WRITTEN else world_tables(report)
    for silent in report.failures:
        yield ""
        runs = f"{silent.failed} of {count_phrase(silent.of, 'run')}"
        yield f"{clean(silent.finder)} gave no answer in {runs}, scored as naming nothing. Why, at first:"
        yield f"  {clean(silent.first)}"
    yield ""
    yield from LEGEND


def world_tables(report: BenchReport) -> Iterator[str]:
    finders = finders_of(report, OURS, BASELINES)
    for noise in report.noises:
        yield ""
        yield from table(
            f"Noise {noise:g}: all kinds", [(f, report.row(f, ALL, noise)) for f in finders], FINDER_MEASURES
        )
    for noise in report.noises:
        yield ""
        rows = [(kind, report.row(OURS, kind, noise)) for kind in report.kinds]
        yield from table(f"{OURS}, noise {noise:g}: each kind", rows, tuple(HEADS))
    if report.worth:
        yield ""
        yield from worth_table(report)


def case_tables(report: BenchReport) -> Iterator[str]:
    finders = finders_of(report, OURS, TEXT_BASELINES)
    yield ""
    yield from table("All cases", [(f, report.row(f)) for f in finders], CASE_MEASURES)
    for finder in (f for f in finders if f not in TEXT_BASELINES):
        yield ""
        rows = [(kind, report.row(finder, kind)) for kind in report.kinds]
        yield from table(f"{finder}: each case", rows, CASE_MEASURES, bare=True)


def worth_table(report: BenchReport) -> Iterator[str]:
    """How much better or worse each measure is with a rule than without it."""
    title = "With a rule minus without it, all kinds and noises"
    rows = sorted(
        (worth for worth in report.worth if worth.kinds), key=lambda worth: (-worth.changed, -worth.diverted, worth.off)
    )
    shown = [m for m in COMPARED if any(m.value in worth.measures for worth in rows)]
    yield (
        title.ljust(len(title))
        + "diverted".rjust(CELL)
        + "changed".rjust(CELL)
        + "".join(HEADS[m].rjust(WIDE) for m in shown)
    )
    for worth in rows:
        cells = "".join(difference(worth.measures.get(m.value)).rjust(WIDE) for m in shown)
        runs = f"{worth.diverted} of {worth.runs}".rjust(CELL) + f"{worth.changed} of {worth.runs}".rjust(CELL)
        yield f"  {'+'.join(worth.off)}".ljust(len(title)) + runs + cells
    yield "diverted: runs in which something else was said, or sent back; changed: that named something else or ended"
    yield "otherwise. In brackets: 95 %, over worlds in pairs."
    if idle := sorted(worth.off[0] for worth in report.worth if not worth.kinds):
        told = (
            f"Nothing differed in these worlds without {', '.join(idle)}: what they guard against does not occur here."
        )
        yield from textwrap.wrap(told, WRAPPED)


def difference(found: WorthShare | None) -> str:
    """A signed difference and its interval: +.07 (+.02…+.12)."""
    if found is None:
        return "·"
    return f"{sign_share(found.difference)} ({sign_share(found.low)}…{sign_share(found.high)})"


def sign_share(share: float) -> str:
    told = short(abs(share))
    return told if told == "0" else f"{'−' if share < 0 else '+'}{told}"


FINDER_MEASURES: Final = (
    Measure.PRIMARY,
    Measure.RECALL,
    Measure.FALSE_CRUX,
    Measure.ENDING,
    Measure.SIDES,
    Measure.STABLE_CRUX,
)


CASE_MEASURES: Final = (
    Measure.PRIMARY,
    Measure.RECALL,
    Measure.FALSE_CRUX,
    Measure.DECOY,
    Measure.ENDING,
    Measure.SIDES,
    Measure.CRUX_SIDES,
    Measure.STABLE_CRUX,
)


def finders_of(report: BenchReport, ours: str, baselines: Sequence[str]) -> list[str]:
    """Ours, then others by name, then the baselines; as far as they are there."""
    known = {row.finder for row in report.rows}
    return [name for name in (ours, *sorted(known - {ours, *baselines}), *baselines) if name in known]


def heading(report: BenchReport) -> Iterator[str]:
    if report.worlds == WRITTEN:
        times = "once" if report.runs_a_world == 1 else f"{report.runs_a_world} times"
        cases = count_phrase(len(report.kinds), "written case")
        yield f"CruxBench {report.version}: {cases}, each asked about {times}."
        yield f"Code {report.code}."
        return
    kinds = count_phrase(len(report.kinds), "kind")
    noises = ", ".join(f"{n:g}" for n in report.noises)
    yield (
        f"CruxBench {report.version}: {report.worlds} worlds with seed {report.seed}, {report.worlds_a_kind} of each of"
        f" {kinds}; {count_phrase(report.runs_a_world, 'debate')} of each at noise {noises}."
    )
    told = " Other finders were told all private answers." if report.private else ""
    yield f"Generator {report.generator}, code {report.code}.{told}"


def table(
    title: str, rows: Sequence[tuple[str, ReportRow]], measures: Sequence[Measure], *, bare: bool = False
) -> Iterator[str]:
    """Shares with their intervals; bare without."""
    shown = [m for m in measures if any(m.value in row.measures for _, row in rows)]
    first = max(len(title), *(len(clean(name)) + 2 for name, _ in rows))
    yield title.ljust(first) + "".join(HEADS[m].rjust(CELL) for m in shown)
    for name, row in rows:
        cells = "".join(cell(row.measures.get(m.value), bare=bare).rjust(CELL) for m in shown)
        yield f"  {clean(name)}".ljust(first) + cells


def cell(found: MeasuredShare | None, *, bare: bool) -> str:
    """A share and its interval: .95 (.86–.98)."""
    if found is None:
        return "·"
    if bare:
        return short(found.share)
    return f"{short(found.share)} ({short(found.low)}–{short(found.high)})"


def short(share: float) -> str:
    text = f"{share:.2f}"
    return "1" if text == "1.00" else "0" if text == "0.00" else text[1:]
