"""The words by which two questions are known for one: frames around a claim, words alike, words opposed, words to skip.

Subjects that form a pair (urban and rural, old and young) are no opposites here: a question about the one leaves that
about the other open.
"""

import re
from typing import Final

from cruxfinder.language.english.polarity import OPPOSITES

# ---- what stands around a claim and adds nothing but a yes or a no

_EVALUATED: Final = (
    r"(?:(?:the |a |an )?(?:(?:{words})(?: (?:thing|idea|choice|decision|way|course|move|step|policy|call|answer|plan"
    r"|time|option)(?: to (?:do|take|make|go))?)?))"
)
_GOOD: Final = _EVALUATED.format(
    words="right|wise|sensible|good|best|better|advisable|justified|desirable|correct|proper|permissible|acceptable|legitimate"
)
_BAD: Final = _EVALUATED.format(
    words="wrong|mistake|mistaken|unwise|bad|error|folly|foolish|misguided|unjustified|inadvisable|undesirable|imprudent|impermissible|unacceptable|illegitimate"
)
_KNOWERS: Final = (
    r"(?:(?:the |any |all |our |current |available |existing |empirical |historical |scientific )*"
    r"(?:evidence|data|facts|research|science|record|findings|studies|experience|figures|numbers))"
)
_SHOW: Final = (
    r"(?:show|shows|suggest|suggests|prove|proves|support|supports|indicate|indicates|confirm|confirms|establish"
    r"|demonstrate|demonstrates|bear out|back up|point to the conclusion)"
)
_THE_CLAIM: Final = r"(?: (?:the|a) (?:claim|view|idea|thesis|notion|conclusion|statement|belief|proposition))?"
# Each with whether it turns the claim over; taken off the beginning as long as one of them is there.
FRAMES: Final[tuple[tuple[re.Pattern[str], bool], ...]] = tuple(
    (re.compile(pattern), turns)
    for pattern, turns in (
        (
            r"(?:all things (?:considered|weighed)|on balance|on the whole|overall|in the end|at the end of the day"
            r"|ultimately|in fact|in your (?:view|opinion)|yes or no|to put it plainly|really|actually|so|then|and|but"
            r"|the question is whether|the crux is whether|whether)[,:]? ",
            False,
        ),
        (
            r"(?:is it|it is|it's|would it be|could it be|can it be)(?: (?:really|actually|indeed|in fact|then|still))?"
            r"(?: (?:true|correct|the case|a fact|so|accurate|right|likely|probable|plausible|certain|clear|fair)"
            r"(?: to (?:say|think|claim|believe|conclude))?)? that ",
            False,
        ),
        (
            r"(?:is it|it is|it's|would it be|could it be)(?: (?:really|actually|indeed|then|still))? (?:false|untrue"
            r"|incorrect|not true|not the case|a myth|unlikely|improbable|doubtful|implausible|a lie|an illusion)"
            r"(?: to (?:say|think|claim|believe))? that ",
            True,
        ),
        (
            rf"(?:does|do|did|would|will|can|could) {_KNOWERS} (?:really |actually )?{_SHOW}{_THE_CLAIM}(?: that)? ",
            False,
        ),
        (
            r"(?:is|are) there (?:\w+ ){0,3}(?:evidence|proof|reason|grounds?)(?: to (?:think|believe|say))? that ",
            False,
        ),
        (
            r"(?:do|would|should|could|can|does) (?:you|we|i|they|one|anyone|anybody) (?:really |honestly )?(?:think"
            r"|believe|agree|hold|expect|accept|say|maintain|conclude|argue)(?: that)? ",
            False,
        ),
        (r"(?:i|we) (?:think|believe|hold|claim|say|agree) that ", False),
        (r"(?:should|ought) (?:it be|one|we) (?:to )?(?:concluded|said|conclude|say) that ", False),
    )
)
AFTERTHOUGHT: Final = re.compile(
    r",? (?:all things (?:considered|weighed)|on balance|on the whole|overall|in the end|at the end of the day"
    r"|after all|in general|in fact|in your (?:view|opinion)|do you think|would you say|is that (?:true|right|so)"
    r"|isn't it|don't you think|(?:yes|true|right|correct))$"
)
# A claim named at both ends: "Is the claim that zoos are cruel false?"
CLAIM_NAMED: Final = re.compile(
    r"(?:is|are) (?:the|this|that) (?:claim|view|idea|thesis|notion|statement|belief|proposition)(?: that)? (.+?) "
    r"(true|correct|right|accurate|sound|justified|false|wrong|incorrect|mistaken|untrue)"
)
CLAIM_DENIED: Final = frozenset("false wrong incorrect mistaken untrue".split())
# What ought to be, said by calling it right or wrong: before the deed, or after it.
NORM_BEFORE: Final = re.compile(
    r"^(?:is|was|would|will|it|it's|the|\w+)(?: (?:is|it|be|was|would|will|it's))* "
    rf"(?:(?P<good>{_GOOD})|(?P<bad>{_BAD}))"
    r" (?=to |for .+? to |if |that )"
)
NORM_OF_ACTOR: Final = re.compile(
    rf"^(?:would|is|are|was|will) (?P<actor>.+?) (?:be |do )?(?:(?P<good>{_GOOD})|(?P<bad>{_BAD})) (?=(?:not )?to |in )"
)
NORM_AFTER: Final = re.compile(
    rf"^(?:is|was|would|will)(?: it be)? (?P<deed>.*?\w+ing\b.+?) (?:be )?"
    rf"(?:(?P<good>{_GOOD})|(?P<bad>{_BAD}))(?P<rest>$| for .+$)"
)
NORM_MEANS: Final = re.compile(
    r"^(?:is|was|would|will) (?P<deed>.+?) (?:be )?the (?:(?P<good>right|best|proper)|(?P<bad>wrong)) \w+ "
    r"(?P<rest>(?:for|to) .+)$"
)
NORM_WHERE: Final = re.compile(
    r"^(?:is|was) (?P<deed>.+?) (?:what|where|how|when) (?P<actor>.+?) (?:should|ought to)(?: do)?\b"
)
TIME_TO: Final = re.compile(r"^is it (?:high )?time (?:for .+? )?to ")
NORMS: Final = re.compile(r"\b(?:should|ought(?: to)?|must|needs? to|has to|have to|had better|supposed to)\b")
ABLE: Final = re.compile(
    r"\b(?:can|could|able to|capable of|(?:is|are|was|be) (?:it )?(?:possible|feasible)(?: to| for)?|possible"
    r"|feasible)\b"
)
UNABLE: Final = re.compile(r"\b(?:unable to|incapable of|impossible|infeasible|unfeasible)\b")
AHEAD: Final = re.compile(r"\b(?:will|going to|shall)\b")
BEHIND: Final = re.compile(r"^(?:did|was|were|has|have|had)\b|\b(?:did|was|were|has|have|had)\b")

# ---- words that say one thing in several

PHRASES: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])"), instead)
    for pattern, instead in (
        (
            r"(?:only )?(?:(?:somewhere|anywhere|someone|anyone|somebody|people|those|something|(?:by )?some \w+) )?"
            r"other than",
            "not",
        ),
        (r",? (?:on balance|on the whole|all in all),?", ""),
        (r"(?:rather than|instead of)(?= \w+ing\b)", "not"),
        (r"at least as (\w+) as", r"not less \1 than"),
        (r"(\w+) (\w+ )?or (?:fewer|less)", r"below \1 \2"),
        (r"(?:fall|falls|fell|fallen|lag|lags|lagged) behind", "not keep up with"),
        (r"(?:be|is|was|been) over(?! (?:the )?\w+ (?:percent|per cent|%|years)| \d)", "end"),
        (r"going to", ""),
        (r"(?:no|not) later than", "by"),
        (r"some ?day|one day|at some point|sooner or later|eventually", ""),
        (r"(?:of all times?|in (?:all )?history|(?:has |have |had )?ever seen)", ""),
        (r"(?:tell|tells|telling|told) the truth", "not lie"),
        (r"more heavily", "raise"),
        (r"(?:be )?(?:pay|paid) more", "pay rise"),
        (r"(?:gain|gains|gained|profit|profits|profited|benefit|benefits|benefited) (?:\w+ )?from", "benefit"),
        (r"suffer(?:s|ed)? from", "harm"),
        (r"(?:die|dies|died|dying) (?:from|of)", "kill"),
        (r"(?:result|consequence|product) of|(?:stem|stems|stemmed|arise|arises|arose) from", "cause"),
        (r"costs? (?:much |far )?less than", "cheaper than"),
        (r"costs? (?:much |far )?more than", "expensive than"),
        (r"climate change|global heating", "global warming"),
        (r"artificial intelligence|a\.i\.", "ai"),
        (r"(?:work|working) from home|telework(?:ing)?|telecommuting|(?:work|works|working) remotely", "remote work"),
        (r"social networks?", "social media"),
        (r"nuclear energy|atomic (?:power|energy)", "nuclear power"),
        (r"electric vehicles|evs", "electric cars"),
        (r"the united states(?: of america)?|the usa|u\.s\.|the us", "america"),
        (r"the united kingdom|u\.k\.|the uk|great britain", "britain"),
        (r"carbon dioxide", "co2"),
        (r"per ?cent|percentage points?", "%"),
        (r"(?:get(?:s|ting)?|got|be) rid of|(?:do(?:es|ing)?|done) away with|phas(?:e|es|ed|ing) out", "abolish"),
        (r"(?:bring|brings|brought|bringing) back", "restore"),
        (r"(?:hold|holds|held|hang|cling) on to|stick(?:s|ing)? (?:to|with)|stand(?:s|ing)? by", "keep"),
        (r"(?:put|puts|putting) (.{1,40}?) (?:up )?for sale", r"sell \1"),
        (r"(?:take|takes|taken|taking|tear|torn|pull|pulled|knock|knocked) down", "demolish"),
        (r"(?:step|steps|stepped|stepping|stand|stands|stood) (?:down|aside)", "resign"),
        (r"(?:stay|stays|stayed|remain) up", "remain"),
        (r"against the law", "illegal"),
        (r"do(?:es)? more harm than good", "harmful"),
        (r"(?:at liberty|free|entitled|able) to", "allowed to"),
        (r"(?:have|has|had) the right to|(?:be )?given the right to", "allowed to"),
        (r"(?:kept|keep|stop|stopped|prevented|prevent|barred|bar|banned) from(?= \w+ing\b)", "forbidden"),
        (r"(?:compelled|forced|obliged) to(?: be)?", "compulsory"),
        (r"around the clock|day and night|at (?:any|all) (?:hour|hours|time|times)|24 hours a day", "any hour"),
        (r"from abroad", "foreign"),
        (r"(?:run|runs|ran|running) out of", "no left"),
        (r"capital punishment", "death penalty"),
        (r"rather than|instead of|in place of", "instead"),
        (r"strik(?:e|es|ing) down|throw(?:s|n)? out|set(?:s|ting)? aside", "overturn"),
        (
            r"lead(?:s|ing)? to|led to|result(?:s|ed|ing)? in|give(?:s|n)? rise to|bring(?:s|ing)? about|brought about",
            "cause",
        ),
        (r"because of|due to|owing to|as a result of|thanks to|through", "through"),
        (r"go(?:es)? up|went up|going up", "rise"),
        (r"go(?:es)? down|went down|going down|come(?:s)? down", "fall"),
        (r"tak(?:e|es|ing) the place of|substitut(?:e|es|ed|ing) for", "replace"),
        (r"cost(?:s)? nothing|free of charge|without charge|at no (?:cost|charge)", "free"),
        (r"every day|each day", "daily"),
        (r"every year|each year|a year|per year|yearly", "annual"),
        (r"no more than|not more than|at most|fewer than|less than|lower than|under", "below"),
        (r"(?:no|not) less than|no fewer than|at least|more than|greater than|higher than|in excess of|over", "above"),
        (r"no (better|more|greater|higher|stronger|faster|cheaper|safer|longer) than", r"not \1 than"),
        (r"in one piece|as (?:it|they) (?:is|are)|as before", "remain"),
        (r"willing to|prepared to|ready to", ""),
        (r"a majority of|the majority of|majority of", "most"),
        (r"even if|even though", "although"),
        (r"too (\w+)(?= (?:for|to)\b)", r"\1 enough"),
        (r"(?:avoid|avoids|avoided|refrain from|refrains from|abstain from)(?= \w+ing\b)", "not"),
        (r"turn(?:s|ed|ing)? (?:down|away)", "reject"),
        (r"(?:stop|stops|stopped|quit) using", "abolish"),
        (r"call(?:s|ed|ing)? off", "cancel"),
        (r"go(?:es)? ahead|went ahead", "proceed"),
        (r"on time", "punctual"),
        (r"(?:larger|bigger|more numerous) than", "above"),
        (r"smaller than", "below"),
        (r"vot(?:e|es|ed|ing) for|in favou?r of", "support"),
        (r"vot(?:e|es|ed|ing) against", "oppose"),
        (r"\$ ?(\d[\d,.]*(?: (?:thousand|million|billion))?)", r"\1 dollars"),
        (r"€ ?(\d[\d,.]*(?: (?:thousand|million|billion))?)", r"\1 euros"),
    )
)

# What is done is said after what it is done to: "makes memory better".
MADE: Final = re.compile(
    r"\b(?:make|makes|making|made) (?!it |them )(?:\S+ ){1,4}(?:\w+er|worse|\w+able|\w+ful|possible)\b"
)

# Verbs whose object does what their subject undergoes: "gains from", "suffers from".
CONVERSE: Final = re.compile(
    r"\b(?:(?:gain|gains|gained|profit|profits|profited|benefit|benefits|benefited) (?:\w+ )?from|suffer(?:s|ed)? from"
    r"|(?:die|dies|died|dying) (?:from|of)|(?:result|consequence|product) of"
    r"|(?:stem|stems|stemmed|arise|arises|arose) from)\b"
)

# A day by which, however it is put.
BY_THEN: Final = re.compile(
    r"\b(?:by|until) (?=(?:the (?:end|middle|start|beginning) of |early |late |mid-?)?"
    r"(?:\d{4}|q\d|january|february|march|april|may|june|july|august|september|october|november|december))"
)

# ---- alike and opposed

ALIKE: Final = tuple(
    frozenset(line.split())
    for line in """
ban prohibit forbid outlaw bar
allow permit legalise legalize tolerate
abolish scrap eliminate eradicate discontinue dismantle drop
keep retain maintain preserve
buy purchase acquire
relocate move transfer shift
begin start commence launch
end finish stop cease halt conclude
close shut
children kids
teenagers adolescents teens youths
salary wage pay
employees staff workers personnel
company firm business corporation enterprise
doctors physicians
attorneys lawyers
cars automobiles motorcars vehicles
houses homes dwellings
citizens residents inhabitants
pupils students schoolchildren
teachers educators
reduce lower decrease cut shrink lessen diminish depress curb shorten
raise increase boost rise grow climb
improve better enhance
worsen deteriorate
harm hurt damage harmful detrimental injurious bad
benefit help beneficial useful good effective efficacious
cause trigger provoke produce
prevent avert avoid
exceed surpass top beat above outperform
profit gain
compulsory mandatory obligatory required
appoint hire recruit
best greatest
good better
sell sale
lie lying liar
dutch netherlands holland
french france
spanish spain
swiss switzerland
danish denmark
swedish sweden
polish poland
british britain
english england
greek greece
irish ireland
turkish turkey
welsh wales
scottish scotland
finnish finland
reintroduce restore reinstate revive
illegal unlawful criminal
resign quit
player footballer
wolf wolves
correct right true
kill die
wrote author write
voluntary optional
necessary need required essential indispensable
ratify approve
reject refuse turn
show prove demonstrate
think believe
big large huge
small little tiny
fast quick rapid
costly expensive dear pricey
cheap inexpensive affordable
safe secure
dangerous hazardous risky
possible feasible doable
split divide
replace substitute
adopt introduce implement
reach achieve attain hit meet
build construct erect
destroy demolish eliminate
people persons humans
illness disease sickness
medicine drug medication
method approach technique
important crucial vital
work function operate
stay remain continue
vanish disappear
speed pace
weapon arm
tax levy
lawful legal
immigrants migrants
supply provision
sufficient enough adequate
uphold confirm affirm sustain
overturn annul quash reverse
outweigh exceed
since after
before until
within during
""".strip().splitlines()
)
# On each line the one pole, then the other, beside those of polarity.
_MORE_POLES: Final = """
keep retain maintain preserve stay remain continue | abolish scrap eliminate discontinue dismantle drop close end \
replace leave lose
continue persist | end finish stop cease halt
open | close shut
adopt introduce implement impose | abolish repeal scrap withdraw
uphold confirm affirm sustain | overturn annul quash reverse strike
ratify approve adopt | reject refuse
compulsory mandatory obligatory required | voluntary optional
exist survive | vanish disappear
reach achieve attain hit meet | miss
above exceed surpass | below
for | against
have possess | lack
mandatory | optional
increase raise rise grow | shorten depress
good effective | poor bad
willing | refuse
exist real | illusion myth fiction
fair | rigged
punctual | late delayed
proceed | cancel
"""
# Lines of polarity whose poles are two subjects, two places or two times rather than a yes and a no.
SUBJECTS: Final = frozenset(
    "public natural hot friend young urban local import inflation light inside before modern buy rich teach love"
    " peace famous near present wet active wide thick deep full begin".split()
)


def _poles() -> dict[str, dict[str, int]]:
    found = {
        word: {line: sign for line, sign in signs.items() if line not in SUBJECTS} for word, signs in OPPOSITES.items()
    }
    for line in _MORE_POLES.replace("\\\n", "").strip().splitlines():
        plus, minus = (half.split() for half in line.split("|"))
        for sign, words in ((1, plus), (-1, minus)):
            for word in words:
                found.setdefault(word, {})[f"+{plus[0]}"] = sign
    return {word: signs for word, signs in found.items() if signs}


POLES: Final = _poles()

# ---- words that may be missing, and words that may not

LIGHT: Final = frozenset(
    "get got make made making do does done take taken really actually truly simply indeed ever thing thing people"
    " person persons today now currently overall exist real have has case fact question matter become idea choice"
    " decision way long-term go goes come put set world general generally anyway already still whole part remain"
    " turn keep stay continue leave =through".split()
)
ACTORS: Final = frozenset("government state authorities law society we us country nation lawmakers politicians".split())
WEIGHTY: Final = {
    "all": "all", "every": "all", "each": "all", "always": "all", "everybody": "all", "everyone": "all",
    "most": "most", "mostly": "most", "usually": "most",
    "some": "some", "sometimes": "some", "several": "some", "few": "few", "rarely": "few", "many": "many",
    "often": "many",
    "only": "only", "solely": "only", "alone": "only", "first": "first", "second": "second", "third": "third",
    "fifth": "fifth", "last": "last", "double": "twice", "both": "both", "half": "half",
    "again": "again", "once": "once", "twice": "twice", "if": "if", "unless": "unless", "because": "because",
    "why": "why", "how": "how", "who": "who", "when": "if", "where": "where", "while": "while", "although": "although",
    "same": "same", "own": "own", "before": "before", "after": "after", "until": "before", "since": "after",
    "above": "above", "below": "below", "against": "against", "than": "than", "through": "through",
    "more": "more", "less": "less", "too": "too", "up": "up", "down": "down", "off": "off", "out": "out",
}  # fmt: skip
NUMBER_WORDS: Final = {
    word: str(n)
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
     "hundred": "100", "thousand": "1000", "million": "1e6", "billion": "1e9", "tenth": "1/10",
     "quarter": "1/4"}  # fmt: skip
COMPARING: Final = frozenset("exceed surpass beat outperform outweigh above below top outnumber".split())
NEGATING: Final = frozenset(
    "not never no neither nor nobody none nothing without hardly scarcely lack lacks lacking".split()
)
BEFORE_TO: Final = frozenset("fail fails failed refuse refuses refused decline declines unable unwilling".split())
