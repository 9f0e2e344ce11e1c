"""What can be done with a run on its page: stop, resume, fork, save, answer, from two tabs, and over a bad line."""

import json
import re
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Locator, Page, expect

from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import fork_changes, stored_runs
from cruxfinder.crux.events import FirstPosition, MessagePosted
from cruxfinder.kernel.run_facts import DebateComplete, DebateForked
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.talk.events import UserAnswered
from tests.web.browsing import Served, serving
from tests.web.conftest import Open

pytestmark = pytest.mark.web

T = TypeVar("T")
OVER_MS = 90_000
LINE_MS = 30_000
SCRIPT = '<img src=x onerror="window.broken=1">'
SEAT = "holder"
FILES = {
    "Report, one HTML file": (".html", "report"),
    "JSON": (".json", "export/json"),
    "Markdown": (".md", "export/md"),
    "CSV": (".csv", "export/csv"),
    "Argdown": (".argdown", "export/argdown"),
    "Mermaid": (".mmd", "export/mermaid"),
    "GraphML": (".graphml", "export/graphml"),
    "Decision record": (".adr.md", "export/adr"),
}


def begun(served: Served, **asked: Any) -> str:
    """A run started over HTTP, as another program does."""
    body = json.dumps({"pack": "bitcoin", "pace": "fast", "seed": 36, **asked}).encode()
    request = Request(f"{served.address}api/debates", body, {"Content-Type": "application/json"})
    with urlopen(request, timeout=60) as answer:
        return json.load(answer)["id"]


def address(served: Served, run: str) -> str:
    return f"{served.address}#/run/{run}"


def in_store(store: Path, read: Callable[[SqliteStore], T]) -> T:
    opened = SqliteStore(store)
    try:
        return read(opened)
    finally:
        opened.close()


def events_of(store: Path, run: str) -> tuple[AnyEvent, ...]:
    return in_store(store, lambda opened: stored_runs.events_of(stored_runs.load_log(run, opened)))


def said_in(store: Path, run: str) -> list[str]:
    return [event.id for event in events_of(store, run) if isinstance(event, MessagePosted)]


def ending_of(store: Path, run: str) -> str:
    last = events_of(store, run)[-1]
    assert isinstance(last, DebateComplete)
    return last.ending


def state(page: Page) -> Locator:
    return page.locator("crux-run-head .pill").first


def stands(page: Page, word: str, *, within_ms: int = OVER_MS) -> None:
    expect(state(page)).to_have_text(word, timeout=within_ms)


def shown(page: Page) -> list[str]:
    return page.locator("article.message:not([hidden])").evaluate_all("found => found.map(m => m.dataset.message)")


def act(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def forms(page: Page) -> Locator:
    return page.locator("crux-seat form")


def all_is_shown(page: Page, store: Path, run: str) -> None:
    """Every message of the log, each once."""
    said = set(said_in(store, run))
    found = shown(page)
    assert said <= set(found) and len(found) == len(set(found))


# ---- live


def test_the_crux_map_appears_while_the_debate_runs_and_stop_ends_it(served: Served, open_page: Open) -> None:
    run = begun(served, pace="watch")
    page = open_page(address(served, run))
    page.get_by_role("tab", name="Map").click()
    nodes = page.get_by_role("group", name=re.compile("^Map of questions")).get_by_role("button")
    expect(nodes.first).to_be_visible(timeout=OVER_MS)
    expect(state(page)).to_have_text("running", timeout=1)
    expect(act(page, "Fork here")).to_be_hidden()
    act(page, "Stop").click()
    stands(page, "over", within_ms=LINE_MS)
    expect(act(page, "Stop")).to_be_hidden()
    expect(act(page, "Fork here")).to_be_visible()
    assert ending_of(served.store, run) == "stopped"
    all_is_shown(page, served.store, run)


def test_two_tabs_see_the_same_and_an_answer_in_one_counts_for_both(served: Served, open_page: Open) -> None:
    run = begun(served, people=[SEAT])
    one = open_page(address(served, run))
    other = one.context.new_page()
    wrong: list[str] = []
    other.on("pageerror", lambda error: wrong.append(str(error)))
    other.goto(address(served, run))
    for tab in (one, other):
        expect(forms(tab)).to_contain_text("Where do you stand before anybody speaks?")
    form = forms(one)
    for number in form.locator("input[type=number]").all():
        number.fill("70")
    form.locator("input[type=radio]").first.check()
    form.locator("textarea, input[type=text]").first.fill("It has held for years")
    form.get_by_role("button", name="Answer").click()
    for tab in (one, other):
        expect(forms(tab)).to_contain_text("Your move", timeout=LINE_MS)
    act(other, "Stop").click()
    for tab in (one, other):
        stands(tab, "over", within_ms=LINE_MS)
        expect(tab.locator("crux-seat")).to_be_hidden()
        expect(tab.locator(".timeline-count")).to_have_text(re.compile(rf"/ {len(events_of(served.store, run))}$"))
    assert shown(one) == shown(other)
    assert wrong == []
    firsts = [e for e in events_of(served.store, run) if isinstance(e, FirstPosition) and e.agent == SEAT]
    assert [first.reason for first in firsts] == ["It has held for years"]


def test_a_page_that_was_offline_misses_nothing(served: Served, open_page: Open) -> None:
    run = begun(served, pace="watch")
    with line_to(served) as line:
        page = open_page(f"http://127.0.0.1:{line.port}/#/run/{run}")
        expect(page.locator("article.message").first).to_be_attached(timeout=LINE_MS)
        page.context.set_offline(True)
        line.cut()
        told = page.locator("crux-run-head").get_by_role("status")
        expect(told).to_have_text(re.compile("connection lost|connecting"))
        before = shown(page)
        more_is_said(served, run, len(before) + 2)
        assert shown(page) == before
        page.context.set_offline(False)
        expect(page.locator("article.message").nth(len(before) + 1)).to_be_attached(timeout=LINE_MS)
        expect(told).to_have_text("")
        act(page, "Stop").click()
        stands(page, "over", within_ms=LINE_MS)
        all_is_shown(page, served.store, run)
        expect(page.get_by_role("alert").filter(has_text="does not answer")).to_have_count(0)


def more_is_said(served: Served, run: str, count: int) -> None:
    """Wait, as another listener, until so many messages were committed."""
    with urlopen(f"{served.address}api/debates/{run}/events", timeout=LINE_MS / 1000) as heard:
        said = 0
        for text in heard:
            said += b'"event":{"kind":"message_posted"' in text
            if said >= count:
                return
    raise AssertionError(f"only {said} messages were said")


class Line:
    """What lies between a page and a server, and can be cut: what a browser calls offline leaves open streams alone."""

    def __init__(self, far: int) -> None:
        self._far = far
        self._near = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._near.getsockname()[1]
        self._ends: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near = self._near.accept()[0]
                far = socket.create_connection(("127.0.0.1", self._far), 10)
            except OSError:
                return
            far.settimeout(None)
            self._ends |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65_536):
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        ends, self._ends = self._ends, set()
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self) -> None:
        with suppress(OSError):
            self._near.shutdown(socket.SHUT_RDWR)
        self._near.close()
        self.cut()


@contextmanager
def line_to(served: Served) -> Generator[Line]:
    line = Line(int(served.address.rsplit(":", 1)[1].strip("/")))
    try:
        yield line
    finally:
        line.close()


# ---- people


def test_a_seat_with_a_time_limit_counts_down_and_the_debate_goes_on(served: Served, open_page: Open) -> None:
    run = begun(served, people=[SEAT], peopleWaitS=10)
    page = open_page(address(served, run))
    form = forms(page)
    expect(form).to_contain_text("Where do you stand before anybody speaks?")
    clock = form.get_by_text(re.compile(r"^\d+ s left$"))
    expect(clock).to_have_text(re.compile("^([4-9]|10) s left$"))
    expect(clock).to_have_text(re.compile("^[1-3] s left$"))
    expect(form).to_contain_text("Your move")  # nobody touched it
    expect(clock).to_have_text(re.compile("^([4-9]|10) s left$"))
    act(page, "Stop").click()
    stands(page, "over", within_ms=LINE_MS)
    answered = {e.agent for e in events_of(served.store, run) if isinstance(e, FirstPosition)}
    assert answered and SEAT not in answered


def test_a_question_of_a_conversation_is_answered_on_the_page(served: Served, open_page: Open) -> None:
    run = begun(served, protocol="discussion", askUser=True, waitS=20, maxMessages=60, seed=1)
    page = open_page(address(served, run))
    card = page.get_by_role("region").filter(has=page.get_by_label("Your answer"))
    expect(card).to_be_visible(timeout=LINE_MS)
    expect(card).to_contain_text("A question to you")
    question = card.get_by_role("heading").inner_text()
    card.get_by_label("Your answer").fill("   ")
    card.get_by_role("button", name="Answer").click()
    expect(card.get_by_role("alert")).to_have_text("Write an answer first.")
    words = f"Only what lasts ten years counts {SCRIPT}"
    card.get_by_label("Your answer").fill(f"  {words}\n")
    card.get_by_role("button", name="Answer").click()
    expect(page.get_by_role("heading", name=question, exact=True)).to_have_count(0, timeout=LINE_MS)
    stands(page, "over")
    heard = [e for e in events_of(served.store, run) if isinstance(e, UserAnswered)]
    assert heard[0].answer == words
    expect(page.locator("crux-turns")).to_contain_text(words)
    assert page.evaluate("window.broken") is None


# ---- afterwards


def test_a_fork_with_a_change_leads_to_its_own_page(served: Served, open_page: Open) -> None:
    run, shared = begun(served), 24
    page = open_page(f"{address(served, run)}?at={shared}")
    stands(page, "over")
    expect(page.locator(".timeline-count")).to_have_text(re.compile(f"^{shared} / "))
    act(page, "Fork here").click()
    dialog = page.get_by_role("dialog", name="Fork here")
    expect(dialog).to_contain_text(f"shares the first {shared} events")
    changes = dialog.get_by_label("What is different, one change a line")
    expect(changes).to_have_accessible_description(", ".join(fork_changes.KEYS))
    changes.fill("colour=red")
    act(page, "Fork").click()
    expect(dialog.get_by_role("alert")).to_contain_text("colour")
    changes.fill("max-messages=30")
    act(page, "Fork").click()
    page.wait_for_url(re.compile(rf"#/run/(?!{run}(\?|$))"))
    fork = page.url.split("#/run/")[1].split("?")[0]
    stands(page, "over")
    expect(page.locator("crux-run-head")).to_contain_text(f"forked from {run}")
    parent, events = events_of(served.store, run), events_of(served.store, fork)
    place, changed = next((n, event) for n, event in enumerate(events) if isinstance(event, DebateForked))
    assert place >= shared and events[:place] == parent[:place]  # to the end of what was decided at once
    assert (changed.parent, changed.at, changed.settings.max_messages) == (run, place, 30)
    assert len(said_in(served.store, run)) > 30 == len(said_in(served.store, fork))
    assert in_store(served.store, lambda opened: opened.row(fork).parent) == run
    all_is_shown(page, served.store, fork)


def test_a_run_that_nobody_holds_is_resumed(tmp_path: Path, open_page: Open) -> None:
    store = tmp_path / "runs.db"
    with serving(store) as first:
        run = begun(first, pace="watch", maxMessages=16)
        page = open_page(address(first, run))
        expect(page.locator("article.message").nth(3)).to_be_attached(timeout=LINE_MS)
        first.kill()
        page.close()
    in_store(store, lambda opened: opened.host(run, ""))  # so that the next server does not go on with it by itself
    before = said_in(store, run)
    with serving(store) as second:
        page = open_page(address(second, run))
        stands(page, "not finished", within_ms=LINE_MS)
        expect(act(page, "Stop")).to_be_hidden()
        expect(page.locator("article.message").nth(len(before) - 1)).to_be_attached()
        act(page, "Resume").click()
        stands(page, "running", within_ms=LINE_MS)
        expect(act(page, "Resume")).to_be_hidden()
        stands(page, "over")
        assert said_in(store, run)[: len(before)] == before
        assert len(said_in(store, run)) > len(before)
        all_is_shown(page, store, run)


@pytest.fixture(scope="module")
def over(served: Served) -> str:
    run = begun(served, maxMessages=40)
    with urlopen(f"{served.address}api/debates/{run}/events", timeout=60) as heard:
        assert b"event: end" in heard.read()
    return run


@pytest.mark.parametrize("entry", FILES)
def test_an_entry_of_the_export_menu_saves_its_file(served: Served, over: str, open_page: Open, entry: str) -> None:
    page = open_page(address(served, over))
    stands(page, "over")
    page.locator("summary", has_text="Export").click()
    with page.expect_download() as saving:
        act(page, entry).click()
    suffix, place = FILES[entry]
    assert saving.value.suggested_filename == f"{over}{suffix}"
    with urlopen(f"{served.address}api/debates/{over}/{place}", timeout=60) as answer:
        whole: bytes = answer.read()
    assert whole.strip() and saving.value.path().read_bytes() == whole
    expect(act(page, entry)).to_be_hidden()  # the menu has closed


def test_the_export_menu_offers_every_file(served: Served, over: str, open_page: Open) -> None:
    page = open_page(address(served, over))
    stands(page, "over")
    page.locator("summary", has_text="Export").click()
    offered = page.locator("details", has=page.locator("summary", has_text="Export")).get_by_role("button")
    expect(offered).to_have_count(len(FILES))
    assert set(offered.all_inner_texts()) == set(FILES)
