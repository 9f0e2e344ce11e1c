"""How a simulated debater understands what others say: by the statements and questions everybody knows."""

import re
from dataclasses import dataclass
from typing import Final

from cruxfinder.crux.moves import Challenge, Claim
from cruxfinder.crux.thread import Thread, find_message
from cruxfinder.kernel.pack import Proposition
from cruxfinder.kernel.vocabulary import ADVOCATE, AgentId

NOT_WORDS: Final = re.compile(r"[\W_]+")
FRAMED: Final = re.compile(r"is it true that (.+)")


@dataclass(frozen=True, slots=True)
class PropositionMatch:
    """Which proposition a text is about, and whether it affirms it."""

    place: int
    affirms: bool


def normalise_text(text: str) -> str:
    return NOT_WORDS.sub(" ", text.casefold()).strip()


class PropositionMatcher:
    def __init__(self, propositions: tuple[Proposition, ...]) -> None:
        self._known: dict[str, PropositionMatch] = {}
        for place, p in enumerate(propositions):
            self._known[normalise_text(p.statement)] = PropositionMatch(place, True)
            self._known[normalise_text(p.question)] = PropositionMatch(place, True)
            self._known[normalise_text(p.denial)] = PropositionMatch(place, False)
        self._cache: dict[str, PropositionMatch | None] = {}

    def understand(self, text: str) -> PropositionMatch | None:
        if text not in self._cache:
            self._cache[text] = self._look_up(text)
        return self._cache[text]

    def _look_up(self, text: str) -> PropositionMatch | None:
        plain = normalise_text(text)
        framed = FRAMED.fullmatch(plain)
        return self._known.get(plain) or (self._known.get(framed.group(1)) if framed else None)

    def stances(self, thread: Thread) -> dict[tuple[AgentId, int], float]:
        """What each agent let on about each proposition: a credence by its claims and challenges."""
        found: dict[tuple[AgentId, int], float] = {}
        for message in thread.messages:
            if message.agent == ADVOCATE:
                continue
            match message.move:
                case Claim(proposition=text, confidence=confidence):
                    heard = self.understand(text)
                    if heard is not None:
                        found[message.agent, heard.place] = confidence if heard.affirms else 1 - confidence
                case Challenge(disputes=text, target=target):
                    heard = self.understand(text)
                    said = find_message(thread, target)
                    if heard is not None and said is not None:
                        found[message.agent, heard.place] = 0.2 if heard.affirms else 0.8
                case _:
                    pass
        return found
