"""Every route: what it answers, and what it says where it cannot."""

import json
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import httpx2
import jsonschema
import pytest

from cruxfinder.app.server_setup import Setup
from cruxfinder.errors import (
    BadInput,
    Busy,
    CruxfinderError,
    DebaterFault,
    FullDisk,
    LogFault,
    NoSuchRun,
    NotAsked,
    RunTaken,
    StaleWriter,
    StoreFault,
)
from cruxfinder.exports import schemas
from cruxfinder.kernel import wire
from cruxfinder.protocols.registry import PROTOCOLS
from cruxfinder.server.problems import problem_of
from tests.server.hosting import (
    ANSWERS,
    SHORT,
    WAIT_S,
    begun,
    ended,
    entry_after,
    fabricated,
    hosted,
    waited,
    whole,
)

FIRST = {"kind": "first", "p_top": 0.7, "side": "YES", "reason": "it has held for years"}


def problem(response: httpx2.Response, status: int) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    found = response.json()
    assert found["status"] == status and found["title"] and found["detail"]
    return found


# ---- the server, and what can be debated


def test_health_tells_what_the_server_needs(client: httpx2.Client) -> None:
    found = client.get("/api/health").json()
    assert found["name"] == "cruxfinder" and found["model"] is False and found["token"] is False


def test_packs_come_with_who_debates_them(client: httpx2.Client) -> None:
    packs = client.get("/api/packs").json()["packs"]
    bitcoin = next(pack for pack in packs if pack["name"] == "bitcoin")
    assert "holder" in [agent["id"] for agent in bitcoin["agents"]]
    assert bitcoin["protocols"] == [*PROTOCOLS]


def test_the_page_is_served_and_known_again_by_its_etag(client: httpx2.Client) -> None:
    page = client.get("/")
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
    assert page.headers["cache-control"] == "no-cache"
    assert client.get("/", headers={"If-None-Match": page.headers["etag"]}).status_code == 304
    script = client.get("/page/dom.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert client.get("/page/dom.js", headers={"If-None-Match": '"other"'}).content == script.content


# ---- begin


@pytest.mark.rule("API-3")
def test_a_debate_is_begun_and_found_at_its_place(client: httpx2.Client) -> None:
    response = client.post("/api/debates", json={**SHORT, "seed": 3})
    assert response.status_code == 201
    found = response.json()
    assert response.headers["location"] == found["url"] == f"/api/debates/{found['id']}"
    read = client.get(found["url"]).json()
    assert (read["seed"], read["pack"], read["protocol"]) == (3, "bitcoin", "crux")
    assert read["settings"]["maxMessages"] == 12
    assert ended(client, found["id"])["state"] == "complete"


@pytest.mark.rule("API-3")
def test_the_fields_of_the_first_design_are_understood(client: httpx2.Client) -> None:
    config = {"maxDuration": 600_000, "maxMessages": 9, "attentionThreshold": 0.5, "convergenceThreshold": 0.75}
    asked = {"topic": "Bitcoin is a good store of value", "personaIds": ["holder", "trader", "economist"]}
    run = client.post("/api/debates", json={**asked, "config": config, "pace": "fast"}).json()["id"]
    read = client.get(f"/api/debates/{run}").json()
    assert [agent["id"] for agent in read["agents"]] == asked["personaIds"]
    settings = read["settings"]
    assert (settings["maxMs"], settings["maxMessages"], settings["attention"]) == (600_000, 9, 0.5)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"pack": "nonsense"}, "no pack"),
        ({"pack": "../../etc/passwd"}, "no pack"),
        ({"pack": "bitcoin.yaml"}, "no pack"),
        ({"topic": "Cats are better than dogs"}, "needs a model"),
        ({"topic": "read this /etc/hosts.yaml"}, "not a file"),
        ({"pack": "bitcoin", "topic": "Both at once"}, "one of the two"),
        ({}, "name a pack, or give a topic"),
        ({"pack": "bitcoin", "agents": ["nobody", "holder"]}, "nobody"),
        ({"pack": "bitcoin", "agents": ["holder"]}, "agents"),
        ({"pack": "bitcoin", "protocol": "shouting"}, "protocol"),
        ({"pack": "bitcoin", "unheardOf": 1}, "unheardOf"),
        ({"pack": "bitcoin", "max_messages": 5}, "max_messages"),
        ({"pack": "bitcoin", "maxMessages": "5"}, "maxMessages"),
        ({"pack": "bitcoin", "maxMessages": 5, "config": {"maxMessages": 6}}, "twice"),
        ({"pack": "bitcoin", "config": {"attentionThreshold": 1.5}}, "attentionThreshold"),
        ({"pack": "bitcoin", "config": {"convergenceThreshold": 0.5}}, "convergenceThreshold"),
        ({"pack": "bitcoin", "people": ["stranger"]}, "stranger"),
        ({"pack": "bitcoin", "off": ["NO-1"]}, "NO-1"),
        ({"pack": "bitcoin", "seed": True}, "seed"),
        ({"pack": "bitcoin", "withModel": True}, "no model"),
    ],
)
def test_what_cannot_be_debated_is_told(client: httpx2.Client, asked: dict[str, Any], told: str) -> None:
    found = problem(client.post("/api/debates", json=asked), 422)
    assert told in json.dumps(found)


def test_only_so_many_debates_are_held_at_once(setup: Setup) -> None:
    with hosted(setup) as address, httpx2.Client(base_url=address) as client:
        answers = [client.post("/api/debates", json={**SHORT, "pace": "live"}) for _ in range(9)]
        assert [answer.status_code for answer in answers] == [201] * 8 + [429]
        assert int(answers[-1].headers["retry-after"]) > 0


# ---- list and read


def test_runs_are_listed_page_by_page(client: httpx2.Client, over: str) -> None:
    later = [begun(client, maxMessages=2) for _ in range(2)]
    every = [row["id"] for row in client.get("/api/debates").json()["debates"]]
    assert every.index(later[1]) < every.index(later[0]) < every.index(over)
    seen: list[str] = []
    before = ""
    while before is not None:
        page = client.get("/api/debates", params={"limit": 2, **({"before": before} if before else {})}).json()
        seen += [row["id"] for row in page["debates"]]
        before = page["next"]
    assert seen == every
    problem(client.get("/api/debates?before=nobody-knows"), 404)
    problem(client.get("/api/debates?limit=0"), 422)


@pytest.mark.parametrize("place", ["", "/events", "/result", "/seats", "/export/md", "/report"])
def test_a_run_nobody_knows_is_not_found(client: httpx2.Client, place: str) -> None:
    problem(client.get(f"/api/debates/nobody-knows{place}"), 404)


@pytest.mark.rule("API-2")
def test_the_result_keeps_to_its_schema(client: httpx2.Client, over: str) -> None:
    result = client.get(f"/api/debates/{over}/result").json()
    jsonschema.validate(result, json.loads(schemas.result_schema()))
    assert result["runId"] == over


def test_a_conversation_comes_to_minutes(client: httpx2.Client) -> None:
    run = begun(client, protocol="discussion", agents=["holder", "trader", "economist"])
    ended(client, run)
    jsonschema.validate(client.get(f"/api/debates/{run}/result").json(), json.loads(schemas.minutes_schema()))
    assert client.get(f"/api/debates/{run}").json()["protocol"] == "discussion"
    rows = client.get("/api/debates?limit=200").json()["debates"]
    assert {row["protocol"] for row in rows if row["id"] == run} == {"discussion"}


@pytest.mark.parametrize(
    ("format", "media"),
    [
        ("json", "application/json"),
        ("md", "text/markdown"),
        ("argdown", "text/vnd.argdown"),
        ("mermaid", "text/vnd.mermaid"),
        ("graphml", "application/graphml+xml"),
        ("csv", "text/csv"),
        ("adr", "text/markdown"),
    ],
)
def test_a_run_is_exported(client: httpx2.Client, over: str, format: str, media: str) -> None:
    response = client.get(f"/api/debates/{over}/export/{format}")
    assert response.status_code == 200 and response.text.strip()
    assert response.headers["content-type"].startswith(media)
    assert response.headers["content-disposition"].startswith(f'attachment; filename="{over}.')
    problem(client.get(f"/api/debates/{over}/export/exe"), 422)


# ---- what is private until the end


def test_nothing_private_leaves_before_the_debate_is_over(client: httpx2.Client) -> None:
    run = begun(client, pace="live")
    for place in ("/result", "/report", "/export/json", "/export/md", "/export/csv"):
        assert "private" in problem(client.get(f"/api/debates/{run}{place}"), 409)["detail"]
    forked = client.post(f"/api/debates/{run}/fork", json={"at": 10, "changes": ["max-messages=1"]})
    problem(forked, 409)
    texts = [client.get(place).text for place in (f"/api/debates/{run}", f"/api/debates/{run}/seats", "/api/debates")]
    assert not any(word in text for text in texts for word in (*ANSWERS, "p_top", "pTop"))
    assert client.post(f"/api/debates/{run}/stop", json={}).status_code == 202
    ended(client, run)
    assert client.get(f"/api/debates/{run}/result").status_code == 200


# ---- lead


def test_a_run_is_stopped_once(client: httpx2.Client) -> None:
    run = begun(client, pace="watch", maxMessages=400)
    assert client.post(f"/api/debates/{run}/stop", json={}).status_code == 202
    ended(client, run)
    assert client.get(f"/api/debates/{run}/result").json()["ending"] == "stopped"
    problem(client.post(f"/api/debates/{run}/stop", json={}), 409)
    problem(client.post(f"/api/debates/{run}/resume", json={}), 409)


def test_a_run_that_nobody_holds_goes_on(setup: Setup) -> None:
    with hosted(setup) as address, httpx2.Client(base_url=address) as client:
        run = begun(client, pace="live")
        problem(client.post(f"/api/debates/{run}/resume", json={}), 409)
    setup.store.host(run, "")  # so that the next server does not go on with it by itself
    with hosted(setup) as address, httpx2.Client(base_url=address) as client:
        assert client.get(f"/api/debates/{run}").json()["state"] == "open"
        assert client.post(f"/api/debates/{run}/resume", json={"pace": "fast"}).status_code == 202
        assert ended(client, run)["state"] == "complete"


def test_the_next_server_goes_on_with_what_was_under_way(setup: Setup) -> None:
    with hosted(setup) as address, httpx2.Client(base_url=address) as client:
        run = begun(client, pace="watch", maxMessages=2)
    with hosted(setup) as address, httpx2.Client(base_url=address) as client:
        assert client.get(f"/api/debates/{run}").json()["state"] == "running"
        assert ended(client, run)["state"] == "complete"


def test_a_fork_shares_the_past_and_goes_its_own_way(client: httpx2.Client, over: str) -> None:
    asked = {"at": 20, "changes": ["max-messages=8"], "pace": "fast"}
    response = client.post(f"/api/debates/{over}/fork", json=asked)
    assert response.status_code == 201, response.text
    fork = response.json()["id"]
    found = ended(client, fork)
    assert found["parent"] == over and found["settings"]["maxMessages"] == 8
    problem(client.post(f"/api/debates/{over}/fork", json={**asked, "at": 100_000}), 422)
    problem(client.post(f"/api/debates/{over}/fork", json={**asked, "changes": ["colour=red"]}), 422)


# ---- people


def test_a_person_takes_a_seat(client: httpx2.Client) -> None:
    run = begun(client, people=["holder"], pace="fast")
    seat = waited(client, run)
    number = seat["ask"].get("number", 0)
    assert (seat["agent"], seat["ask"]["kind"], seat["secondsLeft"]) == ("holder", "first", None)
    assert seat["view"]["topic"] == "Bitcoin is a good store of value"
    asked = {field["places"][0][0]: field["asks"] for group in seat["form"]["groups"] for field in group["fields"]}
    assert asked.keys() == {"p_top", "side", "reason"} and all(asks.endswith("?") for asks in asked.values())
    place = f"/api/debates/{run}/seats/holder"
    assert client.get(f"/api/debates/{run}").json()["waiting"][0]["agent"] == "holder"
    problem(client.post(place, json={"number": number, "answer": {**FIRST, "p_top": 7}}), 422)
    problem(client.post(place, json={"number": number, "answer": {**FIRST, "side": "MAYBE"}}), 422)
    problem(client.post(place, json={"number": number, "answer": {"kind": "silence"}}), 422)
    problem(client.post(place, json={"number": number, "answer": {"kind": "failed", "reason": "x"}}), 422)
    problem(client.post(place, json={"number": number + 1, "answer": FIRST}), 409)
    problem(client.post(f"/api/debates/{run}/seats/trader", json={"number": number, "answer": FIRST}), 409)
    given = client.post(place, json={"number": number, "answer": FIRST})
    assert given.status_code == 202, given.text
    problem(client.post(place, json={"number": number, "answer": FIRST}), 409)
    assert client.post(f"/api/debates/{run}/stop", json={}).status_code == 202
    ended(client, run)


def test_the_question_of_a_conversation_is_answered_once(client: httpx2.Client, over: str) -> None:
    run = begun(client, protocol="discussion", askUser=True, waitS=WAIT_S, maxMessages=60, seed=1)
    until = time.monotonic() + WAIT_S
    while (question := client.get(f"/api/debates/{run}").json()["question"]) is None:
        assert time.monotonic() < until
        time.sleep(0.02)
    place, told = f"/api/debates/{run}/answer", "because I say so"
    problem(client.post(place, json={"turn": "another", "text": told}), 409)
    problem(client.post(place, json={"turn": question["turn"], "text": "   "}), 422)
    assert client.post(place, json={"turn": question["turn"], "text": f" {told} "}).status_code == 202
    problem(client.post(place, json={"turn": question["turn"], "text": "no, wait"}), 409)
    ended(client, run)
    heard = [f.data["event"] for f in whole(client, run) if f.kind == "user_answered"]
    assert [one["answer"] for one in heard if one["turn"] == question["turn"]] == [told]
    assert client.get(f"/api/debates/{run}").json()["question"] is None
    problem(client.post(f"/api/debates/{over}/answer", json={"turn": "s1", "text": "yes"}), 409)


# ---- what is broken


def test_a_log_that_was_altered_is_not_shown(client: httpx2.Client, shared: Setup) -> None:
    run = fabricated(shared.store, "altered", 5)
    entry = entry_after(shared.store, run)
    shared.store.append(run, [replace(entry, hash="0" * 64)]).result(WAIT_S)
    for place in ("", "/result", "/export/md"):
        found = problem(client.get(f"/api/debates/{run}{place}"), 503)
        assert "altered" not in found["detail"].replace(run, ""), "what is wrong is for the server's own log"
    with client.stream("GET", f"/api/debates/{run}/events") as response:
        assert response.status_code == 503
    assert run in [row["id"] for row in client.get("/api/debates?limit=200").json()["debates"]]


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NoSuchRun("there is no run x"), 404),
        (Busy("too many"), 429),
        (RunTaken("run x is taken"), 409),
        (StaleWriter("somebody else wrote run x"), 409),
        (NotAsked("nobody waits"), 409),
        (BadInput("no"), 422),
        (StoreFault("/somebody/runs.db failed"), 503),
        (FullDisk("/somebody/runs.db failed"), 503),
        (LogFault("/somebody/runs.db, entry 3"), 503),
        (DebaterFault("no answer"), 503),
    ],
)
def test_every_fault_has_its_status_and_names_no_path(error: CruxfinderError, status: int) -> None:
    found = problem_of(error).response()
    assert found.status_code == status
    assert b"somebody/" not in bytes(found.body)


def test_an_answer_takes_no_longer_than_its_making(client: httpx2.Client) -> None:
    took: list[float] = []
    for _ in range(15):
        began = time.monotonic()
        client.get("/api/health")
        took.append(time.monotonic() - began)
    assert min(took) < 0.030, "answers wait for an acknowledgement of their first half"


# ---- votes


def test_a_table_of_votes_becomes_a_map(client: httpx2.Client) -> None:
    csv = "agent,a,b,c\n" + "".join(f"p{n},{s},{s},{-s}\n" for n, s in enumerate([1, 1, 1, -1, -1, -1]))
    found = client.post("/api/votes", json={"csv": csv}).json()
    assert len(found["coalitions"]) == 2
    sides = {p["id"]: (p["x"] > 0, p["coalition"]) for p in found["positions"]}
    assert sides["p0"] == sides["p1"] == sides["p2"] != sides["p3"] == sides["p4"]
    assert found["matrix"]["people"][0] == "p0" and found["leftOut"] == {"people": 0, "questions": 0}
    rows = {f"p{n}": {"a": s, "b": s, "c": -s} for n, s in enumerate([1, 1, 1, -1, -1, -1])}
    again = client.post("/api/votes", json={"votes": rows}).json()
    assert again["positions"] == found["positions"]


def test_what_is_not_shown_of_a_large_table_is_told(client: httpx2.Client) -> None:
    questions = [f"q{n}" for n in range(230)]
    rows = {f"p{n}": {q: (1 if (n + k) % 3 else -1) for k, q in enumerate(questions[: 230 - n])} for n in range(30)}
    found = client.post("/api/votes", json={"votes": rows}).json()
    assert found["leftOut"] == {"people": 0, "questions": 30}
    assert len(found["matrix"]["votes"]) == 30 and {len(row) for row in found["matrix"]["votes"]} == {200}


@pytest.mark.parametrize(
    "asked",
    [
        {"csv": "name,a\np,1\n"},
        {"csv": "agent,a\np,perhaps\n"},
        {"csv": "\x00"},
        {"votes": {"p": {"a": "perhaps"}}},
        {"votes": {"p": {"a": True}}},
        {"votes": {"p": {"a": 2}}},
        {"votes": {f"p{n}": {f"q{n}": 1} for n in range(1_500)}},
        {"csv": "agent,a\np,1\n", "votes": {"p": {"a": 1}}},
        {},
    ],
    ids=["no agents", "no vote", "binary", "a word", "a truth", "a number", "too many cells", "both", "neither"],
)
def test_a_table_that_cannot_be_read_is_told(client: httpx2.Client, asked: dict[str, Any]) -> None:
    problem(client.post("/api/votes", json=asked), 422)


# ---- the gate


def test_the_gate_tells_of_its_debates_and_days(client: httpx2.Client, shared: Setup) -> None:
    shared.gate.memory.log("a line of the day", datetime(2026, 11, 16, 12, tzinfo=UTC))
    (shared.gate.memory.folder / "notes.md").write_text("not a day")
    found = client.get("/api/gate").json()
    assert found["report"] == json.loads(json.dumps(wire.camel(shared.gate.report())))
    assert len(found["days"]) == 1
    assert client.get(f"/api/gate/days/{found['days'][0]}").json()["text"] == "a line of the day\n"
    problem(client.get("/api/gate/days/2001-01-01"), 404)
    problem(client.get("/api/gate/days/2026-13-99"), 404)
    problem(client.get("/api/gate/days/notes"), 422)
