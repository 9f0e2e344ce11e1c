"""Serves a store on a free port of this machine and prints the address: a process for tests to watch, and to kill."""

import argparse
import logging
import sys
import tempfile
import time
from pathlib import Path
from threading import Thread

from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.server_setup import Setup
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.server.serving_http import serve
from tests.server.hosting import entry_after


def write_messages(store: SqliteStore) -> None:
    """As a debate of this server would; says which entry it was and when it was committed."""
    for line in sys.stdin:
        run = line.strip()
        entry = entry_after(store, run)
        store.append(run, [entry]).result()
        print(entry.seq, time.time(), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--token", default="")
    parser.add_argument("--writes", action="store_true", help="append a message to the run that a line of input names")
    given = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    with tempfile.TemporaryDirectory() as memory:
        store = SqliteStore(Path(given.store))
        try:
            if given.writes:
                Thread(target=write_messages, args=(store,), daemon=True).start()
            gate = Gate(rules=rules_in_force(), memory=Memory(Path(memory)))
            serve(
                Setup(gate=gate, store=store),
                host=given.host,
                port=given.port,
                token=given.token,
                heard=lambda address, _: print(address, flush=True),
            )
        finally:
            store.close()


if __name__ == "__main__":
    main()
