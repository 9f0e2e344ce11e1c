"""Which actions call for a debate, and why (DIA-8): rules over commands, statements, code, words, tools and paths.

An action is read as what it is: a shell's text, SQL, a file that is written, a call of some tool, or plain words. Words
that a command only carries along (a commit's message, what grep looks for) are not taken for what it does.
"""

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from cruxfinder.dialectic import shell
from cruxfinder.dialectic.forms import Stakes
from cruxfinder.dialectic.rule_set import Bypass, Patterns, Rule, RuleSet, ShellMatch
from cruxfinder.dialectic.shell import Command, Script
from cruxfinder.dialectic.wrappers import INTERPRETERS

ROUTER: Final = "DIA-8"
DISABLED: Final = "DISABLE_DEBATE"
UNREAD: Final = "unreadable"
ACTION_MAX: Final = 1_500  # characters of an action that are debated and written down
CODE_MAX: Final = 20_000
STATEMENT_MAX: Final = 6_000
PROSE_MAX: Final = 4_000  # characters that are looked at
SHOWN_MAX: Final = 200
RANK: Final = {Stakes.LOW: 0, Stakes.MEDIUM: 1, Stakes.HIGH: 2}

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
    " todoread"
    " todo task think plan tail head cat count check explain inspect preview browse open stat exists watch".split()
)
SCRIPT_ARGUMENTS: Final = frozenset("command cmd script commands bash shell".split())
SQL_ARGUMENTS: Final = frozenset("query sql statement".split())
PROGRAM_TOOLS: Final = frozenset(
    "git kubectl terraform docker ssh python python3 node ruby perl php aws gcloud az helm npm psql mysql rm make"
    " ansible"
    " pulumi systemctl".split()
)
LIST_MARK: Final = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*>$#]|```\w*|(?:execute|run|command)\s*:)\s+", re.IGNORECASE)
ENDS: Final = frozenset(
    "delete drop destroy purge wipe truncate erase terminate remove".split()
)  # no reading does that
SQL_CLIENTS: Final = frozenset(
    "psql mysql mariadb sqlite3 sqlite sqlcmd cockroach clickhouse-client clickhouse duckdb bq snowsql mongosh mongo"
    " cqlsh"
    " redis-cli valkey-cli usql pgcli mycli litecli osql isql sqlplus trino presto spark-sql hive beeline".split()
)
SQL_START: Final = re.compile(
    r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(select\b.+\bfrom\b|with\s+\w+\s+as\s*\(|insert\s+into\b|update\s+\S+\s+set\b"
    r"|delete\s+from\b"
    r"|(create|drop|alter|truncate|rename)\s+(or\s+replace\s+)?(table|database|schema|index|view|user|role|column|\w+;)"
    r"|grant\s+.+\bto\b|revoke\s+.+\bfrom\b|explain\b|begin\b|pragma\b|dropDatabase|db\.|use\s+\w+\s*;"
    r"|set\s+\S+\s*=[^;]*;|show\s+tables|declare\s+@|lock\s+tables|copy\s+\w+|call\s+\w+"
    r"|flush(all|db)\b|keys\s+\*|match\s*\(|merge\s+into|drop\s+\w+|truncate\s+\w+\s*;?\s*$)",
    re.IGNORECASE | re.DOTALL,
)
SQL_COMMENT_OR_TEXT: Final = re.compile(
    r"/\*(?!!).*?\*/|--(?=\s|$)[^\n]*|'(?:[^']|'')*'|\$\$.*?\$\$|\"[^\"\n]*\"", re.DOTALL
)
SQL_EXECUTED: Final = re.compile(r"/\*!\d*|\*/")
TEXT_SHOWN: Final = 40
SQL_JOINED: Final = re.compile(r"'\s*\|\|\s*'")
LONG_FLAG: Final = re.compile(r"^--?[a-z-]+=|^-[ceq](?=[A-Za-z]{4,}\s)")
SQL_VERB: Final = re.compile(r"\s|where|drop|truncate|delete|update|alter|grant|revoke|shutdown", re.IGNORECASE)
SQL_RUNS_TEXT: Final = re.compile(r"\b(execute|exec|prepare|do)\b", re.IGNORECASE)
SHELL_SIGNS: Final = re.compile(r"&&|\|\||[|;<>]|\$\(|\s--?[a-zA-Z]|^\S*/\S+(\s|$)|^[A-Z_]+=")
# Programs with the name of an everyday verb: a text that begins with one may be a sentence.
VERBS: Final = frozenset(
    "find make kill cut sort test head cat move copy delete install format watch time service history shutdown reboot"
    " wall mail write at open view transfer release deploy stop start run send pass split join link look more less"
    " patch"
    " prune publish rename reset restore task update upgrade train migrate ship which who wipe".split()
)
COMMON: Final = frozenset(
    "ls cat cd pwd echo head tail grep rg find sed awk sort uniq wc cut diff less mkdir touch ps top df du env which"
    " man"
    " git npm npx node pnpm yarn pip uv python python3 pytest cargo go make cmake docker kubectl terraform aws gcloud"
    " az"
    " curl wget ssh scp tar zip unzip jq psql sqlite3 redis-cli ruff mypy black eslint tsc brew apt apt-get gh bash"
    " sh".split()
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
class Fired:
    """A rule, and what in the action it fired at."""

    rule: Rule
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    stakes: Stakes
    fired: tuple[Fired, ...]  # the one that decides first
    debate: bool
    why: str
    bypass: str = ""

    @property
    def rule(self) -> str:
        """The id of what decided; empty where nothing fired."""
        return self.fired[0].rule.id if self.fired else self.bypass


def route(action: Action, rules: RuleSet, *, disabled: bool = False) -> Routing:
    subject = read(action)
    live = [rule for rule in rules.rules if rule.id not in rules.off]
    passes = [bypass for bypass in rules.bypasses if bypass.id not in rules.off]
    kept, bypass = remaining(subject, passes)
    fired = [Fired(rule=rule, at=at) for rule in live if (at := found(rule.patterns, kept)) is not None]
    fired.sort(key=lambda one: -RANK[one.rule.stakes])
    stakes = fired[0].rule.stakes if fired else Stakes.LOW
    if not subject.script.whole and not fired:
        return Routing(
            stakes=Stakes.MEDIUM,
            fired=(),
            debate=not disabled,
            why="it is too long or too deep to be read to its end",
            bypass=UNREAD,
        )
    debate = RANK[stakes] > RANK[Stakes.LOW]
    if disabled and debate:
        return Routing(stakes=stakes, fired=tuple(fired), debate=False, why=f"{DISABLED} is set")
    return Routing(
        stakes=stakes,
        fired=tuple(fired),
        debate=debate,
        why=fired[0].rule.says if fired else bypass.says if bypass else "no rule fired",
        bypass="" if fired or bypass is None else bypass.id,
    )


# ---- what an action is


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
    statements = list(statements_of(script.commands))
    if Reading.SQL in readings:
        statements.append(plain_sql(statement_of(action)))
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
        statements=tuple(statements),
        prose=prose_of(action)[:PROSE_MAX] if Reading.PROSE in readings else "",
        raw=without_input(text, script),
        tool=tool if Reading.TOOL in readings else "",
        paths=paths,
    )


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
    if SQL_START.match(action.text):
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


def statements_of(commands: Iterable[Command]) -> Iterator[str]:
    """What clients of databases are given to run."""
    for command in commands:
        if command.program in SQL_CLIENTS:
            yield from (plain_sql(LONG_FLAG.sub("", text)) for text in (*command.words, command.stdin) if text)


def plain_sql(text: str) -> str:
    """On one line, without comments, and without what it only compares with or stores."""
    text = SQL_JOINED.sub("", text)
    runs_text = SQL_RUNS_TEXT.search(text) is not None

    def kept(found: re.Match[str]) -> str:
        if found.group().startswith('"') or (found.group().startswith("$$") and runs_text):
            return found.group()
        if not found.group().startswith(("'", "$$")):
            return " "
        carried = len(found.group()) > TEXT_SHOWN or SQL_VERB.search(found.group())
        return "'…'" if carried and not runs_text else found.group()

    return re.sub(r"\s+", " ", SQL_EXECUTED.sub(" ", SQL_COMMENT_OR_TEXT.sub(kept, text))).strip()


# ---- which rules fire


def remaining(subject: Subject, passes: list[Bypass]) -> tuple[Subject, Bypass | None]:
    """The subject without the commands that a bypass lets through, and the first bypass that did."""
    used: Bypass | None = None
    kept: list[Command] = []
    for command in subject.commands:
        bypass = next((b for b in passes if any(matches(m, command, subject.whole) for m in b.patterns.shell)), None)
        used = used or bypass
        if bypass is None:
            kept.append(command)
    if used is None:
        return subject, None
    return Subject(
        readings=subject.readings,
        script=subject.script,
        commands=tuple(kept),
        whole=subject.whole,
        statements=tuple(statements_of(kept)) if Reading.SQL not in subject.readings else subject.statements,
        prose=subject.prose,
        raw=subject.raw,
        tool=subject.tool,
        paths=subject.paths,
    ), used


def found(patterns: Patterns, subject: Subject) -> str | None:
    """What in the subject the patterns are found in, shortened; None if they are not."""
    for text in places(patterns, subject):
        return text if len(text) <= SHOWN_MAX else f"{text[: SHOWN_MAX - 1]}…"
    return None


def places(patterns: Patterns, subject: Subject) -> Iterator[str]:
    for command in subject.commands:
        if any(matches(match, command, subject.whole) for match in patterns.shell):
            yield command.text.replace(shell.GAP, " ")
        if command.stdin and any_in(patterns.stdin, command.stdin):
            yield command.text.replace(shell.GAP, " ")
        if patterns.code and command.code and any_in(patterns.code, command.code[:CODE_MAX]):
            yield command.code
        yield from (target for target in command.writes if any_in(patterns.writes, target))
    for statement in subject.statements if patterns.sql else ():
        yield from (part for part in parted(statement) if any_in(patterns.sql, part))
    if patterns.raw and subject.raw and any_in(patterns.raw, subject.raw[:CODE_MAX]):
        yield subject.raw
    if subject.prose and any_in(patterns.prose, subject.prose):
        yield subject.prose
    if subject.tool and any_in(patterns.tools, subject.tool):
        yield subject.tool
    yield from (path for path in subject.paths if any_in(patterns.paths, path))


def parted(statement: str) -> Iterator[str]:
    """A text of SQL as its statements, each with its end; one that is too long is looked at by its beginning."""
    for part in statement.split(";"):
        yield f"{part[:STATEMENT_MAX].strip()};"


def matches(match: ShellMatch, command: Command, whole: str) -> bool:
    if match.programs and command.program not in match.programs:
        return False
    if match.through and match.through.isdisjoint(command.through):
        return False
    if match.fed_by and (match.fed_by.isdisjoint(command.fed_by) or command.stdin):
        return False
    text = command.text[: shell.COMMAND_MAX]
    return (
        all(exact(one).search(text) for one in match.match)
        and not any(exact(one).search(text) for one in match.unless)
        and not spared(match.spares, command)
        and (not match.where or pattern(match.where).search(whole) is not None)
    )


def any_in(patterns: Iterable[str], text: str) -> bool:
    return any(pattern(one).search(text) for one in patterns)


def spared(patterns: tuple[str, ...], command: Command) -> bool:
    ended = command.words.index("--") if "--" in command.words else len(command.words)
    given = [word for place, word in enumerate(command.words) if not word.startswith("-") or place > ended]
    operands = [part for word in given for part in word.split()]  # a variable of a loop stands for all it takes
    return bool(patterns and operands) and all(any(exact(p).fullmatch(word) for p in patterns) for word in operands)


@cache
def exact(text: str) -> re.Pattern[str]:
    """For commands, where -d and -D are two things."""
    return re.compile(text)


@cache
def pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE | re.MULTILINE | re.DOTALL)
