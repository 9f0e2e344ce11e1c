"""The page has no word of its own for what the exports and the terminal have one for."""

import json
import re
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

from cruxfinder.app.hosting import DebateState
from cruxfinder.crux.events import RefusalOutcome
from cruxfinder.crux.moves import MOVE_TYPES
from cruxfinder.gate.csp import GateResolution
from cruxfinder.kernel.vocabulary import (
    ENDED,
    Direction,
    Ending,
    Grade,
    Horizon,
    Label,
    MoveKind,
    Relation,
    Side,
    Stage,
    Status,
    TopSide,
    Trigger,
    Verdict,
)
from cruxfinder.page.bundle import WORDS, page_files
from cruxfinder.protocols.protocol_list import NAMES
from cruxfinder.talk.turns import PivotKind
from cruxfinder.telling.event_lines import Group
from cruxfinder.telling.figures import Figures
from cruxfinder.telling.page_vocabulary import vocabulary
from cruxfinder.telling.wording import SPAWNED, share_meaning

VALUES: dict[str, tuple[str, ...]] = {
    "sides": (*Side, *TopSide),
    "stages": tuple(Stage),
    "statuses": tuple(Status),
    "runStates": get_args(DebateState),
    "shares": ("part", "more"),
    "headlines": tuple(Verdict),
    "endings": tuple(Ending),
    "relations": (*Relation, SPAWNED),
    "bears": (*Relation, SPAWNED),
    "labels": tuple(Label),
    "grades": tuple(Grade),
    "directions": tuple(Direction),
    "horizons": tuple(Horizon),
    "triggers": tuple(Trigger),
    "ledTo": tuple(PivotKind),
    "fates": get_args(RefusalOutcome),
    "moves": tuple(MoveKind),
    "badges": tuple(MoveKind),
    "fields": tuple({field.name: None for move in MOVE_TYPES.values() for field in fields(move)}),
    "resolutions": tuple(GateResolution),
    "groups": get_args(Group),
    "house": ("moderator", "devils-advocate", "user"),
    "gauges": ("share", "gapClosed", "flips", "dcg"),
    "figures": tuple(field.name for field in fields(Figures)),
    "tables": ("people", "preliminary"),
    "protocols": NAMES,
}
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
SCRIPT = Path(__file__).parent / "words.mjs"


def test_every_value_has_one_word() -> None:
    known = vocabulary()
    assert {kind: set(words) for kind, words in known.items()} == {kind: set(map(str, v)) for kind, v in VALUES.items()}
    assert all(word for kind, words in known.items() if kind != "endings" for word in words.values())
    for kind in ("stages", "runStates", "headlines", "grades", "moves", "badges", "fields", "labels", "triggers"):
        words = [str(word) for word in known[kind].values()]
        assert len(set(words)) == len(words), f"two {kind} are called the same"


@pytest.mark.web
@pytest.mark.skipif(shutil.which("node") is None, reason="the page's modules are run by node")
def test_the_page_says_what_everybody_says(tmp_path: Path) -> None:
    for name in ("words.js", WORDS):
        (tmp_path / name).write_bytes(page_files()[name])
    command = ["node", str(SCRIPT), str(tmp_path / "words.js"), json.dumps({"words": VALUES})]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    known = vocabulary()
    assert told["words"] == known
    assert told["sides"] == known["sides"]
    assert told["shares"] == {share: share_meaning(float(share)) for share in told["shares"]}
    assert len(set(told["shares"].values())) == 2
    assert told["threads"]["MERGED"] == "joined t1"
    assert {s: told["threads"][s] for s in ENDED - {Status.MERGED}} == {
        s: known["statuses"][s] for s in ENDED - {Status.MERGED}
    }
    assert all(told["threads"][status] == "evidence" for status in Status if status not in ENDED)
    assert {state: held["word"] for state, held in told["runs"].items()} == known["runStates"]
    assert all(held["tone"] for held in told["runs"].values())


def test_no_module_of_the_page_has_a_sentence_of_the_vocabulary() -> None:
    """What is worded in telling/ is not worded again: whole sentences of it occur in no module but the made one."""
    known = vocabulary()
    sentences = {str(w) for kind in ("headlines", "endings", "labels", "triggers") for w in known[kind].values() if w}
    sentences |= {
        word for kind in ("gauges", "figures") for told in known[kind].values() for word in told if " " in word
    }
    for name, script in page_files().items():
        if name != WORDS:
            text = COMMENT.sub("", script.decode())
            assert [s for s in sentences if s in text or s in text.lower()] == [], name


def test_no_module_of_the_page_asks_which_protocol_it_is() -> None:
    """What differs is told by the protocol: what a run comes to, and what is counted in it."""
    asking = re.compile(rf"""protocol [!=]==? *["'](?:{"|".join(NAMES)})["']""")
    assert [name for name, text in page_files().items() if asking.search(text.decode())] == []
