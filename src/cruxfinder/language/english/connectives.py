"""Where one proposition of a sentence ends and the next begins, and what joins the two."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from cruxfinder.language.claim_graph import LinkKind
from cruxfinder.language.english.own_words import word_starts
from cruxfinder.language.english.texts import sentences as text_sentences

# Nobody says more in a turn; what is longer is hostile or a mistake, and is not looked at.
LENGTH_MAX: Final = 4_000


class SentenceParts(NamedTuple):
    """The pieces of a sentence in their order, and which bears on which: source, target, kind.

    The first piece is empty where the sentence opens with a connective: it then leans on the sentence before.
    """

    pieces: tuple[slice, ...]  # of its text
    links: tuple[tuple[int, int, LinkKind], ...]


CUT: Final = re.compile(r"(?<=;)\s+|\n+")  # where what is one sentence to a reader states another thing

SUBJECT: Final = (
    r"(?:its?|it's|they|they're|this|that|there|we|we're|you|he|she|i|i'm|people|these|those|the|an?|all|no|most|many"
    r"|everyone|nobody|some|any|only|our|their|your|his|her|my)"
)
SAYING: Final = (
    r"(?:i|we|you|he|she|they|it|the \w+) "
    r"(?:\w+ )?(?:said|say|says|know|knows|mentioned|were|was|put|see|stated|stands?)"
)
# Each in its joining use only: "since 1990", "so far" and "as I said" join nothing.
BECAUSE: Final = (
    r"because(?: of)?|cause(?= (?:it|they|we|you)\b)|due to|owing to|given that|seeing (?:that|as)|on the grounds? that"
    r"|for the reason that|reasons? (?:is|are|being)(?: that)?|as a result of"
    r"|(?<!ever )(?<!long )since(?! then\b| the (?:start|beginning|outset|first|early|late|war)\b| \d| last\b| day\b"
    r"| i was\b| we (?:began|started|met)\b)"
    rf"|(?<!such )(?<!well )(?<!same )(?<!long )(?<!soon )(?<!far )(?<!much )as(?= {SUBJECT}\b)(?! {SAYING}\b)"
)
IMPLIES: Final = (
    r"therefore|thus|hence|consequently|accordingly|as a (?:result|consequence)(?! of)|so that|so as to"
    r"|in order (?:to|for|that)|which (?:\w+ )?(?:means|leads|causes|makes|allows|gives|helps|keeps|lets|creates"
    r"|prevents|leaves)|(?:this|that|it) means(?: that)?|meaning(?: that)?|(?:this|that)(?: is|'s) why|lead(?:s"
    r"|ing)? to|led to|result(?:s|ed|ing)? in|(?<=[,;] )so(?! far| much| many| long| called| too| do| does| is| are)"
    rf"|^so|so(?= {SUBJECT}\b)(?! the \w+ of it)|(?<=, )then|or else|otherwise"
    r"|(?<=[se] the )reasons?(?: why| that)?"
)
CONDITION: Final = (
    r"(?<!as )(?<!what )if(?! you ask| anything| i may| not\b| so\b| you (?:will|like|want)\b| i'm| i am| we're"
    r"| we are)|provided(?: that)?|as long as|in case|until|by(?= \w{2,}ing\b)"
)
CONTRASTS: Final = (
    r"but|although|(?:even )?though|whereas|however|nevertheless|nonetheless|(?<=[,;] )yet|unless|despite|in spite of"
    r"|except(?: (?:that|when|for|in|if))?|even (?:if|when|where)|on the other hand|rather than|instead of"
    r"|(?<=[,;] )while|regardless of"
)
EXAMPLE: Final = r"for (?:example|instance)|such as|in the case of|take the case of|like when"
JOINT: Final = re.compile(
    rf"(?:(?P<because>{BECAUSE})|(?P<contrasts>{CONTRASTS})|(?P<example>{EXAMPLE})|(?P<implies>{IMPLIES})"
    rf"|(?P<condition>{CONDITION}))(?!\w)"
)
# The words a joint begins with, but for those with an apostrophe: nowhere else is one looked for.
HEADS: Final = frozenset(
    "because cause due owing given seeing on for reason reasons as since therefore thus hence consequently"
    " accordingly so"
    " in which this that it meaning lead leads leading led result results resulted resulting then or otherwise if"
    " provided"
    " until by but although even though whereas however nevertheless nonetheless yet unless despite except rather"
    " instead"
    " while regardless such take like".split()
)
# What opens a sentence with its condition, ground or exception, up to the comma: "if A, B".
OPENER: Final = re.compile(
    r"\W*(?:(?:and|but|so|now|well|look|then|or|also|because) )?(?P<word>if(?! anything| i may| you ask| i'm| i am)"
    rf"|when(?:ever)?|once(?! again| more)|because|since|as(?= {SUBJECT}\b)(?! {SAYING}\b)|given that"
    r"|although|(?:even )?though|unless|while|whereas|despite|without|by(?= \w+ing\b)|the moment|as (?:long|soon) as"
    r"|even (?:if|when)|every time)\b(?P<source>[^,]{6,}?)(?:, (?:then )?|\bthen )(?P<target>.{6,})",
    re.DOTALL,
)
OPENS: Final = {
    **dict.fromkeys(("because", "since", "as", "given that"), LinkKind.BECAUSE),
    **dict.fromkeys(
        ("although", "though", "even though", "unless", "while", "whereas", "despite", "even if", "even when"),
        LinkKind.CONTRASTS,
    ),
}


EDGES: Final = " \t,;:–—-"


@lru_cache(maxsize=64)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a turn, as they stand in it, and the parts of one that a semicolon or a line ends."""
    return tuple(s for whole in text_sentences(text[:LENGTH_MAX]) for s in map(str.strip, CUT.split(whole)) if s)


def plain_lowercase(text: str) -> str:
    """Lower case, straight apostrophes and no underscores, each character in its place."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter that grows stays as it is
        lowered = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    return lowered.replace("’", "'").replace("_", " ")


@lru_cache(maxsize=64)
def parts(lowered: str) -> SentenceParts:
    """A plain sentence cut at its connectives. Kept a while: what it adds and what it claims are both read from it."""
    pieces: list[slice] = []
    links: list[tuple[int, int, LinkKind]] = []
    start = 0
    if (opened := OPENER.match(lowered)) is not None:
        pieces.append(trim_piece(lowered, *opened.span("source")))
        links.append((0, 1, OPENS.get(opened["word"], LinkKind.IMPLIES)))
        start = opened.start("target")
    for at in word_starts(lowered, HEADS):
        found = JOINT.match(lowered, at) if at >= start else None
        if found is None:
            continue
        pieces.append(trim_piece(lowered, start, found.start()))
        links.append(link(str(found.lastgroup), len(pieces)))
        start = found.end()
    return SentenceParts((*pieces, trim_piece(lowered, start, len(lowered))), tuple(links))


def trim_piece(text: str, start: int, end: int) -> slice:
    """What is between, without the marks and spaces around it."""
    piece = text[start:end].lstrip(EDGES)
    return slice(end - len(piece), end - len(piece) + len(piece.rstrip(EDGES)))


def link(joint: str, right: int) -> tuple[int, int, LinkKind]:
    """Which way a joint before the piece on its right points."""
    match joint:
        case "implies":
            return right - 1, right, LinkKind.IMPLIES
        case "condition":
            return right, right - 1, LinkKind.IMPLIES
        case kind:
            return right, right - 1, LinkKind(kind)
