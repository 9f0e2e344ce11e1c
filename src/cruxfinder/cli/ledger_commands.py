"""The commands on falsifiers: what was staked in every run, what has come due, and how it came out."""

import sys
import textwrap
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from shutil import get_terminal_size
from typing import Annotated, Final, Literal

import typer
from rich.console import Console
from rich.text import Text

from cruxfinder.app import stakes, stored_runs
from cruxfinder.cli import exits, output, palette, store_choice
from cruxfinder.cli.shared_flags import Json, RunId
from cruxfinder.crux.ledger import (
    BrierStanding,
    Score,
    Stake,
    format_mark,
    is_too_early,
    read_mark,
    stakes_due,
    standings,
)
from cruxfinder.errors import BadInput, CruxfinderError
from cruxfinder.language.calendar_days import iso, read_day
from cruxfinder.language.counts import count_phrase, percent
from cruxfinder.ports import FalsifierOutcome, FalsifierResolution, Mark, RunRow, Store
from cruxfinder.telling.terminal_text import clean, cut

commands = typer.Typer(invoke_without_command=True)

PLAIN_WIDTH: Final = 96
WIDTH_MAX: Final = 100
NAME_MAX: Final = 16
KNOWN_SHOWN: Final = 6
HEAD: Final = ("reference", "who", "side", "due", "outcome")
BRIER: Final = "Brier: 0 sure and right, .25 undecided, 1 sure and wrong"
NOTHING: Final = "There are no falsifiers yet; a debate that locks a question has some: crux debate bitcoin"

Tone = Literal["plain", "strong", "faint", "title", "good", "alarm"]
Line = tuple[tuple[str, Tone], ...]

OneRun = Annotated[str | None, typer.Option("--run", metavar="RUN", help="Only the falsifiers of this run.")]
OnDay = Annotated[str | None, typer.Option("--on", metavar="DATE", help="A day such as 2027-06-30; today if left out.")]


@commands.callback()
def ledger(ctx: typer.Context, run: OneRun = None, json: Json = False) -> None:
    """List what would change whose mind and by when; what is due; record how it came out."""
    if ctx.invoked_subcommand is not None:
        if json or run is not None:
            raise BadInput(f"options go after the command: crux ledger {ctx.invoked_subcommand} …")
        return
    on = day(None)
    with store_choice.open_store(ctx) as store:
        held, faults = gather_stakes(store, on, run)
    if json:
        output.print_json({"on": on, "falsifiers": held, "scores": standings(held)})
    elif held:
        show([*heading(held), *listing(held), *ranking(standings(held))])
    elif not faults:
        print(NOTHING if run is None else f"Run {run} has no falsifiers.")
    exit_on_faults(faults)


@commands.command()
def due(ctx: typer.Context, on: OnDay = None, run: OneRun = None, json: Json = False) -> None:
    """List what has come due and waits for its outcome, the longest overdue first."""
    today = day(on)
    with store_choice.open_store(ctx) as store:
        held, faults = gather_stakes(store, today, run)
    found = stakes_due(held)
    if json:
        output.print_json({"on": today, "falsifiers": found})
    elif found:
        hint = f"Say how one came out: crux ledger resolve RUN REFERENCE met|unmet|void{store_choice.suffix(ctx)}"
        title = f"{count_phrase(len(found), 'falsifier')} due on {today}"
        show([((title, "title"),), *listing(found), (), *wrap_text("", hint, "faint")])
    elif not faults:
        print(nothing_due(held, today))
    exit_on_faults(faults)


@commands.command()
def resolve(
    ctx: typer.Context,
    run: RunId,
    reference: Annotated[str, typer.Argument(metavar="REFERENCE", help="Which falsifier, as `crux ledger` shows it.")],
    outcome: Annotated[str, typer.Argument(metavar="met|unmet|void", help="How it came out; void counts for nobody.")],
    note: Annotated[str, typer.Option(metavar="TEXT", help="Where one can see it.")] = "",
    on: OnDay = None,
    json: Json = False,
) -> None:
    """Record how a falsifier came out, and score who was right."""
    came, today, marked = known_outcome(outcome), day(on), mark(reference)
    said = clean(note.encode("utf-8", "replace").decode())
    with store_choice.open_store(ctx) as store:
        row = store.row(stored_runs.checked_run(run))
        before = find_stake(stakes.stakes_in_run(store, row, today), run, reference)
        check(row, before, came, today)
        store.put_outcome(FalsifierResolution(run=run, mark=marked, outcome=came, day=today, note=said))
        held = stakes.stakes_in_run(store, row, today)
    after = find_stake(held, run, reference)
    if json:
        replaced = None if before.outcome is None else {"outcome": before.outcome, "resolved": before.resolved}
        output.print_json({"falsifier": after, "replaced": replaced, "scores": standings(held)})
        return
    show([*record_lines(before, after), *score_lines(after.scores)])


# ---------------------------------------------------------------- reading


def day(given: str | None) -> str:
    if given is None:
        return date.today().isoformat()
    told = read_day(given.strip())
    if told is None:
        raise BadInput(f"--on {given!r} is no day; write it as 2027-06-30")
    return iso(told)


def known_outcome(given: str) -> FalsifierOutcome:
    try:
        return FalsifierOutcome(given.lower())
    except ValueError:
        raise BadInput(f"{given!r} is no outcome; a falsifier is met, unmet or void") from None


def mark(reference: str) -> Mark:
    found = read_mark(reference)
    if found is None:
        raise BadInput(f"{reference!r} is no reference; it has thread, agent and number, such as t1.ann.1")
    return found


def gather_stakes(store: Store, on: str, run: str | None) -> tuple[tuple[Stake, ...], list[CruxfinderError]]:
    """What was staked in one run or in all; what had to be left out is told."""
    if run is not None:
        return stakes.stakes_in_run(store, store.row(stored_runs.checked_run(run)), on), []
    held, faults = stakes.stakes_in_store(store, on)
    for id, fault in faults.items():
        print(f"crux: run {id} is left out: {clean(str(fault))}", file=sys.stderr)
    return held, list(faults.values())


def find_stake(held: Sequence[Stake], run: str, reference: str) -> Stake:
    wanted = format_mark(mark(reference))
    found = next((stake for stake in held if stake.reference == wanted), None)
    if found is not None:
        return found
    known = [stake.reference for stake in held]
    more = ", …" if len(known) > KNOWN_SHOWN else ""
    has = f"it has {', '.join(known[:KNOWN_SHOWN])}{more}" if known else "it has none at all"
    raise BadInput(f"run {run} has no falsifier {reference}; {has}")


def check(row: RunRow, stake: Stake, came: FalsifierOutcome, on: str) -> None:
    """Refuse what cannot be told yet."""
    if row.state == "open":
        raise BadInput(
            f"run {row.id} is not over, so what it staked may change; `crux resume {row.id}` goes on with it"
        )
    if on < stakes.creation_date(row):
        raise BadInput(f"run {row.id} was made on {stakes.creation_date(row)}; nothing of it came out before")
    if is_too_early(stake, came, on):
        raise BadInput(f"{stake.reference} may be met until {stake.due}; it cannot be unmet on {on}")


def exit_on_faults(faults: Sequence[CruxfinderError]) -> None:
    if faults:
        raise typer.Exit(max(exits.code_of(fault) for fault in faults))


# ---------------------------------------------------------------- words


def nothing_due(held: Sequence[Stake], on: str) -> str:
    if not held:
        return NOTHING
    waiting = sorted((stake.due, stake.run, stake.reference) for stake in held if stake.due and not stake.outcome)
    if not waiting:
        return f"Nothing is due on {on}, and nothing else has a day."
    first, run, reference = waiting[0]
    return f"Nothing is due on {on}; the next is {reference} of {run}, on {first}."


def heading(held: Sequence[Stake]) -> Iterator[Line]:
    runs = count_phrase(len({stake.run for stake in held}), "run")
    states = [stake.state.value for stake in held]
    told = [f"{states.count(s)} {s}" for s in ("due", "waiting", "open-ended", "resolved") if s in states]
    yield ((f"{count_phrase(len(held), 'falsifier')} in {runs}", "title"), (f"  {' · '.join(told)}", "faint"))


def listing(held: Sequence[Stake]) -> Iterator[Line]:
    """Run by run, question by question: a line for each falsifier, and below it what it says."""
    rows = [(s.reference, cut(clean(s.name), NAME_MAX), s.side.value, s.due or "open-ended") for s in held]
    widths = [max(len(name), *(len(row[n]) for row in rows)) for n, name in enumerate(HEAD[:-1])]
    yield ()
    yield ((f"    {align_cells(HEAD[:-1], widths)}  {HEAD[-1]}", "faint"),)
    for run, of_run in groupby(zip(held, rows, strict=True), key=lambda pair: pair[0].run):
        shown = list(of_run)
        yield ()
        yield (run, "strong"), (f"  {clean(shown[0][0].topic)}", "plain")
        for (thread, question), pairs in groupby(shown, key=lambda pair: (pair[0].thread, pair[0].question)):
            yield from wrap_text(f"{thread}  ", question, "faint")
            for stake, row in pairs:
                yield (f"    {align_cells(row, widths)}  ", "strong"), outcome_cell(stake)
                yield from wrap_text("      ", f"{stake.metric}: {stake.threshold} ({stake.deadline})")
                if stake.note:
                    yield from wrap_text("      Note: ", stake.note, "faint")


def outcome_cell(stake: Stake) -> tuple[str, Tone]:
    if stake.outcome is None:
        return ("due now", "alarm") if stake.state.value == "due" else ("–", "faint")
    verdict = f" → {stake.answer.value}" if stake.answer else ""
    return f"{stake.outcome.value}{verdict} ({stake.resolved})", "good"


def align_cells(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))


def wrap_text(lead: str, text: str, tone: Tone = "plain") -> Iterator[Line]:
    indent = " " * len(lead)
    for line in textwrap.wrap(clean(text), width(), initial_indent=lead, subsequent_indent=indent):
        yield ((line, tone),)


def ranking(found: Sequence[BrierStanding]) -> Iterator[Line]:
    if not found:
        return
    packs = len({standing.pack for standing in found}) > 1
    names = [cut(clean(f"{s.name} ({s.pack})" if packs else s.name), NAME_MAX + 16 * packs) for s in found]
    widest = max(len(name) for name in names)
    yield ()
    yield ("WHO WAS RIGHT", "strong"), (f"  mean {BRIER}", "faint")
    for name, standing in zip(names, found, strict=True):
        right = f"right {standing.right} of {standing.count}"
        yield (f"  {name.ljust(widest)}  ", "plain"), (f"{standing.brier:.3f}", "strong"), (f"  {right}", "plain")


def record_lines(before: Stake, after: Stake) -> Iterator[Line]:
    assert after.outcome is not None
    what = f"{after.reference} of {after.run} is {after.outcome.value} on {after.resolved}"
    if after.answer is None:
        means = "it counts for nobody"
    else:
        held = "refutes" if after.answer is not after.side else "speaks for"
        means = f"it {held} {after.name}'s {after.side.value}, so the answer is taken to be {after.answer.value}"
    yield from wrap_text("", f"Recorded: {what}; {means}.")
    if before.outcome is not None:
        yield from wrap_text("", f"This replaces {before.outcome.value} on {before.resolved}.", "faint")
    if after.answer is not None:
        yield from wrap_text("", f"Question: {after.question}", "faint")


def score_lines(scores: Sequence[Score]) -> Iterator[Line]:
    if not scores:
        return
    widest = max(len(clean(score.name)) for score in scores)
    yield ()
    yield ("WHO WAS RIGHT", "strong"), (f"  {BRIER}", "faint")
    for score in sorted(scores, key=lambda score: score.brier):
        verdict: tuple[str, Tone] = ("right", "good") if score.right else ("wrong", "plain")
        if score.credence == 0.5:
            verdict = ("undecided", "plain")
        source = "said in public" if score.source == "committed" else f"in private, {score.source} the evidence"
        yield (
            (f"  {clean(score.name).ljust(widest)}  ", "plain"),
            (f"{score.brier:.3f}", "strong"),
            (f"  {percent(score.credence):>4} for YES  ", "plain"),
            verdict,
            (f"  {source}", "faint"),
        )


# ---------------------------------------------------------------- printing


def width() -> int:
    return min(WIDTH_MAX, max(40, get_terminal_size().columns)) if output.in_terminal() else PLAIN_WIDTH


def show(lines: Sequence[Line]) -> None:
    styles = {
        "plain": "",
        "strong": "bold",
        "faint": palette.FAINT,
        "title": f"bold {palette.ACCENT}",
        "good": palette.SIGNALLED,
        "alarm": palette.TONES["failure"],
    }
    colours = "auto" if output.in_terminal() else None
    console = Console(highlight=False, markup=False, emoji=False, width=width(), color_system=colours)
    for line in lines:
        text = Text.assemble(*((said, styles[tone]) for said, tone in line))
        text.rstrip()
        console.print(text, no_wrap=True, overflow="ellipsis", crop=True)
