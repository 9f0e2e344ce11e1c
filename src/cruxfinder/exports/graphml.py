"""A run as GraphML: agents, threads, questions and messages as nodes, and between them edges that say what they are."""

from collections.abc import Callable, Iterator
from typing import Final

from cruxfinder.crux.events import MessagePosted, ModeratorIntervention
from cruxfinder.crux.result import Result, ThreadResult
from cruxfinder.crux.thread_crux import CruxResult
from cruxfinder.exports.exported_run import Renderers, RunWithMinutes, RunWithResult
from cruxfinder.exports.graphml_text import Edge, Held, Node, token, xml
from cruxfinder.kernel.protocol import OutcomeKind
from cruxfinder.kernel.vocabulary import MODERATOR
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.talk.minutes import Minutes
from cruxfinder.telling.export_text import clean
from cruxfinder.telling.outcomes import Names, Outcome, is_over, names_of

TOPIC: Final = "topic"


def render_result(run: RunWithResult) -> str:
    result, events, names = run.outcome, run.events, names_of(run.outcome)
    known = [*people(result, names, lambda agent: private(result, agent)), moderator(names)]
    nodes = [*known, *threads(result), *questions(result), *messages(events, names)]
    edges = [*sides(result), *between_questions(result), *of_threads(result), *of_messages(events)]
    return graph(run.id, result, nodes, edges)


def render_minutes(run: RunWithMinutes) -> str:
    told, names = run.outcome, names_of(run.outcome)
    return graph(run.id, told, [*people(told, names), *turns(told, names)], list(between_turns(told)))


def graph(run: str, outcome: Outcome, nodes: list[Node], edges: list[Edge]) -> str:
    placed = {node.id for node in nodes}
    about: Held = {
        "run": run,
        "topic": clean(outcome.topic),
        "protocol": str(outcome.protocol),
        "seed": outcome.seed,
        "verdict": outcome.verdict.value,
        "over": is_over(outcome),
    }
    # What names somebody who has no place in the run, such as a person who only watched, joins nothing.
    return xml(about, nodes, [e for e in edges if e.source in placed and e.target in placed])


def people(outcome: Outcome, names: Names, private: Callable[[str], Held] = lambda _: {}) -> Iterator[Node]:
    """The topic, and everybody with what is known of them in private."""
    yield Node(id=TOPIC, held={"kind": "topic", "label": clean(outcome.topic)})
    for agent in outcome.agents:
        held: Held = {"kind": "agent", "label": names[agent.id], "agent": agent.id, "about": clean(agent.about)}
        yield Node(id=token("agent", agent.id), held=held | private(agent.id))


def moderator(names: Names) -> Node:
    held: Held = {"kind": "moderator", "label": names[MODERATOR], "agent": str(MODERATOR)}
    return Node(id=token("agent", MODERATOR), held=held)


def private(result: Result, agent: str) -> Held:
    found = result.private_positions.get(agent)
    held: Held = {"camp": next(a.camp for a in result.agents if a.id == agent)}
    if found is not None:
        held["chance"] = found.p_top
        if found.p_top_after is not None:
            held["chance_after"] = found.p_top_after
    for number, together in enumerate(result.coalitions, start=1):
        if agent in together.members:
            held["coalition"] = number
    return held


def threads(result: Result) -> Iterator[Node]:
    for thread in result.threads:
        held: Held = {
            "kind": "thread",
            "label": clean(thread.topic),
            "status": thread.status.value,
            "verdict": thread.verdict.value,
        }
        yield Node(id=token("thread", thread.id), held=held)


def questions(result: Result) -> Iterator[Node]:
    """Every question that was weighed, once; those of a crux have their figures as locked."""
    for thread in result.threads:
        for tested in thread.tested:
            crux = thread.crux if thread.crux is not None and thread.crux.id == tested.id else None
            best = tested if crux is None else crux
            held: Held = {
                "kind": "question" if crux is None else "crux",
                "label": clean(tested.question),
                "yes_means": clean(tested.yes_means),
                "no_means": clean(tested.no_means),
                "rank": best.rank,
                "explained_share": best.explained_share,
                "gap_closed": best.gap_closed,
                "dcg": best.dcg.score,
                "locked": tested.locked,
                "primary": tested.id == result.primary_crux,
            }
            if crux is not None:
                held["validated"] = crux.validated
            yield Node(id=token("crux", tested.id), held=held)


def messages(events: tuple[AnyEvent, ...], names: Names) -> Iterator[Node]:
    for event in events:
        if isinstance(event, MessagePosted | ModeratorIntervention):
            by = MODERATOR if isinstance(event, ModeratorIntervention) else event.agent
            kind = "intervention" if isinstance(event, ModeratorIntervention) else event.move.kind.value
            held: Held = {
                "kind": "message",
                "label": f"{event.id} {names.get(by, by)}",
                "move": kind,
                "text": clean(event.content),
                "at_ms": event.at_ms,
            }
            yield Node(id=token("message", event.id), held=held)


def sides(result: Result) -> Iterator[Edge]:
    """Who takes which side of which crux, and who put whose case to whom."""
    for thread in result.threads:
        crux = thread.crux
        if crux is None:
            continue
        for agent, position in crux.positions.items():
            held: Held = {
                "kind": "commits",
                "label": position.side_after.value,
                "side_at_lock": position.side.value,
                "confidence": position.confidence,
            }
            yield Edge(source=token("agent", agent), target=token("crux", crux.id), held=held)
        yield from steelmans(crux)


def steelmans(crux: CruxResult) -> Iterator[Edge]:
    for pair in crux.steelman_pairs:
        held: Held = {"kind": "steelmans", "label": pair.grade.value, "attempts": pair.attempts, "on": crux.id}
        yield Edge(source=token("agent", pair.from_), target=token("agent", pair.to), held=held)


def between_questions(result: Result) -> Iterator[Edge]:
    for d in result.dependencies:
        held: Held = {
            "kind": "bears_on",
            "label": d.type.value,
            "confidence": d.confidence,
            "text": clean(d.entailment_sketch),
        }
        yield Edge(source=token("crux", d.from_), target=token("crux", d.to), held=held)
    for pair in result.duplicates:
        yield Edge(source=token("crux", pair.copy), target=token("crux", pair.kept), held={"kind": "same_as"})


def of_threads(result: Result) -> Iterator[Edge]:
    for thread in result.threads:
        here = token("thread", thread.id)
        yield Edge(source=here, target=origin(thread), held={"kind": "opened_from"})
        if thread.merged_into is not None:
            yield Edge(source=here, target=token("thread", thread.merged_into), held={"kind": "joined"})
        for tested in thread.tested:
            yield Edge(source=token("crux", tested.id), target=here, held={"kind": "asked_in"})
        crux = thread.crux
        if crux is not None:
            for message in crux.supporting_messages:
                yield Edge(source=token("message", message), target=token("crux", crux.id), held={"kind": "grounds"})


def origin(thread: ThreadResult) -> str:
    return TOPIC if thread.parent is None else token("thread", thread.parent)


def of_messages(events: tuple[AnyEvent, ...]) -> Iterator[Edge]:
    for event in events:
        match event:
            case MessagePosted():
                here = token("message", event.id)
                yield Edge(source=token("agent", event.agent), target=here, held={"kind": "said"})
                yield Edge(source=here, target=token("thread", event.thread), held={"kind": "in"})
                if event.reply_to is not None:
                    yield Edge(source=here, target=token("message", event.reply_to), held={"kind": "answers"})
            case ModeratorIntervention():
                here = token("message", event.id)
                yield Edge(source=token("agent", MODERATOR), target=here, held={"kind": "said"})
                yield Edge(source=here, target=token("thread", event.thread), held={"kind": "in"})
            case _:
                pass


def turns(told: Minutes, names: Names) -> Iterator[Node]:
    for turn in told.turns:
        held: Held = {
            "kind": "turn",
            "label": f"{turn.id} {names.get(turn.agent, turn.agent)}",
            "move": turn.type.value,
            "text": clean(turn.content),
            "number": turn.number,
        }
        if turn.side is not None:
            held["side"] = turn.side.value
        yield Node(id=token("message", turn.id), held=held)


def between_turns(told: Minutes) -> Iterator[Edge]:
    for turn in told.turns:
        here = token("message", turn.id)
        yield Edge(source=token("agent", turn.agent), target=here, held={"kind": "said"})
        if turn.reply_to is not None:
            yield Edge(source=here, target=token("message", turn.reply_to), held={"kind": "answers"})
    for agent in told.agents:
        if agent.side is not None:
            held: Held = {"kind": "stands", "label": agent.side.value}
            yield Edge(source=token("agent", agent.id), target=TOPIC, held=held)
    for given in told.syntheses:
        here = token("message", given.turn)
        for agent in given.accepted:
            yield Edge(source=token("agent", agent), target=here, held={"kind": "accepts"})
        for row in given.dissent:
            held = {"kind": "dissents", "text": clean(row.why)}
            yield Edge(source=token("agent", row.agent), target=here, held=held)


RENDERERS: Final[Renderers] = {OutcomeKind.RESULT: render_result, OutcomeKind.MINUTES: render_minutes}
