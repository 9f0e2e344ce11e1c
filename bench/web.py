"""The page in a real browser: how soon it paints, how soon an event is on it, what a step of a scrub costs.

And how soon a hundred listeners hear an event; what each of five hundred takes of the memory is told and held
by tests/server/test_server_load.py.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import Browser, Page, sync_playwright

from bench.many import many
from bench.table import Line, printed
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import run_starts
from cruxfinder.kernel import wire
from cruxfinder.kernel.journal import START, chain_hash
from cruxfinder.kernel.settings import Settings
from cruxfinder.ports import Entry
from cruxfinder.protocols.any_run import Finished
from cruxfinder.server.feed import WITHHELD
from tests.server.listeners import lateness_ms
from tests.web.browsing import WIDE, Served, chromium, serving

AGENTS, PACK, SEED, MESSAGES = 12, 51, 118, 400
LONG = Settings(max_messages=MESSAGES, max_ms=3_600_000, lifted=True, stagnation_messages=10_000)
LOADS = 7
EVENTS, EVERY_S = 120, 0.1
LISTENERS = 100
WAIT_S = 30

# Stands where the page draws, so that what it sees has been drawn.
ARRIVALS = """() => {
  window.arrived = [];
  const run = document.querySelector("crux-run");
  const look = () => {
    while (window.arrived.length < run.length) window.arrived.push(Date.now());
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""

STEPS = """(places) => {
  const run = document.querySelector("crux-run");
  return places.map((at) => {
    const begin = performance.now();
    run.goTo(at);
    return performance.now() - begin;
  });
}"""


def aside(work: Callable[[], Any]) -> Any:
    """In another thread: the browser's driver keeps a loop in this one."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(work).result()


def long_debate() -> Finished:
    return asyncio.run(run_starts.start(many(AGENTS, PACK), MemoryStore(), seed=SEED, settings=LONG))


def kept(finished: Finished, store: SqliteStore, run: str) -> list[Entry]:
    """The entries of a run under another name, for a store that is written by hand."""
    store.create(run, topic=str(finished.outcome.topic), pack="bench")
    head, entries = START, list[Entry]()
    for seq, event in enumerate(finished.events, start=1):
        body = wire.dumps(event)
        head = chain_hash(head, "event", body)
        entries.append(Entry(seq=seq, kind="event", body=body, hash=head))
    return entries


def opened(browser: Browser, address: str) -> Page:
    page = browser.new_context(viewport=WIDE).new_page()  # a new context knows nothing of the page yet
    page.goto(address)
    return page


def until(page: Page, true: str) -> None:
    """Asked from here: the page's own policy forbids to evaluate texts in it."""
    end = time.monotonic() + WAIT_S
    while not page.evaluate(true):
        assert time.monotonic() < end, f"it did not come to pass that {true}"
        page.wait_for_timeout(50)


def first_paint_ms(browser: Browser, served: Served) -> tuple[float, float]:
    """First contentful paint, and when the runs and the form are there."""
    paints, ready = list[float](), list[float]()
    for _ in range(LOADS):
        page = opened(browser, served.address)
        page.get_by_text("Bitcoin is a good store of value").first.wait_for()
        ready.append(page.evaluate("performance.now()"))
        paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        page.context.close()
    return median(paints), median(ready)


def latency_ms(browser: Browser, served: Served, finished: Finished) -> list[float]:
    """From the commit of an event, by another process than the server, to the frame that shows it."""
    store = SqliteStore(served.store)
    entries = kept(finished, store, "latency")
    store.append("latency", entries[:1]).result()
    page = opened(browser, f"{served.address}#/run/latency")
    until(page, "document.querySelector('crux-run')?.length === 1")
    page.evaluate(ARRIVALS)
    shown = [e for e in entries if not e.body.startswith(WITHHELD)]
    committed, seq, head = list[float](), 1, entries[0].hash
    for event in shown[1 : EVENTS + 1]:
        seq, head = seq + 1, chain_hash(head, "event", event.body)
        store.append("latency", [Entry(seq=seq, kind="event", body=event.body, hash=head)]).result()
        committed.append(time.time() * 1000)
        time.sleep(EVERY_S)
    until(page, f"window.arrived.length >= {len(committed) + 1}")
    arrived: list[float] = page.evaluate("window.arrived")
    page.context.close()
    store.close()
    return [there - here for here, there in zip(committed, arrived[1:], strict=True)]


def steps_ms(browser: Browser, served: Served, finished: Finished) -> dict[str, list[float]]:
    """Scripting of every step over a debate of 400 messages: forwards, backwards, and here and there."""
    store = SqliteStore(served.store)
    store.append("long", kept(finished, store, "long")).result()
    store.finish("long")
    store.close()
    page = opened(browser, f"{served.address}#/run/long")
    count = len(finished.events)
    until(page, f"document.querySelector('crux-run')?.length === {count}")
    page.wait_for_timeout(1_500)  # a reader does not scrub in the first moment either
    ways = {
        "forwards": list(range(count + 1)),
        "backwards": list(range(count, -1, -1)),
        "here and there": [(n * 7919) % (count + 1) for n in range(400)],
    }
    found = {way: page.evaluate(STEPS, places) for way, places in ways.items()}
    page.context.close()
    return found


def p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1]


def lines() -> list[Line]:
    finished = aside(long_debate)
    said = finished.result.total_messages
    assert said == MESSAGES, f"the debate to scrub over has {said} messages"
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "runs.db") as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        paint, ready = first_paint_ms(browser, served)
        latency = latency_ms(browser, served, finished)
        steps = steps_ms(browser, served, finished)
        browser.close()
    with tempfile.TemporaryDirectory() as folder:
        heard = aside(lambda: lateness_ms(Path(folder) / "runs.db", LISTENERS))
    print(f"An event on the page, median {median(latency):.0f} ms, p95 {p95(latency):.0f} ms, of {len(latency)}.")
    for way, times in steps.items():
        print(f"A step {way}: median {median(times):.2f} ms, worst {max(times):.1f} ms, of {len(times)}.")
    return [
        Line("first paint of a fresh load", paint, "ms", 1_000),
        Line("the runs and the form are there", ready, "ms", 1_000),
        Line("an event of another process on the page after its commit, worst", max(latency), "ms", 400),
        Line(f"an event heard by {LISTENERS} listeners after the server's commit, p95", p95(heard), "ms", 100),
        *(Line(f"a step {way} over {said} messages, p95", p95(times), "ms", 8) for way, times in steps.items()),
    ]


if __name__ == "__main__":
    raise SystemExit(printed(lines()))
