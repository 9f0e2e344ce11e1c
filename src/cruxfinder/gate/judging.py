"""What counts as actionable and as substantial, by rule; what a rule leaves open a model may judge, leaning to yes."""

import re
from typing import Final

from cruxfinder.gate.forms import CriticObjection, Diagnosis
from cruxfinder.language.english.texts import content_words

WORDS_MIN: Final = 3
ALIKE: Final = 0.7  # of the fewer content words
APART: Final = 0.3

_NOTHING: Final = re.compile(
    r"\W*(?:(?:none|nothing|n/?a|no(?:t applicable)?|same(?: as before)?|unknown)\W*)?", re.IGNORECASE
)
_VAGUE: Final = re.compile(
    r"\b(might|may|could|perhaps|maybe|possibly) (not )?(work|fail|break|go wrong|be (?:risky|dangerous|a problem"
    r"|problematic))"
    r"|\b(be (?:very )?careful|take care|think (?:twice|again|about it)|think it over|proceed with caution|be cautious"
    r"|be sure"
    r"|use (?:good )?judg\w+|not sure|seems? (?:risky|dangerous)|sounds? (?:risky|dangerous)|risky|better safe"
    r"|good luck"
    r"|consider (?:the|all|any)? ?(?:risks?|options?|alternatives?|implications?|consequences))\b",
    re.IGNORECASE,
)
_CONCRETE: Final = re.compile(
    r"`[^`]+`|(?<!\w)--?[a-z][\w-]+|/[\w./-]|\b\w+\.(?:py|js|ts|ya?ml|json|toml|sql|sh|md|tf)\b"
    r"|\b\d+(?:\.\d+)?\s?(?:%|ms|s|min|minutes|hours|days|rows|files|users)\b",
    re.IGNORECASE,
)
_DOES: Final = re.compile(
    r"\b(add|announce|apply|archive|ask|backup|back up|batch|bisect|cap|check|choose|clone|compare|confirm|copy|count"
    r"|create"
    r"|delete|deploy|diff|disable|document|download|drop|dump|enable|export|fetch|filter|freeze|get|give|have|install"
    r"|isolate"
    r"|keep|let|limit|list|lock|log|look|make|measure|migrate|mirror|mock|move|name|narrow|note|open|patch|pause|pin"
    r"|plan|print"
    r"|put|read|record|redirect|rehearse|remove|rename|replace|reproduce|restore|restrict|review|revoke|roll|rotate"
    r"|run|save"
    r"|scale|schedule|search|send|set|show|simulate|skip|snapshot|split|stage|start|stash|stop|store|switch|tag|take"
    r"|tell|test"
    r"|throttle|trace|try|turn|upgrade|use|validate|verify|wait|wrap|write)\b",
    re.IGNORECASE,
)
_MINOR: Final = re.compile(
    r"\b(typos?|spelling|whitespace|formatting|indentation|comma|semicolon|capitali[sz]\w+|minor|slight(?:ly)?|small"
    r"|tweak\w*"
    r"|bump\w*|(?:a )?(?:longer|shorter|higher|lower|bigger|larger) (?:timeout|limit|value|number|delay)"
    r"|(?:increas|rais|lower|reduc|chang)\w* (?:the )?(?:timeout|limit|value|number|delay|parameter|retries|setting)"
    r"|try (?:it )?again|retry\w*|re-?run\w*|once more|again)\b",
    re.IGNORECASE,
)
_MAJOR: Final = re.compile(
    r"\b(instead of|in(?: the)? place of|rather than|switch\w* (?:to|from)|replac\w+|rewrit\w+|redesign\w*"
    r"|different (?:approach|"
    r"way|tool|library|method|algorithm|strategy|module|layer|cause)|new (?:approach|tool|library|method|module"
    r"|strategy)"
    r"|another (?:approach|tool|library|method|way)|no longer|from scratch|root cause|not the|bypass\w*"
    r"|remov\w+ the)\b",
    re.IGNORECASE,
)


def has_content(text: str) -> bool:
    """Is anything said at all?"""
    return _NOTHING.fullmatch(text) is None


def is_actionable(objection: CriticObjection) -> bool | None:
    """Does the counter name something that can be done? None where the rule cannot tell."""
    counter = objection.counter
    if not has_content(counter):
        return False
    concrete = _CONCRETE.search(counter) is not None
    firm = _VAGUE.sub(" ", counter)
    does = _DOES.search(firm) is not None
    if firm != counter and not concrete and len(content_words(firm)) < WORDS_MIN:
        return False
    if does and (concrete or len(content_words(counter)) >= WORDS_MIN):
        return True
    return None if does or concrete or len(content_words(counter)) >= WORDS_MIN else False


def is_substantial(diagnosis: Diagnosis, attempts: tuple[str, ...]) -> bool | None:
    """Does the fix change the approach, not a detail of it? None where the rule cannot tell."""
    told = diagnosis.difference
    if not has_content(told):
        return False
    likeness = max((word_overlap(diagnosis.fix, attempt) for attempt in attempts), default=0.0)
    if likeness >= ALIKE:
        return False
    if _MINOR.search(told) and not _MAJOR.search(told):
        return False
    return True if _MAJOR.search(told) or likeness <= APART else None


def word_overlap(a: str, b: str) -> float:
    """The share of content words in common, of the text that has fewer."""
    first, second = content_words(a), content_words(b)
    fewer = min(len(first), len(second))
    return len(first & second) / fewer if fewer else float(a.strip().lower() == b.strip().lower())
