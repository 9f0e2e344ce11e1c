"""What was read of a draft is in the log: whoever reads later, what was decided on stays decided as it was."""

import asyncio
import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import resumption, run_starts, stored_runs
from cruxfinder.app.run_starts import MakeReader
from cruxfinder.errors import Diverged, LogFault
from cruxfinder.kernel.journal import read_log
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.run_facts import DebateStarted
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import CRUX, ProtocolName
from cruxfinder.language.english import english_reader
from cruxfinder.language.english.english_reader import EnglishReader
from cruxfinder.language.reading import DraftReading, Passage
from cruxfinder.ports import Entry
from cruxfinder.protocols.any_run import Finished
from cruxfinder.talk.turns import DEBATE, ROUNDTABLE
from tests.kernel.contrary_reader import ContraryReader
from tests.kernel.runs import bodies_of, chained, changed_start, lines, pack_of, replayed, resumed, store_with

BITCOIN = pack_of("bitcoin")
LIMITED = Settings(redundancy=Redundancy(max_total_turns=16), max_messages=60)
CUTS = 12  # places at which a log is cut
PROTOCOLS = (CRUX, DEBATE, ROUNDTABLE)


def held(protocol: ProtocolName, make_reader: MakeReader = EnglishReader) -> tuple[MemoryStore, Finished]:
    """A run that is held to the redundancy rules, so that much rests on what is read."""
    store = MemoryStore()
    start = run_starts.start(
        BITCOIN, store, seed=2, settings=LIMITED, protocol=protocol, run="r1", make_reader=make_reader
    )
    return store, asyncio.run(start)


@pytest.fixture(scope="module", params=PROTOCOLS)
def run(request: pytest.FixtureRequest) -> tuple[MemoryStore, Finished]:
    return held(request.param)


def start_of(made: Finished) -> DebateStarted:
    first = made.events[0]
    assert isinstance(first, DebateStarted)
    return first


def readings_in(entries: tuple[Entry, ...]) -> list[dict[str, Any]]:
    return [json.loads(e.body) for e in entries if e.kind == "reading"]


def test_the_first_event_names_the_reader(run: tuple[MemoryStore, Finished]) -> None:
    store, made = run
    assert start_of(made).reader == english_reader.NAME == "english-2"
    assert all("by" not in r for r in readings_in(store.load("r1"))), "nobody else read anything"


def test_everything_said_or_sent_back_was_read_right_before(run: tuple[MemoryStore, Finished]) -> None:
    store, _ = run
    entries = store.load("r1")
    judged = ('"kind":"message_posted"', '"kind":"message_refused"', '"kind":"turn_spoken"', '"kind":"turn_refused"')
    before = {now.seq: last.kind for last, now in pairwise(entries)}
    found = [e for e in entries if e.kind == "event" and any(kind in e.body[:40] for kind in judged)]
    assert len(found) >= 8
    follow = [e for e in found if before[e.seq] != "reading" and '"outcome":"stripped"' not in entries[e.seq - 2].body]
    assert not follow


class HalfReader(ContraryReader):
    """It gives back half of a character, as of a draft that holds one."""

    def read(self, passage: Passage) -> DraftReading:
        return replace(super().read(passage), turns_to="\ud800", shortened="\ud800")


def test_half_a_character_in_a_reading_is_kept_as_a_log_can_keep_it() -> None:
    store, made = held(CRUX, HalfReader)
    assert {r["reading"]["turns_to"] for r in readings_in(store.load("r1"))} == {"?"}
    assert lines(replayed(store).events) == lines(made.events)


def test_another_reader_would_have_led_elsewhere(run: tuple[MemoryStore, Finished]) -> None:
    """Or the tests below could not fail."""
    _, made = run
    _, other = held(start_of(made).protocol, ContraryReader)
    assert lines(other.events)[1:] != lines(made.events)[1:]
    assert start_of(other).reader == "contrary-1"


def test_a_replay_reads_nothing_again(run: tuple[MemoryStore, Finished]) -> None:
    store, made = run
    contrary: list[ContraryReader] = []

    def make(like: Likeness) -> ContraryReader:
        contrary.append(ContraryReader(like))
        return contrary[-1]

    again = asyncio.run(resumption.replay("r1", store, make_reader=make))
    assert lines(again.events) == lines(made.events)
    assert [c.texts for c in contrary] == [[]]


def test_a_replay_with_the_same_reader_is_the_same(run: tuple[MemoryStore, Finished]) -> None:
    store, made = run
    assert lines(replayed(store).events) == lines(made.events)


@pytest.mark.parametrize("cut", range(1, CUTS))
def test_resumed_with_another_reader_what_was_read_stays_read(cut: int, run: tuple[MemoryStore, Finished]) -> None:
    store, made = run
    entries = store.load("r1")
    kept = entries[: len(entries) * cut // CUTS]
    log = read_log(kept)
    there = store_with(kept, store)
    on = asyncio.run(resumption.resume("r1", there, make_reader=ContraryReader))
    assert lines(on.events)[: len(log.events)] == list(log.events)
    after = there.load("r1")
    assert after[: len(kept)] == kept, "nothing of the log was written anew"
    read = readings_in(after)
    assert ["by" in r for r in read] == [n >= len(log.readings) for n in range(len(read))]
    assert {r["by"] for r in read[len(log.readings) :]} <= {"contrary-1"}
    assert lines(asyncio.run(resumption.replay("r1", there)).events) == lines(on.events), "whoever reads then"
    assert start_of(on).reader == start_of(made).reader


def test_cut_between_a_reading_and_what_follows_the_reading_holds(run: tuple[MemoryStore, Finished]) -> None:
    """The event that follows is decided on the reading in the log, not on another one of the same text."""
    store, made = run
    entries = store.load("r1")
    last = [e for e in entries if e.kind == "reading"][len(readings_in(entries)) // 2]
    kept = entries[: last.seq]
    on = asyncio.run(resumption.resume("r1", store_with(kept, store), make_reader=ContraryReader))
    known = len(read_log(kept).events)
    assert lines(on.events)[: known + 1] == lines(made.events)[: known + 1]


def test_a_fork_shares_what_was_read(run: tuple[MemoryStore, Finished]) -> None:
    store, made = run
    at = len(made.events) // 2
    made_anew = asyncio.run(
        resumption.fork("r1", at, ["max-messages=50"], store_copy(store), run="f1", make_reader=ContraryReader)
    )
    assert lines(made_anew.events)[:at] == lines(made.events)[:at]


def test_a_fork_of_a_fork_shares_it_too(run: tuple[MemoryStore, Finished]) -> None:
    store, made = run
    there, at = store_copy(store), len(made.events) // 2
    one = asyncio.run(resumption.fork("r1", at, ["max-messages=55"], there, run="f1", make_reader=ContraryReader))
    two = asyncio.run(resumption.fork("f1", at - 5, ["max-messages=50"], there, run="f2"))
    assert lines(two.events)[: at - 5] == lines(one.events)[: at - 5] == lines(made.events)[: at - 5]
    assert lines(replayed(there, "f2").events) == lines(two.events)
    assert lines(replayed(there, "f1").events) == lines(one.events)


def store_copy(store: MemoryStore) -> MemoryStore:
    return store_with(store.load("r1"), store)


# ---- logs that nobody wrote


def test_the_reading_of_another_text_is_told(run: tuple[MemoryStore, Finished]) -> None:
    store, _ = run
    bodies = bodies_of(store.load("r1"))
    at = next(n for n, (kind, _) in enumerate(bodies) if kind == "reading")
    body = json.loads(bodies[at][1])
    bodies[at] = "reading", json.dumps({**body, "text": "0" * 8})
    with pytest.raises(Diverged, match=f"on another text than entry {at + 1} is the reading of"):
        replayed(store_with(chained(bodies), store))


def test_a_reading_that_is_missing_is_told(run: tuple[MemoryStore, Finished]) -> None:
    store, _ = run
    left = [b for b in bodies_of(store.load("r1")) if b[0] != "reading"]
    with pytest.raises(Diverged, match=r"the log goes on at entry \d+ \(event \d+\) without a reading of"):
        resumed(store_with(chained(left[:-3]), store))


@pytest.mark.parametrize(
    "reading", [{"near": "often"}, {"adds": [["wisdom"], 1, 1]}, {"carried": [None]}, {"falsifier": {"named": 0.5}}, []]
)
def test_a_reading_that_is_none_is_told(reading: object, run: tuple[MemoryStore, Finished]) -> None:
    store, _ = run
    bodies = bodies_of(store.load("r1"))
    at = next(n for n, (kind, _) in enumerate(bodies) if kind == "reading")
    body = json.loads(bodies[at][1])
    bodies[at] = ("reading", json.dumps({**body, "reading": reading}))
    with pytest.raises(LogFault, match="this is no reading of format 1"):
        replayed(store_with(chained(bodies), store))


def test_a_log_without_readings_is_shown_and_not_run_again(run: tuple[MemoryStore, Finished]) -> None:
    store, made = run
    entries = changed_start(chained(b for b in bodies_of(store.load("r1")) if b[0] != "reading"), reader="")
    old = store_with(entries, store)
    assert stored_runs.load_run("r1", old).outcome.verdict == made.outcome.verdict
    with pytest.raises(LogFault, match="run r1 holds no reading of what was said: it can be shown, not run again"):
        replayed(old)


def test_readings_take_less_than_a_third_of_the_log(run: tuple[MemoryStore, Finished]) -> None:
    store, _ = run
    entries = store.load("r1")
    size = {
        kind: sum(len(e.body) + len(e.hash) // 2 for e in entries if (e.kind == "reading") is kind)
        for kind in (True, False)
    }
    assert size[True] < size[False] / 3
