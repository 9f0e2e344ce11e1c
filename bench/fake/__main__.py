"""The fake provider as a process of its own: `python -m bench.fake LATENCY_S` prints its address and serves."""

import asyncio
import sys

from bench.fake.brain import believer
from bench.fake.server import FakeProvider, running


async def main(latency_s: float) -> None:
    async with running(FakeProvider(believer(1), latency_s=latency_s, keep=False)) as provider:
        print(provider.url, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until whoever started it lets go


asyncio.run(main(float(sys.argv[1])))
