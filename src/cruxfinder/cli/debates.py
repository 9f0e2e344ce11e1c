"""The commands that run debates: demo, debate, resume, replay, fork."""

from enum import StrEnum
from typing import Annotated, Final

import typer

commands = typer.Typer()

PANEL: Final = "Debates"
DEMO_PACK: Final = "bitcoin"
DEMO_SEED: Final = 24  # two cruxes; on the way a lock fails, steelmans are retried, and minds change
DEMO_PACE: Final = 0.15  # wall seconds a debate second: half a minute for the whole


class Embedder(StrEnum):
    STATIC = "static"
    KEYWORD = "keyword"


class Pace(StrEnum):
    FAST = "fast"
    LIVE = "live"

    @property
    def wall_seconds(self) -> float:
        """For one second of debate."""
        return 1.0 if self is Pace.LIVE else 0.0


RunId = Annotated[str, typer.Argument(metavar="RUN", help="A run's id; `crux list` shows them.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show refused messages too.")]
PaceOption = Annotated[Pace, typer.Option("--pace", help="As fast as answers come, or at the debate's own speed.")]


@commands.command(rich_help_panel=PANEL)
def demo(
    ctx: typer.Context,
    fast: Annotated[bool, typer.Option("--fast", help="Do not slow it down for watching.")] = False,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Watch five believers find what their quarrel about Bitcoin turns on."""
    from cruxfinder.cli import output

    pace = 0.0 if fast or json or not output.in_terminal() else DEMO_PACE
    run_debate(ctx, DEMO_PACK, seed=DEMO_SEED, pace=pace, json=json, verbose=verbose)


@commands.command(rich_help_panel=PANEL)
def debate(
    ctx: typer.Context,
    pack: Annotated[str, typer.Argument(metavar="PACK", help="A pack's name, or the path of its .yaml file.")],
    agents: Annotated[str | None, typer.Option(metavar="A,B,…", help="Only these agents, in this order.")] = None,
    seed: Annotated[int, typer.Option(help="The same pack and seed give the same debate.")] = 0,
    max_messages: Annotated[int | None, typer.Option(metavar="N", help="End after so many messages.")] = None,
    max_minutes: Annotated[float | None, typer.Option(metavar="X", help="End after so much debate time.")] = None,
    max_calls: Annotated[int | None, typer.Option(metavar="N", help="End after so many answers were paid for.")] = None,
    embedder: Annotated[
        Embedder, typer.Option(help="What tells that two texts are alike: the model shipped, or shared words.")
    ] = Embedder.STATIC,
    pace: PaceOption = Pace.FAST,
    off: Annotated[str | None, typer.Option(metavar="RULE,…", help="Leave these rules out, as an ablation.")] = None,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Let the believers of a pack debate its topic."""
    run_debate(
        ctx,
        pack,
        agents=agents,
        seed=seed,
        max_messages=max_messages,
        max_minutes=max_minutes,
        max_calls=max_calls,
        embedder=embedder,
        off=off,
        pace=pace.wall_seconds,
        json=json,
        verbose=verbose,
    )


def run_debate(
    ctx: typer.Context,
    pack: str,
    *,
    agents: str | None = None,
    seed: int,
    max_messages: int | None = None,
    max_minutes: float | None = None,
    max_calls: int | None = None,
    embedder: Embedder = Embedder.STATIC,
    off: str | None = None,
    pace: float,
    json: bool,
    verbose: bool,
) -> None:
    from cruxfinder import app, library
    from cruxfinder.cli import place, session, views

    settings = library.settings(
        max_messages, max_minutes, named(off, "rule"), max_calls=max_calls, embedder=embedder.value
    )
    chosen = named(agents, "agent")
    found = library.found(pack)
    app.seated(found, chosen)
    run = app.new_run_id(found)
    view = views.chosen(run, place.suffix(ctx), json=json, verbose=verbose)
    with place.opened(ctx) as store, session.told_how_to_resume(ctx, run):
        finished = session.conduct(
            lambda hear: app.start(
                found, store, agents=chosen, seed=seed, settings=settings, listener=hear, pace=pace, run=run
            ),
            view,
            store,
            run,
        )
        view.end(finished)


def named(given: str | None, what: str) -> tuple[str, ...]:
    """The names in a list with commas; an empty list is a slip, not a wish for everything."""
    from cruxfinder.errors import BadInput

    if given is None:
        return ()
    names = tuple(name.strip() for name in given.split(","))
    if not all(names):
        raise BadInput(f"{given!r} lacks the name of an {what}" if what == "agent" else f"{given!r} lacks a {what}")
    return names


@commands.command(rich_help_panel=PANEL)
def resume(
    ctx: typer.Context, run: RunId, pace: PaceOption = Pace.FAST, json: Json = False, verbose: Verbose = False
) -> None:
    """Go on with a run that was interrupted."""
    from cruxfinder import app
    from cruxfinder.cli import place, session, views

    view = views.chosen(app.checked_run(run), place.suffix(ctx), json=json, verbose=verbose)
    with place.opened(ctx) as store, session.told_how_to_resume(ctx, run):
        finished = session.conduct(
            lambda hear: app.resume(run, store, listener=hear, pace=pace.wall_seconds), view, store, run
        )
        view.end(finished)


@commands.command(rich_help_panel=PANEL)
def fork(
    ctx: typer.Context,
    run: RunId,
    at: Annotated[int, typer.Option(metavar="N", help="Share the first N events.")],
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="What changes from there; may be given several times."),
    ] = None,
    pace: PaceOption = Pace.FAST,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Branch off a run: the same first N events, then something changed."""
    from cruxfinder import app
    from cruxfinder.cli import place, session, views

    branch = app.new_fork_id(app.checked_run(run))
    view = views.chosen(branch, place.suffix(ctx), json=json, verbose=verbose)
    with place.opened(ctx) as store, session.told_how_to_resume(ctx, branch):
        finished = session.conduct(
            lambda hear: app.fork(run, at, changes or (), store, listener=hear, pace=pace.wall_seconds, run=branch),
            view,
            store,
            branch,
        )
        view.end(finished)


@commands.command(rich_help_panel=PANEL)
def replay(
    ctx: typer.Context,
    run: RunId,
    pace: Annotated[
        Pace | None, typer.Option("--pace", help="Watch it again: at once, or at the debate's own speed.")
    ] = None,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Run a finished debate again and compare it with its log, byte for byte."""
    import asyncio

    from cruxfinder import app
    from cruxfinder.cli import exits, follow, output, place, session, views

    with place.opened(ctx) as store:
        finished = asyncio.run(app.replay(app.checked_run(run), store))
        if json:
            output.print_json(finished.result)
            return
        count = len(finished.events)
        print(f"Run {run} replayed: all {count} events are the same, byte for byte.", flush=True)
        if pace is None:
            return
        view = views.chosen(run, place.suffix(ctx), json=False, verbose=verbose)
        try:
            session.conduct(lambda hear: follow.played(finished, hear, pace.wall_seconds), view, store, run)
        except session.Interrupted:
            raise typer.Exit(exits.INTERRUPTED) from None
        view.end(finished)
