"""Secrets in commands, pipes and scripts are hidden; their neighbours stay readable; no text takes long or fails."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from cruxfinder.cli.main import app
from cruxfinder.gate.secrets import secret_forms as forms
from cruxfinder.gate.secrets.redaction import MARK, redact
from tests import pace
from tests.attack.secret_lines import FIRST_SIGHT, HARMLESS, OTHER_VALUES, SECRETS, VALUES

HEX = "0123456789abcdef" * 2


def filled(line: str, secret: str) -> tuple[str, list[str]]:
    """The line with this secret in it, and what of it may not be read."""
    once = base64.b64encode(secret.encode()).decode()
    named = base64.b64encode(f"DB_PASSWORD={secret}".encode()).decode()
    places = {"{S}": secret, "{K}": HEX, "{B}": once, "{C}": named}
    told = [value for place, value in places.items() if place in line]
    for place, value in places.items():
        line = line.replace(place, value)
    return line, told


def lines() -> Iterator[tuple[str, str]]:
    for found, values in ((SECRETS, VALUES), (FIRST_SIGHT, OTHER_VALUES)):
        for group in found.values():
            for number, line in enumerate(group):
                yield line, values[number % len(values)]


def test_a_secret_is_hidden_and_its_command_is_not() -> None:
    for line, secret in lines():
        text, told = filled(line, secret)
        shown = redact(text)
        assert MARK in shown and not any(value in shown for value in told), shown
        assert redact(shown) == shown
        assert len(shown.replace(MARK, "")) >= 0.2 * len(text), f"no more than the secret is taken out of {line}"


def test_a_harmless_neighbour_stays_readable() -> None:
    assert [line for line in HARMLESS if redact(line) != line] == []


@pytest.mark.parametrize(
    "line", ["sshpass -p {S} ssh h", "openssl enc -aes-256-cbc -k {S} -in a", 'expect "assword:"\nsend "{S}\\r"']
)
def test_what_an_agent_failed_with_is_kept_without_its_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    memory = tmp_path / "memory"
    monkeypatch.setenv("CRUX_GATE_MEMORY", str(memory))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    text = line.replace("{S}", "Tr0ub4dor3")
    args = ["gate", "attempt", "log in to the host", "--error", f"failed: {text}", "--approach", text, "--json"]
    said = CliRunner().invoke(app, args)
    assert said.exit_code == 0, said.output
    kept = "".join(path.read_text() for path in memory.rglob("*") if path.is_file())
    assert "log in to the host" in kept and "Tr0ub4dor3" not in kept + said.output
    assert json.loads(said.stdout)["failures"] == 1


# ---- hostile texts

UNITS = (
    "send -",
    "send {",
    'send "',
    'expect "password:" send "',
    "base64 -",
    "base64 -d <<< ",
    "echo -",
    "echo QUFB | base64 -d ",
    "echo QUFB | base64 -d | ",
    "b64decode('",
    "net use /a ",
    "net use \\\\s\\s /user:b ",
    "net user /a ",
    "net user bob x ",
    "openssl passwd -1 ",
    "openssl -k ",
    "openssl passwd -salt ",
    "wpa_passphrase '",
    "--encrypt a b ",
    "impacket-x -a ",
    "config --",
    "vault login -",
    '"password: "',
    'password: "',
    'password:\\"',
    "PASS=$(echo QUFB | base64 -d)",
    "yes a | ",
    "kinit <<< ",
    "sshpass -p '",
    "snmpwalk -A ",
    "\nuser bob ",
)
GROWTH_MAX = 8.0  # of the time, where the length grows four times


def growth(unit: str, length: int) -> float:
    """How many times as long a text takes that is four times as long. Of whole units: they end alike."""
    short, long = (unit * (size // len(unit) + 1) for size in (length, 4 * length))
    return pace.times(redact, long, short, enough=GROWTH_MAX)


def outgrows(unit: str, size: int) -> bool:
    """Measured again where it seems so: a pause of the machine makes one figure large, not four."""
    return all(growth(unit, size) >= GROWTH_MAX for _ in range(4))


@pytest.mark.parametrize("unit", UNITS)
def test_no_text_takes_more_than_its_length(unit: str) -> None:
    assert not outgrows(unit, 5_000)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["", "-", "--", "/", '"', "<<< "])
def test_no_command_takes_more_than_its_length_however_often_it_is_repeated(ending: str) -> None:
    words = dict.fromkeys([*(word for word, *_ in forms.COMMAND), *(hint for hint, _ in forms.POSITION), *UNITS])
    assert [word for word in words if outgrows(f"{word} {ending}", 10_000)] == []


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_a_million_letters_take_a_hundred_times_as_long_as_ten_thousand(unit: str) -> None:
    short, long = ((unit * (size // len(unit) + 1))[:size] for size in (20_000, 1_000_000))
    assert pace.times(redact, long, short, enough=150) < 150


def test_no_text_fails() -> None:
    chance = Random(7)
    fragments = [*UNITS, *HARMLESS, *(line for line, _ in lines()), "\ud800", "\0", "İ", "é", "\\", "\n", "{", "=", "'"]
    for _ in range(150):
        text = "".join(chance.choices(fragments, k=chance.randint(1, 12)))
        cut = text[chance.randint(0, 5) : max(6, len(text) - chance.randint(0, 9))]
        redact(cut)
