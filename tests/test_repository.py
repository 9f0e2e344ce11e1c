"""The repository speaks only of itself: no path of a machine, no address of a registry, no sprawling file."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINES_MAX = 600

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
