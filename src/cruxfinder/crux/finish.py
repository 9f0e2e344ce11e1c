"""When a debate is over, and with what verdict."""

from cruxfinder.crux.branches import reopen
from cruxfinder.crux.debate_recorder import Recorder
from cruxfinder.crux.events import GlobalConvergence
from cruxfinder.crux.law import agenda, dependencies, ending, threads
from cruxfinder.crux.law.verdict import debate_verdict
from cruxfinder.crux.private_questions import due_across_threads
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.vocabulary import Ending


def end_if_over(recorder: Recorder) -> None:
    if recorder.debate.complete is not None:
        return
    if recorder.debate.threads and not recorder.debate.active:
        reopen(recorder)
    if (reason := ending.reason(recorder.debate, recorder.now_ms, has_pending_work(recorder))) is not None:
        complete(recorder, reason)


def has_pending_work(recorder: Recorder) -> bool:
    """Nobody speaks, but a proposal waits to be opened, or the threads to be compared."""
    if recorder.debate.active:
        return False
    return (
        bool(threads.openable_proposals(recorder.debate, recorder.now_ms))
        or due_across_threads(recorder.debate) is not None
    )


def complete(recorder: Recorder, reason: Ending) -> None:
    """The debate's verdict is that of its threads taken together; nothing ended leaves it undecided."""
    if reason is Ending.NATURAL:
        found = agenda.sort_by_rank(dependencies.crystallised_threads(recorder.debate))
        recorder.write(
            GlobalConvergence(
                at_ms=recorder.now_ms, threads=len(recorder.debate.threads), cruxes=tuple(t.id for t in found)
            )
        )
    reached = debate_verdict(recorder.debate)
    recorder.write(DebateComplete(at_ms=recorder.now_ms, ending=reason, verdict=reached.verdict, why=reached.why))
