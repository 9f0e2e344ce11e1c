"""The baselines for written cases: simple ways to pick a sentence out of what people wrote."""

from collections.abc import Mapping
from random import Random
from typing import Final

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.cruxbench.dispute_records import QUESTION_MAX, DisputeRecord
from cruxfinder.cruxbench.outside_finders import Finder, OutsideFinder
from cruxfinder.language.english.texts import sentences

WORDS_MIN: Final = 4
SENTENCES_MAX: Final = 400
NOTHING: Final = {"ending": "no real disagreement"}


def sentences_by_writer(record: DisputeRecord) -> list[tuple[str, str]]:
    found = [
        (remark.who, sentence[:QUESTION_MAX])
        for remark in record.said
        for sentence in sentences(remark.text)
        if len(sentence.split()) >= WORDS_MIN
    ]
    return found[:SENTENCES_MAX]


def random_sentence(record: DisputeRecord) -> Mapping[str, object]:
    found = sentences_by_writer(record)
    return {"primary": Random(f"random sentence/{record.id}").choice(found)[1]} if found else NOTHING


def most_echoed(record: DisputeRecord) -> Mapping[str, object]:
    """The sentence that comes nearest, on average, to what each of the others wrote."""
    found = sentences_by_writer(record)
    writers = sorted({who for who, _ in found})
    if not found:
        return NOTHING
    texts = {who: tuple(s for w, s in found if w == who) for who in writers}
    like = embedder()

    def echo(who: str, sentence: str) -> float:
        near = [max(like.likenesses(sentence, texts[other])) for other in writers if other != who]
        return sum(near) / len(near) if near else 0.0

    return {"primary": max(found, key=lambda one: echo(*one))[1]}


def first_question(record: DisputeRecord) -> Mapping[str, object]:
    """The first sentence with a question mark; where nobody asks anything, the first sentence."""
    found = sentences_by_writer(record)
    asked = [sentence for _, sentence in found if sentence.rstrip("\"'”)").endswith("?")]
    return {"primary": asked[0] if asked else found[0][1]} if found else NOTHING


RANDOM: Final = "random sentence"
FUNCTIONS: Final[Mapping[str, Finder]] = {
    RANDOM: random_sentence,
    "most echoed": most_echoed,
    "first question": first_question,
}
TEXT_FINDERS: Final = tuple(OutsideFinder(name=name, function=function) for name, function in FUNCTIONS.items())
TEXT_BASELINES: Final = tuple(FUNCTIONS)
