"""What an action is: a shell's text, SQL, a file that is written, a call of some tool, or plain words.

Words that a command only carries along (a commit's message, what grep looks for) are not taken for what it does.
"""

import re
import shlex
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cruxfinder.dialectic import shell, statements
from cruxfinder.dialectic.shell import Command, Script
from cruxfinder.dialectic.wrappers import INTERPRETERS

ACTION_MAX: Final = 1_500  # characters of an action that are debated and written down
PROSE_MAX: Final = 4_000  # characters that are looked at

SHELL_TOOLS: Final = frozenset(
    "bash shell sh zsh terminal console exec execute command cmd powershell pwsh run subprocess script".split()
)
SQL_TOOLS: Final = frozenset(
    "sql query psql mysql postgres sqlite mariadb bigquery snowflake clickhouse statement".split()
)
WRITE_TOOLS: Final = frozenset(
    "write edit multiedit create replace patch notebook notebookedit save insert append".split()
)
READ_TOOLS: Final = frozenset(
    "read view grep glob ls list search find fetch get describe show status lookup webfetch websearch todowrite"
    " todoread todo task think plan tail head cat count check explain inspect preview browse open stat exists"
    " watch".split()
)
SCRIPT_ARGUMENTS: Final = frozenset("command cmd script commands bash shell".split())
SQL_ARGUMENTS: Final = frozenset("query sql statement".split())
PROGRAM_TOOLS: Final = frozenset(
    "git kubectl terraform docker ssh python python3 node ruby perl php aws gcloud az helm npm psql mysql rm"
    " make ansible pulumi systemctl".split()
)
LIST_MARK: Final = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*>$#]|```\w*|(?:execute|run|command)\s*:)\s+", re.IGNORECASE)
ENDS: Final = frozenset(
    "delete drop destroy purge wipe truncate erase terminate remove".split()
)  # no reading does that
SHELL_SIGNS: Final = re.compile(r"&&|\|\||[|;<>]|\$\(|\s--?[a-zA-Z]|^\S*/\S+(\s|$)|^[A-Z_]+=")
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


class Reading(StrEnum):
    """What an action was read as."""

    SHELL = "shell"
    SQL = "sql"
    FILE = "file"
    TOOL = "tool"
    PROSE = "prose"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    text: str
    tool: str = ""
    arguments: tuple[tuple[str, str], ...] = ()
    paths: tuple[str, ...] = ()
    environment: str = ""  # where it is to happen, as the caller says: production, staging …


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """An action, taken apart for the rules."""

    readings: frozenset[Reading]
    script: Script
    commands: tuple[Command, ...]
    whole: str  # all that is known of the script, for hosts and environments
    statements: tuple[str, ...] = ()
    prose: str = ""
    raw: str = ""
    tool: str = ""
    paths: tuple[str, ...] = ()


NOTHING: Final = Script(commands=(), whole=True)


def read(action: Action) -> Subject:
    tool = snake(action.tool.strip())
    readings = readings_of(action, tool)
    text = script_of(action) if Reading.SHELL in readings else ""
    script = shell.read(text) if text else NOTHING
    said = list(statements.given_to_clients(script.commands))
    if Reading.SQL in readings:
        said.append(statements.plain(statement_of(action)))
    paths: tuple[str, ...] = ()
    if readings & {Reading.FILE, Reading.TOOL}:
        named = (value for name, value in action.arguments if re.search(r"path|file", name, re.IGNORECASE))
        paths = (*action.paths, *named, *((action.text.strip(),) if Reading.FILE in readings else ()))
    told = [word for c in script.commands for word in (*c.variables, c.text)]
    return Subject(
        readings=readings,
        script=script,
        commands=script.commands,
        whole=" ".join((action.environment, *told)),
        statements=tuple(said),
        prose=prose_of(action)[:PROSE_MAX] if Reading.PROSE in readings else "",
        raw=without_input(text, script),
        tool=tool if Reading.TOOL in readings else "",
        paths=paths,
    )


def for_shell(action: Action) -> bool:
    """Is it a shell's text, which says all there is to it?"""
    return Reading.SHELL in readings_of(action, snake(action.tool.strip()))


def snake(name: str) -> str:
    """`deleteAllRecords` as `delete_all_records`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def without_input(text: str, script: Script) -> str:
    """The text without what a command is only fed."""
    for command in script.commands:
        if command.stdin.strip() and command.program not in shell.RUNS_ITS_INPUT:
            text = text.replace(command.stdin.rstrip("\n"), " ")
    return text


def readings_of(action: Action, tool: str) -> frozenset[Reading]:
    if tool:
        found = readings_of_tool(tool)
        named = {name.lower() for name, _ in action.arguments} if found else set[str]()
        more = {Reading.SHELL} if named & SCRIPT_ARGUMENTS else set[Reading]()
        return found | more | ({Reading.SQL} if named & SQL_ARGUMENTS else set[Reading]())
    if statements.begins(action.text):
        return frozenset({Reading.SQL, Reading.PROSE})
    first = action.text.split(maxsplit=1)
    program = shell.program_of(first[0]) if first else ""
    signs = SHELL_SIGNS.search(action.text) is not None
    if program in VERBS and not signs:
        return frozenset({Reading.PROSE, Reading.SHELL})
    if program in COMMON or (signs and not re.match(r"[A-Z][a-z]+\s", action.text)):
        return frozenset({Reading.SHELL})
    return frozenset({Reading.PROSE, Reading.SHELL})


def readings_of_tool(tool: str) -> frozenset[Reading]:
    """What a tool's name says it does, word by word; `mcp__server__tool` is the tool, whatever the server is called."""
    words = [word for word in re.split(r"[^a-z0-9]+", tool.rpartition("__")[2]) if word]
    if len(words) == 1 and words[0] in PROGRAM_TOOLS:
        return frozenset({Reading.SHELL, Reading.PROSE})
    if len(words) == 1 and words[0] in WRITE_TOOLS:
        return frozenset({Reading.FILE})
    if not READ_TOOLS.isdisjoint(words[:2]) and SQL_TOOLS.isdisjoint(words) and ENDS.isdisjoint(words):
        return frozenset()
    found = {Reading.TOOL}
    if not SHELL_TOOLS.isdisjoint(words):
        found.add(Reading.SHELL)
    if not SQL_TOOLS.isdisjoint(words):
        found.add(Reading.SQL)
    if "file" in words and not WRITE_TOOLS.isdisjoint(words):
        found.add(Reading.FILE)
    return frozenset(found if len(found) > 1 else {Reading.TOOL, Reading.PROSE})


def prose_of(action: Action) -> str:
    return "\n".join(dict.fromkeys((action.text, *(value for _, value in action.arguments))))


def script_of(action: Action) -> str:
    """What a shell would be told; a tool that is a program is told its own words."""
    given = [value for name, value in action.arguments if name.lower() in SCRIPT_ARGUMENTS]
    text = LIST_MARK.sub("", action.text)
    tool = action.tool.strip().lower()
    if tool in PROGRAM_TOOLS and not text.lstrip().startswith(tool):
        code = tool in INTERPRETERS
        given = [f"{tool} -c {shlex.quote(one)}" if code else f"{tool} {one}" for one in (text, *given)]
    return "\n".join(dict.fromkeys((text, *given)))


def statement_of(action: Action) -> str:
    given = [value for name, value in action.arguments if name.lower() in SQL_ARGUMENTS]
    return ";\n".join(dict.fromkeys((action.text, *given)))
