"""Of sentences about one thing: the same point, its opposite, or another."""

import pytest

from cruxfinder.language.english.contrasts import FRAME_MAX, PointRelation, relate_points

LONG = " ".join(f"Word{n}" for n in range(FRAME_MAX + 1))


@pytest.mark.rule("RED-3")
@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        pytest.param("The kiln is hot.", "The kiln is hot.", PointRelation.SAME, id="the same words"),
        pytest.param("The kiln is hot.", "A kiln is hot!", PointRelation.SAME, id="but for articles and marks"),
        pytest.param("The kiln was lit by Ada.", "Ada lit the kiln.", PointRelation.SAME, id="in the passive"),
        pytest.param("The kiln is huge.", "The kiln is big.", PointRelation.SAME, id="a synonym in its frame"),
        pytest.param("The kiln is hot.", "The kiln is really hot.", PointRelation.SAME, id="a word more"),
        pytest.param("The kiln is hot.", "The kiln is not hot.", PointRelation.OPPOSED, id="denied"),
        pytest.param("The kiln is hot.", "The kiln is anything but hot.", PointRelation.OPPOSED, id="in other words"),
        pytest.param(
            "Ada knows the glaze.", "Ada is unaware of the glaze.", PointRelation.OPPOSED, id="a prefix with a particle"
        ),
        pytest.param("Oak is harder than ash.", "Ash is harder than oak.", PointRelation.OPPOSED, id="turned round"),
        pytest.param(
            "Frost cracked the pipe.", "The pipe cracked frost.", PointRelation.OPPOSED, id="roles turned round"
        ),
        pytest.param("Oak and ash burn.", "Ash and oak burn.", PointRelation.SAME, id="either way round"),
        pytest.param("In May the oak burnt.", "The oak burnt in May.", PointRelation.SAME, id="an adverbial moved"),
        pytest.param("The kiln is a blessing.", "The kiln is a nuisance.", PointRelation.OPPOSED, id="good and bad"),
        pytest.param(
            "The kiln was glazed.", "The kiln was sold.", PointRelation.DIFFERENT, id="another word in its frame"
        ),
        pytest.param("It took 3 firings.", "Three firings did it.", PointRelation.SAME, id="one number in two forms"),
        pytest.param("It needs 3 firings.", "Firing it 5 times suits it.", PointRelation.DIFFERENT, id="figures"),
        pytest.param("All bowls were sold.", "Some bowls were sold.", PointRelation.DIFFERENT, id="quantities"),
        pytest.param(f"{LONG} glazed.", f"{LONG} sold.", PointRelation.SAME, id="a detail of a long sentence"),
        pytest.param(
            "It holds 3,000 bowls.", "Three thousand bowls fit in.", PointRelation.SAME, id="a number in words"
        ),
        pytest.param(
            "Most bowls were sold.", "Only some bowls were sold.", PointRelation.DIFFERENT, id="fewer of them"
        ),
        pytest.param(
            "Both jugs leak badly.", "Most jugs leak badly.", PointRelation.DIFFERENT, id="a small word changed"
        ),
        pytest.param("We fire it on Monday.", "We fire it on Friday.", PointRelation.DIFFERENT, id="another day"),
        pytest.param(
            "Potters must wear gloves.", "Potters may wear gloves.", PointRelation.DIFFERENT, id="must and may"
        ),
        pytest.param(
            "Oak burns hotter than ash.",
            "Oak burns just as hot as ash.",
            PointRelation.DIFFERENT,
            id="more and as much",
        ),
        pytest.param(
            "Drought leads to fires.",
            "Fires lead to drought.",
            PointRelation.OPPOSED,
            id="cause and effect turned round",
        ),
        pytest.param(
            "The potter lends the mill clay.",
            "The mill lends the potter clay.",
            PointRelation.OPPOSED,
            id="parts exchanged",
        ),
        pytest.param(
            "Oak is richer than ash.", "Ash is poorer than oak.", PointRelation.SAME, id="seen from the other"
        ),
        pytest.param(
            "Oak is finer than ash.", "Ash is less fine than oak.", PointRelation.SAME, id="less of the other"
        ),
        pytest.param("Glaze sells.", "Glaze finds no buyers.", PointRelation.DIFFERENT, id="denied on one side alone"),
        pytest.param(
            "There was no clay.", "The potter had nothing to work with, no clay.", PointRelation.SAME, id="each denies"
        ),
        pytest.param(
            "Kilns are overpriced.", "Kilns are a bargain.", PointRelation.OPPOSED, id="a family of opposites"
        ),
        pytest.param("", "", PointRelation.SAME, id="nothing"),
        pytest.param("?", "!", PointRelation.SAME, id="no words"),
    ],
)
def test_how_sentences_stand_to_each_other(a: str, b: str, relation: PointRelation) -> None:
    assert relate_points(a, b) is relation is relate_points(b, a)
