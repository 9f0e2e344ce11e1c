"""What a simulated speaker could say about each proposition: points in words, each resting on something unsaid."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cruxfinder.crux.law.probes import top_side_of
from cruxfinder.debaters.simulated import phrases
from cruxfinder.debaters.simulated.believer import Believer
from cruxfinder.debaters.simulated.hearing import normalise_text
from cruxfinder.debaters.simulated.network import Chances
from cruxfinder.debaters.simulated.public_scene import Assertion, TurnContext
from cruxfinder.debaters.simulated.speech import Voice, capitalise_first, sentence, without_stop
from cruxfinder.kernel.pack import Exhibit
from cruxfinder.language.english.texts import sentences
from cruxfinder.talk.turns import Turn, TurnType

BEARS: Final = 0.1  # a difference below this is not worth a word


@dataclass(frozen=True, slots=True)
class TalkingPoint:
    """Something to say: what it rests on, of which nothing may have been said, and the wordings it may take."""

    hearts: tuple[str, ...]
    forms: tuple[str, ...]
    reply_to: Turn | None = None


class Arguments:
    """One believer's points. What another holds is taken from what they have said."""

    def __init__(self, believer: Believer, voice: Voice) -> None:
        self._believer = believer
        self._voice = voice

    @property
    def chances(self) -> Chances:
        return self._believer.private()

    @property
    def by_weight(self) -> list[int]:
        """What its conclusion rests on most, first."""
        return sorted(range(len(self.chances.c)), key=self.chances.weight, reverse=True)

    def affirms(self, place: int) -> bool:
        return self.chances.c[place] >= 0.5

    def parts(self, place: int, scene: TurnContext) -> dict[str, str]:
        """Its words on a proposition, by the names the phrases give them."""
        affirms, voice = self.affirms(place), self._voice
        stance, theirs = voice.stance(place, affirms), voice.stance(place, not affirms)
        own, reason = voice.statement(place, affirms), voice.reason(place, affirms)
        lines = voice.lines(place, affirms)
        claim = sentence(lines.claim or phrases.PLAIN_REASON.format(Reason=capitalise_first(reason)))
        return {
            "stance": voice.mid_sentence(stance),
            "Stance": capitalise_first(stance),
            "theirs": voice.mid_sentence(theirs),
            "own": voice.mid_sentence(own),
            "Own": capitalise_first(own),
            "reason": voice.mid_sentence(reason),
            "Reason": capitalise_first(reason),
            "claim": claim,
            "claim_": voice.mid_sentence(claim),
            "challenge": sentence(lines.challenge) if lines.challenge else "",
            "challenge_": voice.mid_sentence(sentence(lines.challenge)) if lines.challenge else "",
            "yes": "yes" if affirms else "no",
            "topic": voice.mid_sentence(without_stop(scene.record.started.topic)),
        }

    def opposing_assertion(self, place: int, scene: TurnContext) -> Assertion | None:
        """Somebody who has said the contrary."""
        return scene.other_assertion(place, not self.affirms(place))

    def is_already_asserted(self, place: int, scene: TurnContext) -> bool:
        return scene.is_asserted(place, self.affirms(place))

    # ---- one's own case

    def stance_points(self, place: int, scene: TurnContext) -> Iterator[TalkingPoint]:
        parts = self.parts(place, scene)
        before = scene.own_assertion(place)
        if before is not None and before.affirms is not self.affirms(place):
            yield word_point(phrases.CHANGED, parts, hearts=(parts["reason"],))
            return
        drawn, asked = self.is_already_asserted(place, scene), place == scene.asked
        if asked and scene.ask.type is TurnType.POSITION:
            forms = phrases.ANSWERED_TOO if drawn else phrases.ANSWERED
        else:
            forms = phrases.STOOD_TOO if drawn else phrases.STOOD
        yield word_point(forms, parts, hearts=(parts["claim"],))

    def position_point(self, place: int, scene: TurnContext) -> TalkingPoint:
        """Where it stands on the topic, on what ground, and what else it goes by."""
        parts = self.parts(place, scene)
        rest = [n for n in self.by_weight if n != place][:2]
        more = {"second": self.parts(rest[scene.ask.number % len(rest)], scene)["stance"]} if rest else {}
        sides = phrases.TOPICAL[top_side_of(self.chances.p_top)]
        forms = [f"{side} {ground}" for ground in phrases.POSITIONED if rest for side in sides]
        short = [f"{side} {ground}" for ground in phrases.CLAIM_LAST for side in sides]
        return word_point((*forms, *short), parts | more, hearts=(parts["claim"],))

    def falsifier_points(self, place: int, scene: TurnContext) -> Iterator[TalkingPoint]:
        held = self._voice.falsifier(place, self.affirms(place), self._believer.persona.name)
        parts = self.parts(place, scene) | {
            "Metric": capitalise_first(without_stop(held.metric)),
            "threshold": without_stop(held.threshold),
            "deadline": without_stop(held.deadline),
        }
        yield word_point(phrases.TESTED, parts, hearts=(without_stop(held.threshold),))

    def consequence_points(self, place: int, scene: TurnContext) -> Iterator[TalkingPoint]:
        """What would follow for the topic if it were wrong."""
        chances = self.chances
        if_wrong = chances.p0[place] if self.affirms(place) else chances.p1[place]
        if abs(if_wrong - chances.p_top) > BEARS:
            parts = self.parts(place, scene) | {"less": "less" if if_wrong < chances.p_top else "more"}
            point = word_point(phrases.WEIGHED, parts, hearts=())
            yield TalkingPoint((point.forms[0].split(", as I")[0],), point.forms)

    def link_points(self, place: int, scene: TurnContext) -> Iterator[TalkingPoint]:
        """What else becomes likely with it, in its own network."""
        network, beta = self._believer.network, self._believer.beta
        for other in range(len(self.chances.c)):
            if other == place:
                continue
            if_true, if_false = network.bearing(beta, other, place)
            towards = (if_true > if_false) is self.affirms(place)
            if abs(if_true - if_false) > BEARS and towards is self.affirms(other):
                parts = self.parts(place, scene) | {"other": self.parts(other, scene)["stance"]}
                point = word_point(phrases.LINKED, parts, hearts=())
                yield TalkingPoint(point.forms, point.forms)

    # ---- answers

    def rebuttal_points(self, scene: TurnContext, said: Turn) -> Iterator[TalkingPoint]:
        """Against the evidence somebody leans on."""
        for place, exhibit in self.cited_exhibits(said):
            if (exhibit.points == "YES") is not self.affirms(place):
                for rebuttal in exhibit.rebuttals:
                    parts = self.parts(place, scene) | {
                        "name": scene.name(said),
                        "source": without_stop(exhibit.source),
                        "why": sentence(rebuttal.why),
                    }
                    yield word_point(phrases.COUNTERED, parts, hearts=(rebuttal.why,), reply_to=said)

    def cited_exhibits(self, said: Turn) -> Iterator[tuple[int, Exhibit]]:
        plain = normalise_text(said.content)
        for place, p in enumerate(self._believer.propositions):
            for exhibit in p.exhibits:
                if normalise_text(exhibit.text) in plain:
                    yield place, exhibit

    def challenge_points(self, place: int, scene: TurnContext) -> Iterator[TalkingPoint]:
        """Against whoever has said the contrary; against nobody by name where nobody has."""
        parts = self.parts(place, scene)
        if not parts["challenge"]:
            return
        by = self.opposing_assertion(place, scene)
        if by is None:
            yield word_point(phrases.CHALLENGED_ANYBODY, parts, hearts=(parts["challenge"],))
            return
        forms = (
            phrases.CHALLENGED
            if self.is_already_asserted(place, scene)
            else phrases.CHALLENGED + phrases.CHALLENGED_AND_STOOD
        )
        yield word_point(forms, parts | {"name": scene.name(by.turn)}, hearts=(parts["challenge"],), reply_to=by.turn)

    def evidence_points(self, place: int, scene: TurnContext) -> Iterator[TalkingPoint]:
        """The evidence for its side."""
        points = "YES" if self.affirms(place) else "NO"
        by, drawn = self.opposing_assertion(place, scene), self.is_already_asserted(place, scene)
        forms = phrases.SHOWN_TOO if drawn else phrases.SHOWN
        forms = phrases.SHOWN_AGAINST if by is not None else forms
        named = {} if by is None else {"name": scene.name(by.turn)}
        for exhibit in self._believer.propositions[place].exhibits:
            if exhibit.points == points:
                brought = {"text": sentence(exhibit.text), "source": without_stop(exhibit.source)}
                parts = self.parts(place, scene) | brought | named
                yield word_point(forms, parts, hearts=(exhibit.text,), reply_to=None if by is None else by.turn)

    def reaction_points(self, place: int, scene: TurnContext) -> Iterator[TalkingPoint]:
        """A reason in a sentence, for or against the one who is answered; else an answer to what was asked."""
        parts = self.parts(place, scene)
        hearts = (parts["reason"],)
        last = scene.turn_to_answer
        stand = None if last is None else scene.latest_assertions.get((last.agent, place))
        forms = phrases.SAID_YES_OR_NO if place == scene.asked else phrases.REASONED
        if stand is None:
            yield word_point(forms, parts, hearts=hearts)
            return
        parts |= {"name": scene.name(stand.turn)}
        if stand.affirms is self.affirms(place):  # who joins somebody answers nobody
            yield word_point(phrases.JOINED, parts, hearts=hearts)
        else:
            yield word_point(phrases.DISAGREED, parts, hearts=hearts, reply_to=stand.turn)

    def exploration_points(self, place: int, scene: TurnContext) -> Iterator[TalkingPoint]:
        """What somebody said and it could build on, and what stands beside that in its own view."""
        for affirms, forms in ((not self.affirms(place), phrases.EXPLORED), (self.affirms(place), phrases.SHARED)):
            by = scene.other_assertion(place, affirms)
            for rest in self.by_weight if by is not None else ():
                if by is not None and rest != place:
                    others = self.parts(rest, scene)
                    parts = self.parts(place, scene) | {"name": scene.name(by.turn)}
                    answered = None if affirms is self.affirms(place) else by.turn
                    for key in ("reason", "own"):
                        yield word_point(forms, parts | {"rest": others[key]}, hearts=(others[key],), reply_to=answered)

    # ---- passages

    def find_exhibit(self, text: str) -> tuple[int, Exhibit] | None:
        """The proposition a passage bears on and the side it speaks for, where the pack says so."""
        plain = normalise_text(text)
        for place, p in enumerate(self._believer.propositions):
            for exhibit in p.exhibits:
                if normalise_text(exhibit.text) == plain:
                    return place, exhibit
        return None

    def passage_points(self, places: list[int], scene: TurnContext) -> Iterator[TalkingPoint]:
        known = self.find_exhibit(scene.ask.subject)
        if known is not None:
            yield from self._exhibit_points(*known, scene)
            return
        for place in places:
            parts = self.parts(place, scene)
            yield word_point(phrases.UNTOUCHED, parts, hearts=(parts["reason"],))
        for place in places:
            yield word_point(phrases.UNTOUCHED_BRIEFLY, self.parts(place, scene), hearts=())

    def _exhibit_points(self, place: int, exhibit: Exhibit, scene: TurnContext) -> Iterator[TalkingPoint]:
        """What it makes of a piece of evidence, in its own words before those that others may use too."""
        parts = self.parts(place, scene)
        fits_in = (exhibit.points == "YES") is self.affirms(place)
        for key in ("reason", "own"):
            forms = phrases.BORNE_OUT_BY if fits_in else phrases.CONCEDED_TO
            yield word_point(forms, parts | {"rest": parts[key]}, hearts=(parts[key],))
        for rebuttal in () if fits_in else exhibit.rebuttals:
            why = "; ".join(self._voice.mid_sentence(without_stop(said)) for said in sentences(rebuttal.why))
            yield word_point(phrases.BORNE_AGAINST, parts | {"why_": f"{why}."}, hearts=(rebuttal.why,))
        if not fits_in:
            yield word_point(phrases.HARD_TO_MEET, parts, hearts=())


def word_point(
    forms: tuple[str, ...], parts: dict[str, str], *, hearts: tuple[str, ...], reply_to: Turn | None = None
) -> TalkingPoint:
    return TalkingPoint(hearts, tuple(form.format(**parts) for form in forms), reply_to)
