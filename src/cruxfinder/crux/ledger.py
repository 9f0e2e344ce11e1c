"""What was staked on a crux and how it came out. SPEC §19, PLUS-9: falsifiers, their days, outcomes and Brier scores.

A falsifier that is met refutes its holder's side of the crux; one that is not met by its day speaks for that side.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from cruxfinder.crux.law import probes
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import AcceptedFalsifier, Commitment, Thread, find_candidate
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import AgentId, Phase, Side, Status
from cruxfinder.language import calendar_days
from cruxfinder.language.english import deadlines
from cruxfinder.ports import FalsifierOutcome, FalsifierResolution, Mark

OTHER: Final = {Side.YES: Side.NO, Side.NO: Side.YES}

Source = Literal["after", "before", "committed"]


class State(StrEnum):
    WAITING = "waiting"
    DUE = "due"
    OPEN_ENDED = "open-ended"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerPage:
    """A run, the day it was made, from which spans are counted, and the day it is looked at."""

    run: str
    made: str
    on: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How far an agent's credence in the crux lay from how it came out."""

    agent: str
    name: str
    credence: float  # P(YES)
    source: Source  # the private answers after or before the evidence, or the public commitment
    brier: float
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """An accepted falsifier, its day and its outcome."""

    run: str
    pack: str
    topic: str
    reference: str
    thread: str
    number: int
    question: str
    agent: str
    name: str
    side: Side
    metric: str
    threshold: str
    deadline: str
    due: str | None  # None: open-ended
    state: State
    outcome: FalsifierOutcome | None = None
    resolved: str = ""
    note: str = ""
    answer: Side | None = None  # what the crux is taken to have come out as
    scores: tuple[Score, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BrierStanding:
    """An agent of a pack over everything resolved."""

    agent: str
    name: str
    pack: str
    brier: float  # the mean
    right: int
    count: int


# ---- references


def format_mark(mark: Mark) -> str:
    return f"{mark.thread}.{mark.agent}.{mark.number}"


def read_mark(text: str) -> Mark | None:
    thread, _, rest = text.partition(".")
    agent, _, number = rest.rpartition(".")
    digits = number.isascii() and number.isdigit() and len(number) < 10
    return Mark(thread, agent, int(number)) if thread and agent and digits else None


# ---- stakes


def stakes(debate: Debate, page: LedgerPage, resolutions: Sequence[FalsifierResolution] = ()) -> tuple[Stake, ...]:
    """Every accepted falsifier of a debate."""
    known = {resolution.mark: resolution for resolution in resolutions}
    return tuple(
        make_stake(debate, thread, held, accepted, page, known.get(Mark(thread.id, agent, accepted.number)))
        for thread in debate.threads.values()
        if thread.status is not Status.MERGED  # its falsifiers went with it
        for agent, helds in thread.falsifiers.items()
        if (held := thread.commitments.get(agent)) is not None
        for accepted in helds
    )


def make_stake(
    debate: Debate,
    thread: Thread,
    held: Commitment,
    accepted: AcceptedFalsifier,
    page: LedgerPage,
    resolution: FalsifierResolution | None,
) -> Stake:
    asked = find_candidate(thread, thread.crux)
    day = deadlines.last_day(accepted.falsifier.deadline, calendar_days.read_day(debate.started.day or page.made))
    due = None if day is None else calendar_days.iso(day)
    answer = None if resolution is None else crux_answer(held.side, resolution.outcome)
    return Stake(
        run=page.run,
        pack=debate.started.pack,
        topic=debate.started.topic,
        reference=format_mark(Mark(thread.id, held.agent, accepted.number)),
        thread=thread.id,
        number=accepted.number,
        question=thread.topic if asked is None else asked.question,
        agent=held.agent,
        name=name_of(debate, held.agent),
        side=held.side,
        metric=accepted.falsifier.metric,
        threshold=accepted.falsifier.threshold,
        deadline=accepted.falsifier.deadline,
        due=due,
        state=state(due, page.on) if resolution is None else State.RESOLVED,
        outcome=None if resolution is None else resolution.outcome,
        resolved="" if resolution is None else resolution.day,
        note="" if resolution is None else resolution.note,
        answer=answer,
        scores=() if answer is None else tuple(agent_scores(debate, thread, answer)),
    )


def crux_answer(side: Side, outcome: FalsifierOutcome) -> Side | None:
    """How the crux came out; None where nobody is told right by it: void, or staked without a side."""
    if outcome is FalsifierOutcome.VOID or side not in OTHER:
        return None
    return OTHER[side] if outcome is FalsifierOutcome.MET else side


def state(due: str | None, on: str) -> State:
    """Of one that is not resolved; its last day is the day it comes due."""
    return State.OPEN_ENDED if due is None else State.DUE if due <= on else State.WAITING


def stakes_due(held: Sequence[Stake]) -> tuple[Stake, ...]:
    """What is to be resolved, the longest overdue first."""
    return tuple(sorted((stake for stake in held if stake.state is State.DUE), key=lambda stake: stake.due or ""))


def is_too_early(stake: Stake, outcome: FalsifierOutcome, on: str) -> bool:
    """What may still happen has not failed to happen."""
    return outcome is FalsifierOutcome.UNMET and stake.due is not None and on < stake.due


# ---- scores


def agent_scores(debate: Debate, thread: Thread, answer: Side) -> Iterator[Score]:
    """Everybody whose credence in the crux is known; the devil's advocate holds none."""
    truth = 1.0 if answer is Side.YES else 0.0
    for agent in debate.agents:
        if (found := credence(thread, agent)) is None:
            continue
        held, source = found
        yield Score(
            agent=agent,
            name=name_of(debate, agent),
            credence=round(held, 4),
            source=source,
            brier=round((held - truth) ** 2, 4),
            right=held > 0.5 if answer is Side.YES else held < 0.5,
        )


def credence(thread: Thread, agent: AgentId) -> tuple[float, Source] | None:
    """P(crux is YES): the last private answer, else the public commitment."""
    phases: tuple[tuple[Phase, Source], ...] = ((Phase.AFTER, "after"), (Phase.BEFORE, "before"))
    for phase, source in phases:
        reading = probes.readings(thread, phase).get(agent)
        if reading is not None and thread.crux is not None and thread.crux in reading.credences:
            return reading.credences[thread.crux].c, source
    if (held := thread.commitments.get(agent)) is None:
        return None
    sides = {Side.YES: held.confidence, Side.NO: 1 - held.confidence, Side.UNCERTAIN: 0.5}
    return sides[held.side], "committed"


def standings(held: Sequence[Stake]) -> tuple[BrierStanding, ...]:
    """The mean over all that is resolved, best first; the same agent of a pack in several runs is one."""
    given: dict[tuple[str, str], list[Score]] = {}
    for stake in held:
        for score in stake.scores:
            given.setdefault((stake.pack, score.agent), []).append(score)
    found = [
        BrierStanding(
            agent=agent,
            name=scores[-1].name,
            pack=pack,
            brier=round(probes.mean([score.brier for score in scores]), 4),
            right=sum(score.right for score in scores),
            count=len(scores),
        )
        for (pack, agent), scores in given.items()
    ]
    return tuple(sorted(found, key=lambda standing: (standing.brier, standing.pack, standing.agent)))
