"""A debate through Anthropic's own client, against a server of ours that speaks its language."""

import asyncio
import json
from collections.abc import Mapping

import pytest

import cruxfinder as cf
from bench.fake.brain import believer
from bench.fake.server import FakeProvider, running, write
from cruxfinder.kernel.run_facts import AskFailed
from cruxfinder.kernel.vocabulary import Ending
from cruxfinder.protocols.any_run import Finished

KEY = "key-of-a-test-48151623"


class Messages(FakeProvider):
    """The same brain behind /v1/messages."""

    async def respond(self, raw: bytes, writer: asyncio.StreamWriter) -> bool:
        body = json.loads(raw)
        self.count += 1
        system, user = texts(body["system"]), "".join(texts(m["content"]) for m in body["messages"])
        reply = self.brain(system, user)
        tokens_in, tokens_out = self.usage_of(system + user, reply)
        answer = {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [{"type": "text", "text": reply}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": tokens_in, "output_tokens": tokens_out},
        }
        await write(writer, 200, json.dumps(answer))
        return True


def texts(content: str | list[Mapping[str, str]]) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


@pytest.mark.slow
def test_a_debate_with_anthropic_is_priced_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)

    async def held() -> tuple[Finished, FakeProvider]:
        async with running(Messages(believer(1))) as provider:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url.removesuffix("/v1"))
            model = "anthropic:claude-haiku-4-5"
            return await cf.adebate("free-will", model=model, max_messages=8, max_cost=0.05), provider

    finished, provider = asyncio.run(held())
    metrics = finished.result.system_metrics
    assert finished.result.ending is Ending.MESSAGES
    assert not [e for e in finished.events if isinstance(e, AskFailed)]
    assert metrics.calls >= provider.count >= 12 and metrics.calls_unpriced == 0
    assert 0 < finished.result.cost < 0.05
    assert {agent.model for agent in finished.result.agents} == {"anthropic:claude-haiku-4-5"}
