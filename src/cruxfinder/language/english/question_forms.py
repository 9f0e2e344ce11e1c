"""Can a question be debated? What leaves its reader no side, and what its YES and NO texts say beyond yes and no."""

import re
from typing import Final

from cruxfinder.language.english.question_matching import compare_questions, nearness
from cruxfinder.language.english.question_word_pairs import AlikeWords
from cruxfinder.language.english.texts import WORD, content_words
from cruxfinder.language.reading import QuestionReading

NEAR_DIGITS: Final = 2
BECAUSE: Final = re.compile(r"\bbecause\b(?! of\b).{0,80}", re.IGNORECASE)
# Because of this and not of that: the second half is the other side.
TWO_SIDED: Final = re.compile(r"\b(?:rather than|instead of|and not|not because)\b", re.IGNORECASE)
FUNCTION_WORDS: Final = frozenset(
    "is are were do does did would can could should has have had the of by and or not be been than that this it with"
    " for what when where which who why how will was a an in to".split()
)
ANSWERS: Final = frozenset(
    "yes no true false correct incorrect right wrong answer question case agree disagree".split()
)


def read_question(
    question: str, motion: str, answers: tuple[str, str], turned: tuple[str, ...], alike: AlikeWords | None
) -> QuestionReading:
    yes, no = answers
    because = None if TWO_SIDED.search(question) else BECAUSE.search(question)
    given = bool(yes.strip() or no.strip())
    return QuestionReading(
        asks_topic=compare_questions(question, motion, alike) if motion else "",
        near_topic=round(max(0.0, nearness(question, motion, alike)), NEAR_DIGITS) if motion else 0.0,
        turned=turned,
        because=because[0].strip(" ?") if because else "",
        hollow=tuple(name for name, text in (("YES", yes), ("NO", no)) if text.strip() and is_hollow_answer(text)),
        repeats=given and all(repeats_question(text, question) for text in answers),
        alike=given and WORD.findall(yes.lower()) == WORD.findall(no.lower()),
    )


def is_english(text: str) -> bool:
    """Has it a word that English questions can hardly do without? Others are not judged by English rules."""
    return bool(FUNCTION_WORDS & {word.lower() for word in WORD.findall(text)})


def is_hollow_answer(text: str) -> bool:
    """Does it say no more than yes or no?"""
    return not {w for w in content_words(text) if w not in ANSWERS}


def repeats_question(text: str, question: str) -> bool:
    """Does it only say the question over: "YES to: …", "It is not so that …"?"""
    said = content_words(text) - ANSWERS
    return said <= content_words(question)


def asks_topic(question: str, topic: str) -> bool:
    """Does a question ask the topic again, or its contrary? By words alone."""
    return compare_questions(question, topic) != ""
