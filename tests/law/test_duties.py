"""Who owes what, and when: nothing once a thread is over, however it stood then."""

from dataclasses import replace

from cruxfinder.crux.duties import open_duties
from cruxfinder.crux.evolve import evolve, start
from cruxfinder.kernel.run_facts import DebateStarted
from cruxfinder.kernel.vocabulary import Status
from tests.kernel.runs import debated, pack_of
from tests.slices import crux_events


def test_what_was_owed_in_a_thread_ends_with_it() -> None:
    first, *events = crux_events(debated(pack_of("bitcoin")).events)
    assert isinstance(first, DebateStarted)
    debate, ended_in_debt = start(first), 0
    for event in events:
        debate = evolve(debate, event)
        for thread in (t for t in debate.threads.values() if open_duties(debate, t)):
            assert not thread.over
            ended = [over for status in Status if (over := replace(thread, status=status)).over]
            assert ended and not any(open_duties(debate, over) for over in ended)
            ended_in_debt += 1
    assert ended_in_debt, "nobody ever owed anything"
