"""The page's modules as one script: a report opens from disk, where a module cannot load another.

The modules keep to a form that makes this a matter of lines: one import a line, names that are unique everywhere. The
tests hold them to it.
"""

import re
from functools import cache
from importlib.resources import files
from typing import Final

IMPORT: Final = re.compile(r'^import (?:\{[^}]*\} from )?"\./([a-z_-]+\.js)";$', re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?function|const|let|class)", re.MULTILINE)
SUFFIXES: Final = (".js", ".css", ".html", ".svg")


@cache
def page_files() -> dict[str, bytes]:
    """Everything the page is made of, by name."""
    folder = files("cruxfinder.page")
    return {
        file.name: file.read_bytes()
        for file in sorted(folder.iterdir(), key=lambda f: f.name)
        if file.name.endswith(SUFFIXES)
    }


def imports(module: str) -> list[str]:
    return IMPORT.findall(page_files()[module].decode())


def modules_in_order(entry: str) -> list[str]:
    """The entry and all it needs, what is needed first."""
    found: list[str] = []
    on_the_way: set[str] = set()

    def visit(module: str) -> None:
        if module in on_the_way:
            return
        on_the_way.add(module)
        for needed in imports(module):
            visit(needed)
        found.append(module)

    visit(entry)
    return found


def bundle_script(entry: str) -> str:
    parts = [EXPORT.sub("", IMPORT.sub("", page_files()[name].decode())).strip() for name in modules_in_order(entry)]
    return "\n\n".join(parts) + "\n"


def styles() -> str:
    """The style sheets in the order in which the page names them."""
    names = re.findall(r'<link rel="stylesheet" href="/page/([a-z-]+\.css)"', page_files()["index.html"].decode())
    return "\n".join(page_files()[name].decode() for name in names)
