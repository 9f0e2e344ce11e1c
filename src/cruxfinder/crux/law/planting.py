"""Is grading honest? PLUS-11: now and then an agent gets a steelman of itself that is wrong, and ought to say so."""

from dataclasses import dataclass

from cruxfinder.crux.law import steelman
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.vocabulary import AgentId, Side, Stage, ThreadId


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """An opponent's claim and test put into somebody's mouth, with its own reason to make it sound right."""

    thread: ThreadId
    agent: AgentId
    claim: str
    reason: str
    falsifier: str


def next_plant(debate: Debate) -> Plant | None:
    """The next one to be graded, once a question is locked: nobody twice, one a thread."""
    if len(debate.tested) >= debate.settings.planted:
        return None
    done = {t.thread for t in debate.tested}
    ready = [t for t in debate.active if t.stage is Stage.EVIDENCE and t.id not in done]
    return next((plant for t in ready if (plant := make_plant(debate, t)) is not None), None)


def make_plant(debate: Debate, thread: Thread) -> Plant | None:
    met = {t.agent for t in debate.tested}
    for mine, theirs in ((Side.YES, Side.NO), (Side.NO, Side.YES)):
        agents = [a for a in steelman.agents_on_side(thread, mine) if a not in met and a not in thread.excused]
        others = steelman.agents_on_side(thread, theirs)
        if agents and others:
            agent, other = agents[0], thread.commitments[others[0]]
            tests = thread.falsifiers.get(others[0], ())
            test = tests[-1].falsifier if tests else None
            return Plant(
                thread=thread.id,
                agent=agent,
                claim=other.statement,
                reason=thread.commitments[agent].reason,
                falsifier="" if test is None else f"{test.metric} {test.threshold} {test.deadline}",
            )
    return None
