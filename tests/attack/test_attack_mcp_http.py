"""MCP over HTTP has the checks of the page's server: who may be reached from elsewhere asks for a token."""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.testclient import TestClient
from typer.testing import CliRunner

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.server_setup import Setup
from cruxfinder.cli import exits
from cruxfinder.cli.main import app
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.mcp.mcp_server import build
from cruxfinder.mcp.serving_mcp import PATH, guarded_app
from cruxfinder.server.guard import GuardPolicy
from tests.mcp_server.callers import ACCEPT, HELLO

TOKEN: Final = "a-token-of-this-test-0123456789"
LET_IN: Final = {**ACCEPT, "Authorization": f"Bearer {TOKEN}"}
REFUSED: Final[dict[str, tuple[dict[str, str], int]]] = {
    "no token": (ACCEPT, 401),
    "another token": ({**ACCEPT, "Authorization": "Bearer another-token-0123456789"}, 401),
    "a token that is no bearer's": ({**ACCEPT, "Authorization": TOKEN}, 401),
    "a rebound name": ({**LET_IN, "Host": "evil.example"}, 403),
    "a page of another site": ({**LET_IN, "Origin": "http://evil.example"}, 403),
    "a page of no site": ({**LET_IN, "Origin": "null"}, 403),
    "as a browser tells it": ({**LET_IN, "Sec-Fetch-Site": "cross-site"}, 403),
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Generator[TestClient]:
    """The server as it is built for HTTP, in this process."""
    folder = tmp_path_factory.mktemp("mcp")
    gate = Gate(rules=rules_in_force(), memory=Memory(folder), disabled=False)
    server = build(Setup(gate=gate, store=MemoryStore()))
    guard = GuardPolicy(token=TOKEN, private="/", open=frozenset())
    with TestClient(guarded_app(server, guard), base_url="http://127.0.0.1:8765") as found:
        yield found


@pytest.mark.parametrize(("headers", "status"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE", "OPTIONS"])
def test_who_was_not_let_in_is_refused(client: TestClient, method: str, headers: dict[str, str], status: int) -> None:
    answer = client.request(method, PATH, headers=headers, json=HELLO)
    assert answer.status_code == status
    assert "cruxfinder" not in answer.text.replace("urn:cruxfinder:problem", "")


@pytest.mark.parametrize("path", ["/", "/mcp/", "/api/health", "/other"])
def test_no_other_path_is_open(client: TestClient, path: str) -> None:
    assert client.get(path, headers=ACCEPT).status_code == 401


def test_who_knows_the_token_is_served(client: TestClient) -> None:
    answer = client.post(PATH, headers=LET_IN, json=HELLO)
    assert answer.status_code == 200 and '"name":"cruxfinder"' in answer.text.replace(" ", "")


# ---- the command


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_a_server_that_can_be_reached_from_elsewhere_does_not_begin_without_a_token(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CRUX_STORE", str(tmp_path / "runs.db"))
    monkeypatch.delenv("CRUX_TOKEN", raising=False)
    for more in ((), ("--token", ""), ("--token", "short")):
        done = CliRunner().invoke(app, ["mcp", "--http", "--host", host, "--port", "0", *more])
        assert done.exit_code == exits.BAD_INPUT and "token" in done.stderr, done.output


@contextmanager
def served_everywhere(folder: Path) -> Generator[str]:
    """The command, bound to every address of this machine; gives the one on loopback."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CRUX_")}
    there = {"CRUX_STORE": str(folder / "runs.db"), "XDG_CONFIG_HOME": str(folder), "CRUX_TOKEN": TOKEN}
    command = [sys.executable, "-m", "cruxfinder", "mcp", "--http", "--host", "0.0.0.0", "--port", "0", "--house"]
    with subprocess.Popen(command, env=kept | there, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            first = process.stderr.readline()
            assert first.startswith("crux: serving at "), first
            address = first.strip().removeprefix("crux: serving at ")
            told = process.stderr.readline()
            assert "Authorization: Bearer" in told and TOKEN not in told
            yield address
        finally:
            process.kill()


@pytest.mark.slow
def test_a_server_bound_to_every_address_lets_in_who_knows_its_token(tmp_path: Path) -> None:
    async def talk(address: str) -> list[str]:
        with anyio.fail_after(60):
            http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"})
            async with http, Client(streamable_http_client(address, http_client=http)) as found:
                return [tool.name for tool in (await found.list_tools()).tools]

    with served_everywhere(tmp_path) as address:
        for case, (headers, status) in REFUSED.items():
            assert httpx2.post(address, headers=headers, json=HELLO).status_code == status, case
        port = urlsplit(address).port
        other = f"http://127.0.0.2:{port}/mcp"  # another address of this machine, by which it was really reached
        assert httpx2.post(other, headers=LET_IN, json=HELLO).status_code == 200
        assert httpx2.post(other, headers=ACCEPT, json=HELLO).status_code == 401
        assert "gate_plan" in anyio.run(talk, address)
        assert json.loads(httpx2.post(address, json=HELLO).text)["status"] == 401
