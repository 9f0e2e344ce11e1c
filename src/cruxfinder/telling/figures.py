"""The figures of a run, each counted in one place and called by one name; docs/reference/figures.md is made from this.

A surface that shows a number takes it from here, so that a card, a report and a tool never tell two.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import assert_never

from cruxfinder.crux.result import Result
from cruxfinder.crux.state import Debate
from cruxfinder.kernel.vocabulary import ADVOCATE, Verdict
from cruxfinder.language.counts import count_phrase
from cruxfinder.protocols.any_run import AnyState, Outcome
from cruxfinder.protocols.protocol_list import protocol_named
from cruxfinder.talk.minutes import Minutes
from cruxfinder.talk.state import Conversation

FOUND = (Verdict.CRUX, Verdict.UNRESOLVED, Verdict.PARTIAL)  # what makes a question a crux


def figure(one: str, many: str, meaning: str) -> int:
    """A field of Figures: what it is called for one and for several, and what is counted."""
    return field(default=0, metadata={"one": one, "many": many, "meaning": meaning})


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What can be counted of any run, over or not. What a protocol has none of is zero."""

    agents: int = figure(
        "agent", "agents", "Everybody at the table, chairs among them; not the devil's advocate, who has no vote."
    )
    threads: int = figure("thread", "threads", "Every thread that was opened, those that joined another among them.")
    messages: int = figure(
        "message",
        "messages",
        "What agents said, each once, whatever threads it stands in; what the moderator says is an intervention.",
    )
    turns: int = figure("turn", "turns", "What was said in a conversation, by speakers and chairs.")
    interventions: int = figure("intervention", "interventions", "What the moderator said.")
    refusals: int = figure(
        "draft sent back",
        "drafts sent back",
        "Drafts that a rule did not let pass as they were: sent back, dropped, or taken without a part. A draft that "
        "waits for its slot is none of them.",
    )
    held: int = figure("draft held", "drafts held", "Drafts that waited for a slot because too much was said at once.")
    dropped: int = figure("draft dropped", "drafts dropped", "Those of the drafts sent back that came to nothing.")
    lock_tries: int = figure("try to lock", "tries to lock", "Attempts to lock a question.")
    locks: int = figure("lock", "locks", "Those of them that held.")
    steelmans: int = figure("steelman", "steelmans", "Attempts to put somebody else's position.")
    questions: int = figure("question tested", "questions tested", "Questions with figures, in all threads.")
    cruxes: int = figure(
        "crux",
        "cruxes",
        "Threads that found a crux or a partial one, argued to its end or not; what joined another or asks the same "
        "again is not counted.",
    )
    flips: int = figure(
        "would flip",
        "would flip",
        "Of the primary crux: who takes a side of it and would, by their private answers, stand on the other side of "
        "the topic with the other answer.",
    )
    evidence: int = figure("piece of evidence", "pieces of evidence", "Messages that brought evidence on a crux.")
    concessions: int = figure("concession", "concessions", "Points granted, cheap ones among them.")
    changes: int = figure("change of side", "changes of side", "Public changes of side, on a crux or on the topic.")
    objections: int = figure("objection", "objections", "Objections to a crux, whether they stand or not.")
    coalitions: int = figure("coalition", "coalitions", "Groups that take the same sides of the cruxes.")
    shared: int = figure("statement shared", "statements shared", "What everybody holds in private.")
    failures: int = figure("answer missing", "answers missing", "Asks that were not answered.")
    calls: int = figure("call", "calls", "Requests to models.")
    tokens: int = figure("token", "tokens", "What these read and wrote.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureDefinition:
    """What a figure is called and what it counts."""

    name: str
    one: str
    many: str
    meaning: str


def definitions() -> Iterator[FigureDefinition]:
    for known in fields(Figures):
        told = known.metadata
        yield FigureDefinition(name=known.name, one=told["one"], many=told["many"], meaning=told["meaning"])


def figures_of(outcome: Outcome) -> Figures:
    """The figures of what a run came to, or has come to so far."""
    match outcome:
        case Result():
            return figures_of_result(outcome)
        case Minutes():
            return figures_of_minutes(outcome)
        case _:
            assert_never(outcome)


def figures_of_result(result: Result) -> Figures:
    metrics = result.system_metrics
    primary = next((t.crux for t in result.threads if t.crux is not None and t.crux.id == result.primary_crux), None)
    pieces = {e.message for t in result.threads if t.crux is not None for e in t.crux.evidence_provided}
    return Figures(
        agents=sum(agent.id != ADVOCATE for agent in result.agents),
        threads=len(result.threads),
        messages=result.total_messages,
        interventions=sum(metrics.interventions.values()),
        refusals=metrics.messages_blocked,
        held=metrics.messages_held,
        dropped=metrics.messages_dropped,
        lock_tries=metrics.crux_lock_attempts,
        locks=metrics.crux_lock_successes,
        steelmans=metrics.steelman_attempts,
        questions=sum(len(t.tested) for t in result.threads),
        cruxes=len(found_in(result)),
        flips=0 if primary is None else len(primary.would_flip),
        evidence=len(pieces),
        concessions=metrics.concessions,
        changes=sum(metrics.changes.values()),
        objections=metrics.objections,
        coalitions=len(result.coalitions),
        shared=len(result.common_ground),
        failures=metrics.ask_failures,
        calls=metrics.calls,
        tokens=metrics.tokens,
    )


def found_in(result: Result) -> tuple[str, ...]:
    """The ids of the questions that the disagreement was found to turn on, each once."""
    copies = {pair.copy for pair in result.duplicates}
    return tuple(
        t.crux.id
        for t in result.threads
        if t.crux is not None and t.merged_into is None and t.crux.id not in copies and t.verdict in FOUND
    )


def figures_of_minutes(told: Minutes) -> Figures:
    metrics = told.system_metrics
    return Figures(
        agents=len(told.agents),
        turns=told.total_turns,
        refusals=metrics.turns_refused,
        dropped=metrics.turns_dropped,
        concessions=len(told.conceded),
        failures=metrics.asks_failed,
        calls=metrics.calls,
        tokens=metrics.tokens_in + metrics.tokens_out,
    )


def count_said(state: AnyState) -> int:
    """Messages or turns so far, of a run that may not be over."""
    match state:
        case Debate():
            return state.spoken
        case Conversation():
            return len(state.talk.turns)
        case _:
            assert_never(state)


def said_text(outcome: Outcome) -> str:
    """How much was said, by the word of the protocol: "62 messages", "27 turns"."""
    return figure_text(figures_of(outcome), protocol_named(outcome.protocol).said_figure)


def figure_text(figures: Figures, name: str) -> str:
    """A figure with its word: "12 drafts sent back"."""
    told = next(d for d in definitions() if d.name == name)
    number: int = getattr(figures, name)
    return count_phrase(number, told.one, told.many)
