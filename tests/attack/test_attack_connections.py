"""Callers that take all they can get: every descriptor, headers without end, writes without a pause."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2
import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.server_setup import Setup
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.server.application import build
from cruxfinder.server.bodies import CALLERS_MAX, RateLimits, caller_of
from cruxfinder.server.connections import HEADERS_MAX, TELL_S, Doorkeeper
from cruxfinder.server.guard import GuardPolicy
from cruxfinder.server.problems import Problem
from tests.server.hosting import ROOT, WAIT_S, fabricated, hosted

DESCRIPTORS: Final = 64
CALLERS: Final = 100
ASK: Final = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LINUX: Final = pytest.mark.skipif(sys.platform != "linux", reason="what a process takes is read from /proc")
SEAT: Final = pack_finder.find("monolith")[0].personas[0].id


@pytest.fixture
def setup(tmp_path: Path) -> Generator[Setup]:
    with closing(SqliteStore(tmp_path / "runs.db")) as store:
        yield Setup(gate=Gate(rules=rules_in_force(), memory=Memory(tmp_path / "memory"), disabled=False), store=store)


# ---- more connections than descriptors


@dataclass(frozen=True)
class Limited:
    """A server in a process with few descriptors, and what it has written to its log."""

    address: str
    log: Path
    pid: int

    @property
    def lines(self) -> list[str]:
        return self.log.read_text().splitlines()

    @property
    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def connect(self) -> socket.socket:
        place = urlsplit(self.address)
        assert place.hostname and place.port
        return socket.create_connection((place.hostname, place.port), timeout=WAIT_S)

    def wait_until_idle(self) -> None:
        """A server that tries something again and again without a pause never is."""
        until = time.monotonic() + WAIT_S
        before = float("-inf")
        while self.cpu_s - before > 0.1:
            assert time.monotonic() < until, "it keeps the processor busy"
            before = self.cpu_s
            time.sleep(1)

    def healthy(self) -> bool:
        try:
            return httpx2.get(f"{self.address}/api/health", timeout=WAIT_S).status_code == 200
        except httpx2.TransportError:
            return False

    def wait_until_healthy(self) -> None:
        until = time.monotonic() + WAIT_S
        while not self.healthy():
            assert time.monotonic() < until, "it does not serve again"
            time.sleep(0.05)


@contextmanager
def limited(folder: Path, soft: int, hard: int, fitted: str = "fitted") -> Generator[Limited]:
    limits = (str(soft), str(hard), fitted, str(folder / "runs.db"))
    command = [sys.executable, "-m", "tests.attack.limited_serve", *limits]
    log = folder / "log"
    with (
        log.open("w") as errors,
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True) as started,
    ):
        try:
            assert started.stdout is not None
            address = started.stdout.readline().strip().rstrip("/")
            assert address.startswith("http://"), log.read_text()
            yield Limited(address, log, started.pid)
        finally:
            started.kill()


def outcome(connection: socket.socket) -> str:
    """What a connection is told that asks for the server's health: a status, or that it was let go."""
    try:
        connection.sendall(ASK)
        head = connection.recv(4_096)
    except ConnectionError:
        return "closed"
    return head.split(b" ")[1].decode() if head else "closed"


@pytest.mark.slow
@LINUX
def test_a_full_table_answers_at_once_and_serves_again_when_there_is_room(tmp_path: Path) -> None:
    with limited(tmp_path, DESCRIPTORS, DESCRIPTORS) as server, ExitStack() as held:
        connections = [held.enter_context(server.connect()) for _ in range(CALLERS)]
        told = [outcome(connection) for connection in connections]
        served = told.count("200")
        assert 0 < served < DESCRIPTORS
        assert set(told) <= {"200", "503", "closed"} and told.count("503") > 0
        for _ in range(20):  # whoever comes now is told at once, however often
            with server.connect() as late:
                assert outcome(late) in ("503", "closed")
        server.wait_until_idle()
        assert len(server.lines) <= 3 and "are connected" in server.lines[0]
        held.close()
        server.wait_until_healthy()
        assert len(server.lines) <= 3


@pytest.mark.slow
@LINUX
def test_a_refusal_says_when_to_come_again(tmp_path: Path) -> None:
    with limited(tmp_path, DESCRIPTORS, DESCRIPTORS) as server, ExitStack() as held:
        while outcome(held.enter_context(server.connect())) == "200":
            pass
        answer = b""
        with server.connect() as refused:
            while more := refused.recv(4_096):
                answer += more
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b" 503 " in head and b"Retry-After: " in head
    assert json.loads(body)["status"] == 503


@pytest.mark.slow
@LINUX
def test_a_server_without_descriptors_stays_quiet_and_comes_back(tmp_path: Path) -> None:
    """Even where the bound is wrong: the loop itself would log thousands of lines, and try as often."""
    with limited(tmp_path, DESCRIPTORS, DESCRIPTORS, "unfitted") as server, ExitStack() as held:
        for _ in range(CALLERS):
            held.enter_context(server.connect())
        until = time.monotonic() + WAIT_S
        while not server.lines:
            assert time.monotonic() < until, "it has enough descriptors"
            time.sleep(0.05)
        server.wait_until_idle()
        assert len(server.lines) <= 5 and "nobody can connect for now" in server.lines[0]
        held.close()
        server.wait_until_healthy()


@pytest.mark.slow
@LINUX
def test_the_limit_is_raised_as_far_as_it_may_be(tmp_path: Path) -> None:
    with limited(tmp_path, DESCRIPTORS, 4_096) as server, ExitStack() as held:
        connections = [held.enter_context(server.connect()) for _ in range(2 * CALLERS)]
        assert {outcome(connection) for connection in connections} == {"200"}
        assert server.lines == []


def test_listeners_leave_connections_to_the_others() -> None:
    guard = GuardPolicy()
    assert (guard.connections_max, guard.listeners_max) == (1_200, 1_000)
    assert guard.with_connection_limit(5_000) == guard
    for fits in (8, 17, 60, 600, 1_199):
        found = guard.with_connection_limit(fits)
        assert found.connections_max == fits and 0 < found.listeners_max < fits


def test_what_fills_the_table_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    doorkeeper = Doorkeeper(8, clock=lambda: now[0])
    for _ in range(1_000):
        doorkeeper.tell("full")
        now[0] += TELL_S / 400
    assert 2 <= len(caplog.records) <= 3


# ---- headers without end


def request_of(*lines: str, ending: str = "\r\n\r\n") -> bytes:
    return ("\r\n".join(lines) + ending).encode()


HOST: Final = "Host: 127.0.0.1"
CHUNKED: Final = (HOST, "Content-Type: application/json", "Transfer-Encoding: chunked")
LARGE: Final[dict[str, bytes]] = {
    "one huge header": request_of("GET /api/health HTTP/1.1", HOST, f"X: {'a' * 40_000}"),
    "many small headers": request_of("GET /api/health HTTP/1.1", HOST, *("a: b" for _ in range(6_000))),
    "a huge header name": request_of("GET /api/health HTTP/1.1", HOST, f"{'a' * 40_000}: b"),
    "a huge path": request_of(f"GET /api/{'a' * 40_000} HTTP/1.1", HOST),
    "a huge query": request_of(f"GET /api/health?{'a' * 40_000} HTTP/1.1", HOST),
    "a folded header": request_of("GET /api/health HTTP/1.1", HOST, "X: a", *(" a" * 10 for _ in range(2_000))),
    "trailers": request_of("POST /api/votes HTTP/1.1", *CHUNKED)
    + request_of("2", "{}", "0", *(f"X: {'a' * 1_000}" for _ in range(200))),
}
PIECES: Final = {"in one packet": 1_000_000, "in small pieces": 700}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    folder = tmp_path_factory.mktemp("headers")
    with closing(SqliteStore(folder / "runs.db")) as store:
        gate = Gate(rules=rules_in_force(), memory=Memory(folder / "memory"), disabled=False)
        with hosted(Setup(gate=gate, store=store)) as address:
            yield address


def sent(address: str, data: bytes, piece: int) -> bytes:
    """All that comes back until the server hangs up, or is done with a first answer."""
    place = urlsplit(address)
    assert place.hostname and place.port
    with socket.create_connection((place.hostname, place.port), timeout=WAIT_S) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        answer = b""
        try:
            for start in range(0, len(data), piece):
                connection.sendall(data[start : start + piece])
            while more := connection.recv(4_096):
                answer += more
        except ConnectionError:
            pass  # it hung up while more was sent
        return answer


@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
@pytest.mark.parametrize("data", LARGE.values(), ids=LARGE)
def test_headers_are_bounded_however_they_arrive(shared: str, data: bytes, piece: int) -> None:
    answer = sent(shared, data, piece)
    assert not answer or answer.split(b" ")[1] in (b"400", b"414", b"431"), answer[:200]
    assert httpx2.get(f"{shared}/api/health").status_code == 200


def test_a_second_request_in_the_same_packet_is_bounded_too(shared: str) -> None:
    answer = sent(shared, ASK + LARGE["one huge header"], 1_000_000)
    assert answer.count(b"HTTP/1.1 200") == 1
    assert b"HTTP/1.1 431" in answer or b"HTTP/1.1 400" in answer


def test_headers_up_to_the_bound_are_served(shared: str) -> None:
    assert httpx2.get(f"{shared}/api/health", headers={"X": "a" * (HEADERS_MAX - 2_000)}).status_code == 200


# ---- writes without a pause


@contextmanager
def callers(setup: Setup, *addresses: str, writes: int = 3) -> Generator[list[TestClient]]:
    """Clients of one server, each from an address of its own."""
    application = build(setup, GuardPolicy(writes_a_minute=writes))
    with ExitStack() as entered:
        found = [
            TestClient(application, base_url="http://127.0.0.1:8787", client=(address, 50_000)) for address in addresses
        ]
        entered.enter_context(found[0])
        yield found


def until_refused(client: TestClient, path: str, body: dict[str, Any]) -> None:
    for _ in range(2_000):
        if client.post(path, json=body).status_code == 429:
            return
    raise AssertionError(f"{path} can be written without end")


@pytest.mark.parametrize("path", ["/api/debates", "/api/votes", "/api/debates/r1/answer", "/api/debates/r1/fork"])
def test_whoever_posts_at_the_limit_keeps_nobody_from_stopping_a_run(setup: Setup, path: str) -> None:
    run = fabricated(setup.store, "r1", 2)
    with callers(setup, "10.0.0.1", "10.0.0.2") as (loud, quiet):
        until_refused(loud, path, {})
        assert quiet.post(path, json={}).status_code != 429, "another caller has a rate of its own"
        assert quiet.post(f"/api/debates/{run}/stop", json={}).status_code == 202
        assert loud.post(f"/api/debates/{run}/stop", json={}).status_code == 202, "from the same address as well"


@pytest.mark.parametrize(
    "body", [b"x", b"{}", b'{"other":1}', b"[" * 5_000], ids=["no JSON", "a stop", "no stop", "large"]
)
def test_no_number_of_posts_keeps_a_run_from_being_stopped(setup: Setup, body: bytes) -> None:
    run = fabricated(setup.store, "r1", 2)
    with callers(setup, "10.0.0.1") as (client,):
        for kind in ("text/plain", "application/json"):
            for _ in range(10):
                client.post(f"/api/debates/{run}/stop", content=body, headers={"Content-Type": kind})
        assert client.post(f"/api/debates/{run}/stop", json={}).status_code == 202


def test_a_seat_named_stop_is_counted_as_any_other(setup: Setup) -> None:
    with callers(setup, "10.0.0.1") as (client,):
        until_refused(client, "/api/debates/r1/seats/stop", {})


@pytest.mark.parametrize("last", ["stop", "resume", "answer"])
def test_what_takes_a_few_words_takes_no_large_body(setup: Setup, last: str) -> None:
    with callers(setup, "10.0.0.1") as (client,):
        assert client.post(f"/api/debates/r1/{last}", json={"text": "x" * 100_000}).status_code == 413


def test_two_seats_behind_one_address_do_not_share_a_rate(setup: Setup) -> None:
    with callers(setup, "10.0.0.1") as (client,):
        until_refused(client, f"/api/debates/r1/seats/{SEAT}", {})
        assert client.post("/api/debates/r1/seats/another", json={}).status_code != 429


def test_paths_without_end_do_not_make_writes_without_end(setup: Setup) -> None:
    with callers(setup, "10.0.0.1") as (client,):
        told = [client.post(f"/api/debates/r1/seats/a{n}", json={}).status_code for n in range(60)]
    assert told.count(429) >= 20


def test_addresses_without_end_are_forgotten_again() -> None:
    now = [0.0]
    rates = RateLimits(2, clock=lambda: now[0])
    for number in range(3 * CALLERS_MAX):
        rates.count("/api/debates", f"caller {number}")
        rates.count(f"/api/debates/r{number}/answer", f"caller {number}")
    kept = rates.caller_counts
    assert set(kept) == {"all", "begin", "answer"} and max(kept.values()) <= CALLERS_MAX
    for _ in range(2):
        rates.count("/api/debates", "last")
    with pytest.raises(Problem, match="at most 2 writes a minute"):
        rates.count("/api/debates", "last")
    now[0] = 61.0
    rates.count("/api/debates", "last")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("10.0.0.1", "10.0.0.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", False),
    ],
)
def test_a_caller_is_an_address_or_the_network_of_one(one: str, other: str, same: bool) -> None:
    first, second = (caller_of(Request({"type": "http", "client": (host, 1), "headers": []})) for host in (one, other))
    assert (first == second) is same
