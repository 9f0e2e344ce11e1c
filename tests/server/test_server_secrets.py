"""Keys and tokens: a server that could be reached asks for one, and repeats none, whoever repeats it to the server."""

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner

from bench.fake.caster import caster
from bench.fake.server import FakeProvider
from cruxfinder.cli import exits
from cruxfinder.cli.main import app
from tests.server.hosting import ROOT, WAIT_S, begun, ended, whole

# Neither looks like a key: they must be known to be one, not guessed.
KEY = "vQ3wZr8Lm2Tn6KxYb9Hd"
TOKEN = "Rk4pWc7Jt1Gs5NfVe0Ua"
SETTINGS = ("CRUX_", "OPENAI_", "ANTHROPIC_")


# ---- a server that could be reached


@pytest.fixture
def taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[int]:
    """A port that nobody can have: a server that should not begin does not begin, whatever it thinks of itself."""
    for name in list(os.environ):
        if name.startswith(SETTINGS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("CRUX_STORE", str(tmp_path / "runs.db"))
    monkeypatch.setenv("CRUX_GATE_MEMORY", str(tmp_path / "memory"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with socket.create_server(("0.0.0.0", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.mark.parametrize(
    ("flags", "kept", "told"),
    [
        pytest.param(
            ("--host", "0.0.0.0"),
            "",
            "a server at 0.0.0.0 can be reached from elsewhere: give it a token",
            id="none",
        ),
        pytest.param(
            ("--host", "::"), "", "a server at :: can be reached from elsewhere: give it a token", id="none, IPv6"
        ),
        pytest.param(
            ("--host", "0.0.0.0", "--token", ""),
            TOKEN,
            "a server at 0.0.0.0 can be reached from elsewhere: give it a token",
            id="taken back",
        ),
        pytest.param(
            ("--host", "0.0.0.0", "--token", "zq-short"),
            "",
            "a token has at least 16 letters, digits or signs, and no space",
            id="short",
        ),
        pytest.param(("--token", "zq-short"), "", "a token has at least 16 letters", id="short, on this machine"),
        pytest.param((), "zq-short", "a token has at least 16 letters", id="short, in the environment"),
        pytest.param(("--token", "zq-short with many a space"), "", "and no space", id="spaces"),
    ],
)
def test_a_server_without_a_good_token_does_not_begin(
    taken: int, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...], kept: str, told: str
) -> None:
    if kept:
        monkeypatch.setenv("CRUX_TOKEN", kept)
    said = CliRunner().invoke(app, ["serve", "--no-open", "--port", str(taken), *flags])
    assert said.exit_code == exits.BAD_INPUT == 2, said.output
    assert said.stdout == "" and said.stderr.startswith("crux: ") and said.stderr.count("\n") == 1
    assert told in said.stderr and "zq-short" not in said.stderr


# ---- a provider that repeats the key


@dataclass
class Telltale:
    """A provider that repeats the key it was given, in errors of many kinds; `spared` requests in between go well."""

    spared: int = 0
    heard: set[str] = field(default_factory=set[str])
    count: int = 0
    failed: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    brain: FakeProvider = field(default_factory=lambda: FakeProvider(caster()))

    def answer(self, given: str, body: dict[str, Any]) -> tuple[int, str, str]:
        """Status, kind and text."""
        with self.lock:
            self.heard.add(given)
            self.count += 1
            if self.spared and self.count % (self.spared + 1):
                texts = [
                    "\n".join(m["content"] for m in body["messages"] if m["role"] == r) for r in ("system", "user")
                ]
                return 200, "application/json", self.brain.completion("", *texts)
            self.failed += 1
            told = f"Authorization: {given} is not welcome; you sent {given.removeprefix('Bearer ')!r}"
            if not self.spared:
                return 401, "application/json", json.dumps({"error": {"message": told, "param": given}})
            ways = (
                (500, "application/json", json.dumps({"error": {"message": told}})),
                (200, "text/html", f"<h1>{told}</h1>"),
                (429, "application/json", json.dumps({"error": {"message": told, "type": "rate_limit"}})),
                (502, "text/plain", told),
            )
            return ways[self.failed % len(ways)]


@contextmanager
def telling(telltale: Telltale) -> Generator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, kind, text = telltale.answer(self.headers["authorization"], body)
            data = text.encode()
            self.send_response(status)
            for name, value in (("Content-Type", kind), ("Content-Length", str(len(data))), ("Retry-After", "0")):
                self.send_header(name, value)
            self.send_header("X-Told", self.headers["authorization"])
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(WAIT_S)


@contextmanager
def serving(folder: Path, flags: tuple[str, ...], settings: dict[str, str]) -> Generator[str]:
    """The server as it is run, with a token; what it says goes to a file."""
    command = [sys.executable, "-m", "cruxfinder", "--store", str(folder / "runs.db"), "serve", "--no-open"]
    command += ["--port", "0", "--memory", str(folder / "memory"), "--token", TOKEN, *flags]
    outside = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
    environment = {**outside, "XDG_CONFIG_HOME": str(folder), **settings}
    said = folder / "stderr"
    with said.open("wb") as err:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=err, stderr=err)
    try:
        until = time.monotonic() + WAIT_S
        while (found := re.search(r"serving at (http://\S+?)/ ", said.read_text())) is None:
            assert time.monotonic() < until and process.poll() is None, said.read_text()
            time.sleep(0.05)
        yield found[1]
    finally:
        process.terminate()
        process.wait(WAIT_S)


def places(client: httpx2.Client, runs: list[str]) -> Iterator[str]:
    """Every GET route there is, for these runs."""
    paths = client.get("/api/openapi.json").json()["paths"]
    fills = {
        "format": ["json", "md", "argdown", "mermaid", "graphml", "csv", "adr"],
        "day": ["2026-01-29"],
        "run": runs,
    }
    for path, methods in paths.items():
        if "get" not in methods or path.endswith("/events"):
            continue
        found = [path]
        for name, values in fills.items():
            found = [one.replace(f"{{{name}}}", value) for one in found for value in values]
        assert all("{" not in one for one in found), f"{path} has a part that this test cannot fill"
        yield from dict.fromkeys(found)
    yield from ("/", "/page/main.js", "/api/openapi.json", "/api/nothing-here", f"/api/health?token={TOKEN}")


def answers(client: httpx2.Client, runs: list[str]) -> dict[str, str]:
    """What every route answers, headers and all."""
    found: dict[str, str] = {}
    for place in places(client, runs):
        answer = client.get(place)
        assert answer.status_code < 500, (place, answer.text)
        found[place] = f"{answer.status_code} {answer.headers.multi_items()} {answer.text}"
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "key", "address"),
    [
        pytest.param("openai:gpt-5-mini", "OPENAI_API_KEY", "OPENAI_BASE_URL", id="openai"),
        pytest.param("openai:gpt-5-mini", "CRUX_API_KEY", "", id="base-url"),
    ],
)
def test_no_key_and_no_token_is_ever_repeated(tmp_path: Path, model: str, key: str, address: str) -> None:
    telltale = Telltale()
    seen: dict[str, str] = {}
    with telling(telltale) as url:
        flags = ("--model", model) if address else ("--model", model, "--base-url", url)
        # A key of another provider stays at home, too.
        settings = {"OPENAI_API_KEY": "a-key-of-somebody-else", key: KEY, **({address: url} if address else {})}
        with (
            serving(tmp_path, flags, settings) as home,
            httpx2.Client(base_url=home, timeout=WAIT_S, headers={"Authorization": f"Bearer {TOKEN}"}) as client,
        ):
            refused = begun_topic(client)
            why = ended(client, refused)["why"]
            assert "refused the request (401)" in why, why
            telltale.spared = 4
            runs = [refused, begun_topic(client), begun(client, withModel=True, maxMessages=6)]
            for run in runs:
                seen[f"{run} read"] = json.dumps(ended(client, run))
                seen[f"{run} events"] = json.dumps([vars(frame) for frame in whole(client, run)])
            for headers in ({}, {"Authorization": "Bearer of-nothing-at-all"}):
                wrong = httpx2.get(f"{home}/api/debates", headers=headers)
                assert wrong.status_code == 401
                seen[f"stranger {headers}"] = f"{wrong.headers.multi_items()} {wrong.text}"
            seen |= answers(client, runs)
    assert telltale.heard == {f"Bearer {KEY}"} and telltale.failed > 4, "the key was used, and was repeated"
    assert sum("complete" in text for place, text in seen.items() if place.endswith(" read")) >= 1
    for file in (file for file in tmp_path.rglob("*") if file.is_file()):
        seen[file.name] = file.read_bytes().decode(errors="replace")
    assert {"runs.db", "stderr"} <= set(seen)
    for secret in (KEY, TOKEN):
        assert [place for place, text in seen.items() if secret in text] == []


def begun_topic(client: httpx2.Client) -> str:
    asked = {"topic": "Should we move the archive to tape?", "maxMessages": 4, "pace": "fast"}
    response = client.post("/api/debates", json=asked)
    assert response.status_code == 201, response.text
    return response.json()["id"]
