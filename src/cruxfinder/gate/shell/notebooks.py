"""Cells of a notebook: lines for a shell, for a database or for another program among the code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

LINES_MAX: Final = 4_000
_BANG: Final = re.compile(r"^[ \t]{0,80}(?:[A-Za-z_][\w, ]{0,80}=[ \t]{0,9})?!{1,2}(?!=)[ \t]{0,9}(\S.*)$")
_MAGIC: Final = re.compile(r"^[ \t]{0,80}(?:[A-Za-z_][\w, ]{0,80}=[ \t]{0,9})?%([A-Za-z_]\w{0,30})[ \t]+(\S.*)$")
_CELL: Final = re.compile(r"^\s{0,80}%%([A-Za-z_][\w!]{0,30}|!)[ \t]{0,9}([^\n]{0,2000})(?:\n|$)")
_CALL: Final = re.compile(
    r"\b(?:get_ipython\(\)|ip|ipython|shell)\s{0,9}\.\s{0,9}"
    r"(?:(?:system|getoutput|getoutputs|system_raw|system_piped)\s{0,9}\("
    r"|run_(?:line|cell)_magic\s{0,9}\(\s{0,9}['\"](?:system|sx|bash|sh|script|!)['\"]\s{0,9},(?:\s{0,9}['\"][^'\"\n]{0,200}['\"]\s{0,9},)?)"
    r"\s{0,9}[rf]?(?:'''|\"\"\"|['\"])([^\n'\"]{1,4000})"
)
SHELL_CELLS: Final = frozenset("bash sh script system sx zsh ! cmd powershell".split())
SHELL_MAGICS: Final = frozenset("system sx sc alias bash sh".split())
SQL_MAGICS: Final = frozenset("sql bigquery read_sql duckdb".split())
SETS: Final = frozenset("env set_env".split())


class CellKind(StrEnum):
    SHELL = "shell"
    SQL = "sql"


@dataclass(frozen=True, slots=True)
class CellPart:
    kind: CellKind
    text: str


def cell_parts(text: str, programs: frozenset[str]) -> Iterator[CellPart]:
    """What a cell hands to something else than its own language; a magic with a program's name is that program."""
    if not any(sign in text for sign in ("!", "%", "_magic", "system", "getoutput")):
        return
    if cell := _CELL.match(text):
        yield from whole_cell(cell[1], cell[2], text[cell.end() :])
    for line in text.split("\n", LINES_MAX):
        if bang := _BANG.match(line):
            yield CellPart(CellKind.SHELL, bang[1])
        elif magic := _MAGIC.match(line):
            yield from line_magic(magic[1], magic[2], programs)
    yield from (CellPart(CellKind.SHELL, found[1]) for found in _CALL.finditer(text))


def whole_cell(name: str, rest: str, body: str) -> Iterator[CellPart]:
    if name in SHELL_CELLS:
        yield CellPart(CellKind.SHELL, body)
    elif name in SQL_MAGICS:
        yield CellPart(CellKind.SQL, f"{rest}\n{body}" if " " in rest else body)


def line_magic(name: str, rest: str, programs: frozenset[str]) -> Iterator[CellPart]:
    if name in SQL_MAGICS:
        yield CellPart(CellKind.SQL, rest)
    elif name in SHELL_MAGICS:
        yield CellPart(CellKind.SHELL, rest)
    elif name in SETS:
        variable, _, value = rest.replace("=", " ", 1).partition(" ")
        yield CellPart(CellKind.SHELL, f"export {variable}={value.strip()}" if value else f"echo {variable}")
    elif name == "run":
        yield CellPart(CellKind.SHELL, f"python {rest}")
    elif name in programs:
        yield CellPart(CellKind.SHELL, f"{name} {rest}")
