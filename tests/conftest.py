"""Options and fixtures every test may use."""

import gc
import os
import signal
from collections.abc import Iterator
from functools import cache

import httpcore2
import pytest
from hypothesis import settings
from typer.main import get_command

from cruxfinder.adapters.packs import pack_finder, pack_reader
from cruxfinder.gate.runtime import approvals, gate
from tests.sqlite_calls import SqliteCalls, recorded_calls

settings.register_profile("quick", max_examples=50, deadline=None)
settings.load_profile("quick")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write tests/golden/*.jsonl anew from what the engine does now; review the diff",
    )


def pytest_configure() -> None:
    """Before numpy is loaded: its threads would wait for one another in a loop, and two workers fill the processors.

    What a shell starts in the background is deaf to Ctrl-C, and so are its children; some tests send it to them.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Let the collector pass over thousands of collected tests seldom: it took a tenth of the time of all."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def _once() -> Iterator[None]:
    """What a process does once is done once for all tests: a fifth of their time went into doing it again.

    The tree of commands is put together, certificates are loaded, a text is read as a pack, a set of rules gets its
    digest. All are functions of what they are given, and what they give back is frozen or never changed.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.testing._get_command", cache(get_command))
        patch.setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))
        patch.setattr(pack_finder, "read", cache(pack_reader.read))
        patch.setattr(gate, "digest_rules", cache(approvals.digest_rules))
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


@pytest.fixture
def sqlite_calls() -> Iterator[SqliteCalls]:
    """What the stores made in this test ask of SQLite."""
    with recorded_calls() as calls:
        yield calls
