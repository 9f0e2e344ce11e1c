"""Who is let in, and what is let through: other sites, strangers, bodies that are too much, texts that are scripts."""

import json
from collections.abc import Generator, Iterator
from typing import Any, Final

import httpx2
import pytest
from starlette.testclient import TestClient

from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.hosting import DebateHost
from cruxfinder.app.server_setup import Setup
from cruxfinder.errors import BadInput
from cruxfinder.server.application import build
from cruxfinder.server.bodies import RateLimit
from cruxfinder.server.guard import GuardPolicy, guard_policy_for
from cruxfinder.server.problems import Problem
from cruxfinder.server.serving_http import open_listener, serve
from tests.server.hosting import SHORT, begun, ended, waited, whole

HERE: Final = "http://127.0.0.1:8000"
TOKEN: Final = "a-token-of-the-tests"
SCRIPT: Final = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def browser(shared: Setup) -> Generator[TestClient]:
    application = build(shared, GuardPolicy(writes_a_minute=10_000))
    with TestClient(application, base_url=HERE, raise_server_exceptions=False) as found:
        yield found


# ---- from where


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "[::2]", ""],
)
@pytest.mark.parametrize("path", ["/", "/api/health", "/api/debates", "/page/dom.js"])
def test_a_foreign_host_is_refused_everywhere(browser: TestClient, host: str, path: str) -> None:
    assert browser.get(path, headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "LOCALHOST", "127.0.0.1:1", "[::1]:8000"])
def test_the_loopback_is_known_by_its_names(browser: TestClient, host: str) -> None:
    assert browser.get("/api/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "https://evil.example",
        "http://127.0.0.1.evil.example:8000",
        "http://127.0.0.1:3000",
        "https://127.0.0.1:8000",
        "http://127.0.0.1:8000@evil.example",
        "file://127.0.0.1:8000",
        "null",
        "",
    ],
)
def test_a_foreign_origin_is_refused(browser: TestClient, origin: str) -> None:
    before = browser.get("/api/debates").json()
    for response in (
        browser.post("/api/debates", json=SHORT, headers={"Origin": origin}),
        browser.get("/api/debates", headers={"Origin": origin}),
    ):
        assert response.status_code == 403
        assert response.headers["content-type"] == "application/problem+json"
    assert browser.get("/api/debates").json() == before


def test_a_page_of_this_server_may_write(browser: TestClient) -> None:
    headers = {"Origin": HERE, "Sec-Fetch-Site": "same-origin"}
    assert browser.post("/api/debates", json=SHORT, headers=headers).status_code == 201


def test_a_request_from_another_site_is_refused(browser: TestClient) -> None:
    assert browser.get("/api/debates", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert browser.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200, "a link to the page"


def test_no_other_site_is_ever_told_that_it_may(browser: TestClient) -> None:
    preflight = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    response = browser.options("/api/debates", headers=preflight)
    assert response.status_code == 403
    assert not [name for name in response.headers if name.startswith("access-control")]


# ---- who


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", "Bearer é"]
)
def test_a_missing_or_wrong_token_is_refused(setup: Setup, given: str) -> None:
    headers = httpx2.Headers({b"Authorization": given.encode("latin-1")} if given else {})
    with TestClient(build(setup, GuardPolicy(token=TOKEN)), base_url=HERE) as client:
        for path in ("/api/debates", "/api/packs", "/api/openapi.json", "/api/gate", "/api/debates/x/events"):
            refused = client.get(path, headers=headers)
            assert refused.status_code == 401 and refused.headers["www-authenticate"] == "Bearer"
            assert TOKEN not in refused.text
        assert client.post("/api/debates", json=SHORT, headers=headers).status_code == 401
        assert client.get("/api/health", headers=headers).json()["token"] is True
        assert client.get("/", headers=headers).status_code == 200


def test_the_token_lets_in(setup: Setup) -> None:
    with TestClient(build(setup, GuardPolicy(token=TOKEN)), base_url=HERE) as client:
        assert client.get("/api/debates", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "crux.example"])
def test_a_server_that_others_reach_needs_a_token(host: str) -> None:
    with pytest.raises(BadInput, match="token"):
        guard_policy_for(host)
    assert guard_policy_for(host, TOKEN).token == TOKEN


@pytest.mark.parametrize("token", ["short", "a token with spaces", "tökentökentökentöken", "line\nbreak-in-a-token"])
def test_a_token_that_is_none_is_refused(token: str) -> None:
    with pytest.raises(BadInput, match="token"):
        guard_policy_for("127.0.0.1", token)


def test_names_that_were_allowed_are_known(setup: Setup) -> None:
    guard = guard_policy_for("0.0.0.0", TOKEN, ("Crux.Example", "fd00::7"))
    with TestClient(build(setup, guard), base_url=HERE) as client:
        for host in ("crux.example", "crux.example:443", "[fd00::7]:80"):
            assert client.get("/api/health", headers={"Host": host}).status_code == 200
        behind = {"Host": "crux.example", "Origin": "https://crux.example"}
        assert client.get("/api/health", headers=behind).status_code == 200, "behind a proxy that speaks TLS"
        assert client.get("/api/health", headers={"Host": "0.0.0.0"}).status_code == 403


def test_a_port_that_is_taken_is_told() -> None:
    with open_listener("127.0.0.1", 0) as first, pytest.raises(BadInput, match="cannot listen"):
        open_listener("127.0.0.1", first.getsockname()[1])


def test_a_first_run_that_cannot_be_is_told_and_ends_the_server(setup: Setup) -> None:
    async def first(host: DebateHost) -> str:
        return (await host.start(DebateRequest("bitcoin", agents=["nobody"]))).run

    heard: list[str] = []
    with pytest.raises(BadInput, match="nobody"):
        serve(setup, heard=lambda address, run: heard.append(address + run), first=first)
    assert not heard


# ---- what


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "application/json; charset=utf-16",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/api/debates", "/api/votes", "/api/debates/a/stop", "/api/debates/a/seats/b"])
def test_a_body_that_is_not_json_by_name_is_refused(browser: TestClient, kind: str, path: str) -> None:
    headers = {"Content-Type": kind} if kind else {}
    response = browser.post(path, content=json.dumps(SHORT).encode(), headers=headers)
    assert response.status_code == 415


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nonsense",
        b'{"pack":"bitcoin","pack":"bitcoin"}',
        b'{"pack":"bitcoin","seed":NaN}',
        b'{"pack":"bitcoin","maxCost":Infinity}',
        b'{"pack":"bitcoin","maxCost":1e999}',
        b'{"pack":"bitcoin","seed":' + b"9" * 5_000 + b"}",
        b'{"pack":"bitcoin","seed":' + b"9" * 25 + b"}",
        b"[" * 100_000,
        b'{"pack":' * 50 + b"1" + b"}" * 50,
        b'{"pack":"\\ud800"}',
        b'{"\\udfff":"bitcoin"}',
        b'{"pack":"\xff"}',
        json.dumps(SHORT).encode("utf-16"),
    ],
)
def test_a_body_that_is_not_json_in_fact_is_refused(browser: TestClient, body: bytes) -> None:
    response = browser.post("/api/debates", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 400, response.text
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("body", [b"null", b"[]", b'"bitcoin"', b"3", b'{"pack":null}'])
def test_json_that_is_no_request_is_refused(browser: TestClient, body: bytes) -> None:
    response = browser.post("/api/debates", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 422


def pieces(count: int) -> Iterator[bytes]:
    yield b'{"csv":"'
    for _ in range(count):
        yield b"x" * 1_000_000
    yield b'"}'


@pytest.mark.parametrize("known", [True, False], ids=["its size told", "in pieces"])
def test_a_body_of_20_mb_is_refused(client: httpx2.Client, known: bool) -> None:
    content: Any = b"".join(pieces(20)) if known else pieces(20)
    response = client.post("/api/votes", content=content, headers={"Content-Type": "application/json"})
    assert response.status_code == 413, response.text
    assert client.get("/api/health").status_code == 200


def test_only_so_many_writes_a_minute() -> None:
    now = [0.0]
    rate = RateLimit(3, clock=lambda: now[0])
    for _ in range(3):
        rate.count()
    with pytest.raises(Problem) as refused:
        rate.count()
    assert refused.value.status == 429 and refused.value.headers["Retry-After"] == "61"
    now[0] = 60.1
    rate.count()


def test_writes_are_counted_and_reads_are_not(setup: Setup) -> None:
    with TestClient(build(setup, GuardPolicy(writes_a_minute=2)), base_url=HERE) as client:
        answers = [client.post("/api/votes", json={}).status_code for _ in range(4)]
        assert answers == [422, 422, 429, 429]
        assert client.get("/api/debates").status_code == 200


# ---- paths


@pytest.mark.parametrize(
    "path",
    [
        "/page/../pyproject.toml",
        "/page/..%2f..%2fsetup.py",
        "/page/%2e%2e/%2e%2e/setup.py",
        "/page/..%5c..%5csetup.py",
        "/page/__init__.py",
        "/page/report.py",
        "/page/bundle.py",
        "/page/dom.js%00",
        "/page/dom.js%0a",
        "/page/",
        "/viewer",
        "//etc/passwd",
        "/../../etc/passwd",
    ],
)
def test_no_path_leads_out_of_the_page(client: httpx2.Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404, response.text
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "run",
    ["..", "%2e%2e", "..%2f..%2fetc%2fpasswd", "a%0a", "a%00", "A", "a b", "-a", "a" * 65, "%ff", "a%2fevents", "é"],
)
@pytest.mark.parametrize("place", ["", "/events", "/result", "/report", "/export/md", "/seats"])
def test_an_id_is_matched_in_full(client: httpx2.Client, run: str, place: str) -> None:
    assert client.get(f"/api/debates/{run}{place}").status_code in (404, 422)


def test_an_id_with_a_line_break_is_not_the_run(client: httpx2.Client, over: str) -> None:
    assert client.get(f"/api/debates/{over}").status_code == 200
    assert client.get(f"/api/debates/{over}%0a").status_code == 422
    assert client.get("/api/gate/days/2026-11-16%0a").status_code == 422


# ---- texts


def test_every_answer_keeps_a_browser_from_guessing(client: httpx2.Client, over: str) -> None:
    for path in ("/", "/page/dom.js", "/api/health", "/api/nothing", f"/api/debates/{over}/events", "/api/debates/A"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
    assert client.get("/api/debates").headers["cache-control"] == "no-store"


def asking(text: str) -> list[tuple[str, dict[str, Any]]]:
    """A script in every field that takes a text."""
    return [
        ("/api/debates", {"pack": text}),
        ("/api/debates", {"topic": text}),
        ("/api/debates", {"pack": "bitcoin", "agents": [text]}),
        ("/api/debates", {"pack": "bitcoin", "personaIds": [text]}),
        ("/api/debates", {"pack": "bitcoin", "protocol": text}),
        ("/api/debates", {"pack": "bitcoin", "roles": {text: text}, "protocol": "debate"}),
        ("/api/debates", {"pack": "bitcoin", "off": [text]}),
        ("/api/debates", {"pack": "bitcoin", "people": [text]}),
        ("/api/debates", {"pack": "bitcoin", "embedder": text}),
        ("/api/debates", {"pack": "bitcoin", "pace": text}),
        ("/api/debates", {text: text}),
        ("/api/debates/{run}/fork", {"at": 5, "changes": [text]}),
        ("/api/debates/{run}/fork", {"at": 5, "changes": [f"persona.{text}.bias=1"]}),
        ("/api/debates/{run}/answer", {"turn": text, "text": text}),
        ("/api/debates/{run}/seats/holder", {"number": 0, "answer": {"kind": "silence", "why": text}}),
        ("/api/debates/{run}/seats/holder", {"number": 0, "answer": {"kind": text}}),
        ("/api/votes", {"csv": text}),
        ("/api/votes", {"votes": {text: {text: text}}}),
    ]


@pytest.mark.parametrize(("path", "body"), asking(SCRIPT))
def test_a_script_comes_back_as_text_or_not_at_all(
    client: httpx2.Client, over: str, path: str, body: dict[str, Any]
) -> None:
    response = client.post(path.format(run=over), json=body)
    assert 400 <= response.status_code < 500
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert isinstance(response.json()["detail"], str)


def test_a_script_that_was_accepted_is_text_wherever_it_shows(client: httpx2.Client) -> None:
    votes = {f"{SCRIPT}{n}": {SCRIPT: 1 - 2 * (n % 2), "b": 1} for n in range(4)}
    response = client.post("/api/votes", json={"votes": votes})
    assert response.headers["content-type"] == "application/json"
    assert response.json()["matrix"]["questions"][0] == SCRIPT
    run = begun(client, people=["holder"], maxMessages=2)
    answer = {"kind": "first", "p_top": 0.5, "side": "YES", "reason": SCRIPT}
    asked = {"number": waited(client, run)["ask"].get("number", 0), "answer": answer}
    assert client.post(f"/api/debates/{run}/seats/holder", json=asked).status_code == 202
    client.post(f"/api/debates/{run}/stop", json={})
    ended(client, run)
    reasons = [frame.data["event"]["reason"] for frame in whole(client, run) if frame.kind == "first_position"]
    assert reasons.count(SCRIPT) == 1
    report = client.get(f"/api/debates/{run}/report")
    assert report.headers["content-disposition"].startswith("attachment")
    assert "<script>alert('x')" not in report.text


def test_no_path_of_the_machine_is_told(client: httpx2.Client, shared: Setup, over: str) -> None:
    folder = str(shared.gate.memory.folder.parent)
    texts = [client.get(path).text for path in ("/api/gate", "/api/debates", f"/api/debates/{over}", "/api/debates/A")]
    assert not [text for text in texts if folder in text]
