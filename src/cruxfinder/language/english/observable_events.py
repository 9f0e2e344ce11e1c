"""Does a sentence name something that can be seen to happen, or only a hope? Read from its main verb, not its topic.

A question is taken at its word unless what is vague in it outweighs what is named, counted or decided. A statement has
to earn it: its verb tells of an event, or it compares what is measured. What ought to be is no event at all.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cruxfinder.language.english.event_words import (
    DEEDS,
    DEGREES,
    DIRECTIONS,
    FEELINGS,
    FIGURES,
    HAPPENINGS,
    JUDGEMENTS,
    MEASURED,
    NORMS,
    OCCURRENCES,
    PLACES,
    POSSIBLE,
    STANDINGS,
    SWEEPING,
    verb_forms,
)

LENGTH_MAX: Final = 1000  # what is longer is a story; its first sentences say what it claims
WORDS_MAX: Final = 120
CLAUSE_WORDS: Final = 7  # as many as a threshold has that is no sentence: "fewer than last time"
ARGUMENT_WORDS: Final = 16  # a statement longer than this that names nobody argues a case instead of naming an event

WORD: Final = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*\.?(?=\W|$)")
QUOTED: Final = re.compile(r"[\"“”«»][^\"“”«»]{1,200}[\"“”«»]|(?<!\w)['‘][^'‘’]{1,80}['’](?!\w)")
# With or without its mark: "Before 1 July, will the bill pass", "How many seats will the party win".
ASKED: Final = re.compile(
    r"\s*(?:(?-i:Will|Won['’]t|WILL)|[^?]{0,150}[,:\])]\s+will|(?:on|by|in|at|before|as of)\s[^?,]{0,40}\d\s+will)\s"
    r"|\s*(?:[^?]{0,150}[,:\]]\s+)?(?:(?:by|in|at|to|for|on)\s+)?(?:how|what|which|who|whose|when"
    r"|where)\b[^?]{0,300}\bwill\b",
    re.IGNORECASE,
)
COUNTED: Final = re.compile(
    r"\b(?:how (?:many|much|long|far|high|low|often|large|big|old|fast)|(?:what|which) (?:\w+ ){0,3}(?:percentage"
    r"|percent|proportion|share|number|date|day|month|year|rate|price|value|fraction)|which (?:\w+ ){1,6}will)\b",
    re.IGNORECASE,
)
SET_PHRASE: Final = re.compile(
    r"\b(?:(?:go|goes|went|gone|going) (?:bankrupt|bust|public|private|extinct|offline|live|dark|viral|to war|to trial"
    r"|to prison|to jail|on strike|on trial|on sale|into (?:effect|force|administration|recession|default"
    r"|receivership))"
    r"|(?:come|comes|came|coming) (?:into (?:effect|force|power|operation)|to power|first|second|third|last)"
    r"|(?:take|takes|took|taken|taking) (?:office|place|effect|power|control of)"
    r"|(?:become|becomes|became|becoming) (?:law|(?:the )?(?:\w+ ){0,3}(?:president|premier|prime minister"
    r"|chancellor|member"
    r"|champion|mayor|governor|leader|ceo|king|queen|pope|owner|company|country|state|nominee|candidate|party))"
    r"|(?:step|steps|stepped|stepping|stand|stands|stood) (?:down|aside|trial)"
    r"|(?:roll|rolls|rolled|rolling|shut|shuts|shutting) (?:back|down)|(?:lay|lays|laid) off|(?:break|breaks"
    r"|broke) out"
    r"|(?:set|sets|setting) (?:a|an|the|its|another) (?:new )?(?:\w+ ){0,2}record|(?:make|makes|made) it (?:to|into)"
    r"|(?:hit|hits|reach|reaches) (?:a|an|the|its) (?:new )?(?:all-time |record )?(?:high|low|peak|ceiling|target"
    r"|limit)|(?:ceases?|ceased) to be|(?:no longer) (?:be|hold|head|lead)|declares? war)\b",
    re.IGNORECASE,
)
THAN: Final = re.compile(
    r"\b(?:more|less|fewer|higher|lower|larger|smaller|greater|bigger|faster|slower|longer|shorter|older|younger"
    r"|warmer|colder|hotter|later|earlier|cheaper|costlier|worse|better|heavier"
    r"|lighter)\b[^.?!]{0,80}\bthan\b(?! (?:ever|before|not|that|this|good|harm|we|i|you|people)\b)",
    re.IGNORECASE,
)
OVERTAKES: Final = re.compile(
    r"\b(?:exceed(?:s|ed|ing)?|surpass(?:es|ed)?|outperform(?:s|ed)?|underperform(?:s|ed)?|outsell(?:s)?"
    r"|outnumbers?|overtakes?|beats?|equals?|trails?)\b",
    re.IGNORECASE,
)
SIGNS: Final = frozenset(("positive", "negative", "unchanged"))
LEVEL: Final = frozenset("higher lower larger smaller fewer less more faster slower above below under over".split())

SKIPPED: Final = frozenset(
    "not never no longer also still ever again then finally have has had been yet all both either neither first"
    " next soon already once even just only instead now one day".split()
)
# What follows a clause's beginning is no longer said of the subject.
CLAUSE: Final = frozenset("that which who because if when while but where than".split())
ARGUED: Final = POSSIBLE | frozenset(
    "because therefore thus hence otherwise if rights right wrong you your yourself don't doesn't isn't aren't"
    " shouldn't often always never-ending sometimes wants want".split()
)
# Of these a question may say what it likes: "Will the club have a new owner".
LIGHT: Final = frozenset(
    "have find make give bring get go come see become need play look change perform support create demand accept"
    " work turn face develop help protect".split()
)
BE: Final = frozenset("be is are was were being been".split())
DETERMINERS: Final = frozenset(
    "a an the of their its his her our your my this that these those in for with from on at by any some no each every"
    " more most and or as new".split()
)
DEFINITE: Final = frozenset("the a an all both each no any it".split())
INSIDE: Final = frozenset("in into under out from to".split())
INITIALS: Final = frozenset("AI IT TV VR PC HR PR IQ I OK DIY CO".split())  # capitals that name no one
WILL: Final = frozenset("will won't shall 'll".split())

SHAPES: Final = {
    kind: dict(verb_forms(table))
    for kind, table in (("event", OCCURRENCES), ("deed", DEEDS), ("move", DIRECTIONS), ("feel", FEELINGS))
}
EVENTS, DEED, MOVES, FEELS = SHAPES["event"], SHAPES["deed"], SHAPES["move"], SHAPES["feel"]
HOLLOW: Final = JUDGEMENTS | DEGREES
# Of these an object may make a figure of speech: lose touch, win friends, break down.
FIGURATIVE: Final = frozenset(
    form
    for form, _ in verb_forms(
        "lose/lost win/won hold/held break/broke/broken reach show/shown meet/met leave/left fail pass"
        " prove/proven accept enter receive restore abandon claim deliver collapse discover begin/began/begun"
        " record establish acknowledge admit introduce require"
    )
)


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """A text as its words, small, with the places where somebody or something is named."""

    words: tuple[str, ...]
    named: frozenset[int]


@lru_cache(maxsize=2048)
def tokenize(text: str) -> TokenizedText:
    plain = QUOTED.sub(" Quoted ", text[:LENGTH_MAX])
    found = [match[0].rstrip(".").replace("’", "'") for match in WORD.finditer(plain)][:WORDS_MAX]
    named = frozenset(i for i, word in enumerate(found) if is_name(word, first=i == 0))
    return TokenizedText(tuple(word.lower().removesuffix("'s") for word in found), named)


def is_name(word: str, *, first: bool) -> bool:
    if word in INITIALS or not word[0].isupper():
        return False
    return not first or (len(word) > 1 and word[1].isupper())


def is_question(text: str) -> bool:
    return "?" in text[:LENGTH_MAX] or ASKED.match(text[:LENGTH_MAX]) is not None


def asks_how_many(text: str) -> bool:
    """A question for a number, a day or one of several: what is observed is clear, not yet what would decide it."""
    return is_question(text) and COUNTED.search(text[:LENGTH_MAX]) is not None


def is_normative(text: str) -> bool:
    """What ought to be: a statement that says should before it says will, a question that begins with it."""
    words = tokenize(text).words
    for word in words[:1] if is_question(text) else words:
        if word in WILL:
            return False
        if word in NORMS:
            return True
    return False


def names_event(text: str) -> bool:
    """Something either happens or does not."""
    known = tokenize(text)
    if not known.words:
        return False
    if is_question(text):
        return asks_how_many(text) or is_mostly_concrete(known) or SET_PHRASE.search(text[:LENGTH_MAX]) is not None
    if is_normative(text) or is_argument(known.words):
        return False
    if SET_PHRASE.search(text[:LENGTH_MAX]) and not is_sweeping(known.words[:4]):
        return True
    will = next((i for i, word in enumerate(known.words) if word in WILL), None)
    return states_event(known) if will is None else predicts_event(known, will)


def compares(text: str) -> bool:
    """Something measured is set against something else, or moves."""
    if is_normative(text):
        return False
    plain = text[:LENGTH_MAX]
    words = tokenize(text).words
    if OVERTAKES.search(plain) and 1 < len(words) <= ARGUMENT_WORDS:
        return True
    measured = not MEASURED.isdisjoint(words)
    if is_argument(words) and not is_question(text):
        return False
    if len(words) <= CLAUSE_WORDS and not SIGNS.isdisjoint(words):
        return True
    if THAN.search(plain):
        felt = not HOLLOW.isdisjoint(words) or any(word in FEELS and word not in LIGHT for word in words)
        return measured or (not felt and (bool(tokenize(text).named) or len(words) <= CLAUSE_WORDS))
    return measured and (not LEVEL.isdisjoint(words) or any(word in MOVES for word in words))


# ---- a question


def is_mostly_concrete(known: TokenizedText) -> bool:
    words = known.words
    clear = min(2, len(known.named))
    clear += 2 * any(word in EVENTS for word in words[1:])
    clear += sum(not table.isdisjoint(words) for table in (HAPPENINGS, MEASURED, STANDINGS, {"than", "quoted"}))
    clear += any(word in DEED and word not in FEELS for word in words[1:])
    vague = sum(
        (word in HOLLOW and words[at - 1] != "most")
        or word in SWEEPING
        or (FEELS.get(word) == "bare" and word not in LIGHT)
        for at, word in enumerate(words)
    )
    # One vague word does not spoil a question of some length: "Will there be major riots in the capital".
    return clear > vague or clear >= 3 or (vague <= 1 and len(words) >= CLAUSE_WORDS - vague)


# ---- a statement


def predicts_event(known: TokenizedText, will: int) -> bool:
    """What follows "will" decides."""
    words = known.words
    at = will + 1
    while at < len(words) and (words[at] in SKIPPED or words[at].endswith("ly")):
        if words[at] in DEGREES:
            return False
        at += 1
    if at >= len(words):
        return False
    if is_sweeping(words[:will]) and not known.named:
        return False
    head, rest = words[at], words[at + 1 : at + 9]
    if head in BE:
        return states_standing(known, at + 1)
    if head in EVENTS and not is_figurative(known, at):
        return True
    if head in FEELS or head in MOVES:
        return False
    return bool(known.named) and HOLLOW.isdisjoint(rest) and SWEEPING.isdisjoint(words) and head not in EVENTS


def states_standing(known: TokenizedText, start: int) -> bool:
    """What follows "be": something done to it, an office, a rank, an event."""
    words = known.words
    for at in range(start, min(len(words), start + 9)):
        word = words[at]
        if word in CLAUSE or word in HOLLOW or word in ("more", "less", "too", "so"):
            return False
        if EVENTS.get(word) == "past":
            return not is_figurative(known, at)
        if word in PLACES and INSIDE.isdisjoint(words[at - 2 : at]):
            return False
        if word in STANDINGS or word in HAPPENINGS:
            return not is_sweeping(words[:start])
        if DEED.get(word) == "past" and FEELS.get(word) != "past":
            return bool(known.named) or (words[0] in DEFINITE and len(words) <= ARGUMENT_WORDS)
    return False


def states_event(known: TokenizedText) -> bool:
    """No "will": the clause of a threshold, or an argument that uses the same verbs of nobody in particular."""
    words = known.words
    if len(words) > ARGUMENT_WORDS and not known.named:
        return False
    for at, word in enumerate(words):
        if at == 0 and word.endswith("ing"):
            continue  # "Banning it protects children" tells of no ban
        if word in SWEEPING and not known.named:
            return False
        if word in BE and states_standing(known, at + 1):
            return True
        shape = EVENTS.get(word)
        noun = at > 0 and (words[at - 1] in DETERMINERS or (shape == "s" and has_bare_verb_at(words, at + 1)))
        if shape is not None and not (noun and shape in ("bare", "s")):
            return not is_figurative(known, at)
        if word in FEELS and at > 0 and words[at - 1] not in DETERMINERS:
            break
        if DEED.get(word) == "s" and not noun and HOLLOW.isdisjoint(words) and has_weighty_word(words[at + 1 : at + 5]):
            return True
    if known.named:
        return is_mostly_concrete(known)
    return HOLLOW.isdisjoint(words) and not HAPPENINGS.isdisjoint(words)


def is_figurative(known: TokenizedText, at: int) -> bool:
    """An event only in a manner of speaking: somebody loses touch, or wins new friends."""
    after = range(at + 1, at + 4)
    if known.words[at] not in FIGURATIVE or not known.named.isdisjoint(after):
        return False
    return not (FIGURES | HOLLOW | SWEEPING).isdisjoint(known.words[at + 1 : at + 4])


def has_weighty_word(words: tuple[str, ...]) -> bool:
    return not (MEASURED | HAPPENINGS | STANDINGS).isdisjoint(words)


def is_argument(words: tuple[str, ...]) -> bool:
    return not ARGUED.isdisjoint(words)


def has_bare_verb_at(words: tuple[str, ...], at: int) -> bool:
    """A plural before a verb is a noun: "sentences send a signal"."""
    return at < len(words) and words[at] in DEED and DEED[words[at]] == "bare"


def is_sweeping(words: tuple[str, ...]) -> bool:
    return not SWEEPING.isdisjoint(words)


def is_hollow(text: str) -> bool:
    """It judges or sweeps instead of answering."""
    words = tokenize(text).words
    return not (HOLLOW | SWEEPING).isdisjoint(words) or any(word in FEELS for word in words)


def may_be_main_verb(word: str, *, bare: bool) -> bool:
    """The word may be the main verb: in its bare form after "will", in any other without."""
    if word in BE or word == "not":
        return True
    shapes = {table[word] for table in (EVENTS, DEED, MOVES, FEELS) if word in table}
    return bool(shapes & ({"bare"} if bare else {"s", "past"}))
