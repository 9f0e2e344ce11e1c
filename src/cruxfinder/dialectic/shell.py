"""Reads a shell's text into the plain commands it would run, seen through quotes, variables, pipes and wrappers.

Each command is found as the words it comes to: `X=rm; sudo -n env A=1 $X -fr "/srv"` holds sudo, env and rm -f -r /srv.
Wrappers that run another command are found beside what they run; so are commands in `$(…)`, in here-documents fed to a
shell, behind `ssh`, in `find -exec`. Everything is bounded; a text beyond the bounds is marked as not read to its end.
"""

import re
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Final

from cruxfinder.dialectic.printing import decoded, printed
from cruxfinder.dialectic.shell_words import VALUE_MAX, Operator, Redirect, Word, Words
from cruxfinder.dialectic.wrappers import INTERPRETERS, PREFIXES, SHELLS, Inner, inner_of, sought, unflagged

TEXT_MAX: Final = 200_000  # characters
READ_MAX: Final = 2 * TEXT_MAX
COMMANDS_MAX: Final = 400
COMMAND_MAX: Final = 6_000  # characters of one command, long words shortened
WORD_MAX: Final = 300
DEPTH_MAX: Final = 8
GAP: Final = "␣"  # stands for a blank inside a word, so that a word is never taken for two

_ASSIGNMENT: Final = re.compile(r"([A-Za-z_]\w*)(\+?)=(.*)", re.DOTALL)
_BUNDLE: Final = re.compile(r"-[A-Za-z]{2,}")
_METHOD: Final = re.compile(r"-([a-zA-Z]*)X([A-Z]+)")
_GIT_OPTIONS: Final = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"})
_ENCODED: Final = re.compile(r"[A-Za-z0-9+/]{12,}={0,2}")
_BLANK: Final = re.compile(r"\s+")
_SUFFIX: Final = re.compile(r"\.(?:exe|cmd|bat|com)$", re.IGNORECASE)
_VERSION: Final = re.compile(r"^(python|pypy|ruby|perl|php|node|lua)[\d.]+$")
_STRINGS: Final = re.compile(
    r"'''(.*?)'''|\"\"\"(.*?)\"\"\"|'((?:[^'\\\n]|\\.)*)'|\"((?:[^\"\\\n]|\\.)*)\"|`([^`]*)`", re.DOTALL
)
_CODE_BUNDLE: Final = re.compile(r"-[a-zA-Z]{1,4}[ceE]")
_CODE_GIVEN: Final = re.compile(r"--(?:eval|print|execute)=(.+)", re.DOTALL)
_JOINED: Final = re.compile(r"'\s*(?:\+|\.)\s*'|\"\s*(?:\+|\.)\s*\"")  # 'a' + 'b' is one text
_SPAWNS: Final = re.compile(r"system|popen|subprocess|\bexec|spawn|`|\bsh\b", re.IGNORECASE)

KEYWORDS: Final = frozenset("if then else elif fi do done while until ! { } time coproc function esac".split())
DECLARES: Final = frozenset("export local declare readonly typeset set".split())
BUNDLES: Final = frozenset(
    "rm rmdir git chmod chown chgrp cp mv ls mkdir tar curl grep psql shred truncate userdel crontab pkill"
    " killall rsync unzip sudo docker kubectl tee touch ln du df".split()
)
# A program whose name is a pattern is taken for the first of these that fits it.
FEARED: Final = ("rm", "dd", "mkfs", "shred", "wipefs", "chmod", "chown", "bash", "sh", "curl", "nc", "kill", "git")
FETCHING: Final = frozenset("curl wget aria2c http https fetch".split())
RUN_LATER: Final = frozenset(  # variables whose value is run as a command
    "PROMPT_COMMAND PS1 PS4 PAGER MANPAGER GIT_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR"
    " GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS LESSOPEN BROWSER".split()
)
FEARED_FILES: Final = frozenset("rm dd shred".split())
RUNS_FILES: Final = SHELLS | frozenset({"source", "."})
NAME_MAX: Final = 64
RUNS_ITS_INPUT: Final = SHELLS | frozenset(INTERPRETERS)
HIDDEN: Final = "?"  # a program that cannot be told


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    program: str  # lower case, without its folder
    words: tuple[str, ...]
    stdin: str = ""  # where it is known
    writes: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()  # set for this command alone, as NAME=value
    through: tuple[str, ...] = ()  # the wrappers around it
    fed_by: tuple[str, ...] = ()  # the programs before it in its pipe

    @property
    def text(self) -> str:
        """One blank between words and none within, bundled flags apart."""
        own = unflagged(self.words, _GIT_OPTIONS) if self.program == "git" else self.words
        words = [self.program, *(part for word in own for part in apart(self.program, word))]
        return " ".join(_BLANK.sub(GAP, shortened(word)) for word in words)

    @property
    def code(self) -> str:
        """What an interpreter is given to run."""
        if self.program not in INTERPRETERS:
            return ""
        flags = INTERPRETERS[self.program]
        given = [code for flag, code in pairwise(self.words) if flag in flags or _CODE_BUNDLE.fullmatch(flag)]
        given += [found[1] for word in self.words if (found := _CODE_GIVEN.fullmatch(word))]
        if self.program in ("awk", "gawk", "mawk"):
            given = [*unflagged(self.words, frozenset({"-F", "-v"}))]
        return _JOINED.sub("", given[0] if given else self.stdin)


def shortened(word: str) -> str:
    """A long word is a text that is carried along: its ends are enough, and patterns stay fast."""
    return word if len(word) <= WORD_MAX else f"{word[: WORD_MAX // 2]}…{word[-WORD_MAX // 2 :]}"


def apart(program: str, word: str) -> tuple[str, ...]:
    if program == "curl" and (method := _METHOD.fullmatch(word)):
        return (*apart(program, f"-{method[1]}"), "-X", method[2]) if method[1] else ("-X", method[2])
    if program in BUNDLES and _BUNDLE.fullmatch(word):
        return tuple(f"-{letter}" for letter in word[1:])
    return (word,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    commands: tuple[Command, ...]
    whole: bool  # read to its end


def read(text: str) -> Script:
    reading = Reading()
    try:
        reading.run(text[:TEXT_MAX].replace("\r\n", "\n"), (), 0)
    except RecursionError:
        reading.whole = False
    found = tuple(reading.found)
    short = len(text) <= COMMAND_MAX or all(len(command.text) <= COMMAND_MAX for command in found)
    return Script(commands=found, whole=reading.whole and short and len(text) <= TEXT_MAX)


@dataclass(slots=True)
class Simple:
    """A command while it is put together."""

    words: list[str] = field(default_factory=list[str])
    writes: list[str] = field(default_factory=list[str])
    stdin: str | None = None
    assigned: list[str] = field(default_factory=list[str])
    naming: bool = False  # the name of a function is next


@dataclass(slots=True)
class Reading:
    """Goes through a text as the shell would, with the variables and aliases it sets on its way."""

    variables: dict[str, str] = field(default_factory=dict[str, str])
    aliases: dict[str, str] = field(default_factory=dict[str, str])
    files: dict[str, str] = field(default_factory=dict[str, str])
    fetched: set[str] = field(default_factory=set[str])  # files that come from the network
    functions: set[str] = field(default_factory=set[str])
    found: list[Command] = field(default_factory=list[Command])
    whole: bool = True
    read: int = 0  # characters, those read again in an inner shell too

    def run(self, text: str, through: tuple[str, ...], depth: int) -> str | None:
        """Find the commands of a text; what the last one prints, where it can be known."""
        self.read += len(text)
        if depth > DEPTH_MAX or self.read > READ_MAX:
            self.whole = False
            return None
        words = Words(
            text, self.variables, lambda inner: self._substituted(inner, through, depth + 1), files=self.files
        )
        here, pipe, output = Simple(), Pipe(), None
        said: list[str] = []  # what the commands of a loop or a group print, for the pipe behind it
        for token in words.tokens():
            if len(self.found) >= COMMANDS_MAX:
                self.whole = False
                return None
            match token:
                case Word():
                    self._add(here, token)
                case Redirect(kind="out", target=target):
                    here.writes.append(target)
                case Redirect(kind="text", target=given):
                    here.stdin = given
                case Redirect(target=source):
                    here.stdin = self.files.get(source, here.stdin)
                case Operator(sign=sign):
                    if sign == "(" and len(here.words) == 1:
                        self.functions.add(here.words[0])
                    output = self._finish(here, pipe, through, depth)
                    if sign not in ("|", "|&"):
                        said.append(output or "")
                        pipe = Pipe()
                    elif here.words:
                        pipe = pipe.after(here, output)
                    else:
                        pipe = Pipe("".join(said) or None, pipe.programs, pipe.names)
                    here = Simple()
        last = self._finish(here, pipe, through, depth)
        self.whole = self.whole and not words.broken
        return last if here.words or here.assigned else output

    def _substituted(self, inner: str, through: tuple[str, ...], depth: int) -> str | None:
        kept = dict(self.variables)
        try:
            return self.run(inner, through, depth)
        finally:
            self.variables.clear()
            self.variables.update(kept)

    def _add(self, here: Simple, word: Word) -> None:
        if not here.words:
            if here.naming:
                here.naming = False
                self.functions.add(word.raw)
                return
            if word.raw in KEYWORDS:
                here.naming = word.raw == "function"
                return
            assignment = _ASSIGNMENT.fullmatch(" ".join(word.fields))
            if assignment is not None and _ASSIGNMENT.match(word.raw):
                here.assigned.append(assignment.group())
                self._assign(assignment)
                return
            if word.raw in self.aliases:
                here.words.extend(self.aliases[word.raw].split())
                return
        here.words.extend(word.fields)

    def _assign(self, found: re.Match[str]) -> None:
        before = self.variables.get(found[1], "") if found[2] else ""
        value = before + found[3]
        if len(value) > VALUE_MAX:
            self.whole, value = False, ""
        self.variables[found[1]] = value

    def _finish(self, here: Simple, pipe: "Pipe", through: tuple[str, ...], depth: int) -> str | None:
        for value in (a.partition("=")[2] for a in here.assigned if a.partition("=")[0] in RUN_LATER):
            self.run(value, through, depth + 1)
        if not here.words:
            if fed := here.stdin or pipe.text:
                self.run(fed, through, depth + 1)  # a loop or a group may run what it is fed
            if here.writes:
                self.found.append(Command(program="", words=(), writes=tuple(here.writes), through=through))
            return None
        stdin = here.stdin if here.stdin is not None else pipe.text
        program = program_of(here.words[0])
        command = Command(
            program=program,
            words=tuple(here.words if program == HIDDEN else here.words[1:]),  # how it hides is worth a look
            stdin=stdin or "",
            writes=tuple(here.writes),
            variables=tuple(here.assigned),
            through=through,
            fed_by=pipe.programs,
        )
        self._noted(command, stdin, depth)
        return self._met(command, stdin, pipe, depth)

    def _noted(self, command: Command, stdin: str | None, depth: int) -> None:
        """What a command means for those after it."""
        words = command.words
        if command.program in DECLARES or command.program == "alias":
            for found in (found for word in words if (found := _ASSIGNMENT.fullmatch(word))):
                if command.program == "alias":
                    self.aliases[found[1]] = found[3]
                    self.run(found[3], command.through, depth + 1)
                else:
                    self._assign(found)
        if command.program == "set" and words and not words[0].startswith(("-", "+")):
            self._positions(words)
        if command.program == "set" and "--" in words:
            self._positions(words[words.index("--") + 1 :])
        if command.program in ("read", "mapfile", "readarray") and stdin:
            self._given(command, stdin)
        if command.program in ("ln", "cp", "mv", "hash") and (twins := FEARED_FILES & {program_of(w) for w in words}):
            self.aliases[words[-1]] = self.aliases[program_of(words[-1])] = min(twins)
        if command.program == "for" and len(words) > 2 and words[1] == "in":
            self.variables[words[0]] = " ".join(words[2:])

    def _given(self, command: Command, stdin: str) -> None:
        """Variables that take what comes in."""
        names = [word for word in command.words if re.fullmatch(r"[A-Za-z_]\w*", word)]
        apart = self.variables.get("IFS") or next(
            (a for v in command.variables if (a := v.removeprefix("IFS=")) != v), ""
        )
        parts = re.split(rf"[{re.escape(apart)}]", stdin.strip()) if apart else stdin.split()
        if command.program != "read":
            parts = [" ".join(parts)]
        for name, value in zip(names, [*parts[: len(names) - 1], " ".join(parts[len(names) - 1 :])], strict=False):
            self.variables[name] = value[:VALUE_MAX]

    def _met(self, command: Command, stdin: str | None, pipe: "Pipe", depth: int) -> str | None:
        """Keep a command and go into what it runs."""
        self.found.append(command)
        self._kept(command, stdin)
        inner = self._ran(command) or inner_of(command.program, command.words, stdin, pipe.names, self.files)
        output = printed(command.program, command.words, stdin)
        if inner is not None and depth < DEPTH_MAX:
            output = self._gone_into(command, inner, stdin, pipe, depth)
        elif inner is not None:
            self.whole = False
        if command.code and _SPAWNS.search(command.code):
            self._strings(command, depth)
        return output

    def _kept(self, command: Command, stdin: str | None) -> None:
        """Remember what goes into a file: it may be run later."""
        named = [b for a, b in pairwise(command.words) if a in ("-o", "-O", "--output")]
        for target in (*command.writes, *(named if command.program in FETCHING else ())):
            if command.program in FETCHING:
                self.fetched.add(target.removeprefix("./"))
            elif (text := printed(command.program, command.words, stdin)) is not None:
                self.files[target.removeprefix("./")] = text
        if command.program == "tee" and stdin:
            self.files.update({word.removeprefix("./"): stdin for word in command.words})
        for word in (*command.words, *command.writes):
            if word.startswith(">(") and "sh" in word and (text := printed(command.program, command.words, stdin)):
                self.run(text, command.through, DEPTH_MAX - 1)

    def _ran(self, command: Command) -> Inner | None:
        """A file that was written before is run, or a function called with a command for its words."""
        if command.program in self.functions and command.words:
            return Inner(words=command.words)
        named = [word.removeprefix("./") for word in command.words if not word.startswith("-")][:1]
        runs = named if command.program in RUNS_FILES else [command.program]
        for file in runs:
            if file in self.fetched:
                self.found.append(replace(command, program="sh", words=(), fed_by=("curl",), stdin=""))
            if file in self.files:
                return Inner(text=self.files[file])
        return None

    def _gone_into(self, command: Command, inner: Inner, stdin: str | None, pipe: "Pipe", depth: int) -> str | None:
        through = (*command.through, command.program)
        if inner.text is not None:
            if inner.words:
                self.variables["0"] = inner.words[0]
                self._positions(inner.words[1:])
            return self.run(inner.text, through, depth + 1)
        words = [word for word in inner.words if word]
        while words and command.program in PREFIXES and (found := _ASSIGNMENT.fullmatch(words[0])):
            self._assign(found)
            words = words[1:]
        if not words:
            return None
        within = Command(
            program=program_of(words[0]),
            words=tuple(words[1:]),
            stdin=stdin or "",
            writes=command.writes,
            variables=command.variables,
            through=through,
            fed_by=command.fed_by,
        )
        return self._met(within, stdin, pipe, depth + 1)

    def _positions(self, words: tuple[str, ...]) -> None:
        """What `$1`, `$2` … and `$@` stand for."""
        self.variables["@"] = self.variables["*"] = " ".join(words)[:VALUE_MAX]
        for place, value in enumerate(words[:9], 1):
            self.variables[str(place)] = value

    def _strings(self, command: Command, depth: int) -> None:
        """Texts in the code of an interpreter that spawns something: one by one, and all of them as one command."""
        strings = [
            next(part for part in found.groups() if part is not None) for found in _STRINGS.finditer(command.code)
        ]
        through = (*command.through, command.program)
        hidden = [found for text in strings if _ENCODED.fullmatch(text) and (found := decoded(text))]
        for text in dict.fromkeys((*strings, *hidden, " ".join(strings), "".join(strings))):
            self.run(text, through, depth + 1)


@dataclass(frozen=True, slots=True)
class Pipe:
    """What comes in from the left."""

    text: str | None = None
    programs: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # what `find -name` looked for

    def after(self, here: Simple, output: str | None) -> "Pipe":
        program = program_of(here.words[0])
        names = sought(tuple(here.words[1:])) if program == "find" else ()
        return Pipe(output, (*self.programs, program), names or self.names)


def program_of(word: str) -> str:
    """The program a word names; what it stands for where it is a pattern, and HIDDEN where that cannot be told."""
    name = _VERSION.sub(r"\1", _SUFFIX.sub("", re.split(r"[/\\]", word)[-1]).lower())
    if re.search(r"[*?\[]", name) and name not in ("[", "[["):
        fits = (feared for feared in FEARED if len(name) <= NAME_MAX and fnmatchcase(feared, name))
        return next(fits, HIDDEN)
    if "$" in word or "`" in word or "+(" in word or "@(" in word:
        return HIDDEN
    return name
