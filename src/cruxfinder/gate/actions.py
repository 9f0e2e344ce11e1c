"""What an action is: a shell's text, SQL, code, a file that is written, a call of some tool, or plain words.

What a tool is given to run is read whatever the tool is called: an argument named for it, or one that looks like it.
Words that are only carried along (a commit's message, what grep looks for, a prompt) are not taken for what it does.
"""

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import join, normpath
from typing import Final

from cruxfinder.gate.plain_fields import command_lines
from cruxfinder.gate.self_paths import NOWHERE, GatePlaces, touch_of
from cruxfinder.gate.self_touches import find_touches, touch_command
from cruxfinder.gate.shell import reader, sql_statements
from cruxfinder.gate.shell.git_aliases import aliased_commands
from cruxfinder.gate.shell.notebooks import CellKind, cell_parts
from cruxfinder.gate.shell.reader import Command, Script
from cruxfinder.gate.shell.wrappers import INTERPRETERS, PREFIXES, SHELLS
from cruxfinder.gate.tool_arguments import LISTS, Leaf, Leaves, leaves_of, name_words, snake_case
from cruxfinder.gate.tool_names import (
    PROGRAM_TOOLS,
    SEARCHES,
    ActionReading,
    is_carrying,
    is_database,
    is_terminal,
    readings_of_tool,
    tool_words,
)

ACTION_MAX: Final = 1_500  # characters of an action that are debated and written down
PROSE_MAX: Final = 200_000  # characters that are looked at
CODE_MAX: Final = 400_000
TOOL_MAX: Final = 300
PATH_MAX: Final = 4_096  # no system opens a longer one

TYPED: Final = frozenset("data text input keys content chars value line lines string literal sequence".split())
FOLDER_ARGUMENTS: Final = frozenset("cwd workdir working_dir working_directory".split())
OPENED_TO_WRITE: Final = re.compile(r"[rbt]{0,2}[wax+][wb+t]{0,2}|write|append|o_(?:wronly|rdwr).*", re.IGNORECASE)
# Words in the name of an argument.
SHELL_ARGUMENTS: Final = frozenset("command commands cmd cmds cmdline commandline bash sh zsh shell powershell".split())
SCRIPT_ARGUMENTS: Final = frozenset(
    "script scripts exec execute run argv args program terminal stdin keystrokes entrypoint steps".split()
)
CODE_ARGUMENTS: Final = frozenset(
    "code source snippet cell python javascript js typescript ts ruby perl php expression eval function lambda"
    " program script stdin input".split()
)
SQL_ARGUMENTS: Final = frozenset("sql sqls statement statements stmt stmts ddl dml cypher".split())
QUERIES: Final = frozenset("query queries".split())
CARRIED_ARGUMENTS: Final = frozenset(
    "pattern regex regexp glob prompt prompts description title subject summary todos thought thinking reason"
    " explanation justification note notes comment comments question label labels tags q keywords term old".split()
)
FILE_CONTENT: Final = frozenset("content contents text string source str edits body data code new insert".split())
PATH_ARGUMENTS: Final = re.compile(
    r"path|file|dest|target|source|src|folder|director|^dir$|location|uri|^to$|^from$", re.IGNORECASE
)
LIST_MARK: Final = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*>$#]|```\w*|(?:execute|run|command)\s*:)\s+", re.IGNORECASE)
SHELL_SIGNS: Final = re.compile(r"&&|[|;<>]|\$\(|\s--?[a-zA-Z]|^[^\s/]*/\S+(\s|$)|^[A-Z_]+=")
OPENS_GROUP: Final = re.compile(r"\s{0,80}(?:\[\[?|[{(!])\s[^\n]{0,2000}(?:;|&&|\|\|)")
PROGRAM: Final = re.compile(r"(?:[A-Za-z_]\w*=\S*|[a-z./~$][\w./~$+-]*)")
CODE_SIGNS: Final = re.compile(
    r"^[ \t]*(?:import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b|(?:const|let|var|def|class|function|async|use)[ \t]+\w"
    r"|#!|<\?php|__import__|exec\(|eval\(|os\.|subprocess\.|shutil\.|require\(|fs\.|process\.)",
    re.MULTILINE,
)
# Programs with the name of an everyday verb: a text that begins with one may be a sentence.
VERBS: Final = frozenset(
    "find make kill cut sort test head cat move copy delete install format watch time service history shutdown"
    " reboot wall mail write at open view transfer release deploy stop start run send pass split join link look"
    " more less patch prune publish rename reset restore task update upgrade train migrate ship which who wipe".split()
)
COMMON: Final = frozenset(
    "ls cat cd pwd echo head tail grep rg find sed awk sort uniq wc cut diff less mkdir touch ps top df du env"
    " which man git npm npx node pnpm yarn pip uv python python3 pytest cargo go make cmake docker kubectl"
    " terraform aws gcloud az curl wget ssh scp tar zip unzip jq psql sqlite3 redis-cli ruff mypy black eslint"
    " tsc brew apt apt-get gh bash sh".split()
)
PATCHED: Final = re.compile(  # a file that a patch changes
    r"^(?:(?:\+\+\+|---) (?:[ab]/)?|\*\*\* (?:Update|Add|Delete|Move) (?:File|to): )([^\n\t]{1,4096})$", re.MULTILINE
)
LANGUAGES: Final = {
    "node": frozenset("javascript js typescript ts node".split()),
    "ruby": frozenset({"ruby"}),
    "perl": frozenset({"perl"}),
    "php": frozenset({"php"}),
}
LANGUAGE_SIGNS: Final = {
    "php": re.compile(r"<\?php"),
    "node": re.compile(r"\b(?:require\(|const |let |var |function |=>|process\.|await )"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    text: str
    tool: str = ""
    arguments: tuple[tuple[str, str], ...] = ()
    paths: tuple[str, ...] = ()
    environment: str = ""  # where it is to happen, as the caller says: production, staging …
    folder: str = ""  # the working folder it runs in
    exact: str = ""  # the arguments exactly as they were given, as JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """An action, taken apart for the rules."""

    readings: frozenset[ActionReading]
    commands: tuple[Command, ...]
    whole: str  # all that is known of the script, for hosts and environments
    unread: bool = False  # some of it was not looked at
    statements: tuple[str, ...] = ()  # besides those that commands hand to a client
    prose: str = ""
    raw: tuple[str, ...] = ()
    tool: str = ""
    paths: tuple[str, ...] = ()


KNOWN_PROGRAMS: Final = (
    COMMON | PROGRAM_TOOLS | SHELLS | sql_statements.CLIENTS | frozenset(PREFIXES) | frozenset(INTERPRETERS)
)


@dataclass(slots=True)
class RunTexts:
    """What an action says, by what would read it; a dict keeps the order and drops what is said twice."""

    shell: dict[str, bool] = field(default_factory=dict[str, bool])  # and whether it is certainly a shell's
    code: dict[str, str] = field(default_factory=dict[str, str])  # and which interpreter's
    sql: dict[str, None] = field(default_factory=dict[str, None])

    def add_shell(self, text: str, *, certain: bool) -> None:
        self.shell[text] = self.shell.get(text, False) or certain


def read(action: Action, places: GatePlaces = NOWHERE) -> Subject:
    tool = snake_case(action.tool.strip())
    readings = readings_of(action, tool)
    leaves = leaves_of(action.arguments, action.exact)
    folder = working_folder(action, leaves)
    texts_run = collect(action, tool, readings, leaves)
    texts, codes = take_within(texts_run.shell, reader.TEXT_MAX), take_within(texts_run.code, CODE_MAX)
    sql = take_within(texts_run.sql, sql_statements.STATEMENTS_MAX)
    scripts = [(text, reader.read(text, folder), texts_run.shell.get(text, True)) for text in texts.kept]
    coded = [reader.read_code(code, texts_run.code.get(code, "python")) for code in codes.kept]
    plain = tuple(c for script in (*(script for _, script, _ in scripts), *coded) for c in script.commands)
    commands = (*plain, *aliased_commands(plain))
    prose = tidy(prose_of(action)) if ActionReading.PROSE in readings else ""
    paths = (*paths_of(action, readings, leaves),)
    touched = (
        *find_touches(commands, places, folder),
        *sql_statements.unread_statements(commands),
        *(
            touch_command(path, tool)
            for path in changed_paths(tool, readings, leaves, paths)
            if touch_of(path, action.folder, places)
        ),
    )
    told = [word for c in commands for word in (*c.variables, c.text)]
    return Subject(
        readings=readings,
        commands=(*commands, *touched),
        whole=" ".join((action.environment, *told)),
        unread=leaves.cut
        or len(tool) > TOOL_MAX
        or texts.cut
        or codes.cut
        or sql.cut
        or any(script.cut or (certain and script.broken) for _, script, certain in scripts)
        or any(script.cut for script in coded)
        or len(prose) > PROSE_MAX
        or any(len(path) > PATH_MAX for path in paths),
        statements=tuple(map(sql_statements.normalize_sql, sql.kept)),
        prose=prose[:PROSE_MAX],
        raw=tuple(without_input(text, script) for text, script, _ in scripts),
        tool=tool[:TOOL_MAX] if ActionReading.TOOL in readings else "",
        paths=tuple(path[:PATH_MAX] for path in paths),
    )


def exact_arguments(arguments: Mapping[str, object]) -> str:
    """The arguments of a call, told in one way however they were ordered."""
    return json.dumps(arguments, sort_keys=True)


@dataclass(frozen=True, slots=True)
class BoundedTexts:
    kept: tuple[str, ...]
    cut: bool


def take_within(texts: Iterable[str], limit: int) -> BoundedTexts:
    """As much of the texts as may be looked at; one a little too long is looked at by its beginning."""
    kept: list[str] = []
    for text in texts:
        kept.append(text[:limit])
        if len(text) > limit:
            return BoundedTexts(tuple(kept), cut=True)
        limit -= len(text)
    return BoundedTexts(tuple(kept), cut=False)


def without_input(text: str, script: Script) -> str:
    """The text without what a command is only fed."""
    fed = {c.stdin.rstrip("\n") for c in script.commands if c.program not in reader.RUNS_ITS_INPUT and c.stdin.strip()}
    for given in fed:
        text = text.replace(given, " ")
    return text


# ---- what is run


def collect(action: Action, tool: str, readings: frozenset[ActionReading], leaves: Leaves) -> RunTexts:
    texts_run = RunTexts()
    # In a shell's text `#` begins a comment, elsewhere it is a prompt.
    comment = bool(tool) and ActionReading.SHELL in readings and action.text.lstrip().startswith("#")
    text = action.text if comment else LIST_MARK.sub("", action.text)
    if not is_repeated(action):
        said = leaves_of((("", text),)) if tool else Leaves(found=[Leaf("", text)])
        leaves.cut = leaves.cut or said.cut
        for leaf in said.found:
            collect_argument(texts_run, leaf, tool, readings)
        for line in said.lines:
            texts_run.add_shell(line, certain=True)
        if (ActionReading.SHELL in readings and said.found == [Leaf("", text)]) or not tool:
            collect_text(texts_run, text, tool, readings)
    for name, value in action.arguments:  # a text that is JSON as well is a shell's all the same
        if name_words(name) & SHELL_ARGUMENTS and value.lstrip().startswith(("{", "[")):
            texts_run.add_shell(value, certain=False)
    for leaf in leaves.found:
        collect_argument(texts_run, leaf, tool, readings)
    for line in leaves.lines:
        texts_run.add_shell(line, certain=True)
    name = re.split(r"__|[.:/]", tool)[-1]
    for tail in leaves.tails:
        texts_run.add_shell(f"{name} {tail}", certain=False)
    for line in command_lines(tool, leaves.found, action.folder):
        texts_run.add_shell(line, certain=False)
    if name in PROGRAM_TOOLS and action.arguments and not leaves.tails and not leaves.lines:
        texts_run.add_shell(program_line(name, leaves), certain=False)
    return texts_run


def is_repeated(action: Action) -> bool:
    """Do the arguments say all that the text says?"""
    values = [value for _, value in action.arguments]
    joined = len(values) > 1 and action.text == " ".join(values)
    return joined or any(
        value == action.text and not name_words(name) & CARRIED_ARGUMENTS for name, value in action.arguments
    )


def collect_text(texts_run: RunTexts, text: str, tool: str, readings: frozenset[ActionReading]) -> None:
    """What is said of an action as a whole; a tool that is a program is told its own words."""
    if ActionReading.SQL in readings:
        texts_run.sql[text] = None
    if ActionReading.SHELL in readings:
        texts_run.add_shell(text, certain=True)
        if tool in PROGRAM_TOOLS and not text.lstrip().startswith(tool):
            texts_run.add_shell(
                f"{tool} -c {shlex.quote(text)}" if tool in INTERPRETERS else f"{tool} {text}", certain=True
            )


def collect_argument(texts_run: RunTexts, leaf: Leaf, tool: str, readings: frozenset[ActionReading]) -> None:
    name, value = name_words(leaf.name), leaf.value
    words = tool_words(tool)
    stored = is_database(tool)  # whoever's server speaks SQL does not search
    name = name | QUERIES if stored and "q" in name else name
    if not value.strip() or (name & CARRIED_ARGUMENTS and not name & QUERIES):
        return
    if is_terminal(tool) and name & TYPED:
        texts_run.add_shell(value, certain=False)
        return
    carrying = is_carrying(tool) and not stored
    if ActionReading.FILE in readings and name & FILE_CONTENT and ActionReading.SHELL not in readings:
        if "notebook" in tool or "cell" in words:
            collect_cells(texts_run, value)
        return
    if name & QUERIES:
        searching = not SEARCHES.isdisjoint(words)
        if not carrying and (not searching or (stored and sql_statements.begins_as_sql(value))):
            collect_statements(texts_run, leaf, name)
        return
    if name & SQL_ARGUMENTS:
        collect_statements(texts_run, leaf, name)
        return
    if name & (SHELL_ARGUMENTS | SCRIPT_ARGUMENTS | CODE_ARGUMENTS):
        collect_named(texts_run, leaf, name, readings)
    elif not carrying:
        collect_nameless(texts_run, value, readings)


def collect_named(texts_run: RunTexts, leaf: Leaf, name: frozenset[str], readings: frozenset[ActionReading]) -> None:
    """An argument whose name says that it is run."""
    value = leaf.value
    certain = bool(name & SHELL_ARGUMENTS) or ActionReading.SHELL in readings
    coded = CODE_SIGNS.search(value) is not None
    if certain or (name & SCRIPT_ARGUMENTS and not coded):
        for text in (value, *(list_members(value) if name & LISTS or value[:1] in ("'", '"') else ())):
            texts_run.add_shell(text, certain=certain)
    elif lines := [line for line in value.splitlines() if begins_as_command(line)]:
        texts_run.add_shell("\n".join(lines), certain=False)  # what is called code may be a shell's
    if name & (CODE_ARGUMENTS | SCRIPT_ARGUMENTS):
        collect_cells(texts_run, value)
    if coded or name & CODE_ARGUMENTS:
        texts_run.code[value] = language(name, value)
    if ActionReading.SQL in readings or sql_statements.begins_as_sql(value):
        texts_run.sql[value] = None


def collect_cells(texts_run: RunTexts, value: str) -> None:
    """What a notebook's cell hands to a shell or to a database."""
    for part in cell_parts(value, KNOWN_PROGRAMS):
        if part.kind is CellKind.SHELL:
            texts_run.add_shell(part.text, certain=False)
        else:
            texts_run.sql[part.text] = None


def collect_nameless(texts_run: RunTexts, value: str, readings: frozenset[ActionReading]) -> None:
    """An argument whose name says nothing: it is what it looks like; what a shell or a database is given is theirs."""
    if ActionReading.SHELL in readings:
        texts_run.add_shell(value, certain=True)
    elif ActionReading.SQL not in readings and begins_as_command(value):
        texts_run.add_shell(value, certain=False)
    if ActionReading.SQL in readings or sql_statements.begins_as_sql(value):
        texts_run.sql[value] = None
    if CODE_SIGNS.search(value):
        texts_run.code[value] = language(frozenset(), value)


def collect_statements(texts_run: RunTexts, leaf: Leaf, name: frozenset[str]) -> None:
    for text in (leaf.value, *(list_members(leaf.value) if name & LISTS or leaf.value[:1] in ("'", '"') else ())):
        texts_run.sql[text] = None


def list_members(value: str) -> Iterator[str]:
    """The members of a list that was written as one command."""
    return (word for word in reader.split_words(value) if any(blank in word for blank in " \t\n"))


def program_line(name: str, leaves: Leaves) -> str:
    """A program that is a tool, with its arguments as words: what is true is a flag."""
    told = (f"--{leaf.name}" if leaf.value == "true" else leaf.value for leaf in leaves.found)
    return " ".join((name, *(word for word in told if len(word) <= reader.COMMAND_MAX)))


def begins_as_command(value: str) -> bool:
    """Does a text begin as a shell's does: with a program that is known, or with any in a line full of signs?"""
    if OPENS_GROUP.match(value):
        return True
    first = value.split(maxsplit=1)
    if not first or not PROGRAM.fullmatch(first[0]):
        return False
    program = reader.program_of(first[0])
    signs = SHELL_SIGNS.search(value) is not None
    if program in KNOWN_PROGRAMS:
        return signs or (program not in VERBS and len(first) > 1)
    return signs and "\n" not in value.strip() and not CODE_SIGNS.search(value)


def language(name: frozenset[str], value: str) -> str:
    for language, words in LANGUAGES.items():
        if name & words:
            return language
    return next((language for language, sign in LANGUAGE_SIGNS.items() if sign.search(value)), "python")


# ---- what a name says


def readings_of(action: Action, tool: str) -> frozenset[ActionReading]:
    if tool:
        return readings_of_tool(tool)
    if sql_statements.begins_as_sql(action.text):
        return frozenset({ActionReading.SQL, ActionReading.PROSE})
    first = action.text.split(maxsplit=1)
    program = reader.program_of(first[0]) if first else ""
    signs = SHELL_SIGNS.search(action.text) is not None
    if program in VERBS and not signs:
        return frozenset({ActionReading.PROSE, ActionReading.SHELL})
    if program in COMMON or (signs and not re.match(r"[A-Z][a-z]+\s", action.text)):
        return frozenset({ActionReading.SHELL})
    return frozenset({ActionReading.PROSE, ActionReading.SHELL})


def working_folder(action: Action, leaves: Leaves) -> str:
    """The folder that commands run in: the one a tool is told, from where the agent is."""
    named = (
        leaf.value for leaf in leaves.found if snake_case(leaf.name) in FOLDER_ARGUMENTS and len(leaf.value) <= PATH_MAX
    )
    return normpath(join(action.folder, told)) if (told := next(named, "")) else action.folder


def prose_of(action: Action) -> str:
    return "\n".join(dict.fromkeys((action.text, *(value for _, value in action.arguments))))


def tidy(text: str) -> str:
    """One blank where there are many, no empty lines: patterns stay fast, and no blanks hide a word."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def paths_of(action: Action, readings: frozenset[ActionReading], leaves: Leaves) -> Iterator[str]:
    """The files that are changed, without the detours in their names."""
    if not readings & {ActionReading.FILE, ActionReading.TOOL}:
        return
    named = (leaf.value for leaf in leaves.found if PATH_ARGUMENTS.search(leaf.name) and "\n" not in leaf.value)
    patched = (found[1] for leaf in leaves.found for found in PATCHED.finditer(leaf.value))
    for path in (*action.paths, *named, *patched, *((action.text.strip(),) if ActionReading.FILE in readings else ())):
        yield path
        straight = normpath(join(action.folder, path.replace("\\", "/").removeprefix("file://")))
        if straight != path:
            yield straight


def changed_paths(
    tool: str, readings: frozenset[ActionReading], leaves: Leaves, paths: tuple[str, ...]
) -> Iterator[str]:
    """Whatever in a tool's arguments may name a file that it changes: keys of objects as well as values."""
    yield from paths
    opened = any(
        name_words(leaf.name) & {"mode", "flags", "flag"} and OPENED_TO_WRITE.fullmatch(leaf.value)
        for leaf in leaves.found
    )
    if ActionReading.SHELL in readings or not (opened or readings & {ActionReading.FILE, ActionReading.TOOL}):
        return
    yield from leaves.keys
    for leaf in leaves.found:
        name = name_words(leaf.name)
        if (
            name & {"name", "path", "file"} or not name & (CARRIED_ARGUMENTS | FILE_CONTENT)
        ) and "\n" not in leaf.value:
            yield leaf.value
