"""The result of a debate, as values; as JSON it has every field of API-2."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from cruxfinder.crux.asks import Question
from cruxfinder.crux.crux_graph import Contradiction, CruxDependency, Duplicate, graph_of
from cruxfinder.crux.events import DebateCoalition, Event
from cruxfinder.crux.evolve import fold
from cruxfinder.crux.law import ending, probes, shared_ground
from cruxfinder.crux.law import threads as rules_threads
from cruxfinder.crux.law.confidence import Confidence, verdict_confidence
from cruxfinder.crux.law.verdict import LOCKED_COUNTS, ReasonedVerdict, open_verdict
from cruxfinder.crux.metrics import Metrics, metrics_of
from cruxfinder.crux.next_questions import NextQuestion, next_questions
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.crux.thread_crux import (
    Clarity,
    CruxResult,
    TestedCandidate,
    clarity,
    crux_of,
    locked_id,
    tested_candidates,
)
from cruxfinder.kernel.ranges import Count, Dollars, Gap, Share
from cruxfinder.kernel.run_warnings import warnings
from cruxfinder.kernel.vocabulary import (
    ADVOCATE,
    MODERATOR,
    Ending,
    Horizon,
    Label,
    Phase,
    ProtocolName,
    Stage,
    Status,
    TopSide,
    Trigger,
    Verdict,
)
from cruxfinder.language.counts import explains_words, is_all_and_more
from cruxfinder.language.english.texts import same_question
from cruxfinder.ports import NOTHING, Usage

Regime = Literal["consensus", "mixed", "polarized", "inconclusive"]
REGIMES: Final[dict[Verdict, Regime]] = {
    Verdict.CRUX: "polarized",
    Verdict.VALUES: "polarized",
    Verdict.UNRESOLVED: "polarized",
    Verdict.SEVERAL_FACTS: "polarized",
    Verdict.PARTIAL: "mixed",
    Verdict.DEFINITIONS: "mixed",
    Verdict.HORIZON: "mixed",
    Verdict.HOLLOW: "mixed",
    Verdict.NO_DISAGREEMENT: "consensus",
    Verdict.RESOLVED: "consensus",
    Verdict.FAILED_LOCK: "inconclusive",
    Verdict.UNDECIDED: "inconclusive",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSpan:
    messages: Count  # those that count against the limit of the stage
    duration: Count
    lock_attempts: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    discovery: StageSpan
    crux_lock: StageSpan
    evidence: StageSpan


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A public change of side and what moved it."""

    agent: str
    message: str
    on: str
    before: str
    after: str
    label: Label


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadResult:
    id: str
    topic: str
    parent: str | None
    trigger: Trigger | None
    status: Status
    merged_into: str | None
    verdict: Verdict
    why: str
    clarity: Clarity
    convergence_signal: float
    horizon: Horizon | None
    messages: int  # of agents; a thread that joined another keeps its own
    stages: Stages
    participants: tuple[str, ...]
    crux: CruxResult | None
    tested: tuple[TestedCandidate, ...]
    gap_before: Gap | None
    gap_after: Gap | None
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivatePosition:
    p_top: Share
    side: TopSide
    reason: str
    p_top_after: Share | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    id: str
    name: str
    about: str
    camp: Literal["YES", "NO", "neither"]
    public_side: TopSide | None
    messages: Count
    model: str  # empty: no model thinks for it


@dataclass(frozen=True, slots=True, kw_only=True)
class CampsResult:
    yes: tuple[str, ...]
    no: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonGround:
    """Something everybody holds in private."""

    statement: str
    agreement: str
    agrees: tuple[str, ...]
    type: Literal["factual", "empirical", "value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoalitionResult:
    """Agents who take the same sides on the cruxes."""

    members: tuple[str, ...]
    label: str
    positions: dict[str, str]
    shared_beliefs: tuple[str, ...]
    preliminary: bool  # it rests on two cruxes only, or the debate ended early


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    run_id: str
    topic: str
    protocol: ProtocolName
    seed: int
    ending: Ending
    verdict: Verdict
    why: str
    confidence: Confidence
    duration: Count
    total_messages: Count
    agents: tuple[Agent, ...]
    camps: CampsResult
    threads: tuple[ThreadResult, ...]
    common_ground: tuple[CommonGround, ...]
    coalitions: tuple[CoalitionResult, ...]
    regime: Regime
    regime_description: str
    dependencies: tuple[CruxDependency, ...]
    contradictions: tuple[Contradiction, ...]
    duplicates: tuple[Duplicate, ...]
    root_cruxes: tuple[str, ...]
    implications: dict[str, tuple[str, ...]]
    irreducible_cruxes: tuple[str, ...]
    primary_crux: str | None
    primary_crux_question: str | None
    primary_crux_reason: str
    recommended_next_questions: tuple[NextQuestion, ...]
    private_positions: dict[str, PrivatePosition]
    cost: Dollars  # dollars, as far as prices are known
    warnings: tuple[str, ...]
    system_metrics: Metrics


def result_of(
    events: Sequence[Event], *, debate: Debate | None = None, run_id: str = "", usage: Usage = NOTHING
) -> Result:
    """What a log amounts to; an unfinished one yields a result of low confidence. `debate` is the log, folded."""
    debate = fold(events) if debate is None else debate
    threads = tuple(thread_result(debate, t) for t in debate.threads.values())
    finished = debate.complete
    verdict = Verdict.UNDECIDED if finished is None else finished.verdict
    camps = probes.camps(debate.firsts)
    best = primary_crux(threads)
    shared = common_ground(debate)
    graph = graph_of(debate)
    return Result(
        run_id=run_id,
        topic=debate.started.topic,
        protocol=debate.started.protocol,
        seed=debate.started.seed,
        ending=Ending.UNFINISHED if finished is None else finished.ending,
        verdict=verdict,
        why="the debate is not over" if finished is None else finished.why,
        confidence=verdict_confidence(debate),
        duration=debate.now_ms,
        total_messages=debate.spoken,
        agents=tuple(agent_rows(debate)),
        camps=CampsResult(yes=camps.yes, no=camps.no),
        threads=threads,
        common_ground=shared,
        coalitions=coalitions(debate),
        regime=REGIMES[verdict],
        regime_description=description(verdict, threads, shared),
        dependencies=graph.dependencies,
        contradictions=graph.contradictions,
        duplicates=graph.duplicates,
        root_cruxes=graph.roots,
        implications=graph.implications,
        irreducible_cruxes=graph.irreducible,
        primary_crux=best.id if best else None,
        primary_crux_question=best.question if best else None,
        primary_crux_reason=reason(best),
        recommended_next_questions=next_questions(debate),
        private_positions=private_positions(debate),
        cost=round(usage.dollars, 6),
        warnings=warnings(debate, usage),
        system_metrics=metrics_of(events, usage),
    )


def thread_result(debate: Debate, thread: Thread) -> ThreadResult:
    before, after = thread.figures.get(Phase.BEFORE), thread.figures.get(Phase.AFTER)
    spans = {stage: (messages, ms) for stage, messages, ms in thread.stages}
    if thread.stage not in spans:
        until = debate.now_ms if thread.ended_ms is None else thread.ended_ms
        spans[thread.stage] = (thread.counted, until - thread.stage_ms)
    tries = thread.lock_failures + (thread.stage is Stage.EVIDENCE)
    reached = current_thread_verdict(debate, thread)
    return ThreadResult(
        id=thread.id,
        topic=thread.topic,
        parent=thread.parent,
        trigger=thread.trigger,
        status=thread.status,
        merged_into=thread.merged_into,
        verdict=reached.verdict,
        why=reached.why,
        clarity=clarity(thread),
        convergence_signal=rules_threads.convergence_signal(thread),
        horizon=thread.horizon,
        messages=sum(message.agent != MODERATOR for message in thread.messages),
        stages=Stages(
            discovery=span(spans, Stage.DISCOVERY),
            crux_lock=span(spans, Stage.CRUX_LOCK, tries),
            evidence=span(spans, Stage.EVIDENCE),
        ),
        participants=tuple(dict.fromkeys(m.agent for m in thread.messages if m.agent not in (MODERATOR, ADVOCATE))),
        crux=crux_of(debate, thread),
        tested=tested_candidates(thread),
        gap_before=None if before is None else before.gap,
        gap_after=None if after is None else after.gap,
        changes=tuple(
            Change(agent=c.agent, message=c.message, on=c.on, before=c.before, after=c.after, label=c.label)
            for c in thread.changes
        ),
    )


def current_thread_verdict(debate: Debate, thread: Thread) -> ReasonedVerdict:
    """Its outcome; a question that was chosen counts even if the debate ended before its thread did."""
    if thread.outcome is not None:
        return ReasonedVerdict(verdict=thread.outcome, why=thread.why)
    if (
        debate.complete is not None
        and thread.crux is not None
        and not thread.over
        and LOCKED_COUNTS not in debate.settings.off
    ):
        return open_verdict(thread)
    return ReasonedVerdict(verdict=Verdict.UNDECIDED, why="the thread is still open")


def span(spans: dict[Stage, tuple[int, int]], stage: Stage, lock_attempts: int = 0) -> StageSpan:
    messages, ms = spans.get(stage, (0, 0))
    return StageSpan(messages=messages, duration=ms, lock_attempts=lock_attempts)


def primary_crux(threads: Sequence[ThreadResult]) -> TestedCandidate | None:
    """The highest rank among the questions that were locked, else among those chosen to be and those kept as partial
    cruxes; with the figures it was locked with."""
    found = [t for thread in threads if thread.verdict not in NO_CRUX for t in thread.tested if t.chosen or t.partial]
    return max(found, key=lambda t: (t.locked, t.rank), default=None)


NO_CRUX: Final = (
    Verdict.NO_DISAGREEMENT,
    Verdict.SEVERAL_FACTS,
    Verdict.VALUES,
    Verdict.DEFINITIONS,
    Verdict.HORIZON,
)


def reason(best: TestedCandidate | None) -> str:
    if best is None:
        return "no question explains the disagreement"
    flips = f"{len(best.would_flip)} would change their top claim with it"
    join = ";" if is_all_and_more(best.explained_share) else ", and"
    return f"highest rank ({best.rank:.2f}): it {explains_words(best.explained_share)}{join} {flips}"


def agent_rows(debate: Debate) -> list[Agent]:
    camps = probes.camps(debate.firsts)
    spoken: dict[str, int] = {}
    for thread in debate.threads.values():
        for message in thread.messages if thread.merged_into is None else ():
            spoken[message.agent] = spoken.get(message.agent, 0) + 1
    return [
        Agent(
            id=seat.id,
            name=seat.name,
            about=seat.about,
            camp="YES" if seat.id in camps.yes else "NO" if seat.id in camps.no else "neither",
            public_side=debate.tops[seat.id].side if seat.id in debate.tops else None,
            messages=spoken.get(seat.id, 0),
            model=seat.model,
        )
        for seat in debate.seats
    ]


def private_positions(debate: Debate) -> dict[str, PrivatePosition]:
    ended = sorted(
        debate.threads.values(), key=lambda t: t.figures[Phase.AFTER].at_ms if Phase.AFTER in t.figures else 0
    )
    after = {a: r for t in ended for a, r in probes.readings(t, Phase.AFTER).items()}
    return {
        agent: PrivatePosition(
            p_top=first.p_top,
            side=first.side,
            reason=first.reason,
            p_top_after=round(after[agent].p_top, 4) if agent in after else None,
        )
        for agent, first in debate.firsts.items()
    }


def common_ground(debate: Debate) -> tuple[CommonGround, ...]:
    """What was probed, as a candidate or because nobody disputed it, and every private credence agrees on."""
    found: dict[str, CommonGround] = {}
    for thread in debate.threads.values():
        candidates = tuple(Question(id=c.id, question=c.question, yes_means=c.yes_means, no_means=c.no_means)
                           for c in thread.candidates)  # fmt: skip
        for questions, phase in (
            (candidates, Phase.BEFORE),
            (shared_ground.undisputed_questions(debate), Phase.GROUND),
        ):
            given = probes.readings(thread, phase)
            for asked in questions if given else ():
                held = {a: r.credences[asked.id].c for a, r in given.items() if asked.id in r.credences}
                agreed = shared_ground.shared_answer(list(held.values()))
                if agreed is not None:
                    text = asked.yes_means if agreed else asked.no_means
                    shared = CommonGround(
                        statement=text, agreement="all", agrees=tuple(held), type=shared_ground.type_of(text)
                    )
                    found.setdefault(text, shared)
    return tuple(found.values())


def coalitions(debate: Debate) -> tuple[CoalitionResult, ...]:
    """The coalitions as they stood last, with what their members hold beyond their positions."""
    told = debate.coalitions
    if told is None:
        return ()
    early = debate.complete is None or ending.is_early(debate.complete.ending)
    return tuple(
        CoalitionResult(
            members=group.members,
            label=group.label,
            positions={locked_id(debate.threads[id]): str(side) for id, side in group.positions},
            shared_beliefs=shared_beliefs(debate, group),
            preliminary=told.preliminary or early,
        )
        for group in told.groups
    )


def shared_beliefs(debate: Debate, group: DebateCoalition) -> tuple[str, ...]:
    """Candidates on which the members agree in private and others do not."""
    found: list[str] = []
    cruxes = [rules_threads.question_of(t) for t in debate.threads.values() if t.crux is not None]
    for thread in debate.threads.values():
        given = probes.readings(thread, Phase.BEFORE)
        for asked in thread.candidates:
            if any(same_question(asked.question, q) for q in cruxes):
                continue
            held = {a: r.credences[asked.id].c for a, r in given.items() if asked.id in r.credences}
            own = shared_ground.shared_answer([c for a, c in held.items() if a in group.members])
            if own is not None and shared_ground.shared_answer(list(held.values())) is None:
                found.append(asked.yes_means if own else asked.no_means)
    return tuple(dict.fromkeys(found))


def description(verdict: Verdict, threads: Sequence[ThreadResult], shared: Sequence[CommonGround]) -> str:
    cruxes = sum(t.crux is not None and t.crux.validated for t in threads)
    weighed = sum(len(t.tested) for t in threads)
    return f"{verdict.value}; {cruxes} validated cruxes, {weighed} questions tested, {len(shared)} shared"
