"""Is it said plainly? TURN-5: no filler, no pleasantries, no emoji; the point comes first."""

import re
from collections.abc import Iterator
from typing import Final

from cruxfinder.model.moves import Draft
from cruxfinder.model.record import Debate
from cruxfinder.model.refusals import Refusal
from cruxfinder.model.thread import Thread
from cruxfinder.model.words import AgentId, RuleId

PLAIN: Final = RuleId("TURN-5")

PLEASANTRY: Final = re.compile(
    r"\b(?:thank(?:s| you)\b|(?:great|good|excellent|fair|valid|interesting|important) (?:point|question)s?\b"
    r"|i (?:really )?(?:appreciate|respect) (?:your|the|that)\b|with all due respect|well said|glad you\b"
    r"|happy to\b|hope this helps|sorry,|apologies\b)",
    re.IGNORECASE,
)
FILLER: Final = re.compile(
    r"\b(?:it(?: is|'s|’s) (?:worth|important to) not(?:e|ing)|needless to say|at the end of the day|as an ai\b"
    r"|let me (?:start|begin) by|in conclusion|to be honest|in today['’]s (?:world|age)|that being said"
    r"|i(?:'d| would) like to (?:say|point out|add|note)|as (?:we all|everyone) knows?)",
    re.IGNORECASE,
)
EMOJI: Final = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\ufe0f]")


# Every phrase above holds one of these: most messages hold none, and are not looked at twice.
TELLING: Final = frozenset(
    "thank thanks great good excellent fair valid interesting important appreciate respect well glad happy hope sorry "
    "apologies worth noting note needless end ai let conclusion honest today being like everyone all".split()
)
WORD: Final = re.compile(r"[a-z]+")


def check(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Iterator[Refusal]:
    return faults(draft.content)


def faults(content: str) -> Iterator[Refusal]:
    patterns = ((PLEASANTRY, "a pleasantry"), (FILLER, "filler"))
    plain = TELLING.isdisjoint(WORD.findall(content.lower()))
    for pattern, what in () if plain else patterns:
        found = pattern.search(content)
        if found is not None:
            yield Refusal(rule=PLAIN, reason=f'"{found[0]}" is {what}', remedy="leave it out and start with the point")
    if EMOJI.search(content):
        yield Refusal(rule=PLAIN, reason="there is an emoji in it", remedy="use words")
