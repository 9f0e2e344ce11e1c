"""What a map of credences says of its own figures: spread, noise, lines nearly crossed, what counts together."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

import cruxfinder as cf
from cruxfinder.crux.asks import Credence
from cruxfinder.crux.events import CandidateFigures
from cruxfinder.crux.law import probes
from cruxfinder.errors import BadInput
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, Verdict
from cruxfinder.language.counts import decimals_beside, percent_beside
from cruxfinder.tables.credences.credence_map import CredenceMap, TopSpread
from cruxfinder.tables.credences.joint_share import joint_share
from cruxfinder.tables.credences.topic_repeats import repeats_topic

Row = tuple[str, float | None, str, float | None, float | None, float | None]
COLUMNS = ("agent", "top", "proposition", "credence", "top_if_true", "top_if_false")
SAFE: tuple[Row, ...] = (
    ("ann", 0.8, "Is it safe?", 0.9, 0.85, 0.3),
    ("ben", 0.7, "Is it safe?", 0.8, 0.8, 0.3),
    ("cleo", 0.3, "Is it safe?", 0.1, 0.8, 0.25),
    ("dan", 0.2, "Is it safe?", 0.2, 0.7, 0.1),
)


def mapped(rows: Sequence[Row], topic: str = "") -> CredenceMap:
    return cf.map_credences([dict(zip(COLUMNS, row, strict=True)) for row in rows], topic=topic)


# ---- P(topic) told several times


def test_the_chance_of_the_topic_told_several_times_is_averaged_and_its_spread_kept() -> None:
    told = mapped([*SAFE, ("ann", 0.6, "Is it cheap?", 0.5, 0.7, 0.5), ("ben", 0.7, "Is it cheap?", 0.5, 0.7, 0.7)])
    ann, ben, cleo = told.agents[:3]
    assert told.private_positions["ann"].p_top == pytest.approx(0.7)
    assert ann.p_top_spread == TopSpread(times=2, low=0.6, high=0.8)
    assert ben.p_top_spread is None
    assert cleo.p_top_spread is None
    assert any("ann gives the topic 60% here and 80% there" in note for note in told.notes)


def test_each_answer_is_held_against_the_chance_it_was_told_with() -> None:
    rows: list[Row] = [("a", 0.2, "q", 0.5, 0.3, 0.1), ("a", 0.8, "r", 0.5, 0.9, 0.7), ("b", 0.5, "q", 0.5, 0.6, 0.4)]
    told = mapped(rows)
    assert told.incoherent == ()  # against the mean of .5 both of a's would be flagged
    assert told.noise == pytest.approx(0.0)


# ---- noise


def test_noise_that_nothing_shows_is_not_said_to_be_none() -> None:
    told = mapped([(agent, top, q, c, p1, None) for agent, top, q, c, p1, _ in SAFE])
    assert told.noise is None
    assert any("nothing shows how noisy" in note for note in told.notes)


def test_where_all_is_derived_the_spread_of_the_topics_chance_tells_the_noise() -> None:
    told = mapped([("a", 0.5, "q", 0.5, 0.6, None), ("a", 0.7, "r", 0.5, 0.8, None), ("b", 0.1, "q", 0.2, 0.1, None)])
    assert told.noise == pytest.approx(0.02**0.5, abs=1e-4)


# ---- confidence


def shifted(gap: float) -> list[Row]:
    """Two camps so far apart, of whom nobody's credence differs."""
    return [
        (name, 0.5 + gap / 2 * sign, "q", 0.5, 0.6, 0.4) for name, sign in (("a", 1), ("b", 1), ("c", -1), ("d", -1))
    ]


@pytest.mark.parametrize(
    ("rows", "verdict", "confidence"),
    [
        pytest.param(SAFE, Verdict.CRUX, "HIGH", id="far from every line"),
        pytest.param(shifted(0.6), Verdict.VALUES, "HIGH", id="nothing explained"),
        pytest.param(shifted(0.14), Verdict.NO_DISAGREEMENT, "MEDIUM", id="a gap a little too small"),
        pytest.param(shifted(0.16), Verdict.VALUES, "MEDIUM", id="a gap a little larger than needed"),
        pytest.param(shifted(0.05), Verdict.NO_DISAGREEMENT, "HIGH", id="hardly a gap"),
        pytest.param(SAFE[:1], Verdict.UNDECIDED, "LOW", id="one person"),
    ],
)
def test_a_verdict_near_its_line_is_not_of_high_confidence(
    rows: Sequence[Row], verdict: Verdict, confidence: str
) -> None:
    told = mapped(rows)
    assert (told.verdict, told.confidence) == (verdict, confidence)
    assert any(note.startswith("not of high confidence") for note in told.notes) == (confidence == "MEDIUM")


@pytest.mark.parametrize(
    ("share", "near"), [(0.10, False), (0.151, True), (0.199, True), (0.20, True), (0.249, True), (0.26, False)]
)
def test_a_share_near_its_line_is_not_of_high_confidence_on_either_side(share: float, near: bool) -> None:
    """Credences so far apart that the one proposition explains just this share of a gap of .6."""
    apart = share * 0.6 / 0.4
    rows: list[Row] = [
        (name, 0.5 + 0.3 * sign, "q", 0.5 + apart / 2 * sign, 0.7, 0.3) for name, sign in (("a", 1), ("b", -1))
    ]
    told = mapped(rows)
    assert told.tested[0].explained_share == pytest.approx(share, abs=1e-4)
    assert told.confidence == ("MEDIUM" if near else "HIGH")


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.1996, "19.9%"), (0.2, "20%"), (0.2004, "20%"), (0.19, "19%"), (-0.004, "0%"), (1.34, "134%")],
)
def test_a_share_short_of_its_line_is_not_shown_on_it(share: float, shown: str) -> None:
    assert percent_beside(share, 0.20) == shown


def test_a_gap_short_of_its_line_is_not_shown_on_it() -> None:
    assert [decimals_beside(gap, 0.15) for gap in (0.1496, 0.15, 0.14, 0.154)] == ["0.149", "0.15", "0.14", "0.15"]
    assert "0.149 apart, less than 0.15" in mapped(shifted(0.1496)).why


# ---- the topic again


def test_a_proposition_that_asks_the_topic_again_is_not_judged() -> None:
    again: list[Row] = [
        (agent, top, "Will we ship the editor in May?", top, 1.0, 0.0) for agent, top, *_ in SAFE if top
    ]
    told = mapped([*SAFE, *again], topic="We will ship the editor in May")
    assert told.primary_crux_question == "Is it safe?"
    assert [(row.question, row.why) for row in told.untested] == [
        ("Will we ship the editor in May?", "it asks the topic again")
    ]
    unsaid = mapped([*SAFE, *again])
    assert unsaid.primary_crux_question == "Will we ship the editor in May?"
    assert any("may be the topic in other words" in note for note in unsaid.notes)
    assert any("does not say its topic" in note for note in unsaid.notes)


@pytest.mark.parametrize(
    ("topic", "asked", "again"),
    [
        ("We should ship the editor in May", "Should we ship the editor in May?", True),
        ("We should ship the editor in May", "Will the sync bug be fixed by April?", False),
        ("", "Will the sync bug be fixed by April?", False),
        ("", "", False),
    ],
)
def test_the_topic_again_is_told_by_its_words(topic: str, asked: str, again: bool) -> None:
    assert repeats_topic(topic, asked) is again


def test_a_topic_is_said_once() -> None:
    with pytest.raises(BadInput, match="says its topic itself: We ship"):
        cf.map_credences([{**dict(zip(COLUMNS, SAFE[0], strict=True)), "topic": "We ship"}], topic="We wait")
    with pytest.raises(BadInput, match="one line"):
        mapped(SAFE, topic="x" * 500)


# ---- several propositions


def facts(
    credences: dict[str, list[float]], share: float
) -> tuple[list[CandidateFigures], dict[AgentId, probes.ProbeReading]]:
    people = range(len(next(iter(credences.values()))))
    given = {
        AgentId(f"a{n}"): probes.ProbeReading(
            agent=AgentId(f"a{n}"),
            p_top=0.8 if n % 2 else 0.2,
            credences={CandidateId(q): Credence(CandidateId(q), cs[n], 0.6, 0.4) for q, cs in credences.items()},
        )
        for n in people
    }
    blank: dict[str, Any] = {"gap_closed": 0.0, "coverage": 0.0, "polarity": 0.0, "impact": 0.0, "dcg": 0.0}
    return [
        CandidateFigures(candidate=CandidateId(q), share=share, rank=share, flips=(), **blank) for q in credences
    ], given


def camps_of(given: dict[AgentId, probes.ProbeReading]) -> probes.Camps:
    return probes.camps_of({agent: reading.p_top for agent, reading in given.items()})


def test_facts_held_apart_from_each_other_count_together() -> None:
    rng = Random(1)
    figures, given = facts({q: [rng.random() for _ in range(60)] for q in "pqr"}, 0.15)
    found = joint_share(figures, given, camps_of(given))
    assert (found.share, set(found.facts), found.unknown_pairs) == (0.45, set("pqr"), 0)


def test_facts_that_move_together_within_the_camps_count_once() -> None:
    rng = Random(2)
    first = [rng.random() for _ in range(60)]
    figures, given = facts({"p": first, "q": [min(1, x + rng.random() / 10) for x in first]}, 0.15)
    found = joint_share(figures, given, camps_of(given))
    assert (found.share, found.facts, found.counted_once) == (0.15, ("p",), ("q",))


def test_what_divides_the_camps_alone_does_not_move_together() -> None:
    rng = Random(3)
    split = {q: [0.1 + 0.6 * (n % 2) + 0.1 * rng.random() for n in range(60)] for q in "pq"}
    figures, given = facts(split, 0.15)
    assert joint_share(figures, given, camps_of(given)).counted_once == ()


def test_of_few_people_it_is_not_known_and_that_is_said() -> None:
    figures, given = facts({q: [0.3, 0.6, 0.2, 0.7] for q in "pqr"}, 0.15)
    assert joint_share(figures, given, camps_of(given)).unknown_pairs == 3
    rows: list[Row] = [
        (who, 0.5 + 0.3 * sign, q, 0.5 + 0.12 * sign, 0.7, 0.3) for who, sign in (("a", 1), ("b", -1)) for q in "pqr"
    ]
    told = mapped(rows)
    assert (told.verdict, told.confidence) == (Verdict.SEVERAL_FACTS, "MEDIUM")
    assert told.joint_share is not None
    assert told.joint_share.share == pytest.approx(0.48, abs=1e-3)
    assert any("3 propositions together explain 48% of the gap, if they do not bear on" in note for note in told.notes)


def test_what_explains_little_is_none_of_several_facts() -> None:
    figures, given = facts({"p": [0.1, 0.9], "q": [0.2, 0.8]}, 0.09)
    found = joint_share(figures, given, camps_of(given))
    assert (found.share, found.facts) == (0, ())
