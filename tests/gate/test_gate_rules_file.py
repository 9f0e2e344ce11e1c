"""The gate's rules as files: the ones that ship hold together, and one's own add, replace, switch off or fail."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cruxfinder.adapters.packs.rule_file import LISTS, rules, shipped_rules
from cruxfinder.app import gate_rules
from cruxfinder.errors import BadInput, BadPack
from cruxfinder.gate.actions import Action
from cruxfinder.gate.forms import GateResolution, Stakes
from cruxfinder.gate.router import exact_pattern, pattern, route
from cruxfinder.gate.rule_set import Patterns, Rule, RuleSet
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from tests import pace

SHIPPED = shipped_rules()
EVERYDAY = Path(__file__).parent.parent / "gate" / "everyday.jsonl"
OWN = """\
rules:
  - id: feed-the-cat
    kind: people
    stakes: high
    says: Feeds the cat.
    shell:
      - programs: [feed]
        match: ' cat( |$)'
    prose: ['\\bfeed the cat\\b']
    fails:
      - {id: hungry, lost: 'It was fed already.', first: 'Ask the neighbour and note the answer', undo: 'Not at all.'}
  - id: delete-tree
    kind: destructive
    stakes: medium
    says: Deletes folders, here without much ado.
    shell:
      - programs: [rm]
        match: ' -r( |$)'
    fails:
      - {id: look, lost: 'A folder was gone.', first: 'Run ls on the folder and read it', undo: 'From the backup.'}
"""


def every(held: Patterns) -> Iterator[str]:
    """All patterns of a rule."""
    for name in LISTS:
        yield from getattr(held, name)
    for match in held.shell:
        yield from (*match.match, *match.unless, *match.spares, match.where)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.yaml"
    path.write_text(OWN)
    return path


def refused(tmp_path: Path, text: str) -> str:
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(BadPack) as told:
        rules(str(path))
    return str(told.value).removeprefix(str(path))


def bash(text: str) -> Action:
    return Action(text=text, tool="bash")


# ---- the rules that ship


@pytest.mark.rule("DIA-8")
@pytest.mark.parametrize("held", [*SHIPPED.rules, *SHIPPED.bypasses], ids=lambda held: held.id)
def test_every_pattern_that_ships_is_one(held: Rule) -> None:
    for one in every(held.patterns):
        if one:
            assert exact_pattern(one) and pattern(one)
            assert exact_pattern(one).search("") is None or one.startswith("^"), (
                "a pattern that fits nothing fits everything"
            )


def test_every_kind_of_error_that_ships_has_a_pattern() -> None:
    assert len(SHIPPED.errors) >= 8
    for kind in SHIPPED.errors:
        assert pattern(kind.match).search("") is None
        assert kind.means and kind.look


@pytest.mark.rule("DIA-8")
def test_ids_are_given_once() -> None:
    ids = [held.id for held in (*SHIPPED.rules, *SHIPPED.bypasses)]
    assert len(ids) == len(set(ids))
    assert len({kind.id for kind in SHIPPED.errors}) == len(SHIPPED.errors)


@pytest.mark.rule("DIA-8")
@pytest.mark.parametrize("rule", SHIPPED.rules, ids=lambda rule: rule.id)
def test_every_rule_knows_how_it_goes_wrong(rule: Rule) -> None:
    assert rule.fails and rule.says.endswith(".") and rule.stakes is not Stakes.LOW
    assert len({mode.id for mode in rule.fails}) == len(rule.fails)
    assert len({mode.lost for mode in rule.fails}) == len(rule.fails)
    for mode in rule.fails:
        assert mode.lost and mode.undo
        assert re.fullmatch(r"[a-z][a-z-]*", mode.id), "it is typed by hand after --checked"


@pytest.mark.rule("DIA-8")
def test_a_name_of_a_check_has_a_remedy_everywhere_or_nowhere() -> None:
    """A check that answers one rule must not hide that another knows no remedy."""
    without = {mode.id for rule in SHIPPED.rules for mode in rule.fails if not mode.first}
    having = {mode.id for rule in SHIPPED.rules for mode in rule.fails if mode.first}
    assert without.isdisjoint(having)


@pytest.mark.rule("DIA-2")
def test_the_remedies_that_ship_can_be_done(tmp_path: Path) -> None:
    """Each is taken for actionable by the rule, so that MODIFY and not ESCALATE follows from it."""
    for rule in SHIPPED.rules:
        for mode in rule.fails:
            one = Rule(
                id="one",
                says=rule.says,
                kind=rule.kind,
                stakes=Stakes.HIGH,
                patterns=SHIPPED.rules[0].patterns,
                fails=(mode,),
            )
            gate = Gate(rules=RuleSet(rules=(one,)), memory=Memory(tmp_path), disabled=False)
            verdict = asyncio.run(gate.plan(bash("rm -rf /"), rounds=1))
            assert verdict.resolution is (GateResolution.MODIFY if mode.first else GateResolution.ESCALATE), (
                rule.id,
                mode.id,
            )


# ---- how long they take

NASTY = 20_000
SEEDS = (
    *("a", " ", "-", "'", '"', "{", "\\", "=", "/", "/a", "a/", "x=", "\t", "é", "\x00", "%0", "'||'"),
    *("for ", "delete ", "send ", "a@b,", "kubectl ", "terraform ", "echo ", "drop ", "truncate ", "find . "),
    *("os.remove glob ", "prisma ", "execute(", "-H a", "/*", "--", "where 1"),
)


@pytest.mark.rule("DIA-8")
@pytest.mark.slow
@pytest.mark.parametrize("tool", ["", "bash", "Write", "mcp__x__run_it"])
def test_long_repetitions_do_not_hold_the_gate_up(tool: str) -> None:
    def routed(text: str) -> None:
        route(Action(text=text, tool=tool), SHIPPED)

    lines = "\n".join(json.loads(line)["action"] for line in EVERYDAY.read_text().splitlines())[:NASTY]
    for seed in SEEDS:
        assert pace.times(routed, (seed * NASTY)[:NASTY], lines, enough=10) < 10, (tool, seed)


# ---- one's own


@pytest.mark.rule("DIA-8")
def test_a_file_adds_rules_and_replaces_those_of_the_same_name(own: Path) -> None:
    found = rules(str(own))
    assert [rule.id for rule in found.rules[:2]] == ["feed-the-cat", "delete-tree"]
    assert len(found.rules) == len(SHIPPED.rules) + 1
    assert route(bash("feed cat"), found).rule == "feed-the-cat"
    assert route(Action(text="please feed the cat"), found).debate
    assert not route(bash("feed cat"), SHIPPED).debate
    replaced = route(bash("rm -r uploads"), found)
    assert (replaced.rule, replaced.stakes) == ("delete-tree", Stakes.MEDIUM)
    assert route(bash("rm -r uploads"), SHIPPED).stakes is Stakes.HIGH
    assert route(bash("git push --force"), found).rule == "force-push"


@pytest.mark.rule("DIA-8")
def test_a_rule_of_ones_own_debates_with_its_own_knowledge(own: Path, tmp_path: Path) -> None:
    gate = Gate(rules=rules(str(own)), memory=Memory(tmp_path / "memory"), disabled=False)
    held = asyncio.run(gate.plan(bash("feed cat")))
    assert held.modifications == ("Ask the neighbour and note the answer [hungry]",)
    assert (
        asyncio.run(gate.plan(bash("feed cat"), checked={"hungry": "asked Ben: no"})).resolution
        is GateResolution.PROCEED
    )


@pytest.mark.rule("DIA-8")
def test_a_file_adds_bypasses_and_kinds_of_errors(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(
        "bypasses:\n  - {id: scratch, says: Only scratch., shell: [{programs: [rm], match: ' /scratch/'}]}\n"
        "errors:\n  - {id: cat, match: 'meow', means: the cat sits on it, look: under the cat, escalate: true}\n"
    )
    found = rules(str(path))
    assert not route(bash("rm -rf /scratch/a"), found).debate
    assert route(bash("rm -rf /scratch/a; rm -rf /srv/b"), found).debate, "only that command is let through"
    assert route(bash("rm -rf /scratch/a"), SHIPPED).debate
    gate = Gate(rules=found, memory=Memory(tmp_path / "memory"), disabled=False)
    verdict = asyncio.run(gate.failure("write the report", attempts=(("a", "meow"), ("b", "meow"))))
    assert verdict.resolution is GateResolution.ESCALATE and "the cat sits on it" in verdict.rationale


@pytest.mark.rule("DIA-8")
def test_a_file_switches_rules_off_its_own_and_others(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(OWN + "disabled: [feed-the-cat, force-push]\n")
    found = rules(str(path), ["delete-branch"])
    assert found.off == {"feed-the-cat", "force-push", "delete-branch"}
    assert not any(route(bash(text), found).debate for text in ("feed cat", "git push --force", "git branch -D a"))
    with pytest.raises(BadInput, match="no rule 'nobody' to switch off"):
        rules(str(path), ["nobody"])
    path.write_text("disabled: [nobody]\n")
    with pytest.raises(BadInput, match="no rule 'nobody' to switch off"):
        rules(str(path))


@pytest.mark.rule("DIA-8")
def test_the_environment_names_a_file_and_rules_that_are_off(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUX_GATE_RULES", str(own))
    monkeypatch.setenv("CRUX_GATE_OFF", " force-push, ,delete-branch ")
    found = gate_rules.rules_in_force(off=["money"])
    assert found.rule("feed-the-cat") is not None
    assert found.off == {"force-push", "delete-branch", "money"}


def test_a_file_is_named_and_never_found(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRUX_GATE_RULES", raising=False)
    monkeypatch.chdir(own.parent)
    for name in ("rules.yaml", "gate.yaml", ".crux-gate.yaml"):
        (own.parent / name).write_text("disabled: [force-push]\n")
    assert route(bash("git push --force"), gate_rules.rules_in_force()).debate


# ---- what is refused

GOOD = "  - {id: a, kind: people, stakes: high, says: S., prose: [x1], fails: [{id: m, lost: L., undo: U.}]}\n"


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("rules:\n" + GOOD + "rulez: []\n", 3, "rulez"),
        ("rules:\n" + GOOD.replace("says: S.", "says: S., sayz: T."), 2, "sayz"),
        ("rules:\n" + GOOD.replace("high", "huge"), 2, "huge"),
        ("rules:\n" + GOOD.replace("people", "weather"), 2, "weather"),
        ("rules:\n" + GOOD.replace("[{id: m, lost: L., undo: U.}]", "[]"), 2, "no way in which it fails"),
        ("rules:\n" + GOOD.replace("lost: L., ", ""), 2, "lost"),
        ("rules:\n" + GOOD.replace(", undo: U.", ""), 2, "undo"),
        ("rules:\n" + GOOD.replace("prose: [x1], ", ""), 2, "looks at nothing"),
        ("rules:\n" + GOOD.replace("prose: [x1]", "prose: [[x1]]"), 2, "must be a pattern"),
        ("rules:\n" + GOOD.replace("prose: [x1]", "prose: ['']"), 2, "must be a pattern"),
        ("rules:\n" + GOOD.replace("prose: [x1]", "shell: [{}]"), 2, "would match every command"),
        ("rules:\n" + GOOD.replace("id: a", "id: [a]"), 2, "must be an id"),
        ("rules: 5\n", 1, "must be a list"),
        ("- a\n", 1, "must be a mapping"),
        ("", 1, "empty"),
        ("rules: [\n", 2, "not YAML"),
        ("rules:\n\t- id: a\n", 2, "tab"),
        ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", 1, "anchor &a is refused"),
        ("rules: !!python/object:os.system []\n", 1, "tag"),
        ("rules: " + "[" * 40 + "]" * 40 + "\n", 1, "nested deeper"),
        ("---\nrules: []\n---\nrules: []\n", 3, "second document"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    found = refused(tmp_path, text)
    assert found.startswith(f", line {line}: ") and told in found


def test_two_rules_of_one_name_are_refused(tmp_path: Path) -> None:
    assert "another rule has the id 'a' already" in refused(tmp_path, "rules:\n" + GOOD + GOOD)


@pytest.mark.parametrize("bad", ["(", "[a", "a{2,1}", "(?P<x>a)(?P<x>b)", "*a", "(?<=a+)b", "\\"])
@pytest.mark.parametrize("key", LISTS)
def test_a_pattern_that_is_none_is_refused_with_its_rule(tmp_path: Path, key: str, bad: str) -> None:
    told = refused(tmp_path, "rules:\n" + GOOD.replace("prose: [x1]", f"{key}: ['{bad}']"))
    assert "is no pattern" in told and bad in told


@pytest.mark.parametrize("key", ["match", "unless", "spares", "where"])
def test_a_pattern_over_commands_that_is_none_is_refused_too(tmp_path: Path, key: str) -> None:
    told = refused(tmp_path, "rules:\n" + GOOD.replace("prose: [x1]", f"shell: [{{programs: [x], {key}: '('}}]"))
    assert "is no pattern" in told


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as told:
        rules(str(tmp_path / "nowhere.yaml"))
    assert "nowhere.yaml" in str(told.value) and "\n" not in str(told.value)


def test_everything_wrong_is_counted(tmp_path: Path) -> None:
    found = refused(tmp_path, "rules:\n" + GOOD.replace("high", "huge").replace("people", "weather") + "rulez: []\n")
    assert "(and 2 more)" in found
