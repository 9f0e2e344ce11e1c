"""An approval covers one exact call before one gate, once, for some minutes (DIA-13), and nobody else can make one."""

import asyncio
import json
import os
import shutil
import stat
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cruxfinder.adapters.packs.rule_file import rules, shipped_rules
from cruxfinder.errors import BadInput, UnsafeFile
from cruxfinder.gate.actions import Action
from cruxfinder.gate.forms import GateResolution, Stakes
from cruxfinder.gate.runtime import approvals
from cruxfinder.gate.runtime.approvals import APPROVED, PENDING, Approvals, GateConfig, digest_rules
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.gate.runtime.gate_place import state_folder

NOON = datetime(2026, 1, 29, 12, 0, tzinfo=UTC)
SEEN = {"listed": "3 files", "backup": "a.tgz opens", "in-use": "nobody"}
RM = Action(text="rm -rf data", tool="Bash", arguments=(("command", "rm -rf data"),), folder="/srv/app")


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def gate(tmp_path: Path, state: Path, clock: Clock) -> Gate:
    memory = Memory(tmp_path / "memory")
    return Gate(rules=shipped_rules(), memory=memory, approvals=Approvals(state, clock), disabled=False, clock=clock)


def plan(gate: Gate, action: Action = RM, **more: object) -> GateResolution:
    return asyncio.run(gate.plan(action, **more)).resolution  # pyright: ignore[reportArgumentType]


def passes(gate: Gate, action: Action = RM) -> bool:
    return gate.use_approval(action, gate.route(action))


# ---- the call, and no other


def test_a_proceed_lets_the_call_pass_once(gate: Gate) -> None:
    assert not passes(gate)
    assert plan(gate) is GateResolution.MODIFY
    assert not passes(gate), "a MODIFY lets nothing pass"
    assert plan(gate, checked=SEEN) is GateResolution.PROCEED
    assert passes(gate)
    assert not passes(gate), "an approval is spent by its use"


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(replace(RM, text="rm -rf dat", arguments=(("command", "rm -rf dat"),)), id="another text"),
        pytest.param(replace(RM, arguments=(*RM.arguments, ("script", "rm -rf /srv"))), id="one more argument"),
        pytest.param(replace(RM, arguments=(("script", "rm -rf data"),)), id="another argument"),
        pytest.param(replace(RM, folder="/srv/customers"), id="another folder"),
        pytest.param(replace(RM, tool="zsh"), id="another tool"),
        pytest.param(replace(RM, environment="production"), id="another environment"),
        pytest.param(replace(RM, paths=("/srv/customers",)), id="another path"),
    ],
)
def test_no_other_call_passes(gate: Gate, other: Action) -> None:
    plan(gate, checked=SEEN)
    assert not passes(gate, other)
    assert passes(gate), "nor is the approval spent by it"


def test_a_program_is_approved_with_what_it_is_given(gate: Gate) -> None:
    def rm(*args: str) -> Action:
        given = {"args": list(args)}
        return Action(
            text=" ".join(args),
            tool="rm",
            arguments=(("args", " ".join(args)),),
            exact=json.dumps(given),
            folder="/srv",
        )

    assert plan(gate, rm("-rf", "/srv/cache-old"), checked=SEEN) is GateResolution.PROCEED
    assert not passes(gate, rm("-rf", "/srv/customers"))
    assert not passes(gate, rm("-rf /srv/cache-old")), "the same words, given otherwise"
    assert passes(gate, rm("-rf", "/srv/cache-old"))


def test_a_text_without_arguments_is_the_call_with_that_command(gate: Gate) -> None:
    plan(gate, replace(RM, arguments=()), checked=SEEN)
    assert passes(gate)


# ---- the gate, and no other


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda g: replace(g, judge="model fake at http://127.0.0.1:9/v1"), id="another judge"),
        pytest.param(lambda g: replace(g, rules=replace(g.rules, off=frozenset({"money"}))), id="a rule switched off"),
        pytest.param(lambda g: replace(g, rules=replace(g.rules, rules=g.rules.rules[:-1])), id="a rule less"),
        pytest.param(
            lambda g: replace(g, approvals=Approvals(g.memory.folder / "s", g.clock)), id="another state folder"
        ),
    ],
)
def test_what_another_gate_approved_does_not_pass(gate: Gate, change: Callable[[Gate], Gate]) -> None:
    assert plan(change(gate), checked=SEEN) is GateResolution.PROCEED
    assert not passes(gate)


def test_lenient_rules_leave_nothing_that_is_honoured(gate: Gate, tmp_path: Path) -> None:
    own = tmp_path / "lenient.yaml"
    own.write_text("disabled: [delete-tree]\n")
    lenient = replace(gate, rules=rules(str(own)))
    assert plan(lenient, stakes=Stakes.LOW, checked={"undo": "x", "scope": "y"}) is GateResolution.PROCEED
    assert not passes(gate)


def test_a_gate_that_is_off_approves_nothing(gate: Gate) -> None:
    assert plan(replace(gate, disabled=True)) is GateResolution.PROCEED
    assert not passes(gate)


def test_the_digest_of_rules_is_the_same_in_every_process(gate: Gate) -> None:
    import subprocess
    import sys

    program = (
        "from cruxfinder.gate.runtime.approvals import digest_rules\nfrom "
        "cruxfinder.adapters.packs.rule_file import shipped_rules\n"
        "print(digest_rules(shipped_rules()))"
    )
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.strip() == digest_rules(gate.rules)


# ---- time, and the newest word


def test_an_approval_expires(gate: Gate, clock: Clock) -> None:
    plan(gate, checked=SEEN)
    clock.now = NOON + APPROVED + timedelta(seconds=1)
    assert not passes(gate)


def test_a_clock_that_went_back_revives_nothing(gate: Gate, clock: Clock) -> None:
    clock.now = NOON + timedelta(days=30)
    plan(gate, checked=SEEN)
    clock.now = NOON
    assert not passes(gate)


def test_the_newest_word_counts(gate: Gate) -> None:
    plan(gate, checked=SEEN)
    plan(gate)
    assert not passes(gate)


# ---- forgeries


def the_approval(state: Path) -> Path:
    (found,) = (state / "approvals").iterdir()
    return found


def test_an_approval_cannot_be_made_or_changed_without_the_key(gate: Gate, state: Path, clock: Clock) -> None:
    plan(gate, checked=SEEN)
    path = the_approval(state)
    value = json.loads(path.read_text())
    path.write_text(json.dumps({**value, "until": value["until"] + 60}))
    assert not passes(gate), "its end was moved"
    (state / "approvals" / path.name).write_text("{}")
    assert not passes(gate)
    path.write_text("no JSON")
    assert not passes(gate)
    path.write_text("x" * (5 << 20))
    assert not passes(gate)


def test_an_approval_of_one_call_is_none_under_the_name_of_another(gate: Gate, state: Path) -> None:
    plan(gate, checked=SEEN)
    first = the_approval(state)
    kept = first.read_bytes()
    passes(gate)
    other = replace(RM, folder="/srv/other")
    plan(gate, other, checked=SEEN)
    second = the_approval(state)
    second.write_bytes(kept)
    assert not passes(gate, other)


def test_a_new_key_ends_all_approvals(gate: Gate, state: Path) -> None:
    plan(gate, checked=SEEN)
    (state / "key").unlink()
    assert not passes(gate)
    plan(gate, checked=SEEN)
    assert passes(gate)


def test_a_key_that_others_could_read_is_made_anew(gate: Gate, state: Path) -> None:
    plan(gate, checked=SEEN)
    before = (state / "key").read_bytes()
    (state / "key").chmod(0o644)
    assert not passes(gate)
    plan(gate, checked=SEEN)
    assert (state / "key").read_bytes() != before
    assert stat.S_IMODE((state / "key").stat().st_mode) == 0o600


def test_everything_is_the_owners_alone(gate: Gate, state: Path) -> None:
    plan(gate, checked=SEEN)
    gate.keep_call(RM, gate.route(RM), GateConfig())
    for path in [state, *state.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_link_or_a_pipe_among_the_approvals_is_not_followed(gate: Gate, state: Path, kind: str) -> None:
    plan(gate, checked=SEEN)
    path = the_approval(state)
    moved = state / "elsewhere"
    path.rename(moved)
    path.symlink_to(moved) if kind == "link" else os.mkfifo(path)
    with pytest.raises(UnsafeFile):
        passes(gate)


def test_only_so_many_are_kept(gate: Gate, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(approvals, "FILES_MAX", 3)
    for number in range(5):
        plan(gate, replace(RM, folder=f"/srv/{number}"), checked=SEEN)
    assert len(list((state / "approvals").iterdir())) == 3
    assert passes(gate, replace(RM, folder="/srv/4"))


# ---- calls that were turned back


def again(gate: Gate, id: str, **checked: str) -> GateResolution:
    assert gate.approvals is not None
    pending = gate.approvals.pending_call(id)
    return asyncio.run(
        gate.plan_again(pending, checked={k.replace("_", "-"): v for k, v in checked.items()})
    ).resolution


def test_a_call_that_was_turned_back_is_debated_again_by_its_id(gate: Gate) -> None:
    call = replace(RM, arguments=(*RM.arguments, ("description", "clean up"), ("timeout", "120")))
    id = gate.keep_call(call, gate.route(call), GateConfig())
    assert again(gate, id, listed="3 files") is GateResolution.MODIFY
    assert not passes(gate, call)
    assert again(gate, id, listed="3 files", backup="opens", in_use="nobody") is GateResolution.PROCEED
    assert not passes(gate), "the same command without the other arguments is another call"
    assert passes(gate, call)


def test_a_call_is_kept_without_its_secrets(gate: Gate, state: Path) -> None:
    secret = "sk-ant-api03-Zk3vQ9xLw2Tn8Rb5Yc7Ud1Pe4Hg6Jf0Ka"
    call = replace(RM, text=f"rm -rf data # {secret}", arguments=(("command", f"rm -rf data # {secret}"),))
    gate.keep_call(call, gate.route(call), GateConfig())
    for path in state.rglob("*"):
        assert path.is_dir() or secret.encode() not in path.read_bytes()


def test_a_call_is_debated_by_the_gate_that_turned_it_back(gate: Gate) -> None:
    id = gate.keep_call(RM, gate.route(RM), GateConfig())
    other = replace(gate, rules=replace(gate.rules, off=frozenset({"money"})))
    with pytest.raises(BadInput, match="rules are not those"):
        again(other, id, **{"listed": "x"})
    with pytest.raises(BadInput, match="judge"):
        again(replace(gate, judge="model fake"), id)
    with pytest.raises(BadInput, match="DISABLE_DEBATE"):
        again(replace(gate, disabled=True), id)


@pytest.mark.parametrize("id", ["", "nobody", "../key", "../approvals/x", "a/b", "x" * 300, "\x00", "é"])
def test_a_call_that_nobody_kept_is_told(gate: Gate, id: str) -> None:
    gate.keep_call(RM, gate.route(RM), GateConfig())
    with pytest.raises(BadInput, match="no call waits"):
        again(gate, id)


def test_a_forged_or_old_call_is_none(gate: Gate, state: Path, clock: Clock) -> None:
    id = gate.keep_call(RM, gate.route(RM), GateConfig())
    path = state / "calls" / id
    shutil.copy(path, state / "calls" / "c0")
    with pytest.raises(BadInput, match="no call waits"):
        again(gate, "c0")
    value = json.loads(path.read_text())
    value["call"]["warrant"]["fired"] = []
    path.write_text(json.dumps(value))
    with pytest.raises(BadInput, match="no call waits"):
        again(gate, id)
    id = gate.keep_call(RM, gate.route(RM), GateConfig())
    clock.now = NOON + PENDING + timedelta(seconds=1)
    with pytest.raises(BadInput, match="no call waits"):
        again(gate, id)


# ---- where


def test_the_state_folder_is_the_users_own() -> None:
    home = Path("/srv/ann")
    assert state_folder({}, "linux", home) == home / ".local/state/cruxfinder/gate"
    assert state_folder({"XDG_STATE_HOME": "/var/s"}, "linux", home) == Path("/var/s/cruxfinder/gate")
    assert state_folder({"XDG_STATE_HOME": "s"}, "linux", home) == home / ".local/state/cruxfinder/gate"
    assert state_folder({}, "darwin", home) == home / "Library/Application Support/cruxfinder/gate"
    assert state_folder({"LOCALAPPDATA": "/l"}, "win32", home) == Path("/l/cruxfinder/gate")
