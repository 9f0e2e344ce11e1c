"""The command itself: over stdio as clients start it, and over HTTP on a free port."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from typer.testing import CliRunner, Result

from cruxfinder.cli.main import app
from tests.mcp_server.callers import ACCEPT, ALARMED, DROP, ERAS, HELLO, SURE, Caller, called, replies

COMMAND: Final = ("-m", "cruxfinder", "mcp")

pytestmark = pytest.mark.slow  # every one starts a process or two


def environment(folder: Path) -> dict[str, str]:
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("CRUX_")},
        "CRUX_STORE": str(folder / "runs.db"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }


Crux = Callable[..., Result]


@pytest.fixture
def crux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Crux:
    """The command in this process, for what goes wrong before it serves."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CRUX_STORE", str(tmp_path / "runs.db"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return lambda *args: CliRunner().invoke(app, ["mcp", *args])


@pytest.mark.anyio
@pytest.mark.parametrize("era", [*ERAS])
async def test_over_stdio(tmp_path: Path, era: str) -> None:
    parameters = StdioServerParameters(
        command=sys.executable, args=[*COMMAND, "--memory", "gate"], env=environment(tmp_path), cwd=tmp_path
    )
    caller = Caller(replies(advocate=SURE, critic=ALARMED))
    with anyio.fail_after(30):
        async with Client(parameters, mode=era, sampling_callback=caller) as client:
            verdict = await called(client, "gate_plan", DROP)
            run = (await called(client, "debate_start", {"subject": "bitcoin", "seed": 2}))["runId"]
            found = await called(client, "debate_result", {"run": run, "wait_s": 20})
            listed = [str(resource.uri) for resource in (await client.list_resources()).resources]
    assert (verdict["thoughtBy"], verdict["resolution"], len(caller.asked)) == ("caller", "ESCALATE", 4)
    assert found["finished"] and f"crux://runs/{run}" in listed
    assert (tmp_path / "gate" / "debate-metrics.jsonl").exists()


def test_stdout_is_the_protocols_alone_and_its_end_ends_the_server(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, *COMMAND, "--house"],
        check=False,
        env=environment(tmp_path),
        cwd=tmp_path,
        input=f"{json.dumps(HELLO)}\nthis is no message\n",
        capture_output=True,
        text=True,
        timeout=30,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, lines[0]["id"]) == (0, 1)
    assert lines[0]["result"]["serverInfo"]["name"] == "cruxfinder"
    assert all(line["jsonrpc"] == "2.0" for line in lines)
    assert "Traceback" not in done.stderr


@contextmanager
def serving(folder: Path) -> Generator[tuple[str, "subprocess.Popen[str]"]]:
    """The command over HTTP, and its address."""
    with subprocess.Popen(
        [sys.executable, *COMMAND, "--http", "--port", "0"],
        env=environment(folder),
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            told = process.stderr.readline().strip()
            assert told.startswith("crux: serving at http://127.0.0.1:"), told
            yield told.removeprefix("crux: serving at "), process
        finally:
            process.kill()


@pytest.mark.anyio
async def test_over_http(tmp_path: Path) -> None:
    with serving(tmp_path) as (address, process), anyio.fail_after(30):
        for era in ERAS:
            caller = Caller(replies(advocate=SURE, critic=ALARMED))
            async with Client(address, mode=era, sampling_callback=caller) as client:
                verdict = await called(client, "gate_plan", DROP)
                run = (await called(client, "debate_start", {"subject": "bitcoin", "seed": 2}))["runId"]
            assert (verdict["thoughtBy"], verdict["resolution"], len(caller.asked)) == ("caller", "ESCALATE", 4)
            async with Client(address, mode=era) as client:  # a debate belongs to the server, not to who began it
                assert (await called(client, "debate_result", {"run": run, "wait_s": 20}))["finished"]
                assert (await called(client, "gate_plan", DROP))["thoughtBy"] == "house"
        async with httpx2.AsyncClient() as http:
            strange = await http.post(address, headers={**ACCEPT, "host": "evil.example"}, json={})
            foreign = await http.post(address, headers={**ACCEPT, "origin": "http://evil.example"}, json={})
        assert (strange.status_code, foreign.status_code) == (403, 403)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stderr is not None and "Traceback" not in process.stderr.read()


@pytest.mark.parametrize(
    ("args", "told"),
    [
        pytest.param(("--rules", "nowhere.yaml"), "nowhere.yaml", id="rules"),
        pytest.param(("--off", "no-such-rule"), "no-such-rule", id="a rule that is none"),
        pytest.param(("--model", "openai:gpt-5-mini"), "OPENAI_API_KEY", id="no key"),
        pytest.param(("--store", "."), "crux: ", id="a store that is none"),
        pytest.param(("--http", "--host", "not an address"), "give it a token", id="no token"),
        pytest.param(
            ("--http", "--host", "192.0.2.1", "--token", "0123456789abcdef"), "cannot listen on 192.0.2.1", id="host"
        ),
        pytest.param(("--token", "0123456789abcdef"), "add --http", id="a token without HTTP"),
    ],
)
def test_what_is_wrong_is_told_before_anybody_calls(crux: Crux, args: tuple[str, ...], told: str) -> None:
    done = crux(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr


def test_a_port_that_is_taken_is_told(crux: Crux) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = crux("--http", "--port", str(port))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"crux: the server cannot listen on 127.0.0.1, port {port}: ")
