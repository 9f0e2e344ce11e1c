"""What the commands that run debates do, with debaters, store and view."""

import asyncio
from collections.abc import Sequence

import typer

from cruxfinder.adapters.models.allowance import Allowance
from cruxfinder.app import preparing, resumption, run_starts, stored_runs
from cruxfinder.app.debate_plan import plan_debate
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.model_settings import with_model_settings
from cruxfinder.cli import (
    configured_models,
    conversation_flags,
    debate_views,
    exits,
    follow,
    model_options,
    output,
    session,
    store_choice,
)
from cruxfinder.cli.request_flags import RequestFlags
from cruxfinder.kernel.vocabulary import Ending
from cruxfinder.protocols.any_run import Finished


def resolve_request(asked: RequestFlags, subject: str, *, quiet: bool, browser: bool) -> DebateRequest:
    """The flags, and what the environment, the settings file and the terminal add."""
    request = with_models(asked.request(subject))
    return conversation_flags.with_terminal(request, quiet=quiet, browser=browser)


def with_models(request: DebateRequest) -> DebateRequest:
    """A pack is debated by its believers unless a model is named on the command line; a topic takes what is set."""
    if request.pack is not None and not request.model:
        return request
    found = with_model_settings(request)
    if found.model:
        configured_models.check_usable(found, (found.models or {}).values())
    return found


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


def resume_run(
    ctx: typer.Context,
    run: str,
    *,
    pace: float,
    people_wait: str | None,
    base_url: str | None,
    json: bool,
    verbose: bool,
) -> None:
    view = debate_views.choose_view(stored_runs.checked_run(run), store_choice.suffix(ctx), json=json, verbose=verbose)
    with store_choice.open_store(ctx) as store, session.explain_resume(ctx, run):

        def go_on(allowed: Allowance) -> Finished:
            return session.conduct(
                lambda hear: resumption.resume(
                    run,
                    store,
                    thinking=model_options.pace(),
                    listener=hear,
                    pace=pace,
                    user=conversation_flags.people_at_terminal(quiet=json, people_wait=people_wait),
                    allowed=allowed,
                ),
                view,
                store,
                run,
            )

        view.end(model_options.resume_confirming_address(go_on, model_options.allowance(base_url), quiet=json))


def fork_run(
    ctx: typer.Context,
    run: str,
    at: int,
    changes: Sequence[str],
    *,
    pace: float,
    base_url: str | None,
    json: bool,
    verbose: bool,
) -> None:
    branch = resumption.new_fork_id(stored_runs.checked_run(run))
    view = debate_views.choose_view(branch, store_choice.suffix(ctx), json=json, verbose=verbose)
    with store_choice.open_store(ctx) as store, session.explain_resume(ctx, branch):

        def go_on(allowed: Allowance) -> Finished:
            return session.conduct(
                lambda hear: resumption.fork(
                    run,
                    at,
                    changes,
                    store,
                    thinking=model_options.pace(),
                    listener=hear,
                    pace=pace,
                    run=branch,
                    user=conversation_flags.people_at_terminal(quiet=json),
                    allowed=allowed,
                ),
                view,
                store,
                branch,
            )

        view.end(model_options.resume_confirming_address(go_on, model_options.allowance(base_url), quiet=json))


def replay_run(ctx: typer.Context, run: str, *, pace: float | None, json: bool, verbose: bool) -> None:
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
            session.conduct(lambda hear: follow.play_events(finished, hear, pace), view, store, run)
        except session.Interrupted:
            raise typer.Exit(exits.INTERRUPTED) from None
        view.end(finished)
