"""The page's modules as one script: a report opens from disk, where a module cannot load another.

The modules keep to a form that makes this a matter of lines: one import a line, names that are unique everywhere. The
tests hold them to it.
"""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Final

from cruxfinder.telling.page_vocabulary import vocabulary

IMPORT: Final = re.compile(r'^import (?:\{[^}]*\} from )?"\./([a-z_-]+\.js)";$', re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?function|const|let|class)", re.MULTILINE)
WORDS: Final = "vocabulary.js"
INDEX: Final = "index.html"
ENTRY: Final = '<script type="module"'
SUFFIXES: Final = (".js", ".css", ".html", ".svg")


@cache
def written_files() -> dict[str, bytes]:
    folder = files("cruxfinder.page")
    found = {file.name: file.read_bytes() for file in folder.iterdir() if file.name.endswith(SUFFIXES)}
    return dict(sorted({**found, WORDS: words_module().encode()}.items()))


@cache
def page_files() -> dict[str, bytes]:
    """Everything the page is made of, by name."""
    return {**written_files(), INDEX: index_page().encode()}


def index_page() -> str:
    """Names every module beforehand: else each is asked for only when the one that needs it has come."""
    before, entry, after = written_files()[INDEX].decode().partition(ENTRY)
    links = (f'<link rel="modulepreload" href="/page/{module}">\n  ' for module in modules_in_order("main.js"))
    return "".join((before, *links, entry, after))


def words_module() -> str:
    """What things are called, as a module beside those that lie in the folder."""
    return f"export const VOCABULARY = {json.dumps(vocabulary(), ensure_ascii=False)};\n"


def imports(module: str) -> list[str]:
    return IMPORT.findall(written_files()[module].decode())


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
    parts = [EXPORT.sub("", IMPORT.sub("", written_files()[name].decode())).strip() for name in modules_in_order(entry)]
    return "\n\n".join(parts) + "\n"


def styles() -> str:
    """The style sheets in the order in which the page names them."""
    names = re.findall(r'<link rel="stylesheet" href="/page/([a-z-]+\.css)"', written_files()[INDEX].decode())
    return "\n".join(written_files()[name].decode() for name in names)
