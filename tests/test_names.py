"""Names as CONTRIBUTING has them: unique files and classes, functions that say what they do, no retired words."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "cruxfinder"

EVERY_SLICE_HAS = {"__init__", "asks", "commands", "decide", "events", "evolve", "state"}
MIRRORED_FIELDS = frozenset({"started"})  # properties of `RunState`: what the states have as fields
IRREGULAR = frozenset(
    "begun bent borne bound broken built chosen done drawn driven fed felt found given gone grown heard held hidden"
    " hung kept known laid led left lent lost made meant met paid said sat seen sent shown sold sought spelt spent"
    " spoken stood struck stuck swept taken taught thought thrown told torn understood woken won worn wound"
    " written".split()
)
NO_PARTICIPLES = frozenset("embed exceed feed need proceed seed speed succeed".split())
# What stands for them now: debate host, model pool, budget, people, recorder.
RENAMED = frozenset("attending crew doorman hall humans pen purse".split())
RETIRED = RENAMED | frozenset("amend plainly staked wishes".split())


@cache
def trees() -> dict[str, ast.Module]:
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text("utf-8")) for path in sorted(SOURCE.rglob("*.py"))
    }


def functions() -> Iterator[tuple[str, str]]:
    for file, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield file, node.name


def classes() -> Iterator[tuple[str, str]]:
    for file, tree in trees().items():
        yield from ((file, node.name) for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def is_bare_participle(name: str) -> bool:
    bare = name.strip("_")
    if "_" in bare or bare in NO_PARTICIPLES:
        return False
    return bare in IRREGULAR or (len(bare) > 3 and bare.endswith("ed"))


def words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def test_a_file_name_is_used_once() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for file in trees():
        homes[Path(file).stem].append(file)
    assert {stem: files for stem, files in homes.items() if len(files) > 1 and stem not in EVERY_SLICE_HAS} == {}


def test_a_class_name_is_used_once() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for file, name in classes():
        homes[name].append(file)
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_no_function_is_named_by_a_bare_participle() -> None:
    assert [
        f"{file}: {name}" for file, name in functions() if is_bare_participle(name) and name not in MIRRORED_FIELDS
    ] == []


def test_no_name_uses_a_retired_word() -> None:
    names = [*functions(), *classes(), *((file, Path(file).stem) for file in trees())]
    assert [f"{file}: {name}" for file, name in names if words(name) & RETIRED] == []


def variables() -> Iterator[tuple[str, str]]:
    """Parameters, attributes and names that are given a value."""
    for file, tree in trees().items():
        for node in ast.walk(tree):
            match node:
                case ast.arg(arg=name) | ast.Attribute(attr=name) | ast.Name(id=name, ctx=ast.Store()):
                    yield file, name


def test_no_variable_is_named_by_a_word_that_has_another() -> None:
    assert sorted({f"{file}: {name}" for file, name in variables() if words(name) & RENAMED}) == []


@pytest.mark.parametrize(
    ("name", "bare"),
    [("told", True), ("_held", True), ("stripped", True), ("is_held", False), ("seed", False), ("held_usage", False)],
)
def test_a_bare_participle_is_recognised(name: str, bare: bool) -> None:
    assert is_bare_participle(name) is bare
