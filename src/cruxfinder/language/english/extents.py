"""How many, how much, when, and whether one must: what two sentences that share their words may still differ in."""

import re
from collections.abc import Sequence
from typing import Final

NUMBERS: Final = {
    word: n
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen twenty".split()
    )
} | {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "dozen": 12, "once": 1, "twice": 2, "doubled": 2, "trebled": 3, "tripled": 3, "quadrupled": 4,
}  # fmt: skip
TIMES: Final = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
# How many of them, from all down to none.
EXTENTS: Final = tuple(
    frozenset(words.split())
    for words in (
        "all every everyone everybody everything each always any anyone both entire whole invariably everywhere",
        "most majority mostly mainly largely usually generally",
        "some several handful sometimes occasionally partly half minority fraction third quarter part portion"
        " certain only few hardly scarcely barely none no nobody",
    )
)
# Of one kind: who names another of them says another thing.
KINDS: Final = tuple(
    frozenset(words.split())
    for words in (
        "monday tuesday wednesday thursday friday saturday sunday",
        "january february march april june july august september october november december",
        "spring summer autumn winter",
        "morning noon afternoon evening night midnight",
        "north south east west northern southern eastern western",
        "red orange yellow green blue purple brown black white grey",
        "first second third fourth fifth last",
        "daily weekly monthly yearly annually hourly",
        "yesterday today tomorrow",
    )
)
MUST: Final = frozenset("must shall obliged required compelled mandatory compulsory obligatory duty".split())
MAY: Final = frozenset("may might optional voluntary choose discretion entitled permitted".split())
# One thing is as much as another, whatever holds.
LEVEL: Final = re.compile(
    r"(?<!not )(?<!nearly )(?<!twice )(?<!times )\bas (?!well|soon|long|far|if)\w+ as\b"
    r"|\b(?:equally|no different|regardless|irrespective|whether or not|same|makes? no difference"
    r"|no (?:more|less|better|worse|fewer|\w+er) than)\b"
)
UNEVEN: Final = re.compile(
    r"\b(?:more|less|fewer|better|worse|(?!(?:other|rath|whether|eith|neith)\w*\b)\w{3,}er than)\b"
)
TENS: Final = 20  # from here on "two" after a number belongs to it: "twenty-two"
DIGITS: Final = re.compile(r"\d+(?:\.\d+)?")
GROUPED: Final = re.compile(r"\d{1,3}(?:,\d{3})+")


def figures(words: Sequence[str]) -> frozenset[str]:
    """The numbers of a sentence, in digits; one is hardly ever a number."""
    found: list[float] = []
    runs = False  # does a number go on with this word?
    for word in (part for whole in words for part in whole.split("-") if part):
        number = read_number(word)
        if word in TIMES and runs:
            found[-1] *= TIMES[word]
        elif runs and number is not None and number < 10 <= TENS <= found[-1] and found[-1] % 10 == 0:
            found[-1] += number
        elif number is not None:
            found.append(number)
        runs = number is not None
    return frozenset(f"{number:.15g}" for number in found) - {"1"}


def read_number(word: str) -> float | None:
    if not word[0].isdecimal():
        return TIMES.get(word, NUMBERS.get(word))
    plain = word.replace(",", "" if GROUPED.fullmatch(word) else ".")
    leading = DIGITS.match(plain)
    return float(leading[0]) if leading else None


def figures_differ(a: Sequence[str], b: Sequence[str]) -> bool:
    """Both give figures, and each gives one that the other does not."""
    one, other = figures(a), figures(b)
    return bool(one - other and other - one)


def extents_differ(a: Sequence[str], b: Sequence[str]) -> bool:
    """All of them in the one, most or some of them in the other."""
    one, other = extents(a), extents(b)
    return bool(one and other) and one.isdisjoint(other)


def extents(words: Sequence[str]) -> frozenset[int]:
    said = frozenset(words)
    return frozenset(n for n, level in enumerate(EXTENTS) if not level.isdisjoint(said))


def kinds_differ(a: Sequence[str], b: Sequence[str]) -> bool:
    """Each names one of a kind that the other does not name: another day, another side."""
    said, other = frozenset(a), frozenset(b)
    return any(kind & said - other and kind & other - said for kind in KINDS)


def duties_differ(a: Sequence[str], b: Sequence[str]) -> bool:
    """What one must in the one, one may in the other."""
    return (must_only(a) and may_only(b)) or (must_only(b) and may_only(a))


def must_only(words: Sequence[str]) -> bool:
    return not MUST.isdisjoint(words) and MAY.isdisjoint(words)


def may_only(words: Sequence[str]) -> bool:
    return not MAY.isdisjoint(words) and MUST.isdisjoint(words)


def levels_differ(a: str, b: str) -> bool:
    """The one sets apart by "more" or "than" what the other calls equal."""
    return (is_uneven(a) and is_level(b)) or (is_uneven(b) and is_level(a))


def is_level(text: str) -> bool:
    return LEVEL.search(text) is not None


def is_uneven(text: str) -> bool:
    return not is_level(text) and UNEVEN.search(text) is not None
