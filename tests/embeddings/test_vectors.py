"""The static model is exact, bounded, and travels with the package."""

import json
import subprocess
import sys
import tomllib
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from cruxfinder.adapters.embeddings import embedders, sums, vectors
from cruxfinder.adapters.embeddings.keyword import Keywords
from cruxfinder.adapters.embeddings.sums import tensors
from cruxfinder.adapters.embeddings.vectors import StaticModel, model_folder
from cruxfinder.adapters.embeddings.wordpiece import TEXT_MAX, WordPiece

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FILES = ("README.md", "config.json", "model.safetensors", "tokenizer.json")
HEDGE = "Bitcoin's correlation with tech stocks proves it's not a hedge"


@pytest.fixture(scope="module")
def model() -> StaticModel:
    return StaticModel(model_folder())


@pytest.fixture(scope="module")
def vocabulary() -> dict[str, int]:
    return json.loads((model_folder() / "tokenizer.json").read_bytes())["model"]["vocab"]


# Recorded once: another machine, another numpy or another Python must find the same.
@pytest.mark.parametrize(
    ("text", "begins", "digest"),
    [
        (HEDGE, (-1704, 3522, -1507, 675), "a385a051d9830204"),
        ("gardening", (-2837, -774, 967, -2386), "712b6694716dcc0a"),
        ("Crème brûlée 😀 東京", (3647, -730, -4095, -1782), "09ae37fa07991333"),
    ],
)
def test_vectors_are_the_recorded_ones(model: StaticModel, text: str, begins: tuple[int, ...], digest: str) -> None:
    vector = model.vector(text)
    assert vector[:4] == begins
    assert sha256(repr(vector).encode()).hexdigest()[:16] == digest


def test_likenesses_are_the_recorded_ones_to_the_last_bit(model: StaticModel) -> None:
    assert model.likeness(HEDGE, "correlation") == 0.8443388201753035
    assert model.distance(HEDGE, "institutional investors") == 0.7579283132761601


def test_a_vector_is_the_sum_over_pieces_whatever_adds_it_up(model: StaticModel, vocabulary: dict[str, int]) -> None:
    read = tensors((model_folder() / "model.safetensors").read_bytes())
    ids = WordPiece(vocabulary).ids(HEDGE)
    total = [0] * read["embeddings"].shape[1]
    for id in reversed(ids):
        weight = int(read["weights"][id])
        total = [sum_ + weight * entry for sum_, entry in zip(total, read["embeddings"][id].tolist(), strict=True)]
    peak = max(map(abs, total))
    assert model.vector(HEDGE) == tuple((2 * 4095 * entry + peak) // (2 * peak) for entry in total)


def test_no_text_within_the_bound_can_leave_the_whole_numbers() -> None:
    read = tensors((model_folder() / "model.safetensors").read_bytes())
    largest = int(read["weights"].max()) * 127 * TEXT_MAX
    assert 2 * sums.ENTRY_MAX * largest < 2**63
    assert (read["embeddings"].shape[1] * sums.ENTRY_MAX**2) ** 2 < 2**63
    assert read["embeddings"].dtype == np.int8 and len(read["weights"]) == len(read["embeddings"])


@pytest.mark.parametrize("case", json.loads((HERE / "pieces.json").read_text("utf-8")), ids=lambda c: c["text"][:20])
def test_pieces_are_those_of_the_reference_tokenizer(case: dict[str, list[str]], vocabulary: dict[str, int]) -> None:
    tokens = list(vocabulary)
    assert [tokens[id] for id in WordPiece(vocabulary).ids(str(case["text"]))] == case["pieces"]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        pytest.param("great😀news", ["great", "news"], id="a character without an entry separates words"),
        pytest.param("1.5°C", ["1", "5", "c"], id="so does a symbol"),
        pytest.param("x" * 101, [], id="an endless run is no word"),
        pytest.param("\U0001fae8 \u1c89", [], id="characters younger than the table"),
    ],
)
def test_pieces_where_we_differ_on_purpose(text: str, pieces: list[str], vocabulary: dict[str, int]) -> None:
    tokens = list(vocabulary)
    assert [tokens[id] for id in WordPiece(vocabulary).ids(text)] == pieces


def test_what_lies_beyond_the_bound_is_not_read(model: StaticModel) -> None:
    begin = ("bitcoin " * TEXT_MAX)[:TEXT_MAX]
    assert model.vector(begin) == model.vector(f"{begin} gardening")


def test_caches_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "TEXTS_CACHED", 4)
    monkeypatch.setattr(vectors, "GROUPS_CACHED", 2)
    model = StaticModel(model_folder())
    first = model.likeness("text 0", HEDGE)
    for number in range(20):
        model.likenesses(HEDGE, (f"text {number}", "other"))
    assert model.cache_sizes() == (4, 2)
    assert model.likeness("text 0", HEDGE) == first


def test_keywords_stand_in_where_the_files_are_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "model_folder", lambda: tmp_path)
    embedders.embedder.cache_clear()
    try:
        assert isinstance(embedders.embedder("static"), Keywords)
    finally:
        embedders.embedder.cache_clear()


def test_keywords_need_no_numpy() -> None:
    code = (
        "import sys; from cruxfinder.adapters.embeddings.embedders import embedder; embedder('keyword'); "
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_the_model_lies_in_the_package_with_its_notice() -> None:
    folder = ROOT / "src" / "cruxfinder" / "adapters" / "embeddings" / "static"
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["src/cruxfinder"] and "exclude" not in wheel
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    assert "Apache License, Version 2.0" in (folder / "README.md").read_text()
    assert sum(path.stat().st_size for path in folder.iterdir()) < 8_000_000


@pytest.mark.slow
def test_a_wheel_carries_the_model(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    assert {f"cruxfinder/adapters/embeddings/static/{name}" for name in FILES} <= names
