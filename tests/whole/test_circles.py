"""The seed's five acceptance tests of redundancy control, and whole conversations of simulated debaters."""

import asyncio
from functools import cache
from itertools import pairwise
from typing import Any, Final

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.app.people import Participation
from cruxfinder.debaters.scripted import FunctionDebater
from cruxfinder.kernel import wire
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.run_facts import Failed
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, Ending, ProtocolName, Role, Verdict
from cruxfinder.language.english.texts import sentences
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk
from cruxfinder.protocols.any_run import Finished
from cruxfinder.talk.asks import AskTurn, AskUser, Consent, Spoken
from cruxfinder.talk.events import PivotForced, SynthesisGiven, TurnRefused, TurnSpoken
from cruxfinder.talk.law.turn_form import WORDS_MAX, count_words
from cruxfinder.talk.turns import CHAIRS, CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE, PivotKind, TurnDraft, TurnType
from tests.golden.talks import SHORT, Talker, stubborn, table_of, talked, volleying, willing

TALKS: Final = [DEBATE, CONSENSUS, DISCUSSION, ROUNDTABLE]
OTHERS: Final = ("bitcoin", "monolith")  # packs beside that of free will


def hold(pack: str, protocol: ProtocolName, *, seed: int = 0, settings: Settings = Settings()) -> Finished:
    found = pack_finder.find(pack)[0]
    return asyncio.run(run_starts.start(found, MemoryStore(), seed=seed, settings=settings, protocol=protocol))


@cache
def held(pack: str, protocol: ProtocolName) -> Finished:
    """Once for all that ask about the same one."""
    return hold(pack, protocol)


def spoken(finished: Finished) -> list[TurnSpoken]:
    return [e for e in finished.events if isinstance(e, TurnSpoken)]


# ---- the seed's five


@pytest.mark.rule("RED-1")
def test_one_the_third_volley_is_blocked_and_a_pivot_fires() -> None:
    events = talked(ROUNDTABLE, volleying, SHORT)(())
    pivot = next(n for n, e in enumerate(events) if isinstance(e, PivotForced) and e.cause == "RED-1")
    before = [e.agent for e in events[:pivot] if isinstance(e, TurnSpoken) and e.role not in CHAIRS]
    after = next(e for e in events[pivot:] if isinstance(e, TurnSpoken))
    assert len(set(before[-4:])) == 2, "two rounds of the same two"
    assert after.agent not in before[-4:] or after.role is Role.REASON


@pytest.mark.rule("RED-2")
def test_two_a_paraphrase_is_sent_back_until_it_says_what_follows() -> None:
    first = "If the harbour silts up, then the ferry stops, because its keel needs the depth."
    paraphrase = "As I said, the ferry cannot run once the harbour has silted up. That remains my view."
    better = "If the ferry stops for a winter, then the mill must close, because its flour goes by water."
    said: list[str] = []

    def bob(ask: AnyAsk, record: Any) -> AnyAnswer:
        assert isinstance(ask, AskTurn)
        content = better if ask.refused else paraphrase
        said.append(content)
        return Spoken(turn=TurnDraft(type=ask.type, content=content))

    def ann(ask: AnyAsk, record: Any) -> AnyAnswer:
        assert isinstance(ask, AskTurn)
        return Spoken(turn=TurnDraft(type=ask.type, content=first))

    seats = {AgentId("ann"): FunctionDebater(ann), AgentId("bob"): FunctionDebater(bob)}
    run = run_starts.start(table_of(["ann", "bob"]), MemoryStore(), debaters=seats, protocol=DEBATE)
    events = asyncio.run(run).events
    refused = next(e for e in events if isinstance(e, TurnRefused))
    assert refused.agent == "bob" and "RED-2" in {r.rule for r in refused.refusals}
    taken = next(e for e in events if isinstance(e, TurnSpoken) and e.agent == "bob")
    assert said[:2] == [paraphrase, better]
    assert taken.turn.content.startswith("If the ferry") and "implication" in taken.entailments


@pytest.mark.rule("RED-6")
@pytest.mark.parametrize("pack", ["free-will", "bitcoin"])
def test_three_at_turn_twelve_the_voice_of_reason_sums_up_in_three_sentences(pack: str) -> None:
    finished = held(pack, ROUNDTABLE)
    for turn in spoken(finished)[11::12]:
        assert turn.role is Role.REASON and turn.turn.type is TurnType.SYNTHESIS
        assert len(sentences(turn.turn.content)) <= 3
        assert turn.turn.next_step


@pytest.mark.rule("RED-8")
@pytest.mark.parametrize("pack", ["free-will", "monolith"])
def test_four_a_quarter_of_all_content_words_is_distinct(pack: str) -> None:
    assert held(pack, ROUNDTABLE).minutes.system_metrics.compression >= 0.25


@pytest.mark.rule("RED-7")
@pytest.mark.parametrize("most", [9, 20, 48])
def test_five_the_length_is_kept_to_and_a_closing_word_said(most: int) -> None:
    settings = Settings(redundancy=Redundancy(max_total_turns=most))
    finished = hold("free-will", ROUNDTABLE, settings=settings)
    closing = [e for e in finished.events if isinstance(e, SynthesisGiven) and e.closing]
    assert len(spoken(finished)) == most and len(closing) == 1
    assert spoken(finished)[-1].id == closing[0].turn


# ---- consensus


def test_where_nobody_concedes_there_is_no_consensus_and_it_says_so() -> None:
    told = talked(CONSENSUS, stubborn)(())
    end = told[-1]
    assert end.kind == "debate_complete" and end.verdict is Verdict.NO_CONSENSUS
    assert end.why == "nobody conceded anything; still dissenting: Ann, Bob"
    merged = next(e for e in reversed(told) if isinstance(e, TurnSpoken))
    assert merged.turn.content.endswith("Still dissenting: Ann, Bob.")


def test_nobody_concedes_and_nobody_dissents_is_no_consensus_either() -> None:
    """Agreement that cost nobody anything is politeness."""
    end = talked(CONSENSUS, lambda: {id: Talker(id) for id in ("ann", "bob", "cat")})(())[-1]
    assert end.kind == "debate_complete" and end.verdict is Verdict.NO_CONSENSUS
    assert end.why == "nobody conceded anything"


def test_a_merged_position_all_can_live_with_is_a_consensus() -> None:
    end = talked(CONSENSUS, willing)(())[-1]
    assert end.kind == "debate_complete" and end.verdict is Verdict.CONSENSUS
    assert "Bob, Cat conceded something" in end.why


# ---- simulated debaters


@pytest.mark.parametrize(
    ("pack", "protocol"),
    [
        *(("free-will", protocol) for protocol in TALKS),
        *((pack, ROUNDTABLE) for pack in OTHERS),
        *(pytest.param(pack, protocol, marks=pytest.mark.slow) for pack in OTHERS for protocol in TALKS[:-1]),
    ],
)
def test_simulated_debaters_hold_it_to_the_end(pack: str, protocol: ProtocolName) -> None:
    finished = held(pack, protocol)
    told = finished.minutes
    assert told.ending is Ending.NATURAL and told.verdict is not Verdict.UNDECIDED
    assert all(count_words(t.turn.content) <= WORDS_MAX[t.turn.type] for t in spoken(finished))
    assert all(a.agent != b.agent or b.role in CHAIRS for a, b in pairwise(spoken(finished)))
    said = [t for t in spoken(finished) if t.role not in CHAIRS]
    assert sum(bool(t.entailments) for t in said) >= 0.85 * len(said)
    assert len({t.turn.content for t in said}) >= 0.97 * len(said)


@pytest.mark.parametrize("protocol", TALKS)
def test_the_same_seed_gives_the_same_conversation_and_another_seed_another(protocol: ProtocolName) -> None:
    runs = held("free-will", protocol), hold("free-will", protocol), hold("free-will", protocol, seed=4)
    lines = [[wire.dumps(e) for e in run.events][1:] for run in runs]
    assert lines[0] == lines[1] != lines[2]


@pytest.mark.slow
@pytest.mark.parametrize("pack", ["free-will", "bitcoin", "monolith"])
def test_the_gates_bite(pack: str) -> None:
    refused = [
        rule for seed in range(3) for rule in hold(pack, ROUNDTABLE, seed=seed).minutes.system_metrics.reasons_refused
    ]
    assert {"RED-2", "RED-4"} <= set(refused)


def test_a_roundtable_of_two_has_no_budget_for_the_pair() -> None:
    pack = pack_finder.find("free-will")[0]
    run = run_starts.start(pack, MemoryStore(), agents=("baron", "scot"), protocol=ROUNDTABLE)
    finished = asyncio.run(run)
    assert not [e for e in finished.events if isinstance(e, PivotForced) and e.cause == "RED-1"]
    assert finished.minutes.checklist[0].figure == "only two speak"


def test_every_act_brings_a_case_or_a_passage_quoted_word_for_word() -> None:
    pack = pack_finder.find("free-will")[0]
    finished = held("free-will", ROUNDTABLE)
    led = [e for e in finished.events if isinstance(e, PivotForced)]
    quoted = [(e.text, e.source) for e in led if e.to is PivotKind.ANCHOR]
    assert quoted and set(quoted) <= {(a.text, a.source) for a in pack.anchors}
    assert {e.text for e in led if e.to is PivotKind.DILEMMA} <= {d.text for d in pack.dilemmas}


def test_crux_debates_can_be_held_to_the_same_rules() -> None:
    pack = pack_finder.find("bitcoin")[0]
    found = [
        asyncio.run(run_starts.start(pack, MemoryStore(), seed=2, settings=Settings(redundancy=limits)))
        for limits in (None, Redundancy())
    ]
    reasons = [run.result.system_metrics.reasons_blocked for run in found]
    assert not any(rule.startswith("RED") for rule in reasons[0])
    assert any(rule.startswith("RED") for rule in reasons[1])
    assert found[1].result.ending is Ending.NATURAL


def test_a_limit_of_the_run_ends_a_conversation_early_with_a_closing_word() -> None:
    for settings, ending in (
        (Settings(max_messages=10), Ending.MESSAGES),
        (Settings(max_ms=60_000), Ending.TIME),
    ):
        finished = hold("free-will", ROUNDTABLE, settings=settings)
        assert finished.minutes.ending is ending and finished.minutes.confidence == "LOW"
        assert spoken(finished)[-1].turn.type is TurnType.SYNTHESIS
        assert len(spoken(finished)) <= 14


def test_what_the_listener_says_is_taken_up() -> None:
    async def answer(ask: AskUser) -> str:
        return "I lean to no"

    pack = pack_finder.find("free-will")[0]
    user = Participation(answer, wait_s=5)
    run = run_starts.start(pack, MemoryStore(), settings=Settings(asks_user=True), protocol=DISCUSSION, user=user)
    said = spoken(asyncio.run(run))
    asked = next(n for n, turn in enumerate(said) if turn.turn.to_user)
    again, then = [turn for turn in said[asked + 1 :] if turn.turn.type is not TurnType.SYNTHESIS][:2]
    assert again.turn.content.startswith('Our listener says: "I lean to no".')
    assert then.turn.type is TurnType.POSITION, "now the table has the question"


def test_a_draft_that_cannot_be_revised_is_taken_with_its_flag() -> None:
    """The line breaks after a first draft was sent back: what was said is not lost."""

    def bob(ask: AnyAsk, record: Any) -> AnyAnswer:
        assert isinstance(ask, AskTurn)
        if ask.refused:
            return Failed(reason="the line is down")
        return Spoken(turn=TurnDraft(type=ask.type, content="I agree with Ann, and that remains my view."))

    seats = {AgentId("ann"): FunctionDebater(Talker("ann").reply), AgentId("bob"): FunctionDebater(bob)}
    run = run_starts.start(table_of(["ann", "bob"]), MemoryStore(), debaters=seats, protocol=DEBATE)
    first = next(turn for turn in spoken(asyncio.run(run)) if turn.agent == "bob")
    assert "RED-2" in {flag.rule for flag in first.flags}


def test_whoever_keeps_asking_the_user_is_heard_three_times() -> None:
    def curious(ask: AnyAsk, record: Any) -> AnyAnswer:
        question = TurnDraft(type=TurnType.QUESTION, content="What does the ferry carry?", to_user=True)
        return Spoken(turn=question) if isinstance(ask, AskTurn) else Consent(agrees=True)

    seats = {AgentId(id): FunctionDebater(curious) for id in ("ann", "bob", "cat")}
    run = run_starts.start(table_of(list(seats)), MemoryStore(), debaters=seats, protocol=CONSENSUS)
    assert len(asyncio.run(run).minutes.questions) == 3
