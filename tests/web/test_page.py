"""What a person does in the browser: start a debate, watch it, walk through it, take part, come back after a reload."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import stored_runs
from cruxfinder.crux.events import LockSucceeded, MessagePosted
from cruxfinder.protocols.any_run import AnyEvent
from tests.web.browsing import PHONE, WIDE, Served, faults, serving, shot
from tests.web.conftest import Open

pytestmark = pytest.mark.web

OVER_MS = 90_000
SCRIPT = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>'


def start(page: Page, topic: str, *, pace: str = "fast", seed: str = "36", seat: str = "") -> str:
    """Fill in the form and send it; the run's id."""
    page.locator("crux-start").get_by_text(topic).click()
    page.get_by_label("Pace").select_option(pace)
    if seat:
        page.get_by_label("A seat for me").select_option(seat)
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Seed").fill(seed)
    page.get_by_role("button", name="Start the debate").click()
    page.wait_for_url(re.compile("#/run/"))
    return page.url.split("#/run/")[1].split("?")[0]


def is_over(page: Page) -> None:
    expect(page.locator("crux-run-head .pill").first).to_have_text("over", timeout=OVER_MS)


def events_of(store: Path, run: str) -> tuple[AnyEvent, ...]:
    opened = SqliteStore(store)
    try:
        return stored_runs.events_of(stored_runs.load_log(run, opened))
    finally:
        opened.close()


def shown_messages(page: Page) -> list[str]:
    return page.locator("article.message:not([hidden])").evaluate_all("found => found.map(m => m.dataset.message)")


@pytest.mark.rule("API-4")
@pytest.mark.parametrize("size", [pytest.param(WIDE, id="wide"), pytest.param(PHONE, id="phone")])
def test_a_debate_is_started_watched_live_walked_back_and_survives_a_reload(
    served: Served, open_page: Open, size: ViewportSize
) -> None:
    page = open_page(served.address, size=size)
    run = start(page, "Bitcoin is a good store of value", pace="watch")
    first = page.locator("crux-thread").first
    expect(first.locator(".badge").first).to_have_text("discovery")
    expect(page.locator("article.message").first).to_be_visible()
    early = len(shown_messages(page))
    expect(first.locator(".badge").first).to_have_text("crux lock", timeout=OVER_MS)
    assert len(shown_messages(page)) > early
    shot(page, f"live-{size['width']}")

    page.reload()  # in the middle: nothing is lost
    expect(page.locator("article.message").nth(early)).to_be_attached()
    expect(page.locator("crux-thread").nth(1)).to_be_attached(timeout=OVER_MS)
    is_over(page)
    events = events_of(served.store, run)
    said = [e.id for e in events if isinstance(e, MessagePosted)]
    assert set(shown_messages(page)) >= set(said)

    page.get_by_role("tab", name="Map").click()
    expect(page.locator("crux-map svg").first).to_be_visible()
    assert page.locator("crux-map [data-thread]").count() >= 2
    shot(page, f"map-{size['width']}")

    page.get_by_role("button", name="first lock").click()
    lock = next(n for n, e in enumerate(events, start=1) if isinstance(e, LockSucceeded))
    expect(page.locator(".timeline-count")).to_have_text(f"{lock} / {len(events)}")
    if size is PHONE:
        page.get_by_role("tab", name="Threads").click()
    before = [e.id for e in events[:lock] if isinstance(e, MessagePosted)]
    assert set(said) & set(shown_messages(page)) == set(before)
    expect(page).to_have_url(re.compile(rf"at={lock}$"))

    page.reload()
    expect(page.locator(".timeline-count")).to_have_text(f"{lock} / {len(events)}")
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".timeline-count")).to_have_text(f"{len(events)} / {len(events)}")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "nothing hangs out at the side"


def test_refusals_and_replies_are_there_on_demand(served: Served, open_page: Open) -> None:
    page = open_page(served.address)
    start(page, "Bitcoin is a good store of value")
    is_over(page)
    sent_back = page.locator("article.message", has_text=re.compile("sent back")).first
    sent_back.locator("summary, button", has_text=re.compile("sent back|details")).first.click()
    expect(sent_back).to_contain_text(re.compile(r"[A-Z]{3,}-\d"))


@pytest.mark.parametrize("size", [pytest.param(WIDE, id="wide"), pytest.param(PHONE, id="phone")])
def test_a_person_takes_a_seat_and_is_told_what_a_rule_sends_back(
    served: Served, open_page: Open, size: ViewportSize
) -> None:
    page = open_page(served.address, size=size)
    seat = pack_finder.find("monolith")[0].personas[0]
    run = start(page, "We should split the monolith into services", seat=seat.id)
    form = page.locator("crux-seat form")
    expect(form).to_contain_text("Where do you stand before anybody speaks?")
    fill_first(page)
    expect(form).to_contain_text("Your move", timeout=OVER_MS)
    shot(page, f"seat-{size['width']}", full=True)
    assert faults(page) == []
    form.get_by_label(re.compile("^Claim")).check()
    page.reload()  # what was chosen is still there
    expect(page.locator("crux-seat form").get_by_label(re.compile("^Claim"))).to_be_checked()
    say(page, "Great point, I totally agree with everybody here!")
    expect(form).to_contain_text("Your last draft was sent back")
    expect(form).to_contain_text("Instead:")
    shot(page, f"refused-{size['width']}")
    say(page, f"Every release waits for all teams, because one deployable binds them {SCRIPT}")
    mine = page.locator("article.message", has_text="Every release waits for all teams")
    expect(mine.first).to_be_attached()
    assert SCRIPT in mine.first.locator(".message-text").inner_text()
    assert page.evaluate("window.broken") is None
    assert any(isinstance(e, MessagePosted) and e.agent == seat.id for e in events_of(served.store, run))
    page.get_by_role("button", name="Stop").click()
    is_over(page)


def fill_first(page: Page) -> None:
    form = page.locator("crux-seat form")
    for number in form.locator("input[type=number]").all():
        number.fill("70")
    form.locator("input[type=radio]").first.check()
    form.locator("textarea, input[type=text]").first.fill("Every release waits for all teams")
    form.get_by_role("button", name="Answer").click()


def say(page: Page, words: str) -> None:
    """Make a claim with these words in every field."""
    form = page.locator("crux-seat form")
    form.get_by_label(re.compile("^Claim")).check()
    for field in form.locator(".seat-fields textarea, .seat-fields input[type=text]").all():
        field.fill(words)
    for number in form.locator(".seat-fields input[type=number]").all():
        number.fill("80")
    for radios in form.locator(".seat-fields fieldset, .seat-fields [role=radiogroup]").all():
        radios.locator("input[type=radio]").first.check()
    for select in form.locator(".seat-fields select").all():
        select.select_option(index=1)
    form.get_by_role("button", name="Say it").click()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [pytest.param(WIDE, id="wide"), pytest.param(PHONE, id="phone")])
def test_axe_finds_no_serious_fault_in_any_view(
    served: Served, open_page: Open, size: ViewportSize, dark: bool
) -> None:
    page = open_page(served.address, size=size, dark=dark)
    tone = "dark" if dark else "light"
    expect(page.get_by_role("button", name="Start the debate")).to_be_visible()
    found = {"debates": faults(page)}
    shot(page, f"debates-{size['width']}-{tone}")
    start(page, "Bitcoin is a good store of value")
    is_over(page)
    for tab in page.get_by_role("tab").all():
        name = tab.inner_text().lower()
        tab.click()
        page.wait_for_timeout(100)
        found[name] = faults(page)
        shot(page, f"{name}-{size['width']}-{tone}")
    for view in ("votes", "gate"):
        page.get_by_role("link", name=view.capitalize()).click()
        expect(page.locator(f"crux-{view}")).to_be_visible()
        found[view] = faults(page)
        shot(page, f"{view}-{size['width']}-{tone}")
    assert {view: wrong for view, wrong in found.items() if wrong} == {}


def test_the_keyboard_alone_walks_through_a_debate(served: Served, open_page: Open) -> None:
    page = open_page(served.address)
    start(page, "Human beings have free will")
    is_over(page)
    slider = page.get_by_label("Place in the debate")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".timeline-count")).to_have_text(re.compile("^0 /"))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".timeline-count")).to_have_text(re.compile("^1 /"))
    page.get_by_role("tab", name="Map").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Cruxes")).to_have_attribute("aria-selected", "true")


@pytest.mark.rule("API-4")
def test_a_conversation_shows_its_turns_and_its_checklist(served: Served, open_page: Open) -> None:
    page = open_page(served.address)
    page.locator("crux-start").get_by_text("Human beings have free will").click()
    page.get_by_label("How").select_option("roundtable")
    page.get_by_label("Pace").select_option("fast")
    page.get_by_role("button", name="Start the debate").click()
    is_over(page)
    assert page.locator("crux-turns article:not([hidden])").count() > 10
    page.get_by_role("tab", name="Checklist").click()
    expect(page.locator("crux-minutes")).to_contain_text(re.compile("turn", re.IGNORECASE))
    shot(page, "roundtable")
    assert faults(page) == []


def test_votes_become_a_map_and_a_matrix(served: Served, open_page: Open) -> None:
    page = open_page(f"{served.address}#/votes")
    table = Path(__file__).parents[2] / "docs" / "assets" / "town-votes.csv"
    page.locator("crux-votes input[type=file]").set_input_files(table)
    expect(page.locator("crux-votes svg, crux-votes canvas").first).to_be_visible()
    expect(page.locator("crux-votes table").first).to_be_attached()
    shot(page, "votes-map", full=True)
    assert faults(page) == []


def test_the_page_comes_back_when_the_server_was_killed(tmp_path: Path, open_page: Open) -> None:
    store = tmp_path / "runs.db"
    with serving(store) as first:
        port = int(first.address.rsplit(":", 1)[1].strip("/"))
        page = open_page(first.address)
        run = start(page, "Bitcoin is a good store of value", pace="watch")
        expect(page.locator("article.message").nth(5)).to_be_attached(timeout=OVER_MS)
        first.kill()
        expect(page.locator("crux-run-head")).to_contain_text(re.compile("connection lost|connecting"))
    with serving(store, port=port):
        is_over(page)
        said = [e.id for e in events_of(store, run) if isinstance(e, MessagePosted)]
        found = shown_messages(page)
        assert set(said) <= set(found) and len(found) == len(set(found))


def test_a_server_with_a_token_asks_for_it(tmp_path: Path, open_page: Open) -> None:
    token = "a-token-of-the-tests-0123456789"
    with serving(tmp_path / "runs.db", "--token", token) as server:
        page = open_page(server.address)
        page.get_by_label("Token", exact=True).fill(token)
        page.get_by_role("button", name="Use it").click()
        expect(page.get_by_text("Bitcoin is a good store of value").first).to_be_visible()
        linked = open_page(f"{server.address}#token={token}")
        expect(linked.get_by_text("Bitcoin is a good store of value").first).to_be_visible()
        assert token not in linked.url
