"""The hook fails closed: whatever hangs, breaks, dies or cannot be said blocks the call, with exit code 2."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.attack.working_tree import ENDS_S, WorkingTree

pytestmark = pytest.mark.slow
HOOK = [sys.executable, "-m", "cruxfinder", "gate", "hook"]
RISKY = json.dumps({"tool_name": "Bash", "tool_input": {"command": "rm -rf uploads"}}).encode()


def test_a_call_that_never_comes_blocks_at_the_deadline(tree: WorkingTree) -> None:
    hook = [*HOOK, "--deadline", "0.5"]
    pipe = subprocess.PIPE
    with subprocess.Popen(hook, stdin=pipe, stdout=pipe, stderr=pipe, cwd=tree.root, env=tree.env()) as waiting:
        assert waiting.wait(ENDS_S) == 2
        assert waiting.stderr is not None and b"took too long" in waiting.stderr.read()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
def test_a_signal_blocks(tree: WorkingTree, number: signal.Signals) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*HOOK, "--deadline", "60"], stdin=pipe, stdout=pipe, stderr=pipe, cwd=tree.root, env=tree.env()
    ) as waiting:
        children = Path(f"/proc/{waiting.pid}/task/{waiting.pid}/children")
        until = time.monotonic() + ENDS_S
        while not children.read_text().strip():  # who judges has been started, so the guard stands
            assert time.monotonic() < until
            time.sleep(0.01)
        (child,) = children.read_text().split()
        waiting.send_signal(number)
        assert waiting.wait(ENDS_S) == 2
        while Path(f"/proc/{child}").exists() and "Z" not in Path(f"/proc/{child}/stat").read_text().split()[2]:
            assert time.monotonic() < until, "who judged was ended too"
            time.sleep(0.01)


def test_an_output_that_is_full_or_closed_blocks(tree: WorkingTree) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            HOOK, input=RISKY, stdout=full, stderr=subprocess.PIPE, cwd=tree.root, env=tree.env(), timeout=ENDS_S,
            check=False,
        )  # fmt: skip
    assert done.returncode == 2, done.stderr
    closed = ["sh", "-c", '"$@" >&-', "sh", *HOOK]
    assert subprocess.run(closed, input=RISKY, cwd=tree.root, env=tree.env(), check=False).returncode == 2


@pytest.mark.parametrize(
    ("data", "flags"),
    [
        pytest.param(b"no JSON", (), id="no JSON"),
        pytest.param(b"[" * 100_000, (), id="nested too deep"),
        pytest.param(RISKY, ("--rules", "nowhere.yaml"), id="rules that are not there"),
        pytest.param(RISKY, ("--bogus",), id="a flag that is none"),
        pytest.param(RISKY, ("--deadline", "soon"), id="a deadline that is no number"),
    ],
)
def test_what_raises_blocks(tree: WorkingTree, data: bytes, flags: tuple[str, ...]) -> None:
    met = tree.hook_on(data, *flags)
    assert (met.decision, met.out) == ("blocked", b"")
    assert met.err.startswith("The gate blocks this call, because it could not judge it: ")
    assert met.err.count("\n") == 1


@pytest.mark.parametrize(
    "body", ["raise ImportError('broken')", "raise SystemExit(0)", "import os; os._exit(0)", "x = ("]
)
def test_a_broken_dependency_blocks(tree: WorkingTree, tmp_path: Path, body: str) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "yaml.py").write_text(body)
    tree.environment = {"PYTHONPATH": os.pathsep.join((str(broken), os.environ.get("PYTHONPATH", "")))}
    assert tree.hook(command="rm -rf uploads").decision == "blocked"


def test_no_module_that_lies_in_the_working_folder_is_imported(tree: WorkingTree) -> None:
    for name in ("yaml", "typing_extensions", "argparse", "select", "sitecustomize"):
        (tree.root / f"{name}.py").write_text("open('imported', 'a').write(__name__)\n")
    assert tree.hook(command="rm -rf uploads").decision == "deny"
    tree.environment = {"PYTHONPATH": os.pathsep.join((".", os.environ.get("PYTHONPATH", "")))}
    (tree.root / "sitecustomize.py").unlink()  # with that path, python itself looks for it
    assert tree.hook(command="rm -rf uploads").decision == "deny"
    assert not (tree.root / "imported").exists()


def test_the_settings_that_are_printed_import_nothing_and_block_on_failure(tree: WorkingTree, tmp_path: Path) -> None:
    done = tree.crux("gate", "hook", "--settings", "--memory", ".gate")
    ((entry,),) = [one["hooks"] for one in json.loads(done.stdout)["hooks"]["PreToolUse"]]
    assert entry["timeout"] == 20 and entry["command"].endswith("gate hook --memory .gate || exit 2")
    for name in ("yaml", "json", "re", "argparse", "sitecustomize", "cruxfinder"):
        (tree.root / f"{name}.py").write_text("open('imported', 'a').write(__name__)\n")
    tree.environment = {"PYTHONPATH": "."}

    def run(command: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["sh", "-c", command], input=RISKY, capture_output=True, cwd=tree.root, env=tree.env(), timeout=ENDS_S,
            check=False,
        )  # fmt: skip

    done = run(entry["command"])
    assert not (tree.root / "imported").exists()
    assert b'"deny"' in done.stdout or done.returncode == 2, done
    os.mkfifo(zone := tmp_path / "zone")
    tree.environment = {"TZ": f":{zone}"}  # which python would wait for before the hook's own deadline runs
    assert b'"deny"' in run(entry["command"]).stdout
    missing = entry["command"].replace(sys.executable, str(tmp_path / "nowhere"))
    assert run(missing).returncode == 2
