"""What is typed as a topic becomes a statement, and what cannot be one is refused in a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.adapters.casting.top_claim import TOPIC_MAX, top_claim
from cruxfinder.errors import BadInput

TURNED = {
    "Should we split the monolith?": "We should split the monolith",
    "should we split the monolith": "We should split the monolith",
    "Should I quit my job?": "I should quit my job",
    "Should we not wait?": "We should not wait",
    "Should the city council ban cars downtown?": "The city council should ban cars downtown",
    "Should voting be mandatory?": "Voting should be mandatory",
    "Should car use be taxed?": "Car use should be taxed",
    "Should companies use software to replace people?": "Companies should use software to replace people",
    "Should the EU not be enlarged?": "The EU should not be enlarged",
    "Will AI replace most programmers by 2035?": "AI will replace most programmers by 2035",
    "Will AI ever be conscious?": "AI will be conscious",
    "Can machines think?": "Machines can think",
    "Can science answer moral questions?": "Science can answer moral questions",
    "Would a tax on sugar reduce obesity?": "A tax on sugar would reduce obesity",
    "Is free will an illusion?": "Free will is an illusion",
    "Is a hot dog a sandwich?": "A hot dog is a sandwich",
    "Is this a good idea?": "This is a good idea",
    "Is it wrong to eat meat?": "It is wrong to eat meat",
    "Is eating the rich ethical?": "Eating the rich is ethical",
    "Is the earth flat?": "The earth is flat",
    "Is there life on Mars?": "There is life on Mars",
    "Is the new law morally questionable?": "The new law is morally questionable",
    "Is the cost of the war justified?": "The cost of the war is justified",
    "Are electric cars better than diesel cars?": "Electric cars are better than diesel cars",
    "Are self-driving cars safe?": "Self-driving cars are safe",
    "Was the Iraq war a mistake?": "The Iraq war was a mistake",
    "Does remote work reduce productivity?": "Remote work reduces productivity",
    "Does practice make perfect?": "Practice makes perfect",
    "Does it not matter?": "It does not matter",
    "Do cats have souls?": "Cats have souls",
    "Did the moon landing happen?": "The moon landing did happen",
    "Has the internet made us lonelier?": "The internet has made us lonelier",
    "Ought rich countries to pay for climate damage?": "Rich countries ought to pay for climate damage",
    "Whether or not we should leave": "We should leave",
}
KEPT = {
    "Pineapple belongs on pizza.": "Pineapple belongs on pizza",
    "  the\n monolith  is fine": "The monolith is fine",
    "Will Smith is a good actor": "Will Smith is a good actor",
    "Do the right thing every day": "Do the right thing every day",
    "iPhones are overpriced": "iPhones are overpriced",
    "Why we should wait": "Why we should wait",
}
FRAMED = (
    "Shouldn't we wait",
    "Should schools use force",
    "Should you and I marry",
    "Does remote work work",
    "In 2030, will cars drive themselves",
    "Is Paris in France",
    "Was wir brauchen, ist das Zeit",
)


@pytest.mark.parametrize(("typed", "claim"), [*TURNED.items(), *KEPT.items()])
def test_a_topic_becomes_a_statement(typed: str, claim: str) -> None:
    assert top_claim(typed) == claim


@pytest.mark.parametrize("typed", FRAMED)
def test_a_question_that_cannot_be_turned_is_framed(typed: str) -> None:
    assert top_claim(f"{typed}?") == f'The answer to "{typed}" is yes'


def test_marks_inside_a_frame_do_not_end_it() -> None:
    assert top_claim('Is "free" in French?') == "The answer to \"Is 'free' in French\" is yes"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        pytest.param("Wait?", "8 to 240 characters, and this one has 5", id="too short"),
        pytest.param("x" * 241, "8 to 240 characters, and this one has 241", id="too long"),
        pytest.param(f"Shouldn't {'we ' * 73}wait?", "at most 240 characters", id="too long once framed"),
        pytest.param("?!?!?!?!?!", "in words", id="no words"),
        pytest.param("", "in words", id="nothing"),
        pytest.param("How should we fund schools?", 'a claim or a yes/no question, and "How …?"', id="not yes or no"),
    ],
)
def test_what_is_no_topic_is_refused(typed: str, told: str) -> None:
    with pytest.raises(BadInput) as refused:
        top_claim(typed)
    assert told in str(refused.value)


@given(
    st.lists(
        st.sampled_from(
            "should is are does do has ought will whether the a this we it not to be have use work good more tax eating"
            " cars and of banned really ever Ada".split()
        ),
        min_size=2,
        max_size=9,
    ),
    st.sampled_from(("", ".", "?", "??")),
)
def test_any_words_give_a_claim_that_stays_as_it_is(words: list[str], ending: str) -> None:
    typed = f"{' '.join(words)}{ending}"
    if len(typed) >= 8:
        claim = top_claim(typed)
        assert not claim.endswith("?") and 0 < len(claim) <= TOPIC_MAX


@pytest.mark.parametrize("typed", [*TURNED, *KEPT, *(f"{each}?" for each in FRAMED)])
def test_a_claim_is_its_own_claim(typed: str) -> None:
    assert top_claim(top_claim(typed)) == top_claim(typed)
