"""Watching a run: every event once and in order, from where one left off, whoever writes it (API-1)."""

import json
import socket
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any

import httpx2
import pytest

from cruxfinder.app import stored_runs
from cruxfinder.app.server_setup import Setup
from cruxfinder.server import feed
from cruxfinder.server.guard import GuardPolicy
from cruxfinder.telling.event_lines import line_fields, lines_of
from tests.server.hosting import (
    ANSWERS,
    ROOT,
    SHORT,
    SOON_S,
    WAIT_S,
    begun,
    entry_after,
    fabricated,
    frames,
    hosted,
    stream,
    waited,
    whole,
)


def numbers(found: list[Any]) -> list[int]:
    return [frame.id for frame in found if frame.id]


@pytest.mark.rule("API-1")
def test_a_run_that_is_over_is_sent_whole(client: httpx2.Client, shared: Setup, over: str) -> None:
    found = whole(client, over)
    stored = stored_runs.load_log(over, shared.store).events
    assert [frame.data["event"] for frame in found if frame.id] == [json.loads(body) for body in stored]
    assert numbers(found) == [frame.data["n"] for frame in found if frame.id] == list(range(1, len(stored) + 1))
    assert found[0].event == "status" and found[0].data == {"v": 1, "state": "complete", "why": "", "waiting": []}
    assert found[-1].event == "end" and found[-1].data == {"v": 1, "withheld": 0}


def test_every_event_comes_with_the_line_that_everybody_reads(client: httpx2.Client, shared: Setup, over: str) -> None:
    events = stored_runs.events_of(stored_runs.load_log(over, shared.store))
    found = [frame.data["line"] for frame in whole(client, over) if frame.id]
    assert found == [line_fields(line) for line in lines_of(events)]
    late = [frame.data["line"] for frame in whole(client, over, "?after=17") if frame.id]
    assert late == found[17:], "whoever comes later is told the same"


def test_events_that_do_not_follow_from_each_other_are_sent_without_words(client: httpx2.Client, shared: Setup) -> None:
    run = fabricated(shared.store, "no-order", 3)
    with stream(client, run) as found:
        told = list(islice(found, 1, 4))
    assert [frame.id for frame in told] == [1, 2, 3]
    assert {frame.data["line"]["badge"] for frame in told} <= {"START", "EVENT"}
    assert told[-1].data["line"] == {"group": "debate", "tone": "note", "badge": "EVENT"}


@pytest.mark.rule("API-3")
def test_a_stream_goes_on_where_it_was_left(client: httpx2.Client, over: str) -> None:
    every = numbers(whole(client, over))
    assert numbers(whole(client, over, headers={"Last-Event-ID": "17"})) == every[17:]
    assert numbers(whole(client, over, "?after=17")) == every[17:]
    assert numbers(whole(client, over, "?after=3", {"Last-Event-ID": "17"})) == every[17:], "the header is newer"
    at_end = client.get(f"/api/debates/{over}/events", headers={"Last-Event-ID": str(every[-1])})
    assert at_end.status_code == 204 and not at_end.content
    assert client.get(f"/api/debates/{over}/events?after=999999").status_code == 204


@pytest.mark.parametrize("id", ["-1", "x", "1e3", "9" * 30, "1\u00a0"])
def test_a_place_that_is_none_is_refused(client: httpx2.Client, over: str, id: str) -> None:
    headers = httpx2.Headers({b"Last-Event-ID": id.encode("latin-1")})
    assert client.get(f"/api/debates/{over}/events", headers=headers).status_code == 422


@pytest.mark.rule("API-1")
def test_filters_let_only_matching_messages_pass(client: httpx2.Client, over: str) -> None:
    every = [frame for frame in whole(client, over) if frame.id]
    said = [frame for frame in every if frame.kind == "message_posted"]
    who = said[0].data["event"]["agent"]
    expected = [frame.id for frame in said if frame.data["event"]["agent"] == who]
    assert 0 < len(expected) < len(said)
    assert numbers(whole(client, over, f"?agent={who}")) == expected
    name = next(a["name"] for a in client.get(f"/api/debates/{over}").json()["agents"] if a["id"] == who)
    assert numbers(whole(client, over, f"?agent={name}")) == expected, "by name, too"
    late = said[-1].data["event"]["at_ms"]
    kinds = {"message_posted", "moderator_intervention"}
    since = [frame.id for frame in every if frame.kind in kinds and frame.data["event"]["at_ms"] >= late]
    assert numbers(whole(client, over, f"?since={late}")) == since
    assert numbers(whole(client, over, "?thread=t1&thread=t2"))
    assert numbers(whole(client, over, "?thread=t99")) == []
    assert whole(client, over, f"?agent={who}")[-1].data == {"v": 1, "withheld": 0}
    assert client.get(f"/api/debates/{over}/events?agent=stranger").status_code == 422


@pytest.mark.rule("API-1")
def test_private_answers_wait_until_the_debate_is_over(client: httpx2.Client) -> None:
    run = begun(client, pace="watch", maxMessages=400)
    with stream(client, run) as found:
        live = [next(found)]
        while sum(frame.kind == "message_posted" for frame in live) < 2:
            live.append(next(found))
        assert not ANSWERS & {frame.kind for frame in live}
        assert numbers(live)[0] == 1 and len(numbers(live)) < max(numbers(live)), "there are gaps"
        client.post(f"/api/debates/{run}/stop", json={})
        rest = list(found)
    assert rest[-1].event == "end" and rest[-1].data["withheld"] > 0
    assert [f.data["state"] for f in (*live, *rest) if f.event == "status"] == ["running", "complete"]
    assert rest[-3].kind == "debate_complete" or rest[-2].kind == "debate_complete"
    again = whole(client, run)
    private = [frame for frame in again if frame.kind in ANSWERS]
    assert len(private) >= rest[-1].data["withheld"]
    assert numbers(again) == list(range(1, max(numbers(rest)) + 1))
    before = [frame for frame in (*live, *rest) if frame.kind in ANSWERS]
    assert len(before) + rest[-1].data["withheld"] == len(private)


@pytest.mark.rule("API-3")
def test_a_debate_is_begun_and_watched_in_one_request(client: httpx2.Client) -> None:
    headers = {"Accept": "text/event-stream"}
    with client.stream("POST", "/api/debates", json={**SHORT, "seed": 8}, headers=headers) as response:
        assert response.status_code == 200
        place = response.headers["content-location"]
        found = list(frames(response.iter_lines()))
    assert found[-1].event == "end"
    assert found[0].event == "status"
    run = place.rpartition("/")[2]
    withheld = found[-1].data["withheld"]
    assert len(numbers(whole(client, run))) == len(numbers(found)) + withheld
    refused = client.post("/api/debates", json={"pack": "nonsense"}, headers=headers)
    assert refused.status_code == 422 and refused.headers["content-type"] == "application/problem+json"


def test_who_is_waited_for_is_told(client: httpx2.Client) -> None:
    run = begun(client, people=["holder"])
    waited(client, run)
    with stream(client, run) as found:
        first = next(found)
        assert first.event == "status" and first.data["waiting"][0]["agent"] == "holder"
        client.post(f"/api/debates/{run}/stop", json={})
        told = [frame for frame in found if frame.event == "status"]
    assert told[-1].data == {"v": 1, "state": "complete", "why": "", "waiting": []}


def test_silence_is_filled_with_keep_alives(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "BEAT_S", 0.2)
    with hosted(setup) as address, httpx2.Client(base_url=address, timeout=WAIT_S) as client:
        run = begun(client, people=["holder"])
        with stream(client, run) as found:
            comments = [frame.comment for frame in islice(found, 8)]
    assert comments[-2:] == ["keep-alive", "keep-alive"]


def test_a_run_of_another_process_is_seen_live_and_taken_over(tmp_path: Path, setup: Setup) -> None:
    command = [sys.executable, "-m", "cruxfinder", "--store", str(tmp_path / "runs.db"), "debate", "bitcoin"]
    with hosted(setup) as address, httpx2.Client(base_url=address, timeout=WAIT_S) as client:
        other = subprocess.Popen(
            [*command, "--pace", "live", "--max-messages", "6"],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            until = time.monotonic() + WAIT_S
            while not (rows := client.get("/api/debates").json()["debates"]) or not rows[0]["entries"]:
                assert time.monotonic() < until
                time.sleep(0.05)
            run = rows[0]["id"]
            with stream(client, run) as found:
                assert next(found).data["state"] == "open"
                seen = [next(found)]
                assert other.poll() is None, "it is still running"
                assert client.post(f"/api/debates/{run}/resume", json={}).status_code == 409, "somebody holds it"
                other.kill()
                other.wait(WAIT_S)
                assert client.post(f"/api/debates/{run}/resume", json={"pace": "fast"}).status_code == 202
                seen += list(found)
        finally:
            other.kill()
            other.wait(WAIT_S)
        states = [frame.data["state"] for frame in seen if frame.event == "status"]
        assert states in (["running", "complete"], ["complete"]), "it may be over before the next look"
        public = [frame.id for frame in whole(client, run) if frame.id and frame.kind not in ANSWERS]
        assert [number for number in numbers(seen) if number in public] == public


def test_a_slow_listener_holds_nobody_up(client: httpx2.Client, shared: Setup) -> None:
    run = fabricated(shared.store, "long", 300, size=30_000)  # more than lies in the buffers on the way
    host, port = str(client.base_url).removeprefix("http://").rstrip("/").split(":")
    lines: list[socket.socket] = []
    try:
        for _ in range(5):  # they ask and never read
            line = socket.socket()
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            line.connect((host, int(port)))
            line.sendall(f"GET /api/debates/{run}/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            lines.append(line)
        with stream(client, run) as found:
            assert [frame.id for frame in islice(found, 1, 301)] == list(range(1, 301))
            began = time.monotonic()
            shared.store.append(run, [entry_after(shared.store, run)]).result(WAIT_S)
            assert next(found).id == 301
        assert time.monotonic() - began < SOON_S
    finally:
        for line in lines:
            line.close()


def test_only_so_many_may_listen_and_who_leaves_makes_room(setup: Setup) -> None:
    with (
        hosted(setup, GuardPolicy(listeners_max=2)) as address,
        httpx2.Client(base_url=address, timeout=WAIT_S) as client,
    ):
        run = begun(client, people=["holder"])
        for _ in range(4):  # whoever is turned away takes no place
            assert client.get("/api/debates/nobody-knows/events").status_code == 404
            assert client.get(f"/api/debates/{run}/events?agent=stranger").status_code == 422
        with stream(client, run) as one, stream(client, run) as two:
            assert next(one).event == next(two).event == "status"
            refused = client.get(f"/api/debates/{run}/events")
            assert refused.status_code == 503 and refused.headers["retry-after"]
        until = time.monotonic() + WAIT_S
        while True:
            with client.stream("GET", f"/api/debates/{run}/events") as response:
                if response.status_code == 200:
                    break
            assert time.monotonic() < until
            time.sleep(0.05)


def test_the_server_ends_with_streams_open(setup: Setup) -> None:
    with httpx2.Client(timeout=WAIT_S) as client:
        with hosted(setup) as address:
            client.base_url = address
            run = begun(client, people=["holder"])
            watching = client.stream("GET", f"/api/debates/{run}/events")
            found = frames(watching.__enter__().iter_lines())
            assert next(found).event == "status"
            began = time.monotonic()
        assert time.monotonic() - began < SOON_S
        assert all(frame.event != "end" for frame in found), "it is not the debate that ended"
        watching.__exit__(None, None, None)
