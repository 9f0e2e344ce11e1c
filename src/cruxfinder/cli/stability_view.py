"""What repeated runs have in common, for people: how often the primary crux recurs, every crux found, every run."""

import sys
import textwrap
from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from cruxfinder.app.repeats import EndedRun
from cruxfinder.cli import output
from cruxfinder.cli.palette import ACCENT, FAINT, SIGNALLED
from cruxfinder.crux.law.threads import APART
from cruxfinder.crux.stability import RecurrentCrux, RunOutcome, Share, Stability
from cruxfinder.kernel.vocabulary import Ending
from cruxfinder.language.counts import count_phrase, join_names, percent
from cruxfinder.telling.terminal_text import clean

WIDTH_MAX: Final = 110
PLAIN_WIDTH: Final = 96
SCALE_MAX: Final = 50  # columns
CRUXES_SHOWN: Final = 8
WORDINGS_SHOWN: Final = 3  # beside the one that stands for all
RUNS_SHOWN: Final = 20
TIED_NAMED: Final = 3
TEXT_MIN: Final = 24
INDENT: Final = 7  # of a question below its figures


def show(found: Stability, *, json: bool, suffix: str = "") -> None:
    """Print a report as JSON, or as a page that fits the terminal. `suffix` is how a command names another store."""
    if json:
        output.print_json(found)
        return
    if output.in_terminal():
        console = Console(highlight=False, markup=False, emoji=False)
        width = min(console.width, WIDTH_MAX)
    else:
        console = Console(highlight=False, markup=False, emoji=False, color_system=None, width=PLAIN_WIDTH)
        width = PLAIN_WIDTH
    for line in lines(found, width, suffix):
        console.print(line, no_wrap=True, overflow="ellipsis", crop=True, width=width)


class RunProgress:
    """A line on the error stream for each run as it ends."""

    def __init__(self, runs: int) -> None:
        self._runs = runs
        self._ended = 0

    def hear(self, ended: EndedRun) -> None:
        self._ended += 1
        result = ended.result
        told = f"run {self._ended} of {self._runs}: seed {result.seed}, {result.verdict.value}, {result.run_id}"
        print(told, file=sys.stderr, flush=True)


def lines(found: Stability, width: int, suffix: str = "") -> Iterator[Text]:
    yield from heading(found, width)
    yield from recurrence(found, width)
    yield from verdicts(found, width)
    yield from cruxes(found, width)
    yield from outcomes(found, width)
    yield Text("")
    yield from wrap_text(f"Look into a run with: crux show {found.outcomes[0].run_id}{suffix}", width, style=FAINT)


def wrap_text(text: str, width: int, lead: str = "", style: str = "") -> Iterator[Text]:
    """Text in lines, the first behind a lead and the others below it."""
    room = max(TEXT_MIN, width - cell_len(lead))
    for n, line in enumerate(textwrap.wrap(clean(text), room) or [""]):
        yield Text.assemble((" " * cell_len(lead) if n else lead, ""), (line, style))


def title(text: str) -> Iterator[Text]:
    yield Text("")
    yield Text(text, "bold")


def heading(found: Stability, width: int) -> Iterator[Text]:
    yield from wrap_text(found.topic, width, style=f"bold {ACCENT}")
    seeds = [outcome.seed for outcome in found.outcomes]
    in_a_row = seeds == list(range(seeds[0], seeds[0] + len(seeds)))
    told = f"{seeds[0]} to {seeds[-1]}" if in_a_row else ", ".join(map(str, seeds))
    yield from wrap_text(f"{count_phrase(found.runs, 'run')}, seeds {told}", width, style=FAINT)


# ---------------------------------------------------------------- the primary crux


def recurrence(found: Stability, width: int) -> Iterator[Text]:
    yield from title("PRIMARY CRUX")
    if found.primary_crux_question is None:
        yield from wrap_text(f"None of the {found.runs} runs found a crux.", width, "  ")
        return
    yield from wrap_text(found.primary_crux_question, width, "  ", f"bold {SIGNALLED}")
    share = found.recurrence
    yield Text("")
    yield from wrap_text(
        f"It is the primary crux in {share.runs} of {found.runs} runs: {percent(share.share)},"
        f" 95% interval {percent(share.low)} to {percent(share.high)}.",
        width,
        "  ",
    )
    yield scale(share, min(SCALE_MAX, width - 14))
    yield from wrap_text(interpret_interval(found), width, "  ")
    best = found.cruxes[0]
    if best.locked < best.found.runs:
        yield from wrap_text(
            f"It was locked in {best.locked} of the {best.found.runs} runs that found it.", width, "  "
        )


def scale(share: Share, width: int) -> Text:
    """The interval between 0 and 100 %, with the share in it."""
    width = max(10, width)
    low, here, high = (round(x * (width - 1)) for x in (share.low, share.share, share.high))
    line = Text("  0% ", FAINT)
    line.append("·" * low, FAINT)
    line.append("━" * (here - low), ACCENT)
    line.append("●", f"bold {ACCENT}")
    line.append("━" * (high - here), ACCENT)
    line.append("·" * (width - 1 - high), FAINT)
    line.append(" 100%", FAINT)
    return line


def interpret_interval(found: Stability) -> str:
    """What the interval allows to be said, and no more."""
    share = found.recurrence
    if found.tied:
        others = [f"#{number}" for number in found.tied]
        told = join_names(others) if len(others) <= TIED_NAMED else f"{len(others)} others"
        are = "is" if len(others) == 1 else "are"
        return f"{told} {are} primary as often: which one comes first depends on the seed."
    if share.low > 0.5:
        return "More than half of all seeds can be expected to lead to it."
    if share.high < 0.5:
        return "Less than half of all seeds can be expected to lead to it: what comes first depends on the seed."
    return f"{count_phrase(found.runs, 'run')} are too few to tell whether more than half of all seeds lead to it."


def verdicts(found: Stability, width: int) -> Iterator[Text]:
    yield from title("HOW THE RUNS ENDED")
    figures = len(str(found.runs))
    for verdict, runs in found.verdicts.items():
        yield Text(f"  {runs:>{figures}}  {verdict}")
    if found.without_crux:
        told = f"{count_phrase(found.without_crux, 'run')} found no crux and count{'s' * (found.without_crux == 1)}"
        yield from wrap_text(f"{told} among the {found.runs}.", width, "  ", FAINT)
    early = {ending: runs for ending, runs in found.endings.items() if ending != Ending.NATURAL}
    if early:
        told = join_names([f"{runs} ({ending})" for ending, runs in early.items()])
        yield from wrap_text(f"Ended early: {told}.", width, "  ", FAINT)


# ---------------------------------------------------------------- every crux, every run


def cruxes(found: Stability, width: int) -> Iterator[Text]:
    if not found.cruxes:
        return
    yield from title("CRUXES")
    yield from wrap_text(f"in how many of the {found.runs} runs, and the mean rank", width, "  ", FAINT)
    yield Text(f"  {'':>3}  primary  found  locked   rank", FAINT)
    for crux in found.cruxes[:CRUXES_SHOWN]:
        counts = f"{crux.primary.runs:>7}  {crux.found.runs:>5}  {crux.locked:>6}"
        lead = f"  {f'#{crux.number}':>3}  {counts}  {crux.mean_rank:>5.2f}  "
        if width - len(lead) < TEXT_MIN:
            yield Text(lead.rstrip())
            lead = " " * INDENT
        yield from wrap_text(crux.question, width, lead)
        yield from wordings(crux, width, " " * len(lead))
    if len(found.cruxes) > CRUXES_SHOWN:
        yield Text(f"       and {len(found.cruxes) - CRUXES_SHOWN} more; --json has them all", FAINT)


def wordings(crux: RecurrentCrux, width: int, lead: str) -> Iterator[Text]:
    """How else it was put: whether these ask the same is for people to judge."""
    others = crux.wordings[1:]
    for wording in others[:WORDINGS_SHOWN]:
        yield from wrap_text(wording.question, width, f"{lead}or: ", FAINT)
    if len(others) > WORDINGS_SHOWN:
        yield from wrap_text(f"and {len(others) - WORDINGS_SHOWN} more wordings", width, lead, FAINT)
    if crux.spread >= APART:
        yield from wrap_text("These wordings lie far apart: they may be more than one question.", width, lead, FAINT)


def outcomes(found: Stability, width: int) -> Iterator[Text]:
    """All runs of a few; of many, those that came to something else."""
    few = found.runs <= RUNS_SHOWN
    rows = [o for o in found.outcomes if few or o.primary is None or o.primary != found.primary_crux]
    if not rows:
        return
    yield from title("RUNS" if few else "RUNS THAT CAME TO SOMETHING ELSE")
    seed = max(4, *(len(str(o.seed)) for o in rows))
    verdict = max(7, *(cell_len(verdict_label(o)) for o in rows))
    room = min(max(3, *(cell_len(o.run_id) for o in rows)), max(8, width - seed - verdict - 18))
    yield Text(f"  {'seed':>{seed}}  {'run':<{room}}  {'verdict':<{verdict}}  cruxes", FAINT)
    for o in rows[:RUNS_SHOWN]:
        told = " ".join(f"#{number}" for number in o.cruxes) or "none"
        yield Text(f"  {o.seed:>{seed}}  {fit_cell(o.run_id, room)}  {verdict_label(o):<{verdict}}  {told}")
    if len(rows) > RUNS_SHOWN:
        yield Text(f"  and {count_phrase(len(rows) - RUNS_SHOWN, 'run')} more; --json has them all", FAINT)


def verdict_label(outcome: RunOutcome) -> str:
    early = "" if outcome.ending is Ending.NATURAL else f" ({outcome.ending.value})"
    return f"{outcome.verdict.value}{early}"


def fit_cell(text: str, width: int) -> str:
    text = clean(text)
    return set_cell_size(text, width) if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"
