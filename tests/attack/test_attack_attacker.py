"""What an attacker with the source and a machine to try it on got past the hook is stopped; what looks like it passes.

`row` in `attacker.jsonl` groups calls by their cause. What passes still is in docs/guide/security.md by its cause.
"""

import json
from pathlib import Path

import pytest

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.cli.gate_hook import read_action
from cruxfinder.gate.router import route
from cruxfinder.gate.self_paths import GatePlaces

HOME = "/srv/u"
PLACES = GatePlaces(home=HOME, environments=("/opt/crux",), kept=(f"{HOME}/.local/state/cruxfinder",))


def calls_of(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in Path(__file__).with_name(f"{name}.jsonl").read_text("utf-8").splitlines()]


def is_debated(call: dict[str, object]) -> bool:
    event = {"tool_name": call["tool"], "tool_input": call["arguments"], "cwd": "/srv/app"}
    action = read_action(json.dumps(event).encode())
    assert action is not None
    return route(action, shipped_rules(), places=PLACES).debate


@pytest.mark.rule("DIA-8")
def test_what_an_attacker_got_through_is_stopped() -> None:
    assert [call for call in calls_of("attacker") if not is_debated(call)] == []


@pytest.mark.rule("DIA-8")
def test_what_looks_like_it_and_is_harmless_passes() -> None:
    assert [call for call in calls_of("attacker_neighbours") if is_debated(call)] == []
