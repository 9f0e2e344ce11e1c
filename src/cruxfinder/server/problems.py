"""How the server says what went wrong: application/problem+json, one sentence, without the paths of this machine."""

import http
import json
import logging
from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from cruxfinder.app.public_faults import HIDDEN, SENTENCE_MAX, public_message
from cruxfinder.errors import (
    BadInput,
    BadOption,
    Busy,
    CruxfinderError,
    LogFault,
    NoSuchRun,
    NotAsked,
    RunTaken,
    StaleWriter,
    StoreFault,
)
from cruxfinder.kernel.wire import camel_name

LOG: Final = logging.getLogger(__name__)
MEDIA: Final = "application/problem+json"
BUSY_S: Final = 10
OPTION_FAULT: Final = "option"  # what validation calls a fault that is told in a sentence of its own
SLUGS: Final = {
    400: "unreadable",
    401: "token-needed",
    403: "not-from-here",
    404: "not-there",
    405: "not-offered",
    408: "too-slow",
    409: "not-now",
    413: "too-large",
    415: "not-json",
    422: "not-usable",
    429: "too-much",
    431: "too-large",
    500: "a-fault",
    503: "out-of-order",
}


class FieldFault(BaseModel):
    """What is wrong with one part of a request."""

    field: str
    fault: str


class ProblemShape(BaseModel):
    """RFC 9457."""

    model_config = ConfigDict(title="Problem")

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldFault] = Field(default_factory=list[FieldFault], description="Of a request that is not usable.")


class Problem(Exception):
    """An answer that is a problem."""

    def __init__(
        self, status: int, detail: str, headers: Mapping[str, str] | None = None, errors: tuple[FieldFault, ...] = ()
    ) -> None:
        super().__init__(detail)
        self.status: Final = status
        self.detail: Final = detail
        self.headers: Final = dict(headers or {})
        self.errors: Final = errors

    def response(self) -> Response:
        body: dict[str, Any] = {
            "type": f"urn:cruxfinder:problem:{SLUGS.get(self.status, 'other')}",
            "title": http.HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
        }
        if self.errors:
            body["errors"] = [fault.model_dump() for fault in self.errors]
        # ASCII, so that a text which is no Unicode can be told, too.
        return Response(json.dumps(body), self.status, self.headers, MEDIA)


def problem_of(error: CruxfinderError) -> Problem:
    match error:
        case NoSuchRun():
            return Problem(404, public_message(error))
        case Busy():
            return Problem(429, public_message(error), {"Retry-After": str(BUSY_S)})
        case RunTaken() | StaleWriter() | NotAsked():
            return Problem(409, public_message(error))
        case BadOption():
            told = error.sentence(camel_name)[:SENTENCE_MAX]
            return Problem(422, told, errors=(FieldFault(field=f"body.{camel_name(error.option)}", fault=told),))
        case BadInput():
            return Problem(422, public_message(error))
        case StoreFault():
            return Problem(503, public_message(error))
        case LogFault():
            LOG.warning("%s", error)
            return Problem(503, HIDDEN)
        case _:
            return Problem(503, public_message(error))


def responses(*statuses: int, **more: Any) -> dict[int | str, dict[str, Any]]:
    """The problems a route can answer with, for its OpenAPI; every one can be refused by the guard."""
    schema = ProblemShape.model_json_schema(ref_template="#/components/schemas/{model}")
    schema.pop("$defs", None)
    return {
        status: {"description": http.HTTPStatus(status).phrase, "content": {MEDIA: {"schema": schema}}}
        for status in sorted({401, 403, 431, *statuses})
    }
