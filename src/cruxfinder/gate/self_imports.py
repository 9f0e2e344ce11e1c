"""Code by which an interpreter reaches into the gate's own package, where approvals are granted."""

import re
from typing import Final

from cruxfinder.gate.shell.reader import Command
from cruxfinder.gate.shell.wrappers import PYTHONS

_INNER: Final = r"(?:gate|app|cli|kernel|adapters|api|mcp|server)"
_REACHES_IN: Final = re.compile(
    rf"\b(?:from|import)\s[^\n;#]{{0,400}}?\bcruxfinder\s{{0,9}}\.\s{{0,9}}{_INNER}\b"
    rf"|\bfrom\s{{1,9}}cruxfinder\s{{1,9}}import\b[^;#]{{0,200}}?\b{_INNER}\b(?!\s{{0,9}}\()"
    rf"|['\"]cruxfinder\.{_INNER}\b[\w.]{{0,200}}['\"]"
    rf"|\bcruxfinder\s{{0,9}}\.\s{{0,9}}{_INNER}\s{{0,9}}\.[\w.\s]{{1,200}}\("
)


def imports_gate(command: Command) -> str:
    """What of Python code that a command runs imports the gate or what it is built on; empty where nothing does."""
    if command.program not in PYTHONS or "cruxfinder" not in command.code:
        return ""
    found = _REACHES_IN.search(command.code)
    return found.group() if found else ""
