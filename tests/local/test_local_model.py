"""Real debaters are held to our shapes by their server's grammar, and a debate of babblers comes to a legal end."""

import asyncio
import json
from collections.abc import Awaitable, Generator, Sequence
from typing import Final, TypeVar
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.connection import Declined, ModelConnection, Reply
from cruxfinder.adapters.models.retries import ModelThinker
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import resumption, run_starts, stored_runs
from cruxfinder.crux.asks import AskProbe, Question
from cruxfinder.crux.events import MessagePosted
from cruxfinder.crux.law import threads
from cruxfinder.crux.law.stages import ALLOWED
from cruxfinder.debaters.modelled import debate_prompts, reply_shapes
from cruxfinder.debaters.modelled.modelled_debater import ModelDebater
from cruxfinder.kernel import wire
from cruxfinder.kernel.field_meanings import MeantField
from cruxfinder.kernel.pack import Pack, Persona
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, Ending, MoveKind, Phase, Stage, ThreadId
from cruxfinder.ports import NOTHING, Prompt
from cruxfinder.protocols.any_run import Finished
from cruxfinder.protocols.registry import read_event
from tests.local import smollm

pytestmark = pytest.mark.local

T = TypeVar("T")
REPLY_S: Final = 60.0
DEBATE_S: Final = 240.0
BEGINNING: Final = 48  # tokens: enough for the longest move and the name of its first field, letter by letter
OTHERS: Final = ("ada", "cy")
ADA: Final = Persona(
    id=AgentId("ada"),
    name="Ada",
    about="staff engineer, in favour of the split",
    brief="Has run the release train for three years and counts lead times.",
)
BO: Final = Persona(
    id=AgentId("bo"),
    name="Bo",
    about="operations lead, against the split",
    brief="Carries the pager and counts outages.",
)
PACK: Final = Pack(
    name="split",
    title="The split",
    topic="We should split the monolith into services this year",
    summary="",
    propositions=(),
    personas=(ADA, BO),
)
# A babbler is often silent for long: a thread that went quiet is waited for, and the debate ends some other way.
SETTINGS: Final = Settings(max_messages=8, max_ms=240_000, off=(threads.QUIET,))


@pytest.fixture(scope="module")
def model() -> Generator[smollm.LocalModel]:
    with smollm.serving() as running:
        yield running


def within(seconds: float, work: Awaitable[T]) -> T:
    async def bounded() -> T:
        async with asyncio.timeout(seconds):
            return await work

    return asyncio.run(bounded())


def connected(model: smollm.LocalModel) -> ModelConnection:
    return ModelConnection(model_names.read(smollm.NAME, model.url), grammar=True)


async def asked(model: smollm.LocalModel, grammar: str, tokens_out: int) -> Reply:
    connection = connected(model)
    try:
        prompt = Prompt(system="You are Bo in a debate.", user="Speak. JSON:", tokens_out=tokens_out, grammar=grammar)
        return await connection.request(prompt)
    finally:
        await connection.close()


# ---- grammars


def keys_of(fields: tuple[MeantField, ...]) -> list[str]:
    return [field.reply_name for field in fields]


def probe(phase: Phase) -> AskProbe:
    questions = tuple(
        Question(id=CandidateId(id), question="Is it so?", yes_means="it is", no_means="it is not")
        for id in ("c1", "c2")
    )
    return AskProbe(agent=BO.id, thread=ThreadId("t1"), phase=phase, round=1, heard=0, questions=questions)


@pytest.mark.parametrize(
    "fields",
    [reply_shapes.FIRST, reply_shapes.JUDGE, reply_shapes.RELATE],
    ids=["first position", "judgement", "relation"],
)
def test_a_private_answer_has_the_fields_of_its_shape(model: smollm.LocalModel, fields: tuple[MeantField, ...]) -> None:
    grammar = reply_shapes.grammar_of([reply_shapes.plain_variant(*fields)])
    reply = within(REPLY_S, asked(model, grammar, tokens_out=1200))
    assert list(json.loads(reply.text)) == keys_of(fields)


@pytest.mark.parametrize("phase", Phase)
def test_a_probe_is_answered_question_by_question(model: smollm.LocalModel, phase: Phase) -> None:
    ask = probe(phase)
    fields, names = debate_prompts.question_fields(phase), debate_prompts.asked_names(ask)
    variant = reply_shapes.plain_variant(*debate_prompts.probe_fields(ask))
    reply = within(REPLY_S, asked(model, reply_shapes.grammar_of([variant]), tokens_out=1200))
    found = json.loads(reply.text)
    assert 0 <= found["p_top"] <= 1
    assert names == (["c1_c2"] if phase is Phase.LINKS else ["c1", "c2"])
    assert [list(found[name]) for name in names] == [keys_of(fields)] * len(names)


def move_grammar(moves: Sequence[MoveKind], *, owed: bool) -> str:
    variants = [reply_shapes.move_variant(move) for move in moves]
    return reply_shapes.grammar_of(variants if owed else [*variants, reply_shapes.SILENCE], OTHERS)


@pytest.mark.parametrize("owed", [True, False], ids=["owed", "free"])
@pytest.mark.parametrize("move", MoveKind)
def test_a_move_begins_as_its_grammar_says(model: smollm.LocalModel, move: MoveKind, owed: bool) -> None:
    reply = within(REPLY_S, asked(model, move_grammar((move,), owed=owed), tokens_out=BEGINNING))
    begun = f'{{"move":"{move}","content":"'
    assert reply.text.startswith(begun) or (not owed and reply.text == f'{{"move":"{reply_shapes.SILENT}"}}')


@pytest.mark.parametrize("stage", Stage)
def test_a_stage_offers_its_own_moves_and_silence(model: smollm.LocalModel, stage: Stage) -> None:
    reply = within(REPLY_S, asked(model, move_grammar(ALLOWED[stage], owed=False), tokens_out=BEGINNING))
    move = reply.text.removeprefix('{"move":"').partition('"')[0]
    assert move in {*ALLOWED[stage], reply_shapes.SILENT}


def test_a_broken_grammar_is_refused_at_once(model: smollm.LocalModel) -> None:
    with pytest.raises(Declined) as declined:
        within(REPLY_S, asked(model, 'root ::= ("{"', tokens_out=BEGINNING))
    assert declined.value.kind == "refused"


# ---- a debate


async def debated(model: smollm.LocalModel, store: MemoryStore) -> Finished:
    connection = connected(model)
    thinker = ModelThinker(connection, deadline_s=DEBATE_S)
    debaters = {persona.id: ModelDebater(persona, PACK, thinker) for persona in PACK.personas}
    try:
        return await run_starts.start(PACK, store, debaters=debaters, settings=SETTINGS)
    finally:
        await connection.close()


def test_a_debate_of_babblers_comes_to_a_legal_end_and_replays(model: smollm.LocalModel) -> None:
    store = MemoryStore()
    before = (model.tokens_in, model.tokens_out)
    finished = within(DEBATE_S, debated(model, store))

    complete = finished.events[-1]
    assert isinstance(complete, DebateComplete)
    assert complete.ending in Ending
    said = [e for e in finished.events if isinstance(e, MessagePosted) and e.agent in {ADA.id, BO.id}]
    assert len(said) >= 2

    log = stored_runs.load_log(finished.run, store)
    assert [read_event(body) for body in log.events] == list(finished.events)
    again = within(DEBATE_S, resumption.replay(finished.run, store))
    assert [wire.dumps(event) for event in again.events] == list(log.events)

    usage = log.usage
    assert usage.calls >= len(said)
    assert usage.unpriced == usage.calls  # what runs here has no price
    # a request dropped at the end counts at its worst, so only what was answered can be compared
    answered = sum((known.usage for known in log.answers.values()), NOTHING)
    assert 0 < answered.tokens_in <= model.tokens_in - before[0]
    assert 0 < answered.tokens_out <= model.tokens_out - before[1]


def test_nobody_listens_once_the_server_is_closed() -> None:
    with smollm.serving() as running:
        health = running.url.removesuffix("/v1") + "/health"
        with urlopen(health, timeout=REPLY_S) as response:
            assert response.status == 200
    with pytest.raises(URLError):
        urlopen(health, timeout=REPLY_S)
