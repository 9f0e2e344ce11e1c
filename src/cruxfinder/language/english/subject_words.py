"""Is a word of a text its author's caution, or part of what is asked? "Do tenants feel safe?" asks about a feeling."""

from functools import lru_cache

from cruxfinder.language.english.texts import WORD, stem


def is_of_subject(text: str, start: int, end: int, subject: str) -> bool:
    """Does a word stand in the text beside a word that the subject has too, as it has the word itself?"""
    if not subject:
        return False
    asked = subject_stems(subject)
    if any(stem(word.lower()) not in asked for word in WORD.findall(text[start:end])):
        return False
    before, after = WORD.findall(text[:start]), WORD.findall(text[end:])
    return any(stem(word.lower()) in asked for word in (*before[-1:], *after[:1]))


@lru_cache(maxsize=256)
def subject_stems(subject: str) -> frozenset[str]:
    return frozenset(stem(word.lower()) for word in WORD.findall(subject))
