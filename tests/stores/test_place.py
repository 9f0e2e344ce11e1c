"""Where the store lies on each platform."""

from pathlib import Path

import pytest

from cruxfinder.adapters.stores.store_place import default_path

ME = Path("/people/me")


@pytest.mark.parametrize(
    ("env", "platform", "path"),
    [
        pytest.param({}, "linux", ME / ".local/share/cruxfinder/runs.db", id="Linux"),
        pytest.param({"XDG_DATA_HOME": "/data"}, "linux", Path("/data/cruxfinder/runs.db"), id="Linux, XDG"),
        pytest.param(
            {"XDG_DATA_HOME": "data"},
            "linux",
            ME / ".local/share/cruxfinder/runs.db",
            id="a relative XDG is ignored",
        ),
        pytest.param({}, "freebsd14", ME / ".local/share/cruxfinder/runs.db", id="other Unix"),
        pytest.param({}, "darwin", ME / "Library/Application Support/cruxfinder/runs.db", id="macOS"),
        pytest.param({"LOCALAPPDATA": "/local"}, "win32", Path("/local/cruxfinder/runs.db"), id="Windows"),
        pytest.param({}, "win32", ME / "AppData/Local/cruxfinder/runs.db", id="Windows without LOCALAPPDATA"),
    ],
)
def test_the_store_lies_where_the_platform_keeps_data(env: dict[str, str], platform: str, path: Path) -> None:
    assert default_path(env, platform, ME) == path
