"""Deadlines that have no date and yet come: feasts, seasons, birthdays, terms, a wedding, "before she turns ten".

What is found here is open-ended for the calendar; that it is a deadline at all is what counts.
"""

import re
from typing import Final

from cruxfinder.language.english import stated_events
from cruxfinder.language.english.sentence_words import tokenize
from cruxfinder.language.english.vague_words import ABSTRACT

FEASTS: Final = (
    r"(?:easter|christmas|xmas|boxing day|new year(?:['’]s)?(?: eve| day)?|hogmanay|ramadan"
    r"|eid(?: al-\w+)?|diwali|holi|lent"
    r"|pentecost|whitsun|thanksgiving|hallowe['’]?en|bonfire night|advent|hanukkah|chanukah|passover|yom kippur"
    r"|rosh hashanah|purim|nowruz|vesak|candlemas|michaelmas|lammas|martinmas|epiphany|twelfth night|shrove tuesday"
    r"|ash wednesday|good friday|ascension|corpus christi|all saints|all souls|mardi gras|oktoberfest|mid-?summer"
    r"|mid-?winter|valentine['’]s(?: day)?|(?:st\.?|saint) \w+['’]s(?: day)?|(?:mother|father)['’]s day|may day"
    r"|(?:independence|labou?r|memorial|bastille|veterans|remembrance|armistice|republic|national|groundhog|australia"
    r"|canada|election|results|polling|sports|prize|founders['’]?|opening|closing|graduation|wedding"
    r"|moving|release|launch"
    r"|pay|rent|deadline|transfer deadline|market|match|race|exam|harvest) day|spring equinox"
    r"|summer solstice|black friday|super bowl(?: sunday)?|wimbledon|glastonbury|eurovision)"
)
SEASONS: Final = r"(?:(?:early|late|mid|high)[ -]?)?(?:spring|summer|autumn|winter)(?:time)?"
OCCASIONS: Final = (
    r"(?:anniversary|agm|assembly|assizes|auction|awards?|ball|ballot|banquet|baptism|bazaar|birthday|bonfire|budget"
    r"|by-election|carnival|census|ceremony|championships?|christening|christmas|concert|conference"
    r"|congress|convention|count"
    r"|cup|debut|derby|deadline|draft|draw|due date|edition|eclipse|elections?|enrolment|equinox|exams?|examinations?"
    r"|exhibition|expo|fair|feast|festival|f[eê]te|fiesta|finals?|final whistle|fireworks|funeral|gala"
    r"|games?|graduation"
    r"|gig|half-?time|half-?term|handover|harvest|hearing|holidays?|inauguration|inspection|interview|jubilee|kick-?off"
    r"|lambing|launch|lecture|marathon|match|meeting|midterms|mocks|monsoon|offsite|olympics|open day|opening night"
    r"|pageant|parade|performance|play-?offs|poll|premi[eè]re|primary|primaries|procession|prom|race|rains|recess"
    r"|referendum|regatta|rehearsal|retirement|retreat|reunion|run-?off|season|semester|session|show|sittings?|solstice"
    r"|sowing|sprint|stocktake|stocktaking|summit|term|terms|thaw|tournament|trial|vintage|wedding|weigh-in|world cup"
    r"|full moon|new moon|spring tide|check-?up|scan|follow-?up|appointment|visit|assessment|audit|first night|weekend)"
)
_OWNER: Final = r"(?:the|our|their|his|her|my|its|your|this|that|an?|next|[^\W\d_]+['’]s)"
_LEADS: Final = (
    r"(?:by|before|at|on|in|until|till|during|after|for|come|over|through|no later than|not later than"
    r"|ahead of|prior to"
    r"|in time for|between now and|from now (?:until|till|to))"
)
_PRONOUN: Final = r"(?:she|he|it|we|they|I|you)"
_NUMBER: Final = (
    r"(?:\d[\d.]*(?:st|nd|rd|th)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty"
    r"|thirty|forty|fifty|a"
    r"|an|half a)"
)
_SPAN: Final = (
    r"(?:hour|day|week|fortnight|month|quarter|term|semester|season|winter|summer|spring|autumn|harvest|year|decade)s?"
)
_CLAUSE: Final = r"(?:before|until|till|by the time(?: that)?|by when|as soon as|the day|the next time|the first time)"
_END: Final = r"(?=[,;.!?)]|\s*$)"
_AGE: Final = (
    r"(?:(?:by|before|at|until|under|past) (?:the )?age (?:of )?[\w-]+"
    rf"|(?:by|before|on|until) {_OWNER} (?:[\w-]+ ){{0,2}}(?:birthday|anniversary))"
)
_DAY_OF_MONTH: Final = (
    r"(?:by|on|before|until|till|from) the (?:\d{1,2}(?:st|nd|rd|th)|(?:first|second|third|fourth|fifth|tenth|fifteenth"
    r"|twentieth|last)(?: (?:day|mon|tues|wednes|thurs|fri|satur|sun)\w*)?(?= of\b))"
    r"(?: of (?:the|this|next) (?:month|year|quarter|week))?"
)
_TIME_OF_DAY: Final = (
    r"(?:by|before|at|until) (?:first light|dawn|sunrise|breakfast|noon|midday|lunch(?:time)?|tea-?time|dusk|sunset"
    r"|sundown|supper|dinner|bedtime|midnight|closing time|kick-?off|half-?time|half-?term|full-?time|the final whistle"
    r"|harvest(?: time)?|payday|lambing|calving|sowing|planting|shearing)"
)
_MONTH: Final = (
    r"(?:by|before|in|until|till|come|this|next) (?:early[ -]|late[ -]|mid[ -]|the (?:end|start|middle) of )?(?:january"
    r"|february|march|april|(?-i:May)|june|july|august|september|october|november|december)"
)
# The first or the next of its kind, and no manner of speaking.
_NEXT: Final = (
    rf"(?:on|at|in|over|during|within|for|through|by|before) (?:(?:any|either|one|all|each|both|two|three"
    rf"|some) of )?{_OWNER}"
    r" (?:next|coming|upcoming|first|second|opening|following|remaining|final|closing)"
    r" (?!place|instance|resort|analysis|minute|moment|step|glance|sight|time\b)(?:[\w'’-]+ ){0,4}?[\w'’-]+"
    rf"(?: (?:of|in|on|as|after|with) [^,;.?!]{{1,50}})?{_END}"
)
_COUNTED: Final = (
    r"(?:by|before|until|at|after|in) (?:chapter|version|round|episode|week|day|stage|lap|mile|page|level"
    r"|step|release|sprint"
    rf"|season|volume|issue|phase|milestone|session|v(?=\d)) ?{_NUMBER}(?: [^\W\d_]+s)?"
)
_FROM_NOW: Final = (
    rf"(?:(?:by|within|in|at) )?{_NUMBER} {_SPAN} (?:from (?:now|today|tonight|tomorrow)|hence"
    rf"|into {_OWNER} [^,;.?!]{{2,50}})"
    r"|within the (?:hour|day|week|fortnight|month|quarter|year|decade)|by halfway through [^,;.?!]{2,50}"
    rf"|(?:over|in|during) the course of {_OWNER} [^,;.?!]{{2,50}}|between now and [^,;.?!]{{3,50}}"
)
FOUND: Final = re.compile(
    rf"\b(?:{_LEADS} (?:the |this |next |orthodox |western )*(?:end of |eve of |start of |feast of )?{FEASTS}"
    rf"|(?:by|before|until|till|come|in|this|next|over|during|through) (?:the )?(?:end of |start of )?"
    rf"(?:next |coming |this )?{SEASONS}"
    rf"|(?:by|before|this|next|come) (?:the )?fall{_END}|{_AGE}|{_DAY_OF_MONTH}|{_TIME_OF_DAY}|{_MONTH}"
    rf"|{_COUNTED}|{_FROM_NOW}"
    rf"|{_NEXT}"
    r"|(?:come|till|until|by|before|on|next|this) (?:mon|tues|wednes|thurs|fri|satur|sun)day(?:['’]s [^\W\d_]+)?"
    r"(?: (?:week|morning|afternoon|evening|night|lunchtime))?"
    r"|(?:by |before )?this (?:morning|afternoon|evening|term|school year|academic year|parliament|harvest)"
    r"|(?:by |before )?(?:the )?(?:end of )?(?:next|this|the (?:next|coming|current|present)) (?:term"
    r"|half-term|school year"
    r"|academic year|parliament|parliamentary session|harvest|growing season)"
    rf"|{_LEADS} {_OWNER} (?:[\w'’.-]+ ){{0,5}}?{OCCASIONS}\b(?: (?:of|in|at) [^,;.?!]{{1,50}})?)(?![\w-])",
    re.IGNORECASE,
)
# What is said of the next of its kind is due when that is there: "the next pope is African", "tomorrow's paper".
NEXT_OF_KIND: Final = re.compile(
    r"\b(?:(?:the|our|my|his|her|its|their|[^\W\d_]+['’]s) (?:next|upcoming|coming|forthcoming) (?!to\b"
    r"|of\b|generations?\b|time\b)"
    r"[^\W\d_][\w-]+|(?:tomorrow|tonight|next \w+|this (?:year|week|month|spring|summer|autumn|winter"
    r"|season|term|evening)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)['’]s [^\W\d_][\w-]+)",
    re.IGNORECASE,
)
# A clause or a thing that comes: "before the last of the tenants has moved out".
COMES: Final = re.compile(
    rf"\b(?:{_CLAUSE} (?:{_OWNER}|{_PRONOUN}|all|both|any|either|half|no(?:body| one)?|v\d[\d.]*"
    rf"|(?-i:[A-Z])[\w'’-]+) (?:[\w'’.-]+ ){{0,12}}?"
    rf"[\w'’-]*\w|while (?:{_OWNER}|{_PRONOUN}) (?:[\w'’-]+ ){{0,5}}?(?:is|are|am|holds?|remains?"
    rf"|sits?) (?:still |in |at |on |alive)"
    rf"[^,;.?!]{{0,40}}){_END}",
    re.IGNORECASE,
)
# As a part of its own a thing that is one of its kind will do: "the night of the count", "her wedding".
DEFINITE: Final = re.compile(
    rf"(?:(?:at|on|by|before|after|during|until|for|when|in time for"
    rf"|not later than) )?{_OWNER}\s+(?:[\w'’.-]+ ){{0,7}}[\w'’.-]*\w",
    re.IGNORECASE,
)
# Of these nobody can say that they have come.
NO_OCCASION: Final = ABSTRACT | frozenset(
    "air appointed beginning bitter context day days decades distance distant end eventually ever fact"
    " foreseeable fullness"
    " future generation generations good hour kingdom last least long meantime middle moment near"
    " occasion once outset past"
    " point present process reckoning right ripe run same stage term then things tomorrow while world years".split()
)
OF_THESE: Final = re.compile(
    r"\b(?:of|in) (?:time|reckoning|days|things|judgement|judgment|truth|history|ages|it all)\b", re.IGNORECASE
)
NEVER: Final = re.compile(
    r"\b(?:cows come home|hell freezes|too late|pigs (?:can )?fly|kingdom come|end of (?:time|the world|days))\b",
    re.IGNORECASE,
)


def find_named_deadline(text: str) -> str:
    """The last words that name an occasion, or the clause or thing before which it has to happen."""
    matches = (found for form in (FOUND, COMES) for found in form.finditer(text) if names_occasion(found[0]))
    last = max(matches, key=lambda found: (found.end(), -found.start()), default=None)
    last = last or NEXT_OF_KIND.search(text)
    return "" if last is None else last[0].strip()


def names_occasion(deadline: str) -> bool:
    """It names something that comes, and that somebody will notice when it has."""
    text = deadline.strip(" .,;:!")
    if NEVER.search(text) or OF_THESE.search(text):
        return False
    if (
        FOUND.search(text) is not None
        or FOUND.fullmatch(f"at {text}") is not None
        or NEXT_OF_KIND.fullmatch(text) is not None
    ):
        return True
    known = tokenize(text)
    if not known.words or stated_events.is_vague(CLAUSE_LEAD.sub("", HEARD.sub("case", text))):
        return False
    if COMES.fullmatch(text) is not None:
        return True
    head = re.split(r"\s(?:of|in|at|on|for|with|after|before)\s", DEFINITE_LEAD.sub("", text))[0].split()
    return DEFINITE.fullmatch(text) is not None and (
        head[-1].lower() not in NO_OCCASION
        or (len(head) > 0 and re.search(rf"\bof {_OWNER} ", text, re.IGNORECASE) is not None)
    )


# An appeal that is heard is no appeal something has.
HEARD: Final = re.compile(r"\bappeal(?= (?:is|has been|was) )", re.IGNORECASE)
CLAUSE_LEAD: Final = re.compile(rf"^(?:{_CLAUSE}|{_LEADS}|while)\s+", re.IGNORECASE)
DEFINITE_LEAD: Final = re.compile(
    r"^(?:at|on|by|before|after|during|until|for|when|in time for|not later than)\s+", re.IGNORECASE
)
