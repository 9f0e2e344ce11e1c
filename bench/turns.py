"""What it costs to keep a conversation from going in circles: every rule on one turn late in it, and the filters."""

import asyncio
import json
import resource
import subprocess
import sys
import time

from bench.embedding import SENTENCES, WORDS
from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.language.english.english_reader import EnglishReader
from cruxfinder.protocols.any_ask import conversation_in
from cruxfinder.protocols.registry import fold
from cruxfinder.talk.commands import Speak
from cruxfinder.talk.decide import decide
from cruxfinder.talk.events import TurnSpoken
from cruxfinder.talk.law import pivots
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turn_passage import turn_passage
from cruxfinder.talk.turns import CHAIRS, ROUNDTABLE, TurnDraft, TurnType

TURNS = 200
REPEATS = 15  # the best of them counts, and each says what nobody has said before
LENGTH = 60  # words of a turn
PAIRS = 20_000


def late() -> Conversation:
    """The pack's roundtable before its 47th turn."""
    pack = pack_finder.find("free-will")[0]
    events = asyncio.run(run_starts.start(pack, MemoryStore(), protocol=ROUNDTABLE)).events
    spoken = [n for n, event in enumerate(events) if isinstance(event, TurnSpoken)]
    return conversation_in(fold(events[: spoken[45] + 1]))


def text(number: int) -> str:
    """A turn nobody has seen, nor any sentence of it."""
    turned = number % len(SENTENCES)
    said: list[str] = []
    for sentence in (*SENTENCES[turned:], *SENTENCES[:turned]):
        words: list[str] = [*sentence.split()]
        words[number % (len(words) - 1)] = f"{WORDS[number % len(WORDS)]}{number}"
        said += words
    return " ".join(said[:LENGTH])


def gates_ms() -> float:
    """CPU of all rules on one turn: likeness to the last three, entailments, claims, who speaks, where it is led."""
    debate, reader, best = late(), EnglishReader(embedder("static")), float("inf")
    talk = debate.talk
    before = talk.turns[-1].agent
    speaker = next(s.id for s in debate.seats if s.role not in CHAIRS and s.id != before)
    limits = debate.settings.redundancy
    tensions = pack_finder.find("free-will")[0].tensions
    assert limits is None, "the limits are those of the rules"
    for repeat in range(REPEATS):
        texts = [text(repeat * TURNS + n) for n in range(TURNS)]
        begin = time.process_time()
        for content in texts:
            draft = TurnDraft(type=TurnType.PROPOSITION, content=content)
            reading = reader.read(turn_passage(debate, speaker, draft, 0, (debate.started.topic,)))
            decide(debate, Speak(agent=speaker, draft=draft, reading=reading), debate.now_ms)
            pivots.count_cycles(talk, tensions[0])
        best = min(best, (time.process_time() - begin) * 1000 / TURNS)
    return best


def lines_a_second() -> float:
    """Pairs a second of CPU through `crux inspect similarity --jsonl`, its start included."""
    pairs = "".join(f"{json.dumps({'a': text(n)[:160], 'b': text(n + 7)[:90]})}\n" for n in range(PAIRS))
    command = [sys.executable, "-m", "cruxfinder", "inspect", "similarity", "--jsonl"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=pairs, check=True, capture_output=True, text=True, timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout.count("\n") == PAIRS
    return PAIRS / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
