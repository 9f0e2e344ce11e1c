"""By which of its words a command changes the gate itself, or what calls it: what programs do to what they are given.

Reading those files is nobody's business. Of what much else is done with every day (an environment, a shell's start
files) only programs that are known to change what they name are meant.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from posixpath import basename, join, normpath
from typing import Final

from cruxfinder.gate.self_imports import imports_gate
from cruxfinder.gate.self_packages import names_package
from cruxfinder.gate.self_paths import (
    AGENTS,
    FOUND_SETTINGS,
    MEMORY,
    NAME_MAX,
    NOWHERE,
    GatePlaces,
    Touch,
    is_within,
    spell_out,
    touch_of,
)
from cruxfinder.gate.shell.reader import Command, strings_in
from cruxfinder.gate.shell.wrappers import paths_to_find

TOUCHES_GATE: Final = "touches-gate"
LITERALS_MAX: Final = 400
BEFORE: Final = 200  # characters around a name in code within which something is done with it
BEHIND: Final = 300
READS: Final = frozenset(
    "cat bat less more head tail grep egrep fgrep rg ag ack ls tree stat file wc diff cmp jq find fd test [ [[ cd pushd"
    " echo printf crux sha256sum md5sum du df which type command true : export code open xdg-open man read source ."
    " for readlink realpath shellcheck".split()
)
COPIES: Final = frozenset("cp install scp rsync ditto".split())  # what they are given first stays as it is
LEAVES_FIRST: Final = COPIES - {"rsync", "ditto"}  # whatever of the gate's own rsync is given is worth a look
ALL_WORDS: Final = frozenset(  # change whatever they are given
    "rm rmdir unlink shred srm mv ln tee truncate chmod chown chgrp chattr setfacl patch ed ex sponge rename trash"
    " trash-put gio mount touch mkdir gzip gunzip bzip2 xz zstd del erase rd remove-item ri move-item rename-item"
    " set-content out-file add-content clear-content new-item copy-item virtualenv".split()
)
LANDS: Final = COPIES | {"mv", "ln"}
SOURCES_MAX: Final = 100
IN_PLACE: Final = frozenset("sed gsed perl ruby yq".split())
FETCHES: Final = frozenset("curl wget aria2c http https".split())
UNPACKS: Final = frozenset("tar bsdtar unzip 7z cpio".split())
SEARCHERS: Final = frozenset("find fd xargs parallel".split())
GIT_CHANGES: Final = frozenset("rm mv checkout restore stash update-index sparse-checkout clean".split())
GIT_VALUED: Final = frozenset("-b -B -c -C -m --message --orphan -s --source".split())
_GIT_FOLDER: Final = frozenset({"-C", "--work-tree"})
_GIT_OPTIONS: Final = _GIT_FOLDER | {"-c", "--git-dir", "--namespace", "--exec-path"}
_UNSET: Final = re.compile(r"\$(?!HOME\b)\w+|\$\{(?!HOME\b)\w+\}")
_PATHSPEC: Final = re.compile(r"^(?::\([a-z,]{0,60}\)|:/|:)?")
_LINKS: Final = re.compile(r"-[a-z]*[ls][a-z]*|--link|--symbolic-link", re.IGNORECASE)
_EDITS: Final = re.compile(r"-[a-zA-Z]*i.*|--in-place.*", re.DOTALL)
_VALUE: Final = re.compile(r"--?[\w-]{1,40}=(.+)", re.DOTALL)
_GLUED: Final = re.compile(r"-[A-Za-z]{1,6}([.~/$].*)", re.DOTALL)  # -qO.claude/settings.json
_OUTPUT: Final = re.compile(r"-[a-zA-Z]*[oO]|--output|--output-document|--output-dir|-P|--directory-prefix|-d|--dir")
_INTO: Final = re.compile(r"-[a-zA-Z]*[Cd]|--directory|--cd")
_EXTRACTS: Final = re.compile(r"-?[a-zA-Z]*x[a-zA-Z]*|--extract|--get")
_WHOLE: Final = re.compile(r".*/(?:\.|\*)?", re.DOTALL)  # all that a folder holds, not the folder
_STATE: Final = re.compile(r"(?:^|/)(?:state|application support)/cruxfinder(?:/|$)")
_KEY: Final = re.compile(r"(?:^|/)cruxfinder/gate/key$")
_CHANGES: Final = re.compile(
    r"write|open\s{0,9}\([^()]{0,200},\s{0,9}(?:mode\s{0,9}=\s{0,9})?['\"][rbt]{0,2}[wax+]|unlink|remove|rename|replace\s{0,9}\("
    r"|rmtree|rmSync|rmdir|truncate|dump\s{0,9}\(|chmod|chown|copy|move\s{0,9}\(|link\s{0,9}\(|link_to|symlink|link[A-Z_]\w{0,20}"
    r"|file_put_contents|touch\s{0,9}\(|mkdir|File\.(?:write|delete)"
)


def find_touches(commands: Iterable[Command], places: GatePlaces = NOWHERE, folder: str = "") -> tuple[Command, ...]:
    """For each command that changes the gate one that the rule for it knows: by whatever program, however spelt."""
    placed = (replace(c, folder=folder) if folder and not c.folder else c for c in commands)
    found = ((command, touching_word(command, places) or touching_unset(command, places)) for command in placed)
    return tuple(touch_command(word, command.program) for command, word in found if word)


def touching_unset(command: Command, places: GatePlaces) -> str:
    """The same where variables that nobody knows hold nothing: `.clau${x}de` is `.claude` then."""
    if not any("$" in word for word in (*command.words, *command.writes)):
        return ""
    words, writes = (tuple(_UNSET.sub("", word) for word in given) for given in (command.words, command.writes))
    return touching_word(replace(command, words=words, writes=writes), places)


def touch_command(word: str, program: str) -> Command:
    return Command(program=TOUCHES_GATE, words=(word,), through=(program,))


def touching_word(command: Command, places: GatePlaces) -> str:
    """The first word by which a command changes the gate or what calls it; empty where it does not."""
    program, folder, words = command.program, command.folder, command.words
    if program == "git":
        folder, words = git_targets(folder, words)
    for word in command.writes:
        if touch_of(word, folder, places, by=program):
            return word
    for word in used_words(program, words):
        if touch_of(word, "", places, by=program) is Touch.USED:
            return word
    for word in changed_words(program, words):
        if touch_of(word, folder, places, by=program) or is_found_setting(word, command, places):
            return word
    return (
        home_overwritten(command, places)
        or landing_name(command, places)
        or taken_away(command, places)
        or names_package(command, places)
        or imports_gate(command)
        or literal_in(command.code, folder, places)
    )


# ---- what each program does with its words


def used_words(program: str, words: tuple[str, ...]) -> Iterator[str]:
    """What a program is given, unless it is one that only reads."""
    if program in READS:
        return
    if program == "git":
        yield from words
        return
    given = list(words)
    if program in LEAVES_FIRST and not any(_LINKS.fullmatch(word) for word in given):
        given = [*copy_targets(words)]
    for word in given:
        if "://" not in word or word.startswith("file://"):
            yield from values_of(word)


def values_of(word: str) -> Iterator[str]:
    """A word, or what stands in it behind a flag."""
    if found := _VALUE.fullmatch(word) or _GLUED.fullmatch(word):
        yield found[1]
    elif not word.startswith("-"):
        yield word


def changed_words(program: str, words: tuple[str, ...]) -> Iterator[str]:
    """What a program is known to change of what it is given."""
    if program in ALL_WORDS or program == "git":
        yield from (word for word in words if not word.startswith("-"))
    elif program in COPIES:
        yield from copy_targets(words)
    elif program in IN_PLACE:
        if any(_EDITS.fullmatch(word) for word in words):
            yield from (word for word in words if not word.startswith("-"))
    elif program in FETCHES:
        yield from values_after_flags(_OUTPUT, words)
    elif program in UNPACKS:
        yield from unpack_folders(program, words)
    elif program == "dd":
        yield from (word.removeprefix("of=") for word in words if word.startswith("of="))
    elif program == "find" and "-delete" in words:
        yield from (*words[:1], *paths_to_find(words))


def copy_targets(words: tuple[str, ...]) -> Iterator[str]:
    """Where copies go."""
    yield from (word for word in words[-1:] if not word.startswith("-"))
    yield from (found[1] for word in words if "target" in word and (found := _VALUE.fullmatch(word)))
    yield from (value for flag, value in pairwise(words) if flag in ("-t", "-P", "--target-directory"))


def values_after_flags(flags: re.Pattern[str], words: tuple[str, ...]) -> Iterator[str]:
    yield from (value for flag, value in pairwise(words) if flags.fullmatch(flag))
    for word in words:
        if found := _GLUED.fullmatch(word):
            yield found[1]
        elif "=" in word and flags.fullmatch(word.partition("=")[0]):
            yield word.partition("=")[2]


def unpack_folders(program: str, words: tuple[str, ...]) -> Iterator[str]:
    """The folder that an archive is unpacked into, where one is named."""
    if program in ("unzip", "7z", "cpio") or any(_EXTRACTS.fullmatch(word) for word in words[:2]):
        yield from values_after_flags(_INTO, words)


def git_targets(folder: str, words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The folder a git command runs in, and the names of which it changes the files."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        flag, _, glued = words[place].partition("=")
        value = glued or (words[place + 1] if place + 1 < len(words) and flag in _GIT_OPTIONS else "")
        folder = join(folder, value) if flag in _GIT_FOLDER and value else folder
        place += 2 if flag in _GIT_OPTIONS and not glued else 1
    name, given = "".join(words[place : place + 1]), words[place + 1 :]
    if name not in GIT_CHANGES or (name == "stash" and given[:1] in (("show",), ("list",), ("pop",), ("apply",))):
        return folder, ()
    if name == "restore" and {"--staged", "-S"} & set(given) and not {"--worktree", "-W"} & set(given):
        return folder, ()  # only what is to be committed changes
    named = (word for before, word in pairwise(("", *given)) if before not in GIT_VALUED and word[:1] != "-")
    signs = "!" if name == "sparse-checkout" else ""
    return folder, tuple(_PATHSPEC.sub("", word.lstrip(signs) if signs else word) for word in named)


def is_found_setting(word: str, command: Command, places: GatePlaces) -> bool:
    """A settings file by its bare name, looked for through all of a project or a home: an agent's is among them."""
    if SEARCHERS.isdisjoint((*command.through, command.program)) or len(word) > NAME_MAX:
        return False
    base, _, name = spell_out(word, command.folder, places).rpartition("/")
    here = spell_out(command.folder, "", places) if command.folder else ""
    return name in FOUND_SETTINGS and (base in ("", ".", "~", here) or is_within(places.home.casefold() or "~", base))


def home_overwritten(command: Command, places: GatePlaces) -> str:
    """All that a folder or an archive holds, put over a home: the settings there with it."""
    program, words = command.program, command.words
    given = [word for word in words if not word.startswith("-")]
    if program in COPIES and len(given) > 1 and any(_WHOLE.fullmatch(word) for word in given[:-1]):
        return next((word for word in copy_targets(words) if is_home(word, command.folder, places)), "")
    if program in UNPACKS:
        return next((word for word in unpack_folders(program, words) if is_home(word, command.folder, places)), "")
    return ""


def landing_name(command: Command, places: GatePlaces) -> str:
    """The name under which something that is put into a folder lies there, where that name is the gate's."""
    if command.program not in LANDS:
        return ""
    targets = [word for word in copy_targets(command.words) if len(word) <= NAME_MAX]
    sources = [word for word in command.words if not word.startswith("-") and word not in targets]
    for target in targets:
        own = is_home(target, command.folder, places) or normpath(join(command.folder, target)) == command.folder
        for source in sources[:SOURCES_MAX]:
            name = basename(source.rstrip("/"))
            whole = _WHOLE.fullmatch(source) is not None
            if whole and touch_of(target, command.folder, places, by="mv") is Touch.USED:
                return target
            if name in (*AGENTS, *MEMORY) and not own:
                continue  # a copy elsewhere is nobody's settings
            if name not in ("", ".", "..") and touch_of(join(target, name), command.folder, places):
                return join(target, name)
    return ""


def taken_away(command: Command, places: GatePlaces) -> str:
    """The gate's state where it is copied, or its key where it is read: who has them makes approvals."""
    for word in command.words:
        if word.startswith("-") or len(word) > NAME_MAX or not (command.program in COPIES or "key" in word.casefold()):
            continue
        place = spell_out(word, command.folder, places)
        if _KEY.search(place) or (command.program in COPIES and _STATE.search(place)):
            return word
        if command.program in COPIES and any(is_within(place, kept.casefold()) for kept in places.kept):
            return word
    return ""


def is_home(word: str, folder: str, places: GatePlaces) -> bool:
    return len(word) <= NAME_MAX and spell_out(word, folder, places) in ("~", places.home.casefold() or "~")


# ---- code


def literal_in(code: str, folder: str, places: GatePlaces) -> str:
    """A name of the gate's in code that does something with it."""
    if not code or not _CHANGES.search(code):
        return ""
    at = 0
    for text, _ in zip(strings_in(code), range(LITERALS_MAX), strict=False):
        found = code.find(text, at) if text else -1
        at = max(at, found)
        if (
            found >= 0
            and touch_of(text, folder, places)
            and _CHANGES.search(code, max(0, found - BEFORE), found + BEHIND)
        ):
            return text
    return ""
