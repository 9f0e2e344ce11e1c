"""The process that gets killed while its debaters think. It forks a child a job, tells its id, then how it ended.

A job is a line of JSON: start or resume a run with models of a provider elsewhere. Nothing here has threads before it
forks, and what takes long to load is loaded once.
"""

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import openai.resources.chat  # noqa: F401
import pydantic_ai.models.openai
import pydantic_ai.providers.openai_compatible  # noqa: F401

from cruxfinder.adapters.models.allowance import allow_addresses
from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import resumption, run_starts
from cruxfinder.errors import CruxfinderError
from cruxfinder.kernel.settings import Settings
from tests.models.models import RUN, table_of, thought_by


@dataclass(frozen=True, kw_only=True)
class Job:
    do: str
    store: str
    url: str
    agents: int = 2
    max_messages: int = 12
    max_calls: int = 0
    max_tokens: int = 0
    deadline_s: float = 60


def run(job: Job) -> int:
    store = SqliteStore(Path(job.store))
    settings = Settings(max_messages=job.max_messages, max_calls=job.max_calls, max_tokens=job.max_tokens)
    pace = RequestLimits(deadline_s=job.deadline_s)
    try:
        if job.do == "start":
            pack = thought_by(table_of(job.agents), job.url)
            asyncio.run(run_starts.start(pack, store, settings=settings, thinking=pace, run=RUN))
        else:
            asyncio.run(resumption.resume(RUN, store, thinking=pace, allowed=allow_addresses([job.url])))
    except CruxfinderError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        return 3
    finally:
        store.close()
    return 0


def main() -> None:
    for line in sys.stdin:
        job = Job(**json.loads(line))
        child = os.fork()
        if child == 0:
            os._exit(run(job))
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
