"""A model on the loopback that answers as a test tells it to, and what it was asked."""

import asyncio
import json
import re
from collections.abc import Callable, Coroutine
from typing import TypeVar

from bench.fake.server import Brain, FakeProvider, running
from cruxfinder.adapters.models.connection import ModelConnection
from cruxfinder.adapters.models.model_names import read
from cruxfinder.adapters.models.retries import ModelThinker
from cruxfinder.kernel.budget import Caps, RunBudget

T = TypeVar("T")
MARKED = re.compile("«[^«»]*»")
TOPIC = "We should split the monolith"


def asked(
    brain: Brain, ask: Callable[[ModelThinker, RunBudget], Coroutine[None, None, T]], calls: int = 0
) -> tuple[T, FakeProvider, RunBudget]:
    """What an ask comes to over real HTTP, with the server and the budget to look into."""

    async def run() -> tuple[T, FakeProvider, RunBudget]:
        async with running(FakeProvider(brain)) as server:
            connection = ModelConnection(read("fake", server.url))
            budget = RunBudget(Caps(calls=calls))
            try:
                return await ask(ModelThinker(connection), budget), server, budget
            finally:
                await connection.close()

    return asyncio.run(run())


def saying(*replies: object) -> Brain:
    """One reply after the other; the last one again and again."""
    left = [reply if isinstance(reply, str) else json.dumps(reply) for reply in replies]
    return lambda _system, _user: left.pop(0) if len(left) > 1 else left[0]


def unmarked(prompt: str) -> str:
    """A prompt without everything that is marked as data."""
    return MARKED.sub("", prompt)
