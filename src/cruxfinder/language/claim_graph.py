"""What a turn claims and how its claims hang together; and all claims of a conversation so far, as a graph."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class LinkKind(StrEnum):
    BECAUSE = "because"
    IMPLIES = "implies"
    CONTRASTS = "contrasts"
    EXAMPLE = "example"


@dataclass(frozen=True, slots=True)
class ClaimNode:
    text: str
    words: frozenset[str]  # its content words, stemmed


@dataclass(frozen=True, slots=True)
class Link:
    source: int  # places in `claims`
    target: int
    kind: LinkKind


@dataclass(frozen=True, slots=True)
class TurnClaims:
    claims: tuple[ClaimNode, ...] = ()
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimGraph:
    nodes: tuple[ClaimNode, ...] = ()
    edges: frozenset[tuple[int, int, LinkKind]] = frozenset()
    index: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])  # nodes by word

    def __hash__(self) -> int:
        """Cheap: graphs are large, and those of one conversation differ in size."""
        return len(self.nodes)


EMPTY: Final = ClaimGraph()
