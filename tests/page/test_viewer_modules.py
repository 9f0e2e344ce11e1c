"""The page's modules keep to the form that lets one file be made of them, and to what the page's policy allows."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

import cruxfinder
from cruxfinder.page.bundle import WORDS, modules_in_order, page_files

VIEWER = Path(cruxfinder.__file__).parent / "page"
MODULES = sorted(path.name for path in VIEWER.glob("*.js"))
SHEETS = sorted(path.name for path in VIEWER.glob("*.css"))
LINES_MAX = 300
LETTERS_MAX = 140

IMPORT = re.compile(r'import (?:\{ ([A-Za-z_$][\w$]*(?:, [A-Za-z_$][\w$]*)*) \} from )?"\./([a-z_-]+\.js)";')
EXPORT = re.compile(r"export (?:async function|function|const|class) [A-Za-z_$]")
TOP_LEVEL = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|const|let|var|class) +(\{[^}]*\}|\[[^\]]*\]|[A-Za-z_$][\w$]*)"
)
FORBIDDEN = (
    r"\.innerHTML",
    r"\.outerHTML",
    r"insertAdjacentHTML",
    r"document\.write",
    r"\beval\(",
    r"new Function\(",
    r"\.srcdoc",
    r"createContextualFragment",
    r"DOMParser",
    r"setHTMLUnsafe",
    r"\bimport\(",
    r"\.setAttribute\(\"style\"",
    r"\bstyle: ?[\"'`]",
    r"javascript:",
    r"setTimeout\([\"'`]",
    r"\bEventSource\b",
)
ADDRESS = re.compile(r"https?://[\w.-]+")
NAMESPACES = {"http://www.w3.org"}


def text_of(name: str) -> str:
    return page_files()[name].decode()


def faults(text: str) -> list[str]:
    """What the form of a module forbids, line by line."""
    found: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("import") and not IMPORT.fullmatch(line):
            found.append(f"{number}: an import is one line and names what it takes: {line}")
        if line.startswith("export") and not EXPORT.match(line):
            found.append(f"{number}: only a function, a constant or a class is exported: {line}")
        if len(line) > LETTERS_MAX:
            found.append(f"{number}: a line has at most {LETTERS_MAX} letters, not {len(line)}")
        code = re.sub(r"^\s*(?:\*|/\*\*?|//).*", "", line)
        found += [f"{number}: {pattern} has no place here" for pattern in FORBIDDEN if re.search(pattern, code)]
        found += [f"{number}: an address" for address in ADDRESS.findall(code) if address not in NAMESPACES]
    return found


def names_of(text: str) -> list[str]:
    """Everything a module names at its top level."""
    found: list[str] = []
    for line in text.splitlines():
        if match := TOP_LEVEL.match(line):
            found += re.findall(r"[A-Za-z_$][\w$]*", match[1])
    return found


@pytest.mark.parametrize("name", MODULES)
def test_a_module_keeps_to_the_form(name: str) -> None:
    assert faults(text_of(name)) == []


@pytest.mark.parametrize("name", MODULES)
def test_what_a_module_takes_is_exported_there(name: str) -> None:
    for names, module in IMPORT.findall(text_of(name)):
        assert module in page_files(), f"{name} takes from {module}, which is not there"
        exported = set(
            re.findall(r"^export (?:async )?(?:function|const|class) ([\w$]+)", text_of(module), re.MULTILINE)
        )
        wanted = {word.strip() for word in names.split(",") if word.strip()}
        assert wanted <= exported, f"{module} has no {sorted(wanted - exported)}"


@pytest.mark.parametrize("name", MODULES)
def test_a_module_uses_what_it_takes(name: str) -> None:
    text = text_of(name)
    body = "\n".join(line for line in text.splitlines() if not line.startswith("import"))
    taken = [word.strip() for names, _ in IMPORT.findall(text) for word in names.split(",") if word.strip()]
    assert [word for word in taken if not re.search(rf"(?:\.\.\.|(?<![\w$.])){re.escape(word)}\b", body)] == []


def test_every_name_is_unique_over_all_modules() -> None:
    owners: dict[str, list[str]] = defaultdict(list)
    for name in MODULES:
        for word in names_of(text_of(name)):
            owners[word].append(name)
    assert {word: where for word, where in owners.items() if len(where) > 1} == {}


def test_modules_need_each_other_in_no_circle() -> None:
    needs = {name: [module for _, module in IMPORT.findall(text_of(name))] for name in (*MODULES, WORDS)}
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, f"a circle: {' > '.join((*way, name))}"
        if name not in done:
            for needed in needs[name]:
                visit(needed, (*way, name))
            done.add(name)

    for name in MODULES:
        visit(name, ())


@pytest.mark.parametrize("name", [*MODULES, *SHEETS])
def test_a_file_stays_readable(name: str) -> None:
    lines = text_of(name).splitlines()
    assert len(lines) < LINES_MAX


@pytest.mark.parametrize("name", SHEETS)
def test_a_style_sheet_loads_nothing(name: str) -> None:
    text = text_of(name)
    assert "@import" not in text
    assert "url(" not in text
    assert ADDRESS.findall(text) == []


@pytest.mark.parametrize("name", [sheet for sheet in SHEETS if sheet != "tokens.css"])
def test_colours_are_tokens(name: str) -> None:
    """Shadows and backdrops may darken by a share of black; every other colour is named once, in tokens.css."""
    text = re.sub(r"/\*.*?\*/", "", text_of(name), flags=re.DOTALL)
    assert re.findall(r"(?<![\w&-])#[0-9a-fA-F]{3,8}\b", text) == []


def test_the_page_has_no_script_or_style_of_its_own() -> None:
    text = text_of("index.html")
    assert re.findall(r"<script(?! type=\"module\" src=\"/page/[a-z_-]+\.js\"></script>)", text) == []
    assert "<style" not in text
    assert re.findall(r"\s(?:style|on[a-z]+)=", text) == []
    assert ADDRESS.findall(text) == []
    for address in re.findall(r'(?:src|href)="/page/([^"]+)"', text):
        assert address in page_files(), f"the page needs {address}"


def test_the_page_names_beforehand_every_module_it_needs() -> None:
    """Otherwise each is only asked for when the one that needs it has come: a dozen ways to the server in a row."""
    named = re.findall(r'<link rel="modulepreload" href="/page/([a-z_-]+\.js)">', text_of("index.html"))
    assert named == modules_in_order("main.js")


@pytest.mark.parametrize(
    "line",
    [
        'import {h} from "./dom.js";',
        'import { h,s } from "./dom.js";',
        'import * as dom from "./dom.js";',
        'import { h as make } from "./dom.js";',
        'import dom from "./dom.js";',
        "export default class Run {}",
        "export { h };",
        "export let count = 0;",
        "  el.innerHTML = text;",
        '  const page = await import("./dom.js");',
        '  h("p", { style: "color: red" });',
        '  fetch("https://example.org/");',
        "x" * (LETTERS_MAX + 1),
    ],
)
def test_what_breaks_the_form_is_found(line: str) -> None:
    assert faults(line) != []


CAMPS = [f"camp-{number}" for number in range(1, 9)]
GROUNDS = ("bg", "surface", "surface-2")
TEXTS: list[tuple[str, str, float]] = [
    *((text, ground, 4.5) for text in ("text", "text-2", "text-3", "accent-text", "bad") for ground in GROUNDS),
    *((text, "surface-3", 4.5) for text in ("text", "text-2")),
    *((text, "accent-soft", 4.5) for text in ("text", "text-2", "accent-text")),
    *((tone, ground, 4.5) for tone in ("good", "warn", "bad") for ground in ("surface", f"{tone}-soft")),
    *(("text", f"{tone}-soft", 4.5) for tone in ("good", "warn", "bad")),
    *((camp, ground, 4.5) for camp in CAMPS for ground in (*GROUNDS, f"{camp}-soft")),
    *(("on-camp", camp, 4.5) for camp in CAMPS),
    ("on-accent", "accent", 4.5),
    *(("accent", ground, 3.0) for ground in GROUNDS),
    *(("line-2", ground, 3.0) for ground in ("bg", "surface")),
]


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_told_apart(scheme: str) -> None:
    """WCAG AA: 4.5 for text, 3 for what is only seen."""
    place = 1 if scheme == "light" else 2
    tokens = re.finditer(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", text_of("tokens.css"))
    colours = {found[1]: found[place + 1] for found in tokens}
    weak = {
        f"{text} on {ground}": round(contrast(colours[text], colours[ground]), 2)
        for text, ground, least in TEXTS
        if contrast(colours[text], colours[ground]) < least
    }
    assert weak == {}
