"""What a shell's text comes to once the shell has expanded it is what the rules judge; its harmless neighbours pass."""

import json
from pathlib import Path

import pytest

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.gate.router import route
from cruxfinder.gate.shell.reader import read
from tests.attack.hooked import action_of

CALLS = [json.loads(line) for line in Path(__file__).with_name("shell_expansions.jsonl").read_text().splitlines()]


def words(text: str) -> tuple[str, ...]:
    """The words that the last command `show` of a text is given."""
    return [command for command in read(text).commands if command.program == "show"][-1].words


@pytest.mark.rule("DIA-8")
def test_what_is_expanded_is_judged_as_what_it_comes_to() -> None:
    found = [(call, route(action_of("Bash", {"command": call["command"]}), shipped_rules())) for call in CALLS]
    assert len(found) >= 350
    assert [(call, routing.rule, routing.why) for call, routing in found if routing.debate != call["debate"]] == []


@pytest.mark.parametrize(
    ("value", "expansion", "comes_to"),
    [
        ("a/b/c.tar.gz", "${x#*/}", "b/c.tar.gz"),
        ("a/b/c.tar.gz", "${x##*/}", "c.tar.gz"),
        ("a/b/c.tar.gz", "${x%.*}", "a/b/c.tar"),
        ("a/b/c.tar.gz", "${x%%.*}", "a/b/c"),
        ("a/b/c.tar.gz", "${x/[bc]/_}", "a/_/c.tar.gz"),
        ("a/b/c.tar.gz", "${x//\\//-}", "a-b-c.tar.gz"),
        ("a/b/c.tar.gz", "${x/#a/z}", "z/b/c.tar.gz"),
        ("a/b/c.tar.gz", "${x/%gz/xz}", "a/b/c.tar.xz"),
        ("a/b/c.tar.gz", "${x/b*t/_}", "a/_ar.gz"),
        ("a/b/c.tar.gz", "${x//[!a-c]}", "abca"),
        ("a*b", "${x%'*'b}", "a"),
        ("a*b", "${x%\\*b}", "a"),
        ("Ab", "${x,,}${x^^}${x,}${x^}", "abABabAb"),
        ("abba", "${x^^[b]}", "aBBa"),
        ("abcdef", "${x:1:2}${x: -1}${x:0:-4}", "bcfab"),
        ("abc", "${x:${#x}-1}", "c"),
        ("abc", "${x:+set}${y:-'not set'}", "setnot set"),
    ],
)
def test_a_known_value_comes_to_what_bash_makes_of_it(value: str, expansion: str, comes_to: str) -> None:
    quoted = expansion.replace("'not set'", "not set")
    assert words(f'x="{value}"; show "{quoted}"') == (comes_to,)


@pytest.mark.parametrize(
    ("text", "comes_to"),
    [
        ('a=(1 "2 3" 4); show "${a[@]}"', "1|2 3|4"),
        ("a=(1 '2 3' 4); show ${a[@]}", "1|2|3|4"),
        ("a=(1 '2 3' 4); show \"x${a[@]}y\"", "x1|2 3|4y"),
        ('a=(1 \'2 3\' 4); show "${a[*]}" "${a[@]:1}" ${#a[@]}', "1 2 3 4|2 3|4|3"),
        ('a=(); show "${a[@]}" x', "x"),
        ('a=(x.c y.c); show "${a[@]%.c}"', "x|y"),
        ('declare -A m=([k]="v w"); show "${m[k]}" "${!m[@]}"', "v w|k"),
        ('set -- a "b c"; show "$@" "$*" $# "${@:2}"', "a|b c|a b c|2|b c"),
        ("show {a..c} {1..10..3} {03..01} x{a,b}{1..2}", "a|b|c|1|4|7|10|03|02|01|xa1|xa2|xb1|xb2"),
        ('f() { show "$1" $# "$*"; }; f "a b" c', "a b|2|a b c"),
        ("show $(echo lost >&2; printf a; printf b)", "ab"),
        ('show "$(echo a || echo b)"', "a"),
        ("show $(printf '1\\n2\\n3\\n' | tail -n 2) $(echo a:b:c | cut -d: -f2-)", "2|3|b:c"),
    ],
)
def test_lists_functions_and_filters_come_to_the_words_that_bash_makes_of_them(text: str, comes_to: str) -> None:
    assert "|".join(words(text)) == comes_to


@pytest.mark.parametrize(
    "text",
    [
        'f() { f "$@" a; }; f',
        "f() { g $1a; }; g() { f $1b; }; f a",
        "f() { f2 $1; }; " + "f a; " * 9_000,
        "a=(" + "x " * 9_000 + ")",
        "x=aaaaaaaaaaaaaaaa" * 9 + "; " + "y=${x//*a*b/c}; " * 2_000,
        "echo a > x; " + "cat x x > y; cat y y > x; " * 40,
    ],
    ids=["a function in itself", "two in each other", "calls", "items", "searches", "files"],
)
def test_what_is_too_much_to_be_followed_is_marked_as_unread(text: str) -> None:
    assert read(text).cut
