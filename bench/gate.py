"""What the gate takes: a call with the house critic, the way through the router, a hook, and fingerprints of a log."""

import asyncio
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.gate.actions import Action
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory

LISTS = Path(__file__).resolve().parent.parent / "tests" / "gate"
CALLS = 60
HOOKS = 7
LOG_LINES = 60_000
LOG = (
    "Receiving block blk_{n} src: /10.0.{a}.{b}:{p} dest: /10.0.{b}.{a}:50010",
    "Failed password for invalid user {w} from 203.0.113.{a} port {p} ssh2",
    "ERROR [worker-{a}] could not connect to {w}.internal:{p}: Connection refused (attempt {b})",
    "GET /api/v2/orders/{n}?page={a} HTTP/1.1 500 {p}",
    "TypeError: Cannot read properties of undefined (reading '{w}') at /srv/app/{w}.js:{a}:{b}",
    "workerEnv.init() ok /etc/httpd/conf/workers{a}.properties",
    "task {n} finished in {a}.{b} s with exit code {b}",
    'duplicate key value violates unique constraint "{w}_pkey" Detail: Key (id)=({n}) already exists.',
)
WORDS = "alpha bravo charlie delta echo foxtrot golf hotel india juliet".split()


def call_ms() -> float:
    """A planning debate with the house critic, log and figures written; the median of several."""
    dangerous = [json.loads(line) for line in (LISTS / "dangerous.jsonl").read_text().splitlines()[:CALLS]]
    with tempfile.TemporaryDirectory() as folder:
        gate = Gate(rules=shipped_rules(), memory=Memory(Path(folder)), disabled=False)
        took: list[float] = []
        for said in dangerous:
            action = Action(text=said["action"], tool=said["tool"])
            started = time.perf_counter()
            asyncio.run(gate.plan(action))
            took.append((time.perf_counter() - started) * 1000)
    return statistics.median(took)


def route_ms() -> float:
    """One everyday action through all rules, on average."""
    everyday = [json.loads(line) for line in (LISTS / "everyday.jsonl").read_text().splitlines()]
    actions = [Action(text=said["action"], tool=said["tool"]) for said in everyday]
    gate = Gate(rules=shipped_rules(), disabled=False)
    for action in actions:
        gate.route(action)
    started = time.perf_counter()
    for action in actions:
        gate.route(action)
    return (time.perf_counter() - started) * 1000 / len(actions)


def hook_ms() -> float:
    """`crux gate hook` before an everyday call, from its start to its end; the best of several."""
    event = json.dumps(
        {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git status && pytest -q"}}
    )
    command = [sys.executable, "-m", "cruxfinder", "gate", "hook"]
    took: list[float] = []
    for _ in range(HOOKS):
        started = time.perf_counter()
        done = subprocess.run(command, input=event, check=True, capture_output=True, text=True, timeout=60)
        took.append((time.perf_counter() - started) * 1000)
        assert done.stdout == ""
    return min(took)


def fingerprints_a_second() -> float:
    """Lines a second of CPU through `crux gate fingerprint --jsonl`, its start included."""
    draw = random.Random(0)

    def line() -> str:
        values = {"n": draw.randrange(10**9), "a": draw.randrange(255), "b": draw.randrange(255)}
        return draw.choice(LOG).format(**values, p=draw.randrange(1024, 65535), w=draw.choice(WORDS))

    text = "".join(f"{line()}\n" for _ in range(LOG_LINES))
    command = [sys.executable, "-m", "cruxfinder", "gate", "fingerprint", "--jsonl"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=text, check=True, capture_output=True, text=True, timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout.count("\n") == LOG_LINES
    return LOG_LINES / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
