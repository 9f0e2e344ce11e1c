"""The report: one file, opened from disk with the network off, walked through and printed."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

import cruxfinder as cf
from cruxfinder.crux.events import LockSucceeded
from cruxfinder.kernel.run_facts import DebateStarted
from cruxfinder.page.report_page import report
from cruxfinder.protocols.any_run import Finished
from tests.web.browsing import PHONE, WIDE, faults, shot
from tests.web.conftest import Open

pytestmark = pytest.mark.web


@pytest.fixture(scope="module")
def finished() -> Finished:
    with ThreadPoolExecutor(1) as aside:  # the browser's driver keeps a loop in this thread
        return aside.submit(cf.debate, "bitcoin", seed=36).result()


@pytest.fixture(scope="module")
def file(finished: Finished, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "a report.html"
    path.write_text(report(finished.run, finished.events, finished.outcome), encoding="utf-8")
    return path


@pytest.mark.parametrize("size", [pytest.param(WIDE, id="wide"), pytest.param(PHONE, id="phone")])
def test_it_opens_from_disk_without_a_network_and_scrubs(
    file: Path, finished: Finished, open_page: Open, size: ViewportSize
) -> None:
    asked: list[str] = []
    page = open_page("about:blank", size=size, offline=True)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    question = finished.result.primary_crux_question
    assert question
    expect(page.locator("crux-verdict")).to_contain_text(question)
    lock = next(n for n, e in enumerate(finished.events, start=1) if isinstance(e, LockSucceeded))
    page.get_by_role("button", name="first lock").click()
    expect(page.locator(".timeline-count")).to_have_text(f"{lock} / {len(finished.events)}")
    expect(page.locator("crux-verdict")).to_be_hidden()
    page.get_by_role("button", name="To the end").click()
    expect(page.locator("crux-verdict")).to_be_visible()
    assert asked == [file.as_uri()]
    assert page.get_by_role("button", name=re.compile("Fork|Stop|Resume")).count() == 0
    assert faults(page) == []
    shot(page, f"report-{size['width']}")


def test_it_prints_with_everything_open(file: Path, finished: Finished, open_page: Open, tmp_path: Path) -> None:
    page = open_page(file.as_uri())
    expect(page.locator("crux-verdict")).to_be_visible()
    page.emulate_media(media="print")
    pdf = page.pdf(path=tmp_path / "report.pdf")
    assert len(pdf) > 100_000
    for panel in ("threads", "cruxes", "agents", "steelmans"):
        expect(page.locator(f"#panel-{panel}")).to_be_visible()
    expect(page.locator("crux-timeline")).to_be_hidden()


def test_no_text_breaks_out_of_the_file(finished: Finished, open_page: Open, tmp_path: Path) -> None:
    evil = "</script><script>window.broken=1</script><img src=x onerror=window.broken=1>\u2028"
    first = finished.events[0]
    assert isinstance(first, DebateStarted)
    events = (replace(first, topic=evil), *finished.events[1:])
    path = tmp_path / "evil.html"
    path.write_text(report(finished.run, events, replace(finished.result, topic=evil)), encoding="utf-8")
    page = open_page(path.as_uri(), offline=True)
    expect(page.locator("h1")).to_contain_text("</script><script>window.broken=1</script>")
    assert page.evaluate("window.broken") is None
