"""The error tree: faults of the world and of input. A rule's no is a Refusal, a bug is an assert.

CruxfinderError
├── BadInput           what the user typed or handed in (exit code 2)
│   ├── BadOption      an option that cannot be what it was set to, or not beside the others
│   ├── BadPack        a pack with faults, each with its line
│   ├── BadTable       a table of votes with a fault, and its line
│   ├── NoSuchRun      a run id the store does not hold
│   ├── Busy           as many runs are under way as there may be
│   ├── NotAsked       an answer that nobody waits for, or waits for no more
│   ├── MissingExtra   what is asked for takes packages that are not installed
│   ├── NotAllowed     a stored run would use more than is allowed here
│   │   └── UnnamedAddress   it would ask models at an address that nobody named here
│   └── InputEnded     somebody is asked at a terminal at which nothing more can be typed
├── StoreFault         the store could not be read or written
│   ├── ForeignStore   the file is not ours, or of a newer format
│   ├── FullDisk       there is no room to write
│   ├── ReadOnlyStore  it may be read and not written
│   ├── UnsafeFile     a link, a pipe or somebody else's file stands where ours should
│   ├── StaleWriter    somebody else wrote this run
│   └── RunTaken       another process is writing this run
├── LogFault           a log that cannot be trusted
│   ├── NewerLog       it has a format this version cannot read
│   ├── BrokenChain    an entry was altered
│   ├── CutLog         its last entries are missing
│   └── Diverged       the kernel decides differently from the stored log
└── DebaterFault       a debater could not answer
    └── BudgetSpent    asking it could pass a cap of the run
"""

from collections.abc import Callable

from cruxfinder.ports import NOTHING, Usage


class CruxfinderError(Exception):
    """One clear sentence for the user."""


class BadInput(CruxfinderError):
    pass


class BadOption(BadInput):
    """`reason` goes on after the option's name. Where it names others, it is told how the surface spells them."""

    def __init__(self, option: str, reason: str | Callable[[Callable[[str], str]], str]) -> None:
        self.option = option
        self._reason = reason
        super().__init__(self.sentence(str))

    def sentence(self, spell: Callable[[str], str]) -> str:
        """The sentence, with options as a surface spells them: `--max-cost`, `maxCost`, `CRUX_MAX_COST`."""
        reason = self._reason if isinstance(self._reason, str) else self._reason(spell)
        return f"{spell(self.option)} {reason}"


class BadPack(BadInput):
    def __init__(self, source: str, faults: tuple[tuple[int, str], ...]) -> None:
        self.source = source
        self.faults = faults
        first = f"{source}, line {faults[0][0]}: {faults[0][1]}" if faults else source
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(first + more)


class BadTable(BadInput):
    def __init__(self, source: str, line: int, fault: str) -> None:
        self.source = source
        self.line = line  # 0 where the fault is not in a line
        self.fault = fault
        super().__init__(f"{source}, line {line}: {fault}" if line else f"{source}: {fault}")


class NoSuchRun(BadInput):
    pass


class Busy(BadInput):
    pass


class NotAsked(BadInput):
    pass


class MissingExtra(BadInput):
    """`extra` is what to install: pip install 'cruxfinder[EXTRA]'."""

    def __init__(self, message: str, extra: str) -> None:
        self.extra = extra
        super().__init__(message)


class NotAllowed(BadInput):
    pass


class UnnamedAddress(NotAllowed):
    def __init__(self, message: str, address: str) -> None:
        self.address = address
        super().__init__(message)


class InputEnded(BadInput):
    pass


class StoreFault(CruxfinderError):
    pass


class ForeignStore(StoreFault):
    pass


class FullDisk(StoreFault):
    pass


class ReadOnlyStore(StoreFault):
    pass


class UnsafeFile(StoreFault):
    pass


class StaleWriter(StoreFault):
    pass


class RunTaken(StoreFault):
    pass


class LogFault(CruxfinderError):
    pass


class NewerLog(LogFault):
    pass


class BrokenChain(LogFault):
    pass


class CutLog(LogFault):
    pass


class Diverged(LogFault):
    pass


class DebaterFault(CruxfinderError):
    """`usage` is what the attempts took that came to nothing."""

    def __init__(self, message: str, usage: Usage = NOTHING) -> None:
        self.usage = usage
        super().__init__(message)


class BudgetSpent(DebaterFault):
    pass
