"""Texts as the trunk alone sees them: unit vectors, for hard negatives and for comparison."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy
import torch
from torch.nn import functional

from training.settings import trunk_folder
from training.tokens import WordPieces, alone, batch_of
from training.trunk import HALF_IS_FASTER, HIDDEN, Trunk, load_trunk, mean_vector


@cache
def fast_trunk() -> Trunk:
    """The trunk, loaded once, in bfloat16 where that is faster: for which passages are near."""
    trunk = load_trunk(trunk_folder()).eval()
    return trunk.bfloat16() if HALF_IS_FASTER else trunk


@torch.no_grad()
def encode(trunk: Trunk, pieces: WordPieces, texts: Sequence[str], limit: int = 256) -> numpy.ndarray:
    """`[texts, hidden]`, each of length 1; a text is cut to `limit` tokens."""
    inputs = [alone(pieces.pieces(text), limit) for text in texts]
    vectors = torch.zeros(len(inputs), HIDDEN)
    order = sorted(range(len(inputs)), key=lambda number: len(inputs[number]))
    for at in range(0, len(order), 16):
        chosen = order[at : at + 16]
        batch = batch_of([inputs[number] for number in chosen])
        vectors[chosen] = functional.normalize(mean_vector(trunk(batch), batch.mask).float())
    return vectors.numpy()
