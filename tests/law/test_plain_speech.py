"""TURN-5: no filler, no pleasantries, no emoji."""

import pytest

from cruxfinder.kernel.refusals import Refusal
from cruxfinder.language import plain_speech
from cruxfinder.language.english.blemishes import TELLING, WORD, find_blemishes
from cruxfinder.language.reading import DraftReading
from tests import pace
from tests.law.build import ANN, Play, claim, refused
from tests.quality.turn_corpus import turns

PLEASANT = [
    *("Great point, the tolls fell in May.", "Great point!", "Fair point about the tolls.", "Yes, good point."),
    *("Good question, and the answer is no.", "A fair question, but the tolls fell.", "What a great question!"),
    *("That's a fair question.", "That’s a really good point.", "Those are valid points, but the tolls fell."),
    *("You make a good point.", "Both of you make excellent points.", "Great points, all of them."),
    *("You have asked an important question.", "Bob raises a valid point."),
    *("Thank you for raising the tolls.", "Thank you, Maria.", "Thanks for that.", "Yes, and thanks for the figures."),
    *("I'd like to thank you for that.", "My thanks to Bob.", "Many thanks to Bob for the figures."),
    *("I appreciate your view of the tolls.", "I respect the point you make", "I really appreciate that, but no."),
    *("I respect that view.", "I appreciate the effort.", "With all due respect, the tolls fell.", "Well said."),
    "I hope this helps.",
    *("Happy to help.", "I'm happy to answer that", "I’d be very happy to explain.", "Glad you asked."),
    *("Sorry, but no", "Sorry but no.", "I'm sorry, the tolls fell.", "The tolls fell. Sorry."),
    *("Apologies for the delay", "My apologies, the tolls fell.", "Apologies if the tolls fell."),
]
FILLING = [
    *("It's worth noting that the tolls fell.", "At the end of the day the tolls fell.", "In conclusion, tolls fell."),
    *("As an AI, I see that the tolls fell.", "As we all know, the tolls fell.", "To be honest, the tolls fell."),
    *("Sure! If the ferry sails, tolls fall.", "  Sure! The tolls fell.", "**Sure!** They fell."),
    *("Certainly! The tolls fell.", "Of course! The tolls fell.", "Absolutely! They fell."),
    *("The tolls fell. Sure! They rose again.", "The tolls fell:\nsure! They rose.", "“They fell.” Sure! They did."),
    *("Let me explain: the tolls fell.", "Let me be clear, the tolls fell.", "But let me be very clear: they fell."),
    *("Let me start by counting ferries.", "Let me begin by counting them.", "First, let me say that the tolls fell."),
]
PICTURED = [f"The tolls fell {sign}." for sign in "\U0001f642✅⏰⏳⌛⌚⏩⬆⬇⬅⬛⭐"]

PLAIN = [
    "The tolls fell by 12 % in May, and nobody counted the ferries.",
    "The point of greatest weight is the toll; a fair price would be 40.",
    "I thanked nobody. The question is good for one thing only: the toll.",
    "We respect the limit of 40 ships; ships → tolls → dredging.",
    "Temperatures above 30 °C close the lock №2 (§ 4).",
    *("Threatened animals survive thanks to zoos.", "Thanks to zoos, threatened animals survive."),
    *(
        "Your grandchildren will thank you for the toll.",
        "Watch how warmly they thank you.",
        "My mother thanks nobody.",
    ),
    *("If you lend it and I say thanks, a debt has closed.", "Nurses get no thanks for it."),
    *("That leaves one important question: who pays?", "The good points of the plan outweigh its cost."),
    *("A fair question to put to voters is whether rents fall.", "Good points and bad ones cancel out."),
    *("Who pays is, as ever, an important question.", "It is a fair question whether rents fall."),
    *("Trials without consent raise important questions.", "That is not a fair question."),
    *("Most residents are happy to pay the toll.", "The council is happy to help.", "I'm happy to pay the toll."),
    *("Happy to go along with the loan, provided the insurer agrees.", "Neighbours, happy to help, dug it."),
    *("Apologies heal more than prison does.", "Apologies for slavery cost nothing."),
    *("Nobody was sorry, and nobody paid.", "Sorry figures prove it.", "The toll, sorry, the fare, fell."),
    *("I respect the law, but this one cannot be enforced.", "I appreciate that the tolls fell."),
    *("Sure, the scheme is simple. So is a stone.", "Of course, the toll falls."),  # which grant something
    *("Of course the toll falls.", "Sure footing matters.", "The mayor was sure, and wrong.", "Certainly not in May."),
    *("It is absolutely, plainly wrong.", "“Sure,” said the mayor, and paid.", "It is a matter of course, they say."),
    *("Let me in.", "They let me vote.", "They let me say nothing.", "Locks let me begin by boat."),
    *("Press ⌘ and ⌥.", "If a ≥ b ⇒ √a ≥ √b ↔ it holds; ⌀ 5 ■ ▲ ← ↑ ↓."),
]


def faults(content: str) -> list[Refusal]:
    return [*plain_speech.check(DraftReading(blemishes=tuple(find_blemishes(content))))]


@pytest.mark.rule("TURN-5")
@pytest.mark.parametrize(
    ("content", "what"),
    [
        *((content, "is a pleasantry") for content in PLEASANT),
        *((content, "is filler") for content in FILLING),
        *((content, "there is an emoji in it") for content in PICTURED),
    ],
)
def test_what_is_not_plain_is_sent_back_and_told_why(content: str, what: str) -> None:
    assert [fault.reason.endswith(what) for fault in faults(content)] == [True]


@pytest.mark.rule("TURN-5")
@pytest.mark.parametrize("content", PLAIN)
def test_plain_words_pass(content: str) -> None:
    assert [fault.reason for fault in faults(content)] == []


@pytest.mark.rule("TURN-5")
@pytest.mark.parametrize(
    ("content", "no"),
    [
        *((said[0], {"TURN-5"}) for said in (PLEASANT, FILLING, PICTURED)),
        *((content, set[str]()) for content in PLAIN[:5]),
    ],
)
def test_messages_are_held_to_it(content: str, no: set[str]) -> None:
    assert refused(Play().say(ANN, claim(), content=content)) == no


@pytest.mark.rule("TURN-5")
def test_the_words_quoted_are_those_to_leave_out() -> None:
    assert [fault.reason for fault in faults("The tolls fell. That's a fair question, Bob.")] == [
        '"That\'s a fair question" is a pleasantry'
    ]


def test_every_phrase_holds_a_telling_word() -> None:
    """A text that is not looked at closely has nothing that would be found in it."""
    spoken = [text for writer in ("examiner", "hearing") for kind in ("agree", "empty") for text in turns(writer, kind)]
    texts = [text for said in (*PLEASANT, *FILLING, *spoken) for text in (said, said.upper(), said.replace("'", "’"))]
    seen: dict[str, int] = dict.fromkeys((what for what, _, _ in TELLING), 0)
    for text in texts:
        for what, phrases, telling in TELLING:
            if phrases.search(text.strip()):
                seen[what] += 1
                assert not telling.isdisjoint(WORD.findall(text.lower())), text
    assert seen["pleasantry"] > 3 * len(PLEASANT)
    assert seen["filler"] > 3 * len(FILLING)


@pytest.mark.parametrize(
    "unit",
    [
        "good point ",
        "let me ",
        "i respect the ",
        "sure ",
        "thanks to ",
        "sorry ",
        "it is a good ",
        "thanks\n\n",
        "good. ",
    ],
)
def test_phrases_without_end_take_little_longer_than_prose(unit: str) -> None:
    assert pace.times_prose(lambda text: [*faults(text)], unit * (100_000 // len(unit)), enough=40) < 40
