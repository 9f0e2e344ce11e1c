"""The page: a fixed set of files, read once; whatever else is asked for is not there."""

import hashlib
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cruxfinder.page.bundle import INDEX, page_files
from cruxfinder.server.problems import Problem

MEDIA: Final = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    data: bytes
    media: str
    etag: str


def read() -> dict[str, PageFile]:
    """The files of the package, by name."""
    return {name: page(data, MEDIA[name.rpartition(".")[2]]) for name, data in page_files().items()}


def page(data: bytes, media: str) -> PageFile:
    return PageFile(data, media, f'"{hashlib.sha256(data).hexdigest()[:32]}"')


def routes(pages: dict[str, PageFile]) -> list[Route]:
    async def index(request: Request) -> Response:
        return answer(request, pages.get(INDEX))

    async def one(request: Request) -> Response:
        return answer(request, pages.get(request.path_params["name"]))

    return [Route("/", index), Route("/page/{name}", one)]


def answer(request: Request, found: PageFile | None) -> Response:
    if found is None:
        raise Problem(404, "there is no such file")
    headers = {"ETag": found.etag, "Cache-Control": "no-cache"}
    if found.etag in (tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=headers)
    return Response(found.data, headers={**headers, "Content-Type": found.media})
