"""What is installed for what: the base stays small and works alone, and what src loads late says what pays for it."""

import ast
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from cruxfinder.kernel.extras import MODULES

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
BASE = {"typer", "rich", "pydantic", "pyyaml", "numpy"}
PACKAGES_MAX = 20
MEGABYTES_MAX = 115
LATE_MAX = 30


def names_required(extra: str = "") -> set[str]:
    found: set[str] = set()
    for requirement in metadata.requires("cruxfinder") or ():
        what, _, marker = requirement.partition(";")
        if (f"extra == '{extra}'" in marker.replace('"', "'")) if extra else not marker:
            found.add(what.split("[")[0].split("<")[0].split(">")[0].strip().lower())
    return found


def test_the_base_is_five_packages() -> None:
    assert names_required() == BASE


def test_everything_an_extra_needs_comes_with_it() -> None:
    assert set(metadata.metadata("cruxfinder").get_all("Provides-Extra") or ()) >= {*MODULES, "all", "dev"}
    assert all(names_required(extra) for extra in MODULES)


def test_the_types_travel_with_the_package() -> None:
    assert (SRC / "cruxfinder" / "py.typed").is_file()


def late_imports() -> dict[str, str]:
    """Every import inside a function, by its place."""
    found: dict[str, str] = {}
    for path in sorted(SRC.rglob("*.py")):
        text = path.read_text()
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Import | ast.ImportFrom):
                        found[f"{path.relative_to(SRC)}:{inner.lineno}"] = lines[inner.lineno - 1]
    return found


def test_few_imports_are_late_and_each_says_what_pays_for_it() -> None:
    late = late_imports()
    assert len(late) <= LATE_MAX
    assert [place for place, line in late.items() if " # noqa: PLC0415 - " not in line] == []


# ---- the base alone, in an environment of its own


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment into which the base was installed, and nothing else."""
    place = tmp_path_factory.mktemp("base") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    python = next(place.glob("*/python"))
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "-c", str(ROOT / "constraints.txt"), str(ROOT)], check=True)
    return python.parent


def site_packages(base: Path) -> Path:
    return next(base.parent.glob("lib/python*/site-packages"))


@pytest.mark.slow
def test_the_base_is_small(base: Path) -> None:
    installed = sorted(path.name for path in site_packages(base).glob("*.dist-info"))
    size = sum(path.lstat().st_size for path in site_packages(base).rglob("*") if path.is_file())
    print(f"{len(installed)} packages, {size / 1e6:.1f} MB")
    assert len(installed) <= PACKAGES_MAX, installed
    assert size <= MEGABYTES_MAX * 1e6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (["demo"], 0, ""),
        (["votes", str(ROOT / "docs" / "assets" / "town-votes.csv")], 0, ""),
        (["gate", "route", "git status"], 0, ""),
        (["gate", "plan", "git status"], 0, ""),
        (["doctor"], 0, ""),
        (["serve", "--no-open"], 2, "cruxfinder[server]"),
        (["mcp"], 2, "cruxfinder[mcp]"),
        (["debate", "Some topic", "--model", "openai:x"], 2, "cruxfinder[models]"),
    ],
    ids=lambda given: " ".join(given[:2]) if isinstance(given, list) else None,
)
def test_the_base_works_alone(base: Path, tmp_path: Path, args: list[str], code: int, told: str) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "CRUX_STORE": str(tmp_path / "runs.db")}
    done = subprocess.run(
        [str(base / "crux"), *args],
        cwd=tmp_path,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    if told:
        assert done.stderr.count("\n") == 1 and done.stderr.endswith(f"pip install '{told}'\n")
    else:
        assert done.stdout and not done.stderr
