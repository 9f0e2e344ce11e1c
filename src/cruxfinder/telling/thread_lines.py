"""What an observer is told of threads: opened, joined, ended, and how their questions hang together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cruxfinder.crux import events
from cruxfinder.crux.law import threads
from cruxfinder.crux.state import Debate
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import AgentId, Relation, Trigger
from cruxfinder.language.counts import count_phrase, join_names, percent
from cruxfinder.telling.terminal_text import clean
from cruxfinder.telling.wording import BEARS, TRIGGERS

ThreadNews = (
    events.ThreadCreated
    | events.ThreadProposed
    | events.ThreadMerged
    | events.ThreadStale
    | events.ThreadConverged
    | events.ThreadFailed
    | events.CruxPromoted
    | events.CruxesRelated
    | events.CoalitionDetected
    | events.GlobalConvergence
)


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    tone: Literal["stage", "lock", "failure", "note"]
    badge: str
    text: str
    quiet: bool = False  # with one thread alone there is no news in how it ends


def news(debate: Debate, event: ThreadNews) -> News:
    """The news in an event about threads."""
    alone = not has_several_threads(debate)
    match event:
        case events.ThreadCreated() | events.ThreadProposed() | events.ThreadMerged() | events.ThreadStale():
            return thread_news(debate, event)
        case events.ThreadConverged():
            return News(tone="lock", badge="CONVERGED", text=f"{event.verdict}: {event.why}", quiet=alone)
        case events.ThreadFailed():
            text = "; ".join(r.reason for r in event.missing) or "no question could be locked"
            return News(tone="failure", badge="FAILED LOCK", text=text, quiet=alone)
        case events.CruxPromoted():
            asked = quote_text(threads.question_of(debate.threads[event.thread]))
            gone = "" if event.replaces is None else f"; it replaces {event.replaces}"
            text = f"now a main dispute (rank {event.rank:.2f}): {asked}{gone}"
            return News(tone="stage", badge="AGENDA", text=text, quiet=alone)
        case events.CruxesRelated():
            return News(tone="note", badge="RELATED", text=describe_relation(event))
        case events.CoalitionDetected():
            return News(tone="note", badge="COALITIONS", text=coalitions(debate, event))
        case events.GlobalConvergence():
            found = count_phrase(len(event.cruxes), "crux", "cruxes")
            text = f"{count_phrase(event.threads, 'thread')}, {found}, and nothing more is proposed"
            return News(tone="stage", badge="ALL ENDED", text=text, quiet=alone)


def has_several_threads(debate: Debate) -> bool:
    return len(debate.threads) > 1


def thread_news(
    debate: Debate, event: events.ThreadCreated | events.ThreadProposed | events.ThreadMerged | events.ThreadStale
) -> News:
    match event:
        case events.ThreadCreated(parent=None):
            return News(tone="stage", badge="THREAD", text=event.topic, quiet=True)
        case events.ThreadCreated():
            text = f"{quote_text(event.question or event.topic)}, from {event.parent}: {trigger_reason(event.trigger)}"
            at = "" if event.horizon is None else f", at {event.horizon}"
            return News(tone="stage", badge="NEW THREAD", text=f"{text}{at}{describe_members(debate, event)}")
        case events.ThreadProposed():
            raised = f", raised by {people(debate, event.supporters)}" if event.supporters else ""
            text = f"a thread on {quote_text(event.question or event.topic)}: {trigger_reason(event.trigger)}{raised}"
            return News(tone="note", badge="PROPOSED", text=text)
        case events.ThreadMerged():
            return News(tone="note", badge="MERGED", text=describe_merge(debate, event))
        case events.ThreadStale():
            what = "the thread ends without a crux" if event.ended else f"{event.stage} is over"
            return News(
                tone="failure" if event.ended else "note", badge="QUIET", text=f"nobody has more to say; {what}"
            )


def trigger_reason(trigger: Trigger | None) -> str:
    return "it is talked over by itself" if trigger is None else TRIGGERS[trigger]


def describe_members(debate: Debate, event: events.ThreadCreated) -> str:
    if not event.members or set(event.members) >= set(debate.agents):
        return ""
    return f"; {'only ' if event.only else ''}{people(debate, event.members)}"


def describe_merge(debate: Debate, event: events.ThreadMerged) -> str:
    goes_on = " and is one of the questions there" if event.adds else ""
    if event.thread is not None:
        return f"{event.thread} asks what {event.into} asks: they go on as one{goes_on and ', and its question moves'}"
    proposal = None if event.proposal is None else debate.proposals.get(event.proposal)
    asked = "the question" if proposal is None else quote_text(proposal.told.question or proposal.told.topic)
    return f"{asked} is what {event.into} asks already{goes_on}"


def describe_relation(event: events.CruxesRelated) -> str:
    if event.same:
        return f"{event.first} and {event.second} ask the same"
    told = [describe_bearing(d.relation, d.from_crux, d.to_crux) for d in event.dependencies]
    if event.root is not None:
        other = event.second if event.root == event.first else event.first
        told.append(f"{event.root} lies behind {other}")
    return (
        "; ".join((*told, *sketches(event.dependencies)))
        or f"{event.first} and {event.second} do not decide each other"
    )


def describe_bearing(relation: Relation, first: str, second: str) -> str:
    return BEARS[relation].format(first, second)


def sketches(found: Sequence[events.Dependency]) -> Iterator[str]:
    for d in found[:1]:
        yield f"{percent(d.confidence)} sure: {clean(d.sketch)}"


def coalitions(debate: Debate, event: events.CoalitionDetected) -> str:
    told = "; ".join(group(debate, g) for g in event.groups) or "nobody stands together"
    return f"{told} (preliminary)" if event.preliminary else told


def group(debate: Debate, held: events.DebateCoalition) -> str:
    label = f"{clean(held.label)}: " if held.label else ""
    sides = describe_sides([(str(thread), str(side)) for thread, side in held.positions])
    return f"{label}{people(debate, held.members)}{f' ({sides})' if sides else ''}"


def describe_sides(positions: Sequence[tuple[str, str]]) -> str:
    """Sides of threads, a side at a time: YES on t1 and t2, NO on t3."""
    by_side: dict[str, list[str]] = {}
    for thread, side in positions:
        by_side.setdefault(side, []).append(thread)
    return ", ".join(f"{side} on {join_names(found)}" for side, found in by_side.items())


def intervention_summary(debate: Debate, event: events.ModeratorIntervention) -> str:
    """What an intervention changes, in a few words."""
    if event.keeps:
        return f"split: {people(debate, event.keeps)} stay"
    if event.horizon is not None:
        return f"all at {event.horizon}"
    return f"invites {people(debate, event.to)}" if event.invites else ""


def people(debate: Debate, agents: Sequence[AgentId]) -> str:
    return join_names([clean(name_of(debate, a)) for a in agents])


def quote_text(text: str) -> str:
    return f'"{clean(text)}"'
