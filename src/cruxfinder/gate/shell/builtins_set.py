"""Sets the variables that commands of the shell set without an assignment: set, unset, shift, printf -v, read."""

import re

from cruxfinder.gate.shell.command import Command
from cruxfinder.gate.shell.printing import run_printf
from cruxfinder.gate.shell.variables import Variables
from cruxfinder.gate.shell.words import VALUE_MAX, split_at


def set_values(variables: Variables, command: Command, stdin: str | None) -> bool:
    """Note what a command puts into variables; was there room for all of it?"""
    words = command.words
    match command.program:
        case "set" if "--" in words:
            variables.set_positions(words[words.index("--") + 1 :])
        case "set" if words and not words[0].startswith(("-", "+")):
            variables.set_positions(words)
        case "unset" if "-f" not in words:
            for name in words:
                variables.set(name, "")
        case "shift" if variables.positions is not None:
            count = int(words[0]) if words and words[0].isdecimal() and len(words[0]) < 4 else 1
            variables.set_positions(variables.positions[count:])
        case "printf" if words[:1] == ("-v",) and len(words) > 2:
            variables.set(words[1], run_printf(words[2:])[:VALUE_MAX])
        case "read" | "mapfile" | "readarray" if stdin:
            return read_values(variables, command, stdin)
        case _:
            pass
    return True


def read_values(variables: Variables, command: Command, stdin: str) -> bool:
    """Put what comes in into the variables that a command names; was there room for it?"""
    names = [word for word in command.words if re.fullmatch(r"[A-Za-z_]\w*", word)] or ["REPLY"]
    apart = variables.get("IFS") or next((a for v in command.variables if (a := v.removeprefix("IFS=")) != v), "")
    parts = split_at(apart, stdin.strip()) if apart else stdin.split()
    if command.program != "read" or "-a" in command.words:
        lines = stdin.splitlines() if command.program != "read" else parts
        return variables.set_list(names[-1], [("", line) for line in lines])
    for name, value in zip(names, [*parts[: len(names) - 1], " ".join(parts[len(names) - 1 :])], strict=False):
        variables.set(name, value)
    return True
