"""The commands on one stored run or two: show, events, watch, stop, answer, diff."""

import asyncio
import sys
from contextlib import aclosing
from typing import Annotated

import typer

from cruxfinder.app import stored_runs
from cruxfinder.cli import debate_views, exits, message_flags, output, session, store_choice
from cruxfinder.cli.follow import follow_log, follow_run
from cruxfinder.cli.shared_flags import Json, RunId, Verbose
from cruxfinder.crux.compare import differences
from cruxfinder.errors import BadInput
from cruxfinder.kernel.journal import log_faults
from cruxfinder.protocols.registry import fold, protocol_of, read_event


def show(
    ctx: typer.Context,
    run: RunId,
    messages: Annotated[bool, typer.Option("--messages", "-m", help="Show what was said, too.")] = False,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Show what a run came to; of one that is not over, how far it got."""
    view = debate_views.choose_view(stored_runs.checked_run(run), store_choice.suffix(ctx), json=json, verbose=verbose)
    with store_choice.open_store(ctx) as store:
        finished = stored_runs.load_run(run, store)
    with log_faults(f"the events of run {run}:"):
        if messages:
            for event in finished.events:
                view.hear(event)
        view.end(finished)


def events(
    ctx: typer.Context,
    run: RunId,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="As stored: one JSON object a line.")] = False,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until the run is over.")] = False,
    *,
    only_messages: message_flags.MessageFlags,
) -> None:
    """Print the events of a run, or those of its messages that fit."""
    stored_runs.checked_run(run)
    wanted = only_messages.filter
    told = debate_views.EventFormatter()

    def print_event(body: str) -> None:
        with log_faults(f"the events of run {run}:"):
            line = body if jsonl else told.line(body)
        if only is None or only.passes(read_event(body)):
            print(line, flush=follow)

    async def print_as_they_come() -> None:
        async with aclosing(follow_log(run, store)) as bodies:
            async for body in bodies:
                print_event(body)

    with store_choice.open_store(ctx) as store:
        only = message_flags.filter_for_run(wanted, run, store, follow=follow)
        if follow:
            asyncio.run(print_as_they_come())
        else:
            for body in stored_runs.load_log(run, store).events:
                print_event(body)


def watch(
    ctx: typer.Context,
    run: RunId,
    json: Json = False,
    verbose: Verbose = False,
    *,
    only_messages: message_flags.MessageFlags,
) -> None:
    """Follow a run that another process writes, until it is over."""
    stored_runs.checked_run(run)
    wanted = only_messages.filter
    with store_choice.open_store(ctx) as store:
        only = message_flags.filter_for_run(wanted, run, store, follow=True)
        view = debate_views.choose_view(run, store_choice.suffix(ctx), json=json, verbose=verbose, only=only)
        try:
            finished = session.conduct(lambda hear: follow_run(run, store, hear), view, store, run)
        except session.Interrupted:
            print(f"crux: stopped watching; run {run} goes on without you", file=sys.stderr)
            raise typer.Exit(exits.INTERRUPTED) from None
    view.end(finished)


def stop(ctx: typer.Context, run: RunId, json: Json = False) -> None:
    """Ask a run to end with what it has."""
    with store_choice.open_store(ctx) as store:
        if store.row(stored_runs.checked_run(run)).state == "complete":
            raise BadInput(f"run {run} is over already")
        store.request_stop(run)
    if json:
        output.print_json({"runId": run, "stopRequested": True})
    else:
        print(f"Run {run} will end with what it has.")


def answer(
    ctx: typer.Context,
    run: RunId,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What you say to its question.")],
    json: Json = False,
) -> None:
    """Answer the question a conversation waits with."""
    if not text.strip():
        raise BadInput("an answer has words in it")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise BadInput("the answer holds bytes that are no text")
    with store_choice.open_store(ctx) as store:
        events = stored_runs.events_of(stored_runs.load_log(stored_runs.checked_run(run), store))
        state = fold(events) if events else None
        waiting = () if state is None else protocol_of(state.started).open_questions(state)
        if not waiting:
            raise BadInput(f"run {run} waits for no answer")
        if store.reply(run, waiting[0].turn) is not None:
            raise BadInput(f"run {run} has an answer to its question already")
        store.put_reply(run, waiting[0].turn, text.strip())
    if json:
        output.print_json({"runId": run, "turn": waiting[0].turn, "answer": text.strip()})
    else:
        print(f"Run {run} has your answer.")


def diff(
    ctx: typer.Context,
    a: Annotated[str, typer.Argument(metavar="A", help="A run's id.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another run's id.")],
    json: Json = False,
) -> None:
    """Compare what two runs came to."""
    with store_choice.open_store(ctx) as store:
        before, after = stored_runs.load_run(a, store), stored_runs.load_run(b, store)
    found = differences(before.result, after.result)
    if json:
        output.print_json(found)
    elif found:
        output.print_differences(a, b, found)
    else:
        print("The two runs came to the same.")
