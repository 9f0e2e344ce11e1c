"""One plain command as the rules look at it: its program, its words, what goes into it and out of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Final

from cruxfinder.gate.shell.interpreters import given_code
from cruxfinder.gate.shell.wrappers import skip_flags

COMMAND_MAX: Final = 6_000  # characters of one command, long words shortened
WORD_MAX: Final = 300
STRETCH: Final = 2_000  # characters of a longer word that are looked at at once
OVERLAP: Final = 200
GAP: Final = "␣"  # stands for a blank inside a word, so that a word is never taken for two
_BUNDLE: Final = re.compile(r"-[A-Za-z]{2,}")
_METHOD: Final = re.compile(r"-([a-zA-Z]*)X([A-Z]+)")
GIT_OPTIONS: Final = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"})
_BLANK: Final = re.compile(r"\s+")
_GLOB: Final = re.compile(r"[*?\[]")
_SUFFIX: Final = re.compile(r"\.(?:exe|cmd|bat|com)$", re.IGNORECASE)
_VERSION: Final = re.compile(r"^(python|pypy|ruby|perl|php|node|lua|pip)[\d.]+$")
BUNDLES: Final = frozenset(
    "rm rmdir git chmod chown chgrp cp mv ls mkdir tar curl grep psql shred truncate userdel crontab pkill"
    " killall rsync unzip sudo docker kubectl tee touch ln du df".split()
)
# A program whose name is a pattern is taken for the first of these that fits it.
FEARED: Final = ("rm", "dd", "mkfs", "shred", "wipefs", "chmod", "chown", "bash", "sh", "curl", "nc", "kill", "git")
GNU_NAMES: Final = {  # as they are called beside a system's own
    f"g{name}": name
    for name in "rm rmdir mv dd shred truncate chmod chown ln tee find xargs env nohup timeout unlink install".split()
}
NAME_MAX: Final = 64
HIDDEN: Final = "?"  # a program that cannot be told


@dataclass(frozen=True, kw_only=True)
class Command:
    program: str  # lower case, without its folder
    words: tuple[str, ...]
    stdin: str = ""  # where it is known
    writes: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()  # set for this command alone, as NAME=value
    through: tuple[str, ...] = ()  # the wrappers around it
    fed_by: tuple[str, ...] = ()  # the programs before it in its pipe
    kept_in: tuple[str, ...] = ()  # the files of those it writes that take its output
    adds: bool = False  # behind what these hold already
    called: str = ""  # the program as it was written, with its folder
    folder: str = ""  # where it runs

    @cached_property
    def text(self) -> str:
        """One blank between words and none within, bundled flags apart; no more than just beyond COMMAND_MAX."""
        made, length = list[str](), 0
        for word in self._display_words():
            made.append(mark_gaps(shorten_word(word)))
            length += len(made[-1]) + 1
            if length > COMMAND_MAX + WORD_MAX:
                break
        return " ".join(made)

    @property
    def stretches(self) -> Iterator[str]:
        """The text with a stretch of a word behind it, for every stretch of those too long to be shown whole."""
        for word in self._display_words():
            for start in range(0, len(word), STRETCH - OVERLAP) if len(word) > WORD_MAX else ():
                end = start + STRETCH
                stretch = mark_gaps(f"{'…' if start else ''}{word[start:end]}{'…' if end < len(word) else ''}")
                yield f"{self.text[:COMMAND_MAX]} {stretch}"

    def _display_words(self) -> Iterator[str]:
        own = skip_flags(self.words, GIT_OPTIONS) if self.program == "git" else self.words
        yield self.program
        for word in own:
            yield from split_flags(self.program, word)

    @property
    def written_text(self) -> str:
        """What goes into a file, as far as it can be told from its words and its input."""
        if self.program == "tee":
            return self.stdin
        return "\n".join((*self.words, self.stdin)) if self.writes else ""

    @cached_property
    def code(self) -> str:
        """What an interpreter is given to run."""
        return given_code(self.program, self.words, self.stdin)


def mark_gaps(word: str) -> str:
    return word if word.isalnum() else _BLANK.sub(GAP, word)


def shorten_word(word: str) -> str:
    """A long word is a text that is carried along: its ends are enough, and patterns stay fast."""
    return word if len(word) <= WORD_MAX else f"{word[: WORD_MAX // 2]}…{word[-WORD_MAX // 2 :]}"


def split_flags(program: str, word: str) -> tuple[str, ...]:
    if program == "curl" and (method := _METHOD.fullmatch(word)):
        return (*split_flags(program, f"-{method[1]}"), "-X", method[2]) if method[1] else ("-X", method[2])
    if program in BUNDLES and _BUNDLE.fullmatch(word):
        return tuple(f"-{letter}" for letter in word[1:])
    return (word,)


def program_of(word: str) -> str:
    """The program a word names; what it stands for where it is a pattern, and HIDDEN where that cannot be told."""
    name = _VERSION.sub(r"\1", _SUFFIX.sub("", word.replace("\\", "/").rpartition("/")[2]).lower())
    name = GNU_NAMES.get(name, name)
    if _GLOB.search(name) and name not in ("[", "[["):
        fits = (feared for feared in FEARED if len(name) <= NAME_MAX and fnmatchcase(feared, name))
        return next(fits, HIDDEN)
    if "$" in word or "`" in word or "+(" in word or "@(" in word:
        return HIDDEN
    return name
