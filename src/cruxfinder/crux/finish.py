"""When a debate is over, and with what verdict."""

from cruxfinder.crux.branches import reopen
from cruxfinder.crux.due import across
from cruxfinder.crux.events import DebateComplete, GlobalConvergence
from cruxfinder.crux.law import agenda, dependencies, ending, threads
from cruxfinder.crux.law.verdict import of_debate
from cruxfinder.crux.recorder import Pen
from cruxfinder.kernel.vocabulary import Ending, Verdict


def end_if_over(pen: Pen) -> None:
    if pen.debate.complete is not None:
        return
    if pen.debate.threads and not pen.debate.active:
        reopen(pen)
    if (reason := ending.reason(pen.debate, pen.now_ms, pending(pen))) is not None:
        complete(pen, reason)


def pending(pen: Pen) -> bool:
    """Nobody speaks, but a proposal waits to be opened, or the threads to be compared."""
    if pen.debate.active:
        return False
    return bool(threads.openable(pen.debate, pen.now_ms)) or across(pen.debate) is not None


def complete(pen: Pen, reason: Ending) -> None:
    """The debate's verdict is that of its threads taken together; nothing ended leaves it undecided."""
    if pen.debate.talk is not None:
        close(pen, reason, Verdict.UNDECIDED, "it ended before it came to anything")
        return
    if reason is Ending.NATURAL:
        found = agenda.by_rank(dependencies.crystallised(pen.debate))
        pen.write(
            GlobalConvergence(at_ms=pen.now_ms, threads=len(pen.debate.threads), cruxes=tuple(t.id for t in found))
        )
    reached = of_debate(pen.debate)
    pen.write(DebateComplete(at_ms=pen.now_ms, ending=reason, verdict=reached.verdict, why=reached.why))


def close(pen: Pen, reason: Ending, verdict: Verdict, why: str) -> None:
    pen.write(DebateComplete(at_ms=pen.now_ms, ending=reason, verdict=verdict, why=why))
