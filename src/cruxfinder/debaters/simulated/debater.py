"""A simulated debater: argues what it believes, updates on evidence, and answers probes by computing them.

It is free (its answers are computed again on replay) and repeatable: what it says depends on its own persona, the
propositions everybody knows, the seed and the public record.
"""

from collections.abc import Callable
from random import Random
from typing import Final, assert_never

from cruxfinder.crux import asks
from cruxfinder.crux.law.probes import side_of, top_side_of
from cruxfinder.crux.law.proposed_questions import ABOUT_QUESTIONS
from cruxfinder.crux.moves import ProposeCrux
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import find_candidate
from cruxfinder.debaters.simulated.believer import Believer
from cruxfinder.debaters.simulated.chair import Chair
from cruxfinder.debaters.simulated.conversing import Converser
from cruxfinder.debaters.simulated.discovery import explore
from cruxfinder.debaters.simulated.disputing import argue
from cruxfinder.debaters.simulated.draft_context import DraftContext
from cruxfinder.debaters.simulated.hearing import PropositionMatch, PropositionMatcher
from cruxfinder.debaters.simulated.locking import grade_privately, serve
from cruxfinder.debaters.simulated.network import logit
from cruxfinder.debaters.simulated.speech import Voice
from cruxfinder.kernel.pack import Dilemma, Persona, Proposition
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.vocabulary import Phase, Side, Stage, ThreadId
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord, conversation_in, debate_in
from cruxfinder.talk.asks import AskConsent, AskTurn, AskUser, Spoken
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turns import CHAIRS

Noisy = Callable[[float], float]
BEARING: Final = 0.05  # a difference below this is not worth a word
CERTAIN: Final = 0.001  # answers keep this far from 0 and 1


class SimulatedDebater:
    is_paid = False

    def __init__(
        self,
        persona: Persona,
        propositions: tuple[Proposition, ...],
        seed: int,
        dilemmas: tuple[Dilemma, ...] = (),
    ) -> None:
        self.persona = persona
        self.believer = Believer(persona, propositions, seed)
        self._ear = PropositionMatcher(propositions)
        self._voice = Voice(persona, propositions)
        self._dilemmas = dilemmas
        self._converser = Converser(self.believer, self._voice, dilemmas)
        self._seed = seed
        self._asked = 0
        self._named = ""  # the question it proposed last
        self._turned_down: set[str] = set()

    def with_persona(self, persona: Persona, propositions: tuple[Proposition, ...]) -> "SimulatedDebater":
        """The same debater with something changed; it hears the public record anew. Itself, where nothing is."""
        if (persona, propositions) == (self.persona, self.believer.propositions):
            return self
        return SimulatedDebater(persona, propositions, self._seed, self._dilemmas)

    async def answer(self, ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        return self.reply(ask, record)

    def reply(self, ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        self._asked = ask.number or self._asked + 1
        rng = Random(f"{self._seed}/{self.persona.id}/ask/{self._asked}")
        match ask:
            case asks.AskFirst():
                return self._first()
            case asks.AskDraft():
                self._listen(debate_in(record), ask.thread, ask.heard)
                return self._draft(ask, debate_in(record), rng)
            case asks.AskProbe():
                self._listen(debate_in(record), ask.thread, ask.heard)
                return self._answer_probe(ask, rng)
            case asks.AskJudge():
                self._listen(debate_in(record), ask.thread, ask.heard)
                return self._judge_crux(ask)
            case asks.AskRelate():
                return self._relate_cruxes(ask)
            case asks.AskGrade():
                return grade_privately(debate_in(record).threads[ask.thread], ask)
            case AskTurn() if ask.role in CHAIRS:
                return Chair().reply(ask, conversation_in(record))
            case AskTurn():
                return self._turn(ask, conversation_in(record), rng)
            case AskConsent():
                return self._converser.consent(ask)
            case AskUser():
                return Silence()
            case _:
                assert_never(ask)

    def _listen(self, record: Debate, thread: ThreadId, upto: int) -> None:
        here = record.threads[thread]
        locked = find_candidate(here, here.crux)
        heard = None if locked is None else self._ear.understand(locked.question)
        self.believer.company = len(record.agents) - 1
        self.believer.hear(here, heard, upto)

    def _first(self) -> asks.First:
        chances = self.believer.private()
        strongest = max(range(len(chances.c)), key=chances.weight)
        reason = self._voice.reason(strongest, chances.c[strongest] >= 0.5)
        return asks.First(p_top=chances.p_top, side=top_side_of(chances.p_top), reason=reason)

    def _draft(self, ask: asks.AskDraft, record: Debate, rng: Random) -> AnyAnswer:
        if any(refusal.rule in ABOUT_QUESTIONS for refusal in ask.refused):
            self._turned_down.add(self._named)
        sheet = DraftContext(ask, record, self.believer, self._ear, self._voice, rng, self._turned_down)
        if ask.duty is not None:
            draft = serve(sheet, ask.duty)
        elif sheet.thread.stage is Stage.DISCOVERY:
            draft = explore(sheet)
        else:
            draft = argue(sheet)
        if draft is not None and isinstance(draft.move, ProposeCrux):
            self._named = draft.move.question
        return Silence() if draft is None else asks.Drafted(draft=draft)

    def _turn(self, ask: AskTurn, record: Conversation, rng: Random) -> AnyAnswer:
        self._converser.listen(record.talk, ask.heard)
        draft = self._converser.draft(ask, record, record.talk, rng)
        return Silence() if draft is None else Spoken(turn=draft)

    def _answer_probe(self, ask: asks.AskProbe, rng: Random) -> asks.Probed:
        chances = self.believer.private()
        noise = self.persona.probe_noise

        def with_noise(p: float) -> float:
            return min(1 - CERTAIN, max(CERTAIN, p + (rng.gauss(0.0, noise) if noise else 0.0)))

        if ask.phase is Phase.WORDING:
            return asks.Probed(
                p_top=with_noise(chances.p_top), fixed=tuple(self._fixed_reading(q, with_noise) for q in ask.questions)
            )
        if ask.phase is Phase.LINKS:
            links = tuple(self._link(first, second, with_noise) for first, second in ask.pairs)
            return asks.Probed(p_top=with_noise(chances.p_top), links=links)
        public = top_side_of(self.believer.public_top(rng.gauss(0.0, 1.0))) if ask.phase is Phase.CHANGE else None
        return asks.Probed(
            p_top=with_noise(chances.p_top),
            credences=tuple(self._credence(q, with_noise) for q in ask.questions),
            public_side=public,
        )

    def _credence(self, question: asks.Question, said: Noisy) -> asks.Credence:
        chances = self.believer.private()
        heard = self._ear.understand(question.question)
        if heard is None:
            top = said(chances.p_top)
            return asks.Credence(candidate=question.id, c=0.5, p1=top, p0=top)
        n = heard.place
        yes, if_yes, if_no = chances.c[n], chances.p1[n], chances.p0[n]
        if not heard.affirms:
            yes, if_yes, if_no = 1 - yes, if_no, if_yes
        return asks.Credence(candidate=question.id, c=said(yes), p1=said(if_yes), p0=said(if_no))

    def _fixed_reading(self, question: asks.Question, said: Noisy) -> asks.FixedReading:
        """The same question read as its YES and NO texts fix it."""
        heard = self._ear.understand(question.question)
        if heard is None:
            return asks.FixedReading(candidate=question.id, wording=0.5, horizon=0.5)
        n = heard.place
        proposition, belief = self.believer.propositions[n], self.believer.network.beliefs[n]
        readings = (
            dict(belief.by_sense).get(proposition.sense, belief.credence),
            dict(belief.by_horizon).get(proposition.horizon, belief.credence),
        )
        moved = float(self.believer.moved[n])
        found = [self.believer.network.credence(self.believer.beta, n, logit(p) + moved) for p in readings]
        wording, horizon = (p if heard.affirms else 1 - p for p in found)
        return asks.FixedReading(candidate=question.id, wording=said(wording), horizon=said(horizon))

    def _link(self, first: asks.Question, second: asks.Question, said: Noisy) -> asks.QuestionLink:
        of, on = self._ear.understand(first.question), self._ear.understand(second.question)
        if of is None or on is None or of.place == on.place:
            even = said(0.5)
            return asks.QuestionLink(first=first.id, second=second.id, if_yes=even, if_no=even)
        if_yes, if_no = self._bearing(on, of)
        return asks.QuestionLink(first=first.id, second=second.id, if_yes=said(if_yes), if_no=said(if_no))

    def _judge_crux(self, ask: asks.AskJudge) -> asks.Judged:
        """Object to a side that is not the one it privately takes, unless it was never sure."""
        heard = self._ear.understand(ask.question)
        if heard is None:
            return asks.Judged()
        c = self.believer.private().c[heard.place]
        own = side_of(c if heard.affirms else 1 - c)
        if own in (ask.side, Side.UNCERTAIN):
            return asks.Judged()
        affirms = (own is Side.YES) == heard.affirms
        statement = self._voice.statement(heard.place, affirms)
        return asks.Judged(objection=f"I am at {own}, not at {ask.side}: {statement}", side=own, statement=statement)

    def _relate_cruxes(self, ask: asks.AskRelate) -> asks.Related:
        """How one crux bears on the other in its own network, either way round."""
        first, second = (self._ear.understand(q.question) for q in ask.questions)
        if first is None or second is None or first.place == second.place:
            return asks.Related(second_if_yes=0.5, second_if_no=0.5, first_if_yes=0.5, first_if_no=0.5)
        forth, back = self._bearing(second, first), self._bearing(first, second)
        return asks.Related(
            second_if_yes=forth[0],
            second_if_no=forth[1],
            first_if_yes=back[0],
            first_if_no=back[1],
            sketch=self._sketch(first, second, *forth),
            back=self._sketch(second, first, *back),
        )

    def _bearing(self, on: PropositionMatch, of: PropositionMatch) -> tuple[float, float]:
        if_true, if_false = self.believer.network.bearing(self.believer.beta, on.place, of.place)
        if_yes, if_no = (if_true, if_false) if of.affirms else (if_false, if_true)
        return (if_yes, if_no) if on.affirms else (1 - if_yes, 1 - if_no)

    def _sketch(self, of: PropositionMatch, on: PropositionMatch, if_yes: float, if_no: float) -> str:
        """One step of reasoning, where there is any."""
        if abs(if_yes - if_no) < BEARING:
            return ""
        premise = self._voice.mid_sentence(self._voice.stance(of.place, of.affirms))
        follows = self._voice.mid_sentence(self._voice.stance(on.place, on.affirms == (if_yes > if_no)))
        chances = (if_yes, if_no) if if_yes > if_no else (1 - if_yes, 1 - if_no)
        return f"Suppose {premise}. Then {follows}: {chances[0]:.0%} with it, {chances[1]:.0%} without."
