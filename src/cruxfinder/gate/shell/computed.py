"""What a command hides by having it computed: a program, or the flags that decide what it does, from a `$(…)`.

What stands in a word as `$(…)` could not be told from the text. Where it only says in which folder a program lies, or
asks for a program's place, that program is known well enough.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

from cruxfinder.gate.shell.command import program_of
from cruxfinder.gate.shell.wrappers import INTERPRETERS, SHELLS

COMPUTED: Final = "computed-program"
# Programs that print settings for the shell that calls them; what calls them has a rule of its own.
PRINTS_SETTINGS: Final = re.compile(
    r"[$<]\(\s*(?:\S*/)?(?:ssh-agent|direnv|pyenv|rbenv|nodenv|goenv|jenv|asdf|mise|fnm|minikube|docker-machine|brew|conda"
    r"|starship|opam|luarocks|dircolors|zoxide|thefuck|register-python-argcomplete|pip|poetry|gh|kubectl|helm|npm"
    r"|aws\s+configure|keychain)\b"
)
_LOCATES: Final = re.compile(
    r"\$\(\s*(?:which|command\s+-[vV]|type\s+-[pP]|whence|xcrun\s+(?:-f|--find)|\w+\s+which|npm\s+(?:bin|root)"
    r"|(?:brew|rustc|llvm-config)\s+--\w+|realpath|readlink|dirname|pwd|git\s+(?:rev-parse|--exec-path)|nix-build|go\s+env"
    r"|bazel\s+info|uv\s+python\s+find)\b"
)
_COMPLETES: Final = re.compile(r"\bcompletions?\b|\.env\b|--?(?:ba|z)sh\b|\binit\b")
_FOLDER: Final = re.compile(r"\)[\"']?/(?:[\w.+@-]+/)*[\w.+@-]+$")
_OPERATED: Final = re.compile(r"\$\{[!#]?(\w+)[^\w}]")
_GITS: Final = re.compile(r"\$\(\s*git\b")
CODE_FLAGS: Final = {name: flags for name, flags in INTERPRETERS.items() if name not in ("perl", "awk", "gawk", "mawk")}
PUSH_VALUED: Final = frozenset({"-o", "--push-option", "--receive-pack", "--exec", "--repo"})


def is_computed(word: str, known: Collection[str]) -> bool:
    """Is a program named by what another one prints, or by what cannot be told of a variable that is set here?"""
    if "$(" in word and not word.startswith("$(("):
        return _FOLDER.search(word) is None and _LOCATES.match(word) is None
    return any(found[1] in known for found in _OPERATED.finditer(word)) and _FOLDER.search(word) is None


def runs_computed(words: Sequence[str], files: Collection[str]) -> bool:
    """Is a shell or an interpreter given a text to run that only comes out once something else has run?"""
    program, given = program_of(words[0]), [word for word in words[1:] if not word.startswith("-")][:1]
    if not given or given[0] in files:
        return False
    if program in SHELLS or program in ("source", "."):
        return given[0].startswith("<(") and not (PRINTS_SETTINGS.match(given[0]) or _COMPLETES.search(given[0]))
    flagged = program in CODE_FLAGS and CODE_FLAGS[program].intersection(words)
    return bool(flagged) and given[0].startswith("$(") and given[0].endswith(")")


def with_worst_flags(words: Sequence[str]) -> tuple[str, ...] | None:
    """The words of a command whose flags are computed, with the worst that they may come to; None where none are."""
    program = program_of(words[0])
    if program == "rm" and len(words) > 2 and may_be_flags(words[1]):
        return ("-r", "-f", *words[2:])
    if program == "git" and words[1:2] == ["push"]:
        for place, word in enumerate(words[2:], 2):
            if may_be_flags(word) and place + 1 < len(words):
                return ("push", "--force", *words[2:place], *words[place + 1 :])
            if not word.startswith("-") and words[place - 1] not in PUSH_VALUED:
                break
    return None


def may_be_flags(word: str) -> bool:
    return word.startswith("$(") and not word.startswith("$((") and word.endswith(")") and not _GITS.match(word)
