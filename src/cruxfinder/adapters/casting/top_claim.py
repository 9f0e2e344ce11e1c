"""The top claim of a topic as somebody types it: a debate needs a statement, and people like to ask.

Word order is turned by lists of common words. Where they do not tell how a question is built, it is kept and framed.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from cruxfinder.adapters.casting.short_texts import plain_line
from cruxfinder.errors import BadInput

TOPIC_MIN: Final = 8
TOPIC_MAX: Final = 240

MODALS: Final = frozenset("should will can could would must may might shall".split())
BE: Final = frozenset("is are was were".split())
HAVE: Final = frozenset("has have had".split())
DO: Final = frozenset("do does did".split())
OPEN_QUESTIONS: Final = frozenset("what why how who whom whose which when where".split())

PRONOUNS: Final = frozenset("i we you he she it they there everyone everybody nobody anyone someone".split())
DETERMINERS: Final = frozenset(
    "the a an this that these those my our your his her its their some any all every each no most many more fewer less"
    " both".split()
)
DEMONSTRATIVES: Final = frozenset("this that these those".split())
ARTICLES: Final = frozenset("a an the".split())
PREPOSITIONS: Final = frozenset("about as at by for from in into of on over than through to under with without".split())
JOINED: Final = frozenset("and or but than to that which who can could will would may might must should not".split())
ADVERBS: Final = frozenset("also always just never not now often only really soon still truly".split())

VERBS: Final = frozenset(
    "abolish accept adopt allow apply avoid be become begin believe bring build buy choose come consider create decide"
    " destroy eat eliminate encourage end enforce exist expand expect feel find follow forbid get give go grow happen"
    " have help hire improve include increase introduce invest keep know learn leave let lose make mean move need"
    " obey outlaw outperform own prevent prohibit promote protect provide pursue put raise reach reduce regulate"
    " remain remove replace require save sell send solve speak spend subsidise subsidize survive take teach tell"
    " think understand want win write".split()
)
NOUNS_TOO: Final = frozenset(
    "act aim answer ban benefit block break cap care cause change charge control cost count cut cover crash deal drive"
    " drop face fail fight finance force fund gain guarantee harm hold hurt invest join lead limit live love matter pay"
    " plan play press ration reform rent rest return rise rule run set share ship show sign split stand start stay stop"
    " study support switch tax test trade train travel treat trust try turn use value vote wait walk watch work".split()
)
PREDICATES: Final = frozenset(
    "alive alone bad broken conscious dangerous dead enough essential ethical fair fake false feasible free good gone"
    " great harmful immoral impossible inevitable justified legal likely moral necessary obsolete overdue overrated"
    " possible ready real right safe sustainable true unethical unfair unlikely useful useless viable worth worthwhile"
    " wrong".split()
)
DEGREES: Final = frozenset("better worse best worst more less too very still just really".split())
ADJECTIVAL: Final = re.compile(r"\w{2,}(?:able|al|ary|ent|ful|ible|ic|ious|ive|less|ous)")
PARTICIPLE: Final = re.compile(r"\w{3,}(?:ed|ing)")
PAST: Final = frozenset(
    "become been begun brought come done fallen given gone gotten grown had lost made risen seen shown taken"
    " won".split()
)


def top_claim(topic: str) -> str:
    """A topic as a statement. Raise BadInput if it is too short, too long, or asks for more than yes or no."""
    text = plain_line(topic)
    if not any(c.isalpha() for c in text):
        raise BadInput("a topic is a claim or a yes/no question in words, and this one has none")
    if not TOPIC_MIN <= len(text) <= TOPIC_MAX:
        raise BadInput(f"a topic has {TOPIC_MIN} to {TOPIC_MAX} characters, and this one has {len(text)}")
    claim = as_statement(text)
    if len(claim) > TOPIC_MAX:
        raise BadInput(f'a claim has at most {TOPIC_MAX} characters, and as one the topic has {len(claim)}: "{claim}"')
    return claim


def as_statement(text: str) -> str:
    asks = text.endswith("?")
    bare = text.rstrip("?!. ")
    if whether := re.match(r"whether (?:or not )?", bare, re.IGNORECASE):
        return capitalise_first(bare[whether.end() :])
    words = bare.split()
    if asks and words and words[0].lower() in OPEN_QUESTIONS:
        raise BadInput(
            f'a debate is on a claim or a yes/no question, and "{words[0]} …?" asks for more: '
            'write what somebody claims, such as "We should wait a year"'
        )
    if not asks and not starts_like_a_question(words):
        return capitalise_first(bare)
    turned = question_to_statement(words)
    if turned or not asks:
        return turned or capitalise_first(bare)
    return f'The answer to "{bare.replace(chr(34), chr(39))}" is yes'


def starts_like_a_question(words: Sequence[str]) -> bool:
    """Somebody left the question mark out; "Will Smith acts well" is none."""
    if len(words) < 3 or words[0].lower() not in MODALS | BE | HAVE | DO:
        return False
    return words[1].lower() in PRONOUNS | DETERMINERS


def question_to_statement(words: Sequence[str]) -> str:
    """A yes/no question as the statement that says yes; empty where its subject cannot be told from the rest."""
    asked, rest = words[0].lower(), [word for word in words[1:] if word != "ever"]
    if asked == "ought":
        return insert_auxiliary(
            rest, "ought", lambda low: next((n for n, w in enumerate(low) if n and w == "to"), None)
        )
    if asked in MODALS:
        return insert_auxiliary(rest, asked, base_verb)
    if asked in BE:
        return insert_auxiliary(rest, asked, predicate)
    if asked in HAVE:
        return insert_auxiliary(rest, asked, past_participle)
    if asked in DO:
        return merge_do_into_verb(rest, asked)
    return ""


def insert_auxiliary(rest: Sequence[str], auxiliary: str, split: Callable[[Sequence[str]], int | None]) -> str:
    at = split([word.lower() for word in rest]) if len(rest) > 1 else None
    if at is None:
        return ""
    at = before_adverbs(rest, at)
    return capitalise_first(" ".join((*rest[:at], auxiliary, *rest[at:])))


def merge_do_into_verb(rest: Sequence[str], auxiliary: str) -> str:
    """Does and do are taken into the verb, unless something stands before it."""
    at = base_verb([word.lower() for word in rest]) if len(rest) > 1 else None
    if at is None:
        return ""
    if auxiliary == "did" or rest[at].lower() == "not" or before_adverbs(rest, at) != at:
        return insert_auxiliary(rest, auxiliary, base_verb)
    verb = third_person(rest[at]) if auxiliary == "does" else rest[at]
    return capitalise_first(" ".join((*rest[:at], verb, *rest[at + 1 :])))


# ---- where the subject ends


def first_after_subject(low: Sequence[str]) -> int:
    """The first word that can stand behind the subject."""
    return 2 if low[0] in DETERMINERS else 1


def is_first_word_subject(low: Sequence[str]) -> bool:
    """The first word is the whole subject."""
    if low[0] in DEMONSTRATIVES:
        return low[1] in DETERMINERS | DEGREES | PREDICATES | {"be", "have"}
    return low[0] in PRONOUNS and low[1] not in {"and", "or", "who", "that"}


def base_verb(low: Sequence[str]) -> int | None:
    """The verb a modal belongs to: one that is no noun comes before those that may be either."""
    if is_first_word_subject(low):
        return 1
    free = [n for n in range(first_after_subject(low), len(low)) if low[n - 1] not in JOINED - {"not"}]
    verb = next((n for n in free if low[n] in VERBS), None)
    if verb is not None:
        return verb
    either = [n for n in free if low[n] in NOUNS_TOO]
    if not either or either[0] + 1 in either:
        return None
    return either[0]


def predicate(low: Sequence[str]) -> int | None:
    """What is said of the subject, after is or are."""
    if is_first_word_subject(low):
        return 1
    doing = low[0].endswith("ing")  # "eating the rich": an article or "more" may belong to what is done
    for n in range(first_after_subject(low), len(low)):
        word, ends = low[n], n + 1 == len(low) or low[n + 1] in PREPOSITIONS
        if low[n - 1] in PREPOSITIONS | DETERMINERS | {"and", "or"}:
            continue
        if word in PREDICATES or (ends and (PARTICIPLE.fullmatch(word) or ADJECTIVAL.fullmatch(word))):
            return n
        if not doing and word in ARTICLES | DEGREES:
            return n
    return len(low) - 1 if len(low) == first_after_subject(low) + 1 else None


def past_participle(low: Sequence[str]) -> int | None:
    """What has been done, after has or have."""
    if is_first_word_subject(low):
        return 1
    return next((n for n in range(first_after_subject(low), len(low)) if low[n] in PAST or low[n].endswith("ed")), None)


def before_adverbs(words: Sequence[str], at: int) -> int:
    """Adverbs stand with the verb or the predicate, not with the subject."""
    first = first_after_subject([word.lower() for word in words])
    while at - 1 >= first and (words[at - 1].lower() in ADVERBS or words[at - 1].endswith("ly")):
        at -= 1
    return at


# ---- spelling


def third_person(verb: str) -> str:
    if verb in {"have", "be"}:
        return {"have": "has", "be": "is"}[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in {*"aeiou"}:
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def capitalise_first(text: str) -> str:
    """A product's own spelling, such as iPhone, is left alone."""
    return text if text[1:2].isupper() else text[:1].upper() + text[1:]
