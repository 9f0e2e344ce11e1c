"""How agents are called in a prompt: by their ids, or, in a blind debate, by letters that tell nothing (PLUS-6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Final

from cruxfinder.model.words import ADVOCATE, MODERATOR, AgentId

HOUSE: Final = (MODERATOR, ADVOCATE)


@dataclass(frozen=True, slots=True)
class Labels:
    shown: dict[AgentId, str]

    def of(self, agent: AgentId) -> str:
        return self.shown.get(agent, str(agent))

    def meant(self, label: str) -> AgentId:
        """The agent a label stands for; a label nobody has stays as it is, for the rules to refuse."""
        wanted = label.strip().casefold()
        return next((agent for agent, shown in self.shown.items() if shown.casefold() == wanted), AgentId(label))


def labels(agents: Sequence[AgentId], *, blind: bool) -> Labels:
    others = [a for a in agents if a not in HOUSE]
    if not blind:
        return Labels({a: str(a) for a in others})
    return Labels({agent: ascii_uppercase[n] for n, agent in enumerate(others)})
