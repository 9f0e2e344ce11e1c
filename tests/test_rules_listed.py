"""Every rule has one home (pure, unless outsiders see it), a row in docs/architecture/rules.md, and two unit tests."""

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "cruxfinder"
PURE = ("crux", "gate", "kernel", "language", "tables", "talk")
FAMILIES = "VOC|STAGE|STEEL|LOCK|FALS|CRUX|EVID|CONC|FLOOD|ATT|THR|MOD|AGE|CRY|COAL|END|RED|TURN|DIA|API|PLUS"
ID = re.compile(rf"\b(?:{FAMILIES})-\d+(?!\d)")
ROW = re.compile(rf"^\| ((?:{FAMILIES})-\d+) \| (\S+) \| \S.* \|$", re.MULTILINE)
MARK = re.compile(r'mark\.rule\("([A-Z]+-\d+)"\)')

OUTSIDE = {"API-3": "server/debate_routes.py", "API-4": "page/run-view.js"}  # what people and programs see

BUILT = {
    *(f"VOC-{n}" for n in range(1, 7)),
    *(f"STAGE-{n}" for n in range(1, 7)),
    *(f"STEEL-{n}" for n in range(1, 5)),
    *(f"LOCK-{n}" for n in range(1, 8)),
    *(f"FALS-{n}" for n in range(1, 6)),
    *(f"CRUX-{n}" for n in range(1, 15)),
    *("EVID-1", "EVID-2", "CONC-1", "CONC-2"),
    *(f"FLOOD-{n}" for n in range(1, 6)),
    *(f"ATT-{n}" for n in range(1, 5)),
    *(f"THR-{n}" for n in range(1, 5)),
    *(f"MOD-{n}" for n in range(1, 7)),
    *(f"AGE-{n}" for n in range(1, 4)),
    *(f"CRY-{n}" for n in range(1, 5)),
    *("COAL-1", "COAL-2"),
    *("END-1", "END-2", "END-3"),
    *("PLUS-1", "PLUS-2", "PLUS-3", "PLUS-4", "PLUS-5", "PLUS-6", "PLUS-7", "PLUS-8", "PLUS-9"),
    *("PLUS-10", "PLUS-11"),
    *(f"TURN-{n}" for n in range(1, 6)),
    *(f"RED-{n}" for n in range(1, 10)),
    *(f"DIA-{n}" for n in range(1, 10)),
    *("API-1", "API-2", "API-3", "API-4"),
}


def homes() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for package in PURE:
        for path in (SOURCE / package).rglob("*.py"):
            if path.parent.name == "runtime":  # it serves the rules of the gate beside it
                continue
            for id in ID.findall(path.read_text()):
                found[id].add(path.relative_to(SOURCE).as_posix())
    for id, home in OUTSIDE.items():
        if id in (SOURCE / home).read_text():
            found[id].add(home)
    return found


def test_every_rule_built_has_exactly_one_home_and_no_other_rule_is_claimed() -> None:
    found = homes()
    assert set(found) == BUILT
    assert {id: files for id, files in found.items() if len(files) != 1} == {}


def test_the_page_of_rules_names_the_home_of_each() -> None:
    rows = ROW.findall((ROOT / "docs" / "architecture" / "rules.md").read_text())
    assert len(rows) == len(dict(rows)), "a rule has one row"
    assert {id: {home} for id, home in rows} == homes()


def test_every_rule_is_named_by_at_least_two_tests() -> None:
    """Beside those of quality, which tell how right a rule is and not what it does."""
    named: dict[str, int] = defaultdict(int)
    for path in (path for path in (ROOT / "tests").rglob("*.py") if path.parent.name != "quality"):
        for id in MARK.findall(path.read_text()):
            named[id] += 1
    assert {id: named[id] for id in BUILT if named[id] < 2} == {}
    assert set(named) - BUILT == set(), "a test names a rule that is not built"
