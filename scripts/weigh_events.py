"""Find how a statement's vector tells something seen to happen from an opinion.

    PYTHONPATH=src .venv/bin/python scripts/weigh_events.py

It learns from the sets of `tests/quality/falsifiers` named here, which judge nothing, and writes the weights that ship,
`event_vector_weights.py`: a logistic regression on the direction of each vector, both classes weighing the same. The
strength of the penalty was chosen by learning from one file and judging on the other.
"""

import json
import textwrap
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cruxfinder.adapters.embeddings import vectors
from cruxfinder.adapters.embeddings.points import Points, weights_folder
from cruxfinder.crux.law import forecasts
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.language.english.falsifier_texts import event_text

ROOT: Final = Path(__file__).resolve().parent.parent
SETS: Final = ROOT / "tests" / "quality" / "falsifiers"
LEARNT_FROM: Final = ("varied_development", "written_development")
WRITTEN: Final = ROOT / "src" / "cruxfinder" / "adapters" / "embeddings" / "event_vector_weights.py"
PENALTY: Final = 0.1
STEPS: Final = 60
LOG_ODDS: Final = 110  # hundredths of a sign that one unit of log-odds weighs

Rows = NDArray[np.float64]


def falsifier_in(line: dict[str, str]) -> Falsifier:
    if "text" in line:
        return forecasts.read(line["text"])
    return Falsifier(metric=line["metric"], threshold=line["threshold"], deadline=line["deadline"])


def read_set(name: str) -> tuple[list[str], Rows]:
    lines = [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text("utf-8").splitlines()]
    return [event_text(falsifier_in(line)) for line in lines], np.array([float(line["concrete"]) for line in lines])


def directions(texts: list[str]) -> Rows:
    heard = Points(weights_folder(), vectors.pieces_of(vectors.model_folder())).heard(texts)
    return np.array([np.append(vector.entries / np.sqrt(vector.square), 1.0) for vector in heard])


def fit(rows: Rows, wanted: Rows) -> Rows:
    """Newton's method on the penalised likelihood."""
    share = wanted.mean()
    counts = np.where(wanted == 1, 0.5 / share, 0.5 / (1 - share))
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (chance - wanted)) + PENALTY * weights
        bend = (rows.T * (counts * chance * (1 - chance))) @ rows + PENALTY * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return weights


def main() -> None:
    sets = [read_set(name) for name in LEARNT_FROM]
    heard = [directions(texts) for texts, _ in sets]
    for one, other in ((0, 1), (1, 0)):
        guessed = heard[other] @ fit(heard[one], sets[one][1]) > 0
        wanted = sets[other][1] == 1
        print(
            f"learnt from {LEARNT_FROM[one]}, of {LEARNT_FROM[other]} "
            f"{guessed[wanted].mean():.1%} of the concrete taken,"
            f" {(~guessed[~wanted]).mean():.1%} of the vague refused"
        )
    found = LOG_ODDS * fit(np.vstack(heard), np.concatenate([wanted for _, wanted in sets]))
    *weights, bias = (round(float(weight)) for weight in found)
    WRITTEN.write_text(
        '"""What the vector of a statement says for an event; written by `scripts/weigh_events.py`."""\n\n'
        f"from typing import Final\n\nEVENT_BIAS: Final = {bias}\n"
        'EVENT_WEIGHTS: Final = """\n' + textwrap.fill(" ".join(map(str, weights)), 112) + '\n"""\n',
        "utf-8",
    )


if __name__ == "__main__":
    main()
