"""All a simulated debater has before it when it drafts: the ask, the record, its beliefs, its words, its dice."""

from collections.abc import Collection
from random import Random

from cruxfinder.crux.asks import AskDraft
from cruxfinder.crux.law.probes import side_of
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread, find_candidate
from cruxfinder.debaters.simulated.believer import Believer
from cruxfinder.debaters.simulated.hearing import PropositionMatch, PropositionMatcher
from cruxfinder.debaters.simulated.network import Chances
from cruxfinder.debaters.simulated.speech import Said, Voice, said_in
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import AgentId, Side


class DraftContext:
    def __init__(
        self,
        ask: AskDraft,
        record: Debate,
        believer: Believer,
        ear: PropositionMatcher,
        voice: Voice,
        rng: Random,
        turned_down: Collection[str],
    ) -> None:
        self.ask = ask
        self.record = record
        self.thread: Thread = record.threads[ask.thread]
        self.believer = believer
        self.ear = ear
        self.voice = voice
        self.rng = rng
        self.turned_down = turned_down  # questions of its own that a rule sent back
        self.me: AgentId = ask.agent
        self.said: Said = said_in(record.threads.values())

    @property
    def chances(self) -> Chances:
        return self.believer.private()

    def name(self, agent: AgentId) -> str:
        return name_of(self.record, agent)

    def crux(self) -> PropositionMatch | None:
        """What the locked question asks for."""
        locked = find_candidate(self.thread, self.thread.crux)
        return None if locked is None else self.ear.understand(locked.question)

    def crux_credence(self, heard: PropositionMatch | None) -> float:
        """The private chance that the locked question's answer is YES; even odds for one it does not understand."""
        if heard is None:
            return 0.5
        taken_at = self.thread.horizon or self.believer.persona.horizon
        c = self.believer.credence_at(heard.place, taken_at)
        return c if heard.affirms else 1 - c

    def own_question(self) -> PropositionMatch | None:
        """What a spawned thread was opened for."""
        if self.thread.parent is None or not self.thread.candidates:
            return None
        return self.ear.understand(self.thread.candidates[0].question)

    def crux_side(self) -> Side:
        return side_of(self.crux_credence(self.crux()))

    def odds(self, share: float) -> bool:
        return self.rng.random() < share
