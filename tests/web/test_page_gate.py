"""The gate's view with what a real gate has remembered: its figures, its debates, the log of a day, all as text."""

import json
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect
from typer.testing import CliRunner

import cruxfinder as cf
from cruxfinder.cli.main import app
from cruxfinder.gate.runtime.verdicts import GateVerdict
from tests.web.browsing import PHONE, WIDE, Served, faults, serving, shot
from tests.web.conftest import Open

pytestmark = pytest.mark.web

SCRIPT = "<img src=x onerror=window.broken=1><b>bold</b>"
CHECKED = {"listed": "11 files", "backup": "a.tgz opens", "in-use": "nobody"}
RISKY = ("rm -rf uploads", "git push --force origin main", f"rm -rf customers # {SCRIPT}", "terraform destroy")
EVERYDAY = ("git status", "ls -la", "pytest -q")
FAILING = "Fix the login test"


@dataclass(frozen=True)
class Remembered:
    served: Served
    debated: tuple[GateVerdict, ...]
    failed: dict[str, Any]

    @property
    def day(self) -> str:
        return next(iter(sorted(self.folder.glob("20??-??-??.md")))).stem

    @property
    def folder(self) -> Path:
        return self.served.store.with_name("memory")


def judged(memory: Path) -> tuple[GateVerdict, ...]:
    """What the gate decides, by its house rules, of risky and of everyday actions."""
    careful = cf.gate(RISKY[0], tool="bash", memory=memory, checked=CHECKED, reason="they are old")
    others = [cf.gate(action, tool="bash", memory=memory) for action in (*RISKY[1:], *EVERYDAY)]
    return careful, *others


def crux(memory: Path, *args: str) -> dict[str, Any]:
    said = CliRunner().invoke(app, ["gate", *args, "--memory", str(memory), "--json"])
    assert said.stderr == "", said
    return json.loads(said.stdout)


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Generator[Remembered]:
    store = tmp_path_factory.mktemp("gate") / "runs.db"
    memory = store.with_name("memory")
    with ThreadPoolExecutor(1) as aside:  # the browser's driver keeps a loop in this thread
        verdicts = aside.submit(judged, memory).result(60)
        for approach in ("mock the clock", "wait for the element"):
            aside.submit(crux, memory, "attempt", FAILING, "--error", "timed out", "--approach", approach).result(60)
        failed = aside.submit(crux, memory, "failure", FAILING, "--house").result(60)
        debated = tuple(verdict for verdict in verdicts if verdict.debated)
        aside.submit(crux, memory, "outcome", debated[0].debate_id, "success").result(60)
        aside.submit(crux, memory, "outcome", debated[1].debate_id, "failure").result(60)
    assert [verdict.task for verdict in debated] == list(RISKY), "everyday actions are not debated"
    with serving(store, memory=memory) as served:
        yield Remembered(served, debated, failed)


def opened(page: Page) -> Locator:
    page.get_by_role("link", name="Gate").click()
    view = page.locator("crux-gate")
    expect(view.get_by_role("heading", name="The gate")).to_be_visible()
    return view


def tile(view: Locator, words: str) -> str:
    """The figure above these words."""
    return view.locator(".gate-tile", has_text=words).locator(".gate-number").inner_text()


@pytest.mark.parametrize("size", [pytest.param(WIDE, id="wide"), pytest.param(PHONE, id="phone")])
def test_the_gate_shows_its_figures_its_debates_and_the_log_of_a_day(
    remembered: Remembered, open_page: Open, size: ViewportSize
) -> None:
    page = open_page(remembered.served.address, size=size)
    view = opened(page)
    with urlopen(f"{remembered.served.address}api/gate", timeout=60) as answer:
        report = json.load(answer)["report"]
    assert (report["planning"], report["failure"], report["known"]) == (len(RISKY), 1, 2)
    total = len(RISKY) + 1
    expect(view).to_contain_text(f"{total} debates on 1 day")
    assert tile(view, "actions were debated before they were taken") == str(len(RISKY))
    assert tile(view, "task was debated after it had failed") == "1"
    assert tile(view, "with a known outcome") == f"{report['helped']} of 2"
    assert tile(view, "handed to a human") == str(report["escalations"])
    assert tile(view, "wait for their outcome") == str(total - 2)

    rows = view.get_by_role("region", name="Debates of the gate").locator("tbody tr")
    expect(rows).to_have_count(total)
    newest_first = [remembered.failed["task"], *(verdict.task for verdict in reversed(remembered.debated))]
    assert rows.locator(".gate-task").all_inner_texts() == newest_first
    for verdict, came in zip(remembered.debated, ("success", "failure", "open", "open"), strict=True):
        row = rows.filter(has_text=verdict.task)
        expect(row).to_contain_text(verdict.resolution)
        expect(row).to_contain_text(verdict.rules[0])
        expect(row.get_by_role("cell").last).to_have_text(came)
    for action in EVERYDAY:
        expect(rows.filter(has_text=action)).to_have_count(0)

    view.get_by_role("button", name=remembered.day).click()
    log = view.get_by_label("The log of the day")
    expect(log).to_have_text((remembered.folder / f"{remembered.day}.md").read_text(), use_inner_text=False)
    assert all(action in log.inner_text() for action in RISKY)
    expect(view.get_by_role("button", name=remembered.day)).to_have_attribute("aria-pressed", "true")
    shot(page, f"gate-filled-{size['width']}", full=True)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "nothing hangs out at the side"


def test_markup_in_a_task_is_text(remembered: Remembered, open_page: Open) -> None:
    page = open_page(remembered.served.address)
    view = opened(page)
    expect(view.get_by_role("region", name="Debates of the gate")).to_contain_text(SCRIPT)
    view.get_by_role("button", name=remembered.day).click()
    expect(view.get_by_label("The log of the day")).to_contain_text(SCRIPT)
    assert view.locator("img, b").count() == 0
    assert page.evaluate("window.broken") is None


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [pytest.param(WIDE, id="wide"), pytest.param(PHONE, id="phone")])
def test_axe_finds_no_serious_fault_in_a_full_gate(
    remembered: Remembered, open_page: Open, size: ViewportSize, dark: bool
) -> None:
    page = open_page(remembered.served.address, size=size, dark=dark)
    view = opened(page)
    view.get_by_role("button", name=remembered.day).click()
    expect(view.get_by_label("The log of the day")).to_be_visible()
    assert faults(page) == []


def test_a_day_whose_log_is_gone_is_told(remembered: Remembered, open_page: Open) -> None:
    page = open_page(remembered.served.address)
    view = opened(page)
    log = remembered.folder / f"{remembered.day}.md"
    day, text = remembered.day, log.read_text()
    log.unlink()
    try:
        view.get_by_role("button", name=day).click()
        expect(view.get_by_role("alert")).to_have_text("there is no log of that day")
    finally:
        log.write_text(text)
