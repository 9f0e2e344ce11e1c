"""Files that one command of a text writes and another one runs: scripts, code, makefiles."""

import re
from collections.abc import Iterator
from typing import Final

from cruxfinder.gate.shell.wrappers import INTERPRETERS, STDIN_FILES, skip_flags

MAKEFILES: Final = ("GNUmakefile", "makefile", "Makefile")
MAKE_VALUED: Final = frozenset({"-f", "-C", "-j", "--file", "--makefile", "-I", "-o", "-W"})
TEXT_MAX: Final = 200_000  # characters of a makefile once its variables are filled in
_MAKE_FILE: Final = re.compile(r"(?:-f|--file=|--makefile=)(.+)", re.DOTALL)
_MAKE_VARIABLE: Final = re.compile(r"\s*(?:export\s+|override\s+)?([\w.-]+)\s*(?:\?|:{1,3}|\+)?=\s*(.*)")
_MAKE_RULE: Final = re.compile(r"([^\s:#=][^:#=]{0,500}):{1,2}([^;]*)(?:;(.*))?")
_MAKE_USE: Final = re.compile(r"\$(?:\(([\w.-]+)\)|\{([\w.-]+)\}|([A-Za-z])(?!\w))")
_MAKE_SHELL: Final = re.compile(r"\$[({]shell\s+([^()]{1,2000})[)}]")
_SHEBANG: Final = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)*)?([A-Za-z]+)")


def file_name(word: str) -> str:
    return word.removeprefix("./")


def targets_of(program: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """The files that a program which hands its input on writes it to."""
    if program == "tee":
        return tuple(word for word in words if not word.startswith("-"))
    if program == "dd":
        return tuple(word.removeprefix("of=") for word in words if word.startswith("of="))
    return ("sponge", *words)[1:2] if program == "sponge" else ()


def made_code(program: str, words: tuple[str, ...], files: dict[str, str]) -> str | None:
    """The code in a file that an interpreter is told to run, where that file was written here."""
    if program not in INTERPRETERS:
        return None
    for place, word in enumerate(words):
        if word in ("-f", "--file") and place + 1 < len(words):
            return files.get(file_name(words[place + 1]))
        if word in INTERPRETERS[program] or word == "-m":
            return None
        if not word.startswith("-") and word != "run":
            return files.get(file_name(word))
    return None


def interpreter_of(text: str) -> str:
    """The interpreter that a file names in its first line; empty where that is a shell, or none is named."""
    found = _SHEBANG.match(text)
    return found[1] if found and found[1] in INTERPRETERS else ""


# ---- makefiles


def recipes(words: tuple[str, ...], stdin: str | None, files: dict[str, str]) -> str | None:
    """What `make` runs for its goals out of a makefile that is known; None where none is."""
    named = [found[1] for word in words if (found := _MAKE_FILE.fullmatch(word))]
    named += [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-f", "--file", "--makefile")]
    text: str | None = None
    for name in named or MAKEFILES:
        text = stdin if name in STDIN_FILES else files.get(file_name(name))
        if text:
            break
    if not text:
        return None
    goals = skip_flags(words, MAKE_VALUED)
    given = dict(word.split("=", 1) for word in goals if "=" in word)
    lines = [*filled_lines(text, given)]
    return "\n".join(recipe_lines(lines, [goal for goal in goals if "=" not in goal and not goal.startswith("-")]))


def filled_lines(text: str, given: dict[str, str]) -> Iterator[str]:
    """The lines of a makefile with its variables filled in, those that are given first."""
    values, length = dict[str, str](), 0

    def value_of(found: re.Match[str]) -> str:
        name = found[1] or found[2] or found[3]
        return given.get(name, values.get(name, found.group()))

    for line in text.replace("\\\n", " ").split("\n"):
        filled = _MAKE_USE.sub(value_of, line)
        length += len(filled)
        if length > TEXT_MAX:
            yield line
            continue
        if not line.startswith("\t") and (found := _MAKE_VARIABLE.fullmatch(filled)) is not None:
            values[found[1]] = found[2]
        yield filled


def recipe_lines(lines: list[str], goals: list[str]) -> Iterator[str]:
    """The recipes of the goals and of what these need, or of the first rule; and what is run to fill in a variable."""
    rules, by_target, here = list[tuple[list[str], list[str]]](), dict[str, list[int]](), -1
    for line in lines:
        yield from (found[1] for found in _MAKE_SHELL.finditer(line))
        if line.startswith("\t"):
            if here >= 0:
                rules[here][1].append(line)
        elif (found := _MAKE_RULE.match(line)) is not None:
            here = len(rules)
            rules.append((found[2].split(), [found[3]] if found[3] else []))
            for target in found[1].split():
                by_target.setdefault(target, []).append(here)
    first = [target for target in by_target if not target.startswith(".") and "%" not in target][:1]
    waiting, met = [*(goals or first), *(target for target in by_target if "%" in target)], set[int]()
    while waiting:
        for place in by_target.get(waiting.pop(), ()):
            if place not in met:
                met.add(place)
                waiting.extend(rules[place][0])
                yield from (line.lstrip("\t@-+ ").replace("$$", "$") for line in rules[place][1])
