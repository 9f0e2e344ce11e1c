"""The commands that run debates: demo, debate, resume, replay, fork."""

import asyncio
from enum import StrEnum
from typing import Annotated, Final

import typer

from cruxfinder.adapters.models.allowance import Allowance
from cruxfinder.app import preparing, resumption, run_starts, stored_runs
from cruxfinder.app.debate_plan import plan_debate
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.cli import (
    conversation_flags,
    debate_views,
    exits,
    follow,
    model_options,
    output,
    session,
    store_choice,
)
from cruxfinder.cli.model_flags import NamedUrl
from cruxfinder.cli.request_flags import RequestFlags
from cruxfinder.cli.shared_flags import Json, RunId, Verbose
from cruxfinder.errors import BadInput
from cruxfinder.kernel.optional_dependencies import require_extra
from cruxfinder.kernel.vocabulary import Ending
from cruxfinder.protocols.any_run import Finished

DEMO_PACK: Final = "bitcoin"
DEMO_SEED: Final = 36  # two cruxes; on the way a lock fails, steelmans are retried, and minds change
DEMO_PACE: Final = 0.15  # wall seconds a debate second: half a minute for the whole


class PaceChoice(StrEnum):
    FAST = "fast"
    LIVE = "live"

    @property
    def wall_seconds(self) -> float:
        """For one second of debate."""
        return 1.0 if self is PaceChoice.LIVE else 0.0


PaceOption = Annotated[
    PaceChoice, typer.Option("--pace", help="As fast as answers come, or at the debate's own speed.")
]


PeopleWait = Annotated[
    str | None,
    typer.Option(metavar="SECONDS", help="Go on without an answer after so long."),
]


def demo(
    ctx: typer.Context,
    fast: Annotated[bool, typer.Option("--fast", help="Do not slow it down for watching.")] = False,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Watch five believers find what their quarrel about Bitcoin turns on."""
    pace = 0.0 if fast or json or not output.in_terminal() else DEMO_PACE
    run_debate(ctx, DebateRequest(DEMO_PACK, seed=DEMO_SEED), pace=pace, json=json, verbose=verbose)


def debate(
    ctx: typer.Context,
    subject: Annotated[
        str, typer.Argument(metavar="PACK|TOPIC", help="A pack's name or .yaml file; or a topic, for models to debate.")
    ],
    pace: PaceOption = PaceChoice.FAST,
    runs: Annotated[
        int | None, typer.Option(metavar="N", help="Hold it N times with other seeds: does the crux recur?")
    ] = None,
    icons: Annotated[bool, typer.Option("--icons/--no-icons", help="The speakers' icons.")] = True,
    browser: Annotated[bool, typer.Option("--browser", help="Hold it on the page of `crux serve`.")] = False,
    json: Json = False,
    verbose: Verbose = False,
    *,
    asked: RequestFlags,
) -> None:
    """Let the believers of a pack debate its topic, or models debate a topic of yours."""
    request = asked.resolve(subject, quiet=json, browser=browser)
    if browser:
        if runs is not None or json:
            raise BadInput("--browser shows one debate on a page: leave out --runs and --json")
        require_extra("server")
        from cruxfinder.cli.browser_debate import hold_in_browser  # noqa: PLC0415 - the extra `server`

        # As a reader can follow it, unless it is held at the debate's own speed.
        hold_in_browser(ctx, request, pace=pace.wall_seconds or DEMO_PACE)
    elif runs is not None:
        from cruxfinder.cli.repeated_debate import repeat_debate  # noqa: PLC0415 - draws with rich: 20 ms

        repeat_debate(ctx, request, runs=runs, json=json)
    else:
        run_debate(ctx, request, pace=pace.wall_seconds, json=json, verbose=verbose, icons=icons)


def run_debate(
    ctx: typer.Context, request: DebateRequest, *, pace: float, json: bool, verbose: bool, icons: bool = True
) -> None:
    plan = plan_debate(request)
    with store_choice.open_store(ctx) as store:
        store.check_writable()  # a store that is none is told before anything is paid for
        model_options.print_estimate(plan)
        ready = session.run_without_view(preparing.prepare_plan(plan))
        run = run_starts.new_run_id(ready.pack.name)
        view = debate_views.choose_view(run, store_choice.suffix(ctx), json=json, verbose=verbose, icons=icons)
        model_options.announce(ready)
        with session.explain_resume(ctx, run):
            finished = session.conduct(
                lambda hear: preparing.run_prepared(ready, store, run=run, listener=hear, pace=pace), view, store, run
            )
            view.end(finished)
    if finished.outcome.ending is Ending.FAULTS:
        raise typer.Exit(exits.FAULT)


def resume(
    ctx: typer.Context,
    run: RunId,
    pace: PaceOption = PaceChoice.FAST,
    people_wait: PeopleWait = None,
    base_url: NamedUrl = None,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Go on with a run that was interrupted."""
    view = debate_views.choose_view(stored_runs.checked_run(run), store_choice.suffix(ctx), json=json, verbose=verbose)
    with store_choice.open_store(ctx) as store, session.explain_resume(ctx, run):

        def go_on(allowed: Allowance) -> Finished:
            return session.conduct(
                lambda hear: resumption.resume(
                    run,
                    store,
                    thinking=model_options.pace(),
                    listener=hear,
                    pace=pace.wall_seconds,
                    user=conversation_flags.people_at_terminal(quiet=json, people_wait=people_wait),
                    allowed=allowed,
                ),
                view,
                store,
                run,
            )

        view.end(model_options.resume_confirming_address(go_on, model_options.allowance(base_url), quiet=json))


def fork(
    ctx: typer.Context,
    run: RunId,
    at: Annotated[int, typer.Option(metavar="N", help="Share the first N events.")],
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="What changes from there; may be given several times."),
    ] = None,
    pace: PaceOption = PaceChoice.FAST,
    base_url: NamedUrl = None,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Branch off a run: the same first N events, then something changed."""
    branch = resumption.new_fork_id(stored_runs.checked_run(run))
    view = debate_views.choose_view(branch, store_choice.suffix(ctx), json=json, verbose=verbose)
    with store_choice.open_store(ctx) as store, session.explain_resume(ctx, branch):

        def go_on(allowed: Allowance) -> Finished:
            return session.conduct(
                lambda hear: resumption.fork(
                    run,
                    at,
                    changes or (),
                    store,
                    thinking=model_options.pace(),
                    listener=hear,
                    pace=pace.wall_seconds,
                    run=branch,
                    user=conversation_flags.people_at_terminal(quiet=json),
                    allowed=allowed,
                ),
                view,
                store,
                branch,
            )

        view.end(model_options.resume_confirming_address(go_on, model_options.allowance(base_url), quiet=json))


def replay(
    ctx: typer.Context,
    run: RunId,
    pace: Annotated[
        PaceChoice | None, typer.Option("--pace", help="Watch it again: at once, or at the debate's own speed.")
    ] = None,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Run a finished debate again and compare it with its log, byte for byte."""
    with store_choice.open_store(ctx) as store:
        finished = asyncio.run(resumption.replay(stored_runs.checked_run(run), store))
        if json:
            output.print_json(finished.outcome)
            return
        count = len(finished.events)
        print(f"Run {run} replayed: all {count} events are the same, byte for byte.", flush=True)
        if pace is None:
            return
        view = debate_views.choose_view(run, store_choice.suffix(ctx), json=False, verbose=verbose)
        try:
            session.conduct(lambda hear: follow.play_events(finished, hear, pace.wall_seconds), view, store, run)
        except session.Interrupted:
            raise typer.Exit(exits.INTERRUPTED) from None
        view.end(finished)
