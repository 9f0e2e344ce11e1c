"""How fast the machine is just now: a fixed piece of work, so that a slow minute can be told from slower code."""

import time
from collections import Counter

import numpy as np

WORDS = "the lock leaks so grain ships wait outside the strait until the toll is paid and the tide has turned".split()
ROUNDS = 400
REPEATS = 9


def work_ms() -> float:
    """CPU of some text and some numbers, the best of a few."""
    numbers, best = np.arange(128 * 128, dtype=np.float32).reshape(128, 128) % 7, float("inf")
    for _ in range(REPEATS):
        begin = time.process_time()
        for n in range(ROUNDS):
            text = " ".join(f"{word}{n % 7}" for word in WORDS)
            counted = Counter(text.split())
            sorted(word for word, times in counted.items() if times == 1 and not word.endswith("3"))
            np.matmul(numbers[:8], numbers)
        best = min(best, (time.process_time() - begin) * 1000)
    return best
