"""Which messages a filter lets through, in the library as in the stream."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import cruxfinder as cf
from cruxfinder.crux.events import MessagePosted, ModeratorIntervention
from cruxfinder.crux.moves import Clarify
from cruxfinder.crux.thread import Message
from cruxfinder.errors import BadInput
from cruxfinder.kernel.run_facts import Seat
from cruxfinder.kernel.vocabulary import AgentId, MessageId, RuleId, ThreadId
from cruxfinder.protocols.any_run import AnyEvent, Finished
from cruxfinder.telling.message_filter import MessageFilter, resolve_filter

SEATS = (Seat(id=AgentId("ann"), name="Ann"), Seat(id=AgentId("ben"), name="Ben Bold"))


def said(**given: Any) -> Message:
    told: dict[str, Any] = {
        "id": MessageId("m1"),
        "at_ms": 5000,
        "agent": AgentId("ann"),
        "thread": ThreadId("t1"),
        "move": Clarify(target=MessageId("m1"), asks=True),
        "content": "Is that so, @ben?",
        "topics": ("price", "risk"),
    }
    return Message(**{**told, **given})


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        pytest.param(MessageFilter(), True, id="nothing asked for"),
        pytest.param(MessageFilter(threads=("t1", "t2")), True, id="one of the threads"),
        pytest.param(MessageFilter(threads=("t2",)), False, id="another thread"),
        pytest.param(MessageFilter(topics=("x", "risk")), True, id="one of the topics"),
        pytest.param(MessageFilter(topics=("x",)), False, id="another topic"),
        pytest.param(MessageFilter(since_ms=5000), True, id="at that moment"),
        pytest.param(MessageFilter(since_ms=5001), False, id="before it"),
        pytest.param(MessageFilter(agents=("ben", "ann")), True, id="one of the agents"),
        pytest.param(MessageFilter(agents=("ben",)), False, id="another agent"),
        pytest.param(MessageFilter(mentions="ben"), True, id="who is mentioned"),
        pytest.param(MessageFilter(mentions="ann"), False, id="who is not"),
        pytest.param(MessageFilter(agents=("ann",), topics=("risk",), mentions="ben"), True, id="all hold"),
        pytest.param(MessageFilter(agents=("ann",), topics=("risk",), mentions="cy"), False, id="one does not"),
    ],
)
def test_everything_given_must_hold_and_within_a_list_one_is_enough(wanted: MessageFilter, told: bool) -> None:
    assert wanted.matches(said()) is told
    assert wanted.has_criteria is (wanted != MessageFilter())


def test_a_name_is_a_mention_once_the_filter_knows_it() -> None:
    message = said(content="Ben Bold is wrong.")
    assert not MessageFilter(mentions="ben").matches(message)
    for given in ("ben", "Ben Bold", "@Ben"):
        assert resolve_filter(MessageFilter(mentions=given), SEATS).matches(message)


def test_interventions_are_messages_of_the_moderator_and_nothing_else_is_one() -> None:
    event = ModeratorIntervention(
        at_ms=9, thread=ThreadId("t1"), id=MessageId("m2"), cause=RuleId("X"), content="Ben Bold, commit."
    )
    assert MessageFilter(agents=("moderator",)).passes(event)
    assert resolve_filter(MessageFilter(mentions="ben", agents=("Moderator",)), SEATS).passes(event)
    assert not MessageFilter(topics=("risk",)).passes(event)
    others = [e for e in finished().events if not isinstance(e, MessagePosted | ModeratorIntervention)]
    assert others
    assert not any(MessageFilter().passes(e) for e in others)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        pytest.param(
            MessageFilter(agents=("ann", "cy")), "no agent 'cy'; there are ann, ben, moderator", id="an agent"
        ),
        pytest.param(MessageFilter(mentions="@cy"), "no agent '@cy'", id="a mention"),
        pytest.param(MessageFilter(mentions="@"), "no agent '@'", id="an @ alone"),
        pytest.param(MessageFilter(threads=("t9",)), "no thread 't9'; there are t1, t2", id="a thread"),
    ],
)
def test_unknown_names_are_refused_with_the_known_ones(wanted: MessageFilter, told: str) -> None:
    with pytest.raises(BadInput) as raised:
        resolve_filter(wanted, SEATS, ("t1", "t2"))
    assert told in str(raised.value)


def test_threads_of_a_run_that_goes_on_are_not_checked() -> None:
    assert resolve_filter(MessageFilter(threads=("t9",)), SEATS).threads == ("t9",)


def finished() -> Finished:
    return cf.debate("bitcoin", seed=2)


def ids(events: list[AnyEvent]) -> list[str]:
    return [e.id for e in events if isinstance(e, MessagePosted | ModeratorIntervention)]


def test_the_library_and_the_stream_read_alike(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    run = cf.debate("bitcoin", seed=2, store=store, run="one")
    every = cf.messages(run)
    assert [m.id for m in every] == ids(list(run.events))
    assert cf.messages("one", store=store) == every
    topic = every[0].topics[0]
    given: dict[str, Any] = {"agents": ["trader", "Aurelia"], "topics": [topic], "since_ms": 20_000}
    chosen = cf.messages(run, **given)
    assert 0 < len(chosen) < len(every)
    assert {m.agent for m in chosen} <= {"trader", "economist"}
    assert all(m.at_ms >= 20_000 and topic in m.topics for m in chosen)

    async def streamed() -> list[AnyEvent]:
        only = cf.MessageFilter(agents=("trader", "economist"), topics=(topic,), since_ms=20_000)
        return [event async for event in cf.stream("bitcoin", seed=2, only=only)]

    events = asyncio.run(streamed())
    assert ids(events) == [m.id for m in chosen]
    assert len(events) == len(chosen)
    spoken = cf.messages(run, mentions="economist")
    assert 0 < len(spoken) < len(every)
    assert all("Aurelia" in m.content or "@economist" in m.content for m in spoken)


def test_the_library_refuses_unknown_names_and_a_run_without_its_store() -> None:
    run = finished()
    wrong: list[dict[str, Any]] = [{"agents": ["nobody"]}, {"threads": ["t99"]}, {"mentions": "nobody"}]
    for given in wrong:
        with pytest.raises(BadInput, match="there are"):
            cf.messages(run, **given)
    with pytest.raises(BadInput, match="needs the store"):
        cf.messages("one")

    async def first() -> None:
        async for _ in cf.stream("bitcoin", only=cf.MessageFilter(agents=("nobody",))):
            pass

    with pytest.raises(BadInput, match="no agent 'nobody'"):
        asyncio.run(first())
