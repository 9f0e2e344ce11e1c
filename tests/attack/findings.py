"""What the fuzzer found, once mended: texts that a parser stumbled over, by its name in `parsers`."""

from typing import Final

FINDINGS: Final[dict[str, tuple[str, ...]]] = {
    "csp": ('DEBATE REQ:"\t" ROUNDS:1 STAKES:low', 'CLAIM:"a\x00\x1f"'),
    "gate-reply": ('{"claim": "c", "supports": [], "confidence": ' + "9" * 400 + "}",),
    "markers": (
        "<!-- TURN_END --><!-->-- TURN_END x",  # what was left of one marker was another
        "<!-- TURN_END -->" * 600,
        "<!-- " + " " * 5_000 + "<!-- TURN_END-->x" * 300,
    ),
    "pack": ("dilemmas:\n  - turns_on: a\n", "roles:\n  host: a\n"),  # a choice of nothing
    "task": (" ".join(f"w{n}" for n in range(2_000)), "abcd" * 2_500),
    "transcript": ("Ada said <v." + "<v." * 60 + "b\n", "<v." + "." * 9_000),
}
