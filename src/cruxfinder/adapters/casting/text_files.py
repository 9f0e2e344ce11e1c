"""Reads a text that somebody wrote, within bounds; each fault is one sentence with the file's name."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.errors import BadInput

CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text and what it is called; offsets into it count characters, a byte order mark left out."""

    source: str
    text: str

    @property
    def stem(self) -> str:
        """A name for who wrote it, where the text gives none."""
        return " ".join(re.sub(r"[_\-.]+", " ", Path(self.source).stem).split()) or "Author"


def read(path: str) -> Document:
    """The document in a file. Raise BadInput if there is none, or if it is no text."""
    return check_document(
        Document(source=pack_finder.shown_name(Path(path).name or path), text=pack_finder.file_text(path))
    )


def check_document(document: Document) -> Document:
    """Text alone: whatever is shown of it later must not steer a terminal."""
    if not document.text.strip():
        raise BadInput(f"{document.source} is empty")
    if found := CONTROL.search(document.text):
        line = document.text.count("\n", 0, found.start()) + 1
        told = f"the character U+{ord(found[0]):04X} does not belong in a text file"
        raise BadInput(f"{document.source}, line {line}: {told}")
    return document
