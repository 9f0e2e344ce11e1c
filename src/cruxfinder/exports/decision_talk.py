"""A conversation in turns as a decision record: the ruling or the merged position, and who cannot live with it."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.exports.markdown_text import bullets, escape, part
from cruxfinder.kernel.vocabulary import TopSide, Verdict
from cruxfinder.language.counts import join_names
from cruxfinder.talk.minutes import Minutes, TurnRow
from cruxfinder.talk.turns import CHAIRS, TurnType
from cruxfinder.telling.brief import brief_of
from cruxfinder.telling.export_text import clean, decision_question, sentence, strip_period
from cruxfinder.telling.outcomes import Names, facts, is_over
from cruxfinder.telling.wording import MEANINGS, RULINGS

RULED: Final = {
    TopSide.YES: "accepted by ruling",
    TopSide.NO: "rejected by ruling",
    TopSide.NUANCED: "proposed (ruled for neither side)",
}
STATUS: Final = {
    Verdict.CONSENSUS: "accepted by consensus",
    Verdict.NO_CONSENSUS: "proposed (not everybody can live with it)",
    Verdict.DISCUSSED: "draft (it was discussed, nothing was decided)",
}
OPTIONS: Final = ((TopSide.YES, "For"), (TopSide.NO, "Against"), (TopSide.NUANCED, "Something between"))


def record_of_talk(run: str, told: Minutes, names: Names) -> Iterator[str]:
    yield f"# {escape(strip_period(told.topic))}"
    yield ""
    speaking = [names[a.id] for a in told.agents if a.role not in CHAIRS]
    yield from bullets(
        (f"Status: {status(told)}", f"Deciders: {escape(join_names(speaking))}", f"Source: {facts(told)}")
    )
    yield from part(2, "Context", context(told))
    yield from part(2, "The question", (escape(decision_question(told.topic)), ""))
    yield from part(2, "Decision drivers", bullets(drivers(told, names)))
    yield from part(2, "Options", options(told, names))
    yield from part(2, "Decision", decision(told, names))
    yield from part(2, "Consequences", bullets(consequences(told, names)))
    yield from part(2, "What would reopen this decision", bullets(reopening_reasons(told, names)))


def status(told: Minutes) -> str:
    if not is_over(told):
        return "draft (the conversation is not over)"
    if told.ruling is not None:
        return RULED[told.ruling]
    return STATUS.get(told.verdict, "draft (nothing was decided)")


def context(told: Minutes) -> Iterator[str]:
    brief = brief_of(told)
    yield f"It was talked over in turns, as a {told.protocol}. {brief.headline}. {MEANINGS[told.verdict]}"
    yield ""
    if brief.ending:
        yield brief.ending
        yield ""


def drivers(told: Minutes, names: Names) -> Iterator[str]:
    """What each speaker opened with."""
    for agent in told.agents:
        first = next((t for t in told.turns if t.agent == agent.id and t.role not in CHAIRS), None)
        if first is not None:
            yield f"{escape(names[agent.id])}: {escape(first.content)}"


def options(told: Minutes, names: Names) -> Iterator[str]:
    for side, word in OPTIONS:
        who = [names[a.id] for a in told.agents if a.side is side and a.role not in CHAIRS]
        if who or side is not TopSide.NUANCED:
            yield f"### {word}: {escape(strip_period(told.topic))}" if side is not TopSide.NUANCED else f"### {word}"
            yield ""
            yield f"At the end: {escape(join_names(who))}."
            yield ""


def decision(told: Minutes, names: Names) -> Iterator[str]:
    """The ruling or the last synthesis, in the words it was given in."""
    turn = deciding_turn(told)
    if turn is None:
        yield "None yet."
    else:
        yield f"{ruling_prefix(told, turn)}{escape(names.get(turn.agent, turn.agent))}:"
        yield ""
        yield f"> {escape(turn.content)}"
    yield ""
    accepted = [names.get(a, a) for s in told.syntheses[-1:] for a in s.accepted]
    if accepted:
        yield f"Accepted by {escape(join_names(accepted))}."
        yield ""


def ruling_prefix(told: Minutes, turn: TurnRow) -> str:
    """How it was ruled, where the ruling itself does not begin with it."""
    if told.ruling is None or clean(turn.content).casefold().startswith(RULINGS[told.ruling].casefold()):
        return ""
    return f"{RULINGS[told.ruling]}. "


def deciding_turn(told: Minutes) -> TurnRow | None:
    ruled = next((t for t in reversed(told.turns) if t.type is TurnType.RULING), None)
    if ruled is not None or not told.syntheses:
        return ruled
    return next(t for t in told.turns if t.id == told.syntheses[-1].turn)


def consequences(told: Minutes, names: Names) -> Iterator[str]:
    for agent, what in told.conceded.items():
        yield f"{escape(names.get(agent, agent))} grants: {escape(sentence(what))}"
    for given in told.syntheses[-1:]:
        if given.next_step:
            yield f"Next: {escape(sentence(given.next_step))}"


def reopening_reasons(told: Minutes, names: Names) -> Iterator[str]:
    """Dissent and unanswered questions: a conversation asks nobody what would change their mind."""
    for given in told.syntheses[-1:]:
        for row in given.dissent:
            why = escape(sentence(row.why)) if row.why else "gave no reason."
            yield f"{escape(names.get(row.agent, row.agent))} dissents: {why}"
    for asked in told.questions:
        if not asked.answer:
            yield f"Nobody answered: {escape(asked.question)}"
    for turn in told.turns:
        if "test" in turn.entailments and turn.role not in CHAIRS:
            yield f"A test, as {escape(names.get(turn.agent, turn.agent))} put it ({turn.id}): {escape(turn.content)}"
