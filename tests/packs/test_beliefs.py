"""The packs that ship have a clear first crux each, and two of them a second one that divides people otherwise.

By the arithmetic of BELIEFS.md, done here once more by brute force.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.kernel.pack import Belief, Pack, Persona, Proposition

PRIMARY = {
    "bitcoin": "anchored-demand",
    "free-will": "deliberation-settles",
    "monolith": "shared-deploy",
}
SECOND = {
    "bitcoin": "states-tolerate",
    "monolith": "stable-seams",
}


@dataclass(frozen=True)
class Answer:
    """What a believer says about one proposition: P(i), P(top | i), P(top | not i)."""

    c: float
    p1: float
    p0: float

    @property
    def flips(self) -> bool:
        return max(self.p1, self.p0) > 0.55 and min(self.p1, self.p0) < 0.45


@dataclass(frozen=True)
class Mind:
    p_top: float
    about: Mapping[str, Answer]


@dataclass(frozen=True)
class Share:
    explained: float
    closed: float


Reading = Callable[[Belief], float]


def sigma(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def log_odds(p: float) -> float:
    return math.log(p / (1 - p))


def mind(persona: Persona, reading: Reading = lambda belief: belief.credence) -> Mind:
    """Sum over all states: P(x) = product of sigma(+-(beta + links)), P(top | x) = sigma(b + sum of w(2x - 1))."""
    ids = [belief.proposition for belief in persona.beliefs]
    total = 0.0
    true = dict.fromkeys(ids, 0.0)
    both = dict.fromkeys(ids, 0.0)
    for bits in product((-1, 1), repeat=len(ids)):
        x = dict(zip(ids, bits, strict=True))
        weight = 1.0
        for belief in persona.beliefs:
            pull = sum(gamma * x[parent] for parent, gamma in belief.links)
            weight *= sigma(x[belief.proposition] * (log_odds(reading(belief)) + pull))
        top = sigma(persona.bias + sum(belief.weight * x[belief.proposition] for belief in persona.beliefs))
        total += weight * top
        for id in ids:
            if x[id] > 0:
                true[id] += weight
                both[id] += weight * top
    answers = {id: Answer(true[id], both[id] / true[id], (total - both[id]) / (1 - true[id])) for id in ids}
    return Mind(total, answers)


def mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def camps(minds: Sequence[Mind]) -> tuple[list[Mind], list[Mind]]:
    return [m for m in minds if m.p_top > 0.5], [m for m in minds if m.p_top < 0.5]


def gap(minds: Sequence[Mind]) -> float:
    yes, no = camps(minds)
    return mean([m.p_top for m in yes]) - mean([m.p_top for m in no])


def share(minds: Sequence[Mind], id: str) -> Share:
    yes, no = ([m.about[id] for m in camp] for camp in camps(minds))
    g = gap(minds)
    c_yes, c_no = mean([a.c for a in yes]), mean([a.c for a in no])
    p1_yes, p1_no = mean([a.p1 for a in yes]), mean([a.p1 for a in no])
    p0_yes, p0_no = mean([a.p0 for a in yes]), mean([a.p0 for a in no])
    explained = (c_yes - c_no) * ((p1_yes - p0_yes) + (p1_no - p0_no)) / 2 / g
    pi = (c_yes + c_no) / 2
    left = pi * abs(p1_yes - p1_no) + (1 - pi) * abs(p0_yes - p0_no)
    return Share(explained, 1 - left / abs(g))


def shares(minds: Sequence[Mind]) -> dict[str, Share]:
    return {id: share(minds, id) for id in minds[0].about}


def lead(table: Mapping[str, Share], primary: str, of: Callable[[Share], float]) -> float:
    return of(table[primary]) - max(of(other) for id, other in table.items() if id != primary)


def minds_of(pack: Pack) -> list[Mind]:
    return [mind(persona) for persona in pack.personas]


def credence_gap(pack: Pack, proposition: Proposition, reading: Reading) -> float:
    """How far the camps' credences lie apart when the proposition is read in the given way."""
    minds = minds_of(pack)

    def as_read(belief: Belief) -> float:
        return reading(belief) if belief.proposition == proposition.id else belief.credence

    fixed = [mind(persona, as_read).about[proposition.id].c for persona in pack.personas]
    yes = [c for c, m in zip(fixed, minds, strict=True) if m.p_top > 0.5]
    no = [c for c, m in zip(fixed, minds, strict=True) if m.p_top < 0.5]
    return abs(mean(yes) - mean(no))


@pytest.fixture(params=sorted(PRIMARY))
def pack(request: pytest.FixtureRequest) -> Pack:
    return pack_finder.find(request.param)[0]


def test_every_shipped_pack_is_looked_at_here() -> None:
    assert pack_finder.names() == tuple(sorted(PRIMARY))


def test_there_are_two_camps_and_nobody_sits_between_them(pack: Pack) -> None:
    minds = minds_of(pack)
    assert all(camps(minds))
    assert all(abs(m.p_top - 0.5) > 0.05 for m in minds)
    assert gap(minds) >= 0.3


def test_one_proposition_is_clearly_the_crux(pack: Pack) -> None:
    primary = PRIMARY[pack.name]
    table = shares(minds_of(pack))
    assert table[primary].explained >= 0.35
    assert lead(table, primary, lambda s: s.explained) >= 0.1
    assert lead(table, primary, lambda s: s.closed) >= 0.1


def test_the_crux_has_two_sides_and_flips_at_least_two(pack: Pack) -> None:
    answers = [m.about[PRIMARY[pack.name]] for m in minds_of(pack)]
    assert max(a.c for a in answers) > 0.6
    assert min(a.c for a in answers) < 0.4
    assert sum(a.flips for a in answers) >= 2


def test_every_company_of_both_camps_has_the_same_crux(pack: Pack) -> None:
    primary = PRIMARY[pack.name]
    minds = minds_of(pack)
    companies = [some for n in range(2, len(minds) + 1) for some in combinations(minds, n) if all(camps(some))]
    assert companies
    for some in companies:
        table = shares(some)
        answers = [m.about[primary] for m in some]
        assert gap(some) >= 0.3
        assert table[primary].explained >= 0.35
        assert lead(table, primary, lambda s: s.explained) >= 0.1
        assert lead(table, primary, lambda s: s.closed) >= 0.1
        assert max(a.c for a in answers) > 0.6
        assert min(a.c for a in answers) < 0.4
        assert sum(a.flips for a in answers) >= 2


def side(c: float) -> str:
    return "YES" if c > 0.55 else "NO" if c < 0.45 else "UNCERTAIN"


@pytest.mark.parametrize("name", sorted(SECOND))
def test_a_second_question_explains_enough_for_a_thread_of_its_own(name: str) -> None:
    minds = minds_of(pack_finder.find(name)[0])
    second = [m.about[SECOND[name]] for m in minds]
    assert 0.3 <= share(minds, SECOND[name]).explained <= share(minds, PRIMARY[name]).explained - 0.3
    assert {side(a.c) for a in second} == {"YES", "NO"}
    assert sum(a.flips for a in second) >= 2


@pytest.mark.parametrize("name", sorted(SECOND))
def test_the_two_questions_make_three_parties_and_two_of_them_are_pairs(name: str) -> None:
    """One binary question is not enough for them (CRUX-6), and there are coalitions to be found."""
    minds = minds_of(pack_finder.find(name)[0])
    parties = Counter((side(m.about[PRIMARY[name]].c), side(m.about[SECOND[name]].c)) for m in minds)
    assert sorted(parties.values()) == [1, 2, 2]


def test_in_free_will_no_second_question_explains_enough() -> None:
    table = shares(minds_of(pack_finder.find("free-will")[0]))
    assert max(other.explained for id, other in table.items() if id != PRIMARY["free-will"]) < 0.2


def test_everybody_who_quarrels_about_bitcoin_rejects_that_past_gains_promise_more() -> None:
    minds = minds_of(pack_finder.find("bitcoin")[0])
    assert [id for id in minds[0].about if all(m.about[id].c <= 0.25 for m in minds)] == ["past-proves"]


def test_something_is_common_ground(pack: Pack) -> None:
    minds = minds_of(pack)
    shared = [id for id in minds[0].about if all(m.about[id].c >= 0.75 for m in minds)]
    assert shared
    assert PRIMARY[pack.name] not in shared


def test_no_believer_contradicts_the_law_of_total_probability(pack: Pack) -> None:
    for m in minds_of(pack):
        for a in m.about.values():
            assert m.p_top == pytest.approx(a.c * a.p1 + (1 - a.c) * a.p0)


def test_what_people_could_have_done_is_a_quarrel_about_words() -> None:
    pack, _ = pack_finder.find("free-will")
    proposition = next(p for p in pack.propositions if p.id == "could-otherwise")
    assert len(proposition.senses) == 2

    def fixed(belief: Belief) -> float:
        return dict(belief.by_sense)[proposition.sense]

    before = credence_gap(pack, proposition, lambda belief: belief.credence)
    assert before > 0.5
    assert credence_gap(pack, proposition, fixed) < before / 2


def test_bitcoin_as_a_refuge_is_a_quarrel_about_horizons() -> None:
    pack, _ = pack_finder.find("bitcoin")
    proposition = next(p for p in pack.propositions if p.id == "crisis-refuge")
    assert len({persona.horizon for persona in pack.personas}) >= 3

    def fixed(belief: Belief) -> float:
        return dict(belief.by_horizon).get(proposition.horizon, belief.credence)

    before = credence_gap(pack, proposition, lambda belief: belief.credence)
    assert before > 0.3
    assert credence_gap(pack, proposition, fixed) < before / 2


def test_the_crux_itself_is_read_alike_by_everybody(pack: Pack) -> None:
    crux = [b for persona in pack.personas for b in persona.beliefs if b.proposition == PRIMARY[pack.name]]
    assert not any(belief.by_sense or belief.by_horizon for belief in crux)
