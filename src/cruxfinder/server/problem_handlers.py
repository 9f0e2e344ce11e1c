"""What the application answers where something was raised: always a problem. The guard and MCP do without these."""

from typing import Final

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from cruxfinder.errors import CruxfinderError
from cruxfinder.server.problems import OPTION_FAULT, FieldFault, Problem, problem_of

FIELDS_MAX: Final = 20  # faults of one body that are told
TOLD_MAX: Final = 800  # the rules that can be left out are many


def unusable(error: RequestValidationError) -> Problem:
    """What pydantic found; the values themselves are not repeated."""
    faults = [
        FieldFault(field=".".join(str(part)[:80] for part in fault["loc"]), fault=str(fault["msg"])[:TOLD_MAX])
        for fault in error.errors()[:FIELDS_MAX]
    ]
    told = "the request is not usable"
    if faults:
        is_sentence = error.errors()[0]["type"] == OPTION_FAULT
        told = faults[0].fault if is_sentence else f"{faults[0].field}: {faults[0].fault}"
    return Problem(422, told, errors=tuple(faults))


async def on_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return error.response()


async def on_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, CruxfinderError)
    return problem_of(error).response()


async def on_unusable(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return unusable(error).response()


async def on_http(_: Request, error: Exception) -> Response:
    """What the framework itself refuses."""
    assert isinstance(error, HTTPException)
    detail = {404: "there is nothing here", 405: "this method is not offered here"}.get(error.status_code)
    return Problem(error.status_code, detail or str(error.detail)[:TOLD_MAX], error.headers).response()
