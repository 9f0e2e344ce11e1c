"""What somebody who read the rules and set out to slip past them found: how much of it is seen by now.

`tester.jsonl` holds calls that all passed at first sight; `group` names the cause. What still passes is listed in
docs/guide/security.md by its cause. The figures below may only rise.
"""

import json
from collections import Counter
from pathlib import Path

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.cli.gate_hook import read_action
from cruxfinder.gate.router import route
from cruxfinder.gate.self_paths import GatePlaces

CALLS = [json.loads(line) for line in Path(__file__).with_name("tester.jsonl").read_text().splitlines()]
PLACES = GatePlaces(home="/srv/u", environments=("/opt/crux",))  # where the calls take the gate to be
SEEN = {
    "A": 83,
    "B": 5,
    "C": 37,
    "D": 2,
    "E": 95,
    "F": 52,
    "G": 13,
    "H": 49,
    "I": 18,
    "J": 21,
    "K": 85,
    "L": 9,
    "M": 26,
}


def is_stopped(call: dict[str, object]) -> bool:
    event = {"tool_name": call["tool"], "tool_input": call["arguments"], "cwd": call.get("cwd", "/srv/app")}
    action = read_action(json.dumps(event).encode())
    assert action is not None
    return route(action, shipped_rules(), places=PLACES).debate


def test_of_each_kind_of_trick_so_many_are_seen() -> None:
    stopped = Counter(str(call["group"]) for call in CALLS if is_stopped(call))
    assert {group: (stopped[group], least) for group, least in SEEN.items() if stopped[group] < least} == {}
