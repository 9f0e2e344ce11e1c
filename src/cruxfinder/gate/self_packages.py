"""Commands by which a package manager removes or replaces the gate's package, or what it is built on."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import pairwise
from posixpath import join
from typing import Final

from cruxfinder.gate.self_paths import GatePlaces, is_within, spell_out
from cruxfinder.gate.shell.reader import Command

PACKAGE: Final = "cruxfinder"
PIPS: Final = re.compile(r"pip[\d.]*")
PYTHONS: Final = frozenset("python python2 python3 pypy pypy3 py".split())
MANAGERS: Final = frozenset("uv pipx poetry conda mamba micromamba pdm rye hatch pixi".split())
TAKE_AWAY: Final = frozenset("uninstall remove uninstall-all".split())
CHANGE: Final = TAKE_AWAY | frozenset("install reinstall upgrade add inject sync".split())
NAME_MAX: Final = 200
LITERAL_MIN: Final = 3
_MODULE: Final = re.compile(r"-[A-Za-z]*m(.*)", re.DOTALL)
_REQUIREMENT: Final = re.compile(r"^([\w.*?\[\]-]+?)(?:\[[\w,.-]*\])?(?:\s*[=<>~!@;].*)?$", re.DOTALL)
_APART: Final = re.compile(r"[-_.]+")


def names_package(command: Command, places: GatePlaces) -> str:
    """The word that names the package, or the command's name where it works on the gate's own environment."""
    words = installer_words(command)
    if words is None:
        return ""
    verb = next((word for word in words if word in CHANGE), "")
    if not verb:
        return ""
    named = next((word for word in words if is_package(word)), "")
    if not named and verb in TAKE_AWAY and is_own_environment(command, places):
        return command.called or command.program
    return named


def installer_words(command: Command) -> tuple[str, ...] | None:
    """What a package manager is told, however it is called; None for another program."""
    if PIPS.fullmatch(command.program) or command.program in MANAGERS:
        return command.words
    if command.program not in PYTHONS:
        return None
    for place, word in enumerate(command.words):
        if not word.startswith("-") or word == "-c":
            return None
        if found := _MODULE.fullmatch(word):
            module, rest = (found[1], command.words[place + 1 :]) if found[1] else ("", command.words[place + 1 :])
            module, rest = (module, rest) if module else ("".join(rest[:1]), rest[1:])
            return rest if module in ("pip", "uv", "pipx") else None
    return None


def is_package(word: str) -> bool:
    """Is a word the package's name, as an index reads names, or a pattern for it?"""
    found = _REQUIREMENT.fullmatch(word) if len(word) <= NAME_MAX else None
    if found is None or word.startswith("-"):
        return False
    name = _APART.sub("-", found[1].casefold())
    literal = len(re.sub(r"[*?\[\]]", "", name))
    return name.replace("-", "") == PACKAGE or (literal >= LITERAL_MIN and fnmatchcase(PACKAGE, name))


def is_own_environment(command: Command, places: GatePlaces) -> bool:
    """Does an installer work on the environment that the gate runs in?"""
    if command.called in places.programs:
        return True
    return any(
        is_within(spell_out(name, command.folder, places), environment.casefold())
        for name in environments_named(command)
        for environment in places.environments
    )


def environments_named(command: Command) -> Iterator[str]:
    if "/" in command.called and len(command.called) <= NAME_MAX:
        yield command.called
    flags = ("-p", "--python", "--prefix", "--target", "-t", "--path")
    for flag, value in pairwise((*command.words, "")):
        name, _, glued = flag.partition("=")
        if name in flags and (glued or value) and len(glued or value) <= NAME_MAX:
            yield join(command.folder, glued or value)
