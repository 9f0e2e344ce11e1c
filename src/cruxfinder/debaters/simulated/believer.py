"""What a simulated debater believes after all it has heard: in private, in public, and what moved it (BELIEFS)."""

from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from cruxfinder.crux.law.probes import top_side_of
from cruxfinder.crux.moves import Claim, Concede, ProvideEvidence
from cruxfinder.crux.thread import Message, Thread
from cruxfinder.debaters.simulated.hearing import PropositionMatch
from cruxfinder.debaters.simulated.network import Array, Chances, Network, logit, sigmoid
from cruxfinder.kernel.pack import Persona, Proposition
from cruxfinder.kernel.vocabulary import (
    MODERATOR,
    AgentId,
    Direction,
    Horizon,
    Label,
    MessageId,
    Side,
    ThreadId,
    TopSide,
)

BETA_MAX: Final = 4.0
SUNK_MAX: Final = 1.5
SINKS: Final = 0.015
YIELDS: Final = 0.5
PUBLIC_NOISE: Final = 0.25
GAMMA_SHAPE: Final = 2.0
STRENGTH_TRUE, STRENGTH_FALSE, STRENGTH_OPEN = 0.45, 0.12, 0.25


@dataclass(frozen=True, slots=True)
class Shift:
    """A piece of evidence that moved the believer, and by how much."""

    message: MessageId
    place: int
    log_odds: float


class Believer:
    """Sees its own network and the public record, nothing else; what it holds is a function of both and the seed."""

    def __init__(self, persona: Persona, propositions: tuple[Proposition, ...], seed: int) -> None:
        self.persona = persona
        self.propositions = propositions
        self.network = Network(persona, propositions)
        self.seed = seed
        self.moved: Array = np.zeros(len(propositions))
        self.sunk = 0.0  # conformity that has sunk in
        self.yielding = 0.0  # conformity shown in public only
        self.shifts: list[Shift] = []
        self.tops: dict[AgentId, TopSide] = {}  # what everybody says of the topic in public
        self.company = 0  # how many others sit at the table, those who have not stated a side too
        self._heard: dict[ThreadId, int] = {}
        self._known: Chances | None = None
        self._leaning = 0.0  # log-odds of P(top) at the last reading, and the sunk conformity it was read with
        self._leaning_sunk = 0.0
        self._trust = dict(persona.trust_in)

    @property
    def beta(self) -> Array:
        return np.clip(self.network.beta + self.moved, -BETA_MAX, BETA_MAX)

    def private(self) -> Chances:
        if self._known is None:
            self._known = self.network.chances(self.beta, self.network.bias + self.sunk)
            self._leaning = logit(min(max(self._known.p_top, 1e-9), 1 - 1e-9))
            self._leaning_sunk = self.sunk
        return self._known

    def credence_at(self, place: int, horizon: Horizon) -> float:
        """P(i) for a span of time; its own span, where it holds nothing special for that one."""
        other = dict(self.network.beliefs[place].by_horizon).get(horizon)
        if other is None or horizon is self.persona.horizon:
            return self.private().c[place]
        return self.network.credence(self.beta, place, logit(other) + float(self.moved[place]))

    def public_top(self, noise: float) -> float:
        """P(top) as it would be said aloud; `noise` is a standard normal draw."""
        held = min(max(self.private().p_top, 1e-9), 1 - 1e-9)
        return sigmoid(logit(held) + self.yielding + PUBLIC_NOISE * noise)

    def hear(self, thread: Thread, about: PropositionMatch | None, upto: int) -> None:
        """Take in the messages up to a point; `about` is what the locked question asks for."""
        start = self._heard.get(thread.id, 0)
        self._heard[thread.id] = max(start, upto)
        for message in thread.messages[start:upto]:
            if message.agent == MODERATOR:
                continue
            self._note_top(message)
            if message.agent != self.persona.id:
                if isinstance(message.move, ProvideEvidence) and about is not None:
                    self._weigh(thread, message, message.move, about)
                self._feel_pressure()

    def _note_top(self, message: Message) -> None:
        match message.move:
            case Claim(top_side=side):
                self.tops[message.agent] = side
            case Concede(top_changed=True, side_after=TopSide() as side):
                self.tops[message.agent] = side
            case _:
                pass

    def _weigh(self, thread: Thread, message: Message, move: ProvideEvidence, about: PropositionMatch) -> None:
        side = speaks_for(thread, move) if about.affirms else opposite(speaks_for(thread, move))
        if side is not Side.UNCERTAIN:
            self.shift(message.id, message.agent, side, about.place)

    def shift(self, message: MessageId, speaker: AgentId, side: Side, place: int) -> None:
        """Move a credence by a piece of evidence, as far as its speaker is trusted."""
        strength = self._strength(message, side, place)
        sign = 1.0 if side is Side.YES else -1.0
        trust = self._trust.get(speaker, self.persona.trust)
        shift = sign * strength * self.persona.openness * trust
        base = float(self.network.beta[place])
        held = base + float(self.moved[place])
        if abs(held) > BETA_MAX:
            held = BETA_MAX if held > 0 else -BETA_MAX
        if abs(held + shift) > BETA_MAX:
            self.moved[place] = (BETA_MAX if shift > 0 else -BETA_MAX) - base
        elif held == base + float(self.moved[place]):
            self.moved[place] += shift
        else:
            self.moved[place] = held + shift - base
        self._known = None
        self._leaning = 0.0
        self.shifts.append(Shift(message, place, shift))

    def _strength(self, message: MessageId, side: Side, about: int) -> float:
        """How strong a piece of evidence is; the same for everybody who hears it."""
        truth = self.propositions[about].truth
        mean = STRENGTH_OPEN if truth == "OPEN" else STRENGTH_TRUE if truth == side else STRENGTH_FALSE
        return Random(f"{self.seed}/evidence/{message}").gammavariate(GAMMA_SHAPE, mean / GAMMA_SHAPE)

    def _feel_pressure(self) -> None:
        others = [side for agent, side in self.tops.items() if agent != self.persona.id]
        if not others or self.persona.conformity == 0:
            return
        own = 1.0 if self._leans_yes() else -1.0
        against = TopSide.NO if own > 0 else TopSide.YES
        opposed = sum(side is against for side in others) / max(self.company, len(others))
        press = -own * self.persona.conformity * max(0.0, 2 * opposed - 1)
        self.yielding += YIELDS * (press - self.yielding)
        if press:
            self.sunk = max(-SUNK_MAX, min(SUNK_MAX, self.sunk + SINKS * press))
            self._known = None

    def _leans_yes(self) -> bool:
        """Which side of .5 P(top) lies on. Values that shift by d move its log-odds by at most d, so the last
        reading still tells as long as it lay further from even odds than they have shifted since."""
        if self._known is None and abs(self._leaning) <= abs(self.sunk - self._leaning_sunk):
            self.private()
        return self._leaning > 0


def exact_label(believer: Believer) -> Label:
    """What really moved a believer off the side it started on: the simulator knows, a probe can only tell."""
    network = believer.network

    def side(moved: bool, pressed: bool) -> tuple[TopSide, float]:
        beta = believer.beta if moved else network.beta
        chances = network.chances(beta, network.bias + (believer.sunk if pressed else 0.0))
        log_odds = logit(min(max(chances.p_top, 1e-9), 1 - 1e-9)) + (believer.yielding if pressed else 0.0)
        return top_side_of(sigmoid(log_odds)), log_odds

    (start, at_start), (by_evidence, moved), (by_pressure, pressed) = (
        side(False, False),
        side(True, False),
        side(False, True),
    )
    if by_evidence is not start:
        return Label.PERSUADED
    if by_pressure is not start:
        return Label.CONFORMED
    if side(True, True)[0] is not start:
        return Label.PERSUADED if abs(moved - at_start) > abs(pressed - at_start) else Label.CONFORMED
    return Label.NOISE


def speaks_for(thread: Thread, move: ProvideEvidence) -> Side:
    """A falsifier met speaks against its owner's side, a falsifier missed for it."""
    owner = thread.commitments.get(move.falsifier_of)
    side = Side.UNCERTAIN if owner is None else owner.side
    return side if move.direction is Direction.AGAINST else opposite(side)


def opposite(side: Side) -> Side:
    return {Side.YES: Side.NO, Side.NO: Side.YES}.get(side, Side.UNCERTAIN)
