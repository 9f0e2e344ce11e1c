"""What a question claims: its content words in order, whether it is turned over, and if it asks what is, will, can or
ought to be. "Would it be a mistake to close the pool?" claims that the pool ought to be closed, turned over."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

from cruxfinder.language.english import question_words as words
from cruxfinder.language.english.question_words import LIGHT, NEGATING, NUMBER_WORDS, POLES, WEIGHTY
from cruxfinder.language.english.texts import STOP, stem

Mood = Literal["is", "can", "ought"]
Tense = Literal["", "past", "perfect", "present", "future"]

TEXT_MAX: Final = 1_000  # characters; a question that is longer is read so far
FRAMES_MAX: Final = 4
WORD: Final = re.compile(r"\d+(?:[.,]\d+)*[a-z]*|[a-z]+(?:-[a-z]+)*(?:'[a-z]+)?|%")
NUMERAL: Final = re.compile(r"(\d+(?:[.,]\d+)*)(k|m|bn|st|nd|rd|th)?")
CONTRACTED: Final = (
    (re.compile(r"\bfree will\b"), "free volition"),  # no auxiliary
    (re.compile(r"\bcan(?:not|'t)\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"['’]s\b"), ""),
    (re.compile(r",? or not\b"), ""),
)
LEADING_PHRASE: Final = re.compile(
    r"^((?:by|in|before|after|within|during|on|at|until|over|under|for|given)\b[^,?]{1,60}), "
)
PASSIVE: Final = re.compile(
    r"\b(?:be|been|being|is|are|was|were)\b.*?\b(?:\w{2,}(?:ed|en|wn|lt|pt|ught)|\w+ound|split|cut|put|set|hit|made|done|paid"
    r"|held|kept|lost|sold|told|spent|left|met|won|shut|run)\b"
)
THROUGH: Final = re.compile(r"\b(?:through|because of|due to|owing to|thanks to|as a result of)\b")
BY_WHOM: Final = re.compile(r"\bby (?:(?:the|a|an|its|their|our|his|her) )?([a-z]+)")
PAST: Final = frozenset("did was were had".split())
PERFECT: Final = frozenset("has have".split())
PRESENT: Final = frozenset("is are am do does".split())
ASKING: Final = PAST | PERFECT | PRESENT | frozenset("will would can could should shall must may might ought".split())
AUXILIARY_PREFIX: Final = ("un", "in", "im", "ir", "il", "dis", "non")
BARE_MIN: Final = 4
SCALES: Final = frozenset(
    "big large small minor major huge tiny high low long short strong weak cheap expensive fast slow early late poor"
    " safe dangerous easy hard clean dirty free strict mild rising falling severe simple complex".split()
)


@dataclass(frozen=True, slots=True)
class ClaimWord:
    """A content word of a claim."""

    word: str
    stem: str
    poles: tuple[tuple[str, int], ...] = ()
    after: str = ""  # the word that stands right before it
    before: str = ""  # the word that stands right after it
    name: bool = False
    turned: bool = False  # by a "less" before it


@dataclass(frozen=True, slots=True)
class QuestionClaim:
    words: tuple[ClaimWord, ...]
    turned: bool
    mood: Mood
    tense: Tense
    passive: bool = False
    converse: bool = False  # who it happens to comes first: "gains from", "suffers from"
    recast: bool = False  # its words do not stand in the order of a plain sentence
    agent: str = ""  # the stem of who did it, after "by"
    of: int = 0  # how often a noun is tied to another by "of"
    actorless: bool = False  # says what ought to be done and not by whom


@lru_cache(maxsize=2048)
def read_claim(text: str) -> QuestionClaim:
    raw = " ".join(text[:TEXT_MAX].replace("’", "'").split())
    names = frozenset(w.lower() for w in re.findall(r"(?<=\S )[A-Z][\w-]*", raw))
    plain, turned, norm, recast = strip_frames(lower(raw))
    first = plain.split(" ", 1)[0] if plain else ""
    tense = tense_of(plain, first, "?" in raw)
    mood: Mood = "ought" if norm or words.NORMS.search(plain) else "is"
    plain = words.NORMS.sub(" ", plain)
    if mood == "is" and " without " in plain and words.ABLE.search(plain):
        plain, recast = words.ABLE.sub(" ", plain).replace(" without ", " unnecessary "), True
    elif " without " in plain and words.UNABLE.search(plain):
        plain, recast = words.UNABLE.sub(" ", plain).replace(" without ", " necessary "), True
    elif words.UNABLE.search(plain):
        plain, turned, mood = words.UNABLE.sub(" ", plain), not turned, "can"
    elif mood == "is" and words.ABLE.search(plain):
        mood = "can"
    plain = words.ABLE.sub(" ", plain)
    passive = PASSIVE.search(plain)
    by = BY_WHOM.search(plain, passive.end() if passive else 0)
    found, denials = content(plain, names)
    return QuestionClaim(
        words=found,
        turned=turned != (denials % 2 == 1),
        mood=mood,
        tense=tense,
        passive=passive is not None,
        converse=words.CONVERSE.search(plain) is not None,
        recast=recast
        or words.MADE.search(plain) is not None
        or THROUGH.search(plain) is not None
        or LEADING_PHRASE.match(plain) is not None,
        agent=plain_stem(by.group(1)) if by else "",
        of=len(re.findall(r"\b(?:of|for|in|on)\b", plain)),
        actorless=mood == "ought" and (names_nobody(plain, first) or (passive is not None and by is None)),
    )


def names_nobody(plain: str, first: str) -> bool:
    """ "Should we …", "Is it wrong to …": nobody in particular is to do it."""
    return re.match(
        r"^\s*(?:to |we |one |the government |the state |society |\w+ing )", plain.removeprefix(first)
    ) is not None or (re.match(r"^\s*(?:to |we |one |\w+ing )", plain) is not None)


def lower(raw: str) -> str:
    plain = raw.lower().strip(' .?!"“”')
    plain = words.AFTERTHOUGHT.sub("", plain).rstrip(" ,.?!")
    for pattern, instead in CONTRACTED:
        plain = pattern.sub(instead, plain)
    return re.sub(r"[\"“”()]", "", plain)


def strip_frames(plain: str) -> tuple[str, bool, bool, bool]:
    """The claim without what stands around it; is it turned over, said to be right or wrong, put in another order?"""
    turned = norm = recast = False
    for _ in range(FRAMES_MAX):
        before = plain
        for frame, turns in words.FRAMES:
            if found := frame.match(plain):
                plain, turned = plain[found.end() :], turned != turns
        if found := words.CLAIM_NAMED.match(plain):
            plain, turned = found.group(1), turned != (found.group(2) in words.CLAIM_DENIED)
        if plain == before:
            break
    if found := words.TIME_TO.match(plain):
        return plain[found.end() :], turned, True, True
    if found := words.NORM_WHERE.match(plain):
        return f"{found['actor']} {found['deed']} {plain[found.end() :]}", turned, True, True
    for pattern in (words.NORM_BEFORE, words.NORM_AFTER, words.NORM_MEANS, words.NORM_OF_ACTOR):
        found = pattern.match(plain)
        if found is None:
            continue
        parts = found.groupdict()
        rest = f"{parts.get('actor') or ''} {parts.get('deed') or ''} {parts.get('rest') or ''} {plain[found.end() :]}"
        plain = re.sub(r"^(?:if|that) ", "", rest.strip())
        return plain, turned != bool(parts["bad"]), True, True
    return plain, turned, norm, recast


def tense_of(plain: str, first: str, asks: bool) -> Tense:
    if words.AHEAD.search(plain):
        return "future"
    if not asks:
        return ""
    if first in PERFECT:
        return "perfect"
    return "past" if first in PAST else "present" if first in PRESENT else ""


def content(plain: str, names: frozenset[str]) -> tuple[tuple[ClaimWord, ...], int]:
    """The content words, and how many words deny."""
    plain = words.BY_THEN.sub("before ", plain)
    for pattern, instead in words.PHRASES:
        plain = pattern.sub(instead, plain)
    tokens = WORD.findall(plain)
    found: list[ClaimWord] = []
    denials, lessened = 0, False
    for before, word, after in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        if word in NEGATING or (word in words.BEFORE_TO and after == "to"):
            denials += 1
        elif word in ("less", "fewer"):
            lessened = True
            if not after or after in STOP:
                denials, lessened = denials + 1, False
        elif word in ("more", "most") and after and after not in STOP and word == "more":
            continue
        elif (kept := claim_word(word, before, after, names)) is not None:
            found.append(replace(kept, turned=lessened))
            lessened = False
    return tuple(found), denials


def claim_word(word: str, before: str, after: str, names: frozenset[str]) -> ClaimWord | None:
    if word in WEIGHTY:
        plain = WEIGHTY[word]
        return ClaimWord(plain, f"={plain}", tuple(POLES.get(word, {}).items()), before, after)
    if number := numeral(word):
        return ClaimWord(number, f"#{number}", (), before, after)
    if word == "%":
        return ClaimWord("%", "#%", (), before, after)
    if word in STOP or (len(word) < 2):
        return None
    return ClaimWord(
        word, plain_stem(IRREGULAR.get(word, word)), tuple(poles_of(word).items()), before, after, word in names
    )


def plain_stem(word: str) -> str:
    """The stem, with "dropp" of "dropped" folded to that of "drop"."""
    found = stem(stem(word))
    doubled = found != word and len(found) > 3 and found[-1] == found[-2] and found[-1] not in "ls"
    return found[:-1] if doubled else found


def numeral(word: str) -> str:
    if word in NUMBER_WORDS:
        return "" if word == "one" else NUMBER_WORDS[word]
    found = NUMERAL.fullmatch(word)
    if found is None:
        return ""
    digits = found.group(1).replace(",", "") if re.fullmatch(r"\d{1,3}(?:,\d{3})+", found.group(1)) else found.group(1)
    scale = {"k": "000", "m": "000000", "bn": "000000000"}.get(found.group(2) or "", "")
    return f"{digits}{scale or found.group(2) or ''}"


@lru_cache(maxsize=8192)
def base_form(word: str) -> str:
    """The form of a word that the tables hold; the word itself, if they hold none."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    for ending, instead in INFLECTIONS:
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            base = word[: len(word) - len(ending)] + instead
            if base in POLES or base in ALIKE_LINES:
                return base
            if ending in ("ed", "ing", "er", "est") and base[-1:] == base[-2:-1] and base[:-1] in POLES:
                return base[:-1]
    return word


INFLECTIONS: Final = (
    ("", ""), ("s", ""), ("es", ""), ("d", ""), ("ed", ""), ("ing", ""), ("ing", "e"), ("ies", "y"), ("ied", "y"),
    ("er", ""), ("r", ""), ("ier", "y"), ("est", ""), ("st", ""), ("ly", ""), ("ily", "y"), ("ful", ""), ("less", ""),
)  # fmt: skip
IRREGULAR_FORMS: Final = (
    "kept/keep held/hold sold/sell bought/buy built/build broken/break broke/break lost/lose won/win"
    " fell/fall fallen/fall rose/rise risen/rise grew/grow grown/grow left/leave met/meet paid/pay"
    " gave/give given/give shown/show struck/strike sank/sink shrunk/shrink shrank/shrink began/begin"
    " begun/begin found/find taught/teach spent/spend chosen/choose chose/choose written/write"
    " driven/drive led/lead taken/take took/take made/make stood/stand overthrown/overthrow upheld/uphold"
    " withdrawn/withdraw forbidden/forbid forbade/forbid forgotten/forget grown/grow withdrew/withdraw"
)
IRREGULAR: Final[dict[str, str]] = {pair.partition("/")[0]: pair.partition("/")[2] for pair in IRREGULAR_FORMS.split()}
ALIKE_LINES: Final = {word: n for n, line in reversed([*enumerate(words.ALIKE)]) for word in line}


def poles_of(word: str) -> dict[str, int]:
    base = base_form(word)
    if base in POLES:
        sign = -1 if word.endswith("less") and base + "less" == word else 1
        return {line: at * sign for line, at in POLES[base].items()}
    if bare := bare_form(word):
        return {line: -at for line, at in POLES.get(base_form(bare), {}).items()}
    return {}


@lru_cache(maxsize=8192)
def bare_form(word: str) -> str:
    """A word without what denies it: "realistic" of "unrealistic"."""
    if word.endswith("less") and len(word) - 4 >= BARE_MIN - 1:
        return word[:-4]
    prefix = next((p for p in AUXILIARY_PREFIX if word.startswith(p) and len(word) - len(p) >= BARE_MIN), "")
    return word[len(prefix) :] if prefix else ""


def is_light(word: ClaimWord) -> bool:
    return word.word in LIGHT or word.stem in LIGHT or base_form(word.word) in LIGHT


def is_of_subject(a: ClaimWord, b: ClaimWord) -> bool:
    """Do the opposed words tell two subjects apart ("large firms", "small firms") rather than a yes and a no?"""
    if base_form(a.word) not in SCALES and a.word not in SCALES:
        return False
    named = bool(a.before) and a.before == b.before and a.before not in STOP | {"enough"}
    return named and not {a.after, b.after} & {"a", "an"}
