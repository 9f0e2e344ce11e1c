"""How a simulated debater takes its turns in a conversation: what it believes, what is left to say, what follows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from cruxfinder.debaters.believer import Believer
from cruxfinder.debaters.network import Chances
from cruxfinder.debaters.speech import Voice, bare, sentence, upper
from cruxfinder.model.asks import AskConsent, AskTurn, Consent
from cruxfinder.model.pack import Dilemma, Exhibit
from cruxfinder.model.record import Debate, name_of
from cruxfinder.model.talk import Talk, turn
from cruxfinder.model.turns import Turn, TurnDraft, TurnType
from cruxfinder.model.words import MessageId, Side, TopSide
from cruxfinder.rules.probes import top_side_of
from cruxfinder.rules.text import content_words, sentences
from cruxfinder.rules.turns import words

IDLE: Final = 0.12  # how often a first draft says nothing new
ABOUT: Final = 3  # content words that show which proposition a turn is about
OPPONENTS: Final = 4  # how far back an opponent is looked for
LIGHT: Final = 0.06  # what weighs less than this can be given up
OPEN_MINDED: Final = 0.5
NEAR_EVEN: Final = 0.3  # how far from even odds one can live with an open question

AGREEING: Final = (
    "{name} is right, and I see it the same way.",
    "That is my view too, {name}, and it has not changed.",
    "I can only agree with {name} here.",
)
CLAIMED: Final = ("{claim} If that is so, then {follows}.", "{claim} From that it follows that {follows}.")
SHOWN: Final = (
    "Take a case: {text_} ({source}) If that holds, then {stance}.",
    "{text} ({source}) That would be hard to explain unless {stance}.",
    "Consider what was found: {text_} ({source}) It follows that {stance}.",
)
COUNTERED: Final = (
    "{name} leans on {source}. But {why_} So it does not show that {theirs}.",
    "Against {name} and {source}: {why} Unless that is answered, nothing follows about whether {theirs}.",
)
CHALLENGED: Final = (
    "{challenge} If that stands, then {name} cannot hold that {theirs}.",
    "To {name}: {challenge} Unless that is met, {follows}.",
    "{name}, {challenge_} So it does not follow that {theirs}.",
)
TESTED: Final = (
    "A test would tell between us. {metric}: {threshold}, {deadline}. If it comes out so, I give up that {stance}.",
    "I can say what would prove me wrong: {metric}: {threshold}, {deadline}. Until then I hold that {stance}.",
)
LINKED: Final = (
    "If {stance}, then {other}, because {reason}.",
    "Suppose {stance}. Then {other} as well, since {reason}.",
)
STOOD: Final = ("{side}. {claim} It follows that {follows}.", "I come down {side_}. {claim} Hence {follows}.")
BUILT: Final = (
    "{name} may be right that {point}. If so, then what divides us is whether {other}, and that can be tested.",
    "{name} gives ground to build on: suppose {point}. Then the question left is whether {other}.",
)
GIVEN_UP: Final = (
    "I give up that {point}. It carried little for me, because what I conclude rests on this: {reason}.",
    "For an agreement I grant that {other}. My conclusion does not depend on it, since {reason}.",
)
KEPT: Final = (
    "I give up nothing here, because if I dropped that {stance}, my whole conclusion would fall with it.",
    "There is nothing I could drop: {reason}, and from that the rest of my view follows.",
)
REACTED: Final = (
    "{name}, {short} So {follows}.",
    "Not so fast, {name}: {short_} Then {follows}.",
)
DECIDED: Final = "If {stance}, then {verdict}."
DECIDED_TOO: Final = "Another way leads there too: if {own}, then nothing else can be done here, because {reason}."
READ: Final = (
    "If that passage is right, then {stance}, because {reason}.",
    "What the passage shows, if it is true, is that {stance}.",
)
SIDES: Final = {TopSide.YES: "for it", TopSide.NO: "against it", TopSide.NUANCED: "between the two"}


@dataclass(frozen=True, slots=True)
class Point:
    """Something to say: its heart, which nobody may have said, and the wordings it may take."""

    heart: str
    forms: tuple[str, ...]
    place: int
    reply_to: Turn | None = None


class Converser:
    """One persona in one conversation."""

    def __init__(self, believer: Believer, voice: Voice, dilemmas: tuple[Dilemma, ...] = ()) -> None:
        self._believer = believer
        self._voice = voice
        self._dilemmas = {d.text: d for d in dilemmas}
        self._heard = 0

    @property
    def _chances(self) -> Chances:
        return self._believer.private()

    # ---- listening

    def listen(self, talk: Talk, upto: int) -> None:
        """Evidence moves a believer here as it does anywhere; the exhibits are known to everybody."""
        for said in talk.turns[self._heard : upto]:
            if said.agent == self._believer.persona.id or said.chairs:
                continue
            for place, p in enumerate(self._believer.propositions):
                for shown in p.exhibits:
                    if bare(shown.text) in said.content:
                        self._believer.shift(MessageId(said.id), said.agent, Side(shown.points), place)
        self._heard = max(self._heard, upto)

    # ---- speaking

    def draft(self, ask: AskTurn, record: Debate, talk: Talk, rng: Random) -> TurnDraft | None:
        """Something new on what is talked about; nothing, once all is said."""
        said = " ".join(t.content for t in talk.turns)
        idle = ask.attempt == 1 and ask.type is not TurnType.CONCESSION and rng.random() < IDLE
        last = turn(talk, ask.answers)
        if idle and last is not None and not last.chairs:
            return self._told(ask, rng.choice(AGREEING).format(name=name_of(record, last.agent)), last)
        if (dilemma := self._dilemmas.get(ask.subject)) is not None and ask.sentences == 1:
            return self._told(ask, self._decided(dilemma, said), last)
        if ask.type is TurnType.CONCESSION:
            return self._conceding(ask, talk, rng)
        found: list[TurnDraft] = []
        for point in self._points(ask, record, talk, rng):
            forms = () if bare(point.heart) in said else rng.sample(point.forms, len(point.forms))
            form = next((f for f in forms if fits(f, ask) and f not in said), None)
            if form is not None:
                found.append(self._told(ask, form, point.reply_to or last))
            if len(found) >= ask.attempt:  # what was sent back is not tried again
                break
        return found[-1] if found else None

    def _told(self, ask: AskTurn, content: str, reply_to: Turn | None) -> TurnDraft:
        side = top_side_of(self._chances.p_top)
        return TurnDraft(type=ask.type, content=content, reply_to=None if reply_to is None else reply_to.id, side=side)

    def _points(self, ask: AskTurn, record: Debate, talk: Talk, rng: Random) -> Iterator[Point]:
        """What could be said, the most fitting first."""
        last = turn(talk, ask.answers)
        places = self._order(ask, last)
        other = self._opponent(ask, talk)
        match ask.type:
            case TurnType.PROPOSITION | TurnType.POSITION:
                yield from (self._stand(n, record, ask.type) for n in places)
            case TurnType.EXPLORATION if other is not None:
                yield from self._explorations(record, other, places)
            case TurnType.REACTION if ask.sentences == 1:
                yield from (self._reading(n) for n in places)
            case TurnType.REACTION if other is not None:
                yield from (self._reaction(n, record, other) for n in places)
            case _:
                pass
        if other is not None:
            yield from self._answers(record, talk, other, places, rng)
        for n in places:
            yield from self._shown(n)
        yield from (self._test(n) for n in places)
        yield from (self._link(n, m) for n in places for m in places if n != m)
        yield from (self._stand(n, record, ask.type) for n in places)

    def _opponent(self, ask: AskTurn, talk: Talk) -> Turn | None:
        """Whom to answer: the last one who takes another side, else the last one."""
        own = top_side_of(self._chances.p_top)
        others = [t for t in talk.said if t.agent != ask.agent]
        apart = [t for t in others[-OPPONENTS:] if t.draft.side not in (None, own)]
        return (apart or others or [None])[-1]

    def _order(self, ask: AskTurn, last: Turn | None) -> list[int]:
        """Propositions the talk is about first, then by what they weigh."""
        text = f"{ask.subject} {'' if last is None else last.content}"
        heard = content_words(text)
        chances = self._chances

        def about(place: int) -> int:
            p = self._believer.propositions[place]
            return len(heard & content_words(f"{p.statement} {p.denial} {p.question}"))

        found = {n: about(n) for n in range(len(chances.c))}
        return sorted(found, key=lambda n: (-(found[n] >= ABOUT) * found[n], -chances.weight(n)))

    # ---- what there is to say

    def _affirms(self, place: int) -> bool:
        return self._chances.c[place] >= 0.5

    def _stance(self, place: int) -> str:
        return self._voice.inside(self._voice.stance(place, self._affirms(place)))

    def _other_stance(self, place: int) -> str:
        return self._voice.inside(self._voice.stance(place, not self._affirms(place)))

    def _reason(self, place: int) -> str:
        return self._voice.inside(self._voice.reason(place, self._affirms(place)))

    def _follows(self, place: int) -> str:
        """What its stance on a proposition means for the topic, or for the proposition it bears on most."""
        network, beta = self._believer.network, self._believer.beta
        c = self._chances.c
        spread = [(abs(a - b), n) for n in range(len(c)) if n != place for a, b in (network.bearing(beta, n, place),)]
        best = max(spread, default=(0.0, place))
        other = best[1] if best[0] > 0.1 else max(range(len(c)), key=lambda n: (n != place, self._chances.weight(n)))
        return self._stance(other) if other != place else self._stance(place)

    def _stand(self, place: int, record: Debate, type: TurnType) -> Point:
        affirms = self._affirms(place)
        own = self._voice.lines(place, affirms).claim
        stance, reason = self._voice.stance(place, affirms), self._voice.reason(place, affirms)
        claim = own or f"{upper(stance)}, because {self._voice.inside(reason)}."
        side = SIDES[top_side_of(self._chances.p_top)]
        parts = {"claim": sentence(claim), "follows": self._follows(place), "side": upper(side), "side_": side}
        forms = STOOD if type is TurnType.POSITION else CLAIMED
        short = f"{sentence(stance)} It follows that {parts['follows']}, because {self._voice.inside(reason)}."
        return Point(claim, (*(f.format(**parts) for f in forms), short), place)

    def _answers(self, record: Debate, talk: Talk, other: Turn, places: list[int], rng: Random) -> Iterator[Point]:
        """Against what the other said: the evidence it leans on, then the claim itself."""
        name = name_of(record, other.agent)
        for place, exhibit in self._leant_on(other):
            theirs = self._voice.inside(self._voice.stance(place, exhibit.points == "YES"))
            if (exhibit.points == "YES") is self._affirms(place):
                continue
            for rebuttal in exhibit.rebuttals:
                parts = {
                    "name": name,
                    "source": bare(exhibit.source),
                    "why": sentence(rebuttal.why),
                    "why_": self._voice.inside(sentence(rebuttal.why)),
                    "theirs": theirs,
                }
                yield Point(rebuttal.why, tuple(f.format(**parts) for f in COUNTERED), place, other)
        for n in places:
            challenge = self._voice.lines(n, self._affirms(n)).challenge
            if challenge:
                parts = {
                    "name": name,
                    "theirs": self._other_stance(n),
                    "challenge": sentence(challenge),
                    "challenge_": self._voice.inside(sentence(challenge)),
                    "follows": self._stance(n),
                }
                yield Point(challenge, tuple(f.format(**parts) for f in CHALLENGED), n, other)

    def _leant_on(self, said: Turn) -> Iterator[tuple[int, Exhibit]]:
        for place, p in enumerate(self._believer.propositions):
            for exhibit in p.exhibits:
                if bare(exhibit.text) in said.content:
                    yield place, exhibit

    def _shown(self, place: int) -> Iterator[Point]:
        points = "YES" if self._affirms(place) else "NO"
        for exhibit in self._believer.propositions[place].exhibits:
            if exhibit.points == points:
                parts = {
                    "text": sentence(exhibit.text),
                    "text_": self._voice.inside(sentence(exhibit.text)),
                    "source": bare(exhibit.source),
                    "stance": self._stance(place),
                }
                yield Point(exhibit.text, tuple(f.format(**parts) for f in SHOWN), place)

    def _test(self, place: int) -> Point:
        held = self._voice.falsifier(place, self._affirms(place), self._believer.persona.name)
        parts = {
            "metric": upper(bare(held.metric)),
            "threshold": bare(held.threshold),
            "deadline": bare(held.deadline),
            "stance": self._stance(place),
        }
        return Point(bare(held.threshold), tuple(f.format(**parts) for f in TESTED), place)

    def _link(self, place: int, to: int) -> Point:
        parts = {"stance": self._stance(place), "other": self._stance(to), "reason": self._reason(place)}
        forms = tuple(f.format(**parts) for f in LINKED)
        return Point(forms[0], forms, place)

    def _reading(self, place: int) -> Point:
        parts = {"stance": self._stance(place), "reason": self._reason(place)}
        return Point(self._stance(place), tuple(f.format(**parts) for f in READ), place)

    def _reaction(self, place: int, record: Debate, other: Turn) -> Point:
        reason = sentence(self._voice.reason(place, self._affirms(place)))
        parts = {
            "name": name_of(record, other.agent),
            "short": self._voice.inside(reason),
            "short_": self._voice.inside(reason),
            "follows": self._stance(place),
        }
        return Point(reason, tuple(f.format(**parts) for f in REACTED), place, other)

    def _explorations(self, record: Debate, other: Turn, places: list[int]) -> Iterator[Point]:
        for n in places:
            rest = next((m for m in places if m != n), n)
            parts = {"name": name_of(record, other.agent), "point": self._other_stance(n), "other": self._stance(rest)}
            forms = tuple(f.format(**parts) for f in BUILT)
            yield Point(forms[0], forms, n, other)

    # ---- deciding

    def _decided(self, dilemma: Dilemma, said: str) -> str:
        """What follows for the case; a verdict that was given already is reached on grounds of one's own."""
        place = self._believer.network.place[dilemma.turns_on]
        affirms = self._affirms(place)
        verdict = self._voice.inside(bare(dilemma.if_true if affirms else dilemma.if_false))
        parts = {
            "stance": self._stance(place),
            "verdict": verdict,
            "own": self._voice.inside(self._voice.statement(place, affirms)),
            "reason": self._reason(place),
        }
        return (DECIDED_TOO if verdict in said else DECIDED).format(**parts)

    def _conceding(self, ask: AskTurn, talk: Talk, rng: Random) -> TurnDraft:
        """What weighs little with it can go, if it is open to others at all."""
        chances = self._chances
        by_weight = sorted(range(len(chances.c)), key=chances.weight)
        strongest = by_weight[-1]
        light = [n for n in by_weight[:-1] if chances.weight(n) < LIGHT]
        side = top_side_of(chances.p_top)
        if not light or self._believer.persona.openness < OPEN_MINDED:
            kept = {"stance": self._stance(strongest), "reason": self._reason(strongest)}
            forms = [f.format(**kept) for f in KEPT]
            return TurnDraft(type=ask.type, content=first_fit(forms, ask, rng), side=side)
        given = light[0]
        parts = {
            "point": self._stance(given),
            "other": self._other_stance(given),
            "reason": self._reason(strongest),
        }
        forms = [f.format(**parts) for f in GIVEN_UP]
        return TurnDraft(
            type=ask.type, content=first_fit(forms, ask, rng), side=side, concedes=self._other_stance(given)
        )

    def consent(self, ask: AskConsent) -> Consent:
        """To a conclusion it shares, or to an open question if it is not too sure itself."""
        p = self._chances.p_top
        side = top_side_of(p)
        if ask.side is side or (ask.side is TopSide.NUANCED and abs(p - 0.5) <= NEAR_EVEN):
            return Consent(agrees=True)
        strongest = max(range(len(self._chances.c)), key=self._chances.weight)
        return Consent(agrees=False, why=sentence(self._reason(strongest)))


def fits(text: str, ask: AskTurn) -> bool:
    return words(text) <= ask.words and (not ask.sentences or len(sentences(text)) <= ask.sentences)


def first_fit(forms: Iterable[str], ask: AskTurn, rng: Random) -> str:
    order = list(forms)
    rng.shuffle(order)
    return next((form for form in order if fits(form, ask)), order[0])
