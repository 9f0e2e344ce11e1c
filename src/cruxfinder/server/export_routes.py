"""The routes of files: a run in the format of another program, and its report. Not before the debate is over."""

from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from cruxfinder.app import stored_runs
from cruxfinder.app.hosting import DebateHost
from cruxfinder.exports.formats import Format, export_run
from cruxfinder.page.report_page import report as written
from cruxfinder.server import run_reading
from cruxfinder.server.bodies import JsonRoute
from cruxfinder.server.problems import responses
from cruxfinder.server.request_shapes import Run
from cruxfinder.server.response_shapes import FormatShape, FormatsShape
from cruxfinder.server.server_state import Now, run_in_thread

router = APIRouter(route_class=JsonRoute, tags=["files"])

HTML: Final = "text/html; charset=utf-8"


def files(*media: str) -> dict[int | str, dict[str, Any]]:
    content: dict[str, Any] = {kind.partition(";")[0]: {"schema": {}} for kind in media}
    return {**responses(404, 409, 422, 503), 200: {"description": "The file.", "content": content}}


@router.get("/formats", responses=responses(503))
async def formats() -> FormatsShape:
    """What a run can be exported as."""
    return FormatsShape(formats=[FormatShape(name=each.value, label=each.label) for each in Format])


@router.get(
    "/debates/{run}/export/{format}", response_class=Response, responses=files(*(each.media_type for each in Format))
)
async def export(now: Now, run: Run, format: Format) -> Response:
    """A run that is over as a file."""
    text = await run_in_thread(render_export, stored_runs.checked_run(run), now.host, format)
    return attachment_response(text, format.media_type, f"{run}{format.suffix}")


def render_export(run: str, host: DebateHost, format: Format) -> str:
    found = run_reading.finished_run(run, host)
    return export_run(run, found.events, found.outcome, format)


@router.get("/debates/{run}/report", response_class=Response, responses=files(HTML))
async def report(now: Now, run: Run) -> Response:
    """A run that is over as one HTML file that opens from disk."""
    return attachment_response(
        await run_in_thread(render_report, stored_runs.checked_run(run), now.host), HTML, f"{run}.html"
    )


def render_report(run: str, host: DebateHost) -> str:
    found = run_reading.finished_run(run, host)
    return written(run, found.events, found.outcome)


def attachment_response(text: str, media: str, name: str) -> Response:
    """To be saved, not shown: a file has scripts and texts of its own."""
    headers = {"Content-Type": media, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode(errors="replace"), headers=headers)
