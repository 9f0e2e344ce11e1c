"""A falsifier read and weighed at once, as a draft with it is."""

from collections.abc import Iterator

from cruxfinder.crux.law import falsifiers
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.language.english.falsifier_texts import read_falsifier


def faults(falsifier: Falsifier) -> Iterator[Refusal]:
    return falsifiers.faults(falsifier, read_falsifier(falsifier))


def concreteness(falsifier: Falsifier) -> float:
    return falsifiers.concreteness(read_falsifier(falsifier))


def is_open_ended(falsifier: Falsifier) -> bool:
    return falsifiers.is_open_ended(read_falsifier(falsifier))
