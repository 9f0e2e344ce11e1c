"""Reads a shell's text into the plain commands it would run, seen through quotes, variables, pipes and wrappers.

Each command is found as the words it comes to: `X=rm; sudo -n env A=1 $X -fr "/srv"` holds sudo, env and rm -f -r /srv.
Wrappers that run another command are found beside what they run; so are commands in `$(…)`, in here-documents fed to a
shell, behind `ssh`, in `find -exec`. Everything is bounded; a text beyond the bounds is marked as not read to its end.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from cruxfinder.gate.shell.blocks import Blocks, Body
from cruxfinder.gate.shell.built_code import read_built
from cruxfinder.gate.shell.builtins_set import set_values
from cruxfinder.gate.shell.code_strings import (
    asks_database,
    decoded_texts,
    from_base64,
    may_decode,
    may_spawn,
    strings_in,
)
from cruxfinder.gate.shell.command import COMMAND_MAX, HIDDEN, Command, program_of
from cruxfinder.gate.shell.commands_in_words import carried_statements, carried_texts, is_destructive_sql
from cruxfinder.gate.shell.computed import COMPUTED, PRINTS_SETTINGS, is_computed, runs_computed, with_worst_flags
from cruxfinder.gate.shell.crude_reading import feared_stretches, is_statement
from cruxfinder.gate.shell.folders import Links, folder_after_cd, is_sensitive_folder, spell_from_folder, wrapper_folder
from cruxfinder.gate.shell.pipes import DECLARES, CommandBuilder, Pipe, PrintedOutput, last_command
from cruxfinder.gate.shell.printing import PRINTED_MAX
from cruxfinder.gate.shell.run_scripts import file_name, interpreter_of, made_code, recipes
from cruxfinder.gate.shell.variables import Variables
from cruxfinder.gate.shell.words import (
    EXPANDED_MAX,
    VALUE_MAX,
    ExpansionBudget,
    Operator,
    Redirect,
    ShellTokenizer,
    ShellWord,
)
from cruxfinder.gate.shell.wrappers import (
    INTERPRETERS,
    PREFIXES,
    SHELL_VALUED,
    SHELLS,
    InnerCommand,
    fed_within,
    git_settings,
    inner_of,
    own_words,
    skip_flags,
)
from cruxfinder.gate.shell.written_files import FETCHING, WrittenFiles

TEXT_MAX: Final = 200_000  # characters
READ_AGAIN: Final = 3  # times a text may be read again within itself, shells in shells
READ_FREE: Final = 4_000  # characters that may be read beside that: short texts may nest
COMMANDS_MAX: Final = 400
COMMANDS_FREE: Final = 60  # commands that a short text may hold, wrappers and what they run counted apart
COMMAND_LENGTH: Final = 8  # characters of a text for each one more
WORD_COST: Final = 8  # characters that a word of a command within another counts for
DEPTH_MAX: Final = 8
CALLS_MAX: Final = 50_000  # characters of functions that are read where they are called
NESTED_MAX: Final = 3  # calls of one function within itself

_ASSIGNMENT: Final = re.compile(r"([A-Za-z_]\w*)(?:\[([^\[\]]{1,200})\])?(\+?)=(.*)", re.DOTALL)
_PLACE: Final = re.compile(r"\$(?:[@*1-9]|\{[@*1-9]\})")  # of a word of a call
_IN_FOLDER: Final = re.compile(r"\$.*/([\w.+-]+)", re.DOTALL)
_NO_WORDS: Final = re.compile(r"[ \t]*\)")
_STEERS: Final = re.compile(  # variables that change which programs run, or how
    r"DISABLE_DEBATE|GIT_CONFIG_(?:COUNT|KEY_\d+|PARAMETERS)|GIT_EXEC_PATH|CRUX_\w+|PYTHON(?:STARTUP|HOME)|BASH_ENV|LD_PRELOAD|DYLD_\w+|HISTFILE"
)
KEYWORDS: Final = frozenset("if then else elif fi do done while until ! { } time coproc function esac".split())
RUN_LATER: Final = frozenset(  # variables whose value is run as a command
    "PROMPT_COMMAND PS1 PS4 PAGER MANPAGER GIT_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR"
    " GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS LESSOPEN BROWSER GIT_SSH RSYNC_RSH CVS_RSH"
    " GIT_PROXY_COMMAND SUDO_ASKPASS ENV BASH_ENV".split()
)
# Programs that hand their words or their input on as they are; what others make of it cannot be told.
HANDS_ON: Final = frozenset("echo printf cat tee base64 xxd openssl rev tr".split()) | FETCHING
FEARED_FILES: Final = frozenset("rm dd shred".split())
RUNS_FILES: Final = SHELLS | frozenset({"source", "."})
RUNS_ITS_INPUT: Final = SHELLS | frozenset(INTERPRETERS)
HIDES_CODE: Final = "hides-code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    commands: tuple[Command, ...]
    broken: bool = False  # a bracket or a here-document has no end: it may be no shell's text at all
    cut: bool = False  # too long or too deep: some of it was not read

    @property
    def whole(self) -> bool:
        return not (self.broken or self.cut)


def read(text: str, folder: str = "") -> Script:
    return read_within_limits(lambda reading: reading.read_twice(text[:TEXT_MAX], folder), len(text))


def read_code(code: str, program: str = "python") -> Script:
    """What an interpreter is given, as a tool or a file of code holds it."""
    return read_within_limits(lambda reading: reading.interpret(program, code), 0, len(code))


def read_within_limits(begin: Callable[["ScriptReader"], object], length: int, code: int = 0) -> Script:
    reading = ScriptReader(
        read_max=READ_FREE + READ_AGAIN * min(length + code, TEXT_MAX),
        commands_max=min(COMMANDS_MAX, COMMANDS_FREE + (length + code) // COMMAND_LENGTH),
    )
    try:
        begin(reading)
    except RecursionError:
        reading.cut = True
    found = tuple(dict.fromkeys(reading.found))
    many = len(found) > reading.commands_max
    long = any(len(command.text) > COMMAND_MAX for command in found)
    cut = reading.cut or reading.files.cut or many or long or length > TEXT_MAX
    return Script(commands=found[: reading.commands_max], broken=reading.broken, cut=cut)


def split_words(text: str) -> list[str]:
    """The words of a text as they stand between blanks and quotes: a list that was written as one command."""
    words = ShellTokenizer(text[:TEXT_MAX], Variables(), lambda _: None)
    return [field for token in words.tokens() if isinstance(token, ShellWord) for field in token.fields]


class Nesting(NamedTuple):
    """The programs that hand a command on to be run, and how deep in shells within shells that is."""

    through: tuple[str, ...]
    depth: int


@dataclass(slots=True)
class ScriptReader:
    """Goes through a text as the shell would, with the variables and aliases it sets on its way."""

    variables: Variables = field(default_factory=Variables)
    aliases: dict[str, str] = field(default_factory=dict[str, str])
    files: WrittenFiles = field(default_factory=WrittenFiles)
    functions: dict[str, Body | None] = field(default_factory=dict[str, Body | None])
    calls: list[tuple[str, tuple[str, ...]]] = field(default_factory=list[tuple[str, tuple[str, ...]]])  # open ones
    called: set[Command] = field(default_factory=set[Command])  # commands that a function was found to run
    calls_read: int = 0  # characters
    found: list[Command] = field(default_factory=list[Command])
    broken: bool = False
    cut: bool = False
    read_max: int = READ_FREE
    commands_max: int = COMMANDS_MAX
    read: int = 0  # characters, those read again in an inner shell too
    budget: ExpansionBudget = field(default_factory=lambda: ExpansionBudget(EXPANDED_MAX))
    folder: str = ""  # where it goes on
    links: Links = field(default_factory=Links)

    def read_twice(self, text: str, folder: str) -> None:
        """As a shell would; and where it may be run otherwise, each stretch that begins with a feared program."""
        self.folder = folder
        self.run(text.replace("\r\n", "\n"), (), 0)
        for stretch in feared_stretches(text):
            if is_statement(stretch):
                self._add_statements([stretch], ())
            else:
                self.run(stretch, (), DEPTH_MAX - 1)

    def run(self, text: str, through: tuple[str, ...], depth: int, fed: str | None = None) -> str | None:
        """Find the commands of a text; what they print, where it can be known."""
        self.read += len(text)
        if depth > DEPTH_MAX or self.read > self.read_max:
            self.cut = True
            return None
        words = ShellTokenizer(
            text,
            self.variables,
            lambda inner: self._run_substitution(inner, through, depth + 1),
            files=self.files.texts,
            budget=self.budget,
        )
        here, pipe, said, blocks = CommandBuilder(), Pipe(fed), PrintedOutput(), Blocks(text)
        nesting = Nesting(through, depth)
        for token in words.tokens():
            if len(self.found) >= self.commands_max:
                self.cut = True
                return None
            match token:
                case ShellWord():
                    self._meet_word(here, token, blocks, words.at, through)
                case Redirect():
                    self._redirect(here, token)
                case Operator(sign=sign) if sign not in ("|", "|&", "(", ")") and here.is_empty and pipe.is_empty:
                    said.alternative = sign == "||"
                case Operator(sign=sign):
                    if sign == "(" and (len(here.words) == 1 or blocks.naming) and _NO_WORDS.match(text, words.at):
                        here = self._begin_function(here, blocks, through)
                        continue
                    output = self._finish(here, pipe, said, blocks, nesting)
                    output = "" if here.is_redirected else output
                    if sign in "()" and not (sign == ")" and blocks.naming):
                        self._close(blocks, sign, words.at)
                    pipe = pipe.pipe_after_operator(sign, here, output, said, fed)
                    here = CommandBuilder()
        output = self._finish(here, pipe, said, blocks, nesting)
        said.add("" if here.is_redirected else output, here.words)
        self.broken, self.cut = self.broken or words.broken, self.cut or words.cut
        return self._within_bounds(said.take())

    def _meet_word(
        self, here: CommandBuilder, word: ShellWord, blocks: Blocks, at: int, through: tuple[str, ...]
    ) -> None:
        if not here.words:
            if here.naming:
                here.naming = False
                blocks.naming = word.raw
                self._name_function(word.raw, through)
                return
            self._close(blocks, word.raw, at)
            blocks.naming = ""  # it has its body now, or none
        elif word.raw == "do" and here.words[0] in ("for", "select") and len(here.words) == 2:
            self.variables.set(here.words[1], " ".join(self.variables.positions or ("$@",)))
            here.words.clear()
            return
        self._add(here, word)

    def _close(self, blocks: Blocks, sign: str, at: int) -> None:
        blocks.last = None
        if (whole := blocks.note_sign(sign, at)) is not None:
            self.functions[whole[0]] = whole[1]

    def _redirect(self, here: CommandBuilder, to: Redirect) -> None:
        if to.kind == "text":
            here.stdin = to.target
        elif to.kind == "in":
            here.stdin = self.files.texts.get(file_name(to.target), self.files.texts.get(to.target, here.stdin))
        elif to.errors:
            here.writes.append(to.target)
        else:
            here.kept_in.append(to.target)
            here.adds = to.adds
            here.writes.extend([to.target] if to.kind == "out" else [])

    def _run_substitution(self, inner: str, through: tuple[str, ...], depth: int) -> str | None:
        before = len(self.variables.changes)
        try:
            return self.run(inner, through, depth)
        finally:
            self.variables.undo(before)

    def _add(self, here: CommandBuilder, word: ShellWord) -> None:
        if word.items is not None and (not here.words or here.words[0] in DECLARES):
            name, more, _ = word.raw.partition("=")[0].partition("+")
            if not self.variables.set_list(name, word.items, more=bool(more)):
                self.cut = True
            if here.words:
                here.words.append(name)
            else:
                here.assigned.append(f"{name}={' '.join(value for _, value in word.items)}")
            return
        if not here.words:
            if word.raw in KEYWORDS:
                here.naming = word.raw == "function"
                return
            assignment = _ASSIGNMENT.fullmatch(" ".join(word.fields))
            if assignment is not None and _ASSIGNMENT.match(word.raw):
                here.assigned.append(assignment.group())
                self._assign(assignment)
                return
            if word.raw in self.aliases:
                alias = self.aliases[word.raw]
                if self.budget.spend(len(alias)):
                    here.words.extend(last_command(alias))
                    return
                self.cut = True
        here.words.extend(word.fields)

    def _begin_function(self, here: CommandBuilder, blocks: Blocks, through: tuple[str, ...]) -> CommandBuilder:
        """`f()`: the body of a function comes next."""
        if not blocks.naming:
            blocks.naming = here.words[-1]
            self._name_function(blocks.naming, through)
        return CommandBuilder()

    def _name_function(self, name: str, through: tuple[str, ...]) -> None:
        self.functions[name] = None
        self.found.append(Command(program="function", words=(name,), through=through))

    def _assign(self, found: re.Match[str], how: str = "") -> None:
        name = f"{found[1]}[{found[2]}]" if found[2] else found[1]
        before = self.variables.get(name) or "" if found[3] else ""
        value = before + found[4]
        if len(value) > VALUE_MAX and (before or not self.budget.spend(len(value))):
            self.cut, value = True, ""
        value = value.lower() if "l" in how else value.upper() if "u" in how else value
        if "n" in how:
            self.variables.refer(name, value)
        elif not found[2]:
            self.variables.set(name, value)
        elif not self.variables.set_item(found[1], found[2], value):
            self.cut = True

    def _finish(
        self, here: CommandBuilder, pipe: Pipe, said: PrintedOutput, blocks: Blocks, nesting: Nesting
    ) -> str | None:
        through, depth = nesting
        for name, _, value in (assigned.partition("=") for assigned in here.assigned):
            if name in RUN_LATER:
                self.run(value, through, depth + 1)
            if _STEERS.fullmatch(name):
                self.found.append(Command(program="export", words=(f"{name}={value}",), through=through))
        if not here.words:
            self._finish_block(here, pipe, said, blocks, nesting)
            return None
        blocks.last = None
        stdin = here.stdin if here.stdin is not None else pipe.text
        program = program_of(here.words[0])
        if blocks.functions and _PLACE.fullmatch(here.words[0]):
            return None  # what it is comes out where the function is called
        command = Command(
            program=program,
            words=tuple(here.words if program == HIDDEN else here.words[1:]),  # how it hides is worth a look
            stdin=stdin or "",
            writes=tuple(here.writes),
            variables=tuple(here.assigned),
            through=through,
            fed_by=pipe.programs,
            kept_in=tuple(here.kept_in),
            adds=here.adds,
            called=here.words[0],
            folder=self.folder,
        )
        self._mark_computed(here.words, through)
        self._apply_side_effects(command, stdin, depth)
        if program in SHELLS and not HANDS_ON.issuperset(pipe.programs):
            self.cut = True  # what it is fed was made by a program nobody can follow
        return self._visit_command(command, stdin, pipe, depth)

    def _finish_block(
        self, here: CommandBuilder, pipe: Pipe, said: PrintedOutput, blocks: Blocks, nesting: Nesting
    ) -> None:
        """What a loop or a group as a whole is fed, and where its output goes."""
        through, depth = nesting
        if (fed := here.stdin or pipe.text) and not pipe.is_inherited(fed):
            self.run(fed, through, depth + 1)  # it may run what it is fed
            if blocks.last is not None and here.stdin:
                self.run(blocks.last.source, through, depth + 1, fed)
        blocks.last = None
        if here.writes:
            bare = Command(program="", words=(), writes=tuple(here.writes), through=through, folder=self.folder)
            self.found.append(bare)
            if here.kept_in and (output := said.take()) is not None:
                self.files.write(here.kept_in, output, adds=here.adds)

    def _mark_computed(self, words: Sequence[str], through: tuple[str, ...]) -> None:
        """A program, or flags that decide, which only come out once something else has run."""
        settings = "eval" in through and PRINTS_SETTINGS.match(words[0])
        if (is_computed(words[0], self.variables.values) and not settings) or runs_computed(words, self.files.texts):
            self.found.append(Command(program=COMPUTED, words=tuple(words), through=through))
        elif (worst := with_worst_flags(words)) is not None:
            self.found.append(Command(program=program_of(words[0]), words=worst, through=through))

    def _spellings(self, command: Command) -> Iterator[Command]:
        """The command with its bare names spelt out from the folder it runs in, and with its links followed."""
        if self.folder and is_sensitive_folder(self.folder):
            yield respell(command, lambda word: spell_from_folder(self.folder, word))
        if self.links.targets:
            followed = respell(command, lambda word: self.links.follow(word, self.folder))
            if followed != command:
                yield followed

    def _apply_side_effects(self, command: Command, stdin: str | None, depth: int) -> None:
        """What a command means for those after it."""
        words = command.words
        if command.program in ("cd", "pushd", "chdir"):
            to = skip_flags(words, frozenset()) or (() if "-" in words or command.program == "pushd" else ("~",))
            self.folder = folder_after_cd(self.folder, to[0] if to else "-")
        if command.program in DECLARES or command.program == "alias":
            how = "".join(word[1:] for word in words if word.startswith("-")) if command.program != "set" else ""
            for found in (found for word in words if (found := _ASSIGNMENT.fullmatch(word))):
                if command.program == "alias":
                    self.aliases[found[1]] = found[4]
                    self.run(found[4], command.through, depth + 1)
                else:
                    self._assign(found, how)
        if command.program in ("ln", "cp", "mv", "hash") and (twins := FEARED_FILES & {program_of(w) for w in words}):
            self.aliases[words[-1]] = self.aliases[program_of(words[-1])] = min(twins)
        self.files.move(command)
        if command.program == "for" and len(words) > 2 and words[1] == "in":
            self.variables.set(words[0], " ".join(words[2:]))
        self.cut = not set_values(self.variables, command, stdin) or self.cut

    def _visit_command(self, command: Command, stdin: str | None, pipe: Pipe, depth: int) -> str | None:
        """Keep a command and go into what it runs."""
        if command.program == "git" and "config" not in command.words:  # a setting for this command alone is one
            for name, value in git_settings(command.words):
                self.found.append(replace(command, words=("config", name, value), stdin="", writes=()))
        self.found.append(command)
        self.found += self._spellings(command)
        self.links.note(command.program, command.words, self.folder)  # for those after it
        self.cut = self.cut or self.links.cut
        if (body := self.functions.get(command.program)) is not None:
            return self._call_function(command, body, stdin, depth)
        self.files.keep(command, stdin, output := self.files.output_of(command, stdin))
        if output and any(word.startswith(">(") and "sh" in word for word in (*command.words, *command.writes)):
            self.run(output, command.through, DEPTH_MAX - 1)
        files = self.files.texts
        inner = self._find_inner(command, stdin) or inner_of(command.program, command.words, stdin, pipe.names, files)
        if inner is not None and depth < DEPTH_MAX:
            output = self._run_inner(command, inner, stdin, pipe, depth)
        elif inner is not None:
            self.cut = True
        self._follow_carried_words(command, inner, depth)
        if command.program in INTERPRETERS and (code := command.code):
            self._inspect_code(command, code, depth)
        elif (made := made_code(command.program, command.words, files)) and depth < DEPTH_MAX:
            self._interpret_file(command, command.program, made, depth)
        return output

    def _interpret_file(self, command: Command, program: str, code: str, depth: int) -> None:
        within = replace(command, program=program, words=(min(INTERPRETERS[program], default="-f"), code), stdin="")
        self._visit_command(replace(within, writes=(), kept_in=()), None, Pipe(), depth + 1)

    def _call_function(self, command: Command, body: Body, stdin: str | None, depth: int) -> str | None:
        """Read what a function does once more, with the words of its call."""
        call = (command.program, command.words)
        if call in self.calls:
            return None
        length = body.end - body.begin
        self.calls_read += length
        nested = sum(name == command.program for name, _ in self.calls)
        if self.calls_read > CALLS_MAX or nested >= NESTED_MAX or depth >= DEPTH_MAX:
            self.cut = True
            return None
        self.read -= length  # it has an allowance of its own
        before, first = self.variables.positions, len(self.found)
        self.calls.append(call)
        self.variables.set_positions(command.words)
        output = self.run(body.source, command.through, depth + 1, stdin)
        self.variables.set_positions(before)
        self.calls.pop()
        if not self.calls:
            new = [found for found in self.found[first:] if found not in self.called]
            self.found[first:] = new
            self.called.update(new)
        if command.kept_in and output is not None:
            self.files.write(command.kept_in, output, adds=command.adds)
        return output

    def _inspect_code(self, command: Command, code: str, depth: int) -> None:
        """Look at what an interpreter's code runs, also where it builds that from parts."""
        strings = [*strings_in(code)]
        if may_spawn(code):
            self._strings(command, strings, depth)
        if may_decode(code):
            self._decode(command, code, depth)
        seen = read_built(command.program, code)
        self.cut = self.cut or seen.cut
        if seen.hidden:
            self.found.append(Command(program=HIDES_CODE, words=(), through=(*command.through, command.program)))
        flag = min(INTERPRETERS[command.program], default="-c")
        if seen.plain:
            self.found.append(replace(command, words=(flag, seen.plain), stdin=""))
        new = [text for text in seen.texts if text not in set(strings)]
        if new and may_spawn(seen.plain or code):
            self._strings(command, new, depth)
        if asks_database(seen.plain or code):
            statements = (text for text in dict.fromkeys((*strings, *seen.texts)) if is_destructive_sql(text))
            self._add_statements(statements, command.through)
        for text in seen.codes:
            if depth >= DEPTH_MAX or len(self.found) >= self.commands_max:
                self.cut = True
                return
            self.read += len(text)
            self._visit_command(replace(command, words=(flag, text), stdin=""), None, Pipe(), depth + 1)

    def _follow_carried_words(self, command: Command, inner: InnerCommand | None, depth: int) -> None:
        """Go into words of a command that are commands or statements themselves."""
        words = command.words[1:] if command.program == HIDDEN else command.words  # the first one is the program
        own = own_words(command.program, words, inner)
        within = inner.text if inner and inner.text is not None else ""
        for text in dict.fromkeys(carried_texts(command.program, own)):
            if text not in within:
                self.run(text, (*command.through, command.program), depth + 1)
        self._add_statements(dict.fromkeys(carried_statements(command.program, own, command.stdin)), command.through)

    def _add_statements(self, texts: Iterable[str], through: tuple[str, ...]) -> None:
        """Statements as some client's; they are read again, and count as that."""
        for text in texts:
            self.read += len(text)
            if self.read > self.read_max:
                self.cut = True
                return
            self.found.append(Command(program="psql", words=("-c", text), through=through))

    def _decode(self, command: Command, code: str, depth: int) -> None:
        """Texts in hexadecimal or base64 that code turns into code, as the code they come to."""
        if depth >= DEPTH_MAX:
            self.cut = True
            return
        flag = min(INTERPRETERS[command.program], default="-c")
        for plain in decoded_texts(code):
            if len(self.found) >= self.commands_max:
                self.cut = True
                return
            self._visit_command(replace(command, words=(flag, plain), stdin=""), None, Pipe(), depth + 1)

    def interpret(self, program: str, code: str) -> None:
        self._visit_command(Command(program=program, words=(min(INTERPRETERS[program]), code)), None, Pipe(), 0)

    def _within_bounds(self, output: str | None) -> str | None:
        if output is not None and len(output) > PRINTED_MAX:
            self.cut = True
            return output[:PRINTED_MAX]
        return output

    def _find_inner(self, command: Command, stdin: str | None) -> InnerCommand | None:
        """A file that was written before is run, or a function called with a command for its words."""
        if command.program in self.functions and command.words:
            return InnerCommand(words=command.words)
        if command.program == HIDDEN and command.words and (known := _IN_FOLDER.fullmatch(command.words[0])):
            return InnerCommand(words=(known[1], *command.words[1:]))  # only its folder cannot be told
        if (
            command.program in ("make", "gmake")
            and (made := recipes(command.words, stdin, self.files.texts)) is not None
        ):
            return InnerCommand(text=made)
        words = (command.program, *command.words)
        if command.program in RUNS_FILES:
            words = skip_flags(command.words, SHELL_VALUED)
        for file in map(file_name, words[:1]):
            if file in self.files.fetched:
                self.found.append(replace(command, program="sh", words=(), fed_by=("curl",), stdin=""))
            if (held := self.files.texts.get(file)) is None:
                continue
            if command.program not in RUNS_FILES and (own := interpreter_of(held)):
                return InnerCommand(words=(own, min(INTERPRETERS[own], default="-f"), held))
            return InnerCommand(text=held, words=words)
        return None

    def _run_inner(
        self, command: Command, inner: InnerCommand, stdin: str | None, pipe: Pipe, depth: int
    ) -> str | None:
        through = (*command.through, command.program)
        if inner.text is not None:
            return self._run_with(inner, through, depth, fed_within(command.program, inner, stdin))
        words = [word for word in inner.words if word]
        self.read += WORD_COST * len(words)
        if self.read > self.read_max:
            self.cut = True
            return None
        while words and command.program in PREFIXES and (found := _ASSIGNMENT.fullmatch(words[0])):
            self._assign(found)
            words = words[1:]
        if not words:
            return None
        self._mark_computed(words, through)
        program = program_of(words[0])
        before, own = self.folder, command.words[: len(command.words) - len(inner.words)]
        self.folder = folder_after_cd(before, to) if (to := wrapper_folder(command.program, own)) else before
        within = Command(
            program=program,
            words=tuple(words if program == HIDDEN else words[1:]),
            stdin=stdin or "",
            writes=command.writes,
            variables=command.variables,
            through=through,
            fed_by=command.fed_by,
            kept_in=command.kept_in,
            adds=command.adds,
            called=words[0],
            folder=self.folder,
        )
        self.cut = not set_values(self.variables, within, stdin) or self.cut
        output = self._visit_command(within, stdin, pipe, depth + 1)
        self.folder = before if to else self.folder
        return output

    def _run_with(self, inner: InnerCommand, through: tuple[str, ...], depth: int, fed: str | None) -> str | None:
        """Run a text with words for its `$0`, `$1` …"""
        before = self.variables.positions
        if inner.words:
            self.variables.set("0", inner.words[0])
            self.variables.set_positions(inner.words[1:])
        output = self.run(inner.text or "", through, depth + 1, fed)
        if inner.words:
            self.variables.set_positions(before)
        return output

    def _strings(self, command: Command, strings: list[str], depth: int) -> None:
        """Texts in the code of an interpreter that spawns something: one by one, and all of them as one command."""
        through = (*command.through, command.program)
        hidden = [found for text in strings if (found := from_base64(text))]
        for text in dict.fromkeys((*strings, *hidden, " ".join(strings), "".join(strings))):
            self.run(text, through, depth + 1)


def respell(command: Command, spell: Callable[[str], str]) -> Command:
    return replace(command, words=tuple(map(spell, command.words)), writes=tuple(map(spell, command.writes)))
