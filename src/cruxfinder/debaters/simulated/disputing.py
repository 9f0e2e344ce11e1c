"""What a simulated debater says in EVIDENCE: own up to a changed mind, concede, rebut, bring evidence."""

from typing import Final

from cruxfinder.crux.law.flood import is_open_to_reply
from cruxfinder.crux.law.probes import side_of, top_side_of
from cruxfinder.crux.moves import (
    ChallengeEvidence,
    Concede,
    Draft,
    ProvideEvidence,
    UpdatePosition,
)
from cruxfinder.crux.thread import Message, find_message, number_of
from cruxfinder.debaters.simulated.believer import Shift, opposite, speaks_for
from cruxfinder.debaters.simulated.discovery import propose
from cruxfinder.debaters.simulated.draft_context import DraftContext
from cruxfinder.debaters.simulated.hearing import PropositionMatch
from cruxfinder.debaters.simulated.locking import steelman
from cruxfinder.debaters.simulated.speech import (
    CONCEDES,
    EVIDENCE,
    REBUTTALS,
    SHIFTS,
    TURNS,
    UPDATES,
    compose,
    sentence,
    unused_exhibits,
    without_stop,
)
from cruxfinder.kernel.pack import Rebuttal
from cruxfinder.kernel.vocabulary import AgentId, Attack, Direction, MessageId, Side, TopSide

NOTABLE: Final = 0.12  # log-odds a piece of evidence must have moved it by
CONCEDE_ODDS: Final = 0.45
DEEPEN_ODDS: Final = 0.06
REBUT_ODDS: Final = 0.6
MOVED_MIN: Final = 0.08  # confidence
PLAIN_REBUTTALS: Final = (
    Rebuttal(attacks=Attack.MEASUREMENT, why="one source counted it in one way; counted otherwise the figure moves."),
    Rebuttal(attacks=Attack.CAUSAL_LINK, why="the two things went together there; that is not one causing the other."),
    Rebuttal(
        attacks=Attack.MEASUREMENT, why="the sample was chosen after the fact, so it could hardly come out otherwise."
    ),
    Rebuttal(attacks=Attack.CAUSAL_LINK, why="something else changed at the same time and would explain it as well."),
)


def argue(sheet: DraftContext) -> Draft | None:
    heard = sheet.crux()
    if sheet.ask.refused and (remedy := after_refusal(sheet)) is not None:
        return remedy
    if heard is None:
        return None
    return (
        announce_side_change(sheet, heard)
        or update(sheet, heard)
        or (deepen(sheet) if sheet.odds(DEEPEN_ODDS) else None)
        or (concede(sheet, heard) if sheet.odds(CONCEDE_ODDS) else None)
        or (rebut(sheet, heard) if sheet.odds(REBUT_ODDS) else None)
        or bring_evidence(sheet, heard)
        or rebut(sheet, heard)
        or concede(sheet, heard)
    )


def deepen(sheet: DraftContext) -> Draft | None:
    """Name a question behind this one, if it sees one that nobody has asked anywhere."""
    return propose(sheet) if sheet.me in sheet.thread.commitments else None


def after_refusal(sheet: DraftContext) -> Draft | None:
    """A challenge sent back for want of a steelman: offer the steelman."""
    if not any(r.rule == "STEEL-1" for r in sheet.ask.refused):
        return None
    for message in reversed(sheet.thread.evidence):
        open_to_me = message.agent != sheet.me and message.id not in sheet.thread.answered
        if open_to_me and (sheet.me, message.agent) not in sheet.thread.tries:
            return steelman(sheet, message.agent, corrected=False)
    return None


def latest_mover(sheet: DraftContext) -> tuple[MessageId, AgentId] | None:
    """The evidence that moved it most lately, and who brought it."""
    for shift in reversed(sheet.believer.shifts[-6:]):
        said = find_message(sheet.thread, shift.message)
        if said is not None:
            return said.id, said.agent
    return None


def announce_side_change(sheet: DraftContext, heard: PropositionMatch) -> Draft | None:
    """Its public answer on the topic has changed sides, and not by the noise of one answer: say so, naming the point
    that is granted."""
    stated = sheet.record.tops.get(sheet.me)
    now = top_side_of(sheet.believer.public_top(sheet.rng.gauss(0.0, 1.0)))
    if stated is None or now is stated.side or TopSide.NUANCED in (now, stated.side):
        return None
    if top_side_of(sheet.believer.public_top(0.0)) is not now:
        return None
    if not has_evidence_since_change(sheet):
        return None
    by = latest_mover(sheet)
    point = most_telling_point(sheet, heard, now)
    content = compose(
        TURNS,
        sheet.rng,
        sheet.said,
        point=sheet.voice.mid_sentence(point),
        before=str(stated.side),
        after=str(now),
    )
    move = Concede(proposition=point, top_changed=True, side_before=stated.side, side_after=now)
    return Draft(move=move, content=content, reply_to=reply_target(sheet, by))


def has_evidence_since_change(sheet: DraftContext) -> bool:
    """Who has turned once turns again only after new evidence."""
    turned = [
        number_of(m.id)
        for thread in sheet.record.threads.values()
        for m in thread.concessions
        if m.agent == sheet.me and isinstance(m.move, Concede) and m.move.top_changed
    ]
    return not turned or any(number_of(s.message) > max(turned) for s in sheet.believer.shifts)


def most_telling_point(sheet: DraftContext, heard: PropositionMatch, now: TopSide) -> str:
    """The point it holds itself that speaks most for the side it turns to; the crux, where none does."""
    chances = sheet.chances
    sign = 1.0 if now is TopSide.YES else -1.0
    for_it = [sign * (c - 0.5) * (chances.p1[n] - chances.p0[n]) for n, c in enumerate(chances.c)]
    place = max(range(len(for_it)), key=for_it.__getitem__)
    if for_it[place] > 0:
        return sheet.voice.stance(place, chances.c[place] >= 0.5)
    leads_to_yes = chances.p1[heard.place] >= chances.p0[heard.place]
    return sheet.voice.stance(heard.place, leads_to_yes == (now is TopSide.YES))


def reply_target(sheet: DraftContext, by: tuple[MessageId, AgentId] | None) -> MessageId | None:
    """A message that still takes replies, or the thread at large."""
    return by[0] if by is not None and is_open_to_reply(sheet.thread, by[0]) else None


def update(sheet: DraftContext, heard: PropositionMatch) -> Draft | None:
    held = sheet.thread.commitments.get(sheet.me)
    by = latest_mover(sheet)
    if held is None or by is None:
        return None
    before = sheet.thread.sides.get(sheet.me, held.side)
    yes = sheet.crux_credence(heard)
    after, confidence = side_of(yes), round(max(yes, 1 - yes), 2)
    last = next(
        (m.move.confidence_after for m in reversed(sheet.thread.stage_messages)
         if m.agent == sheet.me and isinstance(m.move, UpdatePosition)),
        held.confidence,
    )  # fmt: skip
    if after is before and abs(confidence - last) < MOVED_MIN:
        return None
    content = compose(
        SHIFTS if after is before else UPDATES,
        sheet.rng,
        sheet.said,
        name=sheet.name(by[1]),
        before=str(before),
        after=str(after),
        percent=f"{confidence:.0%}",
    )
    move = UpdatePosition(
        side_before=before,
        side_after=after,
        confidence_before=last,
        confidence_after=confidence,
        moved_by=by[0],
    )
    return Draft(move=move, content=content, reply_to=reply_target(sheet, by))


def concede(sheet: DraftContext, heard: PropositionMatch) -> Draft | None:
    """Grant a piece of evidence that moved it, once, keeping the top claim."""
    granted = {m.reply_to for m in sheet.thread.concessions if m.agent == sheet.me}
    for shift in reversed(sheet.believer.shifts):
        said = find_message(sheet.thread, shift.message)
        if abs(shift.log_odds) < NOTABLE or said is None or said.id in granted or helps_own_side(sheet, heard, shift):
            continue
        if not isinstance(said.move, ProvideEvidence) or not is_open_to_reply(sheet.thread, said.id):
            continue
        point = without_stop(said.move.evidence)
        content = compose(
            CONCEDES, sheet.rng, sheet.said, name=sheet.name(said.agent), point=sheet.voice.mid_sentence(point)
        )
        return Draft(move=Concede(proposition=point, top_changed=False), content=content, reply_to=said.id)
    return None


def helps_own_side(sheet: DraftContext, heard: PropositionMatch, shift: Shift) -> bool:
    """Evidence for its own side is nothing to concede."""
    own = sheet.thread.sides.get(sheet.me, Side.UNCERTAIN)
    towards_yes = (shift.log_odds > 0) is heard.affirms
    return own is (Side.YES if towards_yes else Side.NO)


def rebut(sheet: DraftContext, heard: PropositionMatch) -> Draft | None:
    """Attack evidence that speaks against its side: measurement or causal link."""
    own = sheet.thread.sides.get(sheet.me, Side.UNCERTAIN)
    challenged = {m.move.target for m in sheet.thread.stage_messages if isinstance(m.move, ChallengeEvidence)}
    newest_first = tuple(reversed(sheet.thread.evidence))
    for message in sorted(newest_first, key=lambda m: m.id != sheet.ask.answers):
        if message.agent == sheet.me or message.id in challenged or not isinstance(message.move, ProvideEvidence):
            continue
        if not is_open_to_reply(sheet.thread, message.id):
            continue
        for_side = speaks_for(sheet.thread, message.move)
        if own is not Side.UNCERTAIN and for_side is own:
            continue
        against = rebuttal(sheet, heard, message)
        if against is None:
            continue
        content = compose(
            REBUTTALS,
            sheet.rng,
            sheet.said,
            name=sheet.name(message.agent),
            why=sentence(against.why),
            why_=sheet.voice.mid_sentence(sentence(against.why)),
        )
        move = ChallengeEvidence(target=message.id, attacks=against.attacks, why=against.why)
        return Draft(move=move, content=content, reply_to=message.id)
    return None


def rebuttal(sheet: DraftContext, heard: PropositionMatch, message: Message) -> Rebuttal | None:
    assert isinstance(message.move, ProvideEvidence)
    text = message.move.evidence
    exhibits = sheet.believer.propositions[heard.place].exhibits
    known = next((x.rebuttals for x in exhibits if x.text == text), ())
    used = {m.move.why for m in sheet.thread.stage_messages if isinstance(m.move, ChallengeEvidence)}
    fresh = [r for r in (*known, *PLAIN_REBUTTALS) if r.why not in used]
    return fresh[0] if fresh else None


def bring_evidence(sheet: DraftContext, heard: PropositionMatch) -> Draft | None:
    """Evidence for what it believes: an opponent's falsifier is being met, or its own is not."""
    yes = sheet.crux_credence(heard)
    side = Side.YES if yes >= 0.5 else Side.NO
    points = side if heard.affirms else opposite(side)
    fresh = unused_exhibits(sheet.believer.propositions[heard.place].exhibits, sheet.thread, points)
    target = falsifier_for(sheet, side)
    if not fresh or target is None:
        return None
    owner, number, direction = target
    shown = sheet.rng.choice(fresh[:3])
    whose = "my" if owner == sheet.me else f"{sheet.name(owner)}'s"
    content = compose(
        EVIDENCE,
        sheet.rng,
        sheet.said,
        text=shown.text,
        text_=sheet.voice.mid_sentence(shown.text),
        source=shown.source,
        whose=whose,
    )
    move = ProvideEvidence(
        evidence=shown.text, source=shown.source, falsifier_of=owner, number=number, direction=direction
    )
    return Draft(move=move, content=content, topics=(sheet.believer.propositions[heard.place].id,))


def falsifier_for(sheet: DraftContext, side: Side) -> tuple[AgentId, int, Direction] | None:
    """The falsifier on which least was said so far; an opponent's counts as met, one of its own side as missed."""
    counts = [
        (m.move.falsifier_of, m.move.number) for m in sheet.thread.evidence if isinstance(m.move, ProvideEvidence)
    ]
    found: list[tuple[int, AgentId, int, Direction]] = []
    for agent, helds in sheet.thread.falsifiers.items():
        owner = sheet.thread.commitments[agent].side
        if owner is Side.UNCERTAIN or not helds:
            continue
        direction = Direction.AGAINST if owner is side else Direction.FOR
        number = helds[-1].number
        found.append((counts.count((agent, number)), agent, number, direction))
    if not found:
        return None
    least = min(f[0] for f in found)
    _, agent, number, direction = sheet.rng.choice([f for f in found if f[0] == least])
    return agent, number, direction
