"""When a debate is over, and with what verdict."""

from cruxfinder.crux.branches import reopen
from cruxfinder.crux.debate_recorder import Recorder
from cruxfinder.crux.events import GlobalConvergence
from cruxfinder.crux.law import agenda, dependencies, ending, threads
from cruxfinder.crux.law.verdict import debate_verdict
from cruxfinder.crux.private_questions import due_across_threads
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.vocabulary import Ending


def end_if_over(pen: Recorder) -> None:
    if pen.debate.complete is not None:
        return
    if pen.debate.threads and not pen.debate.active:
        reopen(pen)
    if (reason := ending.reason(pen.debate, pen.now_ms, has_pending_work(pen))) is not None:
        complete(pen, reason)


def has_pending_work(pen: Recorder) -> bool:
    """Nobody speaks, but a proposal waits to be opened, or the threads to be compared."""
    if pen.debate.active:
        return False
    return bool(threads.openable_proposals(pen.debate, pen.now_ms)) or due_across_threads(pen.debate) is not None


def complete(pen: Recorder, reason: Ending) -> None:
    """The debate's verdict is that of its threads taken together; nothing ended leaves it undecided."""
    if reason is Ending.NATURAL:
        found = agenda.sort_by_rank(dependencies.crystallised_threads(pen.debate))
        pen.write(
            GlobalConvergence(at_ms=pen.now_ms, threads=len(pen.debate.threads), cruxes=tuple(t.id for t in found))
        )
    reached = debate_verdict(pen.debate)
    pen.write(DebateComplete(at_ms=pen.now_ms, ending=reason, verdict=reached.verdict, why=reached.why))
