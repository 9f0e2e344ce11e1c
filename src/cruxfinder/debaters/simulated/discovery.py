"""What a simulated debater says in DISCOVERY: claim what weighs most, challenge what it doubts, name a question."""

from typing import Final

from cruxfinder.crux.law.moderator import ORBIT
from cruxfinder.crux.law.probes import top_side_of
from cruxfinder.crux.law.proposed_questions import asks_topic
from cruxfinder.crux.law.several_facts import SEVERAL
from cruxfinder.crux.law.stages import candidates_max
from cruxfinder.crux.law.threads import find_candidate_thread, find_proposal, words_as
from cruxfinder.crux.moves import Challenge, Claim, Clarify, Draft, ProposeCrux, Reframe
from cruxfinder.crux.thread import Message
from cruxfinder.debaters.simulated.draft_context import DraftContext
from cruxfinder.debaters.simulated.hearing import PropositionMatch
from cruxfinder.debaters.simulated.speech import (
    CLARIFIES,
    QUESTIONS,
    REFRAMES,
    capitalise_first,
    compose,
    sentence,
    without_stop,
)
from cruxfinder.kernel.vocabulary import TopSide

HEARD_FIRST: Final = 2  # claims of others to hear before naming a question
DISBELIEVED: Final = 0.42
TELLING: Final = 0.05  # slope below which a proposition does not matter to the topic
UNHEARD: Final = 0.6  # how much an unvoiced difference counts beside a voiced one
CLARIFY_ODDS: Final = 0.08
REFRAME_ODDS: Final = 0.06
CHALLENGE_ODDS: Final = 0.5
UNASKED: Final = 5  # messages after which naming a question matters more than one more dispute


def explore(sheet: DraftContext) -> Draft | None:
    thread = sheet.thread
    mine = [m for m in thread.claims if m.agent == sheet.me]
    others = [m for m in thread.claims if m.agent != sheet.me]
    if not mine and (len(others) < HEARD_FIRST or sheet.own_question() is not None):
        return claim(sheet) or challenge(sheet, others)
    if is_question_requested(sheet) and (question := propose(sheet)) is not None:
        return question
    if others and sheet.odds(CLARIFY_ODDS) and sheet.me not in thread.clarified:
        return clarify(sheet, others[-1])
    dispute = challenge(sheet, others)
    unasked = not thread.candidates and thread.counted >= UNASKED
    if dispute is not None and not unasked and (not thread.challenged or sheet.odds(CHALLENGE_ODDS)):
        return dispute
    question = propose(sheet) if others and sheet.own_question() is None else None
    if question is not None:
        return question
    if sheet.odds(REFRAME_ODDS) and (framing := reframe(sheet)) is not None:
        return framing
    return dispute or claim(sheet)


def claim(sheet: DraftContext) -> Draft | None:
    """The weightiest proposition nobody has claimed from this side yet; in a spawned thread, what it is about."""
    chances = sheet.chances
    own = sheet.own_question()
    if own is not None:
        mine = any(m.agent == sheet.me for m in sheet.thread.claims)
        return None if mine else draft_claim(sheet, own.place)
    voiced = {(h.place, h.affirms) for m in sheet.thread.claims if (h := match_claim(sheet, m)) is not None}
    places = sorted(range(len(chances.c)), key=lambda n: -chances.weight(n))
    fresh = [n for n in places if (n, chances.c[n] >= 0.5) not in voiced]
    if not fresh:
        return None
    return draft_claim(sheet, fresh[0])


def draft_claim(sheet: DraftContext, place: int) -> Draft:
    chances = sheet.chances
    affirms = chances.c[place] >= 0.5
    return Draft(
        move=Claim(
            proposition=sheet.voice.stance(place, affirms),
            reason=sheet.voice.reason(place, affirms),
            confidence=round(max(chances.c[place], 1 - chances.c[place]), 2),
            top_side=public_side(sheet),
            horizon=sheet.believer.persona.horizon,
        ),
        content=sheet.voice.claim(place, affirms, sheet.rng, sheet.said),
        topics=(sheet.believer.propositions[place].id,),
    )


def match_claim(sheet: DraftContext, message: Message) -> PropositionMatch | None:
    return sheet.ear.understand(message.move.proposition) if isinstance(message.move, Claim) else None


def public_side(sheet: DraftContext) -> TopSide:
    stated = sheet.record.tops.get(sheet.me)
    if stated is not None:
        return stated.side
    return top_side_of(sheet.believer.public_top(sheet.rng.gauss(0.0, 1.0)))


def challenge(sheet: DraftContext, others: list[Message]) -> Draft | None:
    """The most confident claim it disbelieves and nobody has challenged."""
    found: list[tuple[float, Message, int, bool]] = []
    disputed_before = {
        m.move.disputes for m in sheet.thread.messages if m.agent == sheet.me and isinstance(m.move, Challenge)
    }
    for message in others:
        heard = match_claim(sheet, message)
        if heard is None or message.id in sheet.thread.challenged or not isinstance(message.move, Claim):
            continue
        if message.move.proposition in disputed_before:
            continue
        believed = sheet.chances.c[heard.place] if heard.affirms else 1 - sheet.chances.c[heard.place]
        if believed < DISBELIEVED:
            found.append((believed, message, heard.place, not heard.affirms))
    if not found:
        return None
    asked = [f for f in found if f[1].id == sheet.ask.answers]
    _, message, place, affirms = min(asked or found, key=lambda f: (f[0], f[1].id))
    assert isinstance(message.move, Claim)
    disputed = message.move.proposition
    return Draft(
        move=Challenge(target=message.id, disputes=disputed, why=sheet.voice.reason(place, affirms)),
        content=sheet.voice.challenge(place, affirms, sheet.name(message.agent), disputed, sheet.rng, sheet.said),
        topics=(sheet.believer.propositions[place].id,),
        reply_to=message.id,
    )


def likely_cruxes(sheet: DraftContext) -> list[int]:
    """Propositions by how far the others seem to differ from it on something that decides the topic for it."""
    stances = sheet.ear.stances(sheet.thread)
    own_top = sheet.chances.p_top > 0.5
    opponents = {a for a, side in sheet.believer.tops.items() if a != sheet.me and (side is TopSide.YES) != own_top}
    scores: dict[int, float] = {}
    for place, c in enumerate(sheet.chances.c):
        slope = abs(sheet.chances.p1[place] - sheet.chances.p0[place])
        voiced = [stances[a, place] for a in opponents if (a, place) in stances]
        apart = abs(c - sum(voiced) / len(voiced)) if voiced else UNHEARD * abs(c - 0.5)
        if slope >= TELLING and not asks_topic(sheet.record, sheet.believer.propositions[place].question):
            scores[place] = slope * apart
    return sorted(scores, key=lambda n: -scores[n])


def propose(sheet: DraftContext) -> Draft | None:
    if len(sheet.thread.candidates) >= candidates_max(sheet.thread):
        return None
    for place in likely_cruxes(sheet):
        p = sheet.believer.propositions[place]
        if p.question in sheet.turned_down:
            continue
        is_same = words_as(p.question)
        if find_candidate_thread(sheet.record, is_same) is None and find_proposal(sheet.record, is_same) is None:
            yes, no = sentence(p.yes_means), sentence(p.no_means)
            parts = {"yes": yes, "no": no, "yes_": sheet.voice.mid_sentence(yes), "no_": sheet.voice.mid_sentence(no)}
            return Draft(
                move=ProposeCrux(question=p.question, yes_means=p.yes_means, no_means=p.no_means),
                content=compose(QUESTIONS, sheet.rng, sheet.said, question=p.question, **parts),
                topics=(p.id,),
            )
    return None


def is_question_requested(sheet: DraftContext) -> bool:
    """Has the moderator asked for a question, and nobody named one since?"""
    asked = [i.at_ms for i in sheet.thread.interventions if i.cause in (ORBIT, SEVERAL)]
    return bool(asked) and not any(
        isinstance(m.move, ProposeCrux) and m.at_ms >= asked[-1] for m in sheet.thread.messages
    )


def clarify(sheet: DraftContext, message: Message) -> Draft:
    assert isinstance(message.move, Claim)
    return Draft(
        move=Clarify(target=message.id, asks=True),
        content=compose(
            CLARIFIES,
            sheet.rng,
            sheet.said,
            name=sheet.name(message.agent),
            theirs=sheet.voice.mid_sentence(without_stop(message.move.proposition)),
        ),
        reply_to=message.id,
    )


def reframe(sheet: DraftContext) -> Draft | None:
    places = likely_cruxes(sheet)
    if not places:
        return None
    p = sheet.believer.propositions[places[0]]
    reason = sheet.voice.reason(places[0], sheet.chances.c[places[0]] >= 0.5)
    content = compose(
        REFRAMES,
        sheet.rng,
        sheet.said,
        question=p.question,
        reason=sheet.voice.mid_sentence(reason),
        reason_=capitalise_first(reason),
    )
    return Draft(move=Reframe(question=p.question, why=reason), content=content, topics=(p.id,))
