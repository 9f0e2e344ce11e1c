"""Words that say nothing: pleasantries, filler, emoji."""

import re
from collections.abc import Iterator
from typing import Final, Literal

from cruxfinder.language.reading import Blemish

# Where a sentence begins, and where a part of one does: further on the same words belong to what is argued.
SENTENCE: Final = r"(?:(?<![^\n*])|(?<=[.!?…:;]\s)|(?<=[.!?…:;][\"”’')\]*_\s]\s))"
CLAUSE: Final = r"(?:(?<![^\n*—])|(?<=[.!?…:;,–—-]\s)|(?<=[.!?…:;,][\"”’')\]*_\s]\s))"
LEAD: Final = r"(?:(?:and|but|so|well|yes|no|oh|again|first|now),? )?"
ENDS: Final = r"\s*(?:[.!?,;—–)]|$)| - "
I_AM: Final = r"(?:i(?: a|['’])m|we(?: a|['’])re|(?:i|we)(?:['’]d| would|['’]ll| will) be)"
I_VALUE: Final = r"i (?:(?:really|truly|do|fully) )?(?:appreciate|respect)"
PRAISED: Final = r"(?:(?:really|very|truly) )?(?:great|good|excellent|fair|valid|interesting|important)"
POINT: Final = rf"{PRAISED} (?:point|question)"
# What somebody said or did here: "I respect the law" is an argument.
HERE: Final = (
    r"(?:analysis|answer|argument|candou?r|care|clarity|comment|concern|correction|courage|depth|effort|explanation"
    r"|honesty|idea|input|insight|nuance|opinion|opportunity|passion|perspective|point|position|question|reply|response"
    r"|sentiment|summary|thought|view)s?\b"
)
SERVE: Final = (
    r"(?:very |always |more than )?(?:happy|glad) to"
    r" (?:answer|assist|clarify|discuss|elaborate|explain|help|respond|share)\b"
)
TROUBLE: Final = r"(?:confusion|delay|error|interruption|length|misunderstanding|mistake|wait)"
LET_ME: Final = r"let me (?:just )?(?:add|be (?:\w+ )?clear|begin by|clarify|explain|note|point out|say|start by)\b"

TO_BEGIN: Final = (
    rf"(?:(?:what )?an? )?{POINT}(?={ENDS})",
    rf"{POINT}s(?={ENDS}| (?:all|both)\b)",
    rf"(?:i am |i['’]m )?(?:(?:so|very|really) )?sorry(?={ENDS}|:| (?:but|to say)\b)",
    rf"(?:my )?(?:sincere )?apologies(?={ENDS}| (?:but|if|for (?:being|interrupting|not))\b"
    rf"| for (?:the|my|that|this|any) {TROUBLE})",
    SERVE,
)
TO_GO_ON: Final = (
    r"(?:(?:i|we) )?thank you\b",
    r"thanks\b(?! to\b)",
    rf"{POINT}(?={ENDS}|:| (?:about|and|but|by|from|on|there)\b)",
)
ANYWHERE: Final = (
    r"to thank you (?:all|both|for)\b",
    r"(?:many|with|(?:my|our)(?: (?:best|deepest|heartfelt|sincere|warmest))?) thanks\b",
    r"(?:this|that|it|which|these|those|they)(?: is|['’]s| are|['’]re| was| were)(?: all| both| indeed| such)?"
    rf" (?:an? )?{POINT}s?\b(?! (?:if|of|whether)\b)",
    rf"(?:makes?|made|raised?|raises) (?:(?:an?|such an?|some|several|two|many) )?{PRAISED} points?\b",
    rf"you(?:['’]ve| have)? (?:ask|asked|got|had|have|raise|raised) (?:an?|some|several) {POINT}s?\b",
    rf"{I_VALUE} (?:your\b|th(?:e|at|is|ose) (?:\w+ )?{HERE}|that(?={ENDS}| (?:you|but)\b))",
    rf"{I_AM} {SERVE}",
    *(r"with all due respect", r"well said", r"glad you\b", r"hope this helps"),
)
PLEASANTRY: Final = re.compile(
    rf"\b(?=\w)(?:{SENTENCE}{LEAD}(?:{'|'.join(TO_BEGIN)})|{CLAUSE}{LEAD}(?:{'|'.join(TO_GO_ON)})|{'|'.join(ANYWHERE)})",
    re.IGNORECASE,
)
FILLER: Final = re.compile(
    r"\b(?:it(?: is|'s|’s) (?:worth|important to) not(?:e|ing)|needless to say|at the end of the day|as an ai\b"
    rf"|{SENTENCE}(?:sure|certainly|of course|absolutely)(?=!)|{CLAUSE}{LEAD}{LET_ME}"
    r"|in conclusion\b|to be honest\b|in today['’]s (?:world|age)|that being said"
    r"|i(?:'d| would) like to (?:say|point out|add|note)|as (?:we all|everyone) knows?\b)",
    re.IGNORECASE,
)
# Of clocks and arrows the pictures only: → and ⌘ are signs.
EMOJI: Final = re.compile(
    "[\U0001f000-\U0001faff\u231a\u231b\u2328\u23cf\u23e9-\u23fa\u2600-\u27bf\u2b05-\u2b1c\u2b50\u2b55\ufe0f]"
)

# Every phrase holds one of the words beside it: most messages hold none, and are not looked at twice.
TELLING: Final[tuple[tuple[Literal["pleasantry", "filler"], re.Pattern[str], frozenset[str]], ...]] = (
    (
        "pleasantry",
        PLEASANTRY,
        frozenset(
            "thank thanks great good excellent fair valid interesting important appreciate respect well glad happy hope"
            " sorry apologies".split()
        ),
    ),
    (
        "filler",
        FILLER,
        frozenset(
            "worth important needless end ai sure certainly course absolutely let conclusion honest today being like"
            " know knows".split()
        ),
    ),
)
WORD: Final = re.compile(r"[a-z]+")


def find_blemishes(content: str) -> Iterator[Blemish]:
    words = WORD.findall(content.lower())
    for kind, phrases, telling in TELLING:
        if not telling.isdisjoint(words) and (found := phrases.search(content.strip())) is not None:
            yield Blemish(kind, found[0])
    if (sign := EMOJI.search(content)) is not None:
        yield Blemish("emoji", sign[0])
