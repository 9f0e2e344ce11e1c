"""Options and fixtures every test may use."""

import gc
import signal
from collections.abc import Iterator
from functools import cache

import pytest
from typer.main import get_command


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write tests/golden/*.jsonl anew from what the engine does now; review the diff",
    )


def pytest_configure() -> None:
    """What a shell starts in the background is deaf to Ctrl-C, and so are its children; some tests send it to them."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Let the collector pass over thousands of collected tests seldom: it took a tenth of the time of all."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def _commands() -> Iterator[None]:
    """The tree of commands is put together once, not for each one that is run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.testing._get_command", cache(get_command))
        yield


@pytest.fixture(scope="session", autouse=True)
def _state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test and no process of one writes into the state of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
