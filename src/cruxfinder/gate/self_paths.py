"""Which names mean the gate itself: an agent's settings, the gate's memory and state, the package, what starts it.

A name is looked at as a file system would: from the folder it is used in, without detours, behind links that are known,
upper and lower case alike, a pattern for all it may match.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from fnmatch import fnmatchcase
from functools import lru_cache
from posixpath import join, normpath
from typing import Final

AGENTS: Final = tuple(
    ".claude .cursor .codex .gemini .windsurf .continue .cline .roo .opencode .kiro .amp .qwen .augment"
    " .copilot".split()
)
SETTINGS: Final = tuple(
    "settings.json settings.local.json managed-settings.json hooks hooks.json config.toml mcp.json".split()
)
FOUND_SETTINGS: Final = (*SETTINGS[:3], "hooks.json")  # which a search through a project comes up with
MEMORY: Final = (".gate",)
# Parts that follow each other; the last one may be a pattern.
OWN: Final = (
    (".local", "state", "cruxfinder"),
    ("state", "cruxfinder"),
    ("application support", "cruxfinder"),
    ("site-packages", "cruxfinder"),
    ("bin", "crux"),
)
FIRST_PARTS: Final = frozenset(own[0] for own in OWN)
ABOVE_STATE: Final = (".local", ".local/state")  # who moves these moves the state along
MOVES: Final = frozenset("mv rm rmdir chmod chown ln rename shred tar rsync".split())
MAKES: Final = frozenset("mkdir touch".split())  # and leave what is there as it is
TAKES_ALONG: Final = frozenset("mv rename".split())  # `rm` has rules of its own
START_FILES: Final = frozenset(
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshenv .zshrc .zprofile .zlogin .zlogout"
    " .kshrc .cshrc .tcshrc .xprofile .pam_environment".split()
)
_STARTS: Final = re.compile(  # what runs by itself, with what it is given there
    r"^/var/spool/cron(?:/|$)|^/etc/(?:cron[^/]*|anacrontab|profile(?:\.d)?|bash\.bashrc|zsh\w*|environment|ld\.so\.preload)"
    r"(?:/|$)|/\.config/(?:systemd/user|autostart|environment\.d)(?:/|$)|/\.config/fish/(?:config\.fish$|conf\.d(?:/|$))"
    r"|/library/launch(?:agents|daemons)(?:/|$)|/\.local/share/systemd/user(?:/|$)"
    r"|/\.local/bin/(?:python[\d.]*|crux|uvx?|pipx?[\d.]*)$"
)
_CALLS_IT: Final = re.compile(  # what else of an agent's calls the gate, and what the gate writes or would import
    rf"(?:^|/)(?:(?:{'|'.join(map(re.escape, AGENTS))})/(?:(?:managed-)?settings[\w.-]*|hooks?|mcp|config|plugins?"
    r"|permissions|cli-config)(?:\.json|\.toml|\.ya?ml)?(?:/|$)"
    r"|(?:\.claude|\.?mcp|settings\.local|managed-settings|managed-mcp|claude_desktop_config)\.json$"
    r"|(?:failures|debate-metrics)\.jsonl$|(?:site|user)customize\.py$|(?:site|dist)-packages/[^/]{1,255}\.pth$"
    r"|cruxfinder\.py$)"
)
_NAMED: Final = re.compile(  # the names above, for what is no pattern
    rf"(?:^|/)(?:(?:{'|'.join(map(re.escape, AGENTS))})(?:$|/(?:{'|'.join(map(re.escape, SETTINGS))})(?:/|$))"
    rf"|(?:{'|'.join((*map(re.escape, MEMORY), *(re.escape('/'.join(own)) for own in OWN)))})(?:/|$))"
)
_HOME: Final = re.compile(r"(?:~|\$HOME|\$\{HOME\})(?=/|$)")
_HOME_WITHIN: Final = re.compile(r"/(?=(?:~|\$HOME|\$\{HOME\})(?:/|$))")
_WILD: Final = re.compile(r"[*?\[]")
NAME_MAX: Final = 4_096  # no system opens a longer one
PART_MAX: Final = 255
LITERAL_MIN: Final = 2  # characters of a pattern that say which name is meant


class Touch(IntEnum):
    """How much of a thing of the gate's a name is."""

    NONE = 0
    CHANGED = 1  # only who changes it is meant: much else is done with it every day
    USED = 2  # everybody is meant who does more than read it


@dataclass(frozen=True, slots=True, kw_only=True)
class GatePlaces:
    """Where the gate is on this machine, by absolute names; found out at the edge and handed in."""

    home: str = ""
    environments: tuple[str, ...] = ()  # the interpreter it runs in, and what it imports
    kept: tuple[str, ...] = ()  # its state, its memory
    settings: tuple[str, ...] = ()  # what the settings of agents are behind their links
    links: tuple[tuple[str, str], ...] = ()  # names in a call, and what they are behind links
    programs: frozenset[str] = frozenset()  # names under which the search path finds programs of its environment


NOWHERE: Final = GatePlaces()


@lru_cache(maxsize=2_048)  # a hostile text names the same few words some thousand times
def touch_of(word: str, folder: str, places: GatePlaces, *, by: str = "") -> Touch:
    """What a name, used in a folder by a program, is of the gate's; some programs take along what lies below a name."""
    if not word or len(word) > NAME_MAX:
        return Touch.NONE
    project = spell_out(folder, "", places) if folder else ""
    return max(_touch(place, project, places, by) for place in places_of(word, folder, places))


def places_of(word: str, folder: str, places: GatePlaces) -> Iterator[str]:
    """The name spelt out, and what it is behind links."""
    place = spell_out(word, folder, places)
    yield place
    for link, real in places.links:
        if is_within(place, link.casefold()):
            yield real.casefold() + place[len(link.casefold()) :]


def spell_out(word: str, folder: str, places: GatePlaces) -> str:
    name = word.removeprefix("file://").replace("\\", "/")
    if folder and not name.startswith(("/", "~", "$")):
        name = join(folder, name)
    if "~" in name or "$" in name:
        name = _HOME_WITHIN.split(name)[-1] if _HOME_WITHIN.search(name) else name
        name = _HOME.sub(lambda _: places.home or "~", name, count=1) if _HOME.match(name) else name
    place = normpath(name).casefold()
    return place.replace("//", "/", 1) if place.startswith("//") else place


def _touch(place: str, project: str, places: GatePlaces, by: str) -> Touch:
    parts = place.split("/")
    wild = _WILD.search(place) is not None
    if (is_named(parts) if wild else _NAMED.search(place)) or any(
        covers(parts, kept) for kept in (*places.kept, *places.settings)
    ):
        return Touch.USED
    if by in MOVES and any(place == f"~/{above}" or place.endswith(f"/{above}") for above in ABOVE_STATE):
        return Touch.USED
    if by not in MAKES and _CALLS_IT.search(place):
        return Touch.CHANGED
    if parts[-1] == "pyvenv.cfg" or any(covers(parts, environment) for environment in places.environments):
        return Touch.CHANGED
    if by in TAKES_ALONG and any(
        lies_above(place, own) for own in (*places.environments, *places.kept, *places.settings)
    ):
        return Touch.CHANGED
    return Touch.CHANGED if starts_by_itself(place, project, places) else Touch.NONE


def is_named(parts: list[str]) -> bool:
    """Do parts of a pattern, wherever it begins, mean an agent's settings or what is the gate's own?"""
    for at, part in enumerate(parts):
        if part in FIRST_PARTS and any(follows(parts[at : at + len(own)], own) for own in OWN):
            return True
        if part[:1] not in (".", "["):
            continue
        within = parts[at + 1] if at + 1 < len(parts) else None
        if is_like(part, AGENTS) and (within is None or is_like(within, SETTINGS)):
            return True
        if within in SETTINGS and any(fits(part, agent) for agent in AGENTS):
            return True  # .*/settings.json
        if is_like(part, MEMORY):
            return True
    return False


def follows(parts: list[str], own: tuple[str, ...]) -> bool:
    if parts[:-1] != list(own[:-1]) or len(parts) < len(own):
        return False
    return fits(parts[-1], own[-1]) if len(own) > LITERAL_MIN else is_like(parts[-1], own[-1:])


def is_like(part: str, names: tuple[str, ...]) -> bool:
    """Is a part one of these names, or a pattern that says enough to mean one?"""
    if not _WILD.search(part):
        return part in names
    return len(_WILD.sub("", part)) >= LITERAL_MIN and any(fits(part, name) for name in names)


def fits(part: str, name: str) -> bool:
    """A shell's pattern leaves out names that begin with a dot where it does not say so."""
    if part == name or len(part) > PART_MAX:
        return part == name
    return (part[:1] in (".", "[") or not name.startswith(".")) and fnmatchcase(name, part)


def covers(parts: list[str], own: str) -> bool:
    """Is a name this place of the gate's, or in it?"""
    wanted = own.casefold().rstrip("/").split("/")
    return len(parts) >= len(wanted) > 1 and all(map(fits, parts, wanted))


def lies_above(place: str, own: str) -> bool:
    return place != "/" and is_within(own.casefold(), place)


def is_within(place: str, folder: str) -> bool:
    return place == folder or place.startswith(f"{folder.rstrip('/')}/")


def starts_by_itself(place: str, project: str, places: GatePlaces) -> bool:
    """A shell's start file, a timetable or a service; a project's own file of that name is none: nothing runs it."""
    home = places.home.casefold()
    at_home = place.rpartition("/")[0] in (home or "~", "~")
    named = place.rpartition("/")[2] in START_FILES
    if named and at_home:
        return True
    if not place.startswith(("/", "~")) or not (named or _STARTS.search(place)):
        return False
    runs_there = _STARTS.search(project) is not None or (home != "" and is_within(home, project))
    return not project or runs_there or not is_within(place, project)
