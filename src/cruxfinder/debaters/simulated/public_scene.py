"""What a speaker hears in public before its turn: who has said which side of which proposition, and nothing else."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from cruxfinder.debaters.simulated.hearing import PropositionMatch, normalise_text
from cruxfinder.kernel.pack import Proposition
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.language.english.texts import sentences
from cruxfinder.talk.asks import AskTurn
from cruxfinder.talk.state import Conversation, Talk, find_turn
from cruxfinder.talk.turns import Turn, TurnType

# What stands before a statement that is meant: anything else leaves open whether its speaker holds it.
ASSERTING: Final = re.compile(
    r"(?:.* )?(?:so|hence|therefore|since|it follows that|i (?:now |still |both )?hold that"
    r"|i (?:say|think|believe) that|my view (?:is that|that|has not changed)|i say (?:yes|no)|i start from this"
    r"|it counts with me that|above all(?: this)?|i take that as a sign that|(?:i|and) grant (?:\w+ ){0,4}that)"
)
ANSWERING: Final = re.compile(r"\b(?:my answer is|i say) (yes|no)\b")


@dataclass(frozen=True, slots=True)
class Assertion:
    """Somebody said in a turn that a proposition holds, or that it does not."""

    turn: Turn
    place: int
    affirms: bool

    @property
    def is_concession(self) -> bool:
        """Given away for an agreement, which does not make it their view."""
        return self.turn.type is TurnType.CONCESSION


class StatementFinder:
    """Finds the statements everybody knows in what was said."""

    def __init__(self, propositions: tuple[Proposition, ...]) -> None:
        texts = [(p.statement, p.denial) for p in propositions]
        self._known = [
            (normalise_text(t), PropositionMatch(n, t is yes)) for n, (yes, no) in enumerate(texts) for t in (yes, no)
        ]
        self._questions = [normalise_text(p.question) for p in propositions]
        self._read: dict[str, tuple[PropositionMatch, ...]] = {}

    def asserted_propositions(self, content: str) -> tuple[PropositionMatch, ...]:
        """What a turn asserts, in its order; not what it denies, supposes, asks or puts down to somebody else."""
        if content not in self._read:
            self._read[content] = tuple(
                h for s in sentences(content) if s[-1:] != "?" for h in self._matches_in(normalise_text(s))
            )
        return self._read[content]

    def _matches_in(self, sentence: str) -> Iterator[PropositionMatch]:
        for text, heard in self._known:
            at = f" {sentence} ".find(f" {text} ")
            if at == 0 or (at > 0 and ASSERTING.fullmatch(sentence[: at - 1])):
                yield heard

    def asked_proposition(self, text: str) -> int | None:
        """The proposition a question is about."""
        plain = normalise_text(text)
        return next((n for n, question in enumerate(self._questions) if question in plain), None)

    def find_assertions(self, talk: Talk) -> tuple[Assertion, ...]:
        """Who said what, in the order it was said."""
        found: list[Assertion] = []
        question: int | None = None
        for said in talk.turns:
            if said.is_chair_turn:
                question = self.asked_proposition(said.content) if said.type is TurnType.QUESTION else question
                continue
            answer = ANSWERING.search(normalise_text(said.content))
            if answer is not None and question is not None:
                found.append(Assertion(said, question, answer[1] == "yes"))
            found += [Assertion(said, heard.place, heard.affirms) for heard in self.asserted_propositions(said.content)]
        return tuple(found)


@dataclass(frozen=True)
class TurnContext:
    """One turn to be taken, and the public record before it."""

    ask: AskTurn
    record: Conversation
    talk: Talk
    stands: tuple[Assertion, ...]
    asked: int | None  # the proposition that was asked about

    @cached_property
    def turn_to_answer(self) -> Turn | None:
        return find_turn(self.talk, self.ask.answers)

    @cached_property
    def transcript(self) -> str:
        return f" {normalise_text(' '.join(t.content for t in self.talk.turns))} "

    @cached_property
    def latest_assertions(self) -> dict[tuple[AgentId, int], Assertion]:
        """What each said last of each proposition."""
        return {(s.turn.agent, s.place): s for s in self.stands}

    @cached_property
    def turns_taken(self) -> int:
        return sum(t.agent == self.ask.agent for t in self.talk.speaker_turns)

    @cached_property
    def seat(self) -> int:
        return next(n for n, s in enumerate(self.record.seats) if s.id == self.ask.agent)

    def name(self, turn: Turn) -> str:
        return name_of(self.record, turn.agent)

    def is_asserted(self, place: int, affirms: bool) -> bool:
        """Has anybody said so?"""
        return any((s.place, s.affirms) == (place, affirms) for s in self.stands)

    def other_assertion(self, place: int, affirms: bool) -> Assertion | None:
        """Somebody else who says so: whoever is to be answered, else who said it last."""
        found = [
            s
            for (agent, at), s in self.latest_assertions.items()
            if agent != self.ask.agent and (at, s.affirms) == (place, affirms) and not s.is_concession
        ]
        answered = None if self.turn_to_answer is None else self.turn_to_answer.agent
        return max(found, key=lambda s: (s.turn.agent == answered, s.turn.number), default=None)

    def own_assertion(self, place: int) -> Assertion | None:
        return self.latest_assertions.get((self.ask.agent, place))

    def is_new(self, text: str) -> bool:
        return f" {normalise_text(text)} " not in self.transcript
