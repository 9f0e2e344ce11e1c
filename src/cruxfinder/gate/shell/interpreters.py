"""What an interpreter is given to run: behind a flag, glued to one, as a module's argument, or on its input."""

import re
from itertools import pairwise
from typing import Final

from cruxfinder.gate.shell.wrappers import INTERPRETERS, PYTHONS, skip_flags

AWKS: Final = frozenset({"awk", "gawk", "mawk"})
TIMES_CODE: Final = frozenset({"timeit"})  # modules whose words are code
_BUNDLE: Final = re.compile(r"-[a-zA-Z]{1,20}[ceE]")
_PYTHON_GLUED: Final = re.compile(r"-[bBdEiIOPqsSuvx]{0,20}c(.+)", re.DOTALL)
_PERL_GLUED: Final = re.compile(r"-[acdflnpstTuUvwWX0-9]{0,20}[eE](.+)", re.DOTALL)
_GIVEN: Final = re.compile(r"--(?:eval|print|execute)=(.+)", re.DOTALL)
_JOINED: Final = re.compile(r"'\s*(?:\+|\.)\s*'|\"\s*(?:\+|\.)\s*\"")  # 'a' + 'b' is one text


def given_code(program: str, words: tuple[str, ...], stdin: str) -> str:
    if program not in INTERPRETERS:
        return ""
    if program in AWKS:
        given = [*skip_flags(words, frozenset({"-F", "-v"}))]
    else:
        flags = INTERPRETERS[program]
        given = [code for flag, code in pairwise(words) if flag in flags or _BUNDLE.fullmatch(flag)]
        given += [found[1] for word in words if (found := _GIVEN.fullmatch(word))]
        given += [word[2:] for word in words if word[:2] in flags and len(word) > 2]
        given += glued_code(program, words)
        given += module_code(program, words)
    return _JOINED.sub("", given[0] if given else stdin)


def glued_code(program: str, words: tuple[str, ...]) -> list[str]:
    glued = _PYTHON_GLUED if program in PYTHONS else _PERL_GLUED if program in ("perl", "ruby") else None
    return [found[1] for word in words if glued and (found := glued.fullmatch(word))]


def module_code(program: str, words: tuple[str, ...]) -> list[str]:
    """The code that a module of Python takes as its words."""
    for place, (flag, module) in enumerate(pairwise(words)):
        if program in PYTHONS and flag == "-m" and module in TIMES_CODE:
            return ["\n".join(word.removeprefix("--setup=") for word in words[place + 2 :])]
    return []


def script_of(program: str, words: tuple[str, ...]) -> str:
    """The file that an interpreter is told to run; empty where it is none."""
    if program not in INTERPRETERS or program in AWKS:
        return ""
    rest = skip_flags(words, frozenset({"-W", "-X", "-r", "--require", "-I"}))
    return rest[0] if rest else ""
