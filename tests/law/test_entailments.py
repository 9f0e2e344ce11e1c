"""RED-2: each turn adds an implication, an application, a counterexample, a concession or a test."""

from collections.abc import Callable
from functools import cache

import pytest

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.kernel.redundancy_limits import Entailment
from cruxfinder.language.english import connectives, restating
from cruxfinder.language.english.entailments import (
    BEARING,
    BEARINGS,
    DENIAL,
    DENIALS,
    MODAL,
    MODALS,
    entailing_sentences,
    find_entailments,
    statement,
)
from cruxfinder.language.english.own_words import TOKEN
from tests import pace
from tests.quality.turn_corpus import halves, turns

Find = Callable[..., tuple[Entailment, ...]]


@cache
def heard(text: str, before: tuple[str, ...] = ()) -> tuple[Entailment, ...]:
    """As it is found where the shipped model hears the turn; kept, as several tests ask of the same turns."""
    return find_entailments(text, before, embedder("static").substance_score(text))


EITHER_WAY = pytest.mark.parametrize("find", [find_entailments, heard], ids=["by its words", "with its vector"])
# One for each thing a form is made of.
FORMED = (
    *(f"Ferries {modal} wait." for modal in ("should", "must", "ought to", "need to", "needs to", "have to", "has to")),
    *("They've got to wait.", "Let's wait.", "We had better wait.", "It is time to wait.", "They should've waited."),
    *(f"Ferries {no} run." for no in ("not", "no", "never", "nobody", "none", "nothing", "neither", "nor", "cannot")),
    *(f"Ferries {no} run." for no in ("cant", "dont", "doesnt", "isnt", "don't", "hardly", "only")),
    *(
        f"Tolls are {word} to ferries."
        for word in "harmful damaging detrimental dangerous beneficial essential".split()
    ),
    *(f"Tolls are {word} for ferries." for word in "necessary vital crucial needed helpful disrespectful".split()),
    *(f"Tolls are {word} to ferries." for word in "insulting unfair degrading".split()),
    *(f"Tolls are a {word} to ferries." for word in "threat risk danger burden alternative barrier gateway".split()),
    *(f"Tolls are a {word} of ferries." for word in "access way right means tool incentive deterrent".split()),
    *(f"Tolls are a {word} against ferries." for word in "protection violation form act cause source".split()),
    *("Tolls cost more than ferries.", "Tolls are cheaper by far than ferries."),
)


@pytest.mark.rule("RED-2")
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Entailment.IMPLICATION, "If the toll rises, grain ships will take the longer route."),
        (Entailment.IMPLICATION, "Tolls are fair because the ships wear out the lock gates."),
        (Entailment.IMPLICATION, "The grant ran out, so the clinic closed its night ward."),
        (Entailment.IMPLICATION, "uniforms suppress individuality"),
        (Entailment.IMPLICATION, "it is a good way to instill discipline"),
        (Entailment.IMPLICATION, "The more traps you lay, the more foxes learn to dig."),
        (Entailment.IMPLICATION, "We publish the minutes in order to keep the harbour board honest."),
        (Entailment.APPLICATION, "For example, the ferry to the northern islands was cut every winter."),
        (Entailment.APPLICATION, "We should hand the carbon revenue back to every household."),
        (Entailment.APPLICATION, "In 1987 the town flooded and the archive lost 40 shelves."),
        (Entailment.APPLICATION, "My grandfather dug that canal with a borrowed spade."),
        (Entailment.COUNTEREXAMPLE, "Fishing quotas work, but in the western bay the herring never returned."),
        (Entailment.COUNTEREXAMPLE, "A curfew keeps streets quiet unless the police leave at midnight."),
        (Entailment.COUNTEREXAMPLE, "Not every village with a school kept its young families."),
        (Entailment.COUNTEREXAMPLE, "I agree about the bridge, but the tunnel floods every spring."),
        (Entailment.CONCESSION, "I grant that the first dam was built on poor rock."),
        (Entailment.CONCESSION, "Admittedly the pilots lost two weeks of wages."),
        (Entailment.CONCESSION, "You are right that rents rose in the old town, though wages rose faster there."),
        (Entailment.CONCESSION, "I take back what I said about the northern ferry, which ran all winter."),
        (Entailment.CONCESSION, "I was wrong about the waiting times of the village clinic."),
        (Entailment.CONCESSION, "My own view has shifted: I now accept that trams need a lane beside the canal."),
        (Entailment.TEST, "We could test it: give half of the villages stoves and count the coughs."),
        (Entailment.TEST, "The criterion should be deaths per million passengers."),
        (Entailment.TEST, "A fall in winter prices would show that the pipeline pays."),
    ],
)
@EITHER_WAY
def test_each_kind_is_heard(find: Find, kind: Entailment, text: str) -> None:
    assert kind in find(text)


@pytest.mark.rule("RED-2")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("So, if you ask me, I think so too.", id="words of implication, nothing implied"),
        pytest.param("I think because you said it so well I will leave it there.", id="a because of courtesy"),
        pytest.param("That means I agree, therefore I still hold what I held.", id="a consequence of agreeing"),
        pytest.param("As in the example before, I agree. In practice I agree as well.", id="an example of agreeing"),
        pytest.param("I should repeat that the toll is unfair.", id="a should of repeating"),
        pytest.param("Consider me convinced.", id="a case of being convinced"),
        pytest.param("But that is my opinion, unless I am mistaken.", id="a contrast with nothing"),
        pytest.param("I grant you that you are right. Good point.", id="a point granted that is not named"),
        pytest.param("I agree that nuclear power is safe.", id="agreement that names the claim"),
        pytest.param("By any measure I agree with the lady.", id="a measure of agreement"),
        pytest.param("Tunnels are good. Tunnels are a good thing, plain and simple.", id="a bare verdict"),
        pytest.param(
            "As I said, uniforms suppress individuality. I stand by that.", id="an effect said to be repeated"
        ),
        pytest.param("I was wrong about that, and I take it back.", id="a change of mind that names nothing"),
        pytest.param("Nobody has shown that I was wrong about the harbour toll, and I stand by it.", id="denied"),
        pytest.param("As I said before, I was wrong about nothing: the carbon tax works.", id="wrong about nothing"),
        pytest.param("I agree with Priya on the carbon tax, and I now see that she is right.", id="seeing that"),
        pytest.param("To sum up where we are: Ines wants a toll and Omar wants none.", id="who wants what"),
        pytest.param("What you are both saying is that the ferry is too slow.", id="what others say"),
        pytest.param("Agent 1 has argued that the dam is safe, Agent 2 holds that it leaks.", id="who argued what"),
        pytest.param("The gist of the discussion so far is that rents are too high.", id="what it came to"),
        pytest.param("", id="nothing"),
        pytest.param("... !!! ???", id="no word"),
    ],
)
@EITHER_WAY
def test_decoys_add_nothing(find: Find, text: str) -> None:
    assert find(text) == ()


@pytest.mark.rule("RED-2")
@pytest.mark.parametrize(
    ("proposed", "text"),
    [
        *((True, text) for text in (
            "Try it on one road first and count the crashes.",
            "We should measure lead time in March and stop if it has not halved.",
            "A fair test would be to give both teams the same backlog for a month.",
            "How would we tell a strong ferry from a lucky one?",
            "A fall in winter prices would show that the pipeline pays.",
            "Show me one harbour that dredged and lost ships.",
            "Run a pilot in two harbours before the law is signed.",
            "Your theory predicts that twins raised apart differ more in religion than in height.",
            "The criterion should be deaths per million passengers.",
        )),
        *((False, text) for text in (
            "The slow and flaky test suite must be repaired whichever way we decide.",
            "Tests with entangled particles closed the gap in 2015.",
            "Moving code without tests breaks combinations nobody has ever tried.",
            "The long trial in the old court cost the harbour its mayor.",
            "Two studies of ferries found that night crews sleep five hours.",
            "Every measure against smuggling made the pilots richer.",
        )),
    ],
)  # fmt: skip
def test_a_test_is_one_that_is_proposed(proposed: bool, text: str) -> None:
    assert (Entailment.TEST in heard(text)) == proposed


def test_kinds_come_once_and_in_the_order_of_their_list() -> None:
    text = (
        "We could test it in two harbours. I grant that the dredging was slow. For example, the grain ships waited nine"
        " days. They left because nobody answered the radio. The toll rose, but the queue in the strait grew."
        " They sailed on because the fuel ran low."
    )
    assert find_entailments(text) == tuple(Entailment)


def test_each_comes_with_the_sentence_that_carries_it() -> None:
    text = "Well said. The mine poisons the river because its dam leaks. For instance, the trout died in May."
    assert entailing_sentences(text) == (
        (Entailment.IMPLICATION, "The mine poisons the river because its dam leaks."),
        (Entailment.APPLICATION, "For instance, the trout died in May."),
    )


BEFORE = ("The mine poisons the river because its dam leaks every spring.", "I like trout.")


@pytest.mark.rule("RED-2")
@pytest.mark.parametrize(
    ("text", "adds"),
    [
        pytest.param(
            "The dam of the mine leaks, so it poisons the river.", False, id="the same words in another order"
        ),
        pytest.param("The mine poisons the wells because its trucks spill acid.", True, id="another reason"),
        pytest.param(
            "The dam leaks, so the river is poisoned. Trout farms closed because nobody buys sick fish.",
            True,
            id="and more",
        ),
    ],
)
@EITHER_WAY
def test_what_an_earlier_turn_said_is_not_new(find: Find, text: str, adds: bool) -> None:
    assert find(text)
    assert bool(find(text, BEFORE)) == adds


@pytest.mark.rule("RED-2")
def test_an_unrelated_turn_before_changes_nothing() -> None:
    """Sentences without content words were not said before: "They do. They have rights!" still insists."""
    before = ("Quokkas graze beside limestone lakes.",)
    for text in (*halves("empty"), *halves("adding")):
        assert find_entailments(text, before) == find_entailments(text)


@pytest.mark.rule("RED-2")
def test_a_mark_at_the_end_decides_nothing() -> None:
    for text in filter(find_entailments, halves("adding")):
        assert find_entailments(f"{text.rstrip('.')}!")


@pytest.mark.rule("RED-2")
def test_the_vector_of_a_turn_that_was_said_in_part_is_not_heard() -> None:
    """It speaks of the part that was said before too."""
    text = "The dam of the mine leaks every spring. I think so too, yes."
    assert find_entailments(text, vector=1_000)
    assert find_entailments(text, BEFORE, vector=1_000) == find_entailments(text, BEFORE) == ()


@pytest.mark.rule("RED-2")
@EITHER_WAY
def test_a_concession_adds_even_if_what_it_concedes_was_said_before(find: Find) -> None:
    assert find("The dam of the mine leaks every spring.", BEFORE) == ()
    granted = "I grant that the dam of the mine leaks every spring."
    assert find(granted, BEFORE) == (Entailment.CONCESSION,)
    assert find(granted, (*BEFORE, granted)) == (), "conceding it again adds nothing"


@pytest.mark.rule("RED-2")
@pytest.mark.parametrize(
    ("text", "adds"),
    [
        pytest.param("Count me in with Priya on the four-day week.", False, id="a vote"),
        pytest.param("You have my full backing on the leisure centre, and thank you.", False, id="support and thanks"),
        pytest.param("I'll drink to that, and to every last word of it.", False, id="an idiom"),
        pytest.param("Second time of asking: should they lose it? Yes. Yes, they should.", False, id="insistence"),
        pytest.param("Boxing injures the brain, and no glove changes that.", True, id="a plain reason"),
        pytest.param(
            "I'm with Priya. A shorter week empties the office on Fridays and doubles the queue at the counter.",
            True,
            id="support, and what follows",
        ),
    ],
)
@EITHER_WAY
def test_what_speaks_for_a_turn_outweighs_what_speaks_against_it(find: Find, text: str, adds: bool) -> None:
    assert bool(find(text)) == adds


@pytest.mark.rule("RED-2")
@pytest.mark.parametrize(
    "text",
    [
        "Agent 2 holds that tolls hurt the poor, but in Stockholm the toll pays for the buses that the poor ride.",
        "What you are saying is that prices will fall, but rents rose by a third in every city that tried it.",
        "Agent 1 argues that tolls hurt the poor, which overlooks the buses that the toll pays for.",
        "Your point stands for adults, but in infants the tube lies flat and the infection stays.",
        "You keep saying that the market will mend it, but one supplier sells all the insulin in the country.",
        "The thrust of a rocket engine falls as the tank empties, so the second stage needs a wider nozzle.",
        "Doctors keep telling patients to rest, although movement heals a sore back faster.",
        "In summary trials the accused has no lawyer, so innocent people plead guilty to get home.",
        "An agent who holds shares in the firm he advises will not warn his clients.",
        "What he is saying is dangerous, because parents who believe it will skip the measles shot.",
    ],
)
@EITHER_WAY
def test_a_report_that_is_answered_and_words_of_talk_with_another_sense_are_no_repetition(
    find: Find, text: str
) -> None:
    assert find(text)


@EITHER_WAY
def test_more_of_its_own_is_needed_beside_agreement(find: Find) -> None:
    short, long = "Trams cut noise.", "Trams cut noise on the ring road and free two lanes for bicycles and prams."
    assert find(short)
    assert not find(f"I agree with Lena. {short}")
    assert find(f"I agree with Lena. {long}")


def test_a_mark_is_looked_for_wherever_one_can_begin() -> None:
    """The heads only spare work: every mark and every joint in the turns begins with one."""
    texts = (*halves("empty"), *halves("adding"), *turns("docket", "restate"))
    for sentence in (s for text in texts for s in connectives.sentences(text)):
        lowered = connectives.plain_lowercase(sentence)
        for word in TOKEN.finditer(lowered):
            if "'" not in word[0]:
                assert word[0] in restating.HEADS or not restating.MARK.match(lowered, word.start())
                assert word[0] in connectives.HEADS or not connectives.JOINT.match(lowered, word.start())


def test_a_form_is_looked_for_wherever_one_of_its_words_stands() -> None:
    """The words only spare work: a form that stands in a sentence is found by them."""
    forms = (MODALS, MODAL), (DENIALS, DENIAL), (BEARINGS, BEARING)
    seen = dict.fromkeys((form for _, form in forms), 0)
    texts = (*halves("empty"), *halves("adding"), *FORMED)
    for said in (statement(sentence) for text in texts for sentence in connectives.sentences(text)):
        for words, form in forms:
            stands = form.search(said.lowered) is not None
            seen[form] += stands
            assert (said.holds(words, form) is not None) == stands, said.sentence
    assert min(seen.values()) > len(FORMED) // 3


@pytest.mark.parametrize(
    "unit",
    [
        *("a ", "if ", "i said ", "the more ", "not ", "(", "as i have ", "either or ", ", by x", "is right "),
        *("again say ", "yes", "because ", "'", "so so", "we could have been able to agree ", "x. ", "I agree, but "),
        *("é", "İ", "1.", "\n", "if a, ", "as a "),
    ],
)
def test_hostile_text_takes_little_longer_than_prose(unit: str) -> None:
    assert pace.times_prose(find_entailments, unit * (100_000 // len(unit)), enough=25) < 25
