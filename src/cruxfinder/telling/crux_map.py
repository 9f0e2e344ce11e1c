"""What a card says of several cruxes: each with its sides, how they hang together, camps, coalitions, threads."""

from collections.abc import Iterator
from dataclasses import dataclass

from cruxfinder.crux.result import CoalitionResult, Result, ThreadResult
from cruxfinder.crux.thread_crux import CruxResult
from cruxfinder.kernel.vocabulary import Side, Status, Verdict
from cruxfinder.language.counts import count_phrase, join_names, percent
from cruxfinder.telling.outcomes import thread_ending
from cruxfinder.telling.terminal_text import clean, sentence
from cruxfinder.telling.thread_lines import describe_bearing, describe_sides, trigger_reason

Names = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CruxRow:
    """A crux on the map."""

    thread: str
    primary: bool
    rank: float
    share: float
    dcg: float
    question: str
    sides: tuple[tuple[str, str], ...]  # YES, NO or unsure, and who
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadRow:
    thread: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CruxMap:
    """All of it is empty for a debate of one thread, whose card is about its one question."""

    cruxes: tuple[CruxRow, ...] = ()
    links: tuple[str, ...] = ()
    camps: tuple[tuple[str, str], ...] = ()
    coalitions: tuple[str, ...] = ()
    threads: tuple[ThreadRow, ...] = ()


def map_of(result: Result, names: Names) -> CruxMap:
    if len(result.threads) < 2:
        return CruxMap()
    return CruxMap(
        cruxes=cruxes(result, names),
        links=tuple(links(result, names)),
        camps=tuple(camps(result, names)),
        coalitions=tuple(coalition(c, result, names) for c in result.coalitions),
        threads=tuple(ThreadRow(thread=t.id, text=thread_line(t)) for t in result.threads),
    )


def thread_of(crux: str) -> str:
    """Cruxes are named by thread and candidate, t1.c2; a thread locks one at most."""
    return crux.partition(".")[0]


def main_thread(result: Result) -> ThreadResult | None:
    """The thread of the primary crux, or else the first."""
    wanted = None if result.primary_crux is None else thread_of(result.primary_crux)
    return next((t for t in result.threads if t.id == wanted), result.threads[0] if result.threads else None)


def cruxes(result: Result, names: Names) -> tuple[CruxRow, ...]:
    """The primary crux, then the others by rank."""
    found = [
        CruxRow(
            thread=thread.id,
            primary=thread.crux.id == result.primary_crux,
            rank=thread.crux.rank,
            share=thread.crux.explained_share,
            dcg=thread.crux.dcg.score,
            question=clean(thread.crux.question),
            sides=tuple(sides(thread.crux, names)),
            note=note(thread, primary=thread.crux.id == result.primary_crux),
        )
        for thread in result.threads
        if thread.crux is not None and thread.merged_into is None
    ]
    return tuple(sorted(found, key=lambda row: (not row.primary, -row.rank)))


def note(thread: ThreadResult, *, primary: bool) -> str:
    """What is to be known of a crux besides its figures."""
    assert thread.crux is not None
    told = ["primary"] if primary else []
    if thread.verdict not in (Verdict.CRUX, Verdict.UNDECIDED):
        told.append(thread.verdict.value)
    if thread.verdict is Verdict.UNDECIDED and thread.status not in (Status.CONVERGED, Status.STALE):
        told.append("still open")
    if thread.horizon is not None:
        told.append(f"at {thread.horizon}")
    if thread.verdict is Verdict.CRUX and not thread.crux.validated:
        told.append("not validated")
    return ", ".join(told)


def sides(crux: CruxResult, names: Names) -> Iterator[tuple[str, str]]:
    for side, word in ((Side.YES, "YES"), (Side.NO, "NO"), (Side.UNCERTAIN, "unsure")):
        who = [name for a, name in names.items() if a in crux.positions and crux.positions[a].side_after is side]
        if who:
            yield word, join_names(who)


def links(result: Result, names: Names) -> Iterator[str]:
    """Which crux bears on which, what lies behind what, what is asked twice, and who contradicts themselves."""
    for root, below in result.implications.items():
        if below:
            yield f"Behind {join_names([thread_of(id) for id in below])} lies {thread_of(root)}."
    for d in result.dependencies:
        said = describe_bearing(d.type, thread_of(d.from_), thread_of(d.to))
        who = f"{names.get(d.by, d.by)} and {names.get(d.second_opinion, d.second_opinion)} agree"
        yield sentence(f"{said} ({percent(d.confidence)} sure, {who}): {clean(d.entailment_sketch)}")
    for pair in result.duplicates:
        yield f"The same is asked in {thread_of(pair.kept)} and {thread_of(pair.copy)}."
    for c in result.contradictions:
        where = f"{thread_of(c.first)} and {thread_of(c.second)}"
        yield sentence(f"{names.get(c.agent, c.agent)} holds on {where} what does not go together: {clean(c.why)}")
    apart = [thread_of(id) for id in result.irreducible_cruxes]
    if len(apart) > 1:
        yield f"Nothing was found behind {join_names(apart)}: each has both sides still, and is settled by itself."
    elif apart and len(result.root_cruxes) + sum(map(len, result.implications.values())) > 1:
        yield f"Nothing was found behind {apart[0]}, and it has both sides still."


def camps(result: Result, names: Names) -> Iterator[tuple[str, str]]:
    """The sides of the topic, in private."""
    for word, agents in (("YES", result.camps.yes), ("NO", result.camps.no)):
        if agents:
            yield word, join_names([names.get(a, a) for a in agents])


def coalition(held: CoalitionResult, result: Result, names: Names) -> str:
    """Agents who take the same sides of the cruxes, whatever they say of the topic."""
    told = {means for t in result.threads if t.crux is not None for means in (t.crux.yes_means, t.crux.no_means)}
    beliefs = [clean(b) for b in held.shared_beliefs if b not in told]
    label = f"{clean(held.label)}: " if held.label else ""
    sides = describe_sides([(thread_of(crux), side) for crux, side in held.positions.items()])
    text = f"{label}{join_names([names.get(a, a) for a in held.members])}{f' ({sides})' if sides else ''}"
    if beliefs:
        text += f"; they also hold: {'; '.join(beliefs)}"
    return f"{text} (preliminary)" if held.preliminary else text


def thread_line(thread: ThreadResult) -> str:
    told = ["the topic" if thread.parent is None else f"from {thread.parent}: {trigger_reason(thread.trigger)}"]
    told.append(thread_ending(thread))
    told.append(count_phrase(thread.messages, "message"))
    if thread.clarity != "CLEAR":
        told.append("needs clarification")
    return " · ".join(told)
