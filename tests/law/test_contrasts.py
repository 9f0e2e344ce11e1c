"""Of sentences about one thing: the same point, its opposite, or another."""

import pytest

from cruxfinder.language.english.contrasts import FRAME_MAX, Relation, relate_points

LONG = " ".join(f"Word{n}" for n in range(FRAME_MAX + 1))


@pytest.mark.rule("RED-3")
@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        pytest.param("The kiln is hot.", "The kiln is hot.", Relation.SAME, id="the same words"),
        pytest.param("The kiln is hot.", "A kiln is hot!", Relation.SAME, id="but for articles and marks"),
        pytest.param("The kiln was lit by Ada.", "Ada lit the kiln.", Relation.SAME, id="in the passive"),
        pytest.param("The kiln is huge.", "The kiln is big.", Relation.SAME, id="a synonym in its frame"),
        pytest.param("The kiln is hot.", "The kiln is really hot.", Relation.SAME, id="a word more"),
        pytest.param("The kiln is hot.", "The kiln is not hot.", Relation.OPPOSED, id="denied"),
        pytest.param("The kiln is hot.", "The kiln is anything but hot.", Relation.OPPOSED, id="in other words"),
        pytest.param(
            "Ada knows the glaze.", "Ada is unaware of the glaze.", Relation.OPPOSED, id="a prefix with a particle"
        ),
        pytest.param("Oak is harder than ash.", "Ash is harder than oak.", Relation.OPPOSED, id="turned round"),
        pytest.param("Frost cracked the pipe.", "The pipe cracked frost.", Relation.OPPOSED, id="roles turned round"),
        pytest.param("Oak and ash burn.", "Ash and oak burn.", Relation.SAME, id="either way round"),
        pytest.param("In May the oak burnt.", "The oak burnt in May.", Relation.SAME, id="an adverbial moved"),
        pytest.param("The kiln is a blessing.", "The kiln is a nuisance.", Relation.OPPOSED, id="good and bad"),
        pytest.param("The kiln was glazed.", "The kiln was sold.", Relation.DIFFERENT, id="another word in its frame"),
        pytest.param("It took 3 firings.", "Three firings did it.", Relation.SAME, id="one number in two forms"),
        pytest.param("It needs 3 firings.", "Firing it 5 times suits it.", Relation.DIFFERENT, id="figures"),
        pytest.param("All bowls were sold.", "Some bowls were sold.", Relation.DIFFERENT, id="quantities"),
        pytest.param(f"{LONG} glazed.", f"{LONG} sold.", Relation.SAME, id="a detail of a long sentence"),
        pytest.param("", "", Relation.SAME, id="nothing"),
        pytest.param("?", "!", Relation.SAME, id="no words"),
    ],
)
def test_how_sentences_stand_to_each_other(a: str, b: str, relation: Relation) -> None:
    assert relate_points(a, b) is relation is relate_points(b, a)
