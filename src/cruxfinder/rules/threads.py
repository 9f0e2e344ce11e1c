"""When a thread has gone quiet. SPEC §10: THR-3."""

from typing import Final

from cruxfinder.model.record import Debate
from cruxfinder.model.thread import Thread
from cruxfinder.model.words import RuleId, Stage

QUIET: Final = RuleId("THR-3")
QUIET_MS: Final = 30_000


def quiet(debate: Debate, thread: Thread, now_ms: int) -> bool:
    """Nobody has spoken for 30 s of debate time an active thread, and no draft waits for its slot.

    Under the lock silence is another matter: there somebody owes something, or the try has failed.
    """
    if QUIET in debate.settings.off or thread.stage is Stage.CRUX_LOCK or thread.stale or thread.held:
        return False
    last = max(thread.stage_ms, thread.messages[-1].at_ms if thread.messages else thread.created_ms)
    return now_ms - last >= QUIET_MS * len(debate.active)
