"""A command while it is put together, and what the commands around it hand to it and take from it."""

from dataclasses import dataclass, field
from typing import Final

from cruxfinder.gate.shell.command import program_of
from cruxfinder.gate.shell.variables import Variables
from cruxfinder.gate.shell.words import Operator, ShellTokenizer, ShellWord
from cruxfinder.gate.shell.wrappers import paths_to_find

DECLARES: Final = frozenset("export local declare readonly typeset set".split())
# They print nothing that matters where their output is taken.
PRINTS_NOTHING: Final = DECLARES | frozenset(
    "cd pushd popd test [ [[ true false : for case select read mapfile readarray shift return exit break continue unset"
    " trap sleep mkdir touch rm cp mv ln chmod chown source . eval exec shopt let wait kill umask ulimit alias".split()
)
SHOWN_MAX: Final = 200  # characters of a command that stands for what it prints


@dataclass(slots=True)
class CommandBuilder:
    """A command while it is put together."""

    words: list[str] = field(default_factory=list[str])
    writes: list[str] = field(default_factory=list[str])
    kept_in: list[str] = field(default_factory=list[str])  # those of them that take its output
    adds: bool = False
    stdin: str | None = None
    assigned: list[str] = field(default_factory=list[str])
    naming: bool = False  # the name of a function is next

    @property
    def is_redirected(self) -> bool:
        return any(not target.startswith(("/dev/stdout", "/dev/fd/1", "/dev/tty")) for target in self.kept_in)

    @property
    def is_empty(self) -> bool:
        return not (self.words or self.writes or self.assigned or self.stdin or self.naming)


@dataclass(frozen=True, slots=True)
class Pipe:
    """What comes in from the left."""

    text: str | None = None
    programs: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # what `find -name` looked for

    @property
    def is_empty(self) -> bool:
        return self.text is None and not self.programs

    def is_inherited(self, fed: str) -> bool:
        """Is it what the whole text is fed, so that it is nothing new to a block of it?"""
        return not self.programs and self.text == fed

    def pipe_after_operator(
        self, sign: str, here: CommandBuilder, output: str | None, said: "PrintedOutput", fed: str | None
    ) -> "Pipe":
        """What comes in behind an operator: what is piped there, or what the whole text is fed."""
        if sign not in ("|", "|&"):
            said.add(output, here.words)
            said.alternative = sign == "||"
            return Pipe(fed)
        return self.pipe_after_command(here, output) if here.words else Pipe(said.take(), self.programs, self.names)

    def pipe_after_command(self, here: CommandBuilder, output: str | None) -> "Pipe":
        program = program_of(here.words[0])
        names = paths_to_find(tuple(here.words[1:])) if program == "find" else ()
        return Pipe(output, (*self.programs, program), names or self.names)


@dataclass(slots=True)
class PrintedOutput:
    """What the commands of a text print, one after another; one that cannot be told stands there as `$(…)`."""

    parts: list[str] = field(default_factory=list[str])
    known: bool = False  # of one at least it can be told
    unknown: bool = False
    alternative: bool = False  # the next one is run only where the one before it failed
    sure: bool = False  # the one before it never fails

    def add(self, output: str | None, words: list[str]) -> None:
        program = program_of(words[0]) if words else ""
        if output is None and program and program not in PRINTS_NOTHING:
            output = f"$({' '.join(words)[:SHOWN_MAX]})\n"
            self.unknown = True
        elif output is not None:
            self.known = True
        if self.alternative and output and self.parts:
            if self.sure:
                return
            self.parts.pop()
        self.sure = program in ("echo", "printf") if program else self.sure
        if output:
            self.parts.append(output)

    def take(self) -> str | None:
        """All of it, where any is known; what comes later is put together anew."""
        made, known = "".join(self.parts), self.known and not (self.unknown and len(self.parts) < 2)
        self.parts, self.known, self.unknown = [], False, False
        return made if known else None


def last_command(alias: str) -> list[str]:
    """The words of an alias that those behind it in a command are added to; what it runs before them is read as it is
    set."""
    words = list[str]()
    for token in ShellTokenizer(alias, Variables(), lambda _: None).tokens():
        if isinstance(token, Operator):
            words.clear()
        elif isinstance(token, ShellWord):
            words.extend(token.fields)
    return words
