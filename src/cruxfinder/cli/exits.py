"""How the command ends: every exit code, and which error gets which."""

from typing import Final

from cruxfinder.errors import BadInput, CruxfinderError, ForeignStore, FullDisk, NewerLog, NoSuchRun, ReadOnlyStore

OK: Final = 0
FAULT: Final = 1
BAD_INPUT: Final = 2
UNDECIDED: Final = 3
MODIFY: Final = 10
PIVOT: Final = 11
ESCALATE: Final = 20
INTERRUPTED: Final = 130
TERMINATED: Final = 143

HELP: Final = (
    "Exit codes: 0 all went well; 1 a fault of the store or of a log; 2 bad input, an extra that is not installed, a "
    "store that is not ours or may only be read, a newer log, or a full disk; 130 interrupted with Ctrl-C; 143 ended "
    "by SIGTERM. Of the gate: 0 go on (PROCEED, RETRY), 10 MODIFY, 11 PIVOT, 20 ESCALATE, 3 it could not decide."
)

NOT_FOR_US: Final = (BadInput, ForeignStore, FullDisk, ReadOnlyStore, NewerLog)


def code_of(error: CruxfinderError) -> int:
    """2 where the user has to hand in something else, 1 where something of ours is broken or busy."""
    return BAD_INPUT if isinstance(error, NOT_FOR_US) else FAULT


def fault_sentence(error: CruxfinderError) -> str:
    said = str(error)
    return f"{said}; `crux list` shows them" if isinstance(error, NoSuchRun) and "crux list" not in said else said
