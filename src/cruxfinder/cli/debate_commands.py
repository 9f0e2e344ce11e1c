"""The commands that run debates: demo, debate, resume, replay, fork."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cruxfinder.cli.model_flags import MODELS, BaseUrl, Fallback, Grammar, JudgeModel, Model, NamedUrl
from cruxfinder.kernel.vocabulary import CRUX
from cruxfinder.protocols.registry import PROTOCOLS

if TYPE_CHECKING:
    from cruxfinder.adapters.models.allowance import Allowance
    from cruxfinder.app.options import Options
    from cruxfinder.protocols.any_run import Finished

commands = typer.Typer()

PANEL: Final = "Debates"
PEOPLE: Final = "Personas of a free topic"
TURNS: Final = "Conversations in turns"
SEATS: Final = "A seat for a person"
DEMO_PACK: Final = "bitcoin"
DEMO_SEED: Final = 36  # two cruxes; on the way a lock fails, steelmans are retried, and minds change
DEMO_PACE: Final = 0.15  # wall seconds a debate second: half a minute for the whole


class Embedder(StrEnum):
    STATIC = "static"
    KEYWORD = "keyword"


class PaceChoice(StrEnum):
    FAST = "fast"
    LIVE = "live"

    @property
    def wall_seconds(self) -> float:
        """For one second of debate."""
        return 1.0 if self is PaceChoice.LIVE else 0.0


RunId = Annotated[str, typer.Argument(metavar="RUN", help="A run's id; `crux list` shows them.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show refused messages too.")]
PaceOption = Annotated[
    PaceChoice, typer.Option("--pace", help="As fast as answers come, or at the debate's own speed.")
]


PeopleWait = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Go on without an answer after so long.", rich_help_panel=SEATS),
]


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
    run_debate(ctx, DEMO_PACK, {}, seed=DEMO_SEED, pace=pace, json=json, verbose=verbose)


@commands.command(rich_help_panel=PANEL)
def debate(
    ctx: typer.Context,
    subject: Annotated[
        str, typer.Argument(metavar="PACK|TOPIC", help="A pack's name or .yaml file; or a topic, for models to debate.")
    ],
    agents: Annotated[str | None, typer.Option(metavar="A,B,…", help="Only these agents, in this order.")] = None,
    seed: Annotated[int, typer.Option(help="The same pack and seed give the same debate.")] = 0,
    max_messages: Annotated[int | None, typer.Option(metavar="N", help="End after so many messages.")] = None,
    max_minutes: Annotated[float | None, typer.Option(metavar="X", help="End after so much debate time.")] = None,
    embedder: Annotated[
        Embedder, typer.Option(help="What tells that two texts are alike: the model shipped, or shared words.")
    ] = Embedder.STATIC,
    pace: PaceOption = PaceChoice.FAST,
    off: Annotated[str | None, typer.Option(metavar="RULE,…", help="Leave these rules out, as an ablation.")] = None,
    runs: Annotated[
        int | None, typer.Option(metavar="N", help="Hold it N times with other seeds: does the crux recur?")
    ] = None,
    blind: Annotated[bool, typer.Option("--blind", help="Debaters do not see who spoke.")] = False,
    plant: Annotated[
        int | None, typer.Option(metavar="N", help="Wrong steelmans to test the graders with; 1 with models.")
    ] = None,
    model: Model = None,
    judge_model: JudgeModel = None,
    fallback: Fallback = None,
    base_url: BaseUrl = None,
    grammar: Grammar = False,
    max_cost: Annotated[
        float | None, typer.Option(metavar="DOLLARS", help="Never spend more.", rich_help_panel=MODELS)
    ] = None,
    max_calls: Annotated[
        int | None, typer.Option(metavar="N", help="Never send more requests.", rich_help_panel=MODELS)
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(metavar="N", help="Never take more tokens.", rich_help_panel=MODELS)
    ] = None,
    per_minute: Annotated[
        int | None, typer.Option(metavar="N", help="Requests a minute.", rich_help_panel=MODELS)
    ] = None,
    at_once: Annotated[
        int | None, typer.Option(metavar="N", help="Requests at a time.", rich_help_panel=MODELS)
    ] = None,
    deadline: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="For one answer, retries included.", rich_help_panel=MODELS)
    ] = None,
    persona: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Personas, as YAML.", rich_help_panel=PEOPLE)
    ] = None,
    position: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="A memo becomes a persona.", rich_help_panel=PEOPLE)
    ] = None,
    transcript: Annotated[
        str | None, typer.Option(metavar="FILE", help="Its speakers become personas.", rich_help_panel=PEOPLE)
    ] = None,
    cast: Annotated[
        int | None, typer.Option(metavar="N", help="How many personas to draw up.", rich_help_panel=PEOPLE)
    ] = None,
    protocol: Annotated[
        str,
        typer.Option(
            help="Look for the crux, or talk it over in turns.",
            rich_help_panel=TURNS,
            metavar=f"[{'|'.join(PROTOCOLS)}]",
        ),
    ] = CRUX,
    roles: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLE=AGENT", help="Who argues which side, or leads.", rich_help_panel=TURNS),
    ] = None,
    anchors: Annotated[
        str | None, typer.Option(metavar="DIR", help="Texts a roundtable may quote from.", rich_help_panel=TURNS)
    ] = None,
    limits: Annotated[
        str | None, typer.Option(metavar="FILE", help="Limits on going in circles, as YAML.", rich_help_panel=TURNS)
    ] = None,
    redundancy: Annotated[
        bool, typer.Option("--redundancy", help="Hold a crux debate to them too.", rich_help_panel=TURNS)
    ] = False,
    together: Annotated[
        bool, typer.Option("--together", help="One reply may hold the turns of several.", rich_help_panel=TURNS)
    ] = False,
    ask: Annotated[
        bool | None, typer.Option("--ask/--no-ask", help="May it ask you? In a terminal it may.", rich_help_panel=TURNS)
    ] = None,
    wait: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How long for your answer.", rich_help_panel=TURNS)
    ] = None,
    icons: Annotated[
        bool, typer.Option("--icons/--no-icons", help="The speakers' icons.", rich_help_panel=TURNS)
    ] = True,
    people: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Take this seat yourself; may be given several times.", rich_help_panel=SEATS
        ),
    ] = None,
    people_wait: PeopleWait = None,
    browser: Annotated[
        bool, typer.Option("--browser", help="Hold it on the page of `crux serve`.", rich_help_panel=SEATS)
    ] = False,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Let the believers of a pack debate its topic, or models debate a topic of yours."""
    from cruxfinder.app import options as run_options
    from cruxfinder.cli import conversation_flags, model_options
    from cruxfinder.errors import BadInput

    said, own = model_options.flags(
        model,
        judge_model,
        fallback,
        base_url,
        grammar=grammar,
        per_minute=per_minute,
        at_once=at_once,
        deadline=deadline,
        max_cost=max_cost,
        max_calls=max_calls,
        max_tokens=max_tokens,
    )
    options = model_options.options(said, own, for_pack=run_options.is_pack(subject))
    options |= {
        "agents": split_names(agents, "agent"),
        "max_messages": max_messages,
        "max_minutes": max_minutes,
        "embedder": embedder.value,
        "off": split_names(off, "rule"),
        "blind": blind,
        "planted": (1 if options.get("model") else 0) if plant is None else plant,
        "personas": persona or (),
        "positions": position or (),
        "transcript": transcript or "",
    }
    if cast is not None:
        options["cast"] = cast
    options |= conversation_flags.options(
        protocol,
        roles,
        anchors,
        limits,
        redundancy=redundancy,
        together=together,
        ask=ask,
        wait=wait,
        plant=plant,
        quiet=json,
    )
    options |= conversation_flags.seats(people, people_wait, quiet=json, browser=browser)
    if browser:
        if runs is not None or json:
            raise BadInput("--browser shows one debate on a page: leave out --runs and --json")
        hold_in_browser(ctx, subject, options, seed=seed, pace=pace)
    elif runs is not None:
        repeat_debate(ctx, subject, options, seed=seed, runs=runs, json=json)
    else:
        run_debate(ctx, subject, options, seed=seed, pace=pace.wall_seconds, json=json, verbose=verbose, icons=icons)


def run_debate(
    ctx: typer.Context,
    subject: str,
    options: "Options",
    *,
    seed: int,
    pace: float,
    json: bool,
    verbose: bool,
    icons: bool = True,
) -> None:
    from cruxfinder.app import debate_runs, preparing
    from cruxfinder.app import options as run_options
    from cruxfinder.cli import debate_views, exits, model_options, session, store_choice
    from cruxfinder.kernel.vocabulary import Ending

    run_options.settings(options)
    with store_choice.open_store(ctx) as store:
        store.check_writable()  # a store that is none is told before anything is paid for
        model_options.print_estimate(subject, options)
        ready = session.run_without_view(preparing.prepare(subject, options))
        debate_runs.with_agents(ready.pack, options.get("agents", ()))
        run = debate_runs.new_run_id(ready.pack)
        view = debate_views.choose_view(run, store_choice.suffix(ctx), json=json, verbose=verbose, icons=icons)
        model_options.announce(ready, options)
        with session.explain_resume(ctx, run):
            finished = session.conduct(
                lambda hear: preparing.run_prepared(ready, store, options, seed, run, listener=hear, pace=pace),
                view,
                store,
                run,
            )
            view.end(finished)
    if finished.outcome.ending is Ending.FAULTS:
        raise typer.Exit(exits.FAULT)


def hold_in_browser(ctx: typer.Context, subject: str, options: "Options", *, seed: int, pace: PaceChoice) -> None:
    """A server of its own that begins with this debate; it goes on until Ctrl-C."""
    from cruxfinder.adapters.models.allowance import check_priced
    from cruxfinder.adapters.models.model_config import ModelConfig
    from cruxfinder.app import options as run_options
    from cruxfinder.app import preparing
    from cruxfinder.app.hosting import DebateHost, HostingSettings
    from cruxfinder.cli import model_options, serve_command, server_parts, store_choice
    from cruxfinder.kernel.caps import Caps

    caps = Caps.of(run_options.settings(options))
    if (models := run_options.models_of(options)) is not None:
        check_priced(caps, models, options.get("models", {}).values())  # before personas are paid for
    # As a reader can follow it, unless it is held at the debate's own speed.
    manner = HostingSettings(
        pace=pace.wall_seconds or DEMO_PACE, wait_s=options.get("wait_s", 0.0), seat_s=options.get("seat_s", 0.0)
    )

    async def first(hall: DebateHost) -> str:
        return (await hall.start_prepared(await preparing.prepare(subject, options), options, seed, manner)).run

    with store_choice.open_store(ctx) as store:
        # Without a model of its own: the page holds this debate, and forks of it within the same caps.
        wished = ModelConfig(
            base_url=options.get("base_url", ""),
            max_cost=options.get("max_cost") or 0.0,
            max_calls=options.get("max_calls") or 0,
            max_tokens=options.get("max_tokens") or 0,
        )
        setup = server_parts.setup_of(server_parts.gate_of("", "", None), store, wished, house=False)
        model_options.print_estimate(subject, options)
        serve_command.run(setup, port=0, browser=True, first=first)


def repeat_debate(ctx: typer.Context, subject: str, options: "Options", *, seed: int, runs: int, json: bool) -> None:
    """The same debate with other seeds, and how often its crux recurs."""
    from cruxfinder.app import options as run_options
    from cruxfinder.app import preparing, repeats
    from cruxfinder.cli import model_options, output, session, stability_view, store_choice
    from cruxfinder.errors import BadInput

    run_options.require_crux_protocol(options)
    if options.get("people"):
        raise BadInput("nobody is asked the same debate several times: leave out --runs, or --people")
    seeds = repeats.seeds_from(seed, runs)
    run_options.settings(options)
    heard = stability_view.RunProgress(runs).hear if output.in_terminal() and not json else None
    with store_choice.open_store(ctx) as store:
        store.check_writable()
        model_options.print_estimate(subject, options, runs)
        ready = session.run_without_view(preparing.prepare(subject, options))
        model_options.announce(ready, options)
        found = session.run_without_view(preparing.repeat_debate(ready, store, options, seeds, heard))
        stability_view.show(found, json=json, suffix=store_choice.suffix(ctx))


def split_names(given: str | None, what: str) -> tuple[str, ...]:
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
    ctx: typer.Context,
    run: RunId,
    pace: PaceOption = PaceChoice.FAST,
    people_wait: PeopleWait = None,
    base_url: NamedUrl = None,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Go on with a run that was interrupted."""
    from cruxfinder.app import debate_runs
    from cruxfinder.cli import conversation_flags, debate_views, model_options, session, store_choice

    view = debate_views.choose_view(debate_runs.checked_run(run), store_choice.suffix(ctx), json=json, verbose=verbose)
    with store_choice.open_store(ctx) as store, session.explain_resume(ctx, run):

        def go_on(allowed: "Allowance") -> "Finished":
            return session.conduct(
                lambda hear: debate_runs.resume(
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


@commands.command(rich_help_panel=PANEL)
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
    from cruxfinder.app import debate_runs
    from cruxfinder.cli import conversation_flags, debate_views, model_options, session, store_choice

    branch = debate_runs.new_fork_id(debate_runs.checked_run(run))
    view = debate_views.choose_view(branch, store_choice.suffix(ctx), json=json, verbose=verbose)
    with store_choice.open_store(ctx) as store, session.explain_resume(ctx, branch):

        def go_on(allowed: "Allowance") -> "Finished":
            return session.conduct(
                lambda hear: debate_runs.fork(
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


@commands.command(rich_help_panel=PANEL)
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
    import asyncio

    from cruxfinder.app import debate_runs
    from cruxfinder.cli import debate_views, exits, follow, output, session, store_choice

    with store_choice.open_store(ctx) as store:
        finished = asyncio.run(debate_runs.replay(debate_runs.checked_run(run), store))
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
