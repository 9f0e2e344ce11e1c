"""A provider that stays away: the debate ends with what there is, goes on without who is lost, or asks a stand-in."""

from collections.abc import Callable

import pytest

from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.crux.events import MessagePosted
from cruxfinder.kernel.run_facts import AskFailed
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Ending
from tests import clock
from tests.models.models import AGAIN, Held, Provider, check, held, table_of

pytestmark = pytest.mark.slow

PACE = RequestLimits(deadline_s=1.0)
PATIENT = RequestLimits(deadline_s=10)  # where nothing hangs, no load may look like a hang
ASKS_MAX = 3  # an agent that cannot answer so often in a row is asked no more


def failing(provider: Provider, model: str, fault: str) -> Callable[[int], str]:
    """One model of a provider fails, the others do not."""
    return lambda number: fault if provider.asked["model"] == model else ""


def failures(found: Held) -> dict[str, int]:
    count: dict[str, int] = {}
    for event in found.finished.events:
        if isinstance(event, AskFailed):
            count[event.agent] = count.get(event.agent, 0) + 1
    return count


@pytest.mark.rule("END-1")
@pytest.mark.rule("END-2")
@pytest.mark.parametrize(("fault", "requests"), [("server error", 4), ("bad key", 1)])
@pytest.mark.parametrize("after", [0, 9])
def test_when_everybody_is_lost_the_debate_ends(after: int, fault: str, requests: int) -> None:
    found = held(Provider(faults=lambda n: fault if n > after else ""), settings=Settings(), pace=PACE)
    clock.run(check(found))
    assert (found.finished.result.ending, found.finished.result.confidence) == (Ending.FAULTS, "LOW")
    most = 2 * (ASKS_MAX + 1) * requests  # somebody may be asked once more while the last is lost
    assert found.provider.count - after <= most
    posted = sum(isinstance(e, MessagePosted) for e in found.finished.events)
    assert found.finished.result.total_messages == posted, "what was said until then is kept"


@pytest.mark.rule("END-1")
@pytest.mark.parametrize("fault", ["bad key", "hang"])
def test_the_others_go_on_without_an_agent_whose_model_is_dead(fault: str) -> None:
    provider = Provider()
    provider.faults = failing(provider, "dead", fault)
    found = held(
        provider, table_of(3, models=("", "", "dead")), settings=Settings(), pace=PACE if fault == "hang" else PATIENT
    )
    clock.run(check(found))
    assert found.finished.result.ending is Ending.NATURAL
    assert failures(found).keys() == {"a2"}
    assert failures(found)["a2"] <= ASKS_MAX + 1
    assert {e.agent for e in found.finished.events if isinstance(e, MessagePosted)} >= {"a0", "a1"}
    assert provider.by_model["fake"] > 20


@pytest.mark.parametrize("fault", ["server error", "bad key", "prose", "hang"])
def test_a_stand_in_answers_where_the_first_model_fails(fault: str) -> None:
    provider = Provider()
    provider.faults = failing(provider, "fake", fault)
    found = held(
        provider, settings=Settings(max_messages=2), pace=RequestLimits(deadline_s=3.0), fallbacks=("spare", "third")
    )
    clock.run(check(found))
    assert not failures(found)
    assert provider.by_model["spare"] >= 4
    assert "third" not in provider.by_model, "the first that answers is enough"


@pytest.mark.parametrize("fault", ["prose", "malformed"])
def test_what_the_first_got_wrong_is_not_held_against_its_stand_in(fault: str) -> None:
    """It is told its own mistakes, and may mend them."""
    provider = Provider()

    def fault_of(number: int) -> str:
        again = AGAIN in str(provider.asked["messages"])
        return fault if provider.asked["model"] == "fake" or not again else ""

    provider.faults = fault_of
    found = held(provider, settings=Settings(max_messages=2), pace=RequestLimits(deadline_s=5), fallbacks=("spare",))
    assert not failures(found)
    tries = provider.by_model
    assert tries["fake"] // 3 == tries["spare"] // 2 >= 4, "three tries of the first, two of its stand-in"


def test_the_last_model_asked_says_why_there_is_no_answer() -> None:
    provider = Provider()
    faults = {"fake": "hang", "spare": "server error"}
    provider.faults = lambda number: faults[str(provider.asked["model"])]
    found = held(provider, settings=Settings(max_messages=2), pace=RequestLimits(deadline_s=2.0), fallbacks=("spare",))
    reasons = {event.reason for event in found.finished.events if isinstance(event, AskFailed)}
    assert reasons == {"spare failed (500)"}


def test_a_judgement_goes_to_the_model_for_judgements() -> None:
    found = held(Provider(), settings=Settings(), pace=PACE, judgement="judge")
    clock.run(check(found))
    by = found.provider.by_model
    assert by["judge"] > 4 and by["fake"] > 10
    for call in found.provider.calls:
        private = "JSON: {p_top" in call.user or "JSON: {objection" in call.user or '"GRADE_STEELMAN"' in call.user
        assert (call.body["model"] == "judge") == private


def test_a_model_that_is_down_is_not_asked_first_again_for_a_while() -> None:
    provider = Provider()
    provider.faults = lambda number: "bad key" if provider.asked["model"] == "fake" else ""
    found = held(provider, settings=Settings(max_messages=4), pace=RequestLimits(deadline_s=5), fallbacks=("spare",))
    assert not failures(found)
    assert provider.by_model["fake"] <= 2, "once for each agent whose first ask was under way"
    assert provider.by_model["spare"] >= 6
