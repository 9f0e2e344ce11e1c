"""Connections that do not behave: half a header, a body that breaks off, an answer that must not be lost."""

import socket
import time
from urllib.parse import urlsplit

import httpx2
import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.app import stored_runs
from cruxfinder.app.server_setup import Setup
from cruxfinder.kernel.journal import ask_key
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.server import connections
from tests.server.hosting import WAIT_S, hosted

SEAT = pack_finder.find("monolith")[0].personas[0].id


def connected(address: str) -> socket.socket:
    place = urlsplit(address)
    assert place.hostname and place.port
    return socket.create_connection((place.hostname, place.port), timeout=WAIT_S)


def test_half_a_header_does_not_hold_a_place_for_good(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADERS_S", 0.3)
    with hosted(setup) as address, connected(address) as silent, connected(address) as slow:
        slow.sendall(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ")
        begin = time.monotonic()
        assert (slow.recv(100), silent.recv(100)) == (b"", b"")
        assert time.monotonic() - begin < WAIT_S / 2


def test_a_request_that_takes_its_time_is_not_cut(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listeners stay for hours, and ask nothing more meanwhile."""
    monkeypatch.setattr(connections, "HEADERS_S", 0.2)
    with hosted(setup) as address:
        run = httpx2.post(f"{address}/api/debates", json={"pack": "monolith", "people": [SEAT]}).json()["id"]
        begin = time.monotonic()
        with httpx2.stream("GET", f"{address}/api/debates/{run}/events", timeout=WAIT_S) as stream:
            lines = stream.iter_lines()
            next(lines)
            while time.monotonic() - begin < 1:
                time.sleep(0.1)
            httpx2.post(f"{address}/api/debates/{run}/stop", json={})
            assert any('"debate_complete"' in line for line in lines)


def test_a_body_that_breaks_off_leaves_no_trace(setup: Setup, caplog: pytest.LogCaptureFixture) -> None:
    with hosted(setup) as address:
        with connected(address) as cut:
            head = (
                "POST /api/debates HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99"
            )
            cut.sendall(f'{head}\r\n\r\n{{"pack":'.encode())
        assert httpx2.get(f"{address}/api/health").status_code == 200
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_an_answer_that_was_taken_is_in_the_log(setup: Setup) -> None:
    first = {"kind": "first", "p_top": 0.7, "side": "YES", "reason": "we wait"}
    with hosted(setup) as address:
        run = httpx2.post(f"{address}/api/debates", json={"pack": "monolith", "people": [SEAT]}).json()["id"]
        end = time.monotonic() + WAIT_S
        while not (open_ := httpx2.get(f"{address}/api/debates/{run}/seats").json()["seats"]):
            assert time.monotonic() < end
        number = open_[0]["ask"]["number"]
        told = httpx2.post(f"{address}/api/debates/{run}/seats/{SEAT}", json={"number": number, "answer": first})
        kept = stored_runs.load_log(run, setup.store).answers
    assert told.status_code == 202
    assert ask_key(AgentId(SEAT), number) in kept


def test_what_is_wrong_with_a_draft_is_told_of_the_move_it_is(setup: Setup) -> None:
    move = {"kind": "PROPOSE_CRUX", "question": "Is it?", "yes_means": "it is"}
    answer = {"kind": "drafted", "draft": {"move": move, "content": "Is it?"}}
    with hosted(setup) as address:
        run = httpx2.post(f"{address}/api/debates", json={"pack": "monolith", "people": [SEAT]}).json()["id"]
        told = httpx2.post(f"{address}/api/debates/{run}/seats/{SEAT}", json={"number": 1, "answer": answer})
    assert told.status_code == 422
    assert "no_means" in told.json()["detail"] and "Claim" not in told.json()["detail"]
