"""Reads a finished conversation as a listener with the pack in hand would: who said what, and what was put down to
whom. It shares no code with the speakers."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from cruxfinder.kernel.pack import Pack, Persona
from cruxfinder.language.english.texts import sentences
from cruxfinder.protocols.any_run import Finished
from cruxfinder.talk.events import PivotForced, TurnSpoken
from cruxfinder.talk.turns import CHAIRS, PivotKind, TurnType

HEDGED = (
    *("whether", "not follow", "not show", "suppose", "give up", "may be right", "cannot hold", "unless", "only if"),
    *("meant to show", "more than this passage", "less likely", "hard to explain", "turned out", "were it the case"),
)
LONG = 8  # words of a sentence that is not said twice by chance


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


@dataclass(frozen=True)
class Side:
    proposition: str
    affirms: bool

    @property
    def other(self) -> "Side":
        return Side(self.proposition, not self.affirms)


class Oracle:
    def __init__(self, pack: Pack, finished: Finished) -> None:
        self.pack = pack
        self.turns = [e for e in finished.events if isinstance(e, TurnSpoken)]
        self.passages = [e for e in finished.events if isinstance(e, PivotForced) and e.to is PivotKind.ANCHOR]
        self.said = [t for t in self.turns if t.role not in CHAIRS]
        self._asserted: dict[str, set[Side]] = {}
        self.persona = {p.id: p for p in pack.personas}
        self.texts = {
            plain(text): Side(p.id, text is p.statement) for p in pack.propositions for text in (p.statement, p.denial)
        }

    # ---- who said what

    def sides_in(self, text: str) -> list[Side]:
        return [side for known, side in self.texts.items() if known in plain(text)]

    def names_in(self, text: str, but: TurnSpoken) -> list[Persona]:
        others = (p for p in self.pack.personas if p.id != but.agent)
        return [p for p in others if re.search(rf"(?<!\w){re.escape(p.name)}(?!\w)", text)]

    def asserted(self, turn: TurnSpoken) -> set[Side]:
        """Sides a turn states in a sentence of its own, and those it answers yes or no to."""
        found: set[Side] = set()
        for sentence in sentences(turn.turn.content):
            words = plain(sentence)
            own = re.search(r" and i both hold that | has met that i hold that ", words)
            if own is not None:
                found |= set(self.sides_in(words[own.end() :]))
            elif not self.names_in(sentence, turn) and not any(h in words for h in HEDGED):
                found |= set(self.sides_in(sentence))
        found |= self.brought(turn)
        answer = re.search(r"\b(?:my answer is|i say) (yes|no)\b", plain(turn.turn.content))
        asked = self.asked(turn)
        if answer and asked:
            found.add(Side(asked, answer[1] == "yes"))
        return found

    def brought(self, turn: TurnSpoken) -> set[Side]:
        """What the evidence in a turn speaks for."""
        words = plain(turn.turn.content)
        shown = [(x, p) for p in self.pack.propositions for x in p.exhibits]
        return {Side(p.id, x.points == "YES") for x, p in shown if plain(x.text) in words}

    def asked(self, turn: TurnSpoken) -> str | None:
        """The proposition the last question of a chair was about."""
        before = [t for t in self.turns[: self.turns.index(turn)] if t.turn.type is TurnType.QUESTION]
        last = plain(before[-1].turn.content) if before else ""
        return next((p.id for p in self.pack.propositions if plain(p.question) in last), None)

    def holds(self, persona: Persona, before: TurnSpoken) -> set[Side]:
        """What somebody has said last of each proposition before a turn."""
        found: dict[str, Side] = {}
        for turn in self.said[: self.said.index(before)]:
            if turn.agent == persona.id and turn.turn.type is not TurnType.CONCESSION:
                if turn.id not in self._asserted:
                    self._asserted[turn.id] = self.asserted(turn)
                found |= {side.proposition: side for side in self._asserted[turn.id]}
        return set(found.values())

    # ---- what was put down to whom

    def attributions(self, turn: TurnSpoken) -> list[tuple[Persona, Side]]:
        """A side in one sentence with somebody's name; a challenge of one's own that is put to somebody."""
        found: list[tuple[Persona, Side]] = []
        content = turn.turn.content
        for sentence in sentences(content):
            words = plain(sentence)
            if "both hold" in words or words.startswith("until "):
                continue
            for who in self.names_in(sentence, turn):
                found += [(who, side) for side in self.sides_in(sentence)]
        for side in self.challenged(turn):
            found += [(who, side.other) for who in self.names_in(content, turn)]
        if re.search(r"\b(?:Not so fast|That leaves something out|Against that),? ", content):
            found += [(who, s.other) for who in self.names_in(content, turn) for s in self.reasoned(turn)]
        return list(dict.fromkeys(found))

    def challenged(self, turn: TurnSpoken) -> list[Side]:
        lines = [(b.lines.challenge, b) for b in self.persona[turn.agent].beliefs if b.lines.challenge]
        words = plain(turn.turn.content)
        return [Side(b.proposition, b.credence >= 0.5) for line, b in lines if plain(line) in words]

    def reasoned(self, turn: TurnSpoken) -> list[Side]:
        lines = [(b.lines.reason, b) for b in self.persona[turn.agent].beliefs if b.lines.reason]
        words = plain(turn.turn.content)
        return [Side(b.proposition, b.credence >= 0.5) for line, b in lines if plain(line) in words]

    def owned(self, turn: TurnSpoken) -> list[Side]:
        """Sides it states in its own words."""
        lines = [(b.lines.statement, b) for b in self.persona[turn.agent].beliefs if b.lines.statement]
        words = plain(turn.turn.content)
        return [Side(b.proposition, b.credence >= 0.5) for line, b in lines if plain(line) in words]

    def false_attributions(self) -> list[str]:
        return [
            f"{turn.id}: {who.name} never said {side}: {turn.turn.content}"
            for turn in self.said
            for who, side in self.attributions(turn)
            if side not in self.holds(who, turn)
        ]

    # ---- what was said twice

    def repeated(self) -> list[str]:
        """Whole lines of the pack, and whole sentences, that one speaker says twice."""
        found: list[str] = []
        for persona in self.pack.personas:
            own = [plain(t.turn.content) for t in self.said if t.agent == persona.id]
            lines = {plain(x) for b in persona.beliefs for x in (b.lines.claim, b.lines.reason, b.lines.challenge) if x}
            lines |= {plain(x.text) for p in self.pack.propositions for x in p.exhibits}
            found += [f"{persona.name}: {line}" for line in sorted(lines) if sum(line in text for text in own) > 1]
            told = Counter(plain(s) for t in self.said if t.agent == persona.id for s in sentences(t.turn.content))
            found += [f"{persona.name}: {line}" for line, n in told.items() if n > 1 and len(line.split()) >= LONG]
        return found

    # ---- the chairs

    def syntheses(self) -> list[TurnSpoken]:
        return [t for t in self.turns if t.turn.type is TurnType.SYNTHESIS and t.role in CHAIRS]

    def quoted_from(self, quote: str) -> list[TurnSpoken]:
        words = plain(quote)
        return [t for t in self.said if words and words in plain(t.turn.content)]

    def neighbours_with_one_ending(self) -> list[str]:
        last = [plain(sentences(t.turn.content)[-1]) for t in self.said]
        return [b for a, b in pairwise(last) if a == b]


def quotes(text: str) -> list[str]:
    return re.findall(r'"([^"]+)"', text)
