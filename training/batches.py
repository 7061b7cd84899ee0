"""Which rows go into which step: a fixed order for a seed, so that a run can be taken up again."""

from __future__ import annotations

import random
from collections.abc import Sequence

CHUNK = 1024


def batches(lengths: Sequence[int], batch_tokens: int, batch_rows: int, seed: int) -> list[list[int]]:
    """Indices of rows for each step of one epoch. Rows are shuffled and, within chunks of 1,024,
    sorted by length, so that a batch has little padding; a batch holds at most `batch_tokens` tokens,
    padding counted, and `batch_rows` rows; then the batches are shuffled."""
    draw = random.Random(seed)
    order = list(range(len(lengths)))
    draw.shuffle(order)
    made: list[list[int]] = []
    for at in range(0, len(order), CHUNK):
        batch: list[int] = []
        for row in sorted(order[at : at + CHUNK], key=lambda row: lengths[row]):
            full = (len(batch) + 1) * lengths[row] > batch_tokens or len(batch) == batch_rows
            if batch and full:
                made.append(batch)
                batch = []
            batch.append(row)
        made.append(batch)
    draw.shuffle(made)
    return made
