"""What embedding costs: a message never seen before, and a message against the interests of twelve agents."""

import time

from cruxfinder.adapters.embeddings.embedders import embedder

MESSAGES = 300
REPEATS = 7
LENGTH = 300  # characters
AGENTS, INTERESTS = 12, 6
SENTENCES = (
    "The correlation of Bitcoin with technology stocks rose from 0.2 to 0.6 after 2020.",
    "If liquidity drives both, then the next tightening cycle ought to show it within two quarters.",
    "School uniforms save parents money, yet pupils say that they feel less free in them!",
    "A carbon price of 80 dollars would close most coal plants before 2035, unless gas gets dearer.",
    "Nobody has yet measured whether remote teams ship fewer defects; the surveys only ask for opinions.",
)
WORDS = tuple(word.strip(".,;!") for sentence in SENTENCES for word in sentence.split())


def message(number: int) -> str:
    turned = number % len(SENTENCES)
    text = f"{number}: " + " ".join(SENTENCES[turned:] + SENTENCES[:turned])
    return text[:LENGTH]


def message_ms() -> float:
    """CPU of one message of 300 characters that no cache has seen."""
    measure, best = embedder("static"), float("inf")
    for repeat in range(REPEATS):
        texts = [message(repeat * MESSAGES + number) for number in range(MESSAGES)]
        begin = time.process_time()
        for text in texts:
            measure.likeness(text, "liquidity")
        best = min(best, (time.process_time() - begin) * 1000 / MESSAGES)
    return best


def interests_us() -> float:
    """CPU of one known message against six interests of each of twelve agents, asked in one call."""
    measure, best = embedder("static"), float("inf")
    phrases = tuple(f"{WORDS[n % len(WORDS)]} {WORDS[n * 7 % len(WORDS)]}" for n in range(AGENTS * INTERESTS))
    texts = [message(number) for number in range(MESSAGES)]
    for _ in range(REPEATS + 1):  # the first round fills the caches
        begin = time.process_time()
        for text in texts:
            measure.likenesses(text, phrases)
        best = min(best, (time.process_time() - begin) * 1e6 / MESSAGES)
    return best
