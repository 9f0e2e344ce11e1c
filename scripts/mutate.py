"""Plant small faults in a copy of `src`, one at a time, and see whether the tests notice.

    python scripts/mutate.py [--count 30] [--seed 1] [--minutes 20]

A fault is one of: a comparison turned round, a refusal that is not made, a number off by one, `and` for `or`, a
condition negated. Slices of the source take turns, so that each gets its share. For every fault the quick tests that
name its module run first, then those of its slice and the golden logs, all up to the first that fails. What no test
notices is printed as MISSED with its place, and the command ends with 1: either the fault changes nothing, or there is
a hole to fill with a test. The same seed plants the same faults in the same source.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "cruxfinder"
QUICK = "not slow and not quality and not local and not web"
PATIENCE_S = 240  # for the tests of one fault; what never ends is noticed
# Which tests are asked about a slice, beside the golden logs.
SLICES = {
    "crux/law": ("law",),
    "crux": ("law", "whole", "kernel"),
    "talk/law": ("law", "whole"),
    "talk": ("law", "whole", "kernel"),
    "gate": ("gate", "attack/test_attack_numbers.py", "attack/test_attack_obeying_models.py", "cli/test_cli_gate.py"),
    "gate/shell": ("gate", "attack/test_attack_dialects.py", "attack/test_attack_expansions.py"),
    "tables": ("tables", "law/test_coalitions.py", "cli/test_cli_votes.py", "cli/test_cli_credences.py"),
    "language": ("law", "embeddings", "whole"),
    "kernel": ("kernel", "models/test_caps.py", "stores", "whole"),
    "adapters/packs": ("packs", "gate/test_gate_rules_file.py", "cli/test_cli_bad_input.py"),
    "exports": ("exports", "cli/test_cli_export.py"),
}
LEFT_OUT = ("weights", "version.py")  # what is learnt or told, not decided
TURNED = {
    ast.Lt: ">=",
    ast.LtE: ">",
    ast.Gt: "<=",
    ast.GtE: "<",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
REFUSING = re.compile(r"[Rr]efus|\bfaults?\b|_faults?\b|\bBad[A-Z]")


class Fault(NamedTuple):
    path: Path
    kind: str
    line: int
    start: int  # in the bytes of the file, as the syntax tree counts
    end: int
    old: str
    new: str

    def planted(self, text: bytes) -> bytes:
        return text[: self.start] + self.new.encode() + text[self.end :]

    @property
    def parses(self) -> bool:
        """Not where a keyword stands close to what is changed."""
        try:
            ast.parse(self.planted(self.path.read_bytes()))
        except SyntaxError:
            return False
        return True

    @property
    def module(self) -> str:
        return ".".join(self.path.relative_to(SOURCE.parent).with_suffix("").parts)


# ---- where a fault can be planted


def faults_in(path: Path) -> list[Fault]:
    text = path.read_bytes()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found: list[Fault] = []

    def place(node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset

    def said(node: ast.expr | ast.stmt) -> str:
        start, end = place(node)
        return text[start:end].decode()

    def plant(kind: str, node: ast.expr | ast.stmt, new: str) -> None:
        start, end = place(node)
        found.append(Fault(path, kind, node.lineno, start, end, said(node), new))

    for node in within(ast.parse(text)):
        match node:
            case ast.Compare(left=left, ops=[turned], comparators=[right]):
                plant("comparison", node, f"({said(left)} {TURNED[type(turned)]} {said(right)})")
            case ast.BoolOp(op=op, values=values):
                word = " or " if isinstance(op, ast.And) else " and "
                plant("and/or", node, f"({word.join(f'({said(value)})' for value in values)})")
            case ast.Constant(value=int(number)) if not isinstance(number, bool):
                plant("number", node, str(number + 1))
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                plant("condition", test, f"(not ({said(test)}))")
            case ast.comprehension(ifs=[test]):
                plant("condition", test, f"(not ({said(test)}))")
            case ast.Expr(value=ast.Yield(value=ast.expr() as told)) if refuses(said(told)):
                plant("refusal", node, "pass")
            case ast.Return(value=ast.Call() as told) if refuses(said(told)):
                plant("refusal", node, "return None")
            case ast.Raise(exc=ast.Call() as told) if refuses(said(told)):
                plant("refusal", node, "pass")
            case _:
                pass
    return found


def within(tree: ast.Module) -> Iterator[ast.AST]:
    """Every part of a module that is run: no annotation, no assertion, nothing that only a type checker reads."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            parts = value if isinstance(value, list) else [value]
            waiting += [part for part in parts if isinstance(part, ast.AST) and not isinstance(part, ast.Assert)]


def refuses(text: str) -> bool:
    return REFUSING.search(text.partition("(")[0]) is not None


def slice_of(path: Path) -> str | None:
    """The longest name of a slice that a file lies under."""
    name = path.relative_to(SOURCE).as_posix()
    return max((given for given in SLICES if name.startswith(f"{given}/")), key=len, default=None)


def drawn(count: int, seed: int) -> list[Fault]:
    """Slices take turns, and within a slice the kinds of fault."""
    dice = random.Random(seed)
    known: dict[str, dict[str, list[Fault]]] = {name: {} for name in SLICES}
    for path in sorted(SOURCE.rglob("*.py")):
        name = slice_of(path)
        if name is not None and not any(part in path.name for part in LEFT_OUT):
            for fault in faults_in(path):
                known[name].setdefault(fault.kind, []).append(fault)
    chosen: list[Fault] = []
    kinds = {name: cycle(dice.sample(sorted(found), len(found))) for name, found in known.items()}
    for name in islice(cycle(dice.sample(sorted(SLICES), len(SLICES))), count):
        of_kind = known[name][next(kinds[name])]
        dice.shuffle(of_kind)
        chosen.append(next(fault for fault in of_kind if fault.parses and fault not in chosen))
    return chosen


# ---- whether it is noticed


def related(fault: Fault) -> list[str]:
    """Test files that name the module."""
    package, _, name = fault.module.rpartition(".")
    named = (f"{fault.module} import", f"import {fault.module}", f"{fault.module}.")
    found: list[str] = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text("utf-8")
        taken = any(line.startswith(f"from {package} import") and name in line for line in text.splitlines())
        if path.parent.name not in ("quality", "web", "local") and (taken or any(one in text for one in named)):
            found.append(path.relative_to(ROOT).as_posix())
    return found


def failing(copy: Path, paths: list[str], patience_s: float) -> str:
    """The first test that fails with this copy, or nothing."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:schemathesis", "-p", "no:cacheprovider", "-m", QUICK]
    try:
        done = subprocess.run(
            [*command, *paths],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=patience_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "it never ends"
    if done.returncode in (0, 5):  # 5: of these no test is quick
        return ""
    told = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return told[0].partition(" - ")[0] if told else "the tests do not run"


def noticed(fault: Fault, copy: Path, number: int) -> str:
    place = copy / fault.path.relative_to(SOURCE.parent)
    before = place.read_bytes()
    place.write_bytes(fault.planted(before))
    os.utime(place, (time.time() + number, time.time() + number))  # lest compiled code of before be taken for this
    name = slice_of(fault.path)
    assert name is not None
    try:
        first = related(fault)
        told = failing(copy, first, PATIENCE_S) if first else ""
        others = [f"tests/{part}" for part in (*SLICES[name], "golden")]
        return told or failing(copy, others, PATIENCE_S)
    finally:
        place.write_bytes(before)
        os.utime(place, (time.time() - 3_600 - number, time.time() - 3_600 - number))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=20, help="nothing is planted after so many")
    args = parser.parse_args()
    began, missed, tried = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(SOURCE.parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
        for number, fault in enumerate(drawn(args.count, args.seed), start=1):
            if time.monotonic() - began > 60 * args.minutes:
                print(f"{args.count - tried} were not planted: the time is over")
                break
            told = noticed(fault, copy, number)
            tried, missed = tried + 1, missed + (not told)
            where = f"{fault.path.relative_to(SOURCE).as_posix()}:{fault.line}"
            change = f"{' '.join(fault.old.split())} → {' '.join(fault.new.split())}"
            print(f"{number:>3} {'caught' if told else 'MISSED'}  {fault.kind:<10} {where}  {change}", flush=True)
            if told:
                print(f"            by {told.removeprefix('FAILED ')}", flush=True)
    print(f"seed {args.seed}: {tried - missed} of {tried} caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
