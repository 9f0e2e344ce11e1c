"""Texts in groups that are about the same, for the reader in `sharpen.py` to learn what tells such texts apart."""

import numpy as np
import torch
from pairs import Motion
from torch import Tensor
from torch.nn import functional

SIZE = 80  # texts of a group, on average
LEAST = 24
ROUNDS = 5
CHUNK = 8192

Group = np.ndarray


def of_motions(motions: list[Motion], usable: set[int]) -> list[Group]:
    """The arguments and key points of each motion."""
    groups = (sorted({text for pair in motion.points for text in (pair.a, pair.b)} & usable) for motion in motions)
    return [np.array(group) for group in groups if len(group) >= LEAST]


def of_likes(whole: Tensor, texts: np.ndarray, chance: np.random.Generator) -> list[Group]:
    """The texts that lie together: k-means on the sphere."""
    points = whole[texts]
    count = len(texts) // SIZE
    middles = points[chance.choice(len(texts), count, replace=False)]
    nearest = torch.zeros(len(texts), dtype=torch.long)
    for _ in range(ROUNDS):
        nearest = torch.cat([(chunk @ middles.T).argmax(1) for chunk in points.split(CHUNK)])
        middles = functional.normalize(torch.zeros_like(middles).index_add_(0, nearest, points) + 1e-6, dim=1)
    order = nearest.argsort(stable=True).numpy()
    cuts = np.cumsum(np.bincount(nearest.numpy(), minlength=count))[:-1]
    return [group for group in np.split(texts[order], cuts) if len(group) >= LEAST]


def apart(vectors: Tensor, group: Tensor, count: int) -> Tensor:
    """Each vector as it differs from the mean of its group."""
    sums = torch.zeros(count, vectors.shape[1]).index_add(0, group, vectors)
    return vectors - (sums / torch.bincount(group, minlength=count)[:, None])[group]
