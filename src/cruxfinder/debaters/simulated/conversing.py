"""How a simulated debater takes its turns in a conversation: what it believes, what is left to say, what it answers."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from cruxfinder.crux.law.probes import top_side_of
from cruxfinder.debaters.simulated import phrases
from cruxfinder.debaters.simulated.arguments import Arguments, TalkingPoint, word_point
from cruxfinder.debaters.simulated.believer import Believer
from cruxfinder.debaters.simulated.hearing import normalise_text
from cruxfinder.debaters.simulated.public_scene import StatementFinder, TurnContext
from cruxfinder.debaters.simulated.speech import Voice, capitalise_first, sentence, without_stop
from cruxfinder.kernel.pack import Dilemma
from cruxfinder.kernel.vocabulary import MessageId, Side, TopSide
from cruxfinder.language.english.texts import content_words, sentences
from cruxfinder.talk.asks import AskConsent, AskTurn, Consent
from cruxfinder.talk.law.turn_form import count_words
from cruxfinder.talk.state import Conversation, Talk
from cruxfinder.talk.turns import TurnDraft, TurnType

IDLE: Final = 0.12  # how often a first draft says nothing new
ABOUT: Final = 3  # content words that show which proposition a turn is about
RECENT: Final = 4  # turns of others whose evidence is answered
WHOLE: Final = 6  # words that make a sentence one which is not said twice
OWN_TURN: Final = 3  # every so many turns a speaker goes on with its own case before it answers
LIGHT: Final = 0.06  # what weighs less than this can be given up
OPEN_MINDED: Final = 0.5
NEAR_EVEN: Final = 0.3  # how far from even odds one can live with an open question


class Converser:
    """One persona in one conversation."""

    def __init__(self, believer: Believer, voice: Voice, dilemmas: tuple[Dilemma, ...] = ()) -> None:
        self._believer = believer
        self._voice = voice
        self._arguments = Arguments(believer, voice)
        self._reader = StatementFinder(believer.propositions)
        self._dilemmas = {d.text: d for d in dilemmas}
        self._heard = 0

    # ---- listening

    def listen(self, talk: Talk, upto: int) -> None:
        """Evidence moves a believer here as it does anywhere; the exhibits are known to everybody."""
        for said in talk.turns[self._heard : upto]:
            if said.agent == self._believer.persona.id or said.is_chair_turn:
                continue
            for place, shown in self._arguments.cited_exhibits(said):
                self._believer.shift(MessageId(said.id), said.agent, Side(shown.points), place)
        self._heard = max(self._heard, upto)

    # ---- speaking

    def draft(self, ask: AskTurn, record: Conversation, talk: Talk, rng: Random) -> TurnDraft | None:
        """Something new on what is talked about; nothing, once all is said."""
        asked = self._reader.asked_proposition(ask.subject)
        scene = TurnContext(ask, record, talk, self._reader.find_assertions(talk), asked)
        if ask.type is TurnType.CONCESSION:
            return self._concession_draft(scene)
        if ask.attempt == 1 and rng.random() < IDLE and (idle := self._idle(scene, rng)) is not None:
            return self._draft_from_point(scene, idle)
        found = list(self._unsaid_points(scene))
        if not found and ask.owed:
            found = [
                TalkingPoint((), (form,), p.reply_to)
                for p in self._points(scene)
                for form in p.forms
                if fits(form, ask)
            ]
        return self._draft_from_point(scene, found[min(ask.attempt, len(found)) - 1]) if found else None

    def _unsaid_points(self, scene: TurnContext) -> Iterator[TalkingPoint]:
        """As many points as there were attempts, each in one wording: what was sent back is not tried again."""
        tries = 0
        for point in self._points(scene):
            if not all(map(scene.is_new, point.hearts)):
                continue
            form = next(
                (f for f in self._rotate_wordings(point.forms, scene) if fits(f, scene.ask) and is_unheard(f, scene)),
                None,
            )
            if form is not None:
                yield TalkingPoint(point.hearts, (form,), point.reply_to)
                tries += 1
            if tries >= scene.ask.attempt:
                return

    def _rotate_wordings(self, forms: Sequence[str], scene: TurnContext) -> Sequence[str]:
        """Wordings in an order of its own: those who think at the same time begin with different ones."""
        first = Random(f"{self._believer.seed}/wording/{len(scene.talk.turns)}").randrange(len(forms))
        start = first + scene.seat + scene.ask.attempt - 1
        return [forms[(start + n) % len(forms)] for n in range(len(forms))]

    def _draft_from_point(self, scene: TurnContext, point: TalkingPoint) -> TurnDraft:
        """A turn answers whom its point answers, or the chair that asked for it."""
        led = scene.turn_to_answer if scene.turn_to_answer is not None and scene.turn_to_answer.is_chair_turn else None
        reply_to = point.reply_to or led
        return TurnDraft(
            type=scene.ask.type,
            content=point.forms[0],
            reply_to=None if reply_to is None else reply_to.id,
            side=top_side_of(self._arguments.chances.p_top),
        )

    def _idle(self, scene: TurnContext, rng: Random) -> TalkingPoint | None:
        """A draft that says nothing new: agreement with whoever is answered, else its own view once more."""
        last = scene.turn_to_answer
        if last is None or last.is_chair_turn:
            return None
        shared = [s for s in scene.latest_assertions.values() if s.turn.agent == last.agent]
        shared = [s for s in shared if s.affirms is self._arguments.affirms(s.place)]
        if shared:
            parts = self._arguments.parts(shared[-1].place, scene) | {"name": scene.name(last)}
            forms = word_point(phrases.AGREED, parts, hearts=()).forms
        else:
            parts = self._arguments.parts(self._arguments.by_weight[0], scene)
            forms = word_point(phrases.INSISTED, parts, hearts=()).forms
        fitting = [form for form in forms if fits(form, scene.ask)]
        return TalkingPoint((), (rng.choice(fitting),), last) if fitting else None

    # ---- what there is to say

    def _points(self, scene: TurnContext) -> Iterator[TalkingPoint]:
        """What could be said, the most fitting first."""
        ask, say, places = scene.ask, self._arguments, self._order(scene)
        if ask.sentences == 1:
            yield from self._in_one_sentence(scene, places)
            return
        match ask.type:
            case TurnType.POSITION if scene.asked is None and not ask.subject:
                yield from (say.position_point(n, scene) for n in say.by_weight)
            case TurnType.POSITION if scene.asked is not None:
                yield from say.stance_points(scene.asked, scene)
                yield from self._points_on(scene.asked, scene)
            case TurnType.REACTION:
                yield from say.reaction_points(places[0], scene)
                yield from self._points_on(places[0], scene)
            case TurnType.PROPOSITION | TurnType.POSITION:
                for n in places:
                    yield from say.stance_points(n, scene)
            case TurnType.EXPLORATION:
                for n in reversed(say.by_weight):  # what it could most easily do without
                    yield from say.exploration_points(n, scene)
            case _:
                pass
        yield from self._exchange(scene, places)

    def _points_on(self, place: int, scene: TurnContext) -> Iterator[TalkingPoint]:
        """Whatever else it has to say on a question that was asked."""
        say = self._arguments
        for kind in (
            say.evidence_points,
            say.reaction_points,
            say.challenge_points,
            say.stance_points,
            say.falsifier_points,
        ):
            yield from kind(place, scene)

    def _exchange(self, scene: TurnContext, places: list[int]) -> Iterator[TalkingPoint]:
        """Answers before its own case, but now and then the other way round."""
        parts = (self._answers, self._case)
        for part in reversed(parts) if scene.turns_taken % OWN_TURN == OWN_TURN - 1 else parts:
            yield from part(scene, places)
        for n in places:
            yield from self._arguments.challenge_points(n, scene)
            yield from self._arguments.consequence_points(n, scene)
            yield from self._arguments.link_points(n, scene)

    def _answers(self, scene: TurnContext, places: list[int]) -> Iterator[TalkingPoint]:
        """Against evidence somebody has just brought, then against what somebody holds."""
        say = self._arguments
        for said in reversed([t for t in scene.talk.speaker_turns if t.agent != scene.ask.agent][-RECENT:]):
            yield from say.rebuttal_points(scene, said)
        kinds = (say.challenge_points, say.evidence_points)
        for n in places:
            if say.opposing_assertion(n, scene) is not None:
                for kind in kinds if scene.turns_taken % 2 else reversed(kinds):
                    yield from kind(n, scene)

    def _case(self, scene: TurnContext, places: list[int]) -> Iterator[TalkingPoint]:
        """A claim, a piece of evidence or a test of its own, each of them first in turn."""
        say = self._arguments
        kinds = (say.stance_points, say.evidence_points, say.falsifier_points)
        start = (scene.turns_taken // OWN_TURN + scene.seat) % len(kinds)  # not everybody the same at once
        for n in places:
            for kind in (*kinds[start:], *kinds[:start]):
                yield from kind(n, scene)

    def _in_one_sentence(self, scene: TurnContext, places: list[int]) -> Iterator[TalkingPoint]:
        """On a case what follows from its beliefs; on a passage what that shows, if anything."""
        dilemma = self._dilemmas.get(scene.ask.subject)
        if dilemma is not None:
            yield from self._dilemma_points(dilemma, scene)
        else:
            yield from self._arguments.passage_points(places, scene)

    def _order(self, scene: TurnContext) -> list[int]:
        """What was asked first, then what the talk is about, then what weighs most."""
        heard = content_words(
            f"{scene.ask.subject} {'' if scene.turn_to_answer is None else scene.turn_to_answer.content}"
        )
        chances = self._arguments.chances

        def about(place: int) -> int:
            p = self._believer.propositions[place]
            shared = len(heard & content_words(f"{p.statement} {p.denial} {p.question}"))
            return shared if shared >= ABOUT else 0

        return sorted(range(len(chances.c)), key=lambda n: (n != scene.asked, -about(n), -chances.weight(n)))

    # ---- deciding

    def _dilemma_points(self, dilemma: Dilemma, scene: TurnContext) -> Iterator[TalkingPoint]:
        """What follows for the case; a verdict that was given already is reached on grounds of one's own."""
        place = self._believer.network.place[dilemma.turns_on]
        affirms = self._arguments.affirms(place)
        verdict = self._voice.mid_sentence(without_stop(dilemma.if_true if affirms else dilemma.if_false))
        parts = self._arguments.parts(place, scene) | {"verdict": verdict}
        given = next(
            (t for t in reversed(scene.talk.speaker_turns) if normalise_text(verdict) in normalise_text(t.content)),
            None,
        )
        if given is None:
            yield word_point(phrases.DECIDED, parts, hearts=())
            return
        for key in ("reason", "own"):
            more = {"name": scene.name(given), "rest": parts[key]}
            yield word_point(phrases.DECIDED_TOO, parts | more, hearts=(parts[key],))

    def _concession_draft(self, scene: TurnContext) -> TurnDraft:
        """What weighs little with it can go, if it is open to others at all: what somebody else holds before all."""
        say, chances = self._arguments, self._arguments.chances
        argued = [n for n in say.by_weight if not scene.is_new(say.parts(n, scene)["claim"])]
        light = [n for n in reversed(say.by_weight[1:]) if chances.weight(n) < LIGHT and n not in argued]
        side = top_side_of(chances.p_top)
        if not light or self._believer.persona.openness < OPEN_MINDED:
            ground = self._ground(scene, say.by_weight)
            forms = [f.format(ground=ground, Ground=capitalise_first(ground)) for f in phrases.KEPT]
            return TurnDraft(
                type=scene.ask.type, content=first_fit(self._rotate_wordings(forms, scene), scene), side=side
            )
        light.sort(key=lambda n: say.opposing_assertion(n, scene) is None)
        given = light[(scene.ask.attempt - 1) % len(light)]
        parts = say.parts(given, scene) | {"ground": self._ground(scene, [n for n in say.by_weight if n != given])}
        by = say.opposing_assertion(given, scene)
        if by is None:
            forms = word_point(phrases.LEFT_OPEN, parts, hearts=()).forms
            concedes = f"nothing hangs on whether {parts['stance']}"
        else:
            forms = word_point(phrases.GRANTED, parts | {"name": scene.name(by.turn)}, hearts=()).forms
            concedes = parts["theirs"]
        content = first_fit(self._rotate_wordings(forms, scene), scene)
        reply_to = None if by is None else by.turn.id
        return TurnDraft(type=scene.ask.type, content=content, reply_to=reply_to, side=side, concedes=concedes)

    def _ground(self, scene: TurnContext, places: list[int]) -> str:
        """What its conclusion rests on, in words nobody has heard yet, and others where those were sent back."""
        say = self._arguments
        grounds = [say.parts(n, scene)[key] for n in places for key in ("reason", "own")]
        unsaid = [ground for ground in grounds if scene.is_new(ground)] or grounds
        return unsaid[min(scene.ask.attempt, len(unsaid)) - 1]

    def consent(self, ask: AskConsent) -> Consent:
        """To a conclusion it shares; to one between the sides if it is not too sure; to none if it has none itself."""
        p = self._arguments.chances.p_top
        side = top_side_of(p)
        between = ask.side is TopSide.NUANCED and abs(p - 0.5) <= NEAR_EVEN
        undecided = ask.side is None and side is TopSide.NUANCED
        if ask.side is side or between or undecided:
            return Consent(agrees=True)
        strongest = self._arguments.by_weight[0]
        reason = self._voice.reason(strongest, self._arguments.affirms(strongest))
        return Consent(agrees=False, why=sentence(reason))


def fits(text: str, ask: AskTurn) -> bool:
    return count_words(text) <= ask.words and (not ask.sentences or len(sentences(text)) <= ask.sentences)


def is_unheard(text: str, scene: TurnContext) -> bool:
    """No whole sentence of it was said before, by anybody."""
    return all(scene.is_new(said) for said in sentences(text) if count_words(said) >= WHOLE)


def first_fit(forms: Sequence[str], scene: TurnContext) -> str:
    """The first wording that nobody has used; the first of all where there is none."""
    return next((form for form in forms if fits(form, scene.ask) and is_unheard(form, scene)), forms[0])
