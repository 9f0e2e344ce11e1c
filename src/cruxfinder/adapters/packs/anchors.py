"""Passages to think about, from a folder of texts a user gives: paragraphs, word for word, and where each stands."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Anchor

SUFFIXES: Final = (".txt", ".md")
FILES_MAX: Final = 200
PASSAGES_MAX: Final = 2_000
PASSAGE_MIN, PASSAGE_MAX = 40, 500  # characters
ENDS: Final = re.compile(r"[.!?…][\"”’')\]]*$")  # a word that ends a sentence
MARKUP: Final = re.compile(r"#+\s|[-*]\s|>|\||```")
FENCE: Final = "```"


class SourceWord(NamedTuple):
    text: str
    line: int


def load(folder: str) -> tuple[Anchor, ...]:
    """Every passage of every text in the folder, in the order of their names."""
    place = Path(folder)
    if not place.is_dir():
        raise BadInput(f"--anchors takes a folder with texts; {folder!r} is none")
    try:
        os.scandir(place).close()
    except OSError as error:  # which a search below it passes over
        raise BadInput(f"the folder {folder!r} cannot be read: {error.strerror}") from None
    paths = sorted(p for p in place.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
    if not paths:
        raise BadInput(f"the folder {folder!r} holds no .txt or .md file")
    if len(paths) > FILES_MAX:
        raise BadInput(f"the folder {folder!r} holds {len(paths)} texts; at most {FILES_MAX} can be taken")
    found: list[Anchor] = []
    for path in paths:
        found += passages(pack_finder.file_text(str(path)), printable_name(path.relative_to(place).as_posix()))
        if len(found) > PASSAGES_MAX:
            raise BadInput(f"the folder {folder!r} holds more than {PASSAGES_MAX} passages; leave some texts out")
    if not found:
        raise BadInput(f"the texts in {folder!r} hold no passage of at least {PASSAGE_MIN} characters")
    return tuple(found)


def printable_name(name: str) -> str:
    """A name that can be written down, whatever bytes the disk has it in."""
    return name.encode("utf-8", "replace").decode()


def passages(text: str, name: str) -> Iterator[Anchor]:
    """Paragraphs; a long one is cut between sentences. Only line breaks are changed, into spaces."""
    seen = set[str]()
    for words in paragraphs(text):
        for passage, line in pieces(words):
            if passage not in seen and PASSAGE_MIN <= len(passage) <= PASSAGE_MAX:
                seen.add(passage)
                yield Anchor(text=passage, source=f"{name}, line {line}")


def paragraphs(text: str) -> Iterator[list[SourceWord]]:
    """The words of each paragraph with their lines; headings, lists, quotations, tables and code end one."""
    found: list[SourceWord] = []
    code = False
    for number, line in enumerate(text.split("\n"), start=1):
        code ^= line.lstrip().startswith(FENCE)
        if line.strip() and not code and not MARKUP.match(line.strip()):
            found += [SourceWord(word, number) for word in line.split()]
        elif found:
            yield found
            found = []
    if found:
        yield found


def pieces(words: list[SourceWord]) -> Iterator[tuple[str, int]]:
    """Whole sentences, as many as fit; one that is too long by itself comes out too long, and is left out."""
    held: list[SourceWord] = []
    for sentence in sentences(words):
        if held and len(join_words(held)) + 1 + len(join_words(sentence)) > PASSAGE_MAX:
            yield join_words(held), held[0].line
            held = []
        held += sentence
    if held:
        yield join_words(held), held[0].line


def sentences(words: list[SourceWord]) -> Iterator[list[SourceWord]]:
    found: list[SourceWord] = []
    for word in words:
        found.append(word)
        if ENDS.search(word.text):
            yield found
            found = []
    if found:
        yield found


def join_words(words: list[SourceWord]) -> str:
    return " ".join(word.text for word in words)
