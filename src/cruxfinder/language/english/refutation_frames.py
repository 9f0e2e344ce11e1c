"""The claim inside a sentence that says what would refute its speaker: "If X by D, I am wrong" is about X by D."""

import re
from typing import Final

from cruxfinder.language.english.sentence_words import tokenize
from cruxfinder.language.english.stated_events import begins_with_verb, has_verb

LENGTH_MAX: Final = 1000

# What somebody says of itself who was refuted.
_GIVES_IN: Final = (
    r"(?:wrong|refuted|mistaken|conced\w+|withdraw\w*|fold|los[et]|admit\w*|convinced?|persuaded|abandon\w*|right"
    r"|false"
    r"|untrue|disproved|disproven|corrected|again|gives? (?:up|in|way)|done with|chang\w+ (?:my|our) (?:mind|view"
    r"|opinion"
    r"|tune)|falsified|eat my hat|retract\w*|yield|back down|drop|reconsider|defeated|beaten|won over|surrender"
    r"|apologi[sz]e"
    r"|come (?:round|around)|no longer (?:hold|believe|think)|rethink|revise|update|in error|erred|budge|accept (?:it"
    r"|that"
    r"|defeat)|off the mark|holds? no (?:more|longer)|does not hold|falls|fails|is dead|is refuted|have been (?:had"
    r"|fooled))"
)
_SPEAKER: Final = r"(?:I|we|me|my|mine|our|count|call|consider|the|that|this|so|he|she|they|his|her|their|you)\b"
_THEN: Final = re.compile(
    rf"\s*[,;:–—-]+\s*(?:then\s+|and\s+(?:then\s+)?"
    rf"|so\s+)?{_SPEAKER}[^,;]{{0,90}}\b{_GIVES_IN}\b[^,;?]{{0,60}}[.!]?\s*$"
    rf"|\s+(?:and|then)\s+(?:I|we)(?:['’](?:d|ll|m|re))?\b[^,;]{{0,60}}\b{_GIVES_IN}\b[^,;?]{{0,60}}[.!]?\s*$",
    re.IGNORECASE,
)
_SAID_FIRST: Final = re.compile(
    rf"^\s*(?:(?:I|we|my|our|count|call|consider|you)\b[^,;:?]{{0,80}}?\b{_GIVES_IN}\b[^,;:?]{{0,40}}?"
    r"|what (?:would|will|could|might|does)[^,;:?]{0,80}?|(?:my |the )?(?:falsifier|test|bet)(?: is)?|prove me wrong"
    r"|it would take|to (?:refute|convince|persuade) me[^,;:?]{0,30}?|here is what would[^,;:?]{0,60}?)"
    r"(?:\s*(?:,\s*)?\b(?P<word>(?:only |and only |but only )?(?:if|when|once|unless|provided|in case|as soon as"
    r"|should)"
    r"|the (?:day|moment))\b(?:\s+that)?|\s*:|\s+is(?:\s+that|\s+if)?)\s*(?:if\s+"
    r"|that\s+)?(?:it turns out\s*(?:that\s+)?)?",
    re.IGNORECASE,
)
_SHOWN: Final = re.compile(r"^\s*(?:show|give|bring|find) me\s+", re.IGNORECASE)
_WOULD_HAVE: Final = re.compile(r"\bwould (?:have|need) to\b", re.IGNORECASE)
_ASIDES: Final = re.compile(
    r",?\s+(?:and|provided|if) that (?:happens|is|was|comes)?\s*(?=by|before|in|until|within)|\bit turns out,\s*",
    re.IGNORECASE,
)
# Whoever opens with a condition ends with what follows from it, whatever the words: "If X by D, hats off to her."
_CONDITION: Final = re.compile(
    r"^\s*(?:(?P<lead>(?:by|before|in|on|at|within|until|during|after)\s[^,;]{2,50}),\s*)?(?:and\s+"
    r"|but\s+|so\s+|only\s+"
    r"|even\s+)?(?:(?P<word>if|once|when|unless|suppose|supposing|assuming|provided|given|in case|as soon as|the day"
    r"|the moment|let)\s+(?:that\s+|it turns out (?:that\s+)?)?|(?P<turned>should|had|were)\s+(?=\w))",
    re.IGNORECASE,
)
_OWN: Final = (
    r"(?:I|we|my|mine|our|you|your|count|call|consider|mark|put|tell|hats off|credit|fair play"
    r"|so much for|good for|shame on"
    r"|that['’]s|it['’]s|that would|this would|that will|then)\b"
)
_CONSEQUENCE: Final = re.compile(
    rf"\s*[,;:–—]+\s*(?:and\s+|so\s+|then,?\s+)*{_OWN}|\s+(?:and|then)\s+(?:I|we)\b", re.IGNORECASE
)
_LAST_CLAUSE: Final = re.compile(
    r"\s*[,;:–—]+\s*(?:then\s+)?(?!(?:by|before|in|on|at|within|until|till|during|after|or|and|as|which"
    r"|who|whose|where|not|no"
    r"|including|such|say|from|for|to|with|than|of)\b)(?=[^\W\d])(?P<clause>(?:(?!\b(?:19|20|21)\d\d\b)[^,;]){8,120})$",
    re.IGNORECASE,
)
_ADVERBIAL: Final = re.compile(
    r"\s*(?:by|before|in|on|at|within|until|till|during|after|the (?:next|first) time)\s[^,;]{0,60}", re.IGNORECASE
)
_VIEW: Final = (
    r"(?:theory|view|claim|argument|position|case|thesis|bet|belief|idea|opinion|objection|prediction"
    r"|forecast|hypothesis"
    r"|worry|worries|doubts?|point|mind)"
)
_TURNED_ROUND: Final = re.compile(
    rf"^\s*(?:(?:so\s+|but\s+)?(?:I|we|my|our|you|call me|count me|consider me|tell me|hold me|(?:the|this"
    rf"|that) (?:\w+ )?{_VIEW}"
    r"|wrong|refuted|mistaken|beaten)\b(?![^,;:?]{0,60}\b(?:wonder|doubt|know|ask|asked|care|matters?"
    r"|sure)\s+(?:if|when|whether))"
    r"[^;:?]{0,110}?)"
    r"\b(?P<word>(?:only |and only |but only )?(?:if|when|once|unless|provided|in case|as soon as|should)"
    r"|the (?:day|moment|minute|week|month|year))\b\s*(?:that\s+)?(?:it turns out\s*(?:that\s+)?)?",
    re.IGNORECASE,
)
_NEEDED: Final = re.compile(
    r"^\s*(?:(?:all )?(?:it|that) (?:would|will|['’]d) (?:only )?take(?:s)?(?: is)?|all it (?:would"
    r"|will) take is|all it takes is"
    r"|nothing (?:short of|less than|but)|(?:only|just)(?= (?:a|an|the|one|two"
    r"|three)\b[^,;]{5,150} (?:would|will|can|could)\b)"
    r"|(?:one|the only|only one|the one) thing (?:that )?(?:would|will|could|can)\b[^,;:?]{0,50}?(?::"
    r"|\bis(?: that| if)?\b)"
    r"|for me to (?:be wrong|change my mind|concede|give (?:in|up)|drop it)[^,;:?]{0,30},)\s+",
    re.IGNORECASE,
)
_MOVES: Final = (
    r"(?:prove|show|change|convince|persuade|settle|refute|sink|make|mean|falsify|end|kill|shake|overturn"
    r"|undo|disprove|sway"
    r"|suffice|be enough|be all|do it|do for|count against|cost|force|win|bring|get|leave|have|decide"
    r"|turn|finish|defeat)"
)
_WOULD_MOVE: Final = re.compile(
    rf"\s+(?:would|will|['’]d|ought to|should|is going to|is enough to)\s+(?:be enough to\s+|surely\s+"
    rf"|certainly\s+)?{_MOVES}\b"
    r"(?=[^,;?]{0,60}\b(?:me|my|mine|us|our|it|I|this|that|enough|suffice|the (?:matter|question|case"
    r"|claim|argument))\b)"
    r"[^;?]{0,100}$",
    re.IGNORECASE,
)
_TO_MOVE_ME: Final = re.compile(
    rf"\s+(?:to {_MOVES}\b(?=[^,;?]{{0,40}}\b(?:me|my|us|our)\b)|for (?:me|us) to\b|before (?:I"
    rf"|we)(?:['’]d| would| will)\b)"
    r"[^,;?]{0,80}$",
    re.IGNORECASE,
)
# A sentence that only draws the conclusion: "Then I misjudged him.", "If it does not, I was wrong."
_CONCLUSION: Final = re.compile(
    r"(?<=[.!?;])\s+(?:(?:if|should) (?:so|not|it|they|that|he|she|this)\b|then\b|otherwise\b|in that case\b|that\b"
    r"|(?:I|we)['’ ]|my\b)(?=[^.;!?]{0,90}\b(?:I|me|my|we|our|us)\b)[^.;!?]{0,100}[.!]?\s*$",
    re.IGNORECASE,
)
_SENTENCE_WORDS_MIN: Final = 4


def bare_claim(text: str) -> str:
    """What has to happen, without what its speaker says of itself; a negated one is marked as such."""
    said = text[:LENGTH_MAX].strip()
    concluded = _CONCLUSION.search(said)
    if concluded is not None and said.count("?") == said[: concluded.start()].endswith("?"):
        said = said[: concluded.start()].rstrip("?") + "."
    if "?" in said:
        return said
    claim, word = _condition(said)
    claim = _WOULD_HAVE.sub("", _ASIDES.sub(" ", _without_verdict(claim)))
    claim = _as_sentence(_SHOWN.sub("", claim.strip()))
    return f"not: {claim}" if word == "unless" else claim


def _condition(said: str) -> tuple[str, str]:
    """The condition, and the word it is put with, whichever of the two comes first."""
    if (opened := _CONDITION.match(said)) is not None:
        claim = _without_consequence(said, opened.end())
        word = (opened["word"] or "").lower()
        if claim != said or word in ("if", "unless", "suppose", "supposing"):
            lead = f"{opened['lead']}, " if opened["lead"] else ""
            return lead + claim[opened.end() :], word
    for form in (_SAID_FIRST, _NEEDED, _TURNED_ROUND):
        first = form.match(said)
        if first is not None and len(said) - first.end() > len("it is"):
            return _without_move(said[first.end() :]), (first.groupdict().get("word") or "").lower()
    return _without_move(said), ""


def _without_consequence(said: str, start: int) -> str:
    """The sentence up to where what its speaker concludes begins."""
    for found in (*_CONSEQUENCE.finditer(said, start), *_LAST_CLAUSE.finditer(said, start)):
        told = said[start : found.start()]
        if len(told.split()) > _SENTENCE_WORDS_MIN - 2 and _ADVERBIAL.fullmatch(told) is None:
            return said[: found.start()] + "."
    return _without_verdict(said)


def _without_move(said: str) -> str:
    """ "A sighting before 2030 would prove me wrong" and "a contract to make me drop it" are about what they name."""
    plain = said.rstrip(" .!")
    for form in (_WOULD_MOVE, _TO_MOVE_ME):
        found = form.search(plain)
        if found is not None and len(plain[: found.start()].split()) >= _SENTENCE_WORDS_MIN:
            return plain[: found.start()] + "."
    return said


def _as_sentence(claim: str) -> str:
    """A thing that is only named is said to be there."""
    words = tokenize(claim).words
    if not words or has_verb(words) or begins_with_verb(claim):
        return claim
    return (
        f"there is {claim[0].lower()}{claim[1:]}"
        if claim[:2].istitle() and words[0] in ("a", "an", "the", "one")
        else f"there is {claim}"
    )


def _without_verdict(said: str) -> str:
    found = _THEN.search(said)
    return said if found is None or found.start() < len("it is so") else said[: found.start()] + "."
