"""The routes of debates (API-3): begin, list, read, watch, result, stop, resume, fork, answer."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Query, Response
from starlette.responses import JSONResponse

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.app import fork_changes, stored_runs
from cruxfinder.app.debate_request import request_fields
from cruxfinder.app.hosting import DebateState, HostedDebate, HostingSettings
from cruxfinder.app.options import SetBy
from cruxfinder.errors import BadInput
from cruxfinder.kernel import wire
from cruxfinder.kernel.run_facts import DebateStarted
from cruxfinder.kernel.wire import camel_name
from cruxfinder.language.numerals import SAFE_INTEGER
from cruxfinder.ports import RunRow
from cruxfinder.protocols.registry import PROTOCOLS, read_event
from cruxfinder.server import begin_request, run_reading
from cruxfinder.server.bodies import JsonRoute
from cruxfinder.server.feed import Feed
from cruxfinder.server.problems import Problem, responses
from cruxfinder.server.request_shapes import (
    ID,
    PACES,
    BeginRequest,
    EmptyRequest,
    ForkRequest,
    ReplyRequest,
    ResumeRequest,
    Run,
    Words,
)
from cruxfinder.server.response_shapes import (
    DebateListShape,
    DebateRowShape,
    DebateShape,
    FormShape,
    NewDebateShape,
    OptionShape,
    PackShape,
    PacksShape,
    PersonaShape,
    ProtocolShape,
    RunStateShape,
)
from cruxfinder.server.server_state import Now, ServerState, run_in_thread
from cruxfinder.server.streams import MEDIA, Stream
from cruxfinder.telling.brief import brief_of
from cruxfinder.telling.message_filter import MessageFilter, resolve_filter

router = APIRouter(route_class=JsonRoute, tags=["debates"])

POSTED: Final = (400, 408, 413, 415, 422, 429, 503)
FRAME: Final = {
    "type": "object",
    "description": "`data` is JSON: an event of the run with its number; as `status` how it stands; its `end`.",
    "properties": {
        "id": {"type": "string"},
        "event": {"enum": ["message", "status", "end"]},
        "data": {"type": "string"},
    },
    "required": ["data"],
}
STREAM: Final = {MEDIA: {"schema": FRAME}}


# ---- begin


@router.get("/packs", responses=responses(503))
async def packs() -> PacksShape:
    """The topics that can be debated without a model, and by whom."""
    found = await run_in_thread(pack_finder.shipped_packs)
    return PacksShape(
        packs=[
            PackShape(
                name=pack.name,
                title=pack.title,
                topic=pack.topic,
                agents=[PersonaShape(id=p.id, name=p.name, about=p.about) for p in pack.personas],
                protocols=list(PROTOCOLS),
            )
            for pack in found
        ]
    )


@router.get("/form", responses=responses(503))
async def form() -> FormShape:
    """What somebody who starts or forks a debate may choose: options with their words and ranges, protocols, keys."""
    return FormShape(
        options=[
            OptionShape(
                name=camel_name(field.name),
                kind=field.kind,
                label=field.option.label,
                help=field.option.help,
                low=field.option.low,
                high=field.option.high,
            )
            for field in request_fields(SetBy.FORM)
        ],
        protocols=[
            ProtocolShape(name=row.name, label=row.label, aim=row.aim, in_turns=row.in_turns)
            for row in PROTOCOLS.values()
        ],
        fork_keys=list(fork_changes.KEYS),
    )


@router.post(
    "/debates",
    status_code=201,
    response_model=NewDebateShape,
    responses={
        **responses(*POSTED),
        200: {"description": "Where text/event-stream is accepted: the stream of the run.", "content": STREAM},
    },
)
async def begin(
    now: Now,
    asked: BeginRequest,
    accept: Annotated[str, Header(max_length=400, include_in_schema=False)] = "",
) -> Response:
    """Begin a debate, of a pack or of a topic; with `Accept: text/event-stream` watch it at once."""
    request = await run_in_thread(begin_request.hosted_request, asked, now.setup)
    watching = MEDIA in accept.lower()
    if watching:
        now.feeds.check_room()  # who cannot watch is told before a debate is begun
    held = await now.host.start(request, begin_request.manner(asked, request))
    if watching:
        return Stream(await now.feeds.join(held.run), now.feeds.leave, after=0, place=url(held.run))
    return created_response(held)


def url(run: str) -> str:
    return f"/api/debates/{run}"


def created_response(held: HostedDebate) -> Response:
    shape = NewDebateShape(id=held.run, topic=held.topic, state=held.state, url=url(held.run))
    return JSONResponse(shape.model_dump(by_alias=True), 201, {"Location": shape.url})


# ---- list and read


@router.get("/debates", responses=responses(404, 422, 503))
async def list_debates(
    now: Now,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[str | None, Query(pattern=ID, max_length=64, description="The `next` of the last page.")] = None,
) -> DebateListShape:
    """The runs, newest first."""
    rows = await run_in_thread(now.host.store.rows)
    place = 0
    if before is not None:
        place = next((n for n, row in enumerate(rows, 1) if row.id == before), -1)
        if place < 0:
            raise Problem(404, f"there is no run {before}")
    page = rows[place : place + limit]
    protocols = await run_in_thread(now.known.protocols, [row.id for row in page])
    return DebateListShape(
        debates=[
            DebateRowShape(
                id=row.id,
                topic=row.topic,
                pack=row.pack,
                state=run_state(row, held := now.host.find_debate(row.id)),
                entries=row.entries,
                created=row.created,
                updated=row.updated,
                parent=row.parent,
                protocol=protocols[row.id],
                waiting=len(run_reading.open_asks(held)),
            )
            for row in page
        ],
        next=page[-1].id if page and place + limit < len(rows) else None,
    )


def run_state(row: RunRow, held: HostedDebate | None) -> DebateState:
    """What failed here may have been brought to its end elsewhere."""
    return row.state if held is None or row.state != "open" else held.state


@router.get("/debates/{run}", responses=responses(404, 422, 503))
async def read(now: Now, run: Run) -> DebateShape:
    """How a run stands, who sits at its table, and who is waited for."""
    return await run_in_thread(run_reading.describe_debate, run, now.host, await now.host.state(run))


@router.get("/debates/{run}/result", response_model=dict[str, Any], responses=responses(404, 409, 422, 503))
async def result(now: Now, run: Run) -> Response:
    """What a debate came to: its crux map (API-2), or the minutes of a conversation. Not before it is over."""
    return Response(await run_in_thread(outcome, now, stored_runs.checked_run(run)), media_type="application/json")


def outcome(now: ServerState, run: str) -> bytes:
    return wire.ENCODER.encode(wire.camel(run_reading.finished_run(run, now.host).outcome)).encode(errors="replace")


@router.get("/debates/{run}/brief", response_model=dict[str, Any], responses=responses(404, 409, 422, 503))
async def brief(now: Now, run: Run) -> Response:
    """What a debate came to in a few strings, as terminal and exports have them. Not before it is over."""
    return Response(await run_in_thread(brief_json, now, stored_runs.checked_run(run)), media_type="application/json")


def brief_json(now: ServerState, run: str) -> bytes:
    return wire.ENCODER.encode(wire.camel(brief_of(run_reading.finished_run(run, now.host).outcome))).encode(
        errors="replace"
    )


# ---- watch


@router.get(
    "/debates/{run}/events",
    response_class=Response,
    responses={
        **responses(404, 422, 503),
        200: {"description": "The events, as they happen.", "content": STREAM},
        204: {"description": "The debate is over and everything was sent before."},
    },
)
async def events(
    now: Now,
    run: Run,
    after: Annotated[int, Query(ge=0, le=SAFE_INTEGER, description="Only what comes after event N.")] = 0,
    thread: Words = [],  # noqa: B006
    agent: Words = [],  # noqa: B006
    topic: Words = [],  # noqa: B006
    since: Annotated[int, Query(ge=0, le=SAFE_INTEGER, description="Debate time in milliseconds.")] = 0,
    last_event_id: Annotated[str | None, Header(pattern="^[0-9]{1,15}$", max_length=15)] = None,
) -> Response:
    """Every event of a run (API-1) as server-sent events; with a filter, only the messages that match.

    `id` is the number of the event in the run's log. Private answers are left out until the debate is over.
    """
    stored_runs.checked_run(run)
    wanted = MessageFilter(threads=tuple(thread), topics=tuple(topic), since_ms=since, agents=tuple(agent))
    reached = int(last_event_id) if last_event_id is not None else after
    feed = await now.feeds.join(run)
    try:
        only = filter_for_feed(feed, wanted)
        if feed.has_ended and reached >= feed.event_count and (reached or last_event_id is not None):
            now.feeds.leave(feed)
            return Response(status_code=204)
        return Stream(feed, now.feeds.leave, min(reached, feed.event_count), only)
    except BadInput:
        now.feeds.leave(feed)
        raise


def filter_for_feed(feed: Feed, wanted: MessageFilter) -> MessageFilter | None:
    """The filter with agents by id, where it is known who sits at the table."""
    if not wanted.has_criteria:
        return None
    started = read_event(feed.first) if feed.first else None
    return resolve_filter(wanted, started.seats) if isinstance(started, DebateStarted) else wanted


# ---- lead


@router.post("/debates/{run}/stop", status_code=202, responses=responses(404, 409, *POSTED))
async def stop(now: Now, run: Run, _: EmptyRequest) -> RunStateShape:
    """Ask a run to end with what it has."""
    if await now.host.state(run) in ("complete", "failed"):
        raise Problem(409, f"run {run} is over already")
    await now.host.stop(run)
    return RunStateShape(id=run, state=await now.host.state(run))


@router.post("/debates/{run}/resume", status_code=202, responses=responses(404, 409, *POSTED))
async def resume(now: Now, run: Run, asked: ResumeRequest) -> RunStateShape:
    """Go on with a run that nobody holds."""
    state = await now.host.state(run)
    if state not in ("open", "failed", "cut"):  # of one that is cut, resuming tells how much is left
        raise Problem(409, f"run {run} is {'over' if state == 'complete' else 'under way'} already")
    before = now.host.find_debate(run)
    seat_s = before.manner.seat_s if before is not None else 0.0
    held = await now.host.resume(
        run, HostingSettings(pace=PACES[asked.pace], wait_s=begin_request.ANSWER_S, seat_s=seat_s)
    )
    return RunStateShape(id=run, state=held.state)


@router.post(
    "/debates/{run}/fork", status_code=201, response_model=NewDebateShape, responses=responses(404, 409, *POSTED)
)
async def fork(now: Now, run: Run, asked: ForkRequest) -> Response:
    """A run that shares the first events of one that is over and goes on with something changed."""
    # A fork that ends at once would tell what its parent still keeps private.
    await run_in_thread(run_reading.finished_log, stored_runs.checked_run(run), now.host)
    return created_response(await now.host.fork(run, asked.at, asked.changes, HostingSettings(pace=PACES[asked.pace])))


@router.post("/debates/{run}/answer", status_code=202, responses=responses(404, 409, *POSTED))
async def answer(now: Now, run: Run, asked: ReplyRequest) -> RunStateShape:
    """Answer the question a conversation waits with."""
    text = asked.text.strip()
    if not text:
        raise BadInput("an answer has words in it")
    await run_in_thread(run_reading.reply, stored_runs.checked_run(run), now.host.store, asked.turn, text)
    return RunStateShape(id=run, state=await now.host.state(run))
