"""Do two texts about the same thing take opposite sides? Words only, no grammar.

Two things set texts apart. Opposite words: the one "raises" what the other "lowers". And negation: the one says "not"
before a word that the other says without it. A negation before a word that has an opposite turns that word over, so
that "no danger" stands beside "safe"; elsewhere it turns over the claim. Two turns are none: texts are opposed where
either the words or the negations disagree, and not where both do ("without uniforms pupils behave worse").
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from cruxfinder.language.english.opposite_phrases import PHRASES
from cruxfinder.language.english.opposite_words import DENYING, LESSENING, OPPOSITES, VALUE
from cruxfinder.language.english.texts import STOP, stem

TEXT_MAX: Final = 4_000  # characters; what follows is not read
REACH: Final = 8  # content words that a negation reaches at most
NEAR: Final = 3  # content words within which "less" or "reduces" turns over what follows
THING: Final = 2  # content words that the lack of a thing reaches
ROOT: Final = 6  # letters of a stem: enough to see "protects" in "protection"

DENYING_LINES: Final = frozenset(line for word in DENYING | LESSENING for line in OPPOSITES.get(word, ())) - {VALUE}

Signs = Counter[tuple[str, int, str]]


NEGATIONS: Final = frozenset(
    "not never no without neither nor hardly scarcely barely rarely seldom few little nobody none nothing nowhere noone"
    " lack lacks lacked lacking unable".split()
)
OF_THINGS: Final = frozenset("without lack lacks lacked lacking free devoid absence shortage".split())
BEFORE_TO: Final = frozenset(
    "fail fails failed failing failure refuse refuses refused decline declines declined neglect neglects neglected"
    " impossible unlikely reluctant unwilling unfit forget forgets forgot omit omits omitted".split()
)
BEFORE_OF: Final = frozenset("free devoid absence lack shortage".split())
# Before "that" they turn over what follows, at the end of a sentence what came before.
OF_CLAIMS: Final = frozenset(
    "false untrue wrong incorrect myth lie mistaken impossible unlikely improbable doubt doubts doubtful deny denies"
    " denied illusion nonsense misconception fallacy implausible".split()
)
AFFIRMING: Final = frozenset("true correct right certain clear likely".split())  # before "that" they add nothing
LESS: Final = frozenset("less fewer not worse".split())
SMALL: Final = frozenset("few little".split())  # with an article they negate nothing: "the few", "my little house"
DETERMINERS: Final = frozenset("a the this that these those my your our his her their its".split())
BOUNDS: Final = frozenset(
    ", ( ) — – but because although though while whereas since if when unless so which who therefore however"
    " yet".split()
)
SENTENCE_END: Final = frozenset(". ; : ! ?".split())

TOKEN: Final = re.compile(r"[^\W_]+|[.;:!?,()—–]")
CONTRACTED: Final = re.compile(r"\b(?:[a-z]+n['’]t|cannot)\b")
# What looks like a negation and is none.
IDIOMS: Final = re.compile(
    r"\b(?:not (?:only|just|merely|least|until|to mention)|no (?:doubt|matter|less|sooner|wonder|question)"
    r"|nothing (?:but|less)|whether or not|or not|if not|without (?:a )?(?:doubt|question)"
    r"|(?:quite )?a (?:few|little)|too (?:much|many)|(?:at|in|by|to|until|from) the end|as well(?: as)?)\b"
)
TWO_WORDS: Final = re.compile(r"\b(?:" + "|".join(f"({phrase})" for phrase in PHRASES) + r")\b")
WORDS: Final = ("", *PHRASES.values())
PREFIXES: Final = ("un", "in", "im", "ir", "il", "dis", "non", "mis")
# They begin like a denial and are none.
UNDENIED: Final = frozenset(
    "immigration immigrant immigrants immigrate inform information informed invest investment investor investors import"
    " imports imported impress impression install inland display displays discover discovery discount disposal dispose"
    " under understand union unions unit units unite united uniform uniforms university universal interest interests"
    " international internal internet inside instance indeed increase include income individual industry institution"
    " inflation influence infection illness illustrate image impact implement improve improvement mission missions"
    " missing missile miss missed disease discipline discuss discussion district dispute distance distribute distinct"
    " intent intention intense intensive invention inventor industrial".split()
)
BARE_MIN: Final = 4  # letters that must remain of a word without what denies it
INFLECTIONS: Final = (
    ("", ""),
    ("s", ""),
    ("es", ""),
    ("d", ""),
    ("ed", ""),
    ("ing", ""),
    ("ing", "e"),
    ("ies", "y"),
    ("ied", "y"),
    ("er", ""),
    ("r", ""),
    ("ier", "y"),
    ("est", ""),
    ("st", ""),
    ("iest", "y"),
    ("ly", ""),
    ("ily", "y"),
    ("y", "e"),
    ("ful", ""),
)


@dataclass(slots=True)
class Negation:
    """What a negation reaches. It is spent on a word that has an opposite, and then says no more."""

    lines: frozenset[str] = frozenset()  # of a word that denies only where the other text has none of its opposites
    reached: set[str] = field(default_factory=set[str])
    reach: int = REACH
    spent: bool = False
    spent_on: frozenset[str] = frozenset()  # the lines of that word
    closed: bool = False


@dataclass(slots=True)
class PolarityReading:
    """A text as this rule sees it."""

    signs: Signs = field(default_factory=Signs)  # line of opposites, sign after negation, root of the word
    roots: set[str] = field(default_factory=set[str])
    negations: list[Negation] = field(default_factory=list[Negation])
    denied: dict[str, str] = field(default_factory=dict[str, str])  # root of "painless" to that of "pain"


def are_opposed(a: str, b: str) -> bool:
    """Does the one deny what the other says? Asked of texts that are about the same thing; unsure means no."""
    if a == b:
        return False
    first, second = read(a), read(b)
    return words_disagree(first, second) != negations_disagree(first, second)


def degrees_agree(a: str, b: str) -> bool:
    """Of what stands before "than": the same measure at the same pole, and not "richer" and "poorer" or "less rich"?"""
    first, second = read(a), read(b)
    if LESS.isdisjoint(a.split()) != LESS.isdisjoint(b.split()):
        return False
    if {line for line, _, _ in first.signs} & {line for line, _, _ in second.signs}:
        return not words_disagree(first, second)
    return bool(first.roots & second.roots)


def are_synonyms(a: str, b: str) -> bool:
    """Do two words stand at one pole of a line of opposites?"""
    left, right = _pole(a), _pole(b)
    if left is None or right is None:
        return False
    (one, turn), (other, turned) = left, right
    signs, others = OPPOSITES[one], OPPOSITES[other]
    return any(signs[line] * turn == others[line] * turned for line in (signs.keys() & others.keys()) - {VALUE})


def words_disagree(a: PolarityReading, b: PolarityReading) -> bool:
    """More lines on which the texts stand at opposite poles than lines on which they stand at the same one."""
    shared = a.signs & b.signs
    left, right = _sums(a.signs - shared), _sums(b.signs - shared)
    lines = left.keys() & right.keys()
    products = [left[line] * right[line] for line in (lines - {VALUE} or lines)]
    return sum(product < 0 for product in products) > sum(product > 0 for product in products)


def _sums(signs: Signs) -> Counter[str]:
    found: Counter[str] = Counter()
    for (line, sign, _), count in signs.items():
        found[line] += sign * count
    return found


def negations_disagree(a: PolarityReading, b: PolarityReading) -> bool:
    if (open_in_a := _open_negations(a)) and open_in_a == _open_negations(b):
        return False  # each denies something in its own words
    return (_denials(a, b) + _denials(b, a)) % 2 == 1


def denies_alone(a: str, b: str) -> bool:
    """Does one text deny something, whatever it is, and the other nothing at all?"""
    first, second = read(a), read(b)
    if words_disagree(first, second):
        return False
    denied, other = (_open_negations(text) + len(text.denied) for text in (first, second))
    return (denied == 0) != (other == 0) and (denied + other) % 2 == 1


def denies_unanswered(a: str, b: str) -> bool:
    """Does the one deny a word on whose line the other has nothing to say, and speak of what the other speaks of?"""
    first, second = read(a), read(b)
    return _denies_unanswered(first, second) != _denies_unanswered(second, first)


def _denies_unanswered(text: PolarityReading, other: PolarityReading) -> bool:
    answered = DENYING_LINES.union(line for line, _, _ in other.signs)
    return any(
        negation.spent
        and not negation.closed
        and answered.isdisjoint(negation.spent_on)
        and _hits(negation.reached, other.roots)
        for negation in text.negations
    )


def _open_negations(text: PolarityReading) -> int:
    return sum(not negation.spent for negation in text.negations)


def _denials(text: PolarityReading, other: PolarityReading) -> int:
    """How many negations turn over something that the other text speaks of too."""
    lines = {line for line, _, _ in other.signs} - {VALUE}
    reaching = sum(
        not negation.spent
        and lines.isdisjoint(negation.lines)
        and _hits(
            {root if root in other.roots else text.denied.get(root, root) for root in negation.reached}, other.roots
        )
        for negation in text.negations
    )
    affixed = sum(
        root not in other.roots and any(_akin(bare, said) for said in other.roots) for root, bare in text.denied.items()
    )
    return reaching + affixed


def _hits(reached: set[str], roots: set[str]) -> bool:
    """Half of what is denied, or more, is what the other text speaks of: a shared topic alone is no denial."""
    if 0 < len(reached) <= 2 * len(reached & roots):
        return True
    begun = {root[:BARE_MIN] for root in roots if len(root) >= BARE_MIN}
    return 0 < len(reached) <= 2 * sum(root in roots or root[:BARE_MIN] in begun for root in reached)


def _akin(a: str, b: str) -> bool:
    return min(len(a), len(b)) >= BARE_MIN and (a.startswith(b) or b.startswith(a))


# ---- reading


@lru_cache(maxsize=2048)
def read(text: str) -> PolarityReading:
    reading = PolarityReading()
    plain = IDIOMS.sub(" ", CONTRACTED.sub("not", text[:TEXT_MAX].lower()))
    plain = TWO_WORDS.sub(lambda found: WORDS[found.lastindex or 0], plain)
    for sentence in _sentences(TOKEN.findall(plain)):
        heard = _Sentence(reading)
        for before, word, after in zip(["", *sentence], sentence, [*sentence[1:], ""], strict=False):
            heard.hear(word, before, after)
        reading.roots |= heard.said
    return reading


def _sentences(tokens: list[str]) -> Iterator[list[str]]:
    sentence: list[str] = []
    for token in (*tokens, "."):
        if token not in SENTENCE_END:
            sentence.append(token)
        elif sentence:
            yield sentence
            sentence = []


@dataclass(slots=True)
class _Sentence:
    """A sentence read so far: which negations are still open, and what has been said."""

    reading: PolarityReading
    live: list[Negation] = field(default_factory=list[Negation])
    lessened: int = 0  # content words to come that a word such as "less" may turn over
    said: set[str] = field(default_factory=set[str])

    def hear(self, word: str, before: str, after: str) -> None:
        last = not after or after in BOUNDS
        if word in BOUNDS:
            self.live, self.lessened = [], 0
            return
        if word in OF_CLAIMS and not after and self.said:
            self.reading.negations.append(Negation(lines=frozenset(_signs(word)), reached=set(self.said)))
        if _negates(word, before, after):
            # What is denied may stand before: "it convinces nobody".
            reach = THING if word in OF_THINGS else REACH
            self.deny(Negation(reached=set(self.said) if last else set(), reach=reach))
        elif word == "too" and not last:
            self.deny(Negation(lines=frozenset(_signs(after))))
        elif (pole := _pole(word)) is not None and not (word in AFFIRMING and after == "that"):
            self.take_side(*pole)
        elif word not in STOP and word not in NEGATIONS:
            self.mention(word)

    def deny(self, negation: Negation) -> None:
        self.live.append(negation)
        self.reading.negations.append(negation)

    def take_side(self, base: str, turn: int) -> None:
        root = root_of(base)
        turns = int(self.lessened > 0)
        for negation in self.live:
            negation.reached.add(root)
            if not negation.lines and not negation.spent:
                negation.spent, negation.spent_on = True, frozenset(OPPOSITES[base])
                negation.closed = OPPOSITES[base].get(VALUE, 0) * turn < 0  # "no problem" denies nothing else
                turns += 1
        for line, sign in OPPOSITES[base].items():
            self.reading.signs[line, sign * turn * (-1) ** turns, root] += 1
        if base in DENYING or base in LESSENING:
            self.live = [negation for negation in self.live if not negation.spent]
        self.lessened = NEAR if base in LESSENING else 0
        if base in DENYING:
            self.deny(Negation(lines=frozenset(OPPOSITES[base])))
        self.said.add(root)

    def mention(self, word: str) -> None:
        root = root_of(word)
        for negation in self.live:
            negation.reached.add(root)
        self.live = [negation for negation in self.live if len(negation.reached) < negation.reach]
        self.lessened = max(0, self.lessened - 1)
        if bare := _bare(word):
            self.reading.denied[root] = root_of(bare)
        self.said.add(root)


def _negates(word: str, before: str, after: str) -> bool:
    if word in SMALL:
        return bool(after) and after not in BOUNDS and before not in DETERMINERS
    return (
        word in NEGATIONS
        or (after == "to" and word in BEFORE_TO)
        or (after == "of" and word in BEFORE_OF)
        or (after == "that" and word in OF_CLAIMS)
    )


@lru_cache(maxsize=8192)
def _pole(word: str) -> tuple[str, int] | None:
    """The base form of a word that has an opposite, and -1 where a prefix or ending puts it at the other pole."""
    if (base := _base(word)) is not None:
        return base, 1
    if (bare := _bare(word)) and (base := _base(bare)) is not None:
        return base, -1
    return None


def _signs(word: str) -> dict[str, int]:
    pole = _pole(word)
    return OPPOSITES[pole[0]] if pole else {}


def _base(word: str) -> str | None:
    for ending, instead in INFLECTIONS:
        if word.endswith(ending):
            base = word[: len(word) - len(ending)] + instead
            if base in OPPOSITES:
                return base
            if ending in ("ed", "ing", "er", "est") and base[-1:] == base[-2:-1] and base[:-1] in OPPOSITES:
                return base[:-1]
    return None


@lru_cache(maxsize=8192)
def _bare(word: str) -> str:
    """A word without what denies it: "realistic" of "unrealistic", "pain" of "painless"; empty if nothing does."""
    if word in UNDENIED:
        return ""
    if word.endswith("less") and len(word) - 4 >= BARE_MIN - 1:
        return word[:-4]
    prefix = next((p for p in PREFIXES if word.startswith(p) and len(word) - len(p) >= BARE_MIN), "")
    return word[len(prefix) :] if prefix else ""


@lru_cache(maxsize=8192)
def root_of(word: str) -> str:
    return stem(word)[:ROOT]
