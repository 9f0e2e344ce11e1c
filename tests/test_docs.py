"""The documentation is run: every Python block works, every command exists, every link leads somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

import cruxfinder as cf

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)\)")


def blocks(language: str) -> list[ParameterSet]:
    found: list[ParameterSet] = []
    for page in PAGES:
        for n, (kind, text) in enumerate(BLOCK.findall(page.read_text())):
            if kind == language:
                found.append(pytest.param(text, id=f"{page.name}-{n}"))
    return found


@pytest.mark.parametrize("code", blocks("python"))
def test_a_python_block_runs(code: str, tmp_path: Path) -> None:
    environment = {**os.environ, "CRUX_STORE": str(tmp_path / "runs.db")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def lines() -> list[str]:
    """Every command line of the docs that starts with crux."""
    texts = [text for page in PAGES for kind, text in BLOCK.findall(page.read_text()) if kind == "console"]
    return sorted({line for text in texts for line in text.splitlines() if line.startswith("crux ")})


def crux(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cruxfinder", *arguments],
        check=False,
        cwd=folder,
        env={**os.environ, "CRUX_STORE": str(folder / "runs.db")},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs for the commands that need one."""
    place = tmp_path_factory.mktemp("docs")
    for run in ("first", "second"):
        cf.debate("bitcoin", seed=2, store=place / "runs.db", run=run)
    return place


@pytest.mark.parametrize("line", [line for line in lines() if "FILE" not in line])
def test_a_command_of_the_docs_runs(line: str, folder: Path) -> None:
    words = [{"RUN": "first", "OTHER": "second"}.get(word, word) for word in line.split()[1:]]
    done = crux(words, folder)
    assert done.returncode == 0, done.stderr


def test_make_targets_of_the_docs_exist() -> None:
    named = {t for page in PAGES for t in re.findall(r"^make ([a-z-]+)$", page.read_text(), re.MULTILINE)}
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert named
    assert named <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text()):
        assert (page.parent / link).exists(), link
