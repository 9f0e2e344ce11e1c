"""The documentation is run: every Python block works, every command exists, every link leads somewhere."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest
from _pytest.mark import ParameterSet

import cruxfinder as cf
from bench.fake.caster import caster
from bench.fake.server import FakeProvider, served
from tests.cli.terminal import in_terminal

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / ".github").rglob("*.md"),
        *(page for folder in ("scripts", "src", "tests") for page in (ROOT / folder).rglob("README.md")),
    ]
)
GATE_CODES = (0, 10, 11, 20)  # what the gate may answer
QUICK = ("README.md",)  # the others take longer
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(language: str) -> list[ParameterSet]:
    found: list[ParameterSet] = []
    for page in PAGES:
        for n, (kind, text) in enumerate(BLOCK.findall(page.read_text())):
            if kind == language:
                marks = () if name_of(page) in QUICK else pytest.mark.slow
                found.append(pytest.param(text, id=f"{name_of(page)}-{n}", marks=marks))
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


def crux(arguments: list[str], folder: Path, url: str = "") -> subprocess.CompletedProcess[str]:
    models = {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none"} if url else {}
    return subprocess.run(
        [sys.executable, "-m", "cruxfinder", *arguments],
        check=False,
        cwd=folder,
        env={**os.environ, **models, "CRUX_STORE": str(folder / "runs.db")},
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
    for memo in ("for", "against"):
        (place / f"{memo}.md").write_text(f"I am {memo} it, as every release waits for the others. We lost nine days. ")
    return place


STAYS = re.compile(r"^crux serve|--browser")
ASKS = re.compile(r"--people")


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in lines() if STAYS.search(line)])
def test_a_command_of_the_docs_that_serves_begins_and_ends(line: str, folder: Path) -> None:
    words = [*shlex.split(line)[1:], "--store", str(folder / "served.db")]
    free = ["--port", "0"] if words[0] == "serve" else []
    env = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, "-m", "cruxfinder", *words, *free]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder, env=env) as process:
        late = Timer(60, process.kill)
        late.start()
        try:
            assert process.stderr is not None
            assert "serving at http://127.0.0.1:" in process.stderr.readline()
        finally:
            process.terminate()
            late.cancel()
        assert process.wait(20) == 0


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in lines() if ASKS.search(line) and not STAYS.search(line)])
def test_a_command_of_the_docs_that_asks_a_person_asks(line: str, folder: Path) -> None:
    with in_terminal(folder / "asked.db", *shlex.split(line)[1:]) as shown:
        assert "it is for you" in shown.read("it is for you")


PLAIN = [
    line
    for line in lines()
    if not (re.search(r"\bFILE\b|\bID\b|--model", line) or STAYS.search(line) or ASKS.search(line))
]


@pytest.mark.slow
@pytest.mark.parametrize("line", PLAIN)
def test_a_command_of_the_docs_runs(line: str, folder: Path) -> None:
    words = [{"RUN": "first", "OTHER": "second"}.get(word, word) for word in shlex.split(line)[1:]]
    done = crux(words, folder)
    assert done.returncode in (GATE_CODES if words[0] == "gate" else (0,)), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in lines() if "--model" in line])
def test_a_command_of_the_docs_that_asks_a_model_runs(line: str, folder: Path) -> None:
    """OpenAI and the local server are one of our own here."""
    with served(FakeProvider(caster())) as provider:
        words = [provider.url if word.startswith("http://localhost") else word for word in shlex.split(line)[1:]]
        done = crux([word for word in words if not word.startswith("anthropic:")], folder, provider.url)
    assert done.returncode in (GATE_CODES if words[0] == "gate" else (0,)), done.stderr
    assert provider.count > 0


def test_make_targets_of_the_docs_exist() -> None:
    named = {t for page in PAGES for t in re.findall(r"^make ([a-z-]+)$", page.read_text(), re.MULTILINE)}
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert named
    assert named <= targets


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links."""
    text = BLOCK.sub("", page.read_text())
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in HEADING.findall(text)}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link, anchor in LINK.findall(page.read_text()):
        target = page.parent / link if link else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), f"{link}#{anchor}"
