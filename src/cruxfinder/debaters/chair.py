"""A chair without a model: opens, leads, sums up and rules from the public record alone, and takes no side."""

from collections.abc import Sequence
from typing import Final

from cruxfinder.debaters.speech import bare, sentence
from cruxfinder.model.asks import Answer, Ask, AskTurn, Silence, Spoken
from cruxfinder.model.events import Seat
from cruxfinder.model.record import Debate, name_of
from cruxfinder.model.talk import Talk
from cruxfinder.model.turns import Part, Turn, TurnDraft, TurnType
from cruxfinder.model.words import AgentId, TopSide
from cruxfinder.protocols import tasks
from cruxfinder.rules import entailments
from cruxfinder.rules.text import content_words, sentences
from cruxfinder.rules.turn_order import speakers

QUOTED_MAX: Final = 22  # words of a turn that a summary quotes
TAKEN_UP: Final = 3  # content words in common that show a point was answered
LISTENED_FIRST: Final = 6  # turns before the listener is asked anything

OPENINGS: Final = (
    "Tonight's question: {topic}. The pull is between {subject}. Who can name a case that would tell the two apart?",
    "We have one claim before us: {topic}. Between {subject}, what would each of you have to give up if you are wrong?",
)
POSED: Final = ("{subject} What follows if the answer is no?", "{subject} Who has a case that decides it?")
PRESENTED: Final = "Here is something concrete. {subject} Each of you: one sentence, with a consequence."
QUOTED: Final = "You have the passage before you, from {source}. Each of you: one sentence, with a consequence."
TURNED: Final = "We have been round this twice. Let us turn to {subject}. Who shows a consequence, or a test?"
LED_BACK: Final = "We have left the question, which is whether {topic}. Who brings us back with a consequence?"
ASKED_USER: Final = "A question to you who listen. {subject} Which answer do you lean to, and why?"
HEARD_USER: Final = 'Our listener says: "{answer}". '


class Chair:
    """Any seat that leads a conversation: arbitrator, facilitator, host or Voice of Reason."""

    paid = False

    async def answer(self, ask: Ask, record: Debate) -> Answer:
        return self.reply(ask, record)

    def reply(self, ask: Ask, record: Debate) -> Answer:
        talk = record.talk
        if not isinstance(ask, AskTurn) or talk is None:
            return Silence()
        match ask.type:
            case TurnType.RULING:
                return Spoken(turn=ruling(record, talk))
            case TurnType.SYNTHESIS if ask.task == tasks.MERGE:
                return Spoken(turn=merged(record, talk))
            case TurnType.SYNTHESIS:
                return Spoken(turn=synthesis(record, talk, closing=ask.task == tasks.CLOSING))
            case TurnType.QUESTION:
                return Spoken(turn=question(ask, record, talk))
            case _:
                return Spoken(turn=remark(ask, record, talk))


# ---- leading


def question(ask: AskTurn, record: Debate, talk: Talk) -> TurnDraft:
    topic, subject = bare(record.started.topic), ask.subject or record.started.topic
    attended = record.settings.asks_user and ask.may_ask
    asks_user = attended and not talk.questions and len(talk.turns) >= LISTENED_FIRST
    recent = {t.id for t in talk.turns[-2:]}  # a synthesis may come between the question and this
    heard = talk.answers[-1].answer if talk.answers and talk.answers[-1].turn in recent else ""
    lead = HEARD_USER.format(answer=bare(shortened(heard))) if heard else ""
    if asks_user and ask.task == tasks.POSE:
        content = ASKED_USER.format(subject=sentence(subject))
        return TurnDraft(type=ask.type, content=content, to_user=True)
    match ask.task:
        case tasks.OPEN:
            content = OPENINGS[len(topic) % len(OPENINGS)].format(topic=topic, subject=subject)
        case tasks.PRESENT if talk.pivots and talk.pivots[-1].source:
            content = QUOTED.format(source=bare(talk.pivots[-1].source))
        case tasks.PRESENT:
            content = PRESENTED.format(subject=sentence(shortened(subject)))
        case tasks.PIVOT:
            content = TURNED.format(subject=subject)
        case _:
            content = lead + POSED[len(talk.turns) % len(POSED)].format(subject=sentence(subject))
    return TurnDraft(type=ask.type, content=content)


def remark(ask: AskTurn, record: Debate, talk: Talk) -> TurnDraft:
    """What a round came to: the point nobody has taken up yet, or a way back to the topic."""
    if ask.task == tasks.LEAD_BACK:
        content = LED_BACK.format(topic=bare(record.started.topic)[:1].lower() + bare(record.started.topic)[1:])
        return TurnDraft(type=ask.type, content=content)
    open_ = unanswered(talk)
    if not open_:
        return TurnDraft(type=ask.type, content="So far each point was met by the other. What is missing is a test.")
    turn = open_[-1]
    content = f"{name_of(record, turn.agent)}'s point is still to be met: {gist(turn)}. The next round must meet it."
    return TurnDraft(type=ask.type, content=content)


# ---- summing up


def synthesis(record: Debate, talk: Talk, *, closing: bool) -> TurnDraft:
    """What advanced since the last one: a point of two speakers each, and what is still open between them."""
    since = max((t.number for t in talk.turns if t.type is TurnType.SYNTHESIS), default=0)
    turns = [t for t in talk.said if closing or t.number > since] or list(talk.said)
    told = leading(turns)
    if not told:
        return TurnDraft(type=TurnType.SYNTHESIS, content="Nothing was said yet.", next_step="hear the first case")
    advanced = "; ".join(f"{name_of(record, t.agent)} showed {gist(t)}" for t in told)
    open_ = unanswered(talk)
    rest = f" Open is {name_of(record, open_[-1].agent)}'s point: {gist(open_[-1])}." if open_ else ""
    lead = "What this came to" if closing else "What advanced"
    return TurnDraft(type=TurnType.SYNTHESIS, content=f"{lead}: {advanced}.{rest}", next_step=next_step(record, talk))


def next_step(record: Debate, talk: Talk) -> str:
    """A test somebody named, else the point that waits for an answer, else one that all could accept."""
    for turn in reversed(talk.said):
        if any(tag == "test" for tag in turn.entailments):
            return f"carry out the test {name_of(record, turn.agent)} named"
    open_ = unanswered(talk)
    if open_:
        return f"answer {name_of(record, open_[-1].agent)}"
    return "agree on a test both sides would accept"


def merged(record: Debate, talk: Talk) -> TurnDraft:
    """What all hold, what was conceded, and what stays open; agreement is claimed only where all take one side."""
    sides = final_sides(talk)
    given = [t for t in talk.said if t.type is TurnType.CONCESSION and t.draft.concedes.strip()]
    topic = bare(record.started.topic)
    lower = topic[:1].lower() + topic[1:]
    taken = set(sides.values())
    if len(taken) == 1 and TopSide.NUANCED not in taken:
        side = next(iter(taken))
        lead = f"All here come down {'for' if side is TopSide.YES else 'against'} the claim that {lower}."
    else:
        side = TopSide.NUANCED
        lead = f"Whether {lower} stays open among us."
    conceded = "".join(f" {name_of(record, t.agent)} grants that {bare(t.draft.concedes)}." for t in given)
    none = "" if given else " Nobody gave anything up."
    divided = divide(record, sides)
    return TurnDraft(
        type=TurnType.SYNTHESIS,
        content=f"{lead}{conceded}{none}{divided}",
        side=side,
        next_step=next_step(record, talk),
    )


def divide(record: Debate, sides: dict[AgentId, TopSide]) -> str:
    groups = [(side, [name_of(record, a) for a, s in sides.items() if s is side]) for side in TopSide]
    words = {TopSide.YES: "for it", TopSide.NO: "against it", TopSide.NUANCED: "between the two"}
    told = [f"{' and '.join(names)} {words[side]}" for side, names in groups if names]
    return f" {'; '.join(told)}." if len(told) > 1 else ""


def final_sides(talk: Talk) -> dict[AgentId, TopSide]:
    return {t.agent: t.draft.side for t in talk.said if t.draft.side is not None}


# ---- ruling


def ruling(record: Debate, talk: Talk) -> TurnDraft:
    """Whoever left fewer points of the other unanswered, and brought more that counts, has carried it."""
    pro, con = (first_with(record, part) for part in (Part.PROPONENT, Part.OPPONENT))
    said = {seat.id: [t for t in talk.said if t.agent == seat.id] for seat in (pro, con)}
    scores = {seat.id: score(talk, seat.id) for seat in (pro, con)}
    if scores[pro.id] == scores[con.id]:
        even = f"{pro.name} and {con.name} are even on what was brought and met; what is missing is a test both accept."
        content = f"Neither side carried it. {even if any(said.values()) else 'Nobody argued for one.'}"
        return TurnDraft(type=TurnType.RULING, content=content, side=TopSide.NUANCED)
    lead, behind = (pro, con) if scores[pro.id] > scores[con.id] else (con, pro)
    side = argued(said[lead.id]) or (TopSide.YES if lead is pro else TopSide.NO)
    won = "is carried" if side is TopSide.YES else "is not carried"
    standing = [t for t in unanswered(talk) if t.agent == lead.id]
    if not said[behind.id]:
        point = f"{behind.name} never spoke."
    elif standing:
        point = f"{behind.name} left this of {lead.name} unanswered: {gist(standing[-1])}."
    else:
        point = f"What {lead.name} brought weighs more, above all this: {gist(leading(said[lead.id])[0])}."
    tally = f"On what was brought and met, {lead.name} stands at {scores[lead.id]} to {scores[behind.id]}."
    return TurnDraft(type=TurnType.RULING, content=f"The claim {won}. {point} {tally}", side=side)


def argued(turns: Sequence[Turn]) -> TopSide | None:
    """The side somebody took last, if any: whoever is given a part may still believe the contrary."""
    sides = (t.draft.side for t in reversed(turns))
    return next((side for side in sides if side in (TopSide.YES, TopSide.NO)), None)


def first_with(record: Debate, part: Part) -> Seat:
    return next((s for s in record.seats if s.part is part), speakers(record.seats)[0])


def score(talk: Talk, agent: AgentId) -> int:
    """Points that stand, and new things said; a turn with flags may bring nothing, never less."""
    standing = sum(t.agent == agent for t in unanswered(talk))
    return standing + sum(max(0, len(t.entailments) - len(t.flags)) for t in talk.said if t.agent == agent)


def unanswered(talk: Talk) -> list[Turn]:
    """Turns whose point no later turn of somebody else takes up; nobody has had a chance to answer the last one."""
    found: list[Turn] = []
    for n, turn in enumerate(talk.said[:-1]):
        words = content_words(turn.content)
        later = (t for t in talk.said[n + 1 :] if t.agent != turn.agent)
        if not any(t.draft.reply_to == turn.id or len(words & content_words(t.content)) >= TAKEN_UP for t in later):
            found.append(turn)
    return found


def leading(turns: Sequence[Turn]) -> list[Turn]:
    """The turns of two speakers that added most."""
    found: dict[AgentId, Turn] = {}
    for turn in sorted(turns, key=lambda t: (-len(t.entailments), len(t.flags), t.number)):
        found.setdefault(turn.agent, turn)
    return sorted(list(found.values())[:2], key=lambda t: t.number)


def gist(turn: Turn) -> str:
    """The fullest sentence of a turn that adds something, else its fullest one, quoted."""
    told = [text for _, text in entailments.sentences(turn.content)] or sentences(turn.content) or (turn.content,)
    return f'"{bare(shortened(max(told, key=lambda text: len(content_words(text)))))}"'


def shortened(text: str) -> str:
    words = text.split()
    return " ".join(words) if len(words) <= QUOTED_MAX else " ".join(words[:QUOTED_MAX]) + "…"
