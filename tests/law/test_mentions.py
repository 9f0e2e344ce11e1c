"""Who a text speaks of: whole words, in any script."""

import pytest

from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.language.mentions import is_mentioned


@pytest.mark.parametrize(
    ("text", "agent", "name", "told"),
    [
        pytest.param("@ann, is that so?", "ann", "", True, id="an @ and the id"),
        pytest.param("(@ANN)", "ann", "", True, id="in capital letters"),
        pytest.param("@Ann's point", "ann", "", True, id="a possessive"),
        pytest.param("ask @ann- or not", "ann", "", True, id="a dash behind it"),
        pytest.param("@ann--no", "ann", "", True, id="a double dash"),
        pytest.param("@annx and @ann", "ann", "", True, id="another id first"),
        pytest.param("@ann-marie said so", "ann", "", False, id="a longer id with a hyphen"),
        pytest.param("@anna said so", "ann", "", False, id="a longer id"),
        pytest.param("write to mail@ann", "ann", "", False, id="an address"),
        pytest.param("ann said so", "ann", "", False, id="a bare id"),
        pytest.param("You forget, Ines, that", "holder", "Ines", True, id="a name"),
        pytest.param("ines said so", "holder", "Ines", False, id="a name in small letters"),
        pytest.param("@ines said so", "holder", "Ines", True, id="a name behind an @"),
        pytest.param("he will do so", "w", "Will", False, id="a name that is a word"),
        pytest.param("Will, do so", "w", "Will", True, id="a name that is a word, as a name"),
        pytest.param("Markets fell", "m", "Mark", False, id="a name within a word"),
        pytest.param("pro-Mark talk", "m", "Mark", False, id="a name grown onto a word"),
        pytest.param("Anne-Marie said", "a", "Anne", False, id="half of a double name"),
        pytest.param("Jose\u0301 knows", "j", "Jos\u00e9", True, id="an accent as a mark"),
        pytest.param("Jose\u0301 knows", "j", "Jose", False, id="a name without the accent"),
        pytest.param("@JOSÉ knows", "josé", "", True, id="an accent in capital letters"),
        pytest.param("王五说得对", "wang", "王五", True, id="a script without spaces"),
        pytest.param("민수는 틀렸다", "minsu", "민수", True, id="a particle on a name"),
        pytest.param("Ada Lovelace wrote", "ada", "Ada Lovelace", True, id="a name of two words"),
        pytest.param("", "ann", "Ann", False, id="an empty text"),
        pytest.param("@", "ann", "", False, id="an @ alone"),
    ],
)
def test_a_mention_is_a_whole_word(text: str, agent: str, name: str, told: bool) -> None:
    assert is_mentioned(text, AgentId(agent), name) is told


def test_a_long_text_of_near_misses_is_quick() -> None:
    assert not is_mentioned("@annx" * 20_000, AgentId("ann"), "Ann")
