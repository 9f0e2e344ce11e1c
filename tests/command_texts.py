"""Every command that a text recommends, wherever the text stands: strings of the source, the page's scripts, the docs.

A command stands in backticks, or alone: from the beginning of a text, a line or a bracket to its end. What else follows
the word crux is prose. What a text leaves open (`RUN`, `{run}`, `…`) is filled in with something that fits.
"""

import ast
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "cruxfinder"
OPEN = "\N{OBJECT REPLACEMENT CHARACTER}"  # what an f-string fills in
SUFFIX = re.compile(r"suffix|address")  # an f-string's expression for options that may be none


@dataclass(frozen=True)
class Text:
    """A string of a program, or a piece of a page of docs, and where it stands."""

    place: str
    text: str


# ---- texts


def f_string(node: ast.JoinedStr) -> str:
    parts: list[str] = []
    for value in node.values:
        if isinstance(value, ast.FormattedValue):
            parts.append("" if SUFFIX.search(ast.unparse(value.value)) else OPEN)
        elif isinstance(value, ast.Constant):
            parts.append(str(value.value))
    return "".join(parts)


def python_texts(path: Path) -> Iterator[Text]:
    tree = ast.parse(path.read_text("utf-8"))
    whole = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    inside = {id(value) for node in whole for value in node.values}
    for node in ast.walk(tree):
        place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.JoinedStr):
            yield Text(place, f_string(node))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield Text(place, node.value)


SCRIPT_STRING = re.compile(r"""("|')((?:\\.|(?!\1)[^\\\n])*)\1|(`)((?:\\.|[^`\\])*)`""")
FILLED_IN = re.compile(r"\$\{[^{}]*\}")


def script_texts(path: Path) -> Iterator[Text]:
    text = path.read_text("utf-8")
    for found in SCRIPT_STRING.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        body = FILLED_IN.sub(OPEN, found[2] or found[4] or "")
        yield Text(f"{path.relative_to(ROOT)}:{line}", body.replace('\\"', '"').replace("\\n", "\n"))


FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def docs_texts(path: Path) -> Iterator[Text]:
    """What is in backticks, and the lines of blocks that show a console."""
    text = path.read_text("utf-8")
    place = str(path.relative_to(ROOT))
    for kind, block in FENCE.findall(text):
        if kind == "console":
            yield from (Text(place, line) for line in block.splitlines())
    prose = FENCE.sub("", text)
    yield from (Text(place, f"`{code}`") for code in re.findall(r"`([^`]+)`", prose))


@cache
def source_texts() -> tuple[Text, ...]:
    found = [text for path in sorted(SOURCE.rglob("*.py")) for text in python_texts(path)]
    found += [text for path in sorted(SOURCE.rglob("*.js")) for text in script_texts(path)]
    pages = [path for ending in ("html", "yaml", "md") for path in sorted(SOURCE.rglob(f"*.{ending}"))]
    return (*found, *(Text(str(path.relative_to(ROOT)), path.read_text("utf-8")) for path in pages))


@cache
def all_texts() -> tuple[Text, ...]:
    pages = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / ".github").rglob("*.md")])
    return (*source_texts(), *(text for page in pages for text in docs_texts(page)))


# ---- commands in a text

PROSE = frozenset("is lock map of sides that".split())  # at the beginning of a label, after the word crux
IN_TICKS = re.compile(r"`crux((?: [^`]*)?)`")
ALONE = re.compile(r"(?:^ *|[\n(:;,] *|\b(?:with|try|run|see|use) )crux ([a-z-][^\n`]*)", re.MULTILINE)


@dataclass(frozen=True)
class Recommended:
    """A command as a text has it, without the word crux."""

    place: str
    text: str
    is_whole: bool  # it stands alone, to be typed as it is; else it may be named without what it takes


def commands_in(text: Text) -> Iterator[Recommended]:
    for found in IN_TICKS.finditer(text.text):
        yield Recommended(text.place, " ".join(found[1].split()), is_whole=False)
    for found in ALONE.finditer(IN_TICKS.sub("", text.text)):
        command = cut_at_end(found[1])
        if command.split()[0] not in PROSE:
            yield Recommended(text.place, command, is_whole=True)


def cut_at_end(rest: str) -> str:
    """Up to the bracket or the sentence that ends it."""
    depth = ""
    for n, sign in enumerate(rest):
        if depth:
            depth = "" if sign == depth else depth
        elif sign in "\"'":
            depth = sign
        elif sign in ");" or rest[n : n + 2] in ("  ", ". ", ", "):
            return rest[:n].strip()
    return rest.strip().rstrip(".,")


# ---- what is left open

FITTING = {"N": "3", "…": "x", "TIME": "1:30", "DATE": "2027-06-30"}


def filled_in(text: str) -> list[list[str]]:
    """The words of the command, one list for each alternative (`met|unmet`)."""
    plain = re.sub(r"\[[^\]]*\]", "", text).replace(OPEN, "1").replace("...", "…")
    named = FITTING | ({"NAME": "result"} if plain.startswith("schema ") else {})
    words = [named.get(word, word) for word in shlex.split(plain)]
    return [list(way) for way in product(*(alternatives(word) for word in words))]


def alternatives(word: str) -> list[str]:
    return word.split("|") if re.fullmatch(r"[\w-]+(\|[\w-]+)+", word) else [word]
