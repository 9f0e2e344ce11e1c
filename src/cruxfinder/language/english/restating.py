"""Which sentences only agree, repeat or talk about the talk.

A speaker who announces a repetition ("as I said", "my view has not changed") or an agreement ("she is right") frames
what stands around it: the sentence itself adds nothing, whatever it names, and speaks against the turn it stands in.
"""

import re
from collections.abc import Sequence
from typing import Final

from cruxfinder.language.english.own_words import own_words, word_starts, words_between, words_of

# Words of saying and of holding, and words of recurring: near each other they announce a repetition.
SAYING: Final = frozenset(
    "say says said saying told tell telling state stated stating argue argued arguing argues argument arguments claim"
    " claimed claims point points view views position opinion answer answers stance thesis belief mind mention"
    " mentioned explained statement statements remarks remark words word message contention conclusion repeat"
    " repeating emphasise"
    " emphasize stress underline insist maintain maintained wrote answered verdict conviction case line".split()
)
HOLDING: Final = frozenset(
    "think thinks thought believe believes believed feel felt hold held stand stands stood support supported agree"
    " agreed disagree disagreed convinced persuaded against favour favor opposed be".split()
)
RECURRING: Final = frozenset(
    "again already before earlier same still always repeat repeats repeated repeating reiterate restate previously"
    " previous unchanged consistently throughout remains remain stands stand beginning start outset opening once ever"
    " unmoved firm firmly circles".split()
)
ANNOUNCED_MAX: Final = 90  # characters before the claim
FIRST_PERSON: Final = frozenset(
    "i i've i'm i'd i'll me my mine myself we we've we're we'd we'll our ours ourselves us im ive".split()
)
# Words for speakers, for what they say and for being of one mind: two of them before "that", or one before a colon,
# and what follows is somebody's claim, named and not argued.
TALK: Final = SAYING.union(
    RECURRING,
    HOLDING - {"think", "thinks", "be", "feel", "believe", "against", "opposed"},
    "accord agreement concur endorse share backing confirm affirm reaffirm reassert assert asserted insist hear heard"
    " right correct true truth exactly colleague colleagues friend speaker lady gentleman chair panel previous"
    " persuasion"
    " settled established common ground mine ours conclude concluded hold proposition thought".split(),
)
NEAR: Final = 5  # words between saying and recurring
NEAR_HOLDING: Final = 2  # "I still think", but not "I think they are still"
NEAR_SPEAKER: Final = 4  # words before, in which the speaker is named

VIEW: Final = (
    "(?:view|position|opinion|stance|claim|thesis|argument|case|point|answer|conviction|belief|take|line|verdict)"
)
SAID: Final = (
    "(?:said|says?|saying|told|mentioned|argued|arguing|stated|noted|explained|pointed out|wrote|written|put it"
    "|outlined|set out|laid out|expressed|observed|insisted|maintained|repeated|suggested|claimed|established|been"
    " over)"
)
FULLY: Final = "(?:fully|completely|strongly|entirely|wholly|absolutely|totally|quite|exactly|perfectly|precisely|so)"

# That it was said, that nothing has changed, that there is no more to say.
REPEATS: Final = (
    rf"(?:as|like) (?:i|we)(?:'ve| have|'d| had|'m| am)? (?:\w+ ){{0,3}}{SAID}|what i (?:\w+ )?said",
    rf"(?:what|which|that) (?:i|we)(?:'ve| have|'d| had) (?:\w+ ){{0,3}}{SAID}",
    r"as (?:already |previously |was |just )?(?:said|stated|noted|mentioned|argued|before|ever|held)",
    r"as (?:has|have) (?:already )?been (?:said|stated|noted|mentioned|argued)"
    r"(?! in\b| by (?!all|both|many|several|some|others|us\b|me\b))",
    rf"(?:i|we)(?:'ve| have| had| already| previously)(?: \w+){{0,2}} {SAID}",
    r"i told you",
    r"(?:i|we) (?:still |also |therefore |simply |just |can only |must |do |will )?"
    r"(?:repeat|reiterate|restate|reaffirm|insist|maintain|remain|refer|return to my|stand (?:by|firm|where)|stick"
    r"|merely|hold (?:firm|to|that)|rest (?:my|it)|continue to (?:think|believe|hold|support|regard|defend|maintain"
    r"|stand))",
    r"(?:let me|to|should|will|must|only|i'll|just|bears|worth|risk of) (?:just |simply |only |once more |be )?"
    r"(?:repeat(?:ing)?|reiterat\w+|restat\w+|reaffirm|recap|(?:state|say) it again"
    r"|say (?:this|it) (?:one|slowly|clearly))",
    r"(?:once|yet|time and|again and) again|one more time|once more|broken record|banging on",
    r"same (?:point|thing|answer|here) (?:again|as|from|before)",
    r"(?:for the|a) (?:second|third|last|umpteenth|nth|hundredth|(?:four|fif|six|seven|eigh|nin|ten)th) time",
    r"how many (?:more )?times",
    r"for the record|in other words|no matter what|whatever (?:you|they|any\w+) (?:say|think|claim|argue|tell)"
    r"|talked out of|an inch",
    r"(?:think|believe|hear|feel|convinced|persuaded)(?: me)? (?:otherwise|differently)",
    r"(?:not|\w+n't|nothing|never|nobody|no one)(?: \w+){0,4} (?:chang\w+|mov\w+|persuad\w+|convinc\w+|talk"
    r"|alter\w*|shak\w+|sway\w*|shift\w*) (?:my|me|our)",
    r"no amount of|(?:tired|sick) of hearing|need to (?:elaborate|explain|defend)|(?:everything|all"
    r"|every word) (?:that )?\w+ says",
    rf"(?:my|our)(?: \w+)? {VIEW},? (?:namely|that)",
    r"(?:not|\w+n't|never) (?:be )?(?:moved|budge|budging)|no change|where i (?:stand|was|stood)|all along"
    r"|from day one",
    r"(?:that|this|it|which|such)(?:'s| is| was| has been| remains| has always been)(?: still| always| all| what)* "
    rf"(?:my|our)(?: \w+)? {VIEW}",
    r"(?:that|this|it)(?:'s| is) (?:what i|that\b|all i|all from|the end|my final)|final answer",
    r"end of (?:story|it|discussion|the matter)|full stop|plain and simple|simple as that|it (?:just|simply) is"
    r"|period$",
    r"(?:everyone|everybody|all) (?:\w+ )?know|goes without saying",
    r"you (?:all |already )?(?:heard|knew|know) (?:me|my|where|that already|what i)",
    r"(?:my|our) (?:earlier|previous|original|initial|opening|prior|central|main|old)(?: \w+)? "
    rf"(?:{VIEW}s?|remarks?|statements?|turns?|comments?|posts?|one)",
    rf"(?:my|our)(?: \w+)? {VIEW}(?: \w+){{0,3}} (?:not|\w+n't|never) "
    r"(?:changed?|moved?|shift(?:ed)?|budged?|waver(?:ed)?)",
    r"(?:over|old|same|familiar|well-trodden) (?:and over|ground)|rehash\w*|treading water|how else to (?:put|say)",
    r"(?:i|we) (?:really |truly |honestly |do |firmly |sincerely |certainly ){0,3}(?:believe|mean|think|say) "
    r"(?:that|so|it|this)\W*$|don't (?:you|we all) (?:think|agree)|i certainly do|call it stubborn\w*",
    r"in circles|on record|as (?:i|we) (?:started|began)|any further|on (?:that|this) hill|back to the same",
    r"made (?:that|it|myself|my\w*) (?:very |perfectly |quite )?(?:clear|plain)",
    r"to (?:be|make it) (?:absolutely |perfectly |very |quite )?clear|back to (?:my|what i)|i meant? (?:it|what i)",
    r"(?:won't|will not|not)(?: going to)? (?:bore|belabou?r|repeat|hear otherwise)|no (?:new|further) arguments?",
    r"(?:nothing|not much|little|anything)(?: \w+){0,3} (?:to (?:add|say|offer)|needs saying)",
    r"i(?:'ve| have) (?:nothing|no doubt)|nothing (?:new|else) (?:from|here)|leave it (?:there|at that)"
    r"|my (?:bit|piece)",
    r"point stands(?= and\b|[,:;]|\W*$)|forgive (?:the|my) repetition",
    r"same (?:idea|point|thing)(?: \w+)? (?:differently|another way)",
    r"i (?:just |only |simply |must |have to |can only )?keep (?:telling|saying|repeating|coming back)",
)
# Who said what, and what it came to: each with what makes it talk about the talk.
THE_TALK: Final = (
    r"(?:it|this|that|what|my|our|your|his|her|their|\w+'s|the (?:above|argument|case|conversation|debate|dialogue"
    r"|discussion|evening|exchange|matter|talk|thread))"
)
RECAPS: Final = (
    r"(?:(?:so |(?<![a-z] ))to|let me|let us|let's|i'll|i'd|i|want to|like to|allow me to) (?:\w+ )?"
    r"(?:sum(?: \w+)? up|summari[sz]e|paraphrase|distil|recapitulate|encapsulate)"
    rf"(?=[,:;]|\W*$| (?:{THE_TALK}|where|both|all|agent|participant)\b)",
    r"in (?:sum|summary|a nutshell)(?=\W*$|[,:]? (?:my|our|i|we|you|he|she|they|both|everyone)\b)",
    r"(?:summari[sz]ing|summing up|paraphrasing|restating|reiterating|recapping)"
    rf"(?=[,;]|\W*$|[^:.]{{0,30}}:| (?:{THE_TALK}|where|both|all|everyone)\b)",
    rf"(?:gist|thrust|long and short) of {THE_TALK}",
    rf"(?:quick|brief|short|final) (?:recap|rundown|summary|synthesis)(?=[,:;]|\W*$| then\b"
    rf"| of (?:{THE_TALK}|where)\b)",
    r"what (?:(?:you|she|he|they|we|everyone|everybody|people)(?:'re|'s|'ve| are| is| has| have| was| were)"
    r"|\w+(?:'s| is| has))(?: \w+){0,3} (?:saying|told us|telling us)"
    r"(?: \w+){0,6}? (?:is|was|amounts to|comes (?:down )?to)(?=[:,]| that\b| this\b)",
    r"(?:agent|participant|speaker|panell?ist|debater) (?!who\b|that\b|which\b)\w+,?(?: as noted,)?(?: has| have)? "
    r"(?:holds|held|argues|argued|maintains|maintained|believes|believed|supports|supported|opposes|opposed|says|said"
    r"|emphasi[sz]es|emphasi[sz]ed|acknowledges|acknowledged|notes|noted|contends|contended|states|stated|sees)",
    r"(?:discussion|dialogue|conversation|debate) (?:thus far|so far|to date|above)",
    r"(?:discussion|dialogue|conversation|debate|exchange) has (?:\w+ )?"
    r"(?:highlighted|surfaced|featured|touched|covered|brought out)|what's on the table:",
)
# Agreement, praise of a speaker, thanks.
AGREES: Final = (
    rf"(?:i|we|i'd|we'd|i'll|i'm|to|all|both|{FULLY})(?: \w+){{0,3}} (?:agree|agreed|agreeing|concur)",
    r"(?:agree[ds]?|agreement|aligned) (?:with|entirely|completely|more)",
    r"(?:in|full|complete) agreement|(?:very much|fully) aligned",
    r"ditto|endorse|applaud|commend|hear,? hear|spot on|nailed it|amen|resonates?|insightful|compelling|convinced"
    r"|thanks",
    r"(?:precisely|exactly) (?:my|what (?:i|she|he|they|you)|this\W*$|so\W*$|right)",
    r"(?:same|one) (?:page|opinion|view|mind)|with \w+ on (?:this|that)|on board|i(?:'m| am) with \w+|go along with",
    rf"(?:i|i'd|i'll|we) (?:{FULLY} )?(?:second|share|back|support|affirm|echo|side with|embrace) "
    r"(?:the|that|this|what|her|him|you|them|his|your|their|every|\w+ \w+$)",
    r"count (?:me|us) in|(?:has|have|gets?|got) (?:my|our) (?:full )?(?:vote|backing|support)",
    r"seconds? (?:that|every|this|what)|echo(?:es|ing)? (?:what|the|my|that|your|his|her)|associate myself",
    r"(?:said|put) it (?:all|better|best|beautifully|perfectly)|(?:well|nicely|brilliantly|perfectly) "
    r"(?:said|put|spoken|argued|phrased|expressed|stated)|(?:everything|all|every word) (?:that )?\w+ said|unanimous"
    r"|(?:been|was|just) said",
    r"(?:somebody|someone) says it|what \w+ (?:just )?said|covered it|thank you|full marks|nodding",
    rf"(?:is|are|was|were|\w+'s|you're|they're)(?: (?:{FULLY}|also|always|both|all|indeed|plainly|clearly|of course))* "
    r"(?:right|correct)(?! (?:to|for|here|there|now|on|at|in|next|after|before)\b)",
    rf"(?:has|have|got|had) it(?: \w+)? right|{FULLY} (?:right|correct|true)\W*$",
    r"hit the nail|eye to eye|my mouth|point taken|take your point|(?:good|great|excellent|fair|valid|strong) points?",
    r"no (?:notes|argument|disagreement|objections?|quarrel|complaints|question about|doubt about)",
    r"fair enough|give you that|my (?:own )?(?:thinking|sentiments?|thoughts?|take|view) (?:exactly|entirely|with|too)",
    r"reflects? my|feel (?:exactly )?the same|think (?:so too|the same|alike)|heart of the matter",
    r"(?:as|like) (?!in\b|an?\b|to\b|if\b|it\b)(?:the |my )?(?:\w+ ){1,3}(?:rightly |just |also )?"
    r"(?:says?|said|put it|argued|pointed out|believe|thinks?)",
    r"(?:couldn't|could not|can't|cannot)(?: have)? (?:agree|put it|said|say|improve)",
)
REPEAT: Final = re.compile(rf"(?:{'|'.join(REPEATS)})(?!\w)")
RECAP: Final = re.compile(rf"(?:{'|'.join(RECAPS)})(?!\w)")
MARK: Final = re.compile(rf"(?:{'|'.join(REPEATS + RECAPS + AGREES)})(?!\w)")
# A whole sentence that is nothing but assent.
BARE: Final = re.compile(
    r"\W*(?:(?:exactly|precisely|absolutely|indeed|totally|true|definitely|certainly|this|sure|right|yes+|yep|yeah"
    r"|ok|okay|of course|agreed|well|no|so|and|period|enough|done)\W*)+|\W*(?:\+1\b|agreed?\b|like \w+, i\b).*"
)

# The words a mark begins with, but for those with an apostrophe: nowhere else is one looked for.
HEADS: Final = frozenset(
    "a absolutely again agent agree agreed agreement agrees aligned all allow amen an any anything applaud are as"
    " associate back banging bears been believe both brief brilliantly broken call cannot commend compelling complete"
    " completely conversation convinced could count covered debate debater dialogue discussion ditto echo echoes"
    " echoing end endorse entirely every everybody everyone everything exactly excellent exchange eye fair familiar"
    " feel final for forgive from full fully get gets gist give go goes good got great had has have hear heart hit how"
    " i in insightful is it just leave let like little long made must my nailed need never nicely no nobody nodding"
    " not nothing old on once one only our over panelist panellist paraphrasing participant perfectly period persuaded"
    " plain point precisely put quick quite recapping reflect reflects rehash rehashed rehashes rehashing reiterating"
    " resonate resonates restating risk said same second seconds short should sick simple so somebody someone speaker"
    " spot strong strongly such summarising summarizing summing take talked thank thanks that think this thrust time"
    " tired to totally treading unanimous valid very want was we well were what whatever where which wholly will with"
    " worth yet you".split()
)


def is_restatement(lowered: str) -> bool:
    """Does the sentence say of itself that it repeats or agrees?"""
    return (
        recurs(words_of(lowered))
        or BARE.fullmatch(lowered) is not None
        or announces(lowered)
        or begins_mark(MARK, lowered)
    )


def repeats(lowered: str) -> bool:
    """Does it say of itself that it repeats? What follows a "but" is then the repetition."""
    return recurs(words_of(lowered)) or begins_mark(REPEAT, lowered)


def recaps(lowered: str) -> bool:
    """Does it say who said what, or what it came to? What follows a "but" then stands against that."""
    return begins_mark(RECAP, lowered)


def begins_mark(mark: "re.Pattern[str]", lowered: str) -> bool:
    """Does a mark begin at one of the words that marks begin with?"""
    match = mark.match
    for at in word_starts(lowered, HEADS):  # noqa: SIM110 - faster than any(), and asked of every sentence
        if match(lowered, at):
            return True
    return False


def is_about_talk(words: Sequence[str], own: int) -> bool:
    """Is the sentence about the speakers and what they say, and hardly about anything else?"""
    return own <= 1 and not TALK.isdisjoint(words) and not FIRST_PERSON.isdisjoint(words)


def announces(lowered: str) -> bool:
    """Is there nothing but talk about the talk before a "that" or a colon?"""
    for sign, least in ((": ", 1), (" that ", 2)):
        at = lowered.find(sign, 0, ANNOUNCED_MAX)
        if at > 0:
            words = words_between(lowered, 0, at)
            talk = TALK.intersection(words)
            mine = sign == ": " or not FIRST_PERSON.isdisjoint(words)
            if mine and len(talk) >= least and len(own_words([word for word in words if word not in talk])) <= 1:
                return True
    return False


def recurs(words: Sequence[str]) -> bool:
    """Does the speaker speak of what was said or held before?"""
    if RECURRING.isdisjoint(words) or FIRST_PERSON.isdisjoint(words):
        return False
    for at, word in enumerate(words):
        if word in RECURRING:
            around = (*words[max(0, at - NEAR) : at], *words[at + 1 : at + 1 + NEAR])
            said = not SAYING.isdisjoint(around) or not HOLDING.isdisjoint(words[at + 1 : at + 1 + NEAR_HOLDING])
            if said and not FIRST_PERSON.isdisjoint(words[max(0, at - NEAR - NEAR_SPEAKER) : at + NEAR]):
                return True
    return False
