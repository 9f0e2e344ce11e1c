"""Every call of SQLite, with the thread that made it: for tests of what is read, and of who waits for a disk."""

import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest


@dataclass
class SqliteCalls:
    """What connections were asked for, by thread."""

    made: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    def note(self, statement: str) -> None:
        self.made.append((threading.get_ident(), statement))

    @property
    def count(self) -> int:
        return len(self.made)

    def by_thread(self, thread: int) -> list[str]:
        return [statement for maker, statement in self.made if maker == thread]


@contextmanager
def recorded_calls() -> Generator[SqliteCalls]:
    """Connections made meanwhile are SQLite's own, and note what they are asked for."""
    calls = SqliteCalls()

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
            calls.note(sql)
            return super().execute(sql, parameters)

        def executemany(self, sql: str, parameters: Any, /) -> sqlite3.Cursor:
            calls.note(sql)
            return super().executemany(sql, parameters)

    connect = sqlite3.connect

    def connect_noted(*arguments: Any, **named: Any) -> sqlite3.Connection:
        calls.note("connect")
        return connect(*arguments, factory=Connection, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect_noted)
        yield calls
