"""Finds a pack: one that ships, by its name, or any other by the path of its file."""

import difflib
import os
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from cruxfinder.adapters.packs.document import BYTES_MAX
from cruxfinder.adapters.packs.pack_reader import read
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Pack

SUFFIXES: Final = (".yaml", ".yml")
_SHOWN_MAX: Final = 80


def names() -> tuple[str, ...]:
    """The packs that ship, by name."""
    shipped = (resources.files("cruxfinder.adapters.packs") / "shipped").iterdir()
    return tuple(sorted(file.name.removesuffix(".yaml") for file in shipped if file.name.endswith(".yaml")))


@cache
def shipped_packs() -> tuple[Pack, ...]:
    """Those that ship, read once."""
    return tuple(find(name)[0] for name in names())


def name_of(subject: str) -> str:
    """The name of the pack that ships on this topic; else the subject as it is, without the space around it."""
    said = subject.strip()
    if " " not in said:
        return said.lower() if said.lower() in names() else said
    return next((pack.name for pack in shipped_packs() if bare_sentence(pack.topic) == bare_sentence(said)), said)


def bare_sentence(text: str) -> str:
    """A sentence in one case, with single spaces and without its stop, to be compared."""
    return " ".join(text.casefold().split()).rstrip(" .!?…")


def find(name_or_path: str) -> tuple[Pack, str]:
    """A pack and its YAML text. Raise BadInput if there is none, BadPack if it has faults."""
    if name_or_path in names():
        text = (resources.files("cruxfinder.adapters.packs") / "shipped" / f"{name_or_path}.yaml").read_text("utf-8")
        return read(text, name_or_path), text
    if not name_or_path.endswith(SUFFIXES):
        raise BadInput(f"{unknown_pack(name_or_path)} (your own pack is the path of a .yaml file)")
    text = file_text(name_or_path)
    return read(text, shown_name(name_or_path)), text


def unknown_pack(name: str) -> str:
    close = difflib.get_close_matches(name.lower(), names(), n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(names())}"
    return f"there is no pack {shown_name(name)}; {hint}"


def file_text(name: str) -> str:
    """The text of a file. Raise BadInput if it cannot be read as such."""
    shown = shown_name(name)
    data = file_bytes(Path(name), shown, BYTES_MAX, "file", regular=True)
    if len(data) > BYTES_MAX:
        raise BadInput(f"{shown} is larger than 1 MB, the most that a file may be")
    if b"\0" in data:
        raise BadInput(f"{shown} is not a text file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{shown} is not UTF-8 text") from None


def file_bytes(path: Path, shown: str, most: int, what: str, *, regular: bool = False) -> bytes:
    """What a file holds, up to one byte more than it may, so that the caller sees when it is too large."""
    try:
        if path.is_dir():
            raise BadInput(f"{shown} is a folder, not a {what}")
        if regular and path.exists() and not path.is_file():
            raise BadInput(f"{shown} is not a regular file")
        with path.open("rb") as file:
            return file.read(most + 1)
    except FileNotFoundError:
        raise BadInput(f"there is no file {shown}") from None
    except OSError as error:
        raise BadInput(f"{shown} cannot be read: {os.strerror(error.errno or 0)}") from None
    except ValueError:
        raise BadInput(f"{shown} is not a path") from None


def shown_name(name: str) -> str:
    short = name if len(name) <= _SHOWN_MAX else f"…{name[-_SHOWN_MAX:]}"
    return short if short.isprintable() and short else repr(short)
