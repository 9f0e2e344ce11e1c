"""Aliases of git that one command of a text sets and another one uses."""

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import replace

from cruxfinder.gate.shell.command import GIT_OPTIONS, Command
from cruxfinder.gate.shell.wrappers import git_settings, skip_flags


def aliased_commands(commands: Iterable[Command]) -> Iterator[Command]:
    """The git commands that begin with an alias, with what it stands for in its place."""
    aliases = dict[str, str]()
    for command in commands:
        if command.program != "git":
            continue
        for name, value in git_settings(command.words):
            if name.lower().startswith("alias."):
                aliases[name[len("alias.") :]] = value
        own = skip_flags(command.words, GIT_OPTIONS)
        if own and own[0] in aliases and not aliases[own[0]].startswith("!"):
            yield replace(command, words=(*split_alias(aliases[own[0]]), *own[1:]))


def split_alias(value: str) -> list[str]:
    try:
        return shlex.split(value)
    except ValueError:
        return value.split()
