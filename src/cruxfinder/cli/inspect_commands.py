"""The commands that show what a rule sees in a text: `crux inspect`, for a person or as a filter of JSON lines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final

import typer

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.cli.json_filter import Answer, answer_batches, answer_lines
from cruxfinder.cli.shared_flags import Embedder
from cruxfinder.crux.law import falsifiers, forecasts
from cruxfinder.errors import BadInput
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.language.calendar_days import read_day
from cruxfinder.language.claim_graph import LinkKind
from cruxfinder.language.english.claims import read
from cruxfinder.language.english.entailments import find_entailments
from cruxfinder.language.english.falsifier_texts import Hear, hear_nothing, read_falsifier
from cruxfinder.language.english.polarity import are_opposed
from cruxfinder.language.english.repetition import DRAWN_AT, measure_retelling, repeats
from cruxfinder.language.english.retelling import Retellings
from cruxfinder.language.english.texts import carried_share, content_words
from cruxfinder.language.reading import Passage
from cruxfinder.language.redundancy import is_retold
from cruxfinder.telling.terminal_text import clean

commands = typer.Typer(invoke_without_command=True)

# Opposites make another point. Where most words are the same it is certain that one text denies the other: half of
# those of a short sentence, more of a longer text, which shares many with any other on its topic.
DENIED: Final = 0.5
DENIED_LONG: Final = 0.75
SHORT: Final = 5  # content words
OTHER_SIDE: Final = 0.5  # what is left of the similarity

Jsonl = Annotated[bool, typer.Option("--jsonl", help="Read JSON lines from stdin and answer each with one.")]


@dataclass(frozen=True, slots=True)
class PairInput:
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class TextInput:
    text: str


@dataclass(frozen=True, slots=True)
class TurnInput:
    text: str
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SpeakerTurnInput:
    text: str
    own: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FalsifierInput:
    metric: str
    threshold: str
    deadline: str


# ---- the five commands


@commands.callback()
def inspect(ctx: typer.Context) -> None:
    """See what the rules see in a text."""
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


@commands.command()
def similarity(
    texts: Annotated[list[str] | None, typer.Argument(metavar="A B", help="Two texts.")] = None,
    embedder: Annotated[
        Embedder, typer.Option(help="What compares: the model shipped, or shared words.")
    ] = Embedder.STATIC,
    jsonl: Jsonl = False,
) -> None:
    """Do two texts make the same point, and does B repeat A? Lines: {"a", "b"} to {"similarity", "repetition"}."""
    compare = make_comparer(embedder)
    if jsonl:
        answer_batches(PairInput, "an object with the texts 'a' and 'b'", compare, texts)
        return
    a, b = require_texts(texts, 2)
    (found,) = compare([PairInput(a, b)])
    print(f"similarity {found['similarity']:.2f}: {'a repetition' if found['repetition'] else 'no repetition'}")


@commands.command()
def repetition(
    texts: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT [OWN…]", help="A turn, then what its speaker said before.")
    ] = None,
    embedder: Annotated[
        Embedder, typer.Option(help="What compares: the model shipped, or shared words.")
    ] = Embedder.STATIC,
    jsonl: Jsonl = False,
) -> None:
    """Does a turn say again what its speaker said? Lines: {"text", "own", "others"} to {"score", …, "repetition"}."""
    retold = make_retelling_reader(embedder)
    if jsonl:
        answer_lines(SpeakerTurnInput, "an object with a 'text' and perhaps texts 'own' and 'others'", retold, texts)
        return
    text, *own = require_texts(texts)
    found = retold(SpeakerTurnInput(text, tuple(own)))
    print(f"score {found['score']:.2f}: {'a repetition' if found['repetition'] else 'no repetition'}")


@commands.command()
def entailments(
    texts: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT [BEFORE…]", help="A turn, then those before it.")
    ] = None,
    embedder: Annotated[
        Embedder, typer.Option(help="What hears the whole turn: the model shipped, or nothing but its words.")
    ] = Embedder.STATIC,
    jsonl: Jsonl = False,
) -> None:
    """What does a turn add? Lines: {"text", "before"} to {"entailments"}; "before" may be left out."""
    entailed = make_entailment_reader(embedder)
    if jsonl:
        answer_lines(TurnInput, "an object with a 'text' and perhaps texts 'before' it", entailed, texts)
        return
    text, *before = require_texts(texts)
    print("\n".join(entailed(TurnInput(text, tuple(before)))["entailments"]) or "nothing new")


@commands.command()
def claims(
    texts: Annotated[list[str] | None, typer.Argument(metavar="TEXT", help="A turn.")] = None, jsonl: Jsonl = False
) -> None:
    """Which claims does a turn make, and how do they hang together? Lines: {"text"} to {"claims", "edges"}."""
    if jsonl:
        answer_lines(TextInput, "an object with a 'text'", read_claims, texts)
        return
    (text,) = require_texts(texts, 1)
    found = read_claims(TextInput(text))
    for number, claim in enumerate(found["claims"], 1):
        print(f"{number}. {clean(claim['text'])}")
    for edge in found["edges"]:
        one, other = edge["from"] + 1, edge["to"] + 1
        if edge["kind"] != LinkKind.IMPLIES:  # an edge leads from the reason, the case or the exception
            one, other = other, one
        print(f"{one} {edge['kind']} {other}")
    if not found["claims"]:
        print("no claim")


@commands.command()
def falsifier(
    texts: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT | METRIC THRESHOLD DEADLINE", help="In one text or three.")
    ] = None,
    day: Annotated[
        str, typer.Option(metavar="DATE", help="Refuse what is over on this day, such as 2027-06-30, too.")
    ] = "",
    embedder: Annotated[
        Embedder, typer.Option(help="What hears a statement: the model shipped, or nothing but its words.")
    ] = Embedder.STATIC,
    jsonl: Jsonl = False,
) -> None:
    """Is a falsifier concrete? Lines: {"text"} or {"metric", "threshold", "deadline"} to {"accepted", …}."""
    if day and read_day(day) is None:
        raise BadInput(f"--day {day!r} is no day; write it as 2027-06-30")
    weigh = partial(weigh_falsifier, hear=measure_of(embedder).event_score, day=day)
    if jsonl:
        wanted = "an object with a 'text', or with 'metric', 'threshold' and 'deadline'"
        answer_lines(FalsifierInput | TextInput, wanted, weigh, texts)
        return
    said = require_texts(texts)
    if len(said) not in (1, 3):
        raise BadInput("a falsifier is one text, or a metric, a threshold and a deadline")
    found = weigh(TextInput(said[0]) if len(said) == 1 else FalsifierInput(*said))
    print(f"{'accepted' if found['accepted'] else 'refused'}, concreteness {found['concreteness']:.2f}")
    for reason in found["reasons"]:
        print(f"- {clean(reason)}")


# ---- what they answer


def measure_of(choice: Embedder) -> Likeness:
    return embedder("static" if choice is Embedder.STATIC else "keyword")


def make_comparer(choice: Embedder) -> Callable[[Sequence[PairInput]], list[Answer]]:
    measure = measure_of(choice)

    def compare(pairs: Sequence[PairInput]) -> list[Answer]:
        figures = measure.same_pairs([(pair.a, pair.b) for pair in pairs])  # at once; the rule meets them again
        return [
            {
                "similarity": figure * OTHER_SIDE if figure >= OTHER_SIDE and is_denial(pair) else figure,
                "repetition": repeats(measure, pair.b, pair.a),
            }
            for pair, figure in zip(pairs, figures, strict=True)
        ]

    return compare


def make_retelling_reader(choice: Embedder) -> Callable[[SpeakerTurnInput], Answer]:
    """What RED-3 weighs of a turn and everything its speaker said before it."""
    measure = measure_of(choice)
    kept = Retellings(measure)

    def read_retelling(turn: SpeakerTurnInput) -> Answer:
        said = Passage(text=turn.text, before=(*turn.own, *turn.others), own=tuple(range(len(turn.own))))
        found = measure_retelling(measure, kept, said, DRAWN_AT)
        return {
            "score": found.score,
            "nearest": found.turn if found.turn >= 0 else None,
            "again": found.again,
            "repetition": is_retold(found, measure.repetition),
        }

    return read_retelling


def is_denial(pair: PairInput) -> bool:
    """Does one text deny the other in its own words?"""
    return share_most_words(pair.a, pair.b) and are_opposed(pair.a, pair.b)


def share_most_words(a: str, b: str) -> bool:
    """Does each text find most of its content words in the other?"""
    longer = max(len(content_words(a)), len(content_words(b)))
    return min(carried_share(a, b), carried_share(b, a)) >= (DENIED if longer <= SHORT else DENIED_LONG)


def make_entailment_reader(choice: Embedder) -> Callable[[TurnInput], Answer]:
    measure = measure_of(choice)

    def read_entailments(turn: TurnInput) -> Answer:
        kinds = find_entailments(turn.text, turn.before, measure.substance_score(turn.text))
        return {"entailments": [kind.value for kind in kinds]}

    return read_entailments


def read_claims(said: TextInput) -> Answer:
    graph = read(said.text)
    return {
        "claims": [{"text": claim.text, "words": sorted(claim.words)} for claim in graph.claims],
        "edges": [{"from": link.source, "to": link.target, "kind": link.kind.value} for link in graph.links],
    }


def weigh_falsifier(said: FalsifierInput | TextInput, hear: Hear = hear_nothing, day: str = "") -> Answer:
    if isinstance(said, TextInput):
        asked = forecasts.read(said.text)
    else:
        asked = Falsifier(metric=said.metric, threshold=said.threshold, deadline=said.deadline)
    reading = read_falsifier(asked, day, hear)
    reasons = [fault.reason for fault in falsifiers.faults(asked, reading, day)]
    return {"accepted": not reasons, "concreteness": falsifiers.concreteness(reading), "reasons": reasons}


# ---- texts in


def require_texts(texts: list[str] | None, count: int | None = None) -> list[str]:
    """The texts on the command line, as many as the command takes."""
    if not texts or (count is not None and len(texts) != count):
        wanted = {None: "a text", 1: "one text"}.get(count, f"{count} texts")
        raise BadInput(f"give {wanted}, or JSON lines on stdin with --jsonl")
    return texts
