"""A run as Argdown: the topic and the cruxes as statements, what people hold as arguments for and against them."""

from collections.abc import Iterable, Iterator
from typing import Final

from cruxfinder.crux.result import Result
from cruxfinder.crux.thread_crux import CruxResult, EvidenceItem, TestedCandidate
from cruxfinder.exports.argdown_text import Datum, front_matter, heading, line, short_titles, title
from cruxfinder.exports.argdown_turns import turns
from cruxfinder.exports.exported_run import Renderers, RunWithMinutes, RunWithResult
from cruxfinder.kernel.protocol import OutcomeKind
from cruxfinder.kernel.vocabulary import Relation, Side
from cruxfinder.language.counts import count_phrase
from cruxfinder.telling.export_text import sentence, strip_period
from cruxfinder.telling.outcomes import (
    LEANS,
    AgentFalsifier,
    CruxInThread,
    Names,
    Outcome,
    agent_falsifiers,
    agents_with_side,
    cruxes,
    facts,
    headline,
    is_over,
    mean_lean,
    names_of,
    other_questions,
    state,
)

TOPIC: Final = "[Topic]"
UNDER: Final = {Side.YES: "+", Side.NO: "-"}  # how an argument bears on what it stands under
DECIDES: Final = {Relation.ENTAILS: "+>", Relation.SUPPORTS: "+>", Relation.CONTRADICTS: "->"}


def render_result(run: RunWithResult) -> str:
    return argdown_document(run.id, run.outcome, debate(run.outcome))


def render_minutes(run: RunWithMinutes) -> str:
    return argdown_document(run.id, run.outcome, turns(run.outcome))


def argdown_document(run: str, outcome: Outcome, body: Iterable[str]) -> str:
    """Blocks with an empty line between them, as Argdown wants them."""
    told = front_matter({"title": outcome.topic, "subTitle": f"{headline(outcome)} ({facts(outcome)})", "run": run})
    return "\n\n".join((told, *body)) + "\n"


def debate(result: Result) -> Iterator[str]:
    names = short_titles(names_of(result))
    found = cruxes(result)
    yield heading(1, "What it is about")
    yield "\n".join(topic(result, found))
    for asked in found:
        yield heading(1, f"Crux {asked.id}: {asked.crux.question}")
        yield "\n".join(statement(asked, result, names))
        yield from unsure_arguments(asked.crux, names)
    rest = other_questions(result)
    if rest:
        yield heading(1, "Also tested")
        yield from (tested_statement(t) for t in rest)
    if result.common_ground:
        yield heading(1, "Common ground")
        for number, shared in enumerate(result.common_ground, start=1):
            yield line(0, "", f"[Shared {number}]", sentence(shared.statement), "common-ground", shared.type)


def topic(result: Result, found: tuple[CruxInThread, ...]) -> Iterator[str]:
    """The topic and, below it, what bears on it; where there is no crux, what people hold of it in private."""
    held: dict[str, Datum] = {"verdict": result.verdict.value, "confidence": result.confidence, "over": is_over(result)}
    yield line(0, "", TOPIC, result.topic, "topic", result.verdict.value, held=held)
    for asked in found:
        lean = mean_lean(asked.crux)
        if abs(lean) >= LEANS:
            yield line(1, "+" if lean > 0 else "-", statement_title(asked.id), "")
    if not found:
        names = short_titles(names_of(result))
        for agent, private in result.private_positions.items():
            relation = "+" if private.p_top > 0.5 else "-"
            share = private.p_top if private.p_top_after is None else private.p_top_after
            yield line(
                1, relation, f"<{title(names[agent])}>", sentence(private.reason), "private", held={"chance": share}
            )


def statement_title(id: str) -> str:
    return f"[{title(id)}]"


def statement(asked: CruxInThread, result: Result, names: Names) -> Iterator[str]:
    """A crux as the statement that a YES stands for, with its NO, what bears on it and what it bears on."""
    crux = asked.crux
    tags = ("crux", state(asked), *(("primary",) if asked.primary else ()))
    yield line(0, "", statement_title(crux.id), sentence(crux.yes_means), *tags, held=figures(asked, crux))
    yield line(1, "><", f"[{title(f'{crux.id} NO')}]", sentence(crux.no_means), "no")
    for d in result.dependencies:
        if d.from_ == crux.id:
            yield line(1, DECIDES[d.type], statement_title(d.to), "")
    for agent in agents_with_side(crux, names):
        if crux.positions[agent].side_after in UNDER:
            yield from argument(crux, agent, names, depth=1)


def unsure_arguments(crux: CruxResult, names: Names) -> Iterator[str]:
    """Who is neither for nor against stands beside the crux: Argdown has no arrow for a doubt."""
    for agent in agents_with_side(crux, names):
        if crux.positions[agent].side_after not in UNDER:
            yield "\n".join(argument(crux, agent, names, depth=0))


def figures(asked: CruxInThread, crux: CruxResult) -> dict[str, Datum]:
    return {
        "question": crux.question,
        "thread": asked.thread.id,
        "rank": crux.rank,
        "explainedShare": crux.explained_share,
        "gapClosed": crux.gap_closed,
        "dcg": crux.dcg.score,
        "validated": crux.validated,
    }


def argument(crux: CruxResult, agent: str, names: Names, depth: int) -> Iterator[str]:
    """What somebody holds of a crux, and below it what would change that mind."""
    held = crux.positions[agent]
    named = f"<{title(f'{names.get(agent, agent)} on {crux.id}')}>"
    moved = () if held.side is held.side_after else (f"was {held.side}",)
    because = f", because {strip_period(held.reason)}" if held.reason else ""
    text = sentence(f"{strip_period(held.statement)}{because}")
    facts: dict[str, Datum] = {"agent": agent, "confidence": held.confidence}
    yield line(depth, UNDER.get(held.side_after, ""), named, text, held.side_after.value, *moved, held=facts)
    for mover in agent_falsifiers(crux, names):
        if mover.agent == agent:
            yield from falsifier(crux, mover, names, depth + 1)


def falsifier(crux: CruxResult, mover: AgentFalsifier, names: Names, depth: int) -> Iterator[str]:
    item = mover.item
    number = f" {item.number}" if item.number > 1 else ""
    named = f"<{title(f'What would move {names.get(mover.agent, mover.agent)} on {crux.id}{number}')}>"
    until = f", {strip_period(item.deadline)}" if item.deadline else ""
    text = (
        f"{sentence(f'{strip_period(item.metric)}: {strip_period(item.threshold)}{until}')} {sentence(item.reasoning)}"
    )
    yield line(depth, "-", named, text, "falsifier", held={"deadline": item.deadline})
    for relation, pieces in (("+", item.evidence_for), ("-", item.evidence_against)):
        for piece in pieces:
            yield evidence(relation, piece, names, depth + 1)


def evidence(relation: str, piece: EvidenceItem, names: Names, depth: int) -> str:
    named = f"<{title(f'{piece.message} by {names.get(piece.agent, piece.agent)}')}>"
    return line(depth, relation, named, sentence(piece.evidence), "evidence", held={"source": piece.source})


def tested_statement(found: TestedCandidate) -> str:
    flips = count_phrase(len(found.would_flip), "agent")
    held: dict[str, Datum] = {
        "question": found.question,
        "rank": found.rank,
        "explainedShare": found.explained_share,
        "wouldFlip": flips,
    }
    tags = ("tested", *(("partial",) if found.partial else ()))
    return line(0, "", statement_title(found.id), sentence(found.yes_means), *tags, held=held)


RENDERERS: Final[Renderers] = {OutcomeKind.RESULT: render_result, OutcomeKind.MINUTES: render_minutes}
