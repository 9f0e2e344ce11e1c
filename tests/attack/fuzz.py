"""Throws generated texts at every pure parser: `python -m tests.attack.fuzz --inputs 1000000 --seed 1 [--only csp]`.

A parser gives a value or raises what it documents; anything else is a fault, printed with its seed and a short input.
No text of up to 10,000 characters may take longer than 50 ms of CPU. `--growth` repeats hostile pieces up to a million
characters instead: from 100,000 on, ten times the length takes at most 15 times as long, or is refused.

The same seed gives the same texts. `make fuzz` runs a million of them.
"""

import argparse
import gc
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Final

from tests.attack.parsers import PARSERS, Parser
from tests.pace import seconds

SHORT, MIDDLING, LONG = 300, 3_000, 10_000  # characters; most texts are short
SLOW_MS: Final = 50.0
MINIMISED_MAX: Final = 400  # tries
SHOWN_MAX: Final = 1_000
FAULTS_MAX: Final = 20  # of a parser; then it is left alone
LENGTHS: Final = (1_000, 10_000, 100_000, 1_000_000)
GROWTH_MAX: Final = 15.0
INSTANT_S: Final = 0.3  # what takes less for the longest text needs no further look
PATIENCE_S: Final = 4.0  # for a text of any length; what takes longer is broken off
ODD: Final = (
    "\x00\x01\x07\x08\x0b\x0c\x1b\x1c\x1f\x7f\x85\xa0\xad\u0130\u0131\u0345\u061c\u0660\u06f5\u0966\u200b\u200d\u200e\u200f"
    "\u2028\u2029\u202e\u2066\u2069\u2160\u212a\u2460\u3000\u3002\ufdd0\ufe0f\ufeff\uff10\uff1a\ufffd\ufffe\uffff"
    "\ud800\udfff\udc80ßẞİıſﬁ²½五\U0001d7d8\U0001f600\U000e0001\U0010ffff"
)
ASCII: Final = "".join(chr(n) for n in range(32, 127)) + "\n\t\r"
PAIRS: Final = ("()", "[]", "{}", '""', "''", "``", "<>")
Make = Callable[[Random, Parser, int], str]


# ---- texts


def from_anything(chance: Random, parser: Parser, length: int) -> str:
    def character() -> str:
        match chance.randrange(6):
            case 0:
                return chance.choice(ODD)
            case 1:
                return chr(chance.randrange(0x110000))
            case 2:
                return str(chance.randrange(10))
            case _:
                return chance.choice(ASCII)

    return "".join(character() for _ in range(length))


def from_pieces(chance: Random, parser: Parser, length: int) -> str:
    """Words of samples and hostile pieces in any order."""
    words = [*parser.pieces, *chance.choice(parser.samples)[:2_000].split(" ")]
    parts: list[str] = []
    room = length
    while room > 0:
        part = chance.choice(ODD) if chance.random() < 0.03 else chance.choice(words)
        part += chance.choice(("", "", " ", "\n"))
        parts.append(part)
        room -= len(part)
    return "".join(parts)


def from_repetition(chance: Random, parser: Parser, length: int) -> str:
    """One piece or a few, again and again, before and after something else."""
    piece = "".join(chance.choice((*parser.pieces, chance.choice(ODD))) for _ in range(chance.randrange(1, 4)))
    sample = cut_out(chance, parser, max(1, length // 4))
    ends = (chance.choice(("", sample)), chance.choice(("", sample, chance.choice(parser.pieces))))
    return ends[0] + piece * (length // max(1, len(piece))) + ends[1]


def from_nesting(chance: Random, parser: Parser, length: int) -> str:
    opening, closing = chance.choice(PAIRS)
    opening = chance.choice(("", chance.choice(parser.pieces))) + opening
    depth = chance.randrange(1, max(2, length // (len(opening) + 1)))
    return (
        opening * depth + cut_out(chance, parser, max(1, length // 8)) + closing * chance.choice((depth, depth - 1, 0))
    )


def from_sample(chance: Random, parser: Parser, length: int) -> str:
    """A text that the parser takes, changed here and there."""
    said = cut_out(chance, parser, length) if chance.random() < 0.3 else chance.choice(parser.samples)
    for _ in range(chance.choice((0, 1, 1, 2, 3, 8))):
        said = changed(chance, parser, said)
    return said if len(said) <= LONG else said[:LONG]


def cut_out(chance: Random, parser: Parser, length: int) -> str:
    sample = chance.choice(parser.samples)
    start = chance.randrange(max(1, len(sample) - length))
    return sample[start : start + length]


def changed(chance: Random, parser: Parser, said: str) -> str:
    a, b = sorted(chance.randrange(len(said) + 1) for _ in range(2))
    b = min(b, a + chance.choice((1, 5, 40, 10_000)))
    match chance.randrange(9):
        case 0:
            return said[:a]
        case 1:
            return said[:a] + said[b:]
        case 2:
            return said[:b] + said[a:b] * chance.choice((1, 2, 20)) + said[b:]
        case 3:
            other = chance.choice(parser.samples)
            return said[:a] + other[chance.randrange(len(other)) :]
        case 4:
            return said[:a] + chance.choice(ODD) * chance.choice((1, 1, 30)) + said[b:]
        case 5:
            return said[:a] + chance.choice(parser.pieces) * chance.choice((1, 1, 2, 50)) + said[a:]
        case 6:
            return said[:a] + chance.choice(("9" * 30, "9" * 5_000, "-1", "1e999", "0", "NaN")) + said[b:]
        case 7:
            return said[:a] + chance.choice((said[a:b].upper(), said[a:b].lower(), said[a:b][::-1])) + said[b:]
        case _:
            return said.replace(
                *chance.choice((("\n", "\r\n"), ("\n", " "), (" ", "\xa0"), (" ", ""), ('"', "'"), (":", "：")))
            )


MAKES: Final[tuple[Make, ...]] = (
    from_sample,
    from_sample,
    from_pieces,
    from_pieces,
    from_repetition,
    from_nesting,
    from_anything,
)


def text_of(parser: Parser, seed: int, number: int) -> str:
    chance = Random(f"{seed}/{parser.name}/{number}")
    kind = chance.random()
    length = chance.randrange(1, SHORT if kind < 0.9 else MIDDLING if kind < 0.98 else LONG)
    return chance.choice(MAKES)(chance, parser, length)[:LONG]


# ---- faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    parser: str
    where: str
    told: str
    said: str

    def __str__(self) -> str:
        shown = repr(self.said if len(self.said) <= SHOWN_MAX else f"{self.said[:SHOWN_MAX]}…")
        return f"{self.parser} ({self.where}): {self.told}\n  {shown}"


@dataclass(slots=True, kw_only=True)
class Tally:
    parser: str
    inputs: int = 0
    taken: int = 0
    seconds: float = 0.0
    slowest_ms: float = 0.0
    faults: list[Fault] = field(default_factory=list[Fault])


class Endless(BaseException):
    """Broken off; no parser's `except Exception` holds it back."""


@contextmanager
def broken_off() -> Generator[None]:
    """Raise Endless once the processor has worked for too long."""

    def stop(number: int, frame: object) -> None:
        raise Endless(f"more than {PATIENCE_S:g} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def wrong_in(parser: Parser, said: str) -> str:
    """What the parser raises that it does not document; nothing, if all is well."""
    try:
        with broken_off():
            parser.run(said)
    except parser.documented:
        return ""
    except (Exception, Endless) as fault:  # every one of them is what is looked for
        return f"{type(fault).__name__}: {str(fault)[:200]}"
    return ""


def milliseconds(parser: Parser, said: str) -> float:
    began = time.process_time()
    wrong_in(parser, said)
    return (time.process_time() - began) * 1_000


def minimised(said: str, still: Callable[[str], bool]) -> str:
    """Shorter and shorter while it still goes wrong."""
    tries, size = 0, max(1, len(said) // 2)
    while size and tries < MINIMISED_MAX:
        at = 0
        while at < len(said) and tries < MINIMISED_MAX:
            shorter = said[:at] + said[at + size :]
            tries += 1
            if still(shorter):
                said = shorter
            else:
                at += size
        size //= 2
    return said


def try_out(parser: Parser, said: str, where: str, tally: Tally, slow_ms: float = SLOW_MS) -> None:
    began = time.process_time()
    told = ""
    try:
        with broken_off():
            parser.run(said)
        tally.taken += 1
    except parser.documented:
        pass
    except (Exception, Endless) as fault:  # every one of them is what is looked for
        told = type(fault).__name__
    took = time.process_time() - began
    tally.inputs += 1
    tally.seconds += took
    if told:
        if told != Endless.__name__:
            said = minimised(said, lambda shorter: wrong_in(parser, shorter).startswith(told))
        tally.faults.append(Fault(parser=parser.name, where=where, told=wrong_in(parser, said) or told, said=said))
    elif took * 1_000 > tally.slowest_ms:
        other = (f"{said}{' ' * n}" for n in (1, 2))  # what was read once may be remembered
        again = min(took * 1_000, *(milliseconds(parser, text) for text in other))  # a busy machine only adds
        tally.slowest_ms = max(tally.slowest_ms, again)
        if again > slow_ms:
            told = f"{again:.0f} ms for {len(said)} characters"
            tally.faults.append(Fault(parser=parser.name, where=where, told=told, said=said))


def fuzz(parser: Parser, seed: int, count: int, slow_ms: float = SLOW_MS) -> Tally:
    tally = Tally(parser=parser.name)
    for number in range(count):
        try_out(parser, text_of(parser, seed, number), f"seed {seed}, number {number}", tally, slow_ms)
        if len(tally.faults) >= FAULTS_MAX:
            break
    return tally


# ---- growth


def hostile(parser: Parser) -> Iterator[tuple[str, Callable[[int], str]]]:
    """Texts of any length: pieces repeated, alone or on lines, samples repeated, one long word, brackets."""
    pieces = dict.fromkeys(
        (*parser.pieces, *(sample[:300] for sample in parser.samples), "a", " ", "9", "\n", "a ", "A1_")
    )
    head = parser.samples[0][:200]
    for number, piece in enumerate(pieces):
        yield repr(piece[:20]), lambda length, piece=piece: (piece * (length // len(piece) + 1))[:length]
        yield f"{piece[:20]!r}, then x!", lambda length, piece=piece: piece * (length // len(piece)) + "x!"
        if number % 2:
            yield (
                f"{piece[:20]!r} on lines",
                lambda length, piece=piece: (f"{piece}\n" * (length // len(piece)))[:length],
            )
        else:
            yield f"sample, then {piece[:20]!r}", lambda length, piece=piece: (head + piece * length)[:length]
    for first, second in zip(parser.pieces, parser.pieces[1:], strict=False):
        both = first + second
        yield repr(both[:20]), lambda length, both=both: (both * (length // len(both) + 1))[:length]
    yield "numbered words", lambda length: " ".join(f"w{n}" for n in range(length // 4))[:length]
    yield "numbered lines", lambda length: "\n".join(f"w{n}: {n}" for n in range(length // 8))[:length]
    yield (
        "numbered items",
        lambda length: (head + ",".join(f"w{n}" for n in range(length // 4)))[:length],
    )


def growth_faults(parser: Parser, seed: int, lengths: tuple[int, ...] = LENGTHS, most: int = 40) -> Iterator[Fault]:
    """What is found with some of the hostile texts; other seeds choose others."""
    makes = list(hostile(parser))
    for name, make in Random(f"{seed}/{parser.name}").sample(makes, min(most, len(makes))):
        if (told := growth_of(parser, make, lengths)) is not None:
            yield Fault(parser=parser.name, where="growth", told=told, said=name)


def growth_of(parser: Parser, make: Callable[[int], str], lengths: tuple[int, ...]) -> str | None:
    """What is wrong with how the time grows, twice in a row; None if nothing is."""
    return grown(parser, make, lengths) and grown(parser, make, lengths)


def grown(parser: Parser, make: Callable[[int], str], lengths: tuple[int, ...]) -> str | None:
    took: list[float] = []
    wrong: list[str] = []
    for length in lengths:
        took.append(seconds(lambda said: wrong.append(wrong_in(parser, said)), make(length)))
        if wrong[-1]:
            return f"{wrong[-1]} at {length}"
        least = INSTANT_S * (length / lengths[-1]) ** 2  # even with the square of the length it would come to nothing
        if len(took) > 1 and not least < took[-1] < PATIENCE_S / 3:
            break
    ratio = took[-1] / max(took[-2], 0.001)
    if took[-1] > INSTANT_S * lengths[len(took) - 1] / lengths[-1] and ratio > GROWTH_MAX:
        return f"{ratio:.0f} times as long: " + ", ".join(
            f"{length}: {each * 1_000:.0f} ms" for length, each in zip(lengths, took, strict=False)
        )
    return None


# ---- the command


def main() -> int:
    options = argparse.ArgumentParser(
        prog="python -m tests.attack.fuzz", description=(__doc__ or "").partition("\n")[0]
    )
    options.add_argument("--inputs", type=int, default=100_000, help="over all parsers together")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", action="append", choices=sorted(PARSERS), help="one parser; may be repeated")
    options.add_argument("--growth", action="store_true", help="texts of up to a million characters instead")
    given = options.parse_args()
    chosen = [PARSERS[name] for name in given.only or PARSERS]
    gc.freeze()
    faults: list[Fault] = []
    print(f"{'parser':<16}{'inputs':>9}{'taken':>9}{'faults':>8}{'slowest ms':>12}{'a second':>10}", flush=True)
    for parser in chosen:
        if given.growth:
            found = list(growth_faults(parser, given.seed))
            print(f"{parser.name:<16}{'growth':>9}{'':>9}{len(found):>8}", flush=True)
        else:
            tally = fuzz(parser, given.seed, given.inputs // len(chosen))
            found = tally.faults
            rate = tally.inputs / max(tally.seconds, 0.001)
            print(
                f"{parser.name:<16}{tally.inputs:>9}{tally.taken:>9}{len(found):>8}{tally.slowest_ms:>12.1f}{rate:>10.0f}",
                flush=True,
            )
        for fault in found:
            print(fault, flush=True)
        faults += found
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
