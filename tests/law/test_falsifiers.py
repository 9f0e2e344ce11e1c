"""Which falsifiers are concrete enough to be wrong: FALS-1 to FALS-3, and what a falsifier is made of, VOC-5."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.crux.events import CommitmentMade, FalsifierDeclared, MessagePosted, MessageRefused
from cruxfinder.crux.moves import Commit
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import MoveKind, RuleId, Side
from tests.law.build import (
    ANN,
    BOB,
    FALSIFIER,
    VAGUE,
    Play,
    commit,
    declare,
    of,
    only,
    own_falsifier,
    reason,
    refused,
    statement,
)
from tests.law.read_falsifiers import concreteness, faults, is_open_ended

# ---- the tables: metric, threshold, deadline

DATED = (
    ("the federal funds rate", "is cut by at least 50 basis points", "before 1 March 2027"),
    ("headline inflation in the euro area", "exceeds 4.0% year on year", "by December 31, 2026"),
    ("unemployment in Spain", "falls below 9 percent", "in May 2027"),
    ("ten-year correlation with the Nasdaq", "drops below 0.3", "2034-12-31"),
    ("arctic sea ice extent", "< 4.0 million square kilometres at its minimum", "on 15 September 2028"),
    ("median time from commit to deploy", "≤ 30 minutes over a full month", "by Nov 2026"),
    ("the coalition treaty", "is signed by all three parties", "before the 3rd of April 2027"),
    ("seats won by the governing party", "fewer than 200 of 650", "May 6, 2029"),
    ("the vaccine candidate", "is approved by the European regulator", "by Sept. 30, 2027"),
    ("the price of a barrel of Brent", "closes above $140 on five days", "Oct 2026"),
)
IN_A_YEAR = (
    ("sea level at the Battery gauge", "rises more than 4 cm against 2020", "by the end of 2032"),
    ("annual car sales in Norway", "at least 95 % are electric", "in 2027"),
    ("quarterly revenue of the cloud unit", "shrinks for two quarters in a row", "by Q3 2027"),
    ("the replication of the priming study", "fails in three of four labs", "2029"),
    ("reported burglaries per head", "between 3 and 5 per thousand", "during the 2030s"),
    ("the moratorium on deep-sea mining", "is repealed by parliament", "before 2031"),
    ("performance in an equity crash", "drops >50% when SPY drops >30%", "the next crash (2025-2030)"),
    ("attendance at the summer games", "exceeds that of Paris by a third", "through 2028"),
    ("crewed landing on the Moon", "NASA confirms one", "fourth quarter 2028"),
    ("share of votes for the incumbent", "below 45 %, by the official count", "after the 2028 election"),
)
IN_A_WHILE = (
    ("weekly active users", "double", "within six months"),
    ("incidents a week", "fewer than 3 in every week", "over the next two quarters"),
    ("time to first page", "under 200 ms at the 95th percentile", "in 90 days"),
    ("build minutes per merge", "halved", "within 2–3 sprints"),
    ("staff turnover", "higher than 20 percent", "in the next year"),
    ("response to the drug", "no patient relapses", "within 18 months"),
    ("the split of the billing service", "is rolled back", "inside of two releases"),
    ("the amended bill", "passes both chambers", "this year"),
    ("memory use of the worker", "never above 2 GB", "for a full month"),
    ("the lawsuit", "is settled out of court", "in a decade"),
)
NAMED = (
    ("market share of the incumbent", "loses the majority", "at the next general election"),
    ("the ceasefire", "collapses", "before the summit"),
    ("the central bank", "announces a rate cut", "at its next meeting"),
    ("the leaderboard record", "is beaten by 5 points", "when the benchmark is republished"),
    ("peak load", "exceeds capacity", "during the coming heatwave"),
    ("the audit", "reports at least one material weakness", "once the accounts are filed"),
    ("the champion", "loses the title", "by the following tournament"),
    ("applications to the programme", "fewer than last time", "after the next admissions round"),
)

HEDGED = (
    (("polling averages", "will probably fall below 40%", "by May 2027"), "threshold"),
    (("polling averages", "might fall below 40%", "by May 2027"), "threshold"),
    (("support in the north", "it seems that a majority rejects it", "in 2027"), "threshold"),
    (("how the market feels about it", "falls by 20%", "in 2027"), "metric"),
    (("the trend generally observed", "falls by 20%", "in 2027"), "metric"),
    (("defaults on consumer debt", "may rise above 5%", "in 2027"), "threshold"),
    (("defaults on consumer debt", "May be above 5%", "in 2027"), "threshold"),
    (("defaults on consumer debt", "rise above 5%", "perhaps in 2027"), "deadline"),
    (("defaults on consumer debt", "rise above 5%", "possibly within two years"), "deadline"),
    (("the yield curve", "could invert by 50 basis points", "by Q2 2027"), "threshold"),
    (("adoption by merchants", "is likely above 10%", "by 2028"), "threshold"),
    (("adoption by merchants", "tends to exceed 10%", "by 2028"), "threshold"),
    (("adoption by merchants", "is arguably over 10%", "by 2028"), "threshold"),
    (("adoption by merchants", "more or less doubles", "by 2028"), "threshold"),
    (("adoption by merchants", "typically exceeds 10%", "by 2028"), "threshold"),
    (("adoption by merchants", "exceeds 10%", "presumably by 2028"), "deadline"),
    (("what it kind of looks like", "exceeds 10%", "by 2028"), "metric"),
    (("the evidence, to some extent", "exceeds 10%", "by 2028"), "metric"),
)
BLUNT = (
    ("adoption by merchants", "will decorrelate", "by 2028"),
    ("public opinion", "people come round to it", "by 2028"),
    ("quality of the code", "becomes cleaner and nicer to work with", "within six months"),
    ("trust in institutions", "deteriorates badly", "in 2027"),
    ("the consensus of philosophers", "shifts towards my view", "by 2035"),
    ("team morale", "improves a lot", "this year"),
    ("how others see it", "they see it my way", "by Q3 2027"),
    ("the world economy", "a serious downturn", "in 2027"),
    ("the technology", "turns out well", "by the end of 2030"),
    ("moral progress", "real change in how we live", "in ten years"),
)
UNDATED = (
    ("reserve holdings", "fall below 40%", "someday"),
    ("reserve holdings", "fall below 40%", "eventually"),
    ("reserve holdings", "fall below 40%", "soon"),
    ("reserve holdings", "fall below 40%", "in the long run"),
    ("reserve holdings", "fall below 40%", "sooner or later"),
    ("reserve holdings", "fall below 40%", "in due course"),
    ("reserve holdings", "fall below 40%", "over time"),
    ("reserve holdings", "fall below 40%", "at some point"),
    ("reserve holdings", "fall below 40%", "when the time comes"),
    ("reserve holdings", "fall below 40%", "ongoing"),
    ("reserve holdings", "fall below 40%", "n/a"),
    ("reserve holdings", "fall below 40%", "TBD"),
    ("reserve holdings", "fall below 40%", "never"),
    ("reserve holdings", "fall below 40%", "quickly"),
    ("reserve holdings", "fall below 40%", "in my lifetime"),
)
EMPTY = (
    (("", "falls below 40%", "in 2027"), "metric"),
    (("   ", "falls below 40%", "in 2027"), "metric"),
    (("it", "falls below 40%", "in 2027"), "metric"),
    (("reserve holdings", "", "in 2027"), "threshold"),
    (("reserve holdings", "falls below 40%", " "), "deadline"),
)

Parts = tuple[str, str, str]


def made(parts: Parts) -> Falsifier:
    metric, threshold, deadline = parts
    return Falsifier(metric=metric, threshold=threshold, deadline=deadline)


def blamed(falsifier: Falsifier) -> list[str]:
    """The part each refusal speaks of."""
    return [next(p for p in ("metric", "threshold", "deadline") if f"the {p}" in r.reason) for r in faults(falsifier)]


# ---- FALS-1: what is refused


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize("parts", [*DATED, *IN_A_YEAR, *IN_A_WHILE, *NAMED], ids="/".join)
def test_a_concrete_falsifier_is_accepted(parts: Parts) -> None:
    assert list(faults(made(parts))) == []


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    ("parts", "part"),
    [
        *HEDGED,
        *((parts, "threshold") for parts in BLUNT),
        *((parts, "deadline") for parts in UNDATED),
        *EMPTY,
    ],
)
def test_a_vague_part_is_refused_by_name(parts: Parts, part: str) -> None:
    assert set(blamed(made(parts))) == {part}


@pytest.mark.rule("FALS-1")
def test_every_vague_part_is_listed_not_only_the_first() -> None:
    vague = Falsifier(metric="how it feels", threshold="gets better", deadline="eventually")
    assert blamed(vague) == ["metric", "threshold", "deadline"]
    assert all(r.rule == "FALS-1" and r.reason and r.remedy for r in faults(vague))


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    ("text", "month"),
    [
        pytest.param("by May 2027", True, id="month and year"),
        pytest.param("in May", True, id="after a preposition"),
        pytest.param("before May, 2027", True, id="with a comma"),
        pytest.param("on 3 May 2027", True, id="a day"),
        pytest.param("May 3, 2027", True, id="the American way"),
        pytest.param("by late May 2027", True, id="late May"),
        pytest.param("no later than may 3, 2027", True, id="a small letter before a day"),
        pytest.param("it may happen in 2027", False, id="a verb before a year"),
        pytest.param("may be 2027", False, id="a verb at the start"),
        pytest.param("2027, or it may be later", False, id="a verb after a year"),
    ],
)
def test_may_is_a_month_or_a_hedge(text: str, month: bool) -> None:
    hedged = any("hedges" in r.reason for r in faults(replace(FALSIFIER, deadline=text)))
    assert hedged is not month


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    "deadline",
    [
        pytest.param("on 1 May", id="a day in May"),
        pytest.param("by mid-May", id="mid-May"),
        pytest.param("until the May elections", id="the May elections"),
    ],
)
def test_a_month_of_may_without_a_year_is_no_hedge(deadline: str) -> None:
    assert not any("hedges" in r.reason for r in faults(replace(FALSIFIER, deadline=deadline)))


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    "metric", ["support among likely voters", "earnings under generally accepted accounting principles"]
)
def test_a_term_of_art_is_no_hedge(metric: str) -> None:
    assert list(faults(replace(FALSIFIER, metric=metric))) == []


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    "metric",
    [
        pytest.param('sales of the single "Maybe tomorrow"', id="in a quoted title"),
        pytest.param("readers of The Probably Times", id="in a name"),
        pytest.param("Will the court rule that the state may tax the levy?", id="in the clause of a question"),
        pytest.param("Will the firm name its successor (likely the deputy)?", id="in an aside of a question"),
        pytest.param("days until the phone is generally available", id="general availability"),
    ],
)
def test_a_hedge_that_takes_nothing_back_is_none(metric: str) -> None:
    assert list(faults(replace(FALSIFIER, metric=metric))) == []


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize("metric", ["Will it probably rain?", "Could the bill pass in the spring?"])
def test_a_question_may_hedge_too(metric: str) -> None:
    assert blamed(replace(FALSIFIER, metric=metric)) == ["metric"]


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize("threshold", ["it seemed to fall by half", "voters felt 10% poorer"])
def test_the_kin_of_a_hedge_is_one_too(threshold: str) -> None:
    assert blamed(replace(FALSIFIER, threshold=threshold)) == ["threshold"]


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    "threshold",
    [
        pytest.param("changes significantly", id="significantly is not sign"),
        pytest.param("banks warm to the idea", id="banks is not ban"),
        pytest.param("provides real value to people", id="provides is not prove"),
    ],
)
def test_a_word_that_begins_like_an_event_is_none(threshold: str) -> None:
    assert blamed(replace(FALSIFIER, threshold=threshold)) == ["threshold"]


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    "threshold",
    [
        pytest.param("AI will transform everything by 2030", id="a date is no number"),
        pytest.param("the two countries will grow closer", id="a counted group is no number"),
        pytest.param("a question for the 21st century", id="a century is no number"),
        pytest.param("crime will go down under the new mayor", id="under somebody is no comparison"),
        pytest.param("no one cares about it", id="nobody is no comparison"),
        pytest.param("the party loses touch with its voters", id="a figure of speech"),
        pytest.param("the club is a force to be reckoned with", id="an office only where one is in it"),
        pytest.param("the state should ban the trade", id="what ought to be"),
        pytest.param("Should the state ban the trade?", id="whether it ought to be"),
        pytest.param("legal sale would take power from the gangs", id="what would be"),
        pytest.param("banning phones protects children", id="a deed as the subject"),
        pytest.param("most people will accept it", id="people in general"),
        pytest.param("the housing market will eventually crash", id="some day or other"),
        pytest.param("the alliance is stronger than ever", id="than ever"),
        pytest.param("the economy grows", id="a direction without a measure"),
    ],
)
def test_a_hope_in_the_words_of_an_event_is_no_threshold(threshold: str) -> None:
    assert blamed(replace(FALSIFIER, threshold=threshold)) == ["threshold"]


@pytest.mark.rule("FALS-1")
def test_any_good_reason_is_no_threshold() -> None:
    assert blamed(replace(FALSIFIER, threshold="any convincing evidence to the contrary")) == ["threshold"]


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    "threshold",
    [
        "parliament overturns the decree",
        "the law is struck down",
        "a second state joins the pact",
        "the incumbent lost the seat",
        "the ceasefire is broken",
        "the champion will be dethroned",
        "a third candidate enters the race",
        "it goes bankrupt",
        "the treaty comes into force",
        "she becomes prime minister of the republic",
        "the central bank raises its rate",
        "unemployment will fall",
        "exports are lower than imports",
        "an election",
        "the two countries sign a treaty",
        "more than 2000 homes are flooded",
    ],
)
def test_an_observable_event_is_a_threshold(threshold: str) -> None:
    assert list(faults(replace(FALSIFIER, threshold=threshold))) == []


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize("deadline", ["one day", "before long", "after a while", "by then"])
def test_an_idle_phrase_is_no_named_event(deadline: str) -> None:
    assert blamed(replace(FALSIFIER, deadline=deadline)) == ["deadline"]


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize("deadline", ["by 31 August", "on June 1", "by June", "by May"])
def test_a_day_without_its_year_is_a_deadline(deadline: str) -> None:
    assert "deadline" not in blamed(replace(FALSIFIER, deadline=deadline))


@pytest.mark.rule("FALS-1")
def test_the_shipped_falsifiers_are_concrete_and_the_shipped_vague_ones_vague() -> None:
    packs = [pack_finder.find(name)[0] for name in pack_finder.names()]
    lines = [b.lines for pack in packs for persona in pack.personas for b in persona.beliefs]
    concrete = [line.falsifier for line in lines if line.falsifier is not None]
    vague = [line.vague for line in lines if line.vague is not None]
    assert len(concrete) > 20 and len(vague) > 10
    assert [f for f in concrete if any(faults(f))] == []
    assert [f for f in vague if not any(faults(f))] == []


# ---- FALS-2: how concrete


@pytest.mark.rule("FALS-2")
@pytest.mark.parametrize(
    ("table", "least", "most"),
    [
        pytest.param(DATED, 0.9, 1.0, id="dated"),
        pytest.param(IN_A_YEAR, 0.8, 0.97, id="in a year or quarter"),
        pytest.param(IN_A_WHILE, 0.65, 0.94, id="within a duration"),
        pytest.param(NAMED, 0.55, 0.84, id="at a named event"),
    ],
)
def test_the_nearer_the_deadline_the_more_concrete(table: tuple[Parts, ...], least: float, most: float) -> None:
    assert all(least <= concreteness(made(parts)) <= most for parts in table)


@pytest.mark.rule("FALS-2")
def test_a_date_beats_a_year_beats_a_duration_beats_an_event() -> None:
    deadlines = ("in May 2027", "in 2027", "within two years", "at the next election", "eventually")
    scores = [concreteness(replace(FALSIFIER, deadline=d)) for d in deadlines]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


@pytest.mark.rule("FALS-2")
def test_a_figure_beats_an_event_beats_a_bare_comparison() -> None:
    thresholds = ("falls below 40%", "some 40%", "is repealed", "higher wages for nurses", "gets better")
    scores = [concreteness(replace(FALSIFIER, threshold=t)) for t in thresholds]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


@pytest.mark.rule("FALS-2")
@pytest.mark.parametrize(
    ("table", "marked"),
    [
        pytest.param(NAMED, True, id="a named event is open-ended"),
        pytest.param((*DATED, *IN_A_YEAR, *IN_A_WHILE), False, id="a date, a year, a duration is not"),
    ],
)
def test_a_named_event_is_marked_open_ended(table: tuple[Parts, ...], marked: bool) -> None:
    assert [parts for parts in table if is_open_ended(made(parts)) is not marked] == []


@pytest.mark.rule("FALS-2")
@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_any_text_gets_a_concreteness_between_0_and_1(metric: str, threshold: str, deadline: str) -> None:
    falsifier = Falsifier(metric=metric, threshold=threshold, deadline=deadline)
    assert 0 <= concreteness(falsifier) <= 1
    assert all(r.rule == "FALS-1" for r in faults(falsifier))


@pytest.mark.rule("FALS-2")
def test_the_log_keeps_how_concrete_a_declared_falsifier_is() -> None:
    play = locking()
    sharp = only(play.say(ANN, commit(ANN, Side.YES)), FalsifierDeclared)
    loose = only(play.say(ANN, declare(made(NAMED[0]))), FalsifierDeclared)
    assert (sharp.number, sharp.open_ended) == (1, False)
    assert (loose.number, loose.open_ended) == (2, True)
    assert sharp.concreteness > loose.concreteness


# ---- FALS-3: what is kept of a message whose falsifier is refused


def locking(settings: Settings = Settings()) -> Play:
    play = Play(settings=settings)
    play.to_lock()
    return play


@pytest.mark.rule("FALS-3")
def test_a_commitment_loses_a_vague_falsifier_and_nothing_else() -> None:
    play = locking()
    events = play.say(ANN, commit(ANN, Side.YES, VAGUE, confidence=0.83))
    back = only(events, MessageRefused)
    assert (back.outcome, {r.rule for r in back.refusals}) == ("stripped", {"FALS-1"})
    assert "seems" in back.refusals[0].reason
    posted = only(events, MessagePosted).move
    assert posted == replace(commit(ANN, Side.YES, VAGUE, confidence=0.83), falsifier=None)
    assert len(of(events, CommitmentMade)) == 1
    assert of(events, FalsifierDeclared) == ()
    held = play.thread.commitments[ANN]
    assert (held.side, held.statement, held.reason) == (Side.YES, statement(ANN), reason(ANN))
    assert held.confidence == 0.83


@pytest.mark.rule("FALS-3")
def test_its_agent_owes_another_one() -> None:
    play = locking()
    play.say(ANN, commit(ANN, Side.YES, VAGUE))
    assert [d.move for d in play.owed(ANN)] == [MoveKind.DECLARE_FALSIFIER]
    play.post(ANN, declare(own_falsifier(ANN)))
    assert play.thread.falsifiers[ANN][0].falsifier == own_falsifier(ANN)
    assert MoveKind.DECLARE_FALSIFIER not in [d.move for d in play.owed(ANN)]


@pytest.mark.rule("FALS-3")
def test_a_message_that_is_nothing_but_a_vague_falsifier_goes_back() -> None:
    play = locking()
    play.post(ANN, commit(ANN, Side.YES, None))
    events = play.say(ANN, declare(VAGUE))
    assert only(events, MessageRefused).outcome == "revise"
    assert refused(events) == {"FALS-1"}
    assert of(events, MessagePosted) == ()


@pytest.mark.rule("FALS-3")
def test_a_commitment_keeps_a_concrete_falsifier() -> None:
    play = locking()
    events = play.say(BOB, commit(BOB, Side.NO))
    assert refused(events) == set()
    move = only(events, MessagePosted).move
    assert isinstance(move, Commit) and move.falsifier == own_falsifier(BOB)
    assert only(events, FalsifierDeclared).message == play.last


@pytest.mark.rule("FALS-1")
def test_an_ablation_may_leave_the_gate_out() -> None:
    play = locking(Settings(off=(RuleId("FALS-1"),)))
    events = play.say(ANN, commit(ANN, Side.YES, VAGUE))
    assert refused(events) == set()
    assert only(events, FalsifierDeclared).message == play.last


# ---- VOC-5: what a falsifier and a top claim are made of


@pytest.mark.rule("VOC-5")
def test_a_falsifier_may_do_without_reasoning() -> None:
    assert list(faults(FALSIFIER)) == []
    assert list(faults(replace(FALSIFIER, reasoning="It might be otherwise, and probably is"))) == []


@pytest.mark.rule("VOC-5")
@pytest.mark.parametrize("part", ["metric", "threshold", "deadline"])
def test_a_falsifier_lacks_no_other_part(part: str) -> None:
    assert part in blamed(replace(FALSIFIER, **{part: ""}))


# ---- days that never come


@pytest.mark.rule("FALS-1")
@pytest.mark.parametrize(
    ("deadline", "unreal"),
    [
        ("by 31 February 2027", "31 February"),
        ("before Feb. 30, 2028", "Feb. 30"),
        ("by the 31st of April", "31st of April"),
        ("June 31st 2027", "June 31st"),
        ("by 2027-02-30", "2027-02-30"),
        ("2027-13-01", "2027-13-01"),
        *((real, None) for real in ("by 31 May 2027", "29 February 2028", "2027-12-31", "30 April", "by June 3, 2031")),
    ],
)
def test_a_deadline_is_a_day_that_comes(deadline: str, unreal: str | None) -> None:
    told = [r.reason for r in faults(Falsifier(metric="tolls on the strait", threshold="above 40", deadline=deadline))]
    assert told == ([] if unreal is None else [f'"{unreal}" is no day of the calendar'])
