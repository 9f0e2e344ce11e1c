"""All routes against their own OpenAPI document: whatever is sent, no fault of the server and no undescribed answer."""

from collections.abc import Generator
from typing import Any, Final

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.specs.openapi.schemas import OpenApiSchema

from cruxfinder.app.server_setup import Setup
from cruxfinder.server.guard import GuardPolicy
from tests.server.hosting import begun, ended, hosted

pytestmark = pytest.mark.slow

EXAMPLES: Final = 40
# What keeps to the schema may still be refused: a pack that is not there, a run that is over.
LEFT_OUT: Final = ("positive_data_acceptance",)


@pytest.fixture(scope="module")
def place(shared: Setup) -> Generator[tuple[str, str]]:
    with hosted(shared, GuardPolicy(writes_a_minute=100_000)) as address, httpx2.Client(base_url=address) as client:
        run = begun(client)
        ended(client, run)
        yield address, run


@pytest.fixture(scope="module")
def document(place: tuple[str, str]) -> OpenApiSchema:
    return schemathesis.openapi.from_url(f"{place[0]}/api/openapi.json")


OPERATIONS: Final = [
    ("GET", "/api/health"),
    ("GET", "/api/packs"),
    ("GET", "/api/form"),
    ("GET", "/api/formats"),
    ("GET", "/api/debates"),
    ("POST", "/api/debates"),
    ("GET", "/api/debates/{run}"),
    ("GET", "/api/debates/{run}/events"),
    ("GET", "/api/debates/{run}/result"),
    ("GET", "/api/debates/{run}/brief"),
    ("POST", "/api/debates/{run}/stop"),
    ("POST", "/api/debates/{run}/resume"),
    ("POST", "/api/debates/{run}/fork"),
    ("POST", "/api/debates/{run}/answer"),
    ("GET", "/api/debates/{run}/seats"),
    ("POST", "/api/debates/{run}/seats/{agent}"),
    ("GET", "/api/debates/{run}/export/{format}"),
    ("GET", "/api/debates/{run}/report"),
    ("POST", "/api/votes"),
    ("GET", "/api/gate"),
    ("GET", "/api/gate/days/{day}"),
]


def test_every_route_is_described(place: tuple[str, str]) -> None:
    paths = httpx2.get(f"{place[0]}/api/openapi.json").json()["paths"]
    described = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert described == set(OPERATIONS)
    for path, methods in paths.items():
        for method, operation in methods.items():
            refusals = {status for status in operation["responses"] if status.startswith(("4", "5"))}
            assert {"401", "403"} <= refusals, path
            assert method == "get" or {"400", "413", "415", "422", "429"} <= refusals, path
            for status in refusals:
                assert set(operation["responses"][status]["content"]) == {"application/problem+json"}


MODES: Final = [
    pytest.param(method, path, mode, id=f"{method} {path} {mode.value}")
    for method, path in OPERATIONS
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    if mode is GenerationMode.POSITIVE or method == "POST" or "debates" in path or "{" in path  # something to get wrong
]


@pytest.mark.parametrize(("method", "path", "mode"), MODES)
def test_whatever_is_sent_is_answered_as_described(
    document: OpenApiSchema, place: tuple[str, str], method: str, path: str, mode: GenerationMode
) -> None:
    operation = document[path][method]
    left_out = [check for name in LEFT_OUT for check in CHECKS.get_by_names([name])]

    def send(case: Any, known: bool) -> None:
        if known and mode is GenerationMode.POSITIVE and "run" in (case.path_parameters or {}):
            case.path_parameters["run"] = place[1]
        case.call_and_validate(excluded_checks=left_out, timeout=20)

    checked = given(case=operation.as_strategy(generation_mode=mode), known=st.booleans())(send)
    settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )(checked)()
