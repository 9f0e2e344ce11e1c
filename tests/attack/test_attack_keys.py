"""A key goes only to an address that somebody named for it here: never to one that a log, or a redirect, names."""

import asyncio
import os
import subprocess
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner, Result

import cruxfinder as cf
from bench.fake.server import served
from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.allowance import allow_addresses
from cruxfinder.adapters.models.connection import Declined, ModelConnection
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.cli import exits
from cruxfinder.cli.main import app as crux_app
from cruxfinder.errors import BadInput, UnnamedAddress
from cruxfinder.kernel.pack import Models
from cruxfinder.ports import Prompt
from tests.attack.foreign_store import KEY, RUN, Listener, foreign_run, serving_store
from tests.cli.terminal import CRUX, environment, in_terminal
from tests.models.models import response
from tests.server.hosting import WAIT_S, ended

FORK: Final = ("fork", RUN, "--at", "3", "--set", "max-messages=5", "--json")
RESUME: Final = ("resume", RUN, "--json")


@pytest.fixture(autouse=True)
def only_our_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("CRUX_", "OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CRUX_STORE", str(tmp_path / "runs.db"))
    monkeypatch.setenv("CRUX_API_KEY", KEY)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


@pytest.fixture
def thief(path: Path) -> Generator[Listener]:
    """Whom the log of the store's one run names; it has heard nothing yet."""
    with served(Listener()) as found:
        foreign_run(path, found.url)
        found.forget()
        yield found


def crux(*args: str) -> Result:
    return CliRunner().invoke(crux_app, list(args))


def refused(said: Result, address: str) -> None:
    """One sentence that names the address and the flag."""
    assert said.exit_code == exits.BAD_INPUT, said.output
    assert said.stdout == "" and said.stderr.count("\n") == 1
    assert address in said.stderr and "--base-url" in said.stderr


# ---- the command line


def test_resume_sends_nothing_to_an_address_of_the_log(thief: Listener) -> None:
    refused(crux(*RESUME), thief.url)
    assert thief.heads == []
    said = crux(*RESUME, "--base-url", thief.url)
    assert said.exit_code == 0, said.output
    assert thief.keys, "an address that was named is asked, with the key"


def test_fork_sends_nothing_to_an_address_of_the_log_and_begins_nothing(path: Path) -> None:
    with served(Listener()) as thief:
        foreign_run(path, thief.url, over=True)
        thief.forget()
        refused(crux(*FORK), thief.url)
        with closing(SqliteStore(path)) as store:
            assert [row.id for row in store.rows()] == [RUN]
        assert thief.heads == []
        assert crux(*FORK, "--base-url", thief.url).exit_code == 0
        assert thief.keys


def test_replay_and_show_ask_nobody(path: Path) -> None:
    with served(Listener()) as thief:
        foreign_run(path, thief.url, over=True)
        thief.forget()
        for command in ("replay", "show", "resume"):
            assert crux(command, RUN, "--json").exit_code == 0
        assert thief.heads == []


@pytest.mark.parametrize("place", ["environment", "file"])
def test_an_address_of_the_environment_or_of_the_own_file_is_named(
    thief: Listener, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "environment":
        monkeypatch.setenv("CRUX_BASE_URL", f"{thief.url}/")
    else:
        file = tmp_path / "own.toml"
        file.write_text(f'base_url = "{thief.url}"\n')
        monkeypatch.setenv("CRUX_CONFIG", str(file))
    assert crux(*RESUME).exit_code == 0
    assert thief.keys


def test_an_address_named_here_does_not_vouch_for_another(thief: Listener) -> None:
    port = thief.url.rpartition(":")[2].partition("/")[0]
    others = ("http://127.0.0.1:1/v1", f"https://127.0.0.1:{port}/v1", f"http://localhost:{port}/v1", f"{thief.url}/x")
    for other in others:
        refused(crux(*RESUME, "--base-url", other), thief.url)
    assert thief.heads == []


def test_a_judge_a_fallback_or_an_own_model_brings_no_other_address(path: Path) -> None:
    with served(Listener()) as thief:
        foreign_run(path, thief.url, judgement="openai:judge", fallbacks=("anthropic:other",))
        thief.forget()
        refused(crux(*RESUME), thief.url)
        assert thief.heads == []


def test_the_library_sends_nothing_to_an_address_of_the_log(thief: Listener, path: Path) -> None:
    with pytest.raises(UnnamedAddress):
        cf.resume(RUN, store=path)
    with pytest.raises(UnnamedAddress):
        cf.fork(RUN, at=3, change=[], store=path)
    assert thief.heads == []
    assert cf.resume(RUN, store=path, base_url=thief.url).run == RUN
    assert thief.keys


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "asked"), [(b"\n", False), (b"n\n", False), (b"y\n", True)])
def test_a_person_at_a_terminal_is_asked_and_no_is_the_default(
    thief: Listener, path: Path, typed: bytes, asked: bool
) -> None:
    with in_terminal(path, "resume", RUN) as terminal:
        terminal.read("[y/N]")
        assert thief.url in terminal.seen and thief.heads == []
        os.write(terminal.screen, typed)
        code = terminal.end()
    assert (code == 0, bool(thief.keys)) == (asked, asked), terminal.seen
    assert asked or code == exits.BAD_INPUT


# ---- servers


def test_a_server_takes_up_no_run_of_an_address_it_was_not_started_with(thief: Listener, path: Path) -> None:
    for wished in (ModelRequest(), ModelRequest(model="fake", base_url="http://127.0.0.1:1/v1")):
        with serving_store(path, wished) as (client, setup):
            found = client.get(f"/api/debates/{RUN}").json()
            assert found["state"] == "open" and thief.url in found["why"]
            assert client.get("/api/debates").json()["debates"][0]["state"] == "open"
            answer = client.post(f"/api/debates/{RUN}/resume", json={"pace": "fast"})
            assert answer.status_code == 422 and thief.url in answer.json()["detail"]
            assert [run for run, _ in setup.store.hosted_runs()] == [RUN], (
                "it is left for a server that may go on with it"
            )
    assert thief.heads == []
    with serving_store(path, ModelRequest(model="fake", base_url=thief.url)) as (client, _):
        assert ended(client, RUN)["state"] == "complete"
    assert thief.keys


def test_a_server_forks_no_run_of_an_address_it_was_not_started_with(path: Path) -> None:
    with served(Listener()) as thief:
        foreign_run(path, thief.url, over=True)
        thief.forget()
        with serving_store(path, ModelRequest()) as (client, _):
            asked = {"at": 3, "changes": ["max-messages=5"], "pace": "fast"}
            answer = client.post(f"/api/debates/{RUN}/fork", json=asked)
            assert answer.status_code == 422 and thief.url in answer.json()["detail"]
            for change in (f"base-url={thief.url}", f"base_url={thief.url}", f"models.base_url={thief.url}"):
                answer = client.post(f"/api/debates/{RUN}/fork", json={**asked, "changes": [change]})
                assert answer.status_code == 422, "no change of a fork names an address"
        assert thief.heads == []


def test_a_server_of_the_house_goes_on_with_no_run_of_models(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(Listener()) as provider:
        monkeypatch.setenv("OPENAI_BASE_URL", provider.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        foreign_run(path, "", dialogue="openai:gpt-5-mini")
        provider.forget()
        with serving_store(path, ModelRequest(), house=True) as (client, _):
            assert client.get(f"/api/debates/{RUN}").json()["state"] == "open"
            assert client.post(f"/api/debates/{RUN}/resume", json={}).status_code == 422
        assert provider.heads == []


@pytest.mark.slow
def test_crux_serve_says_at_its_start_what_it_leaves_as_it_stands(thief: Listener, path: Path) -> None:
    """The command itself, with a key in its environment, on a store from elsewhere."""
    command = [*CRUX, "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(command, env=environment(path), stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        told = child.stderr.readline()
        serving = child.stderr.readline()
        child.terminate()
        child.wait(WAIT_S)
    assert RUN in told and thief.url in told and "--base-url" in told
    assert "serving at" in serving
    assert thief.heads == []


# ---- addresses, and where a provider sends elsewhere


@pytest.mark.parametrize(
    "url",
    [
        "http://named.example@evil.example/v1",
        "http://@evil.example/v1",
        "http://named.example\\@evil.example/v1",
        "http://evil.example/v1?x=http://named.example",
        "http://evil.example/v1#http://named.example",
        "http://nam\ted.example/v1",
        "http://named.example /v1",
        "http://n\u0430med.example/v1",  # a Cyrillic letter
        "http://named.example\u2024evil.example/v1",
        "file:///etc/passwd",
        "http://:80/v1",
        "http://named.example:0/v1",
        "",
    ],
)
def test_an_address_that_could_be_taken_for_another_is_none(url: str) -> None:
    with pytest.raises(BadInput):
        model_names.address_of(url)
    with pytest.raises(BadInput):
        allow_addresses(["http://named.example/v1"]).check_models("r1", Models(dialogue="m", base_url=url or " "))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://a.example/v1", "http://a.example:80/v1/", True),
        ("https://A.Example/v1", "https://a.example:443/v1", True),
        ("HTTP://a.example/v1", "http://a.example/v1", True),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1/", True),
        ("http://a.example/v1", "https://a.example/v1", False),
        ("http://a.example/v1", "http://a.example:8080/v1", False),
        ("http://a.example/v1", "http://a.example/V1", False),
        ("http://a.example/v1", "http://a.example/v1/../x", False),
        ("http://a.example/v1", "http://a.example.evil.example/v1", False),
        ("http://a.example/v1", "http://xa.example/v1", False),
    ],
)
def test_two_addresses_are_the_same_by_scheme_host_port_and_path(one: str, other: str, same: bool) -> None:
    assert (model_names.address_of(one) == model_names.address_of(other)) is same


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("provider", ["compatible", "openai", "anthropic"])
def test_a_redirect_takes_neither_key_nor_prompt_elsewhere(
    status: int, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(Listener()) as thief:
        away = response("{}", status, f"Location: {thief.url}/chat/completions")
        with served(Listener(raw={"away": away}, faults=lambda _: "away")) as named:
            for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
                monkeypatch.setenv(variable, KEY)
            monkeypatch.setenv("OPENAI_BASE_URL", named.url)
            monkeypatch.setenv("ANTHROPIC_BASE_URL", named.url)
            text, url = ("m", named.url) if provider == "compatible" else (f"{provider}:m", "")

            async def ask() -> None:
                connection = ModelConnection(model_names.read(text, url))
                try:
                    await connection.request(Prompt(system="s", user="u", tokens_out=5))
                finally:
                    await connection.close()

            with pytest.raises(Declined, match=f"sends elsewhere .{status}."):
                asyncio.run(ask())
            assert named.keys
    assert thief.heads == []


def test_what_the_environment_says_of_an_account_stays_with_its_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-ours")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-ours")
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-openai")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-anthropic")

    async def ask(url: str) -> None:
        connection = ModelConnection(model_names.read("openai:m", url))
        await connection.request(Prompt(system="s", user="u", tokens_out=5))
        await connection.close()

    with served(Listener()) as named:
        asyncio.run(ask(named.url))
    told = "".join(named.heads)
    assert KEY in told
    assert not [word for word in ("of-ours", "key-of-openai", "key-of-anthropic") if word in told]
