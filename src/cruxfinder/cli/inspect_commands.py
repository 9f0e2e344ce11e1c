"""The commands that show what a rule sees in a text: `crux inspect`, for a person or as a filter of JSON lines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

import typer

from cruxfinder.cli.debate_commands import Embedder
from cruxfinder.cli.json_filter import Answer, answer_batches, answer_lines
from cruxfinder.crux.moves import Falsifier
from cruxfinder.errors import BadInput
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.language.claim_graph import LinkKind
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
class Pair:
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    text: str
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parts:
    metric: str
    threshold: str
    deadline: str


# ---- the four commands


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
    compare = comparing(embedder)
    if jsonl:
        answer_batches(Pair, "an object with the texts 'a' and 'b'", compare, texts)
        return
    a, b = given(texts, 2)
    (found,) = compare([Pair(a, b)])
    print(f"similarity {found['similarity']:.2f}: {'a repetition' if found['repetition'] else 'no repetition'}")


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
    entailed = entailing(embedder)
    if jsonl:
        answer_lines(Turn, "an object with a 'text' and perhaps texts 'before' it", entailed, texts)
        return
    text, *before = given(texts)
    print("\n".join(entailed(Turn(text, tuple(before)))["entailments"]) or "nothing new")


@commands.command()
def claims(
    texts: Annotated[list[str] | None, typer.Argument(metavar="TEXT", help="A turn.")] = None, jsonl: Jsonl = False
) -> None:
    """Which claims does a turn make, and how do they hang together? Lines: {"text"} to {"claims", "edges"}."""
    if jsonl:
        answer_lines(Text, "an object with a 'text'", claimed, texts)
        return
    (text,) = given(texts, 1)
    found = claimed(Text(text))
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
    jsonl: Jsonl = False,
) -> None:
    """Is a falsifier concrete? Lines: {"text"} or {"metric", "threshold", "deadline"} to {"accepted", …}."""
    if jsonl:
        wanted = "an object with a 'text', or with 'metric', 'threshold' and 'deadline'"
        answer_lines(Parts | Text, wanted, weighed, texts)
        return
    said = given(texts)
    if len(said) not in (1, 3):
        raise BadInput("a falsifier is one text, or a metric, a threshold and a deadline")
    found = weighed(Text(said[0]) if len(said) == 1 else Parts(*said))
    print(f"{'accepted' if found['accepted'] else 'refused'}, concreteness {found['concreteness']:.2f}")
    for reason in found["reasons"]:
        print(f"- {clean(reason)}")


# ---- what they answer


def measure_of(choice: Embedder) -> Likeness:
    from cruxfinder.adapters.embeddings.embedders import embedder

    return embedder("static" if choice is Embedder.STATIC else "keyword")


def comparing(choice: Embedder) -> Callable[[Sequence[Pair]], list[Answer]]:
    from cruxfinder.language.redundancy import repeats

    measure = measure_of(choice)

    def compare(pairs: Sequence[Pair]) -> list[Answer]:
        figures = measure.same_pairs([(pair.a, pair.b) for pair in pairs])  # at once; the rule meets them again
        return [
            {
                "similarity": figure * OTHER_SIDE if figure >= OTHER_SIDE and denied(pair) else figure,
                "repetition": repeats(measure, pair.b, pair.a),
            }
            for pair, figure in zip(pairs, figures, strict=True)
        ]

    return compare


def denied(pair: Pair) -> bool:
    """Does one text deny the other in its own words?"""
    from cruxfinder.language.polarity import opposed

    return most_words_shared(pair.a, pair.b) and opposed(pair.a, pair.b)


def most_words_shared(a: str, b: str) -> bool:
    """Does each text find most of its content words in the other?"""
    from cruxfinder.language.texts import carried, content_words

    longer = max(len(content_words(a)), len(content_words(b)))
    return min(carried(a, b), carried(b, a)) >= (DENIED if longer <= SHORT else DENIED_LONG)


def entailing(choice: Embedder) -> Callable[[Turn], Answer]:
    from cruxfinder.language.entailments import found

    measure = measure_of(choice)

    def entailed(turn: Turn) -> Answer:
        kinds = found(turn.text, turn.before, measure.says_something(turn.text))
        return {"entailments": [kind.value for kind in kinds]}

    return entailed


def claimed(said: Text) -> Answer:
    from cruxfinder.language.claims import read

    graph = read(said.text)
    return {
        "claims": [{"text": claim.text, "words": sorted(claim.words)} for claim in graph.claims],
        "edges": [{"from": link.source, "to": link.target, "kind": link.kind.value} for link in graph.links],
    }


def weighed(said: Parts | Text) -> Answer:
    from cruxfinder.crux.law import falsifiers, forecasts

    if isinstance(said, Text):
        asked = forecasts.read(said.text)
    else:
        asked = Falsifier(metric=said.metric, threshold=said.threshold, deadline=said.deadline)
    reasons = [fault.reason for fault in falsifiers.faults(asked)]
    return {"accepted": not reasons, "concreteness": falsifiers.concreteness(asked), "reasons": reasons}


# ---- texts in


def given(texts: list[str] | None, count: int | None = None) -> list[str]:
    """The texts on the command line, as many as the command takes."""
    if not texts or (count is not None and len(texts) != count):
        wanted = {None: "a text", 1: "one text"}.get(count, f"{count} texts")
        raise BadInput(f"give {wanted}, or JSON lines on stdin with --jsonl")
    return texts
