"""SQL as the rules see it: one line a statement, without comments and without texts it only carries."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from cruxfinder.dialectic.shell import Command

CLIENTS: Final = frozenset(
    "psql mysql mariadb sqlite3 sqlite sqlcmd cockroach clickhouse-client clickhouse duckdb bq snowsql mongosh"
    " mongo cqlsh redis-cli valkey-cli usql pgcli mycli litecli osql isql sqlplus trino presto spark-sql hive"
    " beeline".split()
)
START: Final = re.compile(
    r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(select\b.+\bfrom\b|with\s+\w+\s+as\s*\(|insert\s+into\b|update\s+\S+\s+set\b"
    r"|delete\s+from\b"
    r"|(create|drop|alter|truncate|rename)\s+(or\s+replace\s+)?(table|database|schema|index|view|user|role|column|\w+;)"
    r"|grant\s+.+\bto\b|revoke\s+.+\bfrom\b|explain\b|begin\b|pragma\b|dropDatabase|db\.|use\s+\w+\s*;"
    r"|set\s+\S+\s*=[^;]*;|show\s+tables|declare\s+@|lock\s+tables|copy\s+\w+|call\s+\w+"
    r"|flush(all|db)\b|keys\s+\*|match\s*\(|merge\s+into|drop\s+\w+|truncate\s+\w+\s*;?\s*$)",
    re.IGNORECASE | re.DOTALL,
)
COMMENT_OR_TEXT: Final = re.compile(
    r"/\*(?!!).*?\*/|--(?=\s|$)[^\n]*|'(?:[^']|'')*'|\$\$.*?\$\$|\"[^\"\n]*\"", re.DOTALL
)
EXECUTED: Final = re.compile(r"/\*!\d*|\*/")
TEXT_SHOWN: Final = 40
JOINED: Final = re.compile(r"'\s*\|\|\s*'")
LONG_FLAG: Final = re.compile(r"^--?[a-z-]+=|^-[ceq](?=[A-Za-z]{4,}\s)")
VERB: Final = re.compile(r"\s|where|drop|truncate|delete|update|alter|grant|revoke|shutdown", re.IGNORECASE)
RUNS_TEXT: Final = re.compile(r"\b(execute|exec|prepare|do)\b", re.IGNORECASE)
STATEMENT_MAX: Final = 6_000


def begins(text: str) -> bool:
    """Does a text begin as SQL does?"""
    return START.match(text) is not None


def given_to_clients(commands: Iterable[Command]) -> Iterator[str]:
    """What clients of databases are given to run."""
    for command in commands:
        if command.program in CLIENTS:
            yield from (plain(LONG_FLAG.sub("", text)) for text in (*command.words, command.stdin) if text)


def plain(text: str) -> str:
    """On one line, without comments, and without what it only compares with or stores."""
    text = JOINED.sub("", text)
    runs_text = RUNS_TEXT.search(text) is not None

    def kept(found: re.Match[str]) -> str:
        if found.group().startswith('"') or (found.group().startswith("$$") and runs_text):
            return found.group()
        if not found.group().startswith(("'", "$$")):
            return " "
        carried = len(found.group()) > TEXT_SHOWN or VERB.search(found.group())
        return "'…'" if carried and not runs_text else found.group()

    return re.sub(r"\s+", " ", EXECUTED.sub(" ", COMMENT_OR_TEXT.sub(kept, text))).strip()


def parted(statement: str) -> Iterator[str]:
    """A text of SQL as its statements, each with its end; one that is too long is looked at by its beginning."""
    for part in statement.split(";"):
        yield f"{part[:STATEMENT_MAX].strip()};"
