"""What a simulated debater holds after all it has heard, step by step, and that it knows nothing of the others."""

import asyncio
import math
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts, seats
from cruxfinder.crux.asks import AskDraft, AskProbe, Drafted
from cruxfinder.crux.moves import Challenge, Claim, Clarify, Concede, Move, ProvideEvidence
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Commitment, Message, Thread
from cruxfinder.debaters.simulated.believer import Believer, opposite, speaks_for
from cruxfinder.debaters.simulated.hearing import PropositionMatch
from cruxfinder.debaters.simulated.network import logit, sigmoid
from cruxfinder.kernel.pack import Belief, Pack, Persona, Proposition, Truth
from cruxfinder.kernel.vocabulary import (
    MODERATOR,
    AgentId,
    Direction,
    Horizon,
    MessageId,
    Phase,
    Side,
    ThreadId,
    TopSide,
)
from cruxfinder.ports import Debater
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk

ANN, BOB, CAT, DAN = (AgentId(name) for name in ("ann", "bob", "cat", "dan"))
T1 = ThreadId("t1")
YES, NO, NUANCED = TopSide.YES, TopSide.NO, TopSide.NUANCED
ABOUT = PropositionMatch(0, True)

# ---- a believer with one proposition, and a record for it to hear


def proposition(truth: Truth = "OPEN") -> Proposition:
    return Proposition(
        id="p",
        statement="It holds",
        denial="It fails",
        question="Does it hold?",
        yes_means="",
        no_means="",
        truth=truth,
    )


def persona(**given: float) -> Persona:
    """BOB: credence .1 in the one proposition, weight 2, no bias; so it stands at NO."""
    plain = Persona(
        id=BOB,
        name="Bob",
        about="",
        openness=0.5,
        trust=0.8,
        beliefs=(Belief(proposition="p", credence=0.1, weight=2),),
    )
    return replace(plain, **given)


def bob(truth: Truth = "OPEN", seed: int = 1, **given: float) -> Believer:
    return Believer(persona(**given), (proposition(truth),), seed)


def said(*moves: tuple[AgentId, Move]) -> Thread:
    """A thread of these messages, m1, m2, …; ANN is committed to YES, CAT to NO, DAN to UNCERTAIN."""
    messages = tuple(
        Message(id=MessageId(f"m{n}"), at_ms=n, agent=agent, thread=T1, move=move, content="…")
        for n, (agent, move) in enumerate(moves, start=1)
    )
    sides = {ANN: Side.YES, CAT: Side.NO, DAN: Side.UNCERTAIN}
    commitments = {
        a: Commitment(
            agent=a,
            side=side,
            statement="",
            reason="",
            confidence=0.7,
            horizon=Horizon.FIVE_YEARS,
            message=MessageId("m0"),
            at_ms=0,
        )
        for a, side in sides.items()
    }
    return Thread(id=T1, topic="", created_ms=0, messages=messages, commitments=commitments)


def claim(side: TopSide) -> Claim:
    return Claim(proposition="It holds", reason="so", confidence=0.7, top_side=side)


def shown(owner: AgentId, direction: Direction) -> ProvideEvidence:
    return ProvideEvidence(evidence="…", source="…", falsifier_of=owner, number=1, direction=direction)


def conceded(after: TopSide | None) -> Concede:
    return Concede(proposition="…", top_changed=after is not None, side_before=None, side_after=after)


def listen(believer: Believer, *moves: tuple[AgentId, Move], about: PropositionMatch | None = ABOUT) -> Believer:
    thread = said(*moves)
    believer.hear(thread, about, len(thread.messages))
    return believer


def p_top(credence: float, bias: float) -> float:
    """P(top) of one proposition with weight 2, by hand."""
    return credence * sigmoid(bias + 2) + (1 - credence) * sigmoid(bias - 2)


# ---- conformity


STEPS = [
    # who, what, then y and u after it: press = κ · max(0, 2q - 1), y += ½(press - y), u += .015 press
    (ANN, claim(YES), 0.5, 0.015),  # q = 1: press 1
    (CAT, claim(YES), 0.75, 0.03),  # q = 1: press 1
    (DAN, claim(NO), 13 / 24, 0.035),  # q = 2/3: press 1/3
    (BOB, claim(NO), 13 / 24, 0.035),  # its own word presses nobody
    (ANN, Challenge(target=MessageId("m3"), disputes="…", why="…"), 7 / 16, 0.04),  # q = 2/3 still
    (MODERATOR, Clarify(target=MessageId("m1"), asks=True), 7 / 16, 0.04),  # not one of the others
    (CAT, conceded(NO), 7 / 32, 0.04),  # q = 1/3: press 0, y halves
    (CAT, conceded(None), 7 / 64, 0.04),  # cheap: CAT stays at NO
    (ANN, claim(NUANCED), 7 / 128, 0.04),  # q = 0
]


@pytest.mark.parametrize("kappa", [1.0, 3.0])
def test_pressure_step_by_step(kappa: float) -> None:
    believer = bob(conformity=kappa)
    thread = said(*((who, move) for who, move, _, _ in STEPS))
    for n, (_, _, y, u) in enumerate(STEPS, start=1):
        believer.hear(thread, None, n)
        assert believer.yielding == pytest.approx(kappa * y)
        assert believer.sunk == pytest.approx(kappa * u)
        assert believer.private().p_top == pytest.approx(p_top(0.1, kappa * u))
        public = logit(p_top(0.1, kappa * u)) + kappa * y
        assert believer.public_top(0.0) == pytest.approx(sigmoid(public))
        assert believer.public_top(-1.0) == pytest.approx(sigmoid(public - 0.25))
    assert believer.private().c == pytest.approx((0.1,))  # no credence moved


def test_without_conformity_nothing_presses() -> None:
    believer = listen(bob(conformity=0.0), *((who, move) for who, move, _, _ in STEPS))
    assert (believer.yielding, believer.sunk) == (0.0, 0.0)
    assert believer.public_top(0.0) == pytest.approx(p_top(0.1, 0.0))


def test_who_stands_at_yes_is_pressed_towards_no() -> None:
    believer = listen(bob(conformity=1.0, bias=3.0), (ANN, claim(NO)))
    assert (believer.yielding, believer.sunk) == pytest.approx((-0.5, -0.015))


def test_agreement_presses_nobody_and_half_the_others_do_not_either() -> None:
    assert listen(bob(conformity=1.0), (ANN, claim(NO))).yielding == 0.0
    assert listen(bob(conformity=1.0), (ANN, claim(NO)), (CAT, claim(YES))).yielding == 0.0


def test_what_has_sunk_in_stays_within_its_bounds_and_turns_the_press_once_it_turns_the_side() -> None:
    """Pressed long enough BOB privately crosses over; then the others no longer oppose it, and it stays there."""
    believer = bob(conformity=5.0)
    thread = said((ANN, claim(YES)), *[(ANN, Clarify(target=MessageId("m1"), asks=True))] * 400)
    believer.hear(thread, None, len(thread.messages))
    crossed = next(n for n in count(1) if p_top(0.1, 0.075 * n) > 0.5)
    assert believer.sunk == pytest.approx(min(1.5, 0.075 * crossed))
    pinned = bob(conformity=5.0, bias=-4.0)
    pinned.hear(thread, None, len(thread.messages))
    assert pinned.sunk == 1.5


def test_each_message_is_heard_once() -> None:
    thread = said((ANN, claim(YES)), (CAT, claim(YES)), (ANN, shown(ANN, Direction.AGAINST)))
    once, often = bob(conformity=1.0), bob(conformity=1.0)
    once.hear(thread, ABOUT, 3)
    for upto in (1, 1, 2, 1, 3, 3, 2, 3):
        often.hear(thread, ABOUT, upto)
    assert (often.yielding, often.sunk, list(often.moved)) == (once.yielding, once.sunk, list(once.moved))


def test_the_private_side_is_read_afresh_after_evidence() -> None:
    """BOB at NO hears evidence for YES until it privately stands there: a YES then presses it no longer."""
    believer = bob(conformity=1.0, openness=1.0, trust=1.0)
    assert believer.private().p_top < 0.5
    listen(believer, *[(ANN, shown(ANN, Direction.AGAINST))] * 60, (ANN, claim(YES)))
    assert (believer.yielding, believer.sunk) == (0.0, 0.0)
    assert believer.private().p_top > 0.5


# ---- evidence


@pytest.mark.parametrize(
    ("owner", "direction", "affirms", "sign"),
    [
        pytest.param(ANN, Direction.FOR, True, -1, id="a YES falsifier met speaks for NO"),
        pytest.param(ANN, Direction.AGAINST, True, 1, id="a YES falsifier missed speaks for YES"),
        pytest.param(CAT, Direction.FOR, True, 1, id="a NO falsifier met speaks for YES"),
        pytest.param(CAT, Direction.AGAINST, True, -1, id="a NO falsifier missed speaks for NO"),
        pytest.param(ANN, Direction.FOR, False, 1, id="YES of a denied proposition is its NO"),
        pytest.param(DAN, Direction.FOR, True, 0, id="of somebody UNCERTAIN it speaks for nobody"),
        pytest.param(AgentId("eve"), Direction.FOR, True, 0, id="of somebody unknown it speaks for nobody"),
    ],
)
def test_which_way_evidence_moves(owner: AgentId, direction: Direction, affirms: bool, sign: int) -> None:
    believer = listen(bob(), (ANN, shown(owner, direction)), about=PropositionMatch(0, affirms))
    moved = float(believer.moved[0])
    assert (moved > 0) - (moved < 0) == sign
    assert [s.log_odds for s in believer.shifts] == ([moved] if sign else [])
    assert believer.private().c[0] == pytest.approx(sigmoid(logit(0.1) + moved))


def test_a_shift_is_strength_times_openness_times_trust() -> None:
    piece = (ANN, shown(ANN, Direction.AGAINST))
    full = float(listen(bob(openness=1.0, trust=1.0), piece).moved[0])
    assert full > 0
    assert float(listen(bob(openness=0.4, trust=1.0), piece).moved[0]) == pytest.approx(0.4 * full)
    assert float(listen(bob(openness=0.4, trust=0.5), piece).moved[0]) == pytest.approx(0.2 * full)
    trusting = Believer(replace(persona(openness=1.0, trust=0.1), trust_in=((ANN, 0.6),)), (proposition(),), 1)
    assert float(listen(trusting, piece).moved[0]) == pytest.approx(0.6 * full)
    assert float(listen(trusting, piece, (CAT, shown(ANN, Direction.AGAINST))).shifts[-1].log_odds) > 0


def test_a_piece_of_evidence_is_equally_strong_for_everybody_and_differs_by_seed() -> None:
    piece = (ANN, shown(ANN, Direction.AGAINST))
    eve = Believer(replace(persona(), id=AgentId("eve")), (proposition(),), 1)
    assert float(listen(eve, piece).moved[0]) == float(listen(bob(), piece).moved[0])
    assert float(listen(bob(seed=2), piece).moved[0]) != float(listen(bob(), piece).moved[0])


def test_ones_own_evidence_and_evidence_before_the_lock_moves_nobody() -> None:
    assert list(listen(bob(), (BOB, shown(ANN, Direction.AGAINST))).moved) == [0.0]
    assert list(listen(bob(), (ANN, shown(ANN, Direction.AGAINST)), about=None).moved) == [0.0]


@pytest.mark.parametrize(
    ("truth", "direction", "mean"),
    [
        pytest.param("YES", Direction.AGAINST, 0.45, id="for YES where YES is true"),
        pytest.param("YES", Direction.FOR, 0.12, id="for NO where YES is true"),
        pytest.param("NO", Direction.FOR, 0.45, id="for NO where NO is true"),
        pytest.param("NO", Direction.AGAINST, 0.12, id="for YES where NO is true"),
        pytest.param("OPEN", Direction.AGAINST, 0.25, id="for YES where the truth is open"),
        pytest.param("OPEN", Direction.FOR, 0.25, id="for NO where the truth is open"),
    ],
)
def test_evidence_is_stronger_on_the_true_side(truth: Truth, direction: Direction, mean: float) -> None:
    """A Gamma of shape 2 has variance mean² / 2; 4,000 draws, four standard errors of leeway."""
    draws = 4000
    believer = listen(bob(truth, openness=1.0, trust=1.0, conformity=0.0), *[(ANN, shown(ANN, direction))] * draws)
    strengths = [abs(s.log_odds) for s in believer.shifts]
    found = sum(strengths) / draws
    spread = sum((s - found) ** 2 for s in strengths) / draws
    assert found == pytest.approx(mean, abs=4 * mean / math.sqrt(2 * draws))
    assert spread == pytest.approx(mean**2 / 2, rel=0.2)
    assert min(strengths) >= 0


@pytest.mark.parametrize(("direction", "end"), [(Direction.AGAINST, 4.0), (Direction.FOR, -4.0)])
def test_log_odds_stay_within_four(direction: Direction, end: float) -> None:
    believer = listen(bob(openness=1.0, trust=1.0, conformity=0.0), *[(ANN, shown(ANN, direction))] * 100)
    assert list(believer.beta) == [end]
    assert believer.private().c == pytest.approx((sigmoid(end),))


def test_at_the_end_of_the_scale_a_piece_of_evidence_for_the_other_side_still_counts() -> None:
    """β itself is kept within ±4 at every step, so what went beyond is not owed back first."""
    believer = bob(openness=1.0, trust=1.0, conformity=0.0)
    thread = said(*[(ANN, shown(ANN, Direction.AGAINST))] * 100, (ANN, shown(ANN, Direction.FOR)))
    believer.hear(thread, ABOUT, 100)
    believer.hear(thread, ABOUT, 101)
    assert float(believer.beta[0]) == pytest.approx(4.0 + believer.shifts[-1].log_odds)


@pytest.mark.parametrize(("credence", "direction"), [(0.995, Direction.FOR), (0.005, Direction.AGAINST)])
def test_somebody_all_but_certain_is_not_thrown_to_the_other_end_by_one_piece_of_evidence(
    credence: float, direction: Direction
) -> None:
    """logit .995 is 5.3: within ±4 it begins at 4, and one piece of evidence moves it by its own strength."""
    certain = replace(persona(), openness=0.2, beliefs=(Belief(proposition="p", credence=credence, weight=2),))
    believer = listen(Believer(certain, (proposition(),), 1), (ANN, shown(ANN, direction)))
    start = math.copysign(4.0, logit(credence))
    assert float(believer.beta[0]) == pytest.approx(start + believer.shifts[0].log_odds)


@pytest.mark.parametrize(
    ("side", "other"), [(Side.YES, Side.NO), (Side.NO, Side.YES), (Side.UNCERTAIN, Side.UNCERTAIN)]
)
def test_opposite_sides(side: Side, other: Side) -> None:
    assert opposite(side) is other


def test_whose_case_a_piece_of_evidence_speaks_for() -> None:
    thread = said()
    assert speaks_for(thread, shown(ANN, Direction.AGAINST)) is Side.YES
    assert speaks_for(thread, shown(ANN, Direction.FOR)) is Side.NO
    assert speaks_for(thread, shown(DAN, Direction.FOR)) is Side.UNCERTAIN


# ---- a debater sees its own network and the public record, nothing else


class Recorded:
    """Passes asks on and keeps them with the record they were made on, and with the answers."""

    def __init__(self, debater: Debater) -> None:
        self._debater = debater
        self.is_paid = debater.is_paid
        self.kept: list[tuple[AnyAsk, Debate, AnyAnswer]] = []

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        given = await self._debater.answer(ask, record)
        self.kept.append((ask, record, given))
        return given


def turned_round(belief: Belief) -> Belief:
    return replace(
        belief,
        credence=1 - belief.credence,
        weight=-belief.weight - 0.7,
        by_sense=tuple((sense, 1 - p) for sense, p in belief.by_sense),
        by_horizon=tuple((horizon, 1 - p) for horizon, p in belief.by_horizon),
        links=tuple((parent, -strength) for parent, strength in belief.links),
    )


def with_other_minds(pack: Pack, but: AgentId) -> Pack:
    """The same pack, in which everybody else believes the opposite."""
    return replace(
        pack,
        personas=tuple(
            p
            if p.id == but
            else replace(
                p,
                bias=1.5 - p.bias,
                openness=0.3,
                conformity=2.5,
                trust=0.4,
                probe_noise=0.2,
                beliefs=tuple(turned_round(b) for b in p.beliefs),
            )
            for p in pack.personas
        ),
    )


def replies(debater: Debater, kept: list[tuple[AnyAsk, Debate, AnyAnswer]]) -> list[AnyAnswer]:
    async def asked() -> list[AnyAnswer]:
        return [await debater.answer(ask, record) for ask, record, _ in kept]

    return asyncio.run(asked())


@pytest.mark.parametrize("name", pack_finder.names())
def test_the_hidden_beliefs_of_the_others_leave_its_answers_unchanged(name: str) -> None:
    pack, seed = pack_finder.find(name)[0], 3
    recorded = {agent: Recorded(debater) for agent, debater in seats.simulated_debaters(pack, seed).items()}
    asyncio.run(run_starts.start(pack, MemoryStore(), seed=seed, debaters=recorded))
    for agent, debater in recorded.items():
        other = seats.simulated_debaters(with_other_minds(pack, agent), seed)[agent]
        answers = [answer for _, _, answer in debater.kept]
        assert len(answers) > 8
        assert replies(other, debater.kept) == answers


def test_its_own_beliefs_do_change_its_answers() -> None:
    pack, seed = pack_finder.find("bitcoin")[0], 3
    recorded = {agent: Recorded(debater) for agent, debater in seats.simulated_debaters(pack, seed).items()}
    asyncio.run(run_starts.start(pack, MemoryStore(), seed=seed, debaters=recorded))
    agent, debater = next(iter(recorded.items()))
    other = seats.simulated_debaters(with_other_minds(pack, AgentId("nobody")), seed)[agent]
    assert replies(other, debater.kept) != [answer for _, _, answer in debater.kept]


def test_the_record_a_debater_is_shown_holds_nothing_private() -> None:
    pack = pack_finder.find("monolith")[0]
    recorded = {agent: Recorded(debater) for agent, debater in seats.simulated_debaters(pack, 1).items()}
    asyncio.run(run_starts.start(pack, MemoryStore(), seed=1, debaters=recorded))
    records = [(ask, record) for debater in recorded.values() for ask, record, _ in debater.kept]
    for _, record in records:
        assert record.firsts == {}
        assert all(not (t.probes or t.figures or t.changes) for t in record.threads.values())
    assert any(isinstance(ask, AskProbe) and ask.phase is Phase.AFTER for ask, _ in records)
    drafts = [a.draft for d in recorded.values() for ask, _, a in d.kept if isinstance(a, Drafted)]
    assert drafts and any(isinstance(ask, AskDraft) for ask, _ in records)
