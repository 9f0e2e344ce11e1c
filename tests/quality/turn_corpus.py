"""The turns in `turns/`, by writer and kind; `turns/README.md` says who wrote them and what learns from them."""

import json
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "turns"
LEARNT: Final = tuple("assembly docket mixed modelled panels punchy quorum salon spoken sundry various written".split())
NEVER_LEARNT: Final = ("examiner", "hearing", "inquest", "jury")
HALVES: Final = ("development", "held_out")


@cache
def turns(name: str, kind: str | None = None) -> tuple[str, ...]:
    rows = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]
    return tuple(row["text"] for row in rows if row.get("kind") == kind)


def halves(which: str) -> tuple[str, ...]:
    """Both halves of the turns that are `empty` or `adding`."""
    return tuple(text for half in HALVES for text in turns(f"{which}_{half}"))
