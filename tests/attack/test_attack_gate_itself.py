"""The gate guards itself: whatever switches it off, rewrites its memory, removes or shadows it goes to a person."""

from pathlib import Path

import pytest

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.gate.forms import Stakes
from cruxfinder.gate.router import route
from tests.attack.hooked import action_of, ask_hook, listed_calls

RULE = "gate-itself"
WAYS = [*listed_calls("gate_itself")]
NEIGHBOURS = [*listed_calls("gate_neighbours")]


@pytest.mark.rule("DIA-8")
def test_every_way_to_tamper_with_the_gate_is_seen() -> None:
    assert len(WAYS) >= 100
    passed = [
        given
        for tool, given in WAYS
        if RULE not in {one.rule.id for one in route(action_of(tool, given), shipped_rules()).fired}
    ]
    assert passed == []


@pytest.mark.rule("DIA-8")
def test_looking_at_it_and_using_it_passes() -> None:
    assert len(NEIGHBOURS) >= 50
    assert [given for tool, given in NEIGHBOURS if route(action_of(tool, given), shipped_rules()).debate] == []


def test_nothing_that_is_checked_answers_for_it() -> None:
    rule = shipped_rules().rule(RULE)
    assert rule is not None and rule.stakes is Stakes.HIGH
    assert all(not mode.first for mode in rule.fails)


def test_the_hook_asks_the_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the agent's event to the answer it reads."""
    for tool, given in WAYS[::6]:
        assert ask_hook(tool, given, tmp_path, monkeypatch) == "ask", given
    for tool, given in NEIGHBOURS[::6]:
        assert ask_hook(tool, given, tmp_path, monkeypatch) == "", given
