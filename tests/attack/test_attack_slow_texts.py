"""No text makes the router slow: time grows with length alone, for every kind of action and every shipped pattern."""

import random
import re
import shlex
from collections.abc import Callable, Iterator
from re import _constants as op  # pyright: ignore[reportAttributeAccessIssue]
from re import _parser  # pyright: ignore[reportAttributeAccessIssue]
from typing import Any

import pytest

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.gate.actions import Action
from cruxfinder.gate.router import UNREAD, exact_pattern, pattern, route
from tests import pace

LONGER = 4  # times
GROWTH = 9  # a text four times as long may take; the square would be 16
ROUNDS = 3
LEAST_S = 5 * pace.LEAST_S


def shell_text(text: str) -> Action:
    return Action(text=text, tool="bash")


KINDS: dict[str, Callable[[str], Action]] = {
    "shell": shell_text,
    "one command": lambda text: shell_text(f"echo {text}"),
    "psql -c": lambda text: shell_text(f"psql -c {shlex.quote(text)}"),
    "python -c": lambda text: shell_text(f"python3 -c {shlex.quote(text)}"),
    "spawning code": lambda text: shell_text(f"python3 -c {shlex.quote('os.system(1)' + chr(10) + text)}"),
    "sql": lambda text: Action(text=text, tool="sql"),
    "prose": lambda text: Action(text=f"Please {text}"),
    "no tool": lambda text: Action(text=text),
    "argument": lambda text: Action(text="x", tool="get_thing", arguments=(("command", text),)),
    "code argument": lambda text: Action(text="x", tool="run_code", arguments=(("code", text),)),
    "path": lambda text: Action(text=text, tool="Write"),
}
KNOWN = ["/*a", "$((", "${a:-$(", "/**/", "{a,b}", "{,", "a", "\n", "<<X ", "for ", "pay ", "(alter x ", "set a="]
PIECES = [
    *KNOWN,
    *(
        "'",
        '"',
        "$(",
        "`",
        "<<X\n",
        "cat <<X\na\nX\n",
        "\\",
        ";",
        "|",
        "a=",
        "a=1;",
        "-x ",
        "--",
        "*",
        "? ",
        "'\"",
        '"$(',
    ),
    *(
        "${a:-",
        "}",
        "{",
        "(",
        ")",
        "a ",
        "a;",
        "a|",
        "# c\n",
        "é",
        "$a",
        "\t",
        "&",
        "<",
        "> a ",
        "<(",
        ">(sh) ",
        "1",
        "a/",
    ),
    *(
        "../",
        "!",
        "~",
        "[",
        "%",
        "sudo ",
        "xargs ",
        "eval ",
        "env ",
        "git ",
        "git -c a=b ",
        "rm -r /tmp/a ",
        "echo a|sh\n",
    ),
    *(
        "echo a>b;",
        "send ",
        "and delete ",
        ". delete ",
        "update a set ",
        "where ",
        "delete from a ",
        "grant all ",
        "-- ",
    ),
    *(
        "'a'||",
        "$$",
        '"a',
        "''",
        "\x00",
        "\ud800",
        "find -exec a ; ",
        "alias a=b\n",
        "f(){ a;};",
        "if a;then ",
        "a\\\n",
    ),
    *(
        "a+=(x x);b=${a[@]};",
        "x=aaaaaaaa${x:0:300};y=${x//*a?b/c};",
        "f(){ f $1a;};f;",
        "while a; do b; done <<< c;",
        "set -- $@ a;",
        "echo aaaaaaaaa>>b;sh b;",
        "xargs -I{} {} <<< a;",
        "{a..z}",
    ),
    *(
        "A=$A$A;",
        "a=$a$a;a+=$a;",
        "printf %s ",
        "echo -n ",
        "tr a b|",
        "bash -c '",
        "scp -i -i ",
        "curl -i .ssh ",
        ",all",
    ),
]


def routed(text: Action) -> object:
    return route(text, shipped_rules())


def growth(read: Callable[[Any], object], short: Any, long: Any) -> float:
    """How many times as long the long one takes; measured again only while it looks bad."""
    least = most = float("inf")
    for _ in range(ROUNDS):
        most = min(most, pace.seconds(read, long))
        if most < GROWTH * LEAST_S:  # however short the short one takes
            return most / LEAST_S
        least = min(least, pace.seconds(read, short))
        if most < GROWTH * least:
            break
    return most / max(least, LEAST_S)


def repeated(piece: str, length: int) -> str:
    return (piece * (length // len(piece) + 1))[:length]


@pytest.mark.rule("DIA-8")
@pytest.mark.parametrize("kind", KINDS)
def test_known_slow_texts_take_time_by_their_length(kind: str) -> None:
    for piece in KNOWN:
        short, long = (KINDS[kind](repeated(piece, length)) for length in (2_000, LONGER * 2_000))
        assert growth(routed, short, long) < GROWTH, piece


@pytest.mark.slow
@pytest.mark.rule("DIA-8")
@pytest.mark.parametrize("piece", PIECES)
def test_any_text_takes_time_by_its_length(piece: str) -> None:
    for kind, action in KINDS.items():
        short, long = (action(repeated(piece, length)) for length in (40_000, LONGER * 40_000))
        assert growth(routed, short, long) < GROWTH, kind


@pytest.mark.rule("DIA-8")
@pytest.mark.parametrize("text", ["/*a" * 7_000, "a" * 21_000, "$((" * 7_000], ids=["comments", "a word", "sums"])
def test_a_hostile_text_takes_no_more_than_some_times_as_long_as_prose(text: str) -> None:
    for action in (KINDS["psql -c"], KINDS["shell"], KINDS["sql"]):
        assert pace.times_prose(lambda said, made=action: routed(made(said)), text, enough=20) < 20


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_megabyte_is_marked_as_unread_soon(kind: str) -> None:
    text = repeated("words and more; ", 1_100_000)
    assert route(KINDS[kind](text), shipped_rules()).rule == UNREAD or route(KINDS[kind](text), shipped_rules()).fired
    assert growth(routed, KINDS[kind](text[:250_000]), KINDS[kind](text)) < GROWTH


# ---- patterns


def every_pattern() -> Iterator[tuple[str, re.Pattern[str]]]:
    for rule in shipped_rules().rules:
        found = rule.patterns
        for text in (*found.sql, *found.stdin, *found.code, *found.raw, *found.prose, *found.tools, *found.paths):
            yield text, pattern(text)
    for one in (*shipped_rules().rules, *shipped_rules().bypasses):
        for match in one.patterns.shell:
            yield from ((text, exact_pattern(text)) for text in (*match.match, *match.unless))
            if match.where:
                yield match.where, pattern(match.where)


def a_match(tree: Any, rng: random.Random) -> str:
    """A text that a part of a pattern may match."""
    return "".join(a_letter(kind, told, rng) for kind, told in tree)


def a_letter(kind: Any, told: Any, rng: random.Random) -> str:
    match str(kind):
        case "LITERAL":
            return chr(told)
        case "IN":
            named = [member for member in told if str(member[0]) in ("LITERAL", "RANGE")]
            if not named or str(told[0][0]) == "NEGATE":
                return rng.choice("a1 -")
            sort, value = rng.choice(named)
            return chr(value if str(sort) == "LITERAL" else value[0])
        case "BRANCH":
            return a_match(rng.choice(told[1]), rng)
        case "SUBPATTERN":
            return a_match(told[3], rng)
        case "ATOMIC_GROUP":
            return a_match(told, rng)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, most, inner = told
            return "".join(a_match(inner, rng) for _ in range(min(most, rng.choice((least, least + 1)))))
        case "ANY" | "NOT_LITERAL":
            return "q"
        case _:
            return ""


def hostile_texts(text: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """What keeps a search busy: what a pattern begins with, over and over, or that once and then its next part."""
    tree = _parser.parse(text)
    for _ in range(4):
        for end in range(1, len(tree) + 1):
            head, last = a_match(tree[: end - 1], rng), a_match(tree[end - 1 : end], rng)
            if head or last:
                yield "", f"{head}{last}"
                yield "", f"{head}{last} "
            if head and last:
                yield head, last


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_every_pattern_that_ships_takes_time_by_the_length_of_a_text(seed: int) -> None:
    assert op.MAXREPEAT  # the parser is not a public one: it is still there
    rng, slow = random.Random(seed), list[tuple[str, str]]()
    for text, compiled in every_pattern():
        for head, piece in dict.fromkeys(hostile_texts(text, rng)):
            short, long = (f"{head}{repeated(piece, length)}\x01" for length in (1_000, LONGER * 1_000))
            if growth(compiled.search, short, long) >= GROWTH:
                slow.append((text, f"{head}, then {piece}"))
                break
    assert slow == []
