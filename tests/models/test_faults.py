"""Whatever a provider does, a debate ends legally, its log is whole, and a hang costs its deadline once."""

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

from bench.fake.server import FAULTS
from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.kernel.run_facts import AskFailed
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Ending, Verdict
from tests import clock
from tests.models.models import Held, Provider, check, completion, failing_at, held, hold, response, table_of

pytestmark = pytest.mark.slow

DEADLINE_S: Final = 0.4
PACE: Final = RequestLimits(deadline_s=DEADLINE_S)
SLACK_S: Final = 0.1
IN_A_ROW: Final = 6
THREE: Final = (FAULTS[0:3], FAULTS[3:6], FAULTS[6:9])
CALLS: Final = 16  # of a short debate that nothing disturbs
ROWS: Final = re.findall(
    r"^\| `([\w ]+)` \|[^|]+\|[^|]+\| `([^`]+)` \|$",
    (Path(__file__).resolve().parents[2] / "docs" / "guide" / "faults.md").read_text("utf-8"),
    re.MULTILINE,
)

# ---- one fault, and six in a row


async def all_checked(providers: Iterable[Provider]) -> list[Held]:
    found = await asyncio.gather(*(hold(provider, pace=PACE) for provider in providers))
    for one in found:
        await check(one)
        assert one.finished.result.ending in {Ending.MESSAGES, Ending.FAULTS, Ending.NATURAL}
        assert one.finished.result.confidence == "LOW"
        assert one.finished.result.verdict in {Verdict.UNDECIDED, Verdict.PARTIAL}  # a question chosen, or none yet
    return found


def test_a_debate_nothing_disturbs_takes_as_many_calls_as_the_tests_below_disturb() -> None:
    assert held(Provider(), pace=PACE).provider.count == CALLS


@pytest.mark.rule("END-2")
@pytest.mark.parametrize("faults", THREE)
def test_one_fault_leaves_the_debate_legal_and_its_log_whole(faults: tuple[str, ...]) -> None:
    found = clock.run(all_checked(Provider(faults=failing_at(n, fault=fault)) for fault in faults for n in (1, 12)))
    assert all(one.finished.result.ending is not Ending.FAULTS for one in found), "one fault loses nobody"


@pytest.mark.rule("END-2")
@pytest.mark.parametrize("faults", THREE)
def test_six_faults_in_a_row_leave_the_debate_legal_and_its_log_whole(faults: tuple[str, ...]) -> None:
    rows = [range(n, n + IN_A_ROW) for n in (1, 10)]
    clock.run(all_checked(Provider(faults=failing_at(*row, fault=fault)) for fault in faults for row in rows))


@pytest.mark.parametrize("number", range(1, CALLS + 1))
def test_every_fault_at_every_call(number: int) -> None:
    clock.run(all_checked(Provider(faults=failing_at(number, fault=fault)) for fault in FAULTS))


@pytest.mark.parametrize("number", range(1, CALLS + 1))
def test_six_faults_in_a_row_from_every_call_on(number: int) -> None:
    row = range(number, number + IN_A_ROW)
    clock.run(all_checked(Provider(faults=failing_at(*row, fault=fault)) for fault in FAULTS))


@pytest.mark.parametrize("seed", range(12))
def test_faults_of_all_kinds_mixed(seed: int) -> None:
    kinds = (*FAULTS, *[""] * 12)
    found = clock.run(
        hold(Provider(faults=lambda n: kinds[(n * 7 + seed * 5) % len(kinds)]), table_of(5), pace=PACE, seed=seed)
    )
    clock.run(check(found))


# ---- a hang


def hangs(at: tuple[int, ...]) -> tuple[Held, int]:
    found = held(Provider(faults=failing_at(*at, fault="hang")), pace=PACE)
    return found, sum(call.fault == "hang" for call in found.provider.calls)


@pytest.mark.parametrize("at", [(12,), (3, 4, 5, 6, 7, 8)], ids=str)
def test_a_hang_costs_its_deadline_once(at: tuple[int, ...]) -> None:
    found, hung = hangs(at)
    assert hung >= 1
    assert DEADLINE_S <= found.took_s <= hung * DEADLINE_S + SLACK_S
    assert found.count("ask_failed") == hung, "no hung call is tried twice"


# ---- what strange responses come to


def strange(message: object = None, **choice: object) -> str:
    return completion("", choices=[{"index": 0, "finish_reason": "stop", "message": message, **choice}])


STRANGE: Final[dict[str, tuple[int, str]]] = {
    "an empty object": (200, "{}"),
    "an array": (200, "[]"),
    "null": (200, "null"),
    "no choices": (200, completion("", choices=[])),
    "choices that are a text": (200, completion("", choices="none")),
    "a choice without a message": (200, strange()),
    "no content": (200, completion(None)),
    "content that is a number": (200, completion(5)),
    "content in parts": (200, completion([{"type": "text", "text": "{}"}])),
    "no usage": (200, completion("{}", usage=None)),
    "usage that is a text": (200, completion("{}", usage="many")),
    "an error with status 200": (200, '{"error": {"message": "upstream", "code": 502}}'),
    "a filtered answer": (200, strange({"role": "assistant", "content": None}, finish_reason="content_filter")),
    "an ending nobody knows": (200, strange({"role": "assistant", "content": "{}"}, finish_reason="tired")),
    "half a character": (200, completion("\ud800 and so on")),
    "control characters": (200, completion("\x00\x01{")),
    "arrays in arrays": (200, "[" * 5000 + "]" * 5000),
    "objects in objects": (200, completion('{"move":' * 3000)),
    "400 in words": (400, "no"),
    "redirect": (307, "{}"),
    "400 as a list": (400, "[1]"),
    "402": (402, '{"error": {"message": "pay"}}'),
    "404": (404, "<html>"),
    "204": (204, ""),
    "304": (304, ""),
    "503": (503, ""),
}
BYTES: Final = {
    "no HTTP": b"\x00\xff nothing of the kind\r\n\r\n",
    "a body that is not compressed": response("{}", 200, "Content-Encoding: gzip"),
    "a chunk without a length": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nabc",
    "bytes that are no text": b'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"\xff\xfe"',
    "a way to nowhere": b"HTTP/1.1 302 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
    "Retry-After: nan": response("{}", 429, "Retry-After: nan"),
    "Retry-After: inf": response("{}", 429, "Retry-After: inf"),
    "Retry-After: -5": response("{}", 429, "Retry-After: -5"),
    "Retry-After: a date": response("{}", 429, "Retry-After: Wed, 21 Oct 2037 07:28:00 GMT"),
    "Retry-After: soon": response("{}", 429, "Retry-After: soon"),
}
FEW: Final = Settings(max_messages=3)
PATIENT: Final = RequestLimits(deadline_s=10)  # none of these is a hang


@pytest.mark.filterwarnings("ignore::Warning:pydantic_ai")
def test_no_response_ends_a_run_however_strange() -> None:
    async def each(name: str) -> None:
        provider = Provider(bodies=STRANGE, raw=BYTES, faults=failing_at(3, 4, 6, fault=name))
        found = await hold(provider, settings=FEW, pace=PATIENT)
        await check(found)
        assert found.finished.result.ending is Ending.MESSAGES, name

    async def every() -> None:
        await asyncio.gather(*(each(name) for name in (*STRANGE, *BYTES)))

    clock.run(every())


# ---- what the user sees


def reasons(found: Held) -> set[str]:
    return {event.reason for event in found.finished.events if isinstance(event, AskFailed)}


def test_every_fault_has_its_row() -> None:
    assert {name for name, _ in ROWS} == {*FAULTS, "gone", "no choices", "bad key", "redirect"}


@pytest.mark.rule("END-2")
@pytest.mark.parametrize(("fault", "seen"), ROWS, ids=[name for name, _ in ROWS])
def test_a_fault_that_lasts_is_told_and_ends_the_debate(fault: str, seen: str) -> None:
    """The rows of docs/guide/faults.md: from the fifth call on nobody is answered any more."""
    pace = RequestLimits(deadline_s=0.2 if fault == "hang" else 1.0)
    if fault == "gone":
        found = held(Provider(), pace=pace, base_url="http://127.0.0.1:9/v1")  # where nobody listens
    else:
        found = held(Provider(faults=lambda n: fault if n > 4 else "", bodies=STRANGE), pace=pace)
    clock.run(check(found))
    assert (found.finished.result.ending, found.finished.result.confidence) == (Ending.FAULTS, "LOW")
    assert reasons(found) and all(seen in reason for reason in reasons(found)), reasons(found)
    assert all(reason.startswith(("fake", "the connection to fake")) for reason in reasons(found))
    assert all(len(reason) < 300 and "\n" not in reason for reason in reasons(found))
