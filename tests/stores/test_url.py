"""Which store a URL or a path names."""

from contextlib import closing
from pathlib import Path

import pytest

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.adapters.stores.store_url import OFFERED, open_store, path_of
from cruxfinder.errors import BadInput

ME = Path("/people/me")


@pytest.mark.parametrize(
    ("url", "path"),
    [
        pytest.param("a/b.db", Path("a/b.db"), id="a path"),
        pytest.param("/a/b.db", Path("/a/b.db"), id="a path from the root"),
        pytest.param("~/b.db", ME / "b.db", id="below home"),
        pytest.param("runs:2026.db", Path("runs:2026.db"), id="a colon is no scheme"),
        pytest.param("C:\\runs.db", Path("C:\\runs.db"), id="a drive"),
        pytest.param("C://runs.db", Path("C://runs.db"), id="a drive and two slashes"),
        pytest.param("sqlite:///a/b.db", Path("a/b.db"), id="SQLite, a path"),
        pytest.param("sqlite:////a/b.db", Path("/a/b.db"), id="SQLite, from the root"),
        pytest.param("sqlite:///~/b.db", ME / "b.db", id="SQLite, below home"),
        pytest.param("sqlite:///a%20b?c.db", Path("a%20b?c.db"), id="a path as it stands"),
        pytest.param("memory:", None, id="in memory"),
    ],
)
def test_a_url_or_a_path_names_a_file_or_the_memory(url: str, path: Path | None) -> None:
    assert path_of(url, ME) == path


@pytest.mark.parametrize(
    ("url", "told"),
    [
        pytest.param("postgresql://me:secret@there/runs", "not by postgresql://", id="another scheme"),
        pytest.param("sqlite://there/runs.db", "not by sqlite://", id="SQLite on a host"),
        pytest.param("sqlite:///", "not by 'sqlite:///'", id="SQLite without a path"),
        pytest.param("sqlite:///:memory:", "not by 'sqlite:///:memory:'", id="SQLite in memory"),
        pytest.param(":memory:", "not by ':memory:'", id="SQLite's own word"),
        pytest.param("", "not by ''", id="nothing"),
    ],
)
def test_what_names_no_store_is_refused_and_what_does_is_told(url: str, told: str) -> None:
    with pytest.raises(BadInput) as refused:
        open_store(url)
    assert str(refused.value) == f"{OFFERED}, {told}"


@pytest.mark.parametrize("scheme", ["", "sqlite:///"])
def test_a_store_opened_by_its_url_is_the_file(tmp_path: Path, scheme: str) -> None:
    with closing(open_store(f"{scheme}{tmp_path / 'runs.db'}")) as store:
        store.create("d1", topic="cars", pack="")
    with closing(SqliteStore(tmp_path / "runs.db")) as store:
        assert store.row("d1").topic == "cars"


def test_a_store_in_memory_makes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(open_store("memory:")) as store:
        store.create("d1", topic="cars", pack="")
        assert isinstance(store, MemoryStore)
    assert list(tmp_path.iterdir()) == []
