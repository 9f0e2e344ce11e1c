"""SQL as the rules see it: one line a statement, without comments and without texts it only carries."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from cruxfinder.gate.shell.reader import Command

CLIENTS: Final = frozenset(
    "psql mysql mariadb sqlite3 sqlite sqlcmd cockroach clickhouse-client clickhouse duckdb bq snowsql mongosh"
    " mongo cqlsh redis-cli valkey-cli usql pgcli mycli litecli osql isql sqlplus trino presto spark-sql hive"
    " beeline mysqlsh ysqlsh db2 turso wrangler supabase sqlite-utils vsql nzsql impala-shell ksql crash"
    " influx dolt surreal edgedb mclient hdbsql bteq".split()
)
UNREAD_STATEMENTS: Final = "unread-statements"
READS_INPUT: Final = frozenset(
    "psql mysql mariadb sqlite3 sqlite sqlcmd clickhouse-client duckdb mongosh mongo cqlsh redis-cli valkey-cli usql"
    " pgcli mycli sqlplus ysqlsh vsql nzsql isql mclient".split()
)
TAKES_STATEMENT: Final = frozenset("sqlite3 sqlite duckdb".split())  # as its second word
SHOWS_FILES: Final = frozenset(  # what is in a file is not read, whoever shows it
    "cat bat zcat gzcat gunzip gzip bzcat bunzip2 xzcat unxz xz zstdcat zstd pv head tail pg_restore".split()
)
TOLD_BY_FLAG: Final = re.compile(
    r"-[A-Za-z0-9]*[ceQ]$|-[cefQ].|-[A-Za-z]*[fi]$|--(?:command|execute|eval|query|file|queries-file)(?:=|$)|--pipe$"
)
STATEMENTS_MAX: Final = 400_000  # characters that are looked at
BEGINNING_MAX: Final = 20_000  # characters that tell whether a text is SQL
START: Final = re.compile(
    r"(select\b.+\bfrom\b|with\s+\w+\s+as\s*\(|insert\s+into\b|update\s+\S+\s+set\b"
    r"|delete\s+from\b"
    r"|(create|drop|alter|truncate|rename)\s+(or\s+replace\s+)?(table|database|schema|index|view|user|role|column|\w+;)"
    r"|grant\s.+\bto\b|revoke\s.+\bfrom\b|explain\b|begin\b|pragma\b|dropDatabase|db\.|use\s+\w+\s*;"
    r"|set\s+[^\s=]+\s*=[^;]*;|show\s+tables|declare\s+@|lock\s+tables|copy\s+\w+|call\s+\w+"
    r"|flush(all|db)\b|keys\s+\*|match\s*\(|merge\s+into|drop\s+\w+|truncate\s+\w+\s*(;\s*)?$)",
    re.IGNORECASE | re.DOTALL,
)
BLANKS: Final = re.compile(r"\s*")
COMMENT_SIGN: Final = re.compile(r"/\*|\*/")
EXECUTED: Final = re.compile(r"/\*M?!\d*|\*/")
TAG: Final = re.compile(r"(?=(\$(?:[A-Za-z_]\w{0,62})?\$))")
TEXT_SHOWN: Final = 40
NESTED_MAX: Final = 3  # texts run by texts
JOINED: Final = re.compile(r"'\s*(?:\|\||\+)\s*'")
LONG_FLAG: Final = re.compile(
    r"^--?[A-Za-z-]+=|^-[A-Za-z0-9]{0,8}?[ceqQ](?=[^\w=]|(?:drop|truncate|delete|update|alter|do|with|select|begin|create"
    r"|insert|grant|revoke|exec|execute|declare|set|use|explain|prepare|call|merge|if|replace|rename|shutdown|reassign)\b)"
    r"|^-[ceq](?=[A-Za-z]{4,}\s)",
    re.IGNORECASE,
)
VERB: Final = re.compile(r"\s|where|drop|truncate|delete|update|alter|grant|revoke|shutdown", re.IGNORECASE)
RUNS_TEXT: Final = re.compile(
    r"\b(execute|exec|prepare|do(?!\s+(nothing|update)\b)|function|procedure|dblink\w*|cron\.\w+|sp_\w+|query_to_xml)\b"
    r"|\\(set|gexec)\b",
    re.IGNORECASE,
)
JS_MEMBER: Final = re.compile(r"\[\s{0,9}[\"'](\w{1,40})[\"']\s{0,9}\]")
JS_KEY: Final = re.compile(r"[\"'](\w{1,40})[\"']\s{0,9}:")
ENDS: Final = {
    "'": re.compile(r"(?:[^']|'')*+'"),
    "\\'": re.compile(r"(?:[^'\\]|\\.|'')*+'", re.DOTALL),
    '"': re.compile(r"(?:[^\"\n]|\"\")*+\""),
    '\\"': re.compile(r"(?:[^\"\\]|\\.|\"\")*+\"", re.DOTALL),
    "`": re.compile(r"[^`]*+`"),
    "[": re.compile(r"[^\]]*+\]"),
    "--": re.compile(r"[^\n]*+"),
    "#": re.compile(r"[^\n]*+"),
    "/*": re.compile(r".*?\*/", re.DOTALL),
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one family of databases tells comments, texts and names from statements."""

    opens: re.Pattern[str]
    texts: tuple[str, ...]  # how a piece begins that is a text; other pieces are comments or names
    escapes: bool = False  # a backslash takes the meaning from the quote behind it
    nests: bool = False  # a comment may hold another


STANDARD: Final = Dialect(
    re.compile(r"/\*|--|\b[eE]'|'|\$(?:[A-Za-z_]\w{0,62})?\$|\""), ("'", "e'", "E'", "$"), nests=True
)
MYSQL: Final = Dialect(re.compile(r"/\*(?!M?!)|--(?=\s|$)|#|'|\"|`"), ("'", '"'), escapes=True)
BRACKETS: Final = Dialect(re.compile(r"/\*|--|'|\"|`|\["), ("'",))  # SQL Server, SQLite
DIALECTS: Final = (STANDARD, MYSQL, BRACKETS)


def begins_as_sql(text: str) -> bool:
    """Does a text begin as SQL does?"""
    at = behind_comments(text)
    return START.match(text[at : at + BEGINNING_MAX]) is not None


def behind_comments(text: str) -> int:
    """Where a text begins that is neither blank nor a comment."""
    at = 0
    while True:
        blanks = BLANKS.match(text, at)
        at = blanks.end() if blanks else at
        if text.startswith("--", at):
            end = text.find("\n", at)
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2)
        else:
            return at
        if end < 0:
            return at
        at = end + (1 if text[end] == "\n" else 2)


def given_to_clients(commands: Iterable[Command]) -> Iterator[str]:
    """What clients of databases are given to run."""
    clients = (command for command in commands if command.program in CLIENTS)
    given = (LONG_FLAG.sub("", text) for client in clients for text in (*client.words, client.stdin) if text)
    yield from map(normalize_sql, dict.fromkeys(given))


def unread_statements(commands: Iterable[Command]) -> Iterator[Command]:
    """For each client that is fed by a program whose output nobody knows, a command that says so."""
    for command in commands:
        if command.fed_by and not command.stdin and not SHOWS_FILES.issuperset(command.fed_by):
            client = fed_client(command)
            if client:
                yield Command(program=UNREAD_STATEMENTS, words=(client,), through=(command.program,))


def fed_client(command: Command) -> str:
    """The client that reads statements from what comes in; empty where there is none, or it is told them otherwise."""
    words = tuple(" ".join(command.words).split()) if command.program == "ssh" else command.words
    client = command.program
    if client == "ssh":
        at = next((at for at, word in enumerate(words) if word.rpartition("/")[2] in READS_INPUT), len(words))
        client, words = "".join(words[at : at + 1]).rpartition("/")[2], words[at + 1 :]
    if client not in READS_INPUT or any(TOLD_BY_FLAG.match(word) for word in words):
        return ""
    operands = [word for word in words if not word.startswith("-")]
    told = operands and client.endswith("-cli") and "-x" not in words and not words[0].startswith("-")
    return "" if told or (client in TAKES_STATEMENT and len(operands) > 1) else client


def normalize_sql(text: str) -> str:
    """On one line, without comments, and without what it only compares with or stores: as each dialect reads it, one
    behind the other, for what one takes for a comment another runs."""
    text = JOINED.sub("", text)
    readings = [part for dialect in DIALECTS for part in read_as(dialect, text)]
    if "db" in text:
        readings += read_as(STANDARD, JS_KEY.sub(r"\1:", JS_MEMBER.sub(r".\1", text)))
    lines = (" ".join(EXECUTED.sub(" ", reading).split()) for reading in readings)
    return "; ".join(dict.fromkeys(line for line in lines if line))


def read_as(dialect: Dialect, text: str, depth: int = 0) -> list[str]:
    """A text as one dialect shows it, and behind it the texts that it runs."""
    runs_text = depth < NESTED_MAX and RUNS_TEXT.search(text) is not None
    shown, run = list[str](), list[str]()
    for piece, plainly in pieces(text, dialect):
        shown.append(piece if plainly else visible_piece(piece))
        if runs_text and not plainly and piece.startswith(dialect.texts):
            run += read_as(dialect, content_of(piece), depth + 1)
    return ["".join(shown), *run]


def content_of(piece: str) -> str:
    """What stands between the quotes of a text."""
    if piece.startswith("$"):
        width = piece.index("$", 1) + 1
        return piece[width:-width]
    return piece[piece.index(piece[-1]) + 1 : -1].replace("''", "'")


def visible_piece(piece: str) -> str:
    """A comment, a name or a text as the rules see it in its place."""
    if piece.startswith(("/*", "--", "#")):
        return " "
    carried = len(piece) > TEXT_SHOWN or VERB.search(piece)
    return f"{piece[0]}…{piece[-1]}" if carried else piece


def pieces(text: str, dialect: Dialect) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is plain SQL; else it is a comment, a name or in quotes. What opens and
    does not close is plain: a search for its end that found none is not made again, however often it opens."""
    at, open_ended = 0, set[str]()
    last_tags = {found[1]: found.start() for found in TAG.finditer(text)}
    while (found := dialect.opens.search(text, at)) is not None:
        yield text[at : found.start()], True
        sign = found.group()
        if sign.startswith("$"):
            closes = last_tags[sign] >= found.end()
            end = text.index(sign, found.end()) + len(sign) if closes else -1
        else:
            end = -1 if sign in open_ended else find_end(text, sign, found.end(), dialect)
        if end < 0:
            if sign != '"' or dialect.escapes:  # which may close in another line
                open_ended.add(sign)
            yield sign, True
            at = found.end()
        else:
            yield text[found.start() : end], False
            at = end
    yield text[at:], True


def find_end(text: str, sign: str, at: int, dialect: Dialect) -> int:
    """Where what was opened by a sign ends; below zero where it does not."""
    if sign == "/*" and dialect.nests:
        depth = 1
        for found in COMMENT_SIGN.finditer(text, at):
            depth += 1 if found.group() == "/*" else -1
            if depth == 0:
                return found.end()
        return -1
    escaped = f"\\{sign[-1]}" if dialect.escapes or len(sign) == 2 else sign
    found = ENDS[escaped if escaped in ENDS else sign].match(text, at)
    return found.end() if found else -1


def split_statements(statement: str) -> Iterator[str]:
    """A text of SQL as its different statements, each with its end."""
    return (f"{part};" for part in dict.fromkeys(part.strip() for part in statement.split(";")) if part)
