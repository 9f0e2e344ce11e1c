"""A chair without a model: opens, leads, sums up and rules from the public record alone, and takes no side."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cruxfinder.debaters.simulated.open_points import (
    gist,
    leading_turns,
    next_step,
    open_points,
    shorten,
    unanswered_points,
    unheard_points,
)
from cruxfinder.debaters.simulated.speech import sentence, without_stop
from cruxfinder.kernel.run_facts import Seat, Silence, name_of
from cruxfinder.kernel.vocabulary import AgentId, Role, TopSide
from cruxfinder.language.counts import join_names
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.asks import AskTurn, Spoken
from cruxfinder.talk.decide import limits_of
from cruxfinder.talk.law import acts
from cruxfinder.talk.law.turn_order import speakers
from cruxfinder.talk.state import Conversation, Talk, concession_turns, last_sides
from cruxfinder.talk.turns import Turn, TurnDraft, TurnType

LISTENED_FIRST: Final = 6  # turns before the listener is asked anything
SHOWN: Final = 2  # speakers a synthesis quotes
SHOWN_AT_THE_END: Final = 3
REMARKED_MAX: Final = 14  # words of each of two turns that a remark quotes

DRAWN_BETWEEN: Final = (
    "{claim} draws us between {subject} tonight. Who can name a case that would tell the two apart?",
    "We have {claim} before us. Between {subject}, what would each of you have to give up if you are wrong?",
)
OPENINGS: Final = (
    "{claim} is before us tonight. Who can name a case that would speak for it, and who one against it?",
    "We have {claim} before us. What would each of you have to give up if you are wrong?",
)
POSED: Final = ("{subject} What follows if the answer is no?", "{subject} Who has a case that decides it?")
PRESENTED: Final = "Here is something concrete. {subject} Each of you: one sentence, with a consequence."
QUOTED: Final = "You have the passage before you, from {source}. Each of you: one sentence, with a consequence."
TURNED: Final = "We have been round this twice. Let us turn to {subject}. Who shows a consequence, or a test?"
LED_BACK: Final = "We have left what is before us, {claim}. Who brings us back with a consequence?"
ASKED_USER: Final = "A question to you who listen. {subject} Which answer do you lean to, and why?"
HEARD_USER: Final = 'Our listener says: "{answer}". '
STANDING: Final = {
    TopSide.YES: ("is for it", "are for it"),
    TopSide.NO: ("is against it", "are against it"),
    TopSide.NUANCED: ("stands between the two", "stand between the two"),
}
ALL_SAY: Final = {
    TopSide.YES: "All of us say yes to {claim}.",
    TopSide.NO: "All of us say no to {claim}.",
    TopSide.NUANCED: "All of us stand between yes and no on {claim}.",
}


class Chair:
    """Any seat that leads a conversation: arbitrator, facilitator, host or Voice of Reason."""

    is_paid = False

    async def answer(self, ask: AnyAsk, record: Conversation) -> AnyAnswer:
        return self.reply(ask, record)

    def reply(self, ask: AnyAsk, record: Conversation) -> AnyAnswer:
        talk = record.talk
        if not isinstance(ask, AskTurn):
            return Silence()
        match ask.type:
            case TurnType.RULING:
                return Spoken(turn=ruling(record, talk))
            case TurnType.SYNTHESIS if ask.task == turn_tasks.MERGE:
                return Spoken(turn=merged_position(record, talk))
            case TurnType.SYNTHESIS:
                return Spoken(turn=synthesis(record, talk, closing=ask.task == turn_tasks.CLOSING))
            case TurnType.QUESTION:
                return Spoken(turn=question(ask, record, talk))
            case _:
                return Spoken(turn=remark(ask, record, talk))


# ---- leading


def question(ask: AskTurn, record: Conversation, talk: Talk) -> TurnDraft:
    subject = ask.subject or record.started.topic
    attended = record.settings.asks_user and ask.may_ask
    asks_user = attended and not talk.questions and len(talk.turns) >= LISTENED_FIRST
    recent = {t.id for t in talk.turns[-2:]}  # a synthesis may come between the question and this
    heard = talk.answers[-1].answer if talk.answers and talk.answers[-1].turn in recent else ""
    lead = HEARD_USER.format(answer=without_stop(shorten(heard))) if heard else ""
    if asks_user and ask.task == turn_tasks.POSE:
        content = ASKED_USER.format(subject=sentence(subject))
        return TurnDraft(type=ask.type, content=content, to_user=True)
    match ask.task:
        case turn_tasks.OPEN:
            content = opening(record, subject)
        case turn_tasks.PRESENT if talk.pivots and talk.pivots[-1].source:
            content = QUOTED.format(source=without_stop(talk.pivots[-1].source))
        case turn_tasks.PRESENT:
            content = PRESENTED.format(subject=sentence(shorten(subject)))
        case turn_tasks.PIVOT:
            content = TURNED.format(subject=subject)
        case _:
            content = lead + POSED[len(talk.turns) % len(POSED)].format(subject=sentence(subject))
    return TurnDraft(type=ask.type, content=content)


def opening(record: Conversation, subject: str) -> str:
    """Names what the talk is drawn between, if it is drawn between anything."""
    topic = record.started.topic
    forms = OPENINGS if subject == topic else DRAWN_BETWEEN
    return sentence(forms[len(topic) % len(forms)].format(claim=claim(record), subject=subject))


def claim(record: Conversation) -> str:
    """The topic in quotes: inside a sentence a name would lose its capital, and a question its sense."""
    topic = without_stop(record.started.topic)
    return f'the {"question" if topic.endswith("?") else "claim"} "{topic}"'


def remark(ask: AskTurn, record: Conversation, talk: Talk) -> TurnDraft:
    """What a round came to, or a way back to the topic; nothing is remarked twice."""
    if ask.task == turn_tasks.LEAD_BACK:
        return TurnDraft(type=ask.type, content=LED_BACK.format(claim=claim(record)))
    made = {t.content for t in talk.turns if t.is_chair_turn}
    content = next(text for text in remarks(record, talk) if text not in made)
    return TurnDraft(type=ask.type, content=content)


def remarks(record: Conversation, talk: Talk) -> Iterator[str]:
    """After opening words the points that stand against each other, then what was left standing and what is to come."""

    def quote_turn(turn: Turn) -> str:
        return f"{name_of(record, turn.agent)}'s {gist(record, turn, REMARKED_MAX)}"

    said = list(talk.speaker_turns)
    if len(said) > 1 and all(t.type is TurnType.PROPOSITION for t in said):
        one, other = said[-2:]
        if one.draft.side is other.draft.side:
            yield f"So far nobody has contested anything: {quote_turn(one)} and {quote_turn(other)} stand side by side."
        yield (
            f"These points now stand against each other: {quote_turn(one)} and {quote_turn(other)}. "
            "Neither has been met yet."
        )
    left, to_come = unanswered_points(record)[-1:], unheard_points(record)[-1:]
    parts = [f"{quote_turn(t)} has been left standing" for t in left] + [
        f"{quote_turn(t)} is still to be met" for t in to_come
    ]
    if parts:
        yield f"{'; '.join(parts)}."
    yield "Every point so far has been taken up."
    yield f"After {len(said)} turns of the speakers, the next round goes on from here."


# ---- summing up


def synthesis(record: Conversation, talk: Talk, *, closing: bool) -> TurnDraft:
    """What advanced since the last one, or at the end in all acts, the last first; and a point that nobody met."""
    told = turns_of_all_acts(record, talk) if closing else turns_since_synthesis(record, talk)
    if not told:
        return TurnDraft(type=TurnType.SYNTHESIS, content="Nothing was said yet.", next_step="hear the first case")
    advanced = "; ".join(f"{name_of(record, t.agent)} said {gist(record, t)}" for t in told)
    shown = {gist(record, t) for t in told}
    open_ = select_unquoted(record, talk, [t for t in open_points(record) if gist(record, t) not in shown])[:1]
    rest = "".join(f" Open is what {name_of(record, t.agent)} said: {gist(record, t)}." for t in open_)
    lead = "What this came to" if closing else "What advanced"
    step = next_step(record, talk, open_)
    return TurnDraft(type=TurnType.SYNTHESIS, content=f"{lead}: {advanced}.{rest}", next_step=step)


def turns_since_synthesis(record: Conversation, talk: Talk) -> list[Turn]:
    since = max((t.number for t in talk.turns if t.type is TurnType.SYNTHESIS), default=0)
    turns = [t for t in talk.speaker_turns if t.number > since] or talk.speaker_turns
    return sorted(one_per_speaker(record, leading_turns(turns))[:SHOWN], key=lambda t: t.number)


def turns_of_all_acts(record: Conversation, talk: Talk) -> list[Turn]:
    """The fullest turn of each act, the last act first, each of another speaker."""
    limits = limits_of(record)
    by_act: dict[int, list[Turn]] = {}
    for said in talk.speaker_turns:
        by_act.setdefault(acts.act_of(said.number, limits), []).append(said)
    ranked = [select_unquoted(record, talk, leading_turns(by_act[act])) for act in sorted(by_act, reverse=True)]
    found: list[Turn] = []
    for turns in (*ranked, *ranked):  # one of each act, and more of the last where acts are few
        found = one_per_speaker(record, [*found, *one_per_speaker(record, [*found, *turns])[len(found) :][:1]])
    return sorted(found[:SHOWN_AT_THE_END], key=lambda t: -t.number)


def select_unquoted(record: Conversation, talk: Talk, turns: Sequence[Turn]) -> Sequence[Turn]:
    """Those that no synthesis has quoted yet; all, where there are none."""
    told = " ".join(t.content for t in talk.turns if t.type is TurnType.SYNTHESIS)
    return [t for t in turns if gist(record, t) not in told] or turns


def one_per_speaker(record: Conversation, turns: Sequence[Turn]) -> list[Turn]:
    """One of each speaker, and no sentence twice."""
    found: dict[AgentId, Turn] = {}
    quoted: set[str] = set()
    for said in turns:
        if said.agent not in found and gist(record, said) not in quoted:
            found[said.agent] = said
            quoted.add(gist(record, said))
    return list(found.values())


def merged_position(record: Conversation, talk: Talk) -> TurnDraft:
    """Who stands where and what was conceded; a side is taken only where all take it."""
    sides, given = last_sides(talk), concession_turns(talk)
    taken = set(sides.values())
    side = next(iter(taken)) if len(taken) == 1 else None
    lead = ALL_SAY[side].format(claim=claim(record)) if side is not None else describe_division(record, sides)
    conceded = "".join(f" {name_of(record, t.agent)} grants that {without_stop(t.draft.concedes)}." for t in given)
    none = "" if given else " Nobody gave anything up."
    step = next_step(record, talk, open_points(record))
    return TurnDraft(type=TurnType.SYNTHESIS, content=f"{lead}{conceded}{none}", side=side, next_step=step)


def describe_division(record: Conversation, sides: Mapping[AgentId, TopSide]) -> str:
    groups = [(side, [name_of(record, a) for a, s in sides.items() if s is side]) for side in TopSide]
    told = [f"{join_names(names)} {STANDING[side][len(names) > 1]}" for side, names in groups if names]
    if not told:
        return f"Nobody has taken a side on {claim(record)}."
    return f"On {claim(record)} we are divided: {'; '.join(told)}."


# ---- ruling


def ruling(record: Conversation, talk: Talk) -> TurnDraft:
    """Whoever left fewer points of the other unanswered, and brought more that counts, has carried it."""
    pro, con = (first_seat_in_role(record, part) for part in (Role.PROPONENT, Role.OPPONENT))
    said = {seat.id: [t for t in talk.speaker_turns if t.agent == seat.id] for seat in (pro, con)}
    scores = {seat.id: score(record, talk, seat.id) for seat in (pro, con)}
    if side_argued(said[pro.id]) is not None and side_argued(said[pro.id]) is side_argued(said[con.id]):
        content = (
            f"Neither side carried it. {pro.name} and {con.name} argued for the same one, and nobody contested it."
        )
        return TurnDraft(type=TurnType.RULING, content=content, side=TopSide.NUANCED)
    if scores[pro.id] == scores[con.id]:
        even = f"{pro.name} and {con.name} are even on what was brought and met; what is missing is a test both accept."
        content = f"Neither side carried it. {even if any(said.values()) else 'Nobody argued for one.'}"
        return TurnDraft(type=TurnType.RULING, content=content, side=TopSide.NUANCED)
    lead, behind = (pro, con) if scores[pro.id] > scores[con.id] else (con, pro)
    side = side_argued(said[lead.id]) or (TopSide.YES if lead is pro else TopSide.NO)
    won = "is carried" if side is TopSide.YES else "is not carried"
    standing = [t for t in unanswered_points(record) if t.agent == lead.id]
    if not said[behind.id]:
        point = f"{behind.name} never spoke."
    elif standing:
        point = f"{behind.name} left this of {lead.name} unanswered: {gist(record, standing[-1])}."
    else:
        point = (
            f"What {lead.name} brought weighs more, above all this: {gist(record, leading_turns(said[lead.id])[0])}."
        )
    tally = f"On what was brought and met, {lead.name} stands at {scores[lead.id]} to {scores[behind.id]}."
    return TurnDraft(type=TurnType.RULING, content=f"The claim {won}. {point} {tally}", side=side)


def side_argued(turns: Sequence[Turn]) -> TopSide | None:
    """The side somebody took last, if any: whoever is given a part may still believe the contrary."""
    sides = (t.draft.side for t in reversed(turns))
    return next((side for side in sides if side in (TopSide.YES, TopSide.NO)), None)


def first_seat_in_role(record: Conversation, part: Role) -> Seat:
    return next((s for s in record.seats if s.role is part), speakers(record.seats)[0])


def score(record: Conversation, talk: Talk, agent: AgentId) -> int:
    """Points that stand, and new things said; a turn with flags may bring nothing, never less."""
    standing = sum(t.agent == agent for t in unanswered_points(record))
    return standing + sum(max(0, len(t.entailments) - len(t.flags)) for t in talk.speaker_turns if t.agent == agent)
