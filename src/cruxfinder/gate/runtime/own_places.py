"""Where the gate itself is on this machine: what it runs in, what it keeps, what calls it, which links lead there."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from cruxfinder.gate.actions import Action
from cruxfinder.gate.runtime.gate_place import users_state_folder
from cruxfinder.gate.self_paths import AGENTS, SETTINGS, GatePlaces, touch_of

WORDS_MAX: Final = 1_000  # that are looked up for links
LINKS_MAX: Final = 64
WORD: Final = re.compile(r"[^\s'\"`;|&<>()=,]{1,300}")
INSTALLERS: Final = ("pip", "pip3", "python", "python3")
PACKAGES: Final = ("site-packages", "dist-packages")
REMEMBERED: Final = ("failures.jsonl", "debate-metrics.jsonl")


def own_places(action: Action, memory: Path) -> GatePlaces:
    """The places for one action: links are looked up for the words of its arguments, as they are now."""
    here = action.folder or os.getcwd()
    known = GatePlaces(
        home=home_folder(),
        environments=environments(),
        kept=tuple(kept_folders(memory)),
        settings=tuple(real_settings(here, home_folder())),
        programs=own_programs(os.environ.get("PATH", "")),
    )
    found = sorted(links_in(action, here), key=lambda link: not touch_of(link[1], "", known))  # those that matter first
    return GatePlaces(
        home=known.home,
        environments=known.environments,
        kept=known.kept,
        settings=known.settings,
        programs=known.programs,
        links=tuple(found[:LINKS_MAX]),
    )


def home_folder() -> str:
    home = os.path.expanduser("~")
    return home if os.path.isabs(home) and home != "/" else ""


@cache
def environments() -> tuple[str, ...]:
    """The interpreter and all that it imports from, by their names and behind links."""
    named = [sys.executable, os.path.dirname(os.__file__)]
    named += [path for path in sys.path if os.path.basename(path) in PACKAGES]
    if sys.prefix != sys.base_prefix:
        named.append(sys.prefix)
    return tuple(
        dict.fromkeys(place for name in named if name for place in (os.path.abspath(name), os.path.realpath(name)))
    )


def kept_folders(memory: Path) -> Iterator[str]:
    """The state folder, and the memory once there is something in it: a folder of that name may be anybody's."""
    if home_folder():
        state = str(users_state_folder().parent)
        yield from dict.fromkeys((state, os.path.realpath(state)))
    if any(os.path.lexists(memory / name) for name in REMEMBERED):
        yield from dict.fromkeys((os.path.abspath(memory), os.path.realpath(memory)))


def real_settings(*folders: str) -> Iterator[str]:
    """What the settings of agents are where a link leads elsewhere."""
    for folder in filter(None, folders):
        for agent in AGENTS:
            within = os.path.join(folder, agent)
            if not os.path.isdir(within):
                continue
            for name in SETTINGS:
                path = os.path.join(within, name)
                if os.path.lexists(path) and (real := os.path.realpath(path)) != path:
                    yield real


@cache
def own_programs(path: str) -> frozenset[str]:
    """Installers that the search path finds in the gate's own environment."""
    if sys.prefix == sys.base_prefix:
        return frozenset()
    folder = os.path.join(os.path.abspath(sys.prefix), "")
    found = ((name, shutil.which(name, path=path)) for name in INSTALLERS)
    return frozenset(name for name, place in found if place and os.path.abspath(place).startswith(folder))


def links_in(action: Action, here: str) -> Iterator[tuple[str, str]]:
    """Names among the arguments that are something else behind links; short arguments first, they are no contents."""
    texts = sorted((action.text, *action.paths, *(value for _, value in action.arguments)), key=len)
    seen = set[str]()
    for found in (found for text in texts for found in WORD.finditer(text)):
        if len(seen) >= WORDS_MAX:
            return
        word = os.path.expanduser(found[0].removeprefix("file://"))
        if word in seen or "\0" in word:
            continue
        seen.add(word)
        place = os.path.normpath(os.path.join(here, word))
        try:
            real = os.path.realpath(place)
        except (OSError, ValueError):
            continue
        if real != place:
            yield place, real
