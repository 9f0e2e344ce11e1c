"""The page in a real browser, on a real server."""

from collections.abc import Callable, Generator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.web.browsing import WIDE, Served, chromium, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    with serving(tmp_path_factory.mktemp("served") / "runs.db") as server:
        yield server


@pytest.fixture(scope="module")  # its driver keeps a loop in this thread
def browser() -> Generator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield found
        found.close()


Open = Callable[..., Page]
PATIENCE_MS: Final = 30_000  # for what comes at once, on a machine that does much else
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture
def open_page(browser: Browser) -> Generator[Open]:
    """Opens pages and sees to it that nothing went wrong in them unseen."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # The browser itself reports answers such as 404; what the page makes of them is tested.
        if message.type == "error" and "Failed to load resource" not in message.text:
            wrong.append(message.text)

    def opened(address: str, *, size: Any = WIDE, dark: bool = False, offline: bool = False) -> Page:
        context = browser.new_context(
            viewport=size, color_scheme="dark" if dark else "light", offline=offline, reduced_motion="reduce"
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", heard)
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []
