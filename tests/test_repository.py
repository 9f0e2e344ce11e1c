"""The repository speaks only of itself: no path of a machine, no registry's address, no sprawling file, no copies."""

import re
import subprocess
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINES_MAX = 600
COPIED_LINES = 6
CODE = (".css", ".html", ".js", ".py")

# Written so that neither pattern matches its own source.
MACHINE_PATH = re.compile(r"(?<![\w.}~-])/(?:work|root|home|Users)/|[A-Z]:\\Users\\")
REGISTRY_HOST = re.compile(r"\b(?:pypi\.(?:org|io)|pythonhosted\.org|anaconda\.org|npmjs\.(?:com|org))\b")


def repository_files() -> list[Path]:
    """The files git tracks or would track; outside a git checkout, every file that is not hidden."""
    listing = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(listing, capture_output=True, check=True, text=True).stdout.split("\0")
        paths = [ROOT / name for name in names if name]
    except (FileNotFoundError, subprocess.CalledProcessError):
        paths = [p for p in ROOT.rglob("*") if not any(n.startswith(".") for n in p.relative_to(ROOT).parts)]
    return sorted(path for path in paths if path.is_file())


def text_of(path: Path) -> str:
    """The text of a file; nothing for a binary one."""
    data = path.read_bytes()
    return "" if b"\0" in data else data.decode("utf-8")


def findings(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in repository_files()
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if pattern.search(line)
    ]


def test_no_file_names_a_path_of_a_machine() -> None:
    assert findings(MACHINE_PATH) == []


def test_no_file_names_a_package_registry() -> None:
    assert findings(REGISTRY_HOST) == []


def test_no_source_file_is_longer_than_the_limit() -> None:
    lengths = {path: len(text_of(path).splitlines()) for path in (ROOT / "src").rglob("*.py")}
    too_long = {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n > LINES_MAX}
    assert lengths
    assert too_long == {}


def code_lines(text: str) -> list[tuple[int, str]]:
    """The lines that say something, with their numbers: no comment, no import statement, no lone punctuation."""
    stripped = ((number, " ".join(line.split())) for number, line in enumerate(text.splitlines(), start=1))
    return [(n, line) for n, line in stripped if re.search(r"\w", line) and not re.match(r"#|//|import |from ", line)]


def copies(texts: Mapping[str, str]) -> list[str]:
    """Runs of lines that stand in two places to the letter. Names that an import lists in brackets count."""
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for file, text in texts.items():
        lines = code_lines(text)
        for run in zip(*(lines[k:] for k in range(COPIED_LINES)), strict=False):
            places[tuple(line for _, line in run)].append(f"{file}:{run[0][0]}")
    return [" ~ ".join(found) for found in places.values() if len(found) > 1]


def test_no_six_lines_of_code_stand_in_two_places() -> None:
    files = [path for path in sorted((ROOT / "src").rglob("*")) if path.suffix in CODE]
    assert files
    assert copies({path.relative_to(ROOT).as_posix(): text_of(path) for path in files}) == []


BLOCK = "".join(f"step_{n}()\n" for n in range(COPIED_LINES))


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        pytest.param(BLOCK, f"def f():\n    {BLOCK.replace(chr(10), chr(10) + '    ')}", True, id="indented"),
        pytest.param(BLOCK, BLOCK.replace("\n", "\n\n# why\n)\n"), True, id="comments and brackets between"),
        pytest.param(BLOCK, BLOCK.replace("step_3", "other"), False, id="a line differs"),
        pytest.param("from a import b\n" * 9, "from a import b\n" * 9, False, id="imports, a line each"),
    ],
)
def test_a_copy_is_found_where_it_is_one(first: str, second: str, found: bool) -> None:
    assert bool(copies({"a": first, "b": second})) == found


@pytest.mark.parametrize(
    ("pattern", "parts", "found"),
    [
        pytest.param(MACHINE_PATH, ("see ", "/work", "/notes"), True, id="a work folder"),
        pytest.param(MACHINE_PATH, ('"', "/root", '/x"'), True, id="a home folder"),
        pytest.param(MACHINE_PATH, ("src/cruxfinder", "/work", "/queue.py"), False, id="our own folder"),
        pytest.param(REGISTRY_HOST, ("https://pypi", ".org", "/simple"), True, id="a registry"),
        pytest.param(REGISTRY_HOST, ("pip install cruxfinder",), False, id="a plain install line"),
    ],
)
def test_the_patterns_find_what_they_are_for(pattern: re.Pattern[str], parts: tuple[str, ...], found: bool) -> None:
    assert bool(pattern.search("".join(parts))) == found
