"""Files a command writes: whole or not at all, and never over another one unasked."""

import os
import secrets
from pathlib import Path

from cruxfinder.errors import BadInput


def target(given: str, *, force: bool) -> Path:
    """Where to write, checked before anything is read."""
    if not given:
        raise BadInput("--out needs the path of a file")
    path = Path(given)
    if path.is_dir():
        raise BadInput(f"{given} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise BadInput(f"there is no folder {path.parent}")
    if path.exists() and not force:
        raise BadInput(f"{given} is there already; overwrite it with --force")
    return path


def write(path: Path, text: str, *, force: bool) -> None:
    """The whole file or none of it: written beside its place, then put there at once.

    A device or a pipe is written into. Whoever may write in its folder would put a file in its place, for everybody.
    """
    if force and path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8", errors="replace", newline="")
        return
    part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with part.open("x", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
        if force:
            part.replace(path)
        else:
            move_into_place(part, path)
    except FileExistsError:
        raise BadInput(f"{path} is there already; overwrite it with --force") from None
    finally:
        part.unlink(missing_ok=True)


def move_into_place(part: Path, path: Path) -> None:
    """Unlike a rename, a link never takes the place of a file that came up meanwhile; some disks know no links."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:
        part.rename(path)
