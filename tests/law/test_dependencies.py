"""How two cruxes bear on each other: CRY-2 of SPEC §13."""

from dataclasses import replace

import pytest

from cruxfinder.crux.asks import Related
from cruxfinder.crux.due import Compare, due_across_threads
from cruxfinder.crux.events import CruxesRelated, Dependency, RelationAnswered
from cruxfinder.crux.evolve import fold
from cruxfinder.crux.law import dependencies
from cruxfinder.kernel.altering import copy_with
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, Relation, Side, Status, ThreadId
from tests.law.build import ANN, BOB, CAT, DAN, OTHER_QUESTIONS, T1, T2, T3, Mind, Play, of, only

MONEY, ENERGY = OTHER_QUESTIONS[:2]
LONG = Settings(max_ms=10**6, max_messages=10**4, stagnation_messages=10**4)
SKETCH = "Whoever stays pays taxes, and taxes are what the law is after."
BACK = "A law that tolerates it keeps its holders from leaving at all."
NOTHING = Related(second_if_yes=0.5, second_if_no=0.5, first_if_yes=0.5, first_if_no=0.5)


def answering(play: Play, yes: float) -> None:
    """Those at YES hold so much of any question put now, those at NO the rest."""
    for agent, side in play.sides.items():
        at_yes = side is Side.YES
        play.minds[agent] = Mind(p_top=0.82 if at_yes else 0.18, c=yes if at_yes else 1 - yes, p1=0.9, p0=0.1)


def two(settings: Settings = LONG) -> Play:
    """Two cruxes found: .9 against .1 on the first, .8 against .2 on the second. Nobody speaks any more."""
    play = Play(yes=(ANN, CAT), no=(BOB, DAN), settings=settings)
    answering(play, 0.9)
    play.spawn(MONEY)
    play.to_end()
    play.at = T2
    answering(play, 0.8)
    play.to_end()
    assert [t.status for t in play.debate.threads.values()] == [Status.CONVERGED, Status.CONVERGED]
    return play


def bearing(
    yes: float = 0.85, no: float = 0.6, sketch: str = SKETCH, first: tuple[float, float] = (0.5, 0.5), back: str = ""
) -> Related:
    """P(second | first) and P(second | not first), with a sketch; the way back says nothing unless told."""
    return Related(
        second_if_yes=yes, second_if_no=no, first_if_yes=first[0], first_if_no=first[1], sketch=sketch, back=back
    )


def compared(relations: dict[AgentId, Related], play: Play | None = None) -> CruxesRelated:
    play = two() if play is None else play
    play.relations = relations
    return only(play.across(), CruxesRelated)


# ---- what one agent holds


@pytest.mark.rule("CRY-2")
@pytest.mark.parametrize(
    ("if_yes", "if_no", "held"),
    [
        pytest.param(0.85, 0.6, (Relation.ENTAILS, 0.85), id="YES there is likely given YES here"),
        pytest.param(0.75, 0.35, (Relation.SUPPORTS, 0.9), id="YES here makes it much likelier"),
        pytest.param(0.1, 0.6, (Relation.CONTRADICTS, 0.9), id="YES there is unlikely given YES here"),
        pytest.param(0.8, 0.6, (Relation.ENTAILS, 0.8), id="a confidence of .8 is enough"),
        pytest.param(0.79, 0.58, None, id="less is not"),
        pytest.param(0.21, 0.6, None, id="less is not, for a contradiction either"),
        pytest.param(0.9, 0.75, None, id="it hardly matters"),
        pytest.param(0.5, 0.5, None, id="it does not matter"),
    ],
)
def test_what_an_agent_holds_of_two_cruxes(if_yes: float, if_no: float, held: tuple[Relation, float] | None) -> None:
    found = dependencies.opinion(if_yes, if_no, SKETCH)
    if held is None:
        assert found is None
    else:
        assert found is not None
        relation, confidence, sketch = found
        assert (relation, sketch) == (held[0], SKETCH) and confidence == pytest.approx(held[1])


@pytest.mark.rule("CRY-2")
@pytest.mark.parametrize("if_yes", [0.9, 0.95, 0.99])
def test_a_yes_that_all_but_settles_the_other_entails_it_with_that_confidence(if_yes: float) -> None:
    found = dependencies.opinion(if_yes, 0.1, SKETCH)
    assert found is not None and found[:2] == (Relation.ENTAILS, if_yes)


@pytest.mark.rule("CRY-2")
@pytest.mark.parametrize(
    ("sketch", "kept"),
    [
        pytest.param("x" * 20, True, id="twenty characters"),
        pytest.param("x" * 19, False, id="nineteen"),
        pytest.param(f" {'x' * 19} ", False, id="nineteen and spaces"),
        pytest.param("", False, id="none"),
    ],
)
def test_a_dependency_is_argued_in_twenty_characters(sketch: str, kept: bool) -> None:
    assert (dependencies.opinion(0.85, 0.6, sketch) is not None) == kept


# ---- a second opinion


@pytest.mark.rule("CRY-2")
def test_a_dependency_stands_when_a_second_agent_holds_it() -> None:
    found = compared({ANN: bearing(0.95, 0.7), BOB: bearing(0.85, 0.6, BACK)})
    assert found.dependencies == (
        Dependency(
            from_crux=T1, to_crux=T2, relation=Relation.ENTAILS, confidence=0.85, sketch=BACK, by=ANN, second=BOB
        ),
    ), "the confidence and the sketch of the one who is less sure"


@pytest.mark.rule("CRY-2")
@pytest.mark.parametrize(
    "relations",
    [
        pytest.param({ANN: bearing()}, id="nobody else answers"),
        pytest.param({ANN: bearing(), BOB: NOTHING}, id="nobody else holds it"),
        pytest.param({ANN: bearing(), BOB: bearing(0.1, 0.6)}, id="another holds the opposite"),
        pytest.param({ANN: bearing(), BOB: bearing(sketch="It is so.")}, id="another does not argue it"),
        pytest.param({}, id="nobody answers"),
    ],
)
def test_a_dependency_without_a_second_opinion_is_not_kept(relations: dict[AgentId, Related]) -> None:
    assert compared(relations).dependencies == ()


@pytest.mark.rule("CRY-2")
def test_the_second_opinion_is_of_the_other_camp_where_it_can_be() -> None:
    found = compared({ANN: bearing(0.95, 0.7), CAT: bearing(0.95, 0.7), DAN: bearing(0.85, 0.6)})
    (kept,) = found.dependencies
    assert {kept.by, kept.second} in ({ANN, DAN}, {CAT, DAN}) and kept.confidence == 0.85
    within = compared({ANN: bearing(0.95, 0.7), CAT: bearing(0.9, 0.65)})
    assert [{d.by, d.second} for d in within.dependencies] == [{ANN, CAT}]


@pytest.mark.rule("CRY-2")
def test_who_stands_in_neither_camp_is_no_second_opinion_of_the_other_camp() -> None:
    play = two()
    play.debate = copy_with(
        play.debate, firsts={**play.debate.firsts, CAT: replace(play.debate.firsts[CAT], p_top=0.5)}
    )
    found = compared({ANN: bearing(0.95, 0.7), CAT: bearing(0.95, 0.7), DAN: bearing(0.85, 0.6)}, play)
    assert [{d.by, d.second} for d in found.dependencies] == [{ANN, DAN}]


@pytest.mark.rule("CRY-2")
def test_each_direction_is_judged_for_itself() -> None:
    both = bearing(0.85, 0.6, SKETCH, (0.1, 0.6), BACK)
    found = compared({ANN: both, BOB: both})
    assert [(d.from_crux, d.to_crux, d.relation, d.sketch) for d in found.dependencies] == [
        (T1, T2, Relation.ENTAILS, SKETCH),
        (T2, T1, Relation.CONTRADICTS, BACK),
    ]


@pytest.mark.rule("CRY-2")
def test_answers_are_kept_and_those_that_could_not_be_had_are_marked() -> None:
    play = two()
    play.relations = {ANN: bearing()}
    events = play.across()
    assert {e.agent: e.failed for e in of(events, RelationAnswered)} == {ANN: False, BOB: True, CAT: True, DAN: True}
    assert only(play.events, DebateComplete) and fold(play.events) == play.debate


# ---- the same question twice


@pytest.mark.rule("CRY-2")
@pytest.mark.parametrize(
    ("distance", "same"),
    [pytest.param(0.09, True, id="less than a tenth apart"), pytest.param(0.1, False, id="a tenth apart")],
)
def test_two_cruxes_that_ask_the_same_are_duplicates_and_bear_on_nothing(distance: float, same: bool) -> None:
    play = two()
    play.relations = {ANN: bearing(), BOB: bearing()}
    play.across()
    found = dependencies.relate_cruxes(play.debate, (T1, T2), distance, 0)
    assert (found.same, bool(found.dependencies), found.distance) == (same, not same, distance)
    assert found.root is None or not same


# ---- which lies behind the other

# the first explains (.9 - .1) · .6 / (.8 - .2) = .8 of the gap on the second
FORTH, LITTLE_FORTH = (0.8, 0.2), (0.6, 0.23)  # .8 · .37 / .6 = .493
# the second explains (.8 - .2) · .9 / (.9 - .1) = .675 of the gap on the first
BACKWARD, LITTLE_BACK = (0.95, 0.05), (0.6, 0.2)  # .6 · .4 / .8 = .3


@pytest.mark.rule("CRY-2")
@pytest.mark.parametrize(
    ("forth", "back", "root"),
    [
        pytest.param(FORTH, LITTLE_BACK, T1, id="the first explains .8 of the second, the second .3"),
        pytest.param(LITTLE_FORTH, BACKWARD, T2, id="the first explains .49 of the second, the second .68"),
        pytest.param(FORTH, BACKWARD, T1, id="both explain half of the other: the one that explains more"),
        pytest.param((0.7, 0.3), BACKWARD, T2, id="both explain half of the other, .53 and .68: the second"),
        pytest.param(LITTLE_FORTH, LITTLE_BACK, None, id="neither explains half of the other"),
    ],
)
def test_a_crux_lies_behind_another_when_it_explains_half_of_its_gap_and_more_than_it_does(
    forth: tuple[float, float], back: tuple[float, float], root: ThreadId | None
) -> None:
    answer = bearing(*forth, first=back)
    assert compared(dict.fromkeys((ANN, BOB, CAT, DAN), answer)).root == root


@pytest.mark.rule("CRY-2")
def test_who_could_not_answer_does_not_count_for_what_lies_behind() -> None:
    assert compared(dict.fromkeys((ANN, BOB), bearing(*FORTH, first=LITTLE_BACK))).root == T1


@pytest.mark.rule("CRY-2")
def test_a_share_is_computed_over_those_who_answered_and_needs_both_camps() -> None:
    of_second = {ANN: 0.8, BOB: 0.2, CAT: 0.6}
    of_first = {ANN: 0.9, BOB: 0.1, CAT: 0.7}
    slopes = {ANN: 0.4, BOB: 0.6}
    assert dependencies.share(of_second, of_first, slopes) == pytest.approx(0.8 * 0.5 / 0.6)
    assert dependencies.share(of_second, of_first, {ANN: 0.4, CAT: 0.4}) == 0.0
    assert dependencies.share(of_second, of_first, {}) == 0.0


# ---- when it is asked


@pytest.mark.rule("CRY-2")
@pytest.mark.parametrize(
    ("messages", "asked"),
    [pytest.param(19, False, id="nineteen messages later"), pytest.param(20, True, id="twenty messages later")],
)
def test_converged_threads_are_compared_every_20_messages(messages: int, asked: bool) -> None:
    play = two()
    active = copy_with(play.debate.threads[T1], id=T3, status=Status.LOCKED)
    threads = {**play.debate.threads, T3: active}
    debate = copy_with(play.debate, threads=threads, related_at=play.debate.spoken - messages)
    assert (due_across_threads(debate) == Compare(pair=(T1, T2))) == asked


@pytest.mark.rule("CRY-2")
def test_once_nobody_speaks_they_are_compared_at_once_and_the_debate_waits_for_it() -> None:
    play = two()
    assert play.debate.complete is None
    assert due_across_threads(copy_with(play.debate, related_at=play.debate.spoken)) == Compare(pair=(T1, T2))
    play.across()
    assert play.debate.complete is not None


@pytest.mark.rule("CRY-2")
def test_a_pair_is_compared_once() -> None:
    play = two()
    compared({ANN: bearing(), BOB: bearing()}, play)
    assert dependencies.uncompared_pairs(play.debate) == ()
    assert set(play.debate.related) == {(T1, T2)}


@pytest.mark.rule("CRY-2")
def test_only_threads_that_ended_with_a_crux_are_compared() -> None:
    play = two()
    failed = copy_with(play.debate.threads[T2], status=Status.FAILED_LOCK)
    assert dependencies.uncompared_pairs(copy_with(play.debate, threads={**play.debate.threads, T2: failed})) == ()
    bare = copy_with(play.debate.threads[T2], extracted=None)
    assert dependencies.uncompared_pairs(copy_with(play.debate, threads={**play.debate.threads, T2: bare})) == ()


@pytest.mark.rule("CRY-2")
def test_left_out_of_an_ablation_nothing_is_compared() -> None:
    play = two(replace(LONG, off=(dependencies.RELATED,)))
    play.across()
    assert not of(play.events, CruxesRelated) and play.debate.complete is not None
