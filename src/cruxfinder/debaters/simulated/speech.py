"""How a simulated debater words what it means: its own lines first, plain ones where it has none."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Final

from cruxfinder.crux.thread import Commitment, Thread
from cruxfinder.kernel.field_meanings import CONTENT_MAX
from cruxfinder.kernel.pack import Belief, Exhibit, Falsifier, Lines, Persona, Proposition
from cruxfinder.kernel.vocabulary import Grade, Side

CLAIMS: Final = (
    "{stance}. My reason: {reason}.",
    "I hold that {lower}, and the reason is simple: {reason}.",
    "Start here: {lower}. Why? {reason_}.",
    "What carries most weight for me is that {lower}: {reason}.",
)
CHALLENGES: Final = (
    "{name}, I do not buy that {theirs}. {reason_}.",
    "That {theirs} is exactly what I dispute, {name}: {reason}.",
    "{name} takes it as given that {theirs}. I see the opposite, because {reason}.",
    "Against {name}: it does not follow that {theirs}, since {reason}.",
)
QUESTIONS: Final = (
    "I think we differ on one thing. {question} YES: {yes} NO: {no}",
    "Let us settle what would decide this for me. {question} YES would mean: {yes} NO would mean: {no}",
    "We could go on all day, or ask this. {question} If YES, {yes_} If NO, {no_}",
    "Here is a question I would answer differently from some of you. {question} YES: {yes} NO: {no}",
    "Try this as the hinge. {question} YES means {yes_} NO means {no_}",
)
REFRAMES: Final = (
    "We keep circling. What matters more to me is this: {question} {reason_}.",
    "Before we go further, the prior question: {question} I ask because {reason}.",
)
CLARIFIES: Final = (
    "{name}, when you say that {theirs}, over what time and compared with what?",
    "One thing I need from {name}: what would we see if it were not so that {theirs}?",
    "{name}, is that a claim about how things are or about how they usually turn out: {theirs}?",
)
COMMITS: Final = {
    Side.YES: (
        "YES. {statement}, because {reason}.{test}",
        "I commit to YES: {lower}. {reason_}.{test}",
        "My answer is YES. {statement}; {reason}.{test}",
    ),
    Side.NO: (
        "NO. {statement}, because {reason}.{test}",
        "I commit to NO: {lower}. {reason_}.{test}",
        "My answer is NO. {statement}; {reason}.{test}",
    ),
    Side.UNCERTAIN: (
        "UNCERTAIN. {statement}; {reason}.{test}",
        "I cannot commit to either side yet: {reason}.{test}",
        "Put me down as UNCERTAIN. {reason_}.{test}",
    ),
}
FALSIFIERS: Final = (
    "What would change my mind: {metric}: {threshold}, {deadline}.",
    "I would give this up on seeing {metric}: {threshold}, {deadline}.",
    "Hold me to this. {metric_}: {threshold}, {deadline}.",
    "My test is {metric}: {threshold}, {deadline}. Then I was wrong.",
)
STEELMANS: Final = (
    "{name}'s case at its best: {claim}, because {reason}.{test}",
    "Let me put {name}'s view as strongly as I can. {claim_}, since {reason}.{test}",
    "As I understand {name}: {claim}. The strongest ground is that {reason}.{test}",
    "If I had to argue for {name}, I would say that {claim}, and that {reason}.{test}",
    "What {name} holds, fairly put: {claim}; the reason is that {reason}.{test}",
)
RETRIES: Final = (
    "Second attempt at {name}'s view, with what I left out: {claim}, because {reason}.{test}",
    "Taking the correction: {name} holds that {claim}, and above all that {reason}.{test}",
    "Let me do justice to {name} this time. {claim_}, since {reason}.{test}",
)
TESTS: Final = (
    " They would change their mind if {falsifier}.",
    " What would move them: {falsifier}.",
    " Their own test: {falsifier}.",
)
OWN_TESTS: Final = (
    " What would change my mind: {falsifier}.",
    " I would give this up on {falsifier}.",
    " Hold me to this test: {falsifier}.",
)
ACCURATE: Final = (
    "Accurate. {name} has my claim, my reason and what would change my mind.",
    "Yes, {name}, that is my position and why I hold it.",
    "That is a fair account, {name}; I could not have put it much better.",
    "Accurate, {name}. You may argue with it now.",
    "{name} has understood me: that is what I claim and what it rests on.",
    "I recognise myself in that, {name}. Accurate.",
)
INCOMPLETE: Final = (
    "Not quite, {name}: you left out that {missing}.",
    "Incomplete, {name}. Missing is the point that {missing}.",
    "{name}, half of it is there. What I also hold is that {missing}.",
    "Close, {name}, but my position includes that {missing}.",
)
WRONG: Final = (
    "That is somebody else's view, {name}. Mine is that {missing}.",
    "Wrong, {name}: I never said so. My claim is that {missing}.",
)
EVIDENCE: Final = (
    "{text} ({source}) That bears on what would change {whose} mind.",
    "Look at this: {text} ({source})",
    "{text} I have it from {source}, and it speaks to {whose} test.",
    "On {whose} test: {text_} ({source})",
)
REBUTTALS: Final = (
    "{name}, {why_}",
    "I would not lean on that, {name}: {why_}",
    "That does not show what {name} needs. {why}",
    "Careful with that one, {name}: {why_}",
)
UPDATES: Final = (
    "{name}'s evidence moved me. I go from {before} to {after}, at {percent}.",
    "I have to adjust: after what {name} brought I stand at {after} with {percent}, no longer at {before}.",
    "Changing my answer from {before} to {after} ({percent}). What did it was {name}'s point.",
)
SHIFTS: Final = (
    "Still {after}, but {name}'s point counts: I am at {percent} now.",
    "{name} has moved me a little. I stay with {after}, at {percent}.",
    "I keep my answer, {after}, and hold it at {percent} after what {name} showed.",
)
CONCEDES: Final = (
    "I grant {name} this much: {point}. It leaves my view of the whole as it was.",
    "Conceded, {name}: {point}. I still come out where I did.",
    "{name} is right that {point}. My conclusion stands all the same.",
)
TURNS: Final = (
    "I cannot hold my line any longer. Granting that {point}, I move from {before} to {after} on the whole question.",
    "Between you, you have worn down my case: {point}. On the topic I now say {after}, not {before}.",
)

OPENERS: Final = (
    "For my part: ",
    "To add my voice: ",
    "I see it like this: ",
    "The same from me: ",
    "My turn: ",
    "Count me in: ",
)

Said = Callable[[str], bool]


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Words that keep their capital: those capitalised in the middle of a sentence."""
    found: set[str] = set()
    for text in texts:
        for before, word in pairwise(text.split()):
            inner = word.strip(PUNCTUATION).removesuffix("'s").removesuffix("’s")
            if inner[:1].isupper() and before[-1:] not in ".?!:" and inner != "I":
                found.add(inner)
    return frozenset(found)


def mid_sentence(text: str, names: frozenset[str]) -> str:
    """As it reads inside a sentence: a leading capital goes, unless the word is a name, an acronym or "I"."""
    head = text.split(" ", 1)[0].strip(PUNCTUATION).removesuffix("'s").removesuffix("’s")
    kept = head in names or head == "I" or any(c.isupper() or c.isdigit() for c in head[1:])
    return text if kept else text[:1].lower() + text[1:]


PUNCTUATION: Final = "(\"“”‘’',.;:?!)"


def capitalise_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """As it stands alone: a capital and a full stop."""
    plain = capitalise_first(text.strip())
    return plain if plain[-1:] in ".?!" else f"{plain}."


def without_stop(text: str) -> str:
    return text.strip().rstrip(".;: ")


def compose(patterns: Sequence[str], rng: Random, said: Said, **parts: str) -> str:
    """A wording nobody used yet: the patterns in random order, the first that is new and short enough."""
    order = rng.sample(range(len(patterns)), len(patterns))
    openers = ("", *rng.sample(OPENERS, len(OPENERS)))
    for opener in openers:
        for n in order:
            worded = opener + patterns[n].format(**parts)
            if len(worded) <= CONTENT_MAX and not said(worded):
                return worded
    return cut(patterns[order[0]].format(**parts))


def cut(text: str) -> str:
    return text if len(text) <= CONTENT_MAX else text[: CONTENT_MAX - 1].rsplit(" ", 1)[0] + "…"


class Voice:
    """One persona's words about the propositions of its pack."""

    def __init__(self, persona: Persona, propositions: tuple[Proposition, ...]) -> None:
        self.persona = persona
        self.propositions = propositions
        held = {b.proposition: b for b in persona.beliefs}
        self._beliefs: tuple[Belief | None, ...] = tuple(held.get(p.id) for p in propositions)
        self._names = shared_names(propositions) | own_names(persona)

    def mid_sentence(self, text: str) -> str:
        return mid_sentence(text, self._names)

    def describe_falsifier(self, falsifier: Falsifier) -> str:
        """A falsifier as part of a sentence."""
        return (
            f"{self.mid_sentence(without_stop(falsifier.metric))}: {without_stop(falsifier.threshold)}, "
            f"{without_stop(falsifier.deadline)}"
        )

    def lines(self, place: int, affirms: bool) -> Lines:
        """The persona's own lines, which speak for the side it started on; none for the other side."""
        belief = self._beliefs[place]
        return Lines() if belief is None or (belief.credence >= 0.5) is not affirms else belief.lines

    def stance(self, place: int, affirms: bool) -> str:
        p = self.propositions[place]
        return without_stop(p.statement if affirms else p.denial)

    def reason(self, place: int, affirms: bool) -> str:
        own = self.lines(place, affirms).reason
        if own:
            return without_stop(own)
        p = self.propositions[place]
        shown = next((x.text for x in p.exhibits if (x.points == "YES") is affirms), "")
        return (
            without_stop(shown)
            if shown
            else f"everything I know about it says that {self.mid_sentence(self.stance(place, affirms))}"
        )

    def statement(self, place: int, affirms: bool) -> str:
        return without_stop(self.lines(place, affirms).statement) or self.stance(place, affirms)

    def claim(self, place: int, affirms: bool, rng: Random, said: Said) -> str:
        own = self.lines(place, affirms).claim
        if own and not said(own):
            return own
        stance, reason = self.stance(place, affirms), self.reason(place, affirms)
        return compose(
            CLAIMS,
            rng,
            said,
            stance=capitalise_first(stance),
            lower=self.mid_sentence(stance),
            reason=self.mid_sentence(reason),
            reason_=capitalise_first(reason),
        )

    def challenge(self, place: int, affirms: bool, name: str, theirs: str, rng: Random, said: Said) -> str:
        own = self.lines(place, affirms).challenge
        if own and not said(own):
            return own
        reason = self.reason(place, affirms)
        parts = {
            "name": name,
            "theirs": self.mid_sentence(without_stop(theirs)),
            "reason": self.mid_sentence(reason),
            "reason_": capitalise_first(reason),
        }
        return compose(CHALLENGES, rng, said, **parts)

    def falsifier(self, place: int, affirms: bool, agent: str) -> Falsifier:
        own = self.lines(place, affirms).falsifier
        if own is not None:
            return own
        p = self.propositions[place]
        against = p.no_means if affirms else p.yes_means
        return Falsifier(
            metric=f"independent reviews of {self.mid_sentence(without_stop(p.statement))}, as {agent} reads them",
            threshold=f"at least 3 of 4 report: {without_stop(against)}",
            deadline="by the end of 2030",
        )

    def vague_falsifier(self, place: int, affirms: bool) -> Falsifier:
        own = self.lines(place, affirms).vague
        if own is not None:
            return own
        about = self.mid_sentence(without_stop(self.propositions[place].statement))
        return Falsifier(metric=f"how {about} feels", threshold="it seems to turn out otherwise", deadline="eventually")


@lru_cache(maxsize=64)
def shared_names(propositions: tuple[Proposition, ...]) -> frozenset[str]:
    """Names in what everybody knows."""
    texts = [t for p in propositions for t in (p.statement, p.denial, p.question, p.yes_means, p.no_means)]
    return names_in([*texts, *(x.text for p in propositions for x in p.exhibits)])


@lru_cache(maxsize=256)
def own_names(persona: Persona) -> frozenset[str]:
    lines = [b.lines for b in persona.beliefs]
    return names_in(t for x in lines for t in (x.claim, x.reason, x.challenge, x.statement))


def grade_words(grade: Grade, name: str, missing: str, rng: Random, said: Said) -> str:
    patterns = {Grade.ACCURATE: ACCURATE, Grade.INCOMPLETE: INCOMPLETE}.get(grade, WRONG)
    return compose(patterns, rng, said, name=name, missing=missing)


def said_in(threads: Iterable[Thread]) -> Said:
    contents = {m.content for thread in threads for m in thread.messages}
    return lambda text: text in contents


def unused_exhibits(exhibits: Sequence[Exhibit], thread: Thread, points: str) -> list[Exhibit]:
    """Exhibits that speak for a side and that nobody has brought yet."""
    brought = {getattr(m.move, "evidence", "") for m in thread.evidence}
    return [x for x in exhibits if x.points == points and x.text not in brought]


def claim_and_reason(target: Commitment) -> tuple[str, str]:
    return without_stop(target.statement), without_stop(target.reason)
