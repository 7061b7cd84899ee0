"""Several runs as one adapter: the mean of what they learned (Wortsman et al. 2022, "Model soups").

Runs that begin at the same trunk end near each other, and the network in their middle answers about as
well as all of them asked together, at the cost of one. What is averaged are the changes, `up down`,
since the same change has many pairs of factors; the mean has more ranks than each and is cut back to
the nearest matrix of theirs (Eckart and Young 1936).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from training.heads import Model
from training.lora import changes


@torch.no_grad()
def take_mean(model: Model, others: Sequence[Model]) -> None:
    """Gives `model` the mean of its changes and heads and those of `others`, of the same shapes."""
    models = [model, *others]
    for group in zip(*(changes(each.trunk) for each in models), strict=True):
        layers = [change for _, change in group]
        mean = torch.stack([layer.up @ layer.down for layer in layers]).mean(0)
        up, down = factors(mean, layers[0].down.shape[0])
        layers[0].up.copy_(up)
        layers[0].down.copy_(down)
    for heads in zip(*(each.heads() for each in models), strict=True):
        parts = [head for _, head in heads]
        parts[0].weight.copy_(torch.stack([part.weight for part in parts]).mean(0))
        parts[0].bias.copy_(torch.stack([part.bias for part in parts]).mean(0))


@torch.no_grad()
def go_part_way(model: Model, start: Model, way: float) -> None:
    """Takes what `model` learned back towards where it started: `way` 0 is there, 1 changes nothing."""
    known = dict(start.named_parameters())
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            parameter.copy_(known[name] + way * (parameter - known[name]))


def factors(matrix: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """The two factors, `[rows, rank]` and `[rank, columns]`, whose product is nearest to a matrix; each
    has the root of a singular value, so that neither is too small for f16."""
    left, values, right = torch.linalg.svd(matrix, full_matrices=False)
    roots = values[:rank].sqrt()
    return left[:, :rank] * roots, roots[:, None] * right[:rank]
