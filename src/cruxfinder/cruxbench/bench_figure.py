"""The table as a figure: shares as dots with their intervals. An SVG of its own, black on white, fit for a paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from cruxfinder.cruxbench.answer_scoring import Measure
from cruxfinder.cruxbench.bench_report import ALL, WRITTEN, BenchReport, MeasuredShare
from cruxfinder.cruxbench.planted_runs import OURS
from cruxfinder.cruxbench.simple_finders import BASELINES
from cruxfinder.cruxbench.text_finders import TEXT_BASELINES

LABEL: Final = 150  # width of the names of rows
SHOWN: Final = 20  # characters of a name
PANEL: Final = 170
GAP: Final = 26
ROW: Final = 21
TOP: Final = 58
BLOCK: Final = 44  # between the two blocks
SHADES: Final = ("#111111", "#666666", "#aaaaaa")  # by noise
FONT: Final = "font-family='Helvetica,Arial,sans-serif'"


@dataclass(frozen=True, slots=True)
class FigureBlock:
    """Rows of one table: their names, and what stands in each panel at each noise."""

    title: str
    rows: tuple[tuple[str, str, str], ...]  # shown name, finder, kind
    panels: tuple[Measure, ...]


def draw(report: BenchReport) -> str:
    known = {row.finder for row in report.rows}
    baselines = TEXT_BASELINES if report.worlds == WRITTEN else BASELINES
    others = sorted(known - {OURS, *baselines})
    finders = [name for name in (OURS, *others, *baselines) if name in known]
    what = "cases" if report.worlds == WRITTEN else "kinds"
    blocks = [FigureBlock(f"Finders, all {what}", tuple((f[:SHOWN], f, ALL) for f in finders), PANELS)]
    if OURS in known:
        rows = tuple((kind, OURS, kind) for kind in report.kinds)
        blocks.append(FigureBlock(f"{OURS}, by kind", rows, PANELS_BY_KIND))
    width = LABEL + max(len(b.panels) for b in blocks) * (PANEL + GAP) + 8
    height = TOP + sum(len(b.rows) * ROW + BLOCK + 18 for b in blocks)
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' {FONT}>",
        f"<rect width='{width}' height='{height}' fill='white'/>",
        *legend(report),
    ]
    top = TOP
    for block in blocks:
        parts += draw_block(report, block, top)
        top += len(block.rows) * ROW + BLOCK + 18
    return "\n".join([*parts, "</svg>", ""])


PANELS: Final = (Measure.PRIMARY, Measure.RECALL, Measure.FALSE_CRUX, Measure.STABLE_CRUX)
PANELS_BY_KIND: Final = (Measure.PRIMARY, Measure.FALSE_CRUX, Measure.ENDING, Measure.STABLE)


def legend(report: BenchReport) -> Iterator[str]:
    told = (
        f"CruxBench {report.version}, {len(report.kinds)} written cases, {report.runs_a_world} runs each;"
        " 95 % intervals over cases"
        if report.worlds == WRITTEN
        else f"CruxBench {report.version}, {report.worlds} worlds, seed {report.seed}: {report.worlds_a_kind} a kind,"
        f" {report.runs_a_world} runs each; 95 % intervals over worlds"
    )
    yield text(8, 18, told, size=11)
    for n, noise in enumerate(report.noises if report.worlds != WRITTEN else ()):
        at = 14 + n * 84
        yield f"<circle cx='{at}' cy='34' r='3.2' fill='{shade(n)}'/>"
        yield text(at + 8, 38, f"noise {noise:g}", size=11)


def draw_block(report: BenchReport, block: FigureBlock, top: int) -> Iterator[str]:
    yield text(8, top + 12, block.title, size=12, weight="bold")
    bottom = top + 24 + len(block.rows) * ROW
    for p, what in enumerate(block.panels):
        left = LABEL + p * (PANEL + GAP)
        aside = " (less is better)" if what is Measure.FALSE_CRUX else ""
        yield text(left, top + 12, what.value + aside, size=11)
        for tick in (0, 0.25, 0.5, 0.75, 1):
            x = left + tick * PANEL
            yield f"<line x1='{x:.1f}' x2='{x:.1f}' y1='{top + 20}' y2='{bottom}' stroke='#dddddd' stroke-width='.7'/>"
            if tick in (0, 0.5, 1):
                yield text(x, bottom + 12, f"{tick:g}", size=9, anchor="middle")
    for r, (name, finder, kind) in enumerate(block.rows):
        y = top + 24 + r * ROW + ROW / 2
        yield text(8, y + 4, name, size=11, weight="bold" if name == OURS else "normal")
        for p, what in enumerate(block.panels):
            left = LABEL + p * (PANEL + GAP)
            for n, noise in enumerate(report.noises):
                found = report.row(finder, kind, noise).measures.get(what.value)
                if found is not None:
                    yield from dot(left, y + offset(n, report.noises), found, shade(n))


def offset(n: int, noises: Sequence[float]) -> float:
    return (n - (len(noises) - 1) / 2) * 5.0


def shade(n: int) -> str:
    return SHADES[min(n, len(SHADES) - 1)]


def dot(left: float, y: float, found: MeasuredShare, colour: str) -> Iterator[str]:
    low, here, high = (left + share * PANEL for share in (found.low, found.share, found.high))
    yield f"<line x1='{low:.1f}' x2='{high:.1f}' y1='{y:.1f}' y2='{y:.1f}' stroke='{colour}' stroke-width='1.3'/>"
    yield f"<circle cx='{here:.1f}' cy='{y:.1f}' r='2.6' fill='{colour}'/>"


def text(x: float, y: float, said: str, *, size: int, weight: str = "normal", anchor: str = "start") -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' font-weight='{weight}' text-anchor='{anchor}'>"
        f"{escape(said)}</text>"
    )
