"""Where a script's bare names lie: the folder it has gone to, and the links it made on its way there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from posixpath import basename, normpath
from typing import Final

LINKS_MAX: Final = 100
FOLLOWED_MAX: Final = 8  # links behind links
PARTS_MAX: Final = 64  # folders in a name that are looked up
# Folders in which a bare name means more than it says: the root, a home, a folder of the system, an agent's settings,
# the gate's own, git's.
_TELLING_FOLDER: Final = re.compile(
    r"/?|~[\w.-]*|/(?:root|(?:home|Users)(?:/[^/]+)?)"
    r"|/(?:usr|usr/local|etc|var|var/lib|opt|lib|lib64|boot|dev|mnt|media|Library|System|Applications)"
    r"|.*(?:\.(?:claude|cursor|codex|gemini|windsurf|continue|gate)\b|cruxfinder|\.git(?:/hooks)?)(?:/.*)?"
)
_HOME: Final = re.compile(r"\$HOME(?=/|$)|\$\{HOME\}")
_HERE: Final = re.compile(r"(?:\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`)(?=/|$)")
_CHANGES: Final = frozenset("-C --chdir --cwd --dir --directory --working-directory --prefix".split())
_INTO: Final = re.compile(r"(?:-t|--target-directory)=?")
PARENT_OF_HOMES: Final = "/home"


def is_sensitive_folder(folder: str) -> bool:
    return _TELLING_FOLDER.fullmatch(folder) is not None


def normalize_path(path: str) -> str:
    """A path without its detours; `~/..` is where the homes are."""
    path = _HOME.sub("~", path, count=1)
    if not path.startswith("~"):
        return normpath(path).replace("//", "/", 1) if path else ""
    home, _, rest = path.partition("/")
    within = normpath(f"./{rest}")
    if within == ".":
        return home
    return normpath(f"{PARENT_OF_HOMES}/home/{within}") if within.startswith("..") else f"{home}/{within}"


def folder_after_cd(folder: str, to: str) -> str:
    """The folder that a script is in after it went to another one."""
    to = _HERE.sub(lambda _: folder or ".", to, count=1) if _HERE.match(to) else to
    if to == "-":
        return ""  # where it was before: unknown
    if to.startswith(("/", "~", "$")) or not folder:
        return normalize_path(to)
    return normalize_path(f"{folder.rstrip('/')}/{to}")


def wrapper_folder(program: str, own: tuple[str, ...]) -> str:
    """The folder in which a wrapper runs a command, as its own words say; empty where they do not."""
    flags = _CHANGES | {"-D"} if program == "sudo" else _CHANGES
    for place, word in enumerate(own):
        flag, equals, value = word.partition("=")
        if flag in flags:
            return value if equals else "".join(own[place + 1 : place + 2])
    return ""


def spell_from_folder(folder: str, word: str) -> str:
    """A bare name, spelt out from the folder it lies in."""
    if _HERE.match(word):
        return f"{folder.rstrip('/')}{_HERE.sub('', word, count=1)}"
    return word if word.startswith(("-", "/", "~", "$")) else f"{folder.rstrip('/')}/{word}"


@dataclass(slots=True)
class Links:
    """Names that a script gave to folders: by a link, by moving them, by mounting them."""

    targets: dict[str, str] = field(default_factory=dict[str, str])
    cut: bool = False

    def note(self, program: str, words: tuple[str, ...], folder: str) -> None:
        for name, target in names_given(program, words):
            if len(self.targets) >= LINKS_MAX:
                self.cut = True
                return
            if folder_after_cd(folder, name) != folder_after_cd(folder, target):
                self.targets[folder_after_cd(folder, name)] = folder_after_cd(folder, target)

    def follow(self, word: str, folder: str) -> str:
        """What a name stands for, where it leads through one of these."""
        if not self.targets or word.startswith("-"):
            return word
        path, found = folder_after_cd(folder, word), False
        for _ in range(FOLLOWED_MAX):
            through = next((head for head in path_prefixes(path) if head in self.targets), None)
            if through is None:
                break
            path, found = f"{self.targets[through].rstrip('/')}{path[len(through) :]}", True
        return path.removeprefix(f"{folder.rstrip('/')}/") if found else word


def path_prefixes(path: str) -> Iterator[str]:
    """A path and the folders that it lies in, from the top; none of a path that is too deep."""
    parts = path.split("/", PARTS_MAX)
    for end in range(1, len(parts) + 1):
        if head := "/".join(parts[:end]):
            yield head


def names_given(program: str, words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Which name a command gives to which file or folder."""
    into = next((value for value in into_folder(words) if value), None)
    operands = [word for word in words if not word.startswith("-") and word != into]
    if program == "mount" and not {"--bind", "-B", "--rbind", "-R", "bind", "rbind"} & set(words):
        return
    if program not in ("ln", "mv", "mount") or not operands:
        return
    if into is None and len(operands) > 1:
        into = operands.pop()
        if len(operands) == 1 and basename(into.rstrip("/")) not in ("", ".", ".."):
            yield into, operands[0]
    for target in operands:
        yield f"{(into or '.').rstrip('/')}/{basename(target.rstrip('/'))}", target


def into_folder(words: tuple[str, ...]) -> Iterator[str]:
    for place, word in enumerate(words):
        if found := _INTO.match(word):
            yield word[found.end() :] or "".join(words[place + 1 : place + 2])
        elif re.fullmatch(r"-[a-zA-Z]{1,8}t", word):
            yield "".join(words[place + 1 : place + 2])
