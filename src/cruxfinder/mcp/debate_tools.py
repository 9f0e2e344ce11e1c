"""Whole debates as tools: start, status, result, stop. They go on between the calls, because clients cut long ones."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature
from typing import Annotated, Any, Final, cast

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult
from pydantic import Field, WithJsonSchema

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.app import stored_runs
from cruxfinder.app.debate_request import DebateRequest, check_subject, request_fields
from cruxfinder.app.hosting import DebateHost, DebateState
from cruxfinder.app.options import OptionField, SetBy, checked_value, schema_of
from cruxfinder.app.server_setup import WITH_MODEL, Setup, within_server
from cruxfinder.kernel import wire
from cruxfinder.mcp import tool_words
from cruxfinder.mcp.tool_faults import as_tool_error, tool_result
from cruxfinder.mcp.tool_offer import ENDS, READS, THINKS, host_of, offer
from cruxfinder.mcp.tool_shapes import MessageShape, ResultShape, StatusShape, StopShape, ThreadStatusShape
from cruxfinder.protocols.any_run import AnyEvent, AnyState, Finished
from cruxfinder.protocols.protocol_list import protocol_named
from cruxfinder.protocols.registry import fold, protocol_of
from cruxfinder.telling.figures import count_said

PACKS: Final = ", ".join(pack_finder.names())
SUBJECT: Final = {
    "type": "string",
    "minLength": 1,
    "maxLength": 2_000,
    "description": f"A pack ({PACKS}), or a topic as a sentence.",
}
LAST: Final = 3
LOOK_S: Final = 0.1
WAIT_S_MAX: Final = 30.0

Run = Annotated[str, Field(min_length=1, max_length=64, description="A run's id.")]


def add_debate_tools(server: MCPServer[DebateHost], setup: Setup) -> None:
    add_start(server, setup)
    add_follow_tools(server)


def add_start(server: MCPServer[DebateHost], setup: Setup) -> None:
    async def debate_start(
        ctx: Context[DebateHost],
        subject: Annotated[Any, WithJsonSchema(SUBJECT)],
        **asked: Any,
    ) -> Annotated[CallToolResult, StatusShape]:
        """Begin a whole debate that finds what a disagreement turns on, and return at once with its run id: follow it
        with debate_status, fetch what it came to with debate_result. A pack is debated by
        simulated believers and needs no model. A topic of your own needs a model that is configured for this
        server: whole debates ask too much to think with the caller's model."""
        with as_tool_error():
            request = debate_request(setup, subject, asked)
            host = host_of(ctx)
            held = await host.start(request)
            await ctx.report_progress(0, message=f"run {held.run} has begun")
            text = f"Run {held.run} has begun. debate_status follows it, debate_result waits for what it comes to."
            return tool_result(dump_shape(await status(host, held.run)), text)

    name_arguments(debate_start, (WITH_MODEL, *request_fields(SetBy.MCP)))
    offer(server, debate_start, "Begin a debate", THINKS)


def add_follow_tools(server: MCPServer[DebateHost]) -> None:
    async def debate_status(ctx: Context[DebateHost], run: Run) -> Annotated[CallToolResult, StatusShape]:
        """How far a debate is: its state, its stage, how much was said, and the last messages."""
        with as_tool_error():
            found = await status(host_of(ctx), run)
            why = f": {found.why}" if found.why else ""
            text = f"Run {run} is {found.state}{why}; {found.messages} messages, {found.stage or 'nothing yet'}."
            return tool_result(dump_shape(found), "\n".join([text, *(f"{m.agent}: {m.content}" for m in found.last)]))

    async def debate_result(
        ctx: Context[DebateHost],
        run: Run,
        wait_s: Annotated[float, Field(ge=0, le=WAIT_S_MAX, description="Wait so long for it to be over.")] = 0,
    ) -> Annotated[CallToolResult, ResultShape]:
        """What a debate came to: the crux map, or the minutes of a conversation. One that is not over says so."""
        with as_tool_error():
            host = host_of(ctx)
            state = await wait_until_over(ctx, host, run, wait_s)
            if state == "complete":
                finished = await asyncio.to_thread(stored_runs.load_run, run, host.store)
                return tool_result(dump_shape(result(finished)), tool_words.outcome_text(finished))
            none = ResultShape(run_id=run, state=state, finished=False, kind="", result=None)
            held = host.find_debate(run)
            why = f": {held.why}" if held is not None and held.why else ""
            return tool_result(dump_shape(none), f"Run {run} is not finished; it is {state}{why}. {HINTS[state]}")

    async def debate_stop(ctx: Context[DebateHost], run: Run) -> Annotated[CallToolResult, StopShape]:
        """Ask a debate to end with what it has; debate_result then tells what that is."""
        with as_tool_error():
            host = host_of(ctx)
            here = await host.state(run) != "open"
            await host.stop(run)
            who = "" if here else ", once somebody goes on with it: this server does not hold it"
            told = f"Run {run} will end with what it has{who}."
            return tool_result(dump_shape(StopShape(run_id=run, stop_requested=True)), told)

    offer(server, debate_status, "How far is a debate?", READS)
    offer(server, debate_result, "What did it come to?", READS)
    offer(server, debate_stop, "End a debate", ENDS)


def debate_request(setup: Setup, subject: object, asked: Mapping[str, Any]) -> DebateRequest:
    """What the arguments ask for, within what the server allows."""
    named = check_subject(subject)
    assert isinstance(named, str), "no JSON is a pack"
    options = {name: value for name, value in asked.items() if name != WITH_MODEL.name}
    with_model = checked_value(WITH_MODEL, asked[WITH_MODEL.name])
    return within_server(setup, DebateRequest(pack_finder.name_of(named), **options), with_model=with_model)


def name_arguments(tool: Callable[..., Any], named: Sequence[OptionField]) -> None:
    """Give a tool an argument for each option, in place of its `**asked`; each may be left out."""
    own = signature(tool)
    kept = [given for given in own.parameters.values() if given.kind is not Parameter.VAR_KEYWORD]
    shown = [Parameter(f.name, Parameter.KEYWORD_ONLY, default=None, annotation=argument_of(f)) for f in named]
    vars(tool)["__signature__"] = own.replace(parameters=[*kept, *shown])


def argument_of(field: OptionField) -> Any:
    """Not checked here: a request does that, in the words of every surface."""
    return Annotated[Any, WithJsonSchema(schema_of(field))]


HINTS: Final[dict[DebateState, str]] = {
    "preparing": "Ask again in a while.",
    "running": "Ask again in a while.",
    "complete": "",
    "failed": "Begin another one.",
    "cut": "The end of its log was lost to damage; begin another one.",
    "open": "This server does not hold it; `crux resume` goes on with a run that nobody holds.",
}


async def wait_until_over(ctx: Context[DebateHost], host: DebateHost, run: str, wait_s: float) -> DebateState:
    """The state once the run is over, or when the time is up; progress is told by events."""
    state, told = await host.state(run), -1
    with anyio.move_on_after(wait_s):
        while wait_s and state not in ("complete", "failed", "cut"):
            held = host.find_debate(run)
            count = len(held.events) if held is not None else (await asyncio.to_thread(host.store.row, run)).entries
            if count > told:
                told = count
                await ctx.report_progress(count, message=f"{count} events")
            await anyio.sleep(LOOK_S)
            state = await host.state(run)
    return state


def result(finished: Finished) -> ResultShape:
    kind = protocol_named(finished.outcome.protocol).outcome_kind.value
    found = cast("dict[str, Any]", wire.camel(finished.outcome))
    return ResultShape(run_id=finished.run, state="complete", finished=True, kind=kind, result=found)


async def status(host: DebateHost, run: str) -> StatusShape:
    state = await host.state(run)
    held = host.find_debate(run)
    if held is not None and not held.is_over:
        events: Sequence[AnyEvent] = held.events
    elif held is not None and state == "failed" and not held.events:
        events = ()
    else:
        events = stored_runs.events_of(await asyncio.to_thread(stored_runs.load_log, run, host.store))
    debate = fold(tuple(events)) if events else None
    return StatusShape(
        run_id=run,
        state=state,
        topic=debate.started.topic if debate is not None else held.topic if held is not None else "",
        events=len(events),
        messages=0 if debate is None else count_said(debate),
        stage=stage(debate),
        threads=[] if debate is None else threads(debate),
        last=[] if debate is None else last_messages(debate),
        why=host.failure_reason(run),
    )


def stage(debate: AnyState | None) -> str:
    if debate is None:
        return ""
    return "over" if debate.complete is not None else protocol_of(debate.started).stage(debate)


def threads(debate: AnyState) -> list[ThreadStatusShape]:
    return [
        ThreadStatusShape(id=t.id, topic=t.topic, stage=t.stage.value, status=t.status.value)
        for t in protocol_of(debate.started).threads(debate).values()
    ]


def last_messages(debate: AnyState) -> list[MessageShape]:
    said = protocol_of(debate.started).said(debate)
    return [MessageShape(agent=one.agent, content=one.content) for one in said[-LAST:]]


def dump_shape(shape: StatusShape | ResultShape | StopShape) -> dict[str, Any]:
    return shape.model_dump(mode="json", by_alias=True)
