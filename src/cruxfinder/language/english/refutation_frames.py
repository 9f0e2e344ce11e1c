"""The claim inside a sentence that says what would refute its speaker: "If X by D, I am wrong" is about X by D."""

import re
from typing import Final

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
_IF: Final = re.compile(
    r"^\s*(?:and\s+|but\s+)?(?:only\s+|even\s+)?(?P<word>if|once|when|unless|suppose|supposing|assuming|provided"
    r"|given|in case"
    r"|as soon as|the (?:day|moment))\s+(?:that\s+|it turns out (?:that\s+)?)?",
    re.IGNORECASE,
)
_INVERTED: Final = re.compile(r"^\s*(?:should|had|were)\s+(?=\w)", re.IGNORECASE)
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


def bare_claim(text: str) -> str:
    """What has to happen, without what its speaker says of itself; a negated one is marked as such."""
    said = text[:LENGTH_MAX].strip()
    if "?" in said:
        return said
    first = _SAID_FIRST.match(said)
    if first is not None and len(said) - first.end() > len("it is"):
        claim, word = said[first.end() :], (first["word"] or "").lower()
    else:
        claim, word = _without_verdict(said), ""
        begins = _IF.match(claim)
        if begins is not None and (claim != said or begins["word"].lower() in ("if", "unless", "suppose", "supposing")):
            claim, word = claim[begins.end() :], begins["word"].lower()
        elif claim != said and (turned := _INVERTED.match(claim)) is not None:
            claim = claim[turned.end() :]
        claim = _SHOWN.sub("", claim)
    claim = _WOULD_HAVE.sub("", _ASIDES.sub(" ", _without_verdict(claim)))
    return f"not: {claim.strip()}" if word == "unless" else claim.strip()


def _without_verdict(said: str) -> str:
    found = _THEN.search(said)
    return said if found is None or found.start() < len("it is so") else said[: found.start()] + "."
