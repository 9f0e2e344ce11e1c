"""One crux in Markdown: its two answers, its figures, who holds what, what would change each mind, the steelmans."""

from collections.abc import Iterator

from cruxfinder.crux.law.crux_quality import SHARE_MIN
from cruxfinder.crux.thread_crux import CruxResult, EvidenceItem
from cruxfinder.exports.markdown_text import bullets, escape, part, table
from cruxfinder.language.counts import join_names, percent, percent_beside
from cruxfinder.telling.export_text import sentence, strip_period
from cruxfinder.telling.outcomes import (
    AgentFalsifier,
    CruxInThread,
    Names,
    agent_falsifiers,
    agents_with_side,
    confidence_text,
    state,
)
from cruxfinder.telling.wording import GAUGES, GRADES, SIDES, share_meaning


def section(asked: CruxInThread, names: Names) -> Iterator[str]:
    crux = asked.crux
    first = ", primary" if asked.primary else ""
    yield f"## Crux {asked.id}: {escape(crux.question)}"
    yield ""
    yield f"*{escape(state(asked))}{first}*"
    yield ""
    yield from bullets(
        (f"**YES** means: {escape(sentence(crux.yes_means))}", f"**NO** means: {escape(sentence(crux.no_means))}")
    )
    yield from table(("figure", "value", "what it says"), figures(crux, names))
    yield from part(3, "What they hold", table(("who", "side", "sure", "what", "because"), position_rows(crux, names)))
    yield from part(
        3, "What would change each mind", bullets(falsifier_line(m, names) for m in agent_falsifiers(crux, names))
    )
    yield from part(3, "Evidence", bullets(evidence(crux, names)))
    yield from part(3, "Steelmans", table(("by", "of", "grade", "tries", "graded by"), steelmans(crux, names)))
    yield from part(3, "What was granted", bullets(concession_lines(crux, names)))
    yield from part(3, "Doubts", bullets(doubts(crux, names)))


def figures(crux: CruxResult, names: Names) -> Iterator[tuple[str, str, str]]:
    dcg = crux.dcg
    share, closed, flipping, weight = (GAUGES[gauge] for gauge in ("share", "gapClosed", "flips", "dcg"))
    yield share[0], percent_beside(crux.explained_share, SHARE_MIN), share_meaning(crux.explained_share)
    yield closed[0], percent(crux.gap_closed), closed[1]
    if crux.counterfactual:
        flips = crux.would_flip
        who = escape(join_names([names.get(a, a) for a in flips])) if flips else "nobody"
        yield flipping[0], f"{len(flips)} of {len(crux.counterfactual)}", f"on the topic, with the answer: {who}"
    parts = f"coverage {dcg.coverage:.2f} × polarity {dcg.polarity:.2f} × impact {dcg.impact:.2f}"
    yield weight[0], f"{dcg.score:.2f}", parts
    yield "rank", f"{crux.rank:.2f}", "what the cruxes are ordered by"
    if crux.dominant_horizon is not None:
        yield "span of time", crux.dominant_horizon.value, "that most answer for"


def position_rows(crux: CruxResult, names: Names) -> Iterator[tuple[str, ...]]:
    for agent in agents_with_side(crux, names):
        told = crux.positions[agent]
        side = SIDES[told.side_after]
        if told.side is not told.side_after:
            side += f" (was {SIDES[told.side]})"
        if told.excused:
            side += " (excused)"
        yield (
            escape(names.get(agent, agent)),
            side,
            confidence_text(told),
            escape(sentence(told.statement)),
            escape(sentence(told.reason)),
        )


def falsifier_line(found: AgentFalsifier, names: Names) -> str:
    """Who, off which side, by what, until when."""
    item = found.item
    who = f"**{escape(names.get(found.agent, found.agent))}**, off {SIDES[found.side]}"
    until = f", **{escape(strip_period(item.deadline))}**" if item.deadline else ""
    told = [f"{who}: {escape(strip_period(item.metric))}: {escape(strip_period(item.threshold))}{until}."]
    if item.reasoning:
        told.append(escape(sentence(item.reasoning)))
    if item.open_ended:
        told.append("(No date settles it.)")
    if item.drafted_by_moderator:
        told.append("(Drafted by the moderator, and accepted.)")
    brought = [f"{len(p)} {word}" for p, word in ((item.evidence_for, "for"), (item.evidence_against, "against")) if p]
    if brought:
        told.append(f"Evidence: {join_names(brought)} it being met.")
    return " ".join(told)


def evidence(crux: CruxResult, names: Names) -> Iterator[str]:
    """Each piece once, in the order in which it was brought."""
    bears: dict[str, list[str]] = {}
    for found in agent_falsifiers(crux, names):
        name = escape(names.get(found.agent, found.agent))
        for word, pieces in (("for", found.item.evidence_for), ("against", found.item.evidence_against)):
            for piece in pieces:
                bears.setdefault(piece.message, []).append(f"{word} {name}'s test being met")
    once = {piece.message: piece for piece in crux.evidence_provided}
    yield from (evidence_line(piece, names, bears.get(piece.message, [])) for piece in once.values())


def evidence_line(piece: EvidenceItem, names: Names, bears: list[str]) -> str:
    where = f" Source: {escape(sentence(piece.source))}" if piece.source else ""
    on = f", {join_names(bears)}" if bears else ""
    who = f"**{escape(names.get(piece.agent, piece.agent))}** ({piece.message}{on})"
    return f"{who}: {escape(sentence(piece.evidence))}{where}"


def steelmans(crux: CruxResult, names: Names) -> Iterator[tuple[str, ...]]:
    for pair in crux.steelman_pairs:
        by = escape(names.get(pair.graded_by, pair.graded_by))
        who = escape(names.get(pair.from_, pair.from_)), escape(names.get(pair.to, pair.to))
        yield *who, GRADES[pair.grade], str(pair.attempts), by


def concession_lines(crux: CruxResult, names: Names) -> Iterator[str]:
    for agent in agents_with_side(crux, names):
        for point in crux.positions[agent].concessions:
            yield f"**{escape(names.get(agent, agent))}** grants: {escape(sentence(point))}"


def doubts(crux: CruxResult, names: Names) -> Iterator[str]:
    """Why it is no validated crux, and who does not see themselves in it."""
    for failure in crux.validation_failures:
        yield f"{escape(sentence(failure.reason))} ({failure.rule})"
    for objection in crux.objections:
        word = "objects" if objection.stands else "objected, and it was worded anew"
        yield (
            f"**{escape(names.get(objection.agent, objection.agent))}** {word}: {escape(sentence(objection.objection))}"
        )
