"""A second, cruder look at a shell's text, where a shell may read it otherwise than we do.

Shells differ from each other and from any reading of them; and programs run what they are given in ways of their own.
In a text with such a sign, every stretch between quotes, brackets and operators that begins with a feared program is
taken for a command, whatever stands around it.
"""

import re
from collections.abc import Iterator
from typing import Final

from cruxfinder.gate.shell.wrappers import TELLING

STRETCHES_MAX: Final = 400
WORDS_MAX: Final = 8  # within which a feared program may stand
FEARED: Final = frozenset("rm shred dd mkfs wipefs".split())
STAND_BEFORE: Final = frozenset("command builtin exec sudo env nohup time nice".split())
HAVE_THEIR_OWN: Final = frozenset(  # `rm` is a word of theirs, with rules for it
    "aws git docker podman npm yarn pnpm gsutil gh svn hg az gcloud rclone s3cmd mc".split()
)
_ODD: Final = re.compile(
    r"\r|<<-?[ \t]*(?:\$|\\|['\"][^'\"\n]{0,80}\\)|\\`"
    r"|\$\([^)]{0,200}\bcase\b|\$\{[^}\n]{0,200}[{'\"]|\(\(|\{\w{1,40}\}[<>]|\bcoproc\b|\btime[ \t]+-"
    r"|\bfor[ \t]+\w{1,40}[ \t;\n]{1,9}do\b|\[[ \t]{0,9}(?:\$\(|`)|@[PQEAa]\}|BASH_FUNC_|\b(?:BASH_)?ENV="
    r"|PROMPT_COMMAND|TAR_OPTIONS|_RSH=|GIT_SSH=|\bdeclare[ \t]+-n\b|\bprintf[ \t]+-v\b|\{\w\.\.\w\}"
)
_RUNS_OTHERS: Final = re.compile(
    r"\b(?:xargs|parallel|mkfifo|vim?|nvim|ed|emacs|man|n?awk|gdb|lua|julia|Rscript|socat|sqlite3|cmake|fish|oc|rsync"
    r"|ipython|expect|script|screen|tmux|at|watch)[ \t]|/dev/fd/|/proc/self/fd|[<>]\(|--eval=|\bmake[ \t]+-f"
    r"|\b(?:gcloud|aws|az|perl|sed)[ \t][^\n]{0,200}\brm\b"
    r"|>[ \t]*[^\s;&|>]{1,80}[\s;&|)}]{1,9}[^\n>]{0,200}\b(?:sh|bash|zsh|dash|source|make|psql)\b"
)
_SIGNS: Final = re.compile(r"[;&|\n\r`'\"(){}\[\]<>!\\]|\$\(|=(?=[^\s=]{1,40}[ \t])")
_STATEMENT: Final = re.compile(r"(?:drop|truncate|delete[ \t]+from|alter)[ \t]", re.IGNORECASE)


def feared_stretches(text: str) -> Iterator[str]:
    """What may be run although a plain reading takes it for something carried along."""
    if not may_differ(text):
        return
    for stretch in _SIGNS.split(text)[:STRETCHES_MAX]:
        words = stretch.split(None, WORDS_MAX)
        while len(words) > 1 and words[0] in STAND_BEFORE:
            words = words[1:]
        program = words[0].rpartition("/")[2] if words else ""
        feared = next((at for at, word in enumerate(words[:WORDS_MAX]) if word in FEARED), 0)
        feared = 0 if program in HAVE_THEIR_OWN else feared
        if feared or program in TELLING:
            yield " ".join(words[feared:])
        elif is_statement(stretch.strip()):
            yield stretch.strip()


def may_differ(text: str) -> bool:
    continued = "<<" in text and "\\\n" in text
    return continued or _ODD.search(text) is not None or _RUNS_OTHERS.search(text) is not None


def is_statement(text: str) -> bool:
    return _STATEMENT.match(text) is not None
