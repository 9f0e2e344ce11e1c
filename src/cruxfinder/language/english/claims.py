"""Which claims a turn makes and how they hang together, and which of them the conversation does not know yet."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cruxfinder.language.claim_graph import ClaimGraph, ClaimNode, Link, LinkKind, TurnClaims
from cruxfinder.language.english import connectives
from cruxfinder.language.english.own_words import own_words, words_between
from cruxfinder.language.english.restating import is_restatement
from cruxfinder.language.english.texts import content_stems

ALIKE: Final = 0.6  # shared content words ÷ all of them: the same claim in other words
WORDS_MIN: Final = 2
OWN_MIN_MARKED: Final = 3  # agreement that names no more than its speaker is no claim

# How a sentence gets under way; what is claimed begins after it.
LEAD: Final = re.compile(
    r"\W*(?:(?:well|so|and|but|or|look|yes|no|okay|ok|right|now|then|also|again|frankly|honestly|of course|i mean"
    r"|you know|you see|once (?:again|more)|in (?:fact|short|conclusion)|first(?:ly| of all)?|second(?:ly)?|finally"
    r"|if you ask me"
    r"|(?:as|like) (?:i|we)(?:'ve| have)? (?:already |just )?(?:said|say|argued|mentioned|noted)(?: (?:before|earlier"
    r"|already))?"
    r"|(?:i|we) (?:still |really |firmly |do |also |would )?(?:think|believe|feel|say|hold|maintain|repeat|insist|agree"
    r"|grant|concede|admit)(?: (?:with \w+ )?that)?|it(?:'s| is) (?:true|clear|obvious) that|my (?:point|view"
    r"|claim) is that|in my (?:view|opinion)|the (?:point|fact|truth) is(?: that)?|that)\b(?!')[\s,:;–—-]*)*"
)
ANNOUNCED: Final = re.compile(r"(?:\bthat|[,:])\s*$")
DENIES: Final = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|\w+n['’]t)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class NewClaims:
    """What a turn brings that is not in the graph; links by the places of their claims in the turn."""

    claims: tuple[ClaimNode, ...]
    links: tuple[Link, ...]


@lru_cache(maxsize=512)
def read(text: str) -> TurnClaims:
    """The claims of a turn; questions, agreement and talk about the talk make none."""
    claims: list[ClaimNode] = []
    links: list[Link] = []
    before: int | None = None
    for sentence in connectives.sentences(text):
        if sentence.endswith("?"):
            continue
        lowered = connectives.plain_lowercase(sentence)
        cut = connectives.parts(lowered)
        places: list[int | None] = []
        for piece in cut.pieces:
            empty = piece.start == piece.stop
            places.append(before if empty else place(claims, claim(sentence, lowered, piece)))
        links.extend(
            Link(source, target, kind)
            for at, onto, kind in cut.links
            if (source := places[at]) is not None and (target := places[onto]) is not None and source != target
        )
        before = next((p for p in reversed(places) if p is not None), before)
    return TurnClaims(tuple(claims), tuple(dict.fromkeys(links)))


def claim(sentence: str, lowered: str, piece: slice) -> ClaimNode | None:
    """The claim a piece of a sentence makes, if it makes one."""
    start, stop = piece.start, piece.stop
    started = LEAD.match(lowered, start, stop)
    begin = started.end() if started is not None else start
    if (colon := lowered.find(": ", begin, stop)) >= 0 and is_restatement(lowered[begin:colon]):
        begin = colon + 2
    spoken = words_between(lowered, begin, stop)
    words = frozenset(content_stems(spoken))
    if len(words) < WORDS_MIN:
        return None
    said = own_words(spoken)
    if not said:
        return None
    # "I agree that tolls rose" goes on to a claim of its own, "I agree with Anna" does not.
    if len(said) < OWN_MIN_MARKED:
        announced = ANNOUNCED.search(lowered[start:begin])
        if is_restatement(lowered[begin:stop] if announced else lowered[start:stop]):
            return None
    return ClaimNode(sentence[begin:stop].strip(" \"'.,;:!–—-"), words)


def place(claims: list[ClaimNode], made: ClaimNode | None) -> int | None:
    """Where a claim stands in its turn; one that the turn makes twice stands once."""
    if made is None:
        return None
    at = next((i for i, c in enumerate(claims) if c.words == made.words and denies(c) == denies(made)), None)
    if at is None:
        claims.append(made)
    return len(claims) - 1 if at is None else at


def find_new_claims(graph: ClaimGraph, claims: TurnClaims) -> NewClaims:
    """What of a turn is not in the graph yet."""
    after, nodes = insert_claims(graph, claims)
    links: dict[tuple[int, int, LinkKind], Link] = {}
    for link in claims.links:
        edge = edge_between(link, nodes)
        if edge[0] != edge[1] and edge not in graph.edges:
            links.setdefault(edge, link)
    return NewClaims(after.nodes[len(graph.nodes) :], tuple(links.values()))


def merge_claims(graph: ClaimGraph, claims: TurnClaims) -> ClaimGraph:
    """The graph with the turn in it."""
    return insert_claims(graph, claims)[0]


@lru_cache(maxsize=4)
def insert_claims(graph: ClaimGraph, claims: TurnClaims) -> tuple[ClaimGraph, tuple[int, ...]]:
    """The graph with the turn in it, and the node of each claim of the turn. A turn that is judged is then said."""
    if not claims.claims:
        return graph, ()
    nodes = [*graph.nodes]
    index = dict(graph.index)
    numbers: list[int] = []
    for made in claims.claims:
        number = find_node(nodes, index, made, otherwise=len(nodes))
        if number == len(nodes):
            nodes.append(made)
            for word in made.words:
                index[word] = *index.get(word, ()), number
        numbers.append(number)
    if len(nodes) > len(graph.nodes):  # a claim may be nearer to one that came after it in the turn
        numbers = [
            number if nodes[number] is made else find_node(nodes, index, made, otherwise=number)
            for number, made in zip(numbers, claims.claims, strict=True)
        ]
    drawn = (edge for link in claims.links if (edge := edge_between(link, numbers))[0] != edge[1])
    return ClaimGraph(tuple(nodes), graph.edges.union(drawn), index), tuple(numbers)


def find_node(nodes: list[ClaimNode], index: Mapping[str, tuple[int, ...]], made: ClaimNode, otherwise: int) -> int:
    """The node that makes the same claim: nearly the same words or all of them, and denied alike."""
    shared: dict[int, int] = {}
    for word in made.words:
        for number in index.get(word, ()):
            shared[number] = shared.get(number, 0) + 1
    wide = len(made.words)
    best: tuple[float, int] | None = None
    for number, common in shared.items():
        if common < WORDS_MIN:
            continue
        likeness = common / (wide + len(nodes[number].words) - common)
        nearer = best is None or (likeness, -number) > (best[0], -best[1])
        if nearer and (likeness >= ALIKE or common == wide) and denies(nodes[number]) == denies(made):
            best = likeness, number
    return otherwise if best is None else best[1]


def edge_between(link: Link, nodes: tuple[int, ...] | list[int]) -> tuple[int, int, LinkKind]:
    return nodes[link.source], nodes[link.target], link.kind


def denies(made: ClaimNode) -> bool:
    """A claim and its denial share their content words; how often it says no tells them apart."""
    return len(DENIES.findall(made.text)) % 2 == 1
