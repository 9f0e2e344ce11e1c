"""Tools that say in plain fields what they do, as the command line that does the same: the ordinary rules judge that.

`git_push` with {"force": true, "branch": "main"} is `git push --force origin main`; `remove_directory` is `rm -rf`.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from posixpath import relpath
from typing import Final

from cruxfinder.gate.tool_arguments import Leaf, name_words, snake_case

VALUE_MAX: Final = 400
FIELDS_MAX: Final = 60
SWITCHES: Final = frozenset("args arguments flags options".split())
GIT_SERVERS: Final = frozenset("git github gitlab gitea bitbucket gitkraken".split())
GIT_VERBS: Final = frozenset("push reset clean branch tag checkout stash rebase reflog gc restore".split())
GIT_WORDS: Final = GIT_VERBS | frozenset("send-pack update-ref filter-branch filter-repo rm mv worktree config".split())
GIT_ARGUMENTS: Final = SWITCHES | frozenset("command commands cmd argv params subcommand".split())
GIT_NAMES: Final = ("remote", "refspec", "refspecs", "ref", "branch", "target", "commit", "name")
GIT_MODES: Final = frozenset("hard soft mixed keep merge".split())
TRUE: Final = frozenset("1 yes on True".split())
HAS_SUBCOMMANDS: Final = frozenset("stash reflog".split())
ACTIONS: Final = frozenset("delete drop clear force prune".split())
REMOVES: Final = frozenset("remove rmdir delete trash rm rmtree unlink del erase rimraf".split())
FILE_VERBS: Final = frozenset("rmdir trash rm rmtree rimraf".split())  # which are said of nothing but files
FILE_THINGS: Final = frozenset(
    "fs filesystem file files directory directories dir folder folders path paths tree disk sftp ftp".split()
)
FOLDERS: Final = frozenset("directory directories dir folder folders tree".split())
PATHS: Final = frozenset("path paths directory dir folder file filepath filename target uri source location".split())
_PARTS: Final = re.compile(r"[^a-z0-9]+")
_EXTENSION: Final = re.compile(r"[^/]\.[A-Za-z0-9]{1,8}$")


def command_lines(tool: str, fields: Sequence[Leaf], folder: str) -> Iterator[str]:
    """The command lines that a call of a tool comes to; none where its name says nothing of that kind."""
    server, _, own = tool.rpartition("__")
    verbs = tuple(word for word in _PARTS.split(own) if word)
    about = {*verbs, *_PARTS.split(server)}
    told = [leaf for leaf in fields[:FIELDS_MAX] if len(leaf.value) <= VALUE_MAX]
    if about & GIT_SERVERS:
        if "update" in verbs and {"ref", "reference"} & set(verbs):
            yield git_line("push", told)
        else:
            yield from (git_line(verb, told) for verb in verbs[:4] if verb in GIT_VERBS)
        yield from (f"git {leaf.value}" for leaf in told if is_git_words(leaf))
    if REMOVES & set(verbs) and (FILE_VERBS & set(verbs) or FILE_THINGS & about):
        yield from removal_lines(verbs, told, folder)


def is_git_words(leaf: Leaf) -> bool:
    """Is a text what stands behind `git` on a command line?"""
    verb = leaf.value.split(maxsplit=1)[:1]
    return bool(verb) and verb[0] in GIT_WORDS and not name_words(leaf.name).isdisjoint(GIT_ARGUMENTS)


def git_line(verb: str, fields: Sequence[Leaf]) -> str:
    """True is a flag; what names a remote, a branch or a commit stands behind the flags, in git's order."""
    flags, given, named = list[str](), list[str](), dict[str, str]()
    for leaf in fields:
        name, value = snake_case(leaf.name), leaf.value
        if value == "true" or (name.startswith("force") and value in TRUE):
            flags.append(f"--{name.removesuffix('_push').replace('_', '-')}")
        elif name_words(name) & SWITCHES:
            given += value.split()
        elif name in ("mode", "operation", "action", "type") and value in GIT_MODES | ACTIONS:
            given.append(value if verb in HAS_SUBCOMMANDS else f"--{value}")
        elif name in GIT_NAMES and value not in ("", "false"):
            named[name] = value
    if verb == "push" and "remote" not in named:
        named["remote"] = "origin"
    ordered = [named[name] for name in GIT_NAMES if name in named]
    return shlex.join(("git", verb, *flags, *given, *ordered))


def removal_lines(verbs: tuple[str, ...], fields: Sequence[Leaf], folder: str) -> Iterator[str]:
    recursive = any(name_words(leaf.name) & {"recursive", "force"} and leaf.value == "true" for leaf in fields)
    for leaf in fields:
        if not name_words(leaf.name) & PATHS or not leaf.value.strip() or leaf.value in ("true", "false"):
            continue
        path = leaf.value.removeprefix("file://")
        whole = recursive or FOLDERS & set(verbs) or "rmdir" in verbs or not _EXTENSION.search(path)
        if "file" in verbs and not recursive:
            whole = False
        yield shlex.join(("rm", *(("-rf",) if whole else ()), from_folder(path, folder)))


def from_folder(path: str, folder: str) -> str:
    """A path within the working folder by its name from there, as an agent would type it."""
    if not folder or not path.startswith(f"{folder.rstrip('/')}/"):
        return path
    return relpath(path, folder)
