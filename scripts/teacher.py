"""The transformer that teaches in `sharpen.py`: all-MiniLM-L6-v2, trained to tell points apart."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from pairs import Motion, drawn
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoModel

STEPS, WARM, RATE = 100, 15, 1e-4
MOTIONS, ARGUMENTS = 5, 10  # in a step
TWO_ARGUMENTS = 1.5  # what a pair of arguments counts beside an argument and a key point
PIECES_MAX = 40
AXES = 128
SAMPLE = 6000  # texts the axes are found on
SEED = 5

Pieces = list[int]


class Told(NamedTuple):
    """What the teacher makes of texts, on the axes along which they differ most."""

    texts: list[Pieces]
    whole: Tensor  # a text each, of length 1
    pieces: list[np.ndarray]  # its pieces in context
    alone: Tensor  # each piece of the vocabulary on its own


class Teacher(nn.Module):
    def __init__(self, weights: Path, ids: list[int], marks: tuple[int, int]) -> None:
        super().__init__()
        self.bert = AutoModel.from_pretrained(weights)
        self.line = nn.Parameter(torch.tensor([6.0, -4.0, 6.0, -4.0]))  # from a cosine to odds, for both kinds of pairs
        self._ids, self._marks = ids, marks

    def states(self, texts: list[Pieces]) -> tuple[Tensor, Tensor]:
        """The last layer, and which places count: marks before and behind each text do."""
        rows = [[self._marks[0], *(self._ids[piece] for piece in text), self._marks[1]] for text in texts]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        counts = torch.tensor([[1.0] * len(row) + [0.0] * (longest - len(row)) for row in rows])
        return self.bert(input_ids=ids, attention_mask=counts.long()).last_hidden_state, counts

    def forward(self, texts: list[Pieces]) -> Tensor:
        states, counts = self.states(texts)
        return functional.normalize((states * counts[..., None]).sum(1), dim=1)


def teach(model: Teacher, texts: list[Pieces], given: list[Motion]) -> None:
    chance = np.random.default_rng(SEED)
    optimiser = torch.optim.AdamW(
        [{"params": model.bert.parameters(), "lr": RATE}, {"params": [model.line], "lr": 0.02}], weight_decay=0.01
    )
    slope = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: min(1, step / WARM) * (1 - step / STEPS))
    model.train()
    for step in range(STEPS):
        kinds = drawn(given, MOTIONS, ARGUMENTS, chance)
        used = sorted({text for pairs in kinds for pair in pairs for text in (pair.a, pair.b)})
        place = {text: n for n, text in enumerate(used)}
        vectors = model([texts[text][:PIECES_MAX] for text in used])
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
            print(f"teacher, step {step + 1}: loss {loss.item():.3f}", flush=True)
    model.eval()


@torch.inference_mode()
def told(model: Teacher, texts: list[Pieces], vocabulary: int) -> Told:
    chance = np.random.default_rng(SEED)
    some = chance.choice(len(texts), min(SAMPLE, len(texts)), replace=False)
    sample = read(model, [texts[n] for n in some], None)[0]
    axes = torch.linalg.eigh(sample.T @ sample)[1][:, -AXES:].flip(1)
    alone = read(model, [[piece] for piece in range(vocabulary)], None)[0] @ axes
    whole, pieces = read(model, texts, axes)
    return Told(texts, functional.normalize(whole @ axes, dim=1).clone(), pieces, alone.clone())


def read(model: Teacher, texts: list[Pieces], axes: Tensor | None) -> tuple[Tensor, list[np.ndarray]]:
    """The texts' directions, and on some axes their pieces, as parts of a text of length 1."""
    whole = torch.zeros(len(texts), model.bert.config.hidden_size)
    pieces = [np.zeros(0)] * len(texts)
    order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
    for start in range(0, len(order), 64):
        chunk = order[start : start + 64]
        states, counts = model.states([texts[n] for n in chunk])
        mean = (states * counts[..., None]).sum(1) / counts.sum(1, keepdim=True)
        length = mean.norm(dim=1, keepdim=True)
        whole[chunk] = mean / length
        if axes is not None:
            parts = (states / length[..., None] @ axes).half().numpy()
            for n, part in zip(chunk, parts, strict=True):
                pieces[n] = part[1 : len(texts[n]) + 1].copy()
    return whole, pieces
