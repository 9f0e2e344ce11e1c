"""A server in a process of its own, and what a page looks like to a person and to axe-core."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, ViewportSize

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "build" / "screenshots"
MODULES = Path(os.environ.get("CRUX_NODE_MODULES", ROOT / ".venv" / "web" / "node_modules"))
WIDE: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
STARTS_S = 30


@dataclass
class Served:
    """A server in a process of its own, and where its page is."""

    process: subprocess.Popen[str]
    address: str
    store: Path

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)


@contextmanager
def serving(store: Path, *flags: str, port: int = 0, memory: Path | None = None) -> Generator[Served]:
    command = [sys.executable, "-m", "cruxfinder", "--store", str(store), "serve", "--no-open", "--port", str(port)]
    gate = ["--memory", str(memory or store.with_name("memory"))]
    process = subprocess.Popen([*command, *gate, *flags], stderr=subprocess.PIPE, text=True, start_new_session=True)
    timer = threading.Timer(STARTS_S, process.kill)
    timer.start()
    try:
        assert process.stderr is not None
        told = ""
        for line in process.stderr:
            told += line
            if found := re.search(r"serving at (http://\S+?/)", line):
                timer.cancel()
                yield Served(process, found[1], store)
                return
        raise AssertionError(f"the server did not start: {told}")
    finally:
        timer.cancel()
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)


def chromium() -> str:
    found = shutil.which("chromium")
    assert found, "chromium is missing; on Debian: apt-get install chromium"
    return found


def shot(page: Page, name: str, *, full: bool = False) -> None:
    """Write what the page looks like, for people to look at."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png", full_page=full)


def faults(page: Page) -> list[str]:
    """What axe-core finds that is serious or worse."""
    page.evaluate((MODULES / "axe-core" / "axe.min.js").read_text())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{v['id']} ({v['impact']}): {v['help']}: {v['nodes'][0]['html'][:200]} and {len(v['nodes']) - 1} more"
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
    ]
