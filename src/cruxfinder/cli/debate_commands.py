"""The commands that run debates: demo, debate, resume, replay, fork. What they do is loaded once one is called."""

from enum import StrEnum
from typing import Annotated, Final

import typer

from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.cli import output
from cruxfinder.cli.model_flags import NamedUrl
from cruxfinder.cli.request_flags import RequestFlags
from cruxfinder.cli.shared_flags import Json, RunId, Verbose
from cruxfinder.errors import BadInput
from cruxfinder.kernel.optional_dependencies import require_extra

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


def load_runs():
    from cruxfinder.cli import debate_runs  # noqa: PLC0415 - all debaters and their prompts, which help does without

    return debate_runs


def demo(
    ctx: typer.Context,
    fast: Annotated[bool, typer.Option("--fast", help="Do not slow it down for watching.")] = False,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Watch five believers find what their quarrel about Bitcoin turns on."""
    pace = 0.0 if fast or json or not output.in_terminal() else DEMO_PACE
    demo_request = DebateRequest(DEMO_PACK, seed=DEMO_SEED)
    load_runs().run_debate(ctx, demo_request, pace=pace, json=json, verbose=verbose)


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
    work = load_runs()
    request = work.resolve_request(asked, subject, quiet=json, browser=browser)
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
        work.run_debate(ctx, request, pace=pace.wall_seconds, json=json, verbose=verbose, icons=icons)


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
    load_runs().resume_run(
        ctx, run, pace=pace.wall_seconds, people_wait=people_wait, base_url=base_url, json=json, verbose=verbose
    )


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
    load_runs().fork_run(
        ctx, run, at, changes or (), pace=pace.wall_seconds, base_url=base_url, json=json, verbose=verbose
    )


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
    load_runs().replay_run(ctx, run, pace=None if pace is None else pace.wall_seconds, json=json, verbose=verbose)
