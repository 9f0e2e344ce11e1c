"""Serves a store on a free port of this machine and prints the address: a process for tests to watch, and to kill."""

import argparse
import logging
import sys
import tempfile
from pathlib import Path

from cruxfinder.gate.gate import Gate
from cruxfinder.gate.memory import Memory
from cruxfinder.gate.place import rules_in_force
from cruxfinder.server.serving import serve
from cruxfinder.setup import Setup
from cruxfinder.store.sqlite import SqliteStore


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--token", default="")
    given = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    with tempfile.TemporaryDirectory() as memory:
        store = SqliteStore(Path(given.store))
        try:
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
