"""Runs to export: stored ones of every verdict, whole and cut short, and the same with every text made nasty."""

import json
import os
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cruxfinder.app.stored_runs import outcome_of
from cruxfinder.crux.result import Result
from cruxfinder.exports.formats import Format, export_run
from cruxfinder.kernel import wire
from cruxfinder.ports import NOTHING
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.protocols.registry import fold, read_event
from cruxfinder.talk.minutes import Minutes
from tests.golden.logs import events_of

CRUX_RUNS = (
    "pack-bitcoin", "twelve", "deeper", "asked-twice", "values", "agreement", "definitions", "horizon", "no-question",
    "one-side", "resolved", "conforming", "contested", "stopped", "planted", "split", "nobody-speaks",
)  # fmt: skip
TALKS = ("talk-consensus", "talk-debate", "talk-roundtable", "talk-stubborn", "talk-asking", "talk-adrift")
RUNS = CRUX_RUNS + TALKS

NASTY = (
    '"]: [x]: <y>: {a: 1} #tag @[T] @<A> **b** __c__ `d` === e === // f /* g */ <!-- h --> :smile: .alpha. 🙂',
    "= 1+1 \\ | %%{init: {}}%% & &lt; ; --> end style a:#fff; $x$ ~~s~~ <script>alert(1)</script> [l](javascript:x)",
    "- item\n\n# heading\n> quote\n```\ncode\n---\n<b>\r\n{data: }}\u2028\x00\x1b[31m\u202e\ud800 'x'' ]]> <![CDATA[",
)
TEXTS = frozenset(
    "content topic question yes_means no_means statement reason proposition claim evidence source metric threshold "
    "deadline reasoning missing disputes why objection sketch back name about text next_step concedes answer".split()
)


@dataclass(frozen=True)
class Run:
    name: str
    events: tuple[AnyEvent, ...]
    outcome: Result | Minutes

    def written(self, format: Format) -> str:
        return export_run(self.name, self.events, self.outcome, format)

    @property
    def result(self) -> Result:
        assert isinstance(self.outcome, Result)
        return self.outcome

    @property
    def minutes(self) -> Minutes:
        assert isinstance(self.outcome, Minutes)
        return self.outcome


def made(name: str, events: tuple[AnyEvent, ...]) -> Run:
    return Run(name, events, outcome_of(events, fold(events), name, NOTHING))


@cache
def run(name: str) -> Run:
    return made(name, events_of(name))


@cache
def begun(name: str, length: int) -> Run:
    """Only the first events of a run."""
    return made(name, events_of(name)[:length])


def half(name: str) -> Run:
    return begun(name, len(events_of(name)) // 2)


@cache
def nasty(name: str, text: str) -> Run:
    """The same run, with a nasty text before every text and behind it."""
    return made(name, tuple(soiled(event, text) for event in events_of(name)))


def soiled(event: AnyEvent, text: str) -> AnyEvent:
    # A log holds no halves of characters, and so they are tried on the escaping alone.
    safe = text.encode("utf-8", "ignore").decode()

    def walk(value: Any, key: str) -> Any:
        match value:
            case dict():
                return {name: walk(held, name) for name, held in value.items()}
            case list():
                return [walk(held, key) for held in value]
            case str() if key in TEXTS and value:
                return f"{safe} {value} {safe}"
            case _:
                return value

    return read_event(json.dumps(walk(wire.plain_value(event), "")))


def node_modules() -> Path:
    given = os.environ.get("CRUX_NODE_MODULES")
    return Path(given) if given else Path(__file__).resolve().parents[2] / ".venv" / "web" / "node_modules"


def read_by(script: str, texts: list[str]) -> list[dict[str, Any]]:
    """What a parser of npm makes of texts; it fails, and does not skip, where the parser is missing."""
    folder = node_modules()
    assert folder.is_dir(), f"there is no folder {folder}: install the packages or name it in CRUX_NODE_MODULES"
    done = subprocess.run(
        ["node", str(Path(__file__).parent / script), str(folder)],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
