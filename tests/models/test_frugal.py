"""What a debate takes: so many calls and tokens a message, and none to choose who speaks."""

import re
from typing import Final

import pytest

from bench.fake.brain import believer, wavering
from bench.fake.server import Call
from cruxfinder.crux.events import ProbeAnswered
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Ending, Phase
from tests.models.models import AGAIN, Held, Provider, held, table_of

CALLS: Final = 115
TOKENS: Final = 70_000  # each field is told with what it means; a run may take 180,000
TOKENS_IF_NOISY: Final = 80_000  # private questions are asked up to five times
ASKS: Final = (  # what a prompt wants back, one for each ask there is
    re.compile(r"JSON: \{p_top 0-1 \([^)]+\), side YES\|NO\|NUANCED \([^)]+\), reason \([^)]+\)\}$"),
    re.compile(r'JSON: \{"move": "[A-Z_]+", content \([^)]+\), .*\}$'),
    re.compile(r'JSON: \{"move": …, content \([^)]+\), and the fields of that move\}\n(?:[A-Z_]+: .*\n)*SILENCE: .*$'),
    re.compile(r'JSON: \{p_top 0-1 \([^)]+\), "[a-z]\d+": \{.*\}$'),
    re.compile(r"JSON: \{objection \([^)]+\), side\? .*\}$"),
    re.compile(r"JSON: \{second_if_yes 0-1 \([^)]+\), .*\}$"),
    re.compile(r"JSON: \{grade .*\}$"),
)


def revision(call: Call) -> bool:
    return "Your last draft was refused" in call.user or AGAIN in call.user


def tokens(found: Held) -> int:
    return sum(call.characters // 4 for call in found.provider.calls)


def calls(found: Held) -> int:
    return sum(not revision(call) for call in found.provider.calls)


def told(found: Held) -> str:
    said = found.finished.result.total_messages
    return f"{said} messages, {found.provider.count} calls ({calls(found)} without revisions), {tokens(found)} tokens"


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_eighty_messages_of_five_agents(seed: int) -> None:
    settings = Settings(max_messages=80, lifted=True, stagnation_messages=1000)
    found = held(Provider(), table_of(5), settings=settings, seed=seed)
    print(told(found))
    assert found.finished.result.total_messages == 80
    assert calls(found) <= CALLS
    assert tokens(found) <= TOKENS


def test_private_answers_that_do_not_add_up_are_asked_for_thrice_and_still_fit() -> None:
    settings = Settings(max_messages=80, lifted=True, stagnation_messages=1000)
    found = held(Provider(brain=wavering(believer(1), 0.2)), table_of(5), settings=settings)
    print(told(found))
    asked = [e for e in found.finished.events if isinstance(e, ProbeAnswered) and e.phase is Phase.BEFORE]
    assert len(asked) == 15 and {e.round for e in asked} == {1, 2, 3}
    assert calls(found) <= CALLS
    assert tokens(found) <= TOKENS_IF_NOISY


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_twice_the_messages_take_at_most_twice_as_much(seed: int) -> None:
    settings = Settings(max_messages=160, lifted=True, stagnation_messages=1000, max_ms=3_600_000)
    found = held(Provider(), table_of(5), settings=settings, seed=seed)
    print(told(found))
    assert found.finished.result.total_messages == 160
    assert calls(found) <= 2 * CALLS
    assert tokens(found) <= 2 * TOKENS


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def test_a_debate_of_five_that_ends_by_itself(seed: int) -> None:
    found = held(Provider(), table_of(5), settings=Settings(), seed=seed)
    print(told(found))
    assert found.finished.result.ending is Ending.NATURAL
    assert tokens(found) <= TOKENS


@pytest.mark.parametrize("count", [2, 5])
def test_every_call_is_one_of_the_asks_there_are(count: int) -> None:
    """None is spent on choosing who speaks, on what to speak about, or on what the record has already."""
    found = held(Provider(), table_of(count), settings=Settings(planted=2))
    for call in found.provider.calls:
        wanted = call.user.partition(f"\n{AGAIN}")[0]
        assert sum(ask.search(wanted) is not None for ask in ASKS) == 1, wanted
    speaking = found.count("message_posted") + found.count("message_refused") + found.count("ask_failed")
    drafts = sum('"move":' in call.user for call in found.provider.calls)
    assert drafts <= speaking + count, "a draft is published, sent back, or under way at the end"


def test_what_stays_the_same_stands_first_so_that_it_can_be_cached() -> None:
    found = held(Provider(), table_of(2), settings=Settings())
    assert len({call.system for call in found.provider.calls}) == 2, "one for each debater"
    for call in found.provider.calls:
        messages = call.body["messages"]
        assert isinstance(messages, list)
        assert [m["role"] for m in messages] == ["system", "user"]
