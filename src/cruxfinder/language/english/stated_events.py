"""Does a statement tell of something others can see happen? What is vague in it is weighed against what is there.

No verb has to be known: "finds rats in the kitchen" has a subject, a deed and nothing vague. A verdict ("a failure"),
a figure of speech ("loses its shine"), a feeling, a crowd or a loose amount each outweigh that.
"""

import re
from typing import Final

from cruxfinder.language.english.event_words import HAPPENINGS, MEASURED, POSSIBLE, STANDINGS
from cruxfinder.language.english.sentence_words import DEED, EVENTS, FEELS, MOVES, TokenizedText, tokenize
from cruxfinder.language.english.vague_words import (
    ABSTRACT,
    BELIEF,
    CROWDS,
    FELT,
    FIGURE_NOUNS,
    IDIOM,
    INSTRUMENTS,
    LOOSE,
    PLAIN_ADVERBS,
    TAUTOLOGY,
    VERDICT_WORDS,
    VERDICTS,
)

# Deeds that only together are one, and would each be a figure of speech: to go dark, to take office.
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
    r"|goes? critical|(?:set|sets|setting) (?:a|an|the|its|another) (?:new )?(?:\w+ ){0,2}record|(?:make|makes"
    r"|made) it (?:to|into)"
    r"|(?:hit|hits|reach|reaches) (?:a|an|the|its) (?:new )?(?:all-time |record )?(?:high|low|peak|ceiling|target"
    r"|limit)|(?:ceases?|ceased) to be|(?:no longer) (?:be|hold|head|lead)|declares? war)\b",
    re.IGNORECASE,
)
# It adds no subject: "there is a signed contract" is about the contract.
EXPLETIVE: Final = re.compile(r"^\s*there (?:is|are|was|were|comes?|has been|have been) (?=\w)", re.IGNORECASE)
STATED: Final = re.compile(
    r"\s*(?:still|no longer|already|not yet|anything (?:but|other than|except)|any\w+ (?:but|other than)|other than)\s",
    re.IGNORECASE,
)
PARTICIPLES: Final = ("ed", "en", "wn", "lt", "nd", "ght", "ld")
STATE_WORDS_MAX: Final = 10
USUAL_WORDS: Final = 7
HUNDREDTHS: Final = 100
FOR_MAX, AGAINST_MAX, VAGUE_MAX = 1.5, 2.0, 5.0
HEAD_WORDS: Final = 6  # among which the head of a subject stands
CROWD_WORDS: Final = 4
LINKS: Final = frozenset(
    "a about above across after against all among and are as at be been before being below between but by can did do"
    " does during for from had has have in into is it like more less most no not of on or out over than that the to"
    " under up was were when where which who whose will with within without again is n't now".split()
)
ARTICLES: Final = frozenset("a an any another each every her his its my no our that the their these this those".split())
# A subject that begins so is one of its kind, or is counted.
PARTICULAR: Final = ARTICLES | frozenset(
    "all another at both either eleven exactly fewer just few five four half he i she eight it neither nine none"
    " nobody not one only over seven several six"
    " somebody someone ten they third up under thirty three twelve twenty two we".split()
)
HAVING: Final = frozenset(
    "brings gain gains gave gets give gives had has have keeps lacks lose loses makes poses regains shows takes"
    " wins".split()
)
GROUNDED: Final = INSTRUMENTS | frozenset(
    "building during evening king morning nothing ring spring string wedding wing".split()
)
SOLO: Final = frozenset(
    "act acts adapt adapts behave behaves bite bites blossom blossoms budge care cares change changes changed cope"
    " copes"
    " count counts deliver delivers delivered develop develops fail fails failed falter falters flower flounder gain"
    " gains"
    " grow grows happen happens help helps hold holds improve improves improved last lasts lead leads learn learns"
    " listen"
    " listens matter matters move moves perform performs progress rebound recover recovers reform relax respond"
    " responds"
    " rise rises rot rots rule rules shift shifts shine shines shock sink spread spreads step stick sticks suffer"
    " suffers"
    " swing tank tanks tire turn turns understand waver weaken win work works worked".split()
)
# Of these it can be seen that they fail, move or work.
THINGS_THAT_FAIL: Final = frozenset(
    "alarm amendment appeal attempt battery bid bill brake brakes bridge build bulb dam disk drive engine experiment"
    " factory fuse generator heater home jury knight lift lock machine motion motor pawn petition phone plea pump"
    " query"
    " replication reactor rotor sensor server switch tap telescope test tests train valve visitors".split()
)
SKIPPED: Final = frozenset(
    "again also already at away ever last long never no not now once only still then yet".split()
)
# What something is or is not, for anybody to check.
STATES: Final = frozenset(
    "able above absent accessible active alive aloft alone ashore asleep below blank blue bankrupt binary bloody"
    " broken brown busy central clear compulsory concurrent dark digital dry due electric electrical empty equal"
    " external final finite free frozen full fungal green grey higher homeless hourly idle identical illegal"
    " inactive infected intact invisible larger legal liable likely local longer lower manual mandatory mouldy moldy"
    " municipal mutual navigable negative nuclear null older open operational optional oral partial payable permanent"
    " pink positive pregnant present private public purple red redundant resident resistant responsible retroactive"
    " shorter silent single smaller solar statutory sterile tax-free temporary visible void voluntary warmer wet"
    " twenty thirty forty fifty sixty seventy eighty ninety white wider yellow younger".split()
)
BE: Final = frozenset("be is are was were being been rests stands".split())
# To be in or on one of these is no place.
STATES_OF_MIND: Final = ABSTRACT | frozenset(
    "action corner day days dream end ends foot form fringe ground hand hands laurels leg legs lips loop map mess"
    " mind mire"
    " mode mood moon nose peak phase pocket rope ropes shape shadow side skids spot state step stone thick toes tears"
    " trap verge way wave".split()
)
AUXILIARIES: Final = BE | frozenset("did do does had has have will won't".split())
COMPARING: Final = frozenset(
    "above at below between beyond double doubled down exactly fewer half halved higher less lower more over twice"
    " under up within".split()
)
CALLS: Final = frozenset(
    "be is are was were been become becomes became feel feels get gets got goes grow grows keep keeps look looks"
    " prove proves"
    " remain remains remained seem seems stay stays turn turns".split()
)
ARGUED: Final = POSSIBLE | frozenset(
    "because therefore thus hence otherwise rights you your yourself don't doesn't aren't shouldn't often always"
    " sometimes want wants".split()
)
# After an article they are things: the well, the patient, a fine.
NOUNS_TOO: Final = frozenset("cold dead fair fine good human just light patient right sound strange well wise".split())
# How big, old or far, and nothing about how good; and what only looks like one.
PLAIN_SUPERLATIVES: Final = frozenset(
    "arrest biggest budapest chest coldest contest crest deepest digest driest earliest everest farthest fastest"
    " forest"
    " furthest guest harvest heaviest highest hottest inquest interest invest largest latest lightest longest lowest"
    " manifest modest narrowest nearest nest newest northernmost oldest pest priest protest quest request rest"
    " shortest"
    " slowest smallest southernmost suggest tallest tempest test thickest thinnest warmest west wettest widest"
    " youngest".split()
)
# Before a noun these are terms: a common law, the best of three, a serious adverse event.
ATTRIBUTIVE: Final = frozenset(
    "big clean clear close cold common dead deep different firm fresh free good great hard high human hot just large"
    " live long major mixed moral new open ordinary perfect political popular professional public real right safe"
    " serious severe small smart sober social solid sound strange strong toxic vital wild".split()
)


def states_event(text: str, score: int | None = None) -> bool:
    """What its vector says, where there is one, counts with what its words say."""
    plain = EXPLETIVE.sub("", text).rstrip(" .,;:!")
    known, told = tokenize(plain), has_verb(tokenize(text).words)
    if not known.words:
        return False
    said = 0.0 if score is None else max(-AGAINST_MAX, min(FOR_MAX, score / HUNDREDTHS))
    return told and concrete_weight(known, plain) + said > min(VAGUE_MAX, vague_weight(known, plain))


def is_state(threshold: str) -> bool:
    """It says how something is, without the "is": "still alive", "open to the public", "anything but last"."""
    words = [word for word in tokenize(threshold).words if word not in SKIPPED]
    if not words or words[0] in COMPARING or words[0] == "gone" or len(words) > STATE_WORDS_MAX:
        return False
    if STATED.match(threshold) is not None:
        return True
    return not has_verb(tuple(words)) and (words[0] in STATES or words[0].endswith(("ed", "ing")))


def is_listed_state(threshold: str) -> bool:
    """A state that anybody can check, which needs no vector to say so."""
    return next((word in STATES for word in tokenize(threshold).words if word not in SKIPPED), False)


def has_verb(words: tuple[str, ...]) -> bool:
    """Somebody does something, or something is done; "a question for the century" only names it."""
    if len(words) < 2 or not HAPPENINGS.isdisjoint(words):
        return len(words) > 1 or bool(words and words[0] in HAPPENINGS)
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        if word in AUXILIARIES or verb_shape(word) in ("s", "past") or word.endswith("ed"):
            return True
        if at > 0 and verb_shape(word) == "bare" and before not in ARTICLES:
            return True
        if at > 1 and word.endswith("s") and words[0] in PARTICULAR and before not in ARTICLES:
            return True
    return False


def verb_shape(word: str) -> str:
    return next((table[word] for table in (EVENTS, DEED, MOVES, FEELS, FELT) if word in table), "")


def begins_with_verb(text: str) -> bool:
    """It needs a subject before it: "finds rats", "is closed", "no longer flies", "love it"."""
    told = tokenize(text).words
    words = [word for word in told if word not in SKIPPED]
    if not words:
        return True
    if told[0] == "no" and told[1:2] != ("longer",):
        return False
    first = words[0]
    if first in COMPARING:
        return True
    shaped = bool(verb_shape(first)) or first.endswith(("s", "ed")) or first in AUXILIARIES or first in VERDICT_WORDS
    return shaped and first not in PARTICULAR and not first.endswith("ing")


def is_vague(text: str) -> bool:
    """Something in it tells of an opinion, whatever else there is."""
    known = tokenize(text)
    return not known.words or vague_weight(known, text.rstrip(" .,;:!")) > 1


def concrete_weight(known: TokenizedText, text: str) -> float:
    """What can be pointed at: a subject that is one of its kind, names, words quoted, what happens on a day."""
    words = known.words
    weight = 1.0 if is_particular(known) else 0.5
    weight += 0.75 * min(2, len(known.named))
    weight += max(-0.5, min(1.0, 0.1 * (len(words) - USUAL_WORDS)))  # an opinion is soon told
    weight += 1.5 * (SET_PHRASE.search(text) is not None)
    weight += 0.5 * any(word in EVENTS for word in words[1:])
    weight += 0.25 * any(
        word in ("a", "an", "the") and may_be_verb(words[at - 1]) for at, word in enumerate(words) if at > 1
    )
    weight += 0.25 * any(
        word in ("a", "an", "the", "our", "my")
        and words[at - 1] in ("in", "on", "at", "from", "under", "through", "by")
        for at, word in enumerate(words)
        if at > 1
    )
    weight += 0.25 * any(
        word in BE and (words[at + 1].endswith(PARTICIPLES) or words[at + 1] == "still")
        for at, word in enumerate(words[:-1])
    )
    weight += 0.5 * any(
        word in BE and next((after in STATES for after in words[at + 1 :] if after not in SKIPPED), False)
        for at, word in enumerate(words)
    )
    return weight + 0.5 * any(not table.isdisjoint(words) for table in (HAPPENINGS, MEASURED, STANDINGS, {"quoted"}))


def vague_weight(known: TokenizedText, text: str) -> float:
    words, plain = known.words, [at for at in range(len(known.words)) if at not in known.named]
    weight = 3.0 * any(form.search(text) for form in (IDIOM, BELIEF, TAUTOLOGY))
    weight += 2.0 * (LOOSE.search(text) is not None)
    weight += 2.0 * has_head(words, ABSTRACT)
    weight += 2.0 * has_crowd(words)
    weight += 2.0 * has_figure_for_object(words)
    weight += 2.0 * gives_verdict(words)
    weight += 1.5 * sum(is_judging(words, at) or is_felt(words, at) for at in plain)
    weight += 1.5 * ends_in_solo(words) + 2.0 * has_plain_predicate(known)
    weight += 1.0 * (words[0].endswith("ing") and words[0] not in GROUNDED)
    return weight + 3.0 * (not ARGUED.isdisjoint(words)) + 0.5 * (not is_particular(known))


def is_particular(known: TokenizedText) -> bool:
    """Its subject is one of its kind or counted: the inspector, no member, Paris Match, two of the four."""
    first = known.words[0]
    return first in PARTICULAR or not known.named.isdisjoint((0, 1))


def has_head(words: tuple[str, ...], heads: frozenset[str]) -> bool:
    """The head of the subject is one of these: "trust in the press", and not "the trust fund"."""
    for at, word in enumerate(words[:HEAD_WORDS]):
        following = words[at + 1] if at + 1 < len(words) else ""
        if words[at - 1 : at + 2] in (("the", "world", "record"),):
            return False
        if word in heads and (not following or following in LINKS or may_be_verb(following)):
            return True
        if at > 0 and (word in LINKS or word in ARTICLES):
            return False
    return False


def may_be_verb(word: str) -> bool:
    if any(word in table for table in (EVENTS, DEED, MOVES, FELT)):
        return True
    return (word.endswith("s") and not word.endswith(("ss", "us"))) or word.endswith(("ed", "ly"))


def has_crowd(words: tuple[str, ...]) -> bool:
    """It is said of everybody or of nobody in particular."""
    if words[:2] == ("no", "one"):
        return True
    at = next((at for at, word in enumerate(words[:CROWD_WORDS]) if word in CROWDS), None)
    return at is not None and not (
        at + 1 < len(words)
        and words[at + 1] in ("under", "over", "aged", "with", "in", "of", "other", "but", "except", "else")
    )


def has_figure_for_object(words: tuple[str, ...]) -> bool:
    """What is done is done to nothing: it finds its voice, turns a corner, keeps the promise."""
    for at in range(2, len(words)):
        light = not HAVING.isdisjoint(words[max(1, at - 4) : at])
        if words[at] not in FIGURE_NOUNS and not (light and words[at] in ABSTRACT):
            continue
        if words[at] in INSTRUMENTS or (at + 1 < len(words) and words[at + 1] not in LINKS):
            continue
        before = words[max(1, at - 3) : at]
        placed = not {"in", "on", "at", "from", "of", "by", "into", "with"}.isdisjoint(before)
        if any(may_be_verb(word) or word == "have" for word in before) and not placed:
            return True
        if placed and words[at] in STATES_OF_MIND and not (BE | HAVING).isdisjoint(words[max(0, at - 5) : at]):
            return True
    return False


def ends_in_solo(words: tuple[str, ...]) -> bool:
    """It acts, works, delivers, fails, and nobody says how that shows."""
    if len(words) < 2 or words[-2] in LINKS or words[-2] in ARTICLES:
        return False
    return words[-1] in SOLO and HAPPENINGS.isdisjoint(words) and THINGS_THAT_FAIL.isdisjoint(words)


def has_plain_predicate(known: TokenizedText) -> bool:
    """It is this or that, in a word that names no state anybody could check."""
    words = known.words
    for at, word in enumerate(words):
        if word not in CALLS or at == 0:
            continue
        after = [w for w in words[at + 1 :] if w not in SKIPPED]
        if not after:
            return False
        first, ends = after[0], len(after) == 1 or after[1] in LINKS
        if first in ("a", "an") and known.named.isdisjoint(range(at, len(words))):
            return STANDINGS.isdisjoint(after) and HAPPENINGS.isdisjoint(after)
        return ends and is_plain_adjective(first)
    return False


def is_plain_adjective(word: str) -> bool:
    if word in STATES or word in STANDINGS or word in MEASURED or word in HAPPENINGS or word in EVENTS or word in DEED:
        return False
    if word.endswith(("ed", "en", "wn", "ing", "s")) or word in LINKS or word in ARTICLES:
        return False
    return word.endswith(
        (
            "able",
            "al",
            "ant",
            "ar",
            "ary",
            "ate",
            "ent",
            "er",
            "ful",
            "ible",
            "ic",
            "ish",
            "ive",
            "less",
            "ous",
            "some",
            "y",
            "id",
            "ior",
            "ite",
        )
    )


def gives_verdict(words: tuple[str, ...]) -> bool:
    """It is called something: a failure, a masterpiece, the best option."""
    return any(
        word in VERDICTS
        and not CALLS.isdisjoint(words[max(0, at - 5) : at])
        and (at + 1 == len(words) or words[at + 1] in LINKS)
        for at, word in enumerate(words)
    )


def is_judging(words: tuple[str, ...], at: int) -> bool:
    word, before = words[at], words[at - 1] if at else ""
    ends = at + 1 == len(words) or words[at + 1] in LINKS
    if word in VERDICT_WORDS:
        is_noun = word in NOUNS_TOO and (before in ARTICLES or before in ("as", "last", "first"))
        return (
            not is_noun
            and before not in ("or", "nearest", "for")
            and (ends or word not in ATTRIBUTIVE or before in CALLS or before in ("more", "less", "so", "very", "too"))
        )
    if word.endswith("est") and word not in PLAIN_SUPERLATIVES:
        return before in ("the", "its", "his", "her", "our", "their")
    return word.endswith("ly") and len(word) > len("only") and word not in PLAIN_ADVERBS


def is_felt(words: tuple[str, ...], at: int) -> bool:
    """A verb of feeling; "the help desk", "a change of owner" are none."""
    return at > 0 and words[at] in FELT and words[at - 1] not in ARTICLES and words[at - 1] not in ("of", "for", "a")
