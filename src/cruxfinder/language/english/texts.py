"""Sentences, content words, and how much of a text another one carries: behind steelmans and repeated questions."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

STOP: Final = frozenset(
    "a about above after again all also although am among an and any are as at be because been before being below"
    " between both but by can cannot could did do does doing down during each either even ever every few for from"
    " further had has have having he her here hers him his how however i if in into is it its itself just least less"
    " let like many may me might more most much must my neither no nor not now of off on once one only or other our"
    " ours out over own per rather same shall she should since so some such than that the their theirs them then"
    " there these they this those though through thus to too under until up upon us very was we were what when where"
    " whether which while who whom whose why will with within without would yes yet you your yours".split()
)
WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
CLOSED: Final = r"[\"”’')\]]*"
# After a full stop inside a sentence a line may end, but no paragraph.
GAP: Final = r"\s[^\S\n]*+"
# A name may follow "St." and initials; with one of these words a sentence begins.
OPENER: Final = (
    r"(?:A|An|And|As|At|But|By|For|From|He|Her|His|How|However|I|If|In|It|Its|No|Not|Of|On|Our|She|So|That|The|Their"
    r"|Then|There|These|They|This|Those|Thus|To|We|What|When|Where|Which|While|Who|Why|With|Yes|Yet|You)\b"
)
# Most sentences end in four small letters or more, or in fewer that begin like no abbreviation: no need to look closer.
USUAL: Final = r"(?<!(?:[a-z][a-z]|\s[abf-lnoq-uw-z])[a-z][a-wyz]\.)(?<!\s[abf-lnoq-uw-z][a-z]\.)"
# The full stops that end no sentence. A look back has one width, so that words of another length need their own.
INSIDE: Final = "|".join(
    (
        rf"(?<=\b(?:[DMdm]r|Ms|[Vv]s|[Cc]f|ca)\.)(?={GAP}\S)",
        rf"(?<=\b(?:[Mm]rs|[Ee]\.g|[Ii]\.e)\.)(?={GAP}\S)",
        rf"(?:(?<=\bProf\.)|(?<=\bapprox\.))(?={GAP}\S)",
        rf"(?<=\b(?:Fig|Vol)\.)(?={GAP}[^\Wa-z_])",
        rf"(?<=\bSt\.)(?={GAP}(?!{OPENER})[^\Wa-z_])",
        rf"(?={GAP}\d)(?:(?<=\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\.)|(?<=\bSept\.))",
        # "No. 40 ships waited." is an answer: the number of something has other words before it.
        rf"(?={GAP}\d)(?:(?<=[\w,;:]\sNo\.)|(?<=\(No\.)|(?<=\bpp\.)|(?<=\b[Pp]\.))",
        rf"(?={CLOSED}{GAP}[a-z])(?:(?<=\betc\.)|(?<=\b[A-Z]\.[A-Z]\.))",
        # Of initials there are two or more: one letter alone is a plan B.
        rf"(?<=\b[A-Z]\.)(?={GAP}[A-Z]\.\s)",
        rf"(?:(?<=\b[A-Z]\.[A-Z]\.)|(?<=\b[A-Z]\.\s[A-Z]\.))(?={GAP}(?!{OPENER})[^\W\d_])",
    )
)
SENTENCE: Final = re.compile(rf"\S(?:[^.!?…]++|[.!?…](?!{CLOSED}(?:\s|$))|\.{USUAL}(?:{INSIDE}))*+(?:[.!?…]{CLOSED})?")
ENDINGS: Final = (
    "ations",
    "ation",
    "ingly",
    "ments",
    "ment",
    "ings",
    "ing",
    "edly",
    "ies",
    "ied",
    "ers",
    "ed",
    "es",
    "ly",
    "er",
    "s",
    "e",
)


@lru_cache(maxsize=256)
def sentences(text: str) -> tuple[str, ...]:
    return tuple(map(str.strip, SENTENCE.findall(text)))


def first_sentences(text: str, words_max: int, sentences_max: int = 0) -> str:
    """The first sentences that fit; of a first one that does not, its beginning."""
    kept: list[str] = []
    for sentence in sentences(text)[: sentences_max or None]:
        if len(" ".join((*kept, sentence)).split()) > words_max:
            break
        kept.append(sentence)
    return " ".join(kept) if kept else " ".join(text.split()[:words_max])


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Fold the inflections of a word together; crude on purpose, the same everywhere."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=8192)
def keyword(word: str) -> str:
    """A content word, stemmed; nothing for any other."""
    plain = word.lower().replace("’", "'").removesuffix("'s")
    return stem(plain) if plain not in STOP and (len(plain) > 2 or plain.isdigit()) else ""


def content_stems(words: Iterable[str]) -> list[str]:
    """Of words those with content, stemmed, in their order."""
    return [*filter(None, map(keyword, words))]


@lru_cache(maxsize=2048)
def keywords(text: str) -> tuple[str, ...]:
    """The content words of a text in order, stemmed, as often as they occur."""
    return tuple(content_stems(WORD.findall(text)))


@lru_cache(maxsize=2048)
def content_words(text: str) -> frozenset[str]:
    return frozenset(keywords(text))


def carried_share(recorded: str, represented: str) -> float:
    """The share of the recorded text's content words that the representation carries; 1 if there are none."""
    words = content_words(recorded)
    return len(words & content_words(represented)) / len(words) if words else 1.0


def same_question(a: str, b: str) -> bool:
    """The same content words, near enough, in two questions."""
    first, second = content_words(a), content_words(b)
    union = first | second
    return not union or len(first & second) / len(union) >= 0.8
