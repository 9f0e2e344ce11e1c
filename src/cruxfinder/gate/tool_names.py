"""What a tool's name says of it: a shell, a database, a terminal, one that writes files or one that only looks."""

import re
from enum import StrEnum
from typing import Final

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
# Tools of agents that carry what they are given and run none of it; a server's tool of the same name may do anything.
CARRYING_TOOLS: Final = frozenset(
    "read grep glob ls websearch webfetch todowrite todoread task agent think sequentialthinking plan exitplanmode"
    " notebookread askuserquestion rg ripgrep".split()
)
SEARCHES: Final = frozenset("search grep find lookup websearch glob rg ripgrep autocomplete suggest".split())
DATABASES: Final = frozenset(
    "db dbs database databases sql warehouse pg pgsql postgresql mssql sqlserver oracle redshift duckdb cockroach"
    " cockroachdb mongo mongodb supabase neon planetscale turso libsql cassandra redis neo4j tidb".split()
)
TERMINALS: Final = frozenset("terminal term pty tty shell console tmux xterm repl".split())
PROGRAM_TOOLS: Final = frozenset(
    "git kubectl terraform docker ssh python python3 node ruby perl php aws gcloud az helm npm psql mysql rm"
    " make ansible pulumi systemctl rmdir dd shred chmod chown mv cp tee curl wget scp rsync find xargs sudo kill"
    " pkill killall crontab tofu oc gsutil bq heroku dropdb redis-cli mongosh sqlite3 mkfs wipefs truncate pip uv"
    " pipx gh userdel reboot shutdown".split()
)
ENDS: Final = frozenset(
    "delete drop destroy purge wipe truncate erase terminate remove".split()
)  # no reading does that
_PARTS: Final = re.compile(r"[^a-z0-9]+")


class ActionReading(StrEnum):
    """What an action was read as."""

    SHELL = "shell"
    SQL = "sql"
    FILE = "file"
    TOOL = "tool"
    PROSE = "prose"


def readings_of_tool(tool: str) -> frozenset[ActionReading]:
    """What a tool's name says it does, word by word."""
    words = tool_words(tool)
    if len(words) == 1 and words[0] in PROGRAM_TOOLS:
        return frozenset({ActionReading.SHELL, ActionReading.PROSE})
    if "".join(words) in CARRYING_TOOLS:
        return frozenset()
    if "".join(words) in WRITE_TOOLS:
        return frozenset({ActionReading.FILE})
    if not READ_TOOLS.isdisjoint(words[:2]) and (SQL_TOOLS | ENDS).isdisjoint(words):
        acts = {ActionReading.TOOL, ActionReading.SHELL} if not SHELL_TOOLS.isdisjoint(words) else set[ActionReading]()
        return frozenset(acts if WRITE_TOOLS.isdisjoint(words) else {*acts, ActionReading.FILE})
    found = {ActionReading.TOOL}
    if not SHELL_TOOLS.isdisjoint(words):
        found.add(ActionReading.SHELL)
    if not SQL_TOOLS.isdisjoint(words):
        found.add(ActionReading.SQL)
    if "file" in words and not WRITE_TOOLS.isdisjoint(words):
        found.add(ActionReading.FILE)
    return frozenset(found if len(found) > 1 else {ActionReading.TOOL, ActionReading.PROSE})


def tool_words(tool: str) -> tuple[str, ...]:
    """The words of a tool's own name: `mcp__server__tool` is the tool, whatever the server is called."""
    return tuple(word for word in _PARTS.split(tool.rpartition("__")[2]) if word)


def server_words(tool: str) -> tuple[str, ...]:
    return tuple(word for word in _PARTS.split(tool.rpartition("__")[0]) if word)


def is_database(tool: str) -> bool:
    return not (DATABASES | SQL_TOOLS).isdisjoint(_PARTS.split(tool))


def is_terminal(tool: str) -> bool:
    """Is what a tool is given typed into a shell?"""
    own = tool_words(tool)
    return not TERMINALS.isdisjoint(own) or not (TERMINALS.isdisjoint(server_words(tool)) or {"file", "files"} & {*own})


def is_carrying(tool: str) -> bool:
    """An agent's own tool that runs nothing, or a server's that only looks for what it is given."""
    name = "".join(tool_words(tool))
    return name in (CARRYING_TOOLS if "__" not in tool else CARRYING_TOOLS & SEARCHES)
