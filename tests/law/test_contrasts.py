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
        pytest.param("", "", PointRelation.SAME, id="nothing"),
        pytest.param("?", "!", PointRelation.SAME, id="no words"),
    ],
)
def test_how_sentences_stand_to_each_other(a: str, b: str, relation: PointRelation) -> None:
    assert relate_points(a, b) is relation is relate_points(b, a)
