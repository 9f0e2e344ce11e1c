"""Keeps what the commands of one text write into files, since a later command of it may read or run them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from cruxfinder.gate.shell.command import Command, program_of
from cruxfinder.gate.shell.printing import PRINTED_MAX, command_output
from cruxfinder.gate.shell.run_scripts import file_name, targets_of
from cruxfinder.gate.shell.text_filters import run_sed

WORKED_MAX: Final = 4_000_000  # characters that commands print and write
FETCHING: Final = frozenset("curl wget aria2c http https fetch".split())
READS_FILES: Final = frozenset("cat head tail sort uniq grep cut tac nl rev tr sed base64 xxd fold".split())
IN_PLACE: Final = ("-i", "--in-place")


@dataclass(slots=True)
class WrittenFiles:
    texts: dict[str, str] = field(default_factory=dict[str, str])
    fetched: set[str] = field(default_factory=set[str])  # files that come from the network
    worked: int = 0  # characters
    cut: bool = False

    def text_of(self, word: str) -> str | None:
        return self.texts.get(file_name(word))

    def write(self, targets: Sequence[str], text: str, *, adds: bool) -> None:
        for target in targets:
            name = file_name(target)
            whole = self.texts.get(name, "") + text if adds else text
            self.worked += len(whole)
            if len(whole) > PRINTED_MAX or self.worked > WORKED_MAX:
                self.cut = True
                return
            self.texts[name] = self.texts[program_of(target)] = whole

    def move(self, command: Command) -> None:
        """Copy, rename, link or edit a file that is known."""
        words = command.words
        if command.program in ("ln", "cp", "mv", "install") and len(words) > 1:
            held = next((text for word in words[:-1] if (text := self.text_of(word)) is not None), None)
            if held is not None:
                self.write((words[-1],), held, adds=False)
        if command.program == "sed" and any(word.startswith(IN_PLACE) for word in words):
            rest = tuple(word for word in words if not word.startswith(IN_PLACE))
            held = self.text_of(rest[-1]) if rest else None
            if held is not None and (made := run_sed(rest[:-1], held)) is not None:
                self.write(rest[-1:], made, adds=False)

    def output_of(self, command: Command, stdin: str | None) -> str | None:
        """What a command prints, where that can be told from its words, its input and the files it reads."""
        if self.worked > WORKED_MAX:
            self.cut = True
            return None
        words = command.words
        if stdin is None and command.program in READS_FILES:
            known = [text for word in words if (text := self.text_of(word)) is not None]
            words = tuple(word for word in words if file_name(word) not in self.texts) if known else words
            stdin = "".join(known) if known else None
        output = command_output(command.program, words, stdin)
        if output is not None and len(output) > PRINTED_MAX:
            self.cut, output = True, output[:PRINTED_MAX]
        self.worked += len(output or "")
        return output

    def keep(self, command: Command, stdin: str | None, output: str | None) -> None:
        """Remember what a command puts into files."""
        named = [b for a, b in pairwise(command.words) if a in ("-o", "-O", "--output")]
        if command.program in FETCHING:
            self.fetched.update(file_name(target) for target in (*command.writes, *named))
        elif output is not None:
            self.write(command.kept_in, output, adds=command.adds)
        if stdin:
            adds = any(word in ("-a", "--append", "oflag=append") for word in command.words)
            self.write(targets_of(command.program, command.words), stdin, adds=adds)
