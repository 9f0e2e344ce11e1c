"""Where the installed command begins. A hook stands before every call of a tool: it does not wait for the rest."""

import os
import sys

HOOK = ["gate", "hook"]


def run() -> None:
    if sys.argv[1:3] == HOOK:
        from cruxfinder.cli import gate_hook

        gate_hook.main(sys.argv[3:])
        return
    # Matrices are small here: several threads would wait for each other longer than they work.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from cruxfinder.cli.main import run as everything_else

    everything_else()
