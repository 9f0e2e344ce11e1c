"""No secret that passes through the gate is left in its files, in a prompt, or in anything it says."""

import asyncio
import json
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from bench.fake.server import FakeProvider, served
from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.adapters.packs.rule_file import rules
from cruxfinder.app.gate_models import open_mind_chooser
from cruxfinder.cli import gate_hook
from cruxfinder.cli.main import app
from cruxfinder.gate.actions import Action
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.pack import Models
from tests.law.test_secrets import AROUND, ASSIGNMENTS, COMMANDS, PLANTED, REQUESTS, SHAPES, STATEMENTS

RULES = rules()
LINED = ("-----BEGIN RSA " + "PRIVATE KEY-----\n{}MIIEpAIBAAKCAQEAx\n-----END RSA " + "PRIVATE KEY-----",)
PLACES = (*ASSIGNMENTS, *COMMANDS, *REQUESTS, *STATEMENTS, *LINED)
ON_ONE_LINE = tuple(text for text in PLACES if "\n" not in text)
RISKY = "rm -rf uploads"


@st.composite
def planted(draw: st.DrawFn, lines: bool = True) -> tuple[str, str]:
    """A text, and the secret in it: told by where it stands, or by its shape."""
    if draw(st.booleans()):
        return draw(st.sampled_from(PLACES if lines else ON_ONE_LINE)).format(PLANTED), PLANTED
    secret = draw(SHAPES[draw(st.sampled_from(sorted(SHAPES)))])
    around = draw(st.sampled_from([text for text in AROUND if lines or "\n" not in text]))
    return around.format(secret), secret


def shown(secret: str, text: str) -> list[str]:
    """The pieces of the secret that can be read; what goes before its body, such as sk-, tells nothing."""
    body = secret[-12:] if len(secret) > 20 else secret
    return [body[n : n + 8] for n in range(len(body) - 7) if body[n : n + 8] in text]


def kept_in(folder: Path) -> str:
    return "\n".join(path.read_bytes().decode(errors="replace") for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gate") / "memory"


def fresh(folder: Path) -> Gate:
    shutil.rmtree(folder, ignore_errors=True)
    return Gate(rules=RULES, memory=Memory(folder), disabled=False)


# ---- the house


def plan_with(gate: Gate, text: str) -> object:
    action = Action(text=f"{text}\n{RISKY}", tool="bash", arguments=(("description", text), ("command", text)))
    return asyncio.run(gate.plan(action))


def reason_with(gate: Gate, text: str) -> object:
    checked = {"listed": text, "backup": f"seen: {text}"}
    return asyncio.run(gate.plan(Action(text=RISKY, tool="bash"), reason=text, checked=checked))


def prose_with(gate: Gate, text: str) -> object:
    return asyncio.run(gate.plan(Action(text=f"Wipe the customer database with {text}")))


def tool_with(gate: Gate, text: str) -> object:
    action = Action(text=text, tool="mcp__bank__delete_account", arguments=(("note", text), ("to", "a")))
    return asyncio.run(gate.plan(action))


def attempts_with(gate: Gate, text: str) -> object:
    known = [gate.attempt("fix the login", error=text, approach=text) for _ in range(2)]
    debated = asyncio.run(gate.failure("fix the login", next_approach=text))
    known.append(gate.attempt("fix the login", error=f"again {text}", approach=text))
    return (
        known,
        debated,
        asyncio.run(gate.failure("fix the login")),
        gate.reset("fix the login", said=f"reset it {text}"),
    )


def given_with(gate: Gate, text: str) -> object:
    return asyncio.run(gate.failure("fix the login", attempts=((text, text), (f"b {text}", f"c {text}"))))


WAYS = (plan_with, reason_with, prose_with, tool_with, attempts_with, given_with)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(held=planted())
def test_no_secret_is_left_in_memory_or_in_an_answer(
    folder: Path, way: Callable[[Gate, str], object], held: tuple[str, str]
) -> None:
    text, secret = held
    gate = fresh(folder)
    answer = way(gate, text)
    assert gate.memory.folder.exists()
    assert shown(secret, kept_in(folder)) == []
    assert shown(secret, str(answer)) == []


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(held=planted(lines=False))
def test_no_secret_is_left_of_a_task(folder: Path, held: tuple[str, str]) -> None:
    text, secret = held
    gate = fresh(folder)
    answers: list[object] = [gate.attempt(f"fix the login with {text}", error="boom") for _ in range(2)]
    answers.append(asyncio.run(gate.failure(f"fix the login with {text}")))
    answers.append(gate.attempt(f"fix that login with {text}"))
    assert shown(secret, kept_in(folder)) == []
    assert shown(secret, str(answers)) == []


def test_the_texts_do_hold_secrets_until_the_gate_has_seen_them() -> None:
    for text in PLACES:
        assert shown(PLANTED, text.format(PLANTED)) != []


# ---- models


class Parrot:
    """A model that repeats what it is told to, in every field, and once in no field at all."""

    def __init__(self) -> None:
        self.says = ""

    def __call__(self, system: str, user: str) -> str:
        part = system.split("\n")[1]
        if part.startswith("You are the judge"):
            return json.dumps({"answer": True, "why": self.says})
        texts = ("claim", "objection", "counter", "diagnosis", "fix", "diff_from_previous", "pattern", "blind_spot")
        return json.dumps(
            {
                **dict.fromkeys(texts, f"It will be well. {self.says}"),
                **{name: [self.says, f"see {self.says}"] for name in ("supports", "risks")},
                **{"confidence": 0.9, "severity": "high", "should_escalate": False},
            }
        )


@pytest.fixture(scope="module")
def provider() -> Generator[FakeProvider]:
    with served(FakeProvider(Parrot())) as found:
        yield found


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked=planted(), replied=planted(lines=False))
def test_no_secret_is_sent_to_a_model_or_kept_of_its_reply(
    folder: Path, provider: FakeProvider, asked: tuple[str, str], replied: tuple[str, str]
) -> None:
    (text, secret), (reply, other) = asked, replied
    parrot = provider.brain
    assert isinstance(parrot, Parrot)
    parrot.says = reply
    provider.calls.clear()

    async def debated() -> list[object]:
        async with open_mind_chooser(
            Models(dialogue="fake", base_url=provider.url), Caps(), RequestLimits(deadline_s=10)
        ) as choose:
            gate = fresh(folder)
            gate.choose = choose
            action = Action(text=f"{RISKY} # {text}", tool="bash", arguments=(("description", text),))
            plan = await gate.plan(action, reason=text, checked={"listed": text})
            return [
                plan,
                await gate.failure("fix the login", attempts=((text, text), (text, text)), next_approach=text),
            ]

    answers = asyncio.run(debated())
    assert len(provider.calls) >= 4
    prompts = "\n".join(f"{call.system}\n{call.user}\n{json.dumps(call.body)}" for call in provider.calls)
    for planted_one in (secret, other):
        assert shown(planted_one, prompts) == []
        assert shown(planted_one, kept_in(folder)) == []
        assert shown(planted_one, str(answers)) == []


# ---- the command and the hook


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in ("CRUX_MODEL", "CRUX_GATE_RULES", "CRUX_GATE_OFF", "DISABLE_DEBATE", "CRUX_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("CRUX_GATE_MEMORY", str(folder))
    return folder


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(held=planted(), json_too=st.booleans())
def test_no_secret_is_printed_by_the_command(here: Path, held: tuple[str, str], json_too: bool) -> None:
    text, secret = held
    shutil.rmtree(here, ignore_errors=True)
    end = ["--json"] if json_too else []
    tried = [f"--attempt={text}", f"--error={text}"] * 2
    said = ""
    for args in (
        ["route", f"{RISKY} # {text}", "--tool", "bash"],
        ["plan", f"{RISKY} # {text}", "--tool", "bash", f"--why={text}", f"--checked=listed: {text}", "--house"],
        ["plan", f"Wipe the customer database {text}", "--house"],
        ["attempt", "fix the login", f"--error={text}", f"--approach={text}"],
        ["failure", "fix the login", *tried, f"--next={text}", "--house"],
        ["reset", "fix the login", f"--said=Start fresh. {text}"],
        ["report"],
    ):
        result = CliRunner().invoke(app, ["gate", *args, *end])
        assert result.exit_code in (0, 10, 11, 20), (args, result.output)
        said += result.stdout + result.stderr
    assert shown(secret, said) == []
    assert shown(secret, kept_in(here)) == []


def hooked(tool: str, given: dict[str, object]) -> str:
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": tool, "tool_input": given}
    return gate_hook.answer(json.dumps(event).encode(), [])


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(held=planted())
def test_no_secret_is_in_the_answer_of_the_hook(here: Path, held: tuple[str, str]) -> None:
    text, secret = held
    shutil.rmtree(here, ignore_errors=True)
    said = hooked("Bash", {"command": f"{RISKY} # {text}", "description": text})
    said += hooked("Bash", {"command": f"rm -rf / # {text}"})
    said += hooked("Write", {"file_path": "/etc/app.env", "content": text})
    said += hooked("mcp__bank__delete_account", {"note": text, "amount": 5})
    assert said.count("hookSpecificOutput") == 4
    assert shown(secret, said) == []
    assert shown(secret, kept_in(here)) == []
