"""Changes to a quantised model, rounded to steps of its blocks.

A low-rank change is much smaller than the steps of 4-bit blocks. Added and rounded to the nearest step again, nearly all of it
is lost; added to a page's network as it is, it would cost time with each token. So it is rounded as GPTQ does it (Frantar et al. 2023,
https://arxiv.org/abs/2210.17323): column by column, and what a column's rounding spoils is made good by the columns to its right, as far as
the inputs that the matrix really gets allow it. Blocks keep their scales and minima, so that a change is a whole number of steps for each
weight, mostly 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy
import torch
from gguf import GGMLQuantizationType, GGUFReader
from torch import Tensor, nn

BLOCK = 32
MOST = 15
"""The most steps of a weight above its block's minimum."""
DAMPING = 0.001
"""Of the mean of the diagonal, added to it: inputs that were hardly seen say little."""
AT_ONCE = 96
"""Columns whose corrections are gathered before they are passed on."""


@dataclass(frozen=True)
class Blocks:
    """A matrix in Q4_1: weights are `scale * step + minimum`, for 32 columns of a row each; all `[rows, columns]`."""

    steps: Tensor
    scale: Tensor
    minimum: Tensor

    def weights(self, steps: Tensor) -> Tensor:
        return self.scale * steps + self.minimum


def blocks_of(path: Path) -> dict[str, Blocks]:
    """Those matrices of a GGUF file that are in Q4_1, by GGUF's names without `.weight`."""
    made = {}
    for tensor in GGUFReader(path).tensors:
        if tensor.tensor_type == GGMLQuantizationType.Q4_1:
            made[tensor.name.removesuffix(".weight")] = read_blocks(tensor.data)
    return made


def read_blocks(data: numpy.ndarray) -> Blocks:
    rows = data.shape[0]
    blocks = data.reshape(rows, -1, 4 + BLOCK // 2)
    numbers = blocks[..., :4].copy().view(numpy.float16).astype(numpy.float32)
    low, high = blocks[..., 4:] & 15, blocks[..., 4:] >> 4
    steps = torch.from_numpy(numpy.concatenate([low, high], -1).reshape(rows, -1).astype(numpy.float32))
    scale, minimum = (torch.from_numpy(numbers[..., place].repeat(BLOCK, -1)) for place in (0, 1))
    return Blocks(steps, scale, minimum)


class Inputs:
    """The products of the inputs that a matrix gets, `[columns, columns]`, summed over all tokens."""

    def __init__(self, matrix: nn.Module, columns: int) -> None:
        self.products = torch.zeros(columns, columns)
        self.tokens = 0
        self.handle = matrix.register_forward_pre_hook(self.take)

    def take(self, _: nn.Module, given: tuple[Tensor, ...]) -> None:
        rows = given[0].detach().flatten(0, -2)
        self.products += rows.T @ rows
        self.tokens += len(rows)


def rounded(wanted: Tensor, blocks: Blocks, products: Tensor) -> Tensor:
    """The steps of a matrix `[rows, columns]` that does to its inputs what `wanted` does, as nearly as its blocks allow.

    The columns with the largest inputs come first, so that the others can make good what they spoil."""
    order = products.diagonal().argsort(descending=True)
    products, wanted = products[order][:, order], wanted[:, order]
    scale, minimum = blocks.scale[:, order], blocks.minimum[:, order]
    damped = products + torch.eye(len(products)) * products.diagonal().mean() * DAMPING
    inverse = torch.linalg.cholesky(torch.cholesky_inverse(torch.linalg.cholesky(damped)), upper=True)
    steps = torch.empty_like(wanted)
    for start in range(0, wanted.shape[1], AT_ONCE):
        end = min(start + AT_ONCE, wanted.shape[1])
        errors = torch.empty(len(wanted), end - start)
        for column in range(start, end):
            above = wanted[:, column] - minimum[:, column]
            number = (above / scale[:, column].clamp(min=1e-12)).round().clamp(0, MOST)
            error = (above - scale[:, column] * number) / inverse[column, column]
            wanted[:, column + 1 : end] -= error[:, None] * inverse[column, column + 1 : end]
            steps[:, column], errors[:, column - start] = number, error
        wanted[:, end:] -= errors @ inverse[start:end, end:]
    return steps[:, order.argsort()]


def codes_of(changes: Tensor) -> Tensor:
    """Whole changes of steps `[rows, columns]` as FORMAT.md writes them: which weights move, each by one step a number."""
    flat = changes.flatten().to(torch.int64)
    places = flat.nonzero()[:, 0].repeat_interleave(flat[flat != 0].abs())
    signs = (flat[places] < 0).to(torch.int64)
    gaps = torch.diff(places, prepend=torch.zeros(1, dtype=torch.int64))
    return torch.tensor(list(leb128((2 * gaps + signs).tolist())), dtype=torch.uint8)


def leb128(numbers: Iterable[int]) -> Iterator[int]:
    for number in numbers:
        while number >= 128:
            yield number & 127 | 128
            number >>= 7
        yield number


def changes_in(codes: Tensor, shape: torch.Size) -> Tensor:
    """Back from `codes_of`."""
    changes = torch.zeros(shape).flatten()
    place = number = shift = 0
    for byte in codes.tolist():
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            place += number >> 1
            changes[place] += -1 if number & 1 else 1
            number = shift = 0
    return changes.view(shape)
