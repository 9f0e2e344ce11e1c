"""How agents are called among themselves. PLUS-6: by their ids, or, in a blind debate, by letters that tell nothing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Final

from cruxfinder.kernel.vocabulary import ADVOCATE, MODERATOR, AgentId

HOUSE: Final = (MODERATOR, ADVOCATE)


@dataclass(frozen=True, slots=True)
class Labels:
    shown: dict[AgentId, str]
    hidden: dict[str, str] = field(default_factory=dict[str, str])  # names and ids, and the letters they stand for

    def of(self, agent: AgentId) -> str:
        return self.shown.get(agent, str(agent))

    def agent_of(self, label: str) -> AgentId:
        """The agent a label stands for; a label nobody has stays as it is, for the rules to refuse."""
        wanted = label.strip().casefold()
        return next((agent for agent, shown in self.shown.items() if shown.casefold() == wanted), AgentId(label))

    def without_names(self, text: str) -> str:
        """What the moderator, the advocate and the rules say: they know who is who, debaters may not."""
        for name in sorted(self.hidden, key=len, reverse=True):
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", self.hidden[name], text)
        return text


def labels(agents: Sequence[AgentId], *, blind: bool, names: Sequence[str] = ()) -> Labels:
    others = [a for a in agents if a not in HOUSE]
    if not blind:
        return Labels({a: str(a) for a in others})
    shown = {agent: ascii_uppercase[n] for n, agent in enumerate(others)}
    named = {name: shown[agent] for agent, name in zip(agents, names, strict=False) if agent in shown and name}
    return Labels(shown, {**named, **{str(agent): letter for agent, letter in shown.items()}})
