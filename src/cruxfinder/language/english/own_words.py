"""The words of a turn that say something of their own: what is left without padding, stance and verdict."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from cruxfinder.language.english.texts import STOP, stem

# What a spoken turn is padded with.
PADDING: Final = (
    "ain aren't can't couldn't didn't doesn't don't dont hadn't hasn't haven't he'd he'll i'd i'll i'm im i've isn't"
    " it'd it'll let's mustn't she'd she'll shouldn't that'd that'll they'd they'll they're they've wasn't we'd we'll"
    " we're we've weren't what're who'd won't wouldn't you'd you'll you're you've cant wont isnt doesnt didnt shouldnt"
    " ought gonna gotta wanna got get gets getting well yeah yep nope okay look listen see know knows knew mean means"
    " meant kind sort basically actually really simply quite pretty still already always never anyway maybe perhaps"
    " probably certainly definitely absolutely totally completely entirely fully wholly utterly exactly precisely"
    " indeed obviously clearly plainly surely sure honestly frankly literally truly deeply strongly firmly perfectly"
    " mostly largely merely purely therefore hence instead besides moreover furthermore otherwise first second third"
    " firstly secondly thirdly finally lastly last next twice time times today tonight tomorrow yesterday evening day"
    " minute minutes moment everyone everybody someone somebody anyone anybody nobody none nothing something anything"
    " everything else way ways lot lots bit thing things stuff people please thank thanks sorry welcome hello dear sir"
    " madam ladies gentlemen chair friend friends imo imho lol including regarding concerning come comes came coming"
    " goes going went gone make makes made making take takes taken took taking give gives gave given giving put puts"
    " putting lets want wants wanted wish wishes seem seems seemed keep keeps kept keeping try tries tried one's two"
    " bar etc don doesn able unable along away back around across throughout whatever whichever whoever wherever"
    " whenever toward towards against another others certain"
)
# How speakers talk about what is said, and about where they stand.
STANCE: Final = (
    "agree agrees agreed agreeing agreement disagree disagrees disagreed disagreement concur concurs assent consent"
    " said say says saying told tell tells telling speak speaks spoke spoken speaking speaker speakers talk talks"
    " talking word words remark remarks comment comments statement statements state stated repeat repeats repeated"
    " repeating reiterate restate reaffirm affirm affirmed confirm express expressed expresses mention mentioned note"
    " noted argue argued argues argument arguments claim claims claimed point points pointed opinion opinions view"
    " views viewpoint position positions stance standpoint perspective thesis belief beliefs believe believes believed"
    " believing conviction convictions convinced convince persuade persuaded persuasive compelling think thinks"
    " thinking thought feel feels felt feeling mind minds hold holds held holding stand stands stood standing stick"
    " sticking stay remain remains remained maintain maintains maintained continue continues continued support"
    " supports supported supporter endorse endorses endorsed accept accepts accepted reject rejects rejected oppose"
    " opposed favour favor favourable side sides share shares shared sharing insist insists defend defended motion"
    " debate debates discussion discuss discussed exchange topic subject answer answers reply response conversation"
    " round colleague colleagues opponent opponents previous previously earlier prior former beginning outset opening"
    " closing conclusion conclude concluded summary summarise summarize sum hear heard hears add adds added adding nod"
    " nodding echo echoes reflect reflection consider considered regard unchanged identical clear clearer clarity"
    " plain simple obvious doubt doubts admit concede grant granted withdraw yield understand understands understood"
    " appreciate appreciates grateful glad happy pleased proud respect respectfully esteemed honourable gentleman lady"
    " participant participants contribution insight insightful thoughtful balanced comprehensive analysis assessment"
    " reasoned aligned align page board reservation reservations whatsoever record final end ended finish finished"
    " done truth true fact facts case matter matters reason reasons idea ideas notion concept example sense"
    " wholeheartedly heart urge invite hope remember refer covered patience full stop period story ditto spot nail"
    " nailed eye listening explain explained emphasise emphasize underline stress commit commitment committed entitled"
    " differ respond responded mistaken alike resonate resonates captures capture find finds judgment judgement"
    " looking impartial consistent consistently likewise similarly equally original entirety part parts aspect single"
    " turn turns known enough blunt ago repetitive redundant stubborn changed persuading familiar learned accord"
    " endorsement seconded ask asks asked asking"
)
# Praise and blame that fit any subject.
VERDICT: Final = (
    "good bad great terrible awful wonderful excellent brilliant fantastic horrible horrendous nice fine best worst"
    " better worse right rightly wrong wrongly correct incorrect false unjust fair unfair fairly important importance"
    " necessary unnecessary essential vital crucial needed need needs useful useless worth worthwhile worthless"
    " sensible reasonable unreasonable acceptable unacceptable legitimate illegitimate wise unwise stupid silly"
    " foolish smart clever ridiculous absurd outrageous shameful disgraceful evil barbaric serious big huge mistake"
    " shame joke scandal interesting fundamental precious superb sound perfect ideal flawed justified unjustified"
    " justifiable desirable undesirable positive negative appropriate inappropriate proper ok amazing lovely"
    " marvellous splendid admirable noble pointless hopeless nonsense rubbish bold sane logical illogical"
)
HOLLOW: Final = STOP.union(PADDING.split(), STANCE.split(), VERDICT.split())
TOKEN: Final = re.compile(r"\w+(?:'\w+)?")
BETWEEN: Final = re.compile(rf"({TOKEN.pattern})")  # splits a text into what is between its words and the words


class LocatedWords(NamedTuple):
    """The words of a text and where in it they begin."""

    words: tuple[str, ...]
    places: tuple[int, ...]


@lru_cache(maxsize=512)
def locate_words(lowered: str) -> LocatedWords:
    cut = BETWEEN.split(lowered)
    return LocatedWords(tuple(cut[1::2]), tuple(accumulate(map(len, cut)))[:-1:2])


def words_of(lowered: str) -> tuple[str, ...]:
    """The words of a text that is in lower case already, with straight apostrophes."""
    return locate_words(lowered).words


def words_between(lowered: str, start: int, stop: int) -> tuple[str, ...]:
    """Of such a text, the words that begin from one place on and before another."""
    words, places = locate_words(lowered)
    return words[bisect_left(places, start) : bisect_left(places, stop)]


def own_words(words: Iterable[str]) -> list[str]:
    """Those that are neither padding nor stance nor a verdict, stemmed, in their order."""
    return [*filter(None, map(own_word, words))]


@lru_cache(maxsize=8192)
def own_word(word: str) -> str:
    """A word stemmed, or nothing where it is hollow."""
    bare = word.removesuffix("'s")
    hollow = word in HOLLOW or bare in HOLLOW or (len(bare) <= 2 and not bare.isdigit())
    return "" if hollow else stem(bare)


def word_starts(lowered: str, heads: frozenset[str]) -> list[int]:
    """Where in a text those of its words begin that are heads or have an apostrophe."""
    words, places = locate_words(lowered)
    if "'" in lowered:
        return [at for word, at in zip(words, places, strict=True) if word in heads or "'" in word]
    if heads.isdisjoint(words):
        return []
    return [at for word, at in zip(words, places, strict=True) if word in heads]
