"""When a debate is over. SPEC §14: END-1 the reasons, END-2 what an early end still yields."""

from typing import Final

from cruxfinder.crux.state import Debate
from cruxfinder.kernel.run_facts import lost_agents
from cruxfinder.kernel.vocabulary import Ending, RuleId, Stage

OVER: Final = RuleId("END-1")

TIME_MS: Final = 300_000
TIME_MS_MORE: Final = 30_000
MESSAGES: Final = 200
MESSAGES_AN_AGENT: Final = 28
MANY: Final = 5
SPEAKERS_MIN: Final = 2


def time_ms_max(debate: Debate) -> int:
    """Five minutes of debate time, 30 s more for each agent beyond five."""
    return debate.settings.max_ms or TIME_MS + TIME_MS_MORE * max(0, len(debate.agents) - MANY)


def time_is_up(debate: Debate, now_ms: int) -> bool:
    return OVER not in debate.settings.off and now_ms >= time_ms_max(debate)


def messages_max(debate: Debate) -> int:
    return debate.settings.max_messages or max(MESSAGES, MESSAGES_AN_AGENT * len(debate.agents))


def reason(debate: Debate, now_ms: int, pending: bool = False) -> Ending | None:
    """Why it is over, if it is; `pending`: something is still to be opened or asked about although nobody speaks."""
    if debate.threads and not debate.active and not pending:
        return Ending.NATURAL
    if OVER in debate.settings.off:
        return None
    if debate.active and len(debate.agents) - len(lost_agents(debate)) < SPEAKERS_MIN:
        return Ending.FAULTS
    if debate.spoken >= messages_max(debate):
        return Ending.MESSAGES
    if time_is_up(debate, now_ms):
        return Ending.TIME
    locking = any(t.stage is Stage.CRUX_LOCK for t in debate.active)
    if not locking and debate.spoken - debate.fresh_at >= debate.settings.stagnation_messages:
        return Ending.STAGNATION
    return None


def is_early(ending: Ending) -> bool:
    """An early end still yields a result, of low confidence."""
    return ending is not Ending.NATURAL
