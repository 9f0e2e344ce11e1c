"""A falsifier read and weighed at once, as a draft with it is."""

from collections.abc import Iterator

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.crux.law import falsifiers
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.language.english.falsifier_texts import read_falsifier
from cruxfinder.language.reading import FalsifierReading


def faults(falsifier: Falsifier, day: str = "") -> Iterator[Refusal]:
    return falsifiers.faults(falsifier, read(falsifier, day), day)


def concreteness(falsifier: Falsifier) -> float:
    return falsifiers.concreteness(read(falsifier))


def is_open_ended(falsifier: Falsifier) -> bool:
    return falsifiers.is_open_ended(read(falsifier))


def read(falsifier: Falsifier, day: str = "") -> FalsifierReading:
    return read_falsifier(falsifier, day, embedder("static").event_score)
