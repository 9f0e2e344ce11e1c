"""Reads English drafts: what each of them says, by the detectors of this folder and an embedder."""

from collections.abc import Sequence
from typing import Final

from cruxfinder.kernel.likeness import Likeness
from cruxfinder.language.claim_graph import EMPTY, ClaimGraph
from cruxfinder.language.english import claims, leaning, questions, repetition
from cruxfinder.language.english.blemishes import find_blemishes
from cruxfinder.language.english.entailments import find_entailments
from cruxfinder.language.english.falsifier_texts import read_falsifier
from cruxfinder.language.english.question_forms import is_english, read_question
from cruxfinder.language.english.question_matching import compare_questions
from cruxfinder.language.english.retelling import Retellings
from cruxfinder.language.english.texts import carried_share, content_words, first_sentences, sentences
from cruxfinder.language.reading import (
    NO_ADDITIONS,
    NOT_RETOLD,
    RECENT,
    Additions,
    DraftReading,
    Nearness,
    Passage,
    QuestionReading,
)

NAME: Final = "english-2"  # raised when the same text may be read otherwise: it shows which readings a log holds
GRAPHS_MAX: Final = 32  # more than there are threads; each is what was claimed up to a draft
SHARED_ENOUGH: Final = 2
SHARE_DIGITS: Final = 4


class EnglishReader:
    def __init__(self, like: Likeness) -> None:
        self._like = like
        self._retellings = Retellings(like)
        self._graphs: dict[tuple[str, ...], ClaimGraph] = {}

    @property
    def name(self) -> str:
        return NAME

    def read(self, passage: Passage) -> DraftReading:
        text, vector = passage.text, None
        drawn, near, retold = 1.0, tuple[Nearness, ...](), NOT_RETOLD
        if passage.threshold is not None:
            drawn = repetition.repetition_line(passage.threshold, self._like.repetition)
            near = repetition.measure_nearness(self._like, text, passage.before[-RECENT:], drawn)
            retold = repetition.measure_retelling(self._like, self._retellings, passage, passage.threshold)
            vector = self._like.substance_score(text)
        again, asks = self._asked_again(passage)
        return DraftReading(
            blemishes=tuple(find_blemishes(text)),
            near=near,
            drawn=drawn,
            retold=retold,
            adds=self._additions(passage, vector) if passage.must_add else NO_ADDITIONS,
            falsifier=None
            if passage.falsifier is None
            else read_falsifier(passage.falsifier, passage.day, self._like.event_score, passage.subject),
            binary=bool(passage.question) and questions.is_binary(passage.question),
            again=again,
            asks=asks,
            turns_to=questions.find_other_topic(text),
            carried=tuple(round(carried_share(passage.position, said), SHARE_DIGITS) for said in passage.accounts),
            leaning=leaning.find_leaning(text) if passage.words_max else "",
            shared=shared_words(text, passage.points) if passage.points else 0,
            off_topic=bool(passage.topics) and self._is_off_topic(text, passage.topics),
            shortened=shorten(passage) if passage.words_max else "",
            sentences=len(sentences(text)) if passage.sentences_max else 0,
        )

    def _asked_again(self, passage: Passage) -> tuple[tuple[str, ...], QuestionReading | None]:
        """Which questions its question asks again, and what else there is to say of it."""
        question = passage.question
        if not question:
            return (), None
        found = {q: compare_questions(q, question, self._alike_words) for q in passage.asked}
        turned = tuple(q for q, sameness in found.items() if sameness == "opposite")
        if not is_english(question):
            return tuple(q for q, sameness in found.items() if sameness == "same"), None
        asks = read_question(question, passage.motion, passage.answers, turned, self._alike_words)
        return tuple(q for q, sameness in found.items() if sameness == "same"), asks

    def _alike_words(self, one: str, other: str) -> float:
        return 1 - self._like.distance(one, other)

    def _additions(self, passage: Passage, vector: int | None) -> Additions:
        new = claims.find_new_claims(self._claims_made(passage.before), claims.read(passage.text))
        tags = find_entailments(passage.text, passage.before, vector)
        return Additions(tags, len(new.claims), len(new.links))

    def _claims_made(self, said: tuple[str, ...]) -> ClaimGraph:
        """All claims of these texts; what was made of their beginning before is taken on from there."""
        known = next((n for n in range(len(said), 0, -1) if said[:n] in self._graphs), 0)
        graph = self._graphs[said[:known]] if known else EMPTY
        for text in said[known:]:
            graph = claims.merge_claims(graph, claims.read(text))
        self._graphs.pop(said, None)
        self._graphs[said] = graph
        if len(self._graphs) > GRAPHS_MAX:
            del self._graphs[next(iter(self._graphs))]
        return graph

    def _is_off_topic(self, text: str, topics: tuple[str, ...]) -> bool:
        """Only if it shares no word with any of them and is like none of them either."""
        words = content_words(text)
        if any(not words.isdisjoint(content_words(topic)) for topic in topics):
            return False
        return max(self._like.likenesses(text, topics)) <= 0


def shared_words(text: str, points: Sequence[str]) -> int:
    """How many words a text shares with one of the others, as far as it matters."""
    words = content_words(text)
    most = max(len(words & content_words(point)) for point in points)
    return min(SHARED_ENOUGH, most)


def shorten(passage: Passage) -> str:
    """What is left of a text that is too long; empty where all of it fits."""
    most, sentences_max = passage.words_max, passage.sentences_max
    if len(passage.text.split()) <= most and not 0 < sentences_max < len(sentences(passage.text)):
        return ""
    return first_sentences(passage.text, most, sentences_max)
