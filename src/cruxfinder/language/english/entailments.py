"""Does a turn add an implication, an application, a counterexample, a concession or a test?

Skilled speakers rarely announce what they add: they say what something does, name a case, deny. So a sentence counts by
its connective, by its form, or by saying enough of its own (words that are neither padding nor stance nor a verdict).
Whether the turn as a whole adds anything, or only agrees and repeats, is weighed by all of its words (`substance.py`).
"""

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import Final, NamedTuple

from cruxfinder.kernel.redundancy_limits import Entailment
from cruxfinder.language.claim_graph import LinkKind
from cruxfinder.language.english import connectives, substance
from cruxfinder.language.english.own_words import own_words, words_between, words_of
from cruxfinder.language.english.restating import is_about_talk, is_restatement, recaps, repeats
from cruxfinder.language.english.revising import NAMED, names_subject, revises
from cruxfinder.language.english.texts import content_stems, content_words

SAID_BEFORE: Final = 0.75  # of a sentence's content words, in one earlier text: it is not new
# Speaker and listener; "we" may be anybody.
PEOPLE: Final = substance.SPEAKER.union(substance.SECOND_PERSON) - frozenset(
    "we we've we're we'd we'll our ours ourselves us".split()
)
OWN: Final = 5  # words by which a statement says something without any telling form

KINDS: Final = {
    LinkKind.BECAUSE: Entailment.IMPLICATION,
    LinkKind.IMPLIES: Entailment.IMPLICATION,
    LinkKind.CONTRASTS: Entailment.COUNTEREXAMPLE,
    LinkKind.EXAMPLE: Entailment.APPLICATION,
}

# Verbs by which one thing brings about, keeps off or bears on another.
EFFECTS: Final = (
    "accelerate achieve affect aggravate aid allow alleviate alter assist attract avoid ban benefit boost breed bring"
    " broaden build burden bury cause challenge cheapen compel contribute control corrupt cost create cripple cure curb"
    " cut damage decrease degrade delay demean deny deprive destroy deter devalue diminish disadvantage discourage"
    " discriminate disrupt distort distract divert divide drain drive ease educate eliminate empower enable encourage"
    " endanger enhance enrich ensure entail equip erode escalate exacerbate exclude expand exploit expose facilitate"
    " feed fight finance force foster free fuel fund generate give guarantee halt hamper harm help hinder hurt ignore"
    " impair impede impose improve incentivise incentivize incite increase infringe inhibit injure inspire instil"
    " instill interfere invade invite jeopardise jeopardize keep kill lead lessen let level lift limit lower make"
    " manipulate minimise minimize mislead motivate nurture offer open oppress overwhelm perpetuate pollute preserve"
    " pressure prevent produce promote prolong protect provide provoke pull punish push put raise reduce reflect"
    " reinforce relieve remove replace require respect restrain restrict reveal reward risk ruin sacrifice save secure"
    " separate serve shape shift shield show slow solve spare spark speed spoil spread spur stabilise stabilize steal"
    " stifle stigmatise stigmatize stimulate stop strain strengthen stunt suppress sustain teach threaten"
    " train transform traumatise traumatize trigger undermine unite uphold violate waste weaken widen worsen"
).split()


def verb_inflections(verb: str) -> Iterator[str]:
    base = verb.removesuffix("e")
    yield from (verb, f"{verb}s", f"{verb}es", f"{base}ed", f"{base}ing", f"{verb}{verb[-1]}ing", f"{verb}{verb[-1]}ed")
    if verb.endswith("y"):
        yield from (f"{verb[:-1]}ies", f"{verb[:-1]}ied")


IRREGULAR: Final = (
    "brought built bred drove driven fed fought gave given hurt kept led made stole stolen taught cost puts"
)
EFFECT: Final = frozenset((*(form for verb in EFFECTS for form in verb_inflections(verb)), *IRREGULAR.split()))
# Each of these forms is looked for only where one of its words stands, or a word with an apostrophe.
USE: Final = (
    "harmful damaging detrimental dangerous beneficial essential necessary vital crucial needed helpful disrespectful"
    " insulting unfair degrading threat risk danger burden alternative barrier gateway access way right means tool"
    " incentive deterrent protection violation form act cause source"
).split()
BEARINGS: Final = frozenset((*USE, "than"))
BEARING: Final = re.compile(
    rf"\b(?:{'|'.join(USE)}) (?:to|for|of|against)\b|\b(?:more|less|better|worse|\w{{3,}}er)(?: \w+){{0,2}} than\b"
)
MODALS: Final = frozenset("should must ought need needs have has had got let's time".split())
MODAL: Final = re.compile(
    r"\b(?:should|must|ought to|needs? to|ha(?:ve|s) to|(?:ha(?:ve|s)|'ve|'s) got to|let's|had better|time to)\b"
)
NO: Final = "not no never nobody none nothing neither nor cannot cant dont doesnt isnt hardly only".split()
DENIALS: Final = frozenset(NO)
DENIAL: Final = re.compile(rf"\b(?:{'|'.join(NO)}|\w+n't)\b")
FIRST: Final = itemgetter(0)
NUMBERS: Final = frozenset(
    "three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen twenty thirty forty fifty"
    " sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions percent cent"
    " half"
    " third thirds quarter decade decades years".split()
)
INSTANCES: Final = frozenset(
    "imagine suppose picture say think look consider take ask like as where countries places cities schools hospitals"
    " states prisons villages practice met saw seen watched worked grew sat taught lived visited tried used was were"
    " had"
    " mother father parents grandfather grandmother daughter son brother sister town village school".split()
)
INSTANCE: Final = re.compile(
    r"\b(?:imagine|suppose|picture|say that|think of|look at|consider|take (?:the|a)|ask (?:an?|any|the)|like in"
    r"|as in|where i come from|in (?:countries|places|cities|schools|hospitals|states|prisons|villages|practice)"
    r"|(?:i|we)(?:'ve| have)? (?:met|saw|seen|watched|worked|grew|sat|taught|lived|visited|tried|used to|was|were|had)"
    r"|my (?:mother|father|parents|grandfather|grandmother|daughter|son|brother|sister|town|village|school))\b"
)
# A name in the middle of a sentence, where a capital means something.
NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}")

CHECK: Final = "(?:test|measure|compare|count|check|survey)"
CHECKED: Final = "tested|measured|compared|counted|checked|surveyed"
# Forms that tell by themselves, each with the words of which it holds one.
FORMS: Final = (
    (
        Entailment.IMPLICATION,
        frozenset(
            "more less fewer longer higher lower bigger smaller stronger richer older harder faster slower cheaper"
            " hotter colder deeper wider larger greater better shorter sooner later easier heavier poorer safer".split()
        ),
        re.compile(r"\bthe (?:more|less|fewer|\w{2,9}er)\b.{3,80}?\bthe (?:more|less|fewer|\w{2,9}er)\b"),
    ),
    (
        Entailment.COUNTEREXAMPLE,
        frozenset(
            "not what exception exceptions counterexample counterexamples counter even contrary follow both"
            " either".split()
        ),
        re.compile(
            r"\b(?:not (?:all|every|always)|what about|exceptions?|counter-?examples?|even (?:if|when|where|in|the)"
            r"|on the contrary|(?:doesn't|does not) follow|both ways|either\b.{3,80}?\bor)\b"
        ),
    ),
    (
        Entailment.CONCESSION,
        frozenset(
            "grant concede admit acknowledge allow recognise recognize admittedly granted fair true doubt denies"
            " assume right give".split()
        ),
        re.compile(
            r"\b(?:(?:i|we)(?:'ll| will| do| would| must| have to| can)? (?:freely |readily |fully )?"
            r"(?:grant|concede|admit|acknowledge|allow|recogni[sz]e|give up that)|admittedly|granted|to be fair"
            r"|it(?:'s| is) true that|i don't doubt|no one denies|let's assume|that's true"
            r"|(?:you(?:'re| are)|may be) right (?:that|about))\b"
        ),
    ),
    (  # proposed or asked for: who speaks of a test suite, a trial in court or a study proposes none
        Entailment.TEST,
        frozenset(
            "test tests tested testable measure measured measurable compare compared count counted check checked survey"
            " surveyed surveys pilot pilots trial trials experiment experiments study criterion criteria threshold"
            " observable falsify falsified falsifies falsifiable falsification predict predicts prediction know tell"
            " show shows prove convince mind settle settles disprove refute wrong take".split()
        ),
        re.compile(
            rf"\b(?:how (?:would|do|does|will|can|could) (?:we|you|i|one|anyone|anybody) (?:know|tell|{CHECK})"
            r"|would (?:show|prove|convince|change (?:my|your|our) mind|settle|disprove|refute|falsify)"
            r"|(?:could|can|will) (?:show|settle|disprove|falsify)|show me (?:one|an?|any|the|where|that)\b"
            r"|what would it take|change my mind|if (?:i am|i'm) wrong|prove me wrong|tell me by|falsif\w+"
            rf"|(?:let's|let us|should|could|can|must|to|and|then|or|we'd|i'd|we'll|would|please|only) {CHECK}\b"
            rf"(?! (?:of|for|on)\b)|(?:be|is|are) (?:{CHECKED}|testable|measurable|observable)\b"
            r"|tests? (?:is|would|will be|for (?:this|that|it|which)|of (?:this|that|it)|here)\b"
            r"|(?:criteri(?:on|a)|threshold) (?:is|are|would|should|for|of|at)\b"
            r"|(?:this|that|it|which|view|claim|theory|hypothesis|account|you|i|we) (?:would |should )?predicts?\b"
            r"|my prediction|(?:run|try|do|fund|hold|propose|need|want|begin|start|set up|wait for)(?: with)? "
            r"(?:an?|one|the|two|both|our)(?: [\w-]+){0,3}? (?:experiment|pilot|trial|test|study|survey)s?)\b"
            rf"|(?:^|[,;:] ){CHECK} (?:the|a|an|it|them|both|how|what|whether|which|our|your|each|every|those|these)\b"
        ),
    ),
)
# What is conceded is named after it.
GRANTS: Final = re.compile(
    r"\b(?:(?:grant|concede|admit|acknowledge|allow|recogni[sz]e|give up)(?: you)? that|may be right (?:that|about)"
    r"|it(?:'s| is) true that)\b"
)
TURN: Final = re.compile(
    r"[,;:]? \b(?:but|however|though|although|yet|except|where we (?:part|differ)"
    r"|which (?:ignores|overlooks|forgets|misses|neglects|assumes))\b"
)
LONG: Final = (
    30  # words; in a longer sentence, often a whole turn without a full stop, a mark reaches to the comma only
)


class Statement(NamedTuple):
    """A sentence, all its words and those of the speaker's own; then what of it neither repeats nor agrees, and the
    words and own words of that.
    """

    sentence: str
    all_words: Sequence[str]
    all_own_words: Sequence[str]
    lowered: str
    words: Sequence[str]
    own: frozenset[str]
    is_restatement: bool = False  # the sentence says of itself that it repeats or agrees
    talks: bool = False  # or is about the speakers and what they say
    turns: bool = False  # and then turns against that
    grants: bool = False  # having named what it grants
    revises: bool = False  # a claim of the speaker's is taken back or changed, and named

    @property
    def joints(self) -> int:
        return len(connectives.parts(self.lowered).links)

    def holds(self, words: frozenset[str], form: "re.Pattern[str]") -> "re.Match[str] | None":
        """Where the form stands, of which every match has one of the words, or one with an apostrophe."""
        possible = not words.isdisjoint(self.words) or "'" in self.lowered
        return form.search(self.lowered) if possible else None


Told = tuple[Entailment, Statement]


def find_entailments(text: str, before: Sequence[str] = (), vector: int | None = None) -> tuple[Entailment, ...]:
    """What the turn adds, in the order of the kinds, each once; `vector` is what its vector says for it, if any."""
    carried = {kind for kind, _ in entailing_sentences(text, before, vector)}
    return tuple(kind for kind in Entailment if kind in carried)


def entailing_sentences(
    text: str, before: Sequence[str] = (), vector: int | None = None
) -> tuple[tuple[Entailment, str], ...]:
    """Each kind with each sentence that carries it, in the order of the turn."""
    fresh, told, whole = read_turn(text, before)
    heard = vector if whole else None  # it also speaks of the sentences that were said before
    if told and (needs_no_weighing(fresh, told) or substance.weigh_turn(make_up(fresh, told, text), fresh, heard) >= 0):
        return tuple((kind, said.sentence) for kind, said in told)
    return ()


class TurnReading(NamedTuple):
    """The sentences of a turn that are weighed, what they tell, and whether they are all of it."""

    fresh: Sequence[Statement]
    told: Sequence[Told]
    whole: bool


def read_turn(text: str, before: Sequence[str] = ()) -> TurnReading:
    heard = [content_words(earlier) for earlier in before]
    whole = [statement(sentence) for sentence in connectives.sentences(text)]
    known = frozenset(id(s) for s in whole if said_before(s, heard))
    told: list[Told] = []
    densest: Statement | None = None
    for said in distinct_statements(whole):
        if id(said) not in known:
            told += [(kind, said) for kind in dict.fromkeys(kinds(said))]
            densest = said if densest is None or len(said.own) > len(densest.own) else densest
        # What is conceded was said before by its nature; conceding it, word for word, was not.
        elif concedes(said) and not said_before(said, heard, share=1.0):
            told.append((Entailment.CONCESSION, said))
    if not told and densest is not None:
        told.append((kind_by_shape(densest), densest))
    return TurnReading([s for s in whole if id(s) not in known], told, not known)


def make_up(fresh: Sequence[Statement], told: Sequence[Told], text: str) -> substance.MakeUp:
    return substance.make_up(fresh, [kind for kind, _ in told], text, argues=argues(fresh, told))


def statement(sentence: str) -> Statement:
    lowered = connectives.plain_lowercase(sentence)
    words = words_of(lowered)
    owned = own_words(words)
    revised = revises(lowered, words)
    if revised or not is_restatement(lowered):
        own = frozenset(owned)
        about_talk = is_about_talk(words, len(own)) and not sentence.endswith("?")
        return Statement(sentence, words, owned, lowered, words, own, talks=about_talk, revises=revised)
    turned = TURN.search(lowered)
    if turned is not None:
        granted, kept = lowered[: turned.start()], lowered[turned.end() :]
        if not is_restatement(kept) and not repeats(granted):
            rest = words_of(kept)
            own = frozenset(own_words(rest))
            grants = len(own_words(words_of(granted))) >= 2 and not recaps(granted)
            return Statement(sentence, words, owned, kept, rest, own, is_restatement=True, turns=True, grants=grants)
    chunks = lowered.split(", ") if len(words) >= LONG else []
    kept = ", ".join(chunk for chunk in chunks if not is_restatement(chunk))
    rest = words_of(kept)
    return Statement(sentence, words, owned, kept, rest, frozenset(own_words(rest)), is_restatement=True)


def distinct_statements(whole: Sequence[Statement]) -> list[Statement]:
    """Those that say something which none before them said."""
    return [
        s
        for at, s in enumerate(whole)
        if len(s.own) > s.talks and not any(s.own <= earlier.own for earlier in whole[:at])
    ]


def said_before(said: Statement, heard: Sequence[frozenset[str]], share: float = SAID_BEFORE) -> bool:
    """Does one earlier text hold so much of its content words? What has none was not said before."""
    words = frozenset(content_stems(said.all_words)) if heard else None
    if not words:
        return False
    enough = share * len(words)
    # Whoever shares enough of the words shares one of any so many: most texts are passed over by these alone.
    some = frozenset(islice(words, len(words) - math.ceil(enough) + 1))
    for earlier in heard:  # noqa: SIM110 - a third faster than any(), and it is asked of every sentence ever said
        if not some.isdisjoint(earlier) and len(words & earlier) >= enough:
            return True
    return False


def kinds(said: Statement) -> Iterator[Entailment]:
    """What a statement adds by its joints, its form and its verb."""
    if len(said.own) < 2:
        return
    if said.turns:
        yield Entailment.COUNTEREXAMPLE
    if said.grants or said.revises:
        yield Entailment.CONCESSION
    yield from entailments_of_links(said.lowered)
    for kind, telling, form in FORMS:
        if not telling.isdisjoint(said.words) and form.search(said.lowered):
            yield kind
    cited = len(said.own) >= 3 and (cites(said) or NAME.search(said.sentence))
    if cited or (len(said.own) >= 4 and said.holds(MODALS, MODAL)):
        yield Entailment.APPLICATION
    if states_effect(said):
        yield Entailment.IMPLICATION
    elif len(said.own) >= OWN:
        yield kind_by_shape(said)


def concedes(said: Statement) -> bool:
    """Does it grant something that it names?"""
    if said.is_restatement or len(said.own) < NAMED:
        return False
    granted = GRANTS.search(said.lowered)
    return said.revises or (granted is not None and names_subject(said.lowered, granted.end()))


def needs_no_weighing(fresh: Sequence[Statement], told: Sequence[Told]) -> bool:
    """Is there no need to weigh it? It grants something by name, agrees and then says what stands against it, or is
    a single sentence that leaves people out and says what one thing does to another.
    """
    if len(fresh) == 1 and not fresh[0].is_restatement and not about_people(fresh[0]) and states_effect(fresh[0]):
        return True
    return any(
        (said.turns and len(said.own) >= NAMED) or (kind is Entailment.CONCESSION and concedes(said))
        for kind, said in told
    )


def about_people(said: Statement) -> bool:
    """Is it about the speaker, the listener or the talk?"""
    return said.talks or not PEOPLE.isdisjoint(said.all_words)


def argues(fresh: Sequence[Statement], told: Sequence[Told]) -> bool:
    """Does what neither repeats nor agrees leave people out of it, and say what follows from what?"""
    rest = [s for s in fresh if not s.is_restatement]
    if any(map(about_people, rest)):
        return False
    argued = [said for _, said in told if not said.is_restatement]
    return any(entailments_of_links(s.lowered) for s in argued) or (
        len(rest) == len(fresh) and any(map(states_effect, argued))
    )


@lru_cache(maxsize=64)
def entailments_of_links(lowered: str) -> tuple[Entailment, ...]:
    """The links of a statement between two pieces that both say something."""
    cut = connectives.parts(lowered)
    if not cut.links:
        return ()
    own = [len(own_words(words_between(lowered, piece.start, piece.stop))) for piece in cut.pieces]
    leans = cut.pieces[0].start == cut.pieces[0].stop  # on the sentence before
    return tuple(
        KINDS[kind]
        for source, target, kind in cut.links
        if own[source] + own[target] >= 3 and ((own[source] and own[target]) or (leans and 0 in (source, target)))
    )


def states_effect(said: Statement) -> bool:
    """Does it say what one thing does to another, or of what use or harm it is to it?"""
    if not EFFECT.isdisjoint(said.words):
        verb = next((at for at, word in enumerate(said.words) if at and word in EFFECT), None)
        if verb is not None and own_words(said.words[verb + 1 :]):
            return True
    bearing = said.holds(BEARINGS, BEARING)
    return bearing is not None and bool(own_words(words_of(said.lowered[bearing.end() :])))


def cites(said: Statement) -> bool:
    """Does it name a number, an experience or an instance?"""
    return (
        not NUMBERS.isdisjoint(said.words)
        or any(map(str.isdigit, map(FIRST, said.words)))
        or (not INSTANCES.isdisjoint(said.words) and INSTANCE.search(said.lowered) is not None)
    )


def kind_by_shape(said: Statement) -> Entailment:
    """What a statement without a telling form is: a course or a case, a denial, or what something is or does."""
    if said.holds(MODALS, MODAL) or cites(said):
        return Entailment.APPLICATION
    return Entailment.COUNTEREXAMPLE if said.holds(DENIALS, DENIAL) else Entailment.IMPLICATION
