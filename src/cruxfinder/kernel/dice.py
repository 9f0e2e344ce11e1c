"""Chance by name: one seeded stream for each agent and purpose."""

from random import Random


class SeededDice:
    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._streams: dict[tuple[str, str], Random] = {}

    def between(self, who: str, purpose: str, low: int, high: int) -> int:
        stream = self._streams.get((who, purpose))
        if stream is None:
            stream = self._streams[who, purpose] = Random(f"{self._seed}/{who}/{purpose}")
        return stream.randint(low, high)
