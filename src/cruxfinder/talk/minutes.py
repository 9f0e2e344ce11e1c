"""What a conversation came to: its turns, what was ruled or agreed, who dissents, and how well it kept to the rules."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cruxfinder.kernel.ranges import Count, Dollars
from cruxfinder.kernel.redundancy_limits import Entailment
from cruxfinder.kernel.run_facts import AskFailed, name_of
from cruxfinder.kernel.run_warnings import warnings
from cruxfinder.kernel.vocabulary import AgentId, Ending, ProtocolName, Role, TopSide, Verdict
from cruxfinder.ports import NOTHING, Usage
from cruxfinder.talk.checklist import ChecklistItem, checklist
from cruxfinder.talk.decide import talk_of
from cruxfinder.talk.events import (
    TalkEvent,
    TurnRefused,
    TurnSpoken,
)
from cruxfinder.talk.evolve import fold
from cruxfinder.talk.law import compression
from cruxfinder.talk.state import Conversation, Talk, concession_turns, last_sides
from cruxfinder.talk.turns import PivotKind, Turn, TurnType


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    id: str
    name: str
    about: str
    role: Role
    icon: str
    model: str
    turns: Count
    side: TopSide | None  # where it stood when it last said so


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRow:
    id: str
    number: Count
    agent: str
    role: Role
    type: TurnType
    content: str
    reply_to: str | None
    side: TopSide | None
    concedes: str
    next_step: str
    entailments: tuple[Entailment, ...]
    similarity: float
    flags: tuple[str, ...]  # rules that still stood against it
    off_topic: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DissentRow:
    agent: str
    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisRow:
    turn: str
    act: Count
    text: str
    next_step: str
    closing: bool
    accepted: tuple[str, ...]
    dissent: tuple[DissentRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PivotRow:
    after_turn: Count
    cause: str
    to: PivotKind
    text: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    turn: str
    question: str
    open: bool  # it is still waited for
    answer: str  # empty while it is open, and where nobody answered


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnMetrics:
    turns_refused: Count
    reasons_refused: dict[str, Count]
    turns_revised: Count  # taken after at least one refusal
    turns_flagged: Count
    turns_dropped: Count
    entailments: dict[str, Count]
    claims: Count
    links: Count
    compression: float
    off_topic: Count
    asks_failed: Count
    calls: Count
    tokens_in: Count
    tokens_out: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Minutes:
    run_id: str
    topic: str
    protocol: ProtocolName
    verdict: Verdict
    why: str
    confidence: Literal["HIGH", "LOW"]
    ending: Ending
    duration: Count
    total_turns: Count
    seed: int
    agents: tuple[Speaker, ...]
    ruling: TopSide | None
    conceded: dict[str, str]
    turns: tuple[TurnRow, ...]
    syntheses: tuple[SynthesisRow, ...]
    pivots: tuple[PivotRow, ...]
    questions: tuple[QuestionRow, ...]
    checklist: tuple[ChecklistItem, ...]
    cost: Dollars  # dollars, as far as prices are known
    warnings: tuple[str, ...]
    system_metrics: TurnMetrics


def minutes_of(
    events: Sequence[TalkEvent], *, debate: Conversation | None = None, run_id: str = "", usage: Usage = NOTHING
) -> Minutes:
    debate = fold(events) if debate is None else debate
    talk, finished = talk_of(debate), debate.complete
    verdict = Verdict.UNDECIDED if finished is None else finished.verdict
    low = finished is None or finished.ending is not Ending.NATURAL or verdict is Verdict.UNDECIDED
    return Minutes(
        run_id=run_id,
        topic=debate.started.topic,
        protocol=debate.started.protocol,
        verdict=verdict,
        why="the conversation is not over" if finished is None else finished.why,
        confidence="LOW" if low else "HIGH",
        ending=Ending.UNFINISHED if finished is None else finished.ending,
        duration=debate.now_ms,
        total_turns=len(talk.turns),
        seed=debate.started.seed,
        agents=speakers(debate, talk),
        ruling=next((t.draft.side for t in reversed(talk.turns) if t.type is TurnType.RULING), None),
        conceded={str(t.agent): t.draft.concedes for t in concession_turns(talk)},
        turns=tuple(row(turn) for turn in talk.turns),
        syntheses=syntheses(debate, talk),
        pivots=tuple(
            PivotRow(after_turn=p.number, cause=p.cause, to=p.to, text=p.text, source=p.source) for p in talk.pivots
        ),
        questions=questions(talk),
        checklist=checklist(events, debate),
        cost=round(usage.dollars, 6),
        warnings=warnings(debate, usage),
        system_metrics=metrics(events, talk, usage),
    )


def speakers(debate: Conversation, talk: Talk) -> tuple[Speaker, ...]:
    counts = Counter(turn.agent for turn in talk.turns)
    sides = last_sides(talk)
    return tuple(
        Speaker(
            id=s.id,
            name=s.name,
            about=s.about,
            role=s.role,
            icon=s.icon,
            model=s.model,
            turns=counts[s.id],
            side=sides.get(s.id),
        )
        for s in debate.seats
    )


def row(turn: Turn) -> TurnRow:
    return TurnRow(
        id=turn.id,
        number=turn.number,
        agent=turn.agent,
        role=turn.role,
        type=turn.type,
        content=turn.content,
        reply_to=turn.draft.reply_to,
        side=turn.draft.side,
        concedes=turn.draft.concedes,
        next_step=turn.draft.next_step,
        entailments=turn.entailments,
        similarity=turn.similarity,
        flags=tuple(dict.fromkeys(str(flag.rule) for flag in turn.flags)),
        off_topic=turn.off_topic,
    )


def syntheses(debate: Conversation, talk: Talk) -> tuple[SynthesisRow, ...]:
    said = {turn.id: turn.content for turn in talk.turns}
    return tuple(
        SynthesisRow(
            turn=s.turn,
            act=s.act,
            text=said[s.turn],
            next_step=s.next_step,
            closing=s.closing,
            accepted=s.accepted,
            dissent=tuple(DissentRow(agent=d.agent, name=name_of(debate, d.agent), why=d.why) for d in s.dissent),
        )
        for s in talk.syntheses
    )


def questions(talk: Talk) -> tuple[QuestionRow, ...]:
    answers = {a.turn: a.answer for a in talk.answers}
    return tuple(
        QuestionRow(turn=q.turn, question=q.question, open=q.turn not in answers, answer=answers.get(q.turn, ""))
        for q in talk.questions
    )


def metrics(events: Sequence[TalkEvent], talk: Talk, usage: Usage) -> TurnMetrics:
    refused = [e for e in events if isinstance(e, TurnRefused)]
    spoken = [e for e in events if isinstance(e, TurnSpoken)]
    return TurnMetrics(
        turns_refused=len(refused),
        reasons_refused=dict(sorted(Counter(str(r.rule) for e in refused for r in e.refusals).items())),
        turns_revised=count_revised(events),
        turns_flagged=sum(bool(e.flags) for e in spoken),
        turns_dropped=sum(e.outcome == "dropped" for e in refused),
        entailments=dict(sorted(Counter(str(tag) for e in spoken for tag in e.entailments).items())),
        claims=sum(e.claims for e in spoken),
        links=sum(e.links for e in spoken),
        compression=compression.compression(talk),
        off_topic=sum(e.off_topic for e in spoken),
        asks_failed=sum(isinstance(e, AskFailed) for e in events),
        calls=usage.calls,
        tokens_in=usage.tokens_in,
        tokens_out=usage.tokens_out,
    )


def count_revised(events: Sequence[TalkEvent]) -> int:
    """Turns of which a draft was sent back and that were then said by the same speaker."""
    found, waiting = 0, set[AgentId]()
    for event in events:
        match event:
            case TurnRefused(agent=agent, outcome="dropped"):
                waiting.discard(agent)
            case TurnRefused(agent=agent):
                waiting.add(agent)
            case TurnSpoken(agent=agent):
                found += agent in waiting
                waiting.discard(agent)
            case _:
                pass
    return found
