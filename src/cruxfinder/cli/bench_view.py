"""The table of the benchmark, in plain text: how right, with intervals, beside the baselines; by kind and noise."""

from collections.abc import Iterator, Sequence
from typing import Final

from cruxfinder.cruxbench.answer_scoring import Measure
from cruxfinder.cruxbench.bench_report import ALL, BenchReport, MeasuredShare, ReportRow
from cruxfinder.cruxbench.planted_runs import OURS
from cruxfinder.cruxbench.simple_finders import BASELINES
from cruxfinder.language.counts import count_phrase

HEADS: Final = {
    Measure.PRIMARY: "primary",
    Measure.RECALL: "found",
    Measure.FALSE_CRUX: "false",
    Measure.ENDING: "ending",
    Measure.SIDES: "sides",
    Measure.CRUX_SIDES: "on crux",
    Measure.STABLE: "same end",
    Measure.STABLE_CRUX: "same crux",
    Measure.LABELS: "labels",
    Measure.PERSUADED: "persuaded",
}
CELL: Final = 15
LEGEND: Final = (
    "primary: the question named first is the planted one. found: of all planted cruxes, or facts. false: names",
    "as a crux what is none; less is better. ending: ends as the networks call for. sides: on the topic; on crux: on",
    "the question named. same end, same crux: with every seed. labels: told rightly why somebody changed sides, by",
    "persuasion, conformity or noise; persuaded: of those whom evidence moved, found to be so.",
    "In brackets: Wilson's 95 % interval, with worlds for observations and not runs (of labels: changes of side).",
)


def lines(report: BenchReport) -> Iterator[str]:
    yield from heading(report)
    finders = [name for name in (OURS, *outsiders(report), *BASELINES) if has(report, name)]
    for noise in report.noises:
        yield ""
        yield from table(
            f"Noise {noise:g}: all kinds", [(f, report.row(f, ALL, noise)) for f in finders], FINDER_MEASURES
        )
    for noise in report.noises:
        yield ""
        rows = [(kind, report.row(OURS, kind, noise)) for kind in report.kinds]
        yield from table(f"{OURS}, noise {noise:g}: each kind", rows, tuple(HEADS))
    if off := sorted({row.off for row in report.rows if row.off}):
        yield ""
        rows = [("all rules", report.row()), *((f"without {'+'.join(o)}", report.row(off=o)) for o in off)]
        yield from table("Rules switched off, all kinds and noises", rows, tuple(HEADS))
    yield ""
    yield from LEGEND


FINDER_MEASURES: Final = (Measure.PRIMARY, Measure.RECALL, Measure.FALSE_CRUX, Measure.ENDING, Measure.STABLE_CRUX)


def outsiders(report: BenchReport) -> list[str]:
    return sorted({row.finder for row in report.rows} - {OURS, *BASELINES})


def has(report: BenchReport, finder: str) -> bool:
    return any(row.finder == finder for row in report.rows)


def heading(report: BenchReport) -> Iterator[str]:
    kinds = count_phrase(len(report.kinds), "kind")
    noises = ", ".join(f"{n:g}" for n in report.noises)
    yield (
        f"CruxBench {report.version}: {report.worlds} worlds with seed {report.seed}, {report.worlds_a_kind} of each of"
        f" {kinds}; {count_phrase(report.runs_a_world, 'debate')} of each at noise {noises}."
    )
    yield f"Generator {report.generator}, code {report.code}."


def table(title: str, rows: Sequence[tuple[str, ReportRow]], measures: Sequence[Measure]) -> Iterator[str]:
    shown = [m for m in measures if any(m.value in row.measures for _, row in rows)]
    first = max(len(title), *(len(name) + 2 for name, _ in rows))
    yield title.ljust(first) + "".join(HEADS[m].rjust(CELL) for m in shown)
    for name, row in rows:
        yield f"  {name}".ljust(first) + "".join(cell(row.measures.get(m.value)).rjust(CELL) for m in shown)


def cell(found: MeasuredShare | None) -> str:
    """A share and its interval: .95 (.86–.98)."""
    if found is None:
        return "·"
    return f"{short(found.share)} ({short(found.low)}–{short(found.high)})"


def short(share: float) -> str:
    text = f"{share:.2f}"
    return "1" if text == "1.00" else "0" if text == "0.00" else text[1:]
