"""CRUX-10 once the answers are in: a question near the topic that everybody answers as the topic is the topic again."""

import pytest

from cruxfinder.crux.evolve import fold
from cruxfinder.crux.law import several_facts
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, Phase, RuleId, Stage, Verdict
from tests.law.build import ANN, BOB, CAT, DAN, QUESTION, Mind, Play

RESTATED = "Is value what Bitcoin stores best?"  # unknown to the reader of words, and near the topic
TOPS = {ANN: 0.85, CAT: 0.75, BOB: 0.2, DAN: 0.1}
CRUX = {ANN: 0.8, CAT: 0.7, BOB: 0.3, DAN: 0.2}
TURNED = (0.03, 0.97)


def crux_answers(agent: AgentId) -> tuple[float, float, float]:
    """Coherent: known to be so it adds 0.4 to the topic over known not to be so."""
    c, top = CRUX[agent], TOPS[agent]
    return c, top + 0.4 * (1 - c), top - 0.4 * c


def held(
    answered: tuple[float, float] = (0.97, 0.03),
    strays: float = 0.0,
    questions: tuple[str, ...] = (RESTATED, QUESTION),
    off: tuple[str, ...] = (),
) -> Play:
    """A debate whose c1 everybody answers as the topic, or its contrary, and c2 as a crux that explains a part."""
    play = Play(yes=(ANN, CAT), no=(BOB, DAN), settings=Settings(off=tuple(RuleId(rule) for rule in off)))
    p1, p0 = answered
    for n, (agent, top) in enumerate(TOPS.items()):
        c = (top if p1 > p0 else 1 - top) + strays * (-1) ** n
        play.minds[agent] = Mind(p_top=top, c=c, p1=p1, p0=p0, about={"c1": (c, p1, p0), "c2": crux_answers(agent)})
    play.to_weighing(questions)
    play.probe_all()
    return play


def marked(play: Play) -> set[str]:
    return {f.candidate for f in play.thread.figures[Phase.BEFORE].figures if f.repeats_topic}


@pytest.mark.rule("CRUX-10")
@pytest.mark.parametrize("answered", [(0.97, 0.03), TURNED], ids=["as the topic", "as its contrary"])
def test_the_topic_in_words_nobody_knew_it_by_is_not_locked(answered: tuple[float, float]) -> None:
    play = held(answered)
    assert marked(play) == {"c1"}
    assert (play.thread.stage, play.thread.crux) == (Stage.CRUX_LOCK, "c2")
    assert [f.candidate for f in play.thread.figures[Phase.BEFORE].figures][-1] == "c1"
    assert fold(play.events).threads == play.debate.threads


@pytest.mark.rule("CRUX-10")
def test_the_topic_again_is_none_of_several_facts() -> None:
    figures = held().thread.figures[Phase.BEFORE].figures
    assert max(f.share for f in figures) > 0.9
    assert "c1" not in [f.candidate for f in several_facts.counting(figures)]


@pytest.mark.rule("CRUX-10")
@pytest.mark.parametrize(
    ("answered", "strays", "asked"),
    [
        pytest.param((0.97, 0.03), 0.0, QUESTION, id="a fact that decides everything, and reads otherwise"),
        pytest.param((0.75, 0.2), 0.0, RESTATED, id="near the topic, and it leaves the topic open"),
        pytest.param((0.97, 0.03), 0.15, RESTATED, id="near the topic, and some hold it likelier than others do"),
    ],
)
def test_a_crux_may_be_answered_or_worded_like_the_topic(
    answered: tuple[float, float], strays: float, asked: str
) -> None:
    play = held(answered, strays, (asked,))
    assert marked(play) == set()


@pytest.mark.rule("CRUX-10")
def test_a_fact_that_decides_everything_is_locked() -> None:
    play = held(questions=(QUESTION,))
    assert (play.thread.stage, play.thread.crux) == (Stage.CRUX_LOCK, "c1")


@pytest.mark.rule("CRUX-10")
def test_left_out_of_an_ablation_the_topic_again_is_locked() -> None:
    play = held(off=("CRUX-10",))
    assert marked(play) == set() and play.thread.crux == "c1"


@pytest.mark.rule("CRUX-10")
def test_with_nothing_but_the_topic_again_no_fact_was_named() -> None:
    play = held(questions=(RESTATED,), off=("CRUX-13",))
    assert play.thread.outcome is Verdict.VALUES and "none was named" in play.thread.why
