"""The command that measures how right the verdict is."""

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from cruxfinder.cli import bench_view, output, shared_flags, writing
from cruxfinder.cruxbench import bench_figure, benchmark, case_bench, outside_finders
from cruxfinder.cruxbench.world_sketches import Kind
from cruxfinder.errors import BadInput

BAR: Final = 30
WORLDS_ONLY: Final = ("worlds", "kinds", "noise", "of", "seed", "ablate", "private")


def bench(
    context: typer.Context,
    worlds: Annotated[int, typer.Option("--worlds", metavar="N", help="Worlds of each kind.")] = benchmark.WORLDS,
    kinds: Annotated[str, typer.Option("--kinds", metavar="KIND,…", help=f"Only these: {', '.join(Kind)}.")] = "",
    noise: Annotated[
        str, typer.Option("--noise", metavar="X,…", help="How far private answers stray, as a standard deviation.")
    ] = "0,0.1,0.2",
    runs: Annotated[
        int, typer.Option("--runs", metavar="N", help="Debates of each world, with other seeds.")
    ] = benchmark.RUNS,
    of: Annotated[
        str,
        typer.Option("--set", metavar="SET", help="Which worlds: open; development, to tune on; reported, to report."),
    ] = "open",
    seed: Annotated[int, typer.Option("--seed", help="Another seed draws other worlds of the same set.")] = 0,
    ablate: Annotated[
        str, typer.Option("--ablate", metavar="RULE,…|all", help="Also leave out each of these rules, one at a time.")
    ] = "",
    finder: Annotated[
        list[str] | None,
        typer.Option(
            "--finder",
            metavar="[NAME=]COMMAND",
            help="Score this program, too: a line of JSON in, a line of JSON out. Can be given several times.",
        ),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="Tell these programs everybody's private answers, as baselines are told.")
    ] = False,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", help="That a program may take for an answer.")
    ] = outside_finders.SECONDS,
    cases: Annotated[
        str,
        typer.Option("--cases", metavar="DIR", help="Take the written cases in this folder, and no planted worlds."),
    ] = "",
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="Processes at once; 0: one a processor.")] = 0,
    keep: Annotated[
        str, typer.Option("--keep", metavar="FILE", help="Keep finished runs there, and do not run them again.")
    ] = "",
    figure: Annotated[str, typer.Option("--figure", metavar="FILE", help="Draw the table as an SVG.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite a figure that is there.")] = False,
    json: shared_flags.Json = False,
) -> None:
    """Measure how often the planted crux of known worlds is found, beside simpler ways to find it."""
    finders = tuple(outside_finders.read_command(given) for given in finder or ())
    if cases:
        refuse_world_options(context)
        plan = case_bench.CasePlan(Path(cases), finders, runs, seconds)
    else:
        plan = benchmark.plan_of(
            worlds=worlds,
            kinds=shared_flags.split_names(kinds or None, "kind of world"),
            noise=read_numbers(noise),
            runs=runs,
            of=of,
            seed=seed,
            ablate=shared_flags.split_names(ablate or None, "rule"),
            finders=finders,
            private=private,
            seconds=seconds,
        )
    drawn = writing.target(figure, force=force) if figure else None
    bar = ProgressBar() if sys.stderr.isatty() else None
    file = Path(keep) if keep else None
    heard = bar and bar.show
    try:
        if isinstance(plan, benchmark.BenchPlan):
            report = benchmark.run_benchmark(plan, jobs=jobs, file=file, heard=heard)
        else:
            report = case_bench.run_cases(plan, jobs=jobs, file=file, heard=heard)
    finally:
        if bar is not None:
            bar.clear()
    if drawn is not None:
        writing.write(drawn, bench_figure.draw(report), force=force)
    if json:
        output.print_json(report)
        return
    for line in bench_view.lines(report):
        print(line)


def refuse_world_options(context: typer.Context) -> None:
    """Raise BadInput if something was set that only planted worlds have: it would be left out silently."""
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in WORLDS_ONLY and source is not None and source.name == "COMMANDLINE":
            raise BadInput(f"{option.opts[0]} is for planted worlds; leave it out with --cases")


def read_numbers(given: str) -> tuple[float, ...]:
    try:
        return tuple(dict.fromkeys(float(part) for part in given.split(",")))
    except ValueError:
        raise BadInput(f"{given!r} is no list of numbers such as 0,0.1") from None


class ProgressBar:
    """One line on the error stream that fills up."""

    def show(self, done: int, of: int) -> None:
        full = BAR * done // max(1, of)
        print(f"\r{'█' * full}{'░' * (BAR - full)} {done:,} of {of:,} runs", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        print(f"\r{' ' * (BAR + 40)}\r", end="", file=sys.stderr, flush=True)
