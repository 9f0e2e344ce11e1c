"""One crux in Markdown: its two answers, its figures, who holds what, what would change each mind, the steelmans."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.thread_crux import Crux, EvidenceItem
from cruxfinder.exports.markdown_text import bullets, part, said, table
from cruxfinder.kernel.vocabulary import Grade
from cruxfinder.language.counts import listed
from cruxfinder.telling.outcomes import SIDES, Asked, Mover, Names, flipping, movers, seated, state, sure
from cruxfinder.telling.safe_text import bare, percent, sentence

GRADES: Final = {
    Grade.PENDING: "not graded",
    Grade.ACCURATE: "accurate",
    Grade.INCOMPLETE: "incomplete",
    Grade.WRONG: "wrong",
}


def section(asked: Asked, names: Names) -> Iterator[str]:
    crux = asked.crux
    first = ", primary" if asked.primary else ""
    yield f"## Crux {asked.id}: {said(crux.question)}"
    yield ""
    yield f"*{said(state(asked))}{first}*"
    yield ""
    yield from bullets(
        (f"**YES** means: {said(sentence(crux.yes_means))}", f"**NO** means: {said(sentence(crux.no_means))}")
    )
    yield from table(("figure", "value", "what it says"), figures(crux, names))
    yield from part(3, "What they hold", table(("who", "side", "sure", "what", "because"), held(crux, names)))
    yield from part(3, "What would change each mind", bullets(mover(m, names) for m in movers(crux, names)))
    yield from part(3, "Evidence", bullets(evidence(crux, names)))
    yield from part(3, "Steelmans", table(("by", "of", "grade", "tries", "graded by"), steelmans(crux, names)))
    yield from part(3, "What was granted", bullets(granted(crux, names)))
    yield from part(3, "Doubts", bullets(doubts(crux, names)))


def figures(crux: Crux, names: Names) -> Iterator[tuple[str, str, str]]:
    dcg = crux.dcg
    yield "explained share", percent(crux.explained_share), "of the gap between the camps comes from this question"
    yield "gap closed", percent(crux.gap_closed), "of the gap would go if the answer were known"
    if crux.counterfactual:
        flips = flipping(crux)
        who = said(listed([names.get(a, a) for a in flips])) if flips else "nobody"
        yield "would flip", f"{len(flips)} of {len(crux.counterfactual)}", f"on the topic, with the answer: {who}"
    parts = f"coverage {dcg.coverage:.2f} × polarity {dcg.polarity:.2f} × impact {dcg.impact:.2f}"
    yield "DCG", f"{dcg.score:.2f}", parts
    yield "rank", f"{crux.rank:.2f}", "what the cruxes are ordered by"
    if crux.dominant_horizon is not None:
        yield "span of time", crux.dominant_horizon.value, "that most answer for"


def held(crux: Crux, names: Names) -> Iterator[tuple[str, ...]]:
    for agent in seated(crux, names):
        told = crux.positions[agent]
        side = SIDES[told.side_after]
        if told.side is not told.side_after:
            side += f" (was {SIDES[told.side]})"
        if told.excused:
            side += " (excused)"
        yield (
            said(names.get(agent, agent)),
            side,
            sure(told),
            said(sentence(told.statement)),
            said(sentence(told.reason)),
        )


def mover(found: Mover, names: Names) -> str:
    """Who, off which side, by what, until when."""
    item = found.item
    who = f"**{said(names.get(found.agent, found.agent))}**, off {SIDES[found.side]}"
    until = f", **{said(bare(item.deadline))}**" if item.deadline else ""
    told = [f"{who}: {said(bare(item.metric))}: {said(bare(item.threshold))}{until}."]
    if item.reasoning:
        told.append(said(sentence(item.reasoning)))
    if item.open_ended:
        told.append("(No date settles it.)")
    if item.drafted_by_moderator:
        told.append("(Drafted by the moderator, and accepted.)")
    brought = [f"{len(p)} {word}" for p, word in ((item.evidence_for, "for"), (item.evidence_against, "against")) if p]
    if brought:
        told.append(f"Evidence: {listed(brought)} it being met.")
    return " ".join(told)


def evidence(crux: Crux, names: Names) -> Iterator[str]:
    """Each piece once, in the order in which it was brought."""
    bears: dict[str, list[str]] = {}
    for found in movers(crux, names):
        name = said(names.get(found.agent, found.agent))
        for word, pieces in (("for", found.item.evidence_for), ("against", found.item.evidence_against)):
            for piece in pieces:
                bears.setdefault(piece.message, []).append(f"{word} {name}'s test being met")
    once = {piece.message: piece for piece in crux.evidence_provided}
    yield from (brought(piece, names, bears.get(piece.message, [])) for piece in once.values())


def brought(piece: EvidenceItem, names: Names, bears: list[str]) -> str:
    where = f" Source: {said(sentence(piece.source))}" if piece.source else ""
    on = f", {listed(bears)}" if bears else ""
    who = f"**{said(names.get(piece.agent, piece.agent))}** ({piece.message}{on})"
    return f"{who}: {said(sentence(piece.evidence))}{where}"


def steelmans(crux: Crux, names: Names) -> Iterator[tuple[str, ...]]:
    for pair in crux.steelman_pairs:
        by = said(names.get(pair.graded_by, pair.graded_by))
        who = said(names.get(pair.from_, pair.from_)), said(names.get(pair.to, pair.to))
        yield *who, GRADES[pair.grade], str(pair.attempts), by


def granted(crux: Crux, names: Names) -> Iterator[str]:
    for agent in seated(crux, names):
        for point in crux.positions[agent].concessions:
            yield f"**{said(names.get(agent, agent))}** grants: {said(sentence(point))}"


def doubts(crux: Crux, names: Names) -> Iterator[str]:
    """Why it is no validated crux, and who does not see themselves in it."""
    for failure in crux.validation_failures:
        yield f"{said(sentence(failure.reason))} ({failure.rule})"
    for objection in crux.objections:
        word = "objects" if objection.stands else "objected, and it was worded anew"
        yield f"**{said(names.get(objection.agent, objection.agent))}** {word}: {said(sentence(objection.objection))}"
