"""The benchmarks read what is there: a file that moves takes its bench along."""

from bench import gate


def test_the_lists_of_the_gate_bench_exist() -> None:
    assert all((gate.LISTS / name).is_file() for name in ("dangerous.jsonl", "everyday.jsonl"))
