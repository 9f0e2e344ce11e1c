"""Topics of one's own over HTTP, from the first moment on, and streams of only what somebody asked for."""

import json
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import httpx2
import pytest

from bench.fake.caster import PEOPLE, caster
from bench.fake.server import Brain, FakeProvider, served
from cruxfinder.app import stored_runs
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.app.server_setup import Setup
from tests.server.hosting import WAIT_S, Frame, begun, ended, frames, hosted, stream, waited, whole

TOPIC = "Should we move the archive to tape?"
CLAIM = "We should move the archive to tape"  # what a question becomes
ASKED = {"topic": TOPIC, "maxMessages": 6, "pace": "fast"}
FIRST = {"kind": "first", "p_top": 0.7, "side": "YES", "reason": "it has held for years"}


@dataclass
class Caster:
    """A provider that draws nobody up before it may."""

    may: threading.Event
    draws: Brain

    def __call__(self, system: str, user: str) -> str:
        assert self.may.wait(WAIT_S)
        return self.draws(system, user)


@dataclass
class Thinking:
    client: httpx2.Client
    may: threading.Event


@contextmanager
def thinking(setup: Setup, draws: Brain | None = None) -> Generator[Thinking]:
    """A server with a configured model, that draws people up once it may."""
    may = threading.Event()
    # A little time for each answer, so that a debate cannot be over between two looks at it.
    with served(FakeProvider(Caster(may, draws or caster()), latency_s=0.02)) as provider:
        wished = ModelRequest(model="fake", base_url=provider.url)
        with (
            hosted(replace(setup, wished=wished)) as address,
            httpx2.Client(base_url=address, timeout=WAIT_S) as client,
        ):
            try:
                yield Thinking(client, may)
            finally:
                may.set()


def asked_for(client: httpx2.Client, **more: Any) -> str:
    response = client.post("/api/debates", json={**ASKED, **more})
    assert response.status_code == 201, response.text
    return response.json()["id"]


def until(client: httpx2.Client, run: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        found = client.get(f"/api/debates/{run}").json()
        if wanted(found):
            return found
        time.sleep(0.02)
    raise AssertionError(f"never: {found}")


def states(found: list[Frame]) -> list[str]:
    """The states told, each once in a row."""
    told = [frame.data["state"] for frame in found if frame.event == "status"]
    return [state for n, state in enumerate(told) if n == 0 or told[n - 1] != state]


# ---- a topic of one's own


@pytest.mark.rule("API-3")
def test_a_topic_is_prepared_debated_and_watched_from_the_first_moment(setup: Setup) -> None:
    with thinking(setup) as there:
        client = there.client
        response = client.post("/api/debates", json=ASKED)
        found = response.json()
        run, place = found["id"], response.headers["location"]
        assert (response.status_code, found["topic"], found["state"]) == (201, TOPIC, "preparing")
        assert run.startswith("should-we-move-the-archive-to-tape-") and place == f"/api/debates/{run}"
        read = client.get(place).json()
        assert (read["state"], read["topic"], read["protocol"], read["agents"]) == ("preparing", TOPIC, None, [])
        assert client.get(f"{place}/seats").json() == {"seats": []}
        assert client.get(f"{place}/result").status_code == 409
        assert client.get("/api/debates").status_code == 200
        with stream(client, run) as heard:
            early = next(heard)
            assert (early.event, early.data["state"], early.id) == ("status", "preparing", 0)
            there.may.set()
            late = list(heard)
        assert states([early, *late]) == ["preparing", "running", "complete"]
        assert late[-1].event == "end"
        read = client.get(place).json()
        assert (read["state"], read["protocol"], read["usage"]["calls"] > 6) == ("complete", "crux", True)
        assert [agent["name"] for agent in read["agents"]] == [name for name, _ in PEOPLE]
        assert client.get(f"{place}/result").json()["ending"] == "messages"
    numbers = [frame.id for frame in late if frame.id]
    assert numbers == sorted(set(numbers)) and numbers[0] == 1
    assert len(numbers) + late[-1].data["withheld"] == len(stored_runs.load_log(run, setup.store).events)


@pytest.mark.rule("API-3")
def test_a_topic_is_begun_and_watched_in_one_request(setup: Setup) -> None:
    headers = {"Accept": "text/event-stream"}
    with thinking(setup) as there, there.client.stream("POST", "/api/debates", json=ASKED, headers=headers) as response:
        heard = frames(response.iter_lines())
        early = next(heard)
        there.may.set()
        late = list(heard)
    assert response.status_code == 200 and early.data["state"] == "preparing"
    assert late[-1].event == "end" and states(late)[-1] == "complete"


def test_a_topic_is_stopped_while_its_people_are_drawn_up(setup: Setup) -> None:
    with thinking(setup) as there:
        client, run = there.client, asked_for(there.client)
        with stream(client, run) as heard:
            assert next(heard).data["state"] == "preparing"
            assert client.post(f"/api/debates/{run}/stop", json={}).status_code == 202
            late = list(heard)
        found = client.get(f"/api/debates/{run}").json()
        assert (found["state"], found["why"]) == ("failed", "it was stopped before it began")
        assert client.post(f"/api/debates/{run}/stop", json={}).status_code == 409
    assert states(late) == ["failed"] and late[-1].event == "end"
    assert setup.store.rows() == ()


def test_a_topic_for_which_nobody_can_be_drawn_up_fails_with_the_reason(setup: Setup) -> None:
    with thinking(setup, lambda *_: "no") as there:
        run = asked_for(there.client)
        there.may.set()
        found = until(there.client, run, lambda read: read["state"] == "failed")
        heard = whole(there.client, run)
    assert found["why"] and heard[0].data["why"] == found["why"]
    assert [frame.event for frame in heard if not frame.comment] == ["status", "end"]


@pytest.mark.rule("API-3")
def test_a_person_joins_a_topic_under_their_own_name_and_is_asked(setup: Setup) -> None:
    with thinking(setup) as there:
        client, run = there.client, asked_for(there.client, people=["Mona"])
        there.may.set()
        seat = waited(client, run)
        assert (seat["name"], seat["ask"]["kind"], seat["view"]["topic"]) == ("Mona", "first", CLAIM)
        place = f"/api/debates/{run}/seats/{seat['name'].upper()}"  # by name, in any case
        given = client.post(place, json={"number": seat["ask"].get("number", 0), "answer": FIRST})
        assert given.status_code == 202, given.text
        next_ask = until(client, run, lambda read: any(one["kind"] == "draft" for one in read["waiting"]))
        assert {one["agent"] for one in next_ask["waiting"]} == {seat["agent"]}
        assert client.post(f"/api/debates/{run}/stop", json={}).status_code == 202
        over = ended(client, run)
        heard = [f.data["event"] for f in whole(client, run) if f.kind == "first_position"]
    assert [agent["name"] for agent in over["agents"]] == [*(name for name, _ in PEOPLE), "Mona"]
    assert [one["reason"] for one in heard if one["agent"] == seat["agent"]] == [FIRST["reason"]]


@pytest.mark.rule("API-3")
def test_a_topic_needs_a_model_and_says_so(setup: Setup) -> None:
    with hosted(setup) as address, httpx2.Client(base_url=address, timeout=WAIT_S) as client:
        response = client.post("/api/debates", json={**ASKED, "people": ["Mona"]})
        assert client.get("/api/debates").json()["debates"] == []
    assert response.status_code == 422 and response.headers["content-type"] == "application/problem+json"
    assert response.json()["detail"].startswith("a topic of your own needs a model that is configured for this server")


# ---- only what was asked for


@dataclass(frozen=True)
class Said:
    """A message as the log has it."""

    number: int
    agent: str
    at_ms: int
    topics: frozenset[str]


@pytest.fixture(scope="module")
def long(client: httpx2.Client) -> str:
    run = begun(client, maxMessages=40, seed=1)
    ended(client, run)
    return run


@pytest.fixture(scope="module")
def said(shared: Setup, long: str) -> list[Said]:
    """Read from the log itself, not by what filters it."""
    events = [json.loads(body) for body in stored_runs.load_log(long, shared.store).events]
    return [
        Said(n, event["agent"], event["at_ms"], frozenset(event.get("topics", ())))
        for n, event in enumerate(events, start=1)
        if event["kind"] == "message_posted"
    ]


def topics_of(said: list[Said]) -> list[str]:
    """Those that were spoken of, the most frequent first."""
    count = {topic: sum(topic in one.topics for one in said) for one in said for topic in one.topics}
    return sorted(count, key=lambda topic: (-count[topic], topic))


def heard(client: httpx2.Client, run: str, headers: dict[str, str] | None = None, **query: Any) -> list[int]:
    found = whole(client, run, f"?{httpx2.QueryParams(query)}", headers)
    return [frame.id for frame in found if frame.id]


@pytest.mark.rule("API-1")
def test_a_topic_lets_exactly_its_messages_pass(client: httpx2.Client, long: str, said: list[Said]) -> None:
    topics = topics_of(said)
    assert len(topics) >= 3
    for topic in topics:
        assert heard(client, long, topic=topic) == [one.number for one in said if topic in one.topics]
    two = set(topics[:2])
    assert heard(client, long, topic=topics[:2]) == [one.number for one in said if two & one.topics]
    assert heard(client, long, topic="never-spoken-of") == []


@pytest.mark.rule("API-1")
def test_a_topic_an_agent_and_a_time_hold_together(client: httpx2.Client, long: str, said: list[Said]) -> None:
    topic = topics_of(said)[0]
    about = [one for one in said if topic in one.topics]
    agent, since = about[-1].agent, about[len(about) // 2].at_ms
    by_agent = [one.number for one in about if one.agent == agent]
    late = [one.number for one in about if one.at_ms >= since]
    both = [number for number in by_agent if number in late]
    assert 0 < len(both) < len(about) and len(late) < len(about) and len(by_agent) < len(about)
    assert heard(client, long, topic=topic, agent=agent) == by_agent
    assert heard(client, long, topic=topic, since=since) == late
    assert heard(client, long, topic=topic, agent=agent, since=since) == both


@pytest.mark.rule("API-3")
def test_after_and_the_last_event_id_agree(client: httpx2.Client, long: str, said: list[Said]) -> None:
    topic = topics_of(said)[0]
    about = [one.number for one in said if topic in one.topics]
    last = len(whole(client, long))
    for place in (0, 1, about[0], about[0] - 1, about[len(about) // 2], said[-1].number):
        by_header = {"Last-Event-ID": str(place)}
        assert heard(client, long, after=place) == heard(client, long, by_header) == [*range(place + 1, last - 1)]
        filtered = [number for number in about if number > place]
        assert heard(client, long, topic=topic, after=place) == heard(client, long, by_header, topic=topic) == filtered
