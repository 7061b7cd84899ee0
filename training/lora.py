"""Low-rank changes to frozen matrices: Hu et al., "LoRA" (2021)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from training.trunk import Trunk

MATRICES = (
    "attention.query",
    "attention.key",
    "attention.value",
    "attention.output",
    "feed_forward.inner",
    "feed_forward.outer",
)


class LowRank(nn.Module):
    """`W x + b + scale * up (down x)`, of which only `up` and `down` learn. `up` starts at zero,
    so that training starts from the trunk as it is."""

    def __init__(self, frozen: nn.Linear, rank: int, scale: float) -> None:
        super().__init__()
        self.frozen = frozen.requires_grad_(False)
        self.scale = scale
        self.down = nn.Parameter(torch.empty(rank, frozen.in_features))
        self.up = nn.Parameter(torch.zeros(frozen.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, x: Tensor) -> Tensor:
        low = functional.linear(x, self.down.to(x.dtype))
        return self.frozen(x) + functional.linear(low, (self.up * self.scale).to(x.dtype))


def adapt(trunk: Trunk, rank: int, scale: float, layers: Sequence[int] | None = None) -> None:
    """Freezes the trunk and puts a low-rank change beside each matrix of the layers named, or of all."""
    trunk.requires_grad_(False)
    for number in range(len(trunk.layer)) if layers is None else layers:
        for name in MATRICES:
            part, matrix = name.split(".")
            module = trunk.layer[number].get_submodule(part)
            frozen = module.get_submodule(matrix)
            assert isinstance(frozen, nn.Linear)
            setattr(module, matrix, LowRank(frozen, rank, scale))


def changes(trunk: Trunk) -> Iterator[tuple[str, LowRank]]:
    """The low-rank changes of an adapted trunk by name, such as `layer.0.attention.query`."""
    for number in range(len(trunk.layer)):
        for name in MATRICES:
            module = trunk.layer[number].get_submodule(name)
            if isinstance(module, LowRank):
                yield f"layer.{number}.{name}", module


def adapted_layers(trunk: Trunk) -> list[int]:
    return sorted({int(name.split(".")[1]) for name, _ in changes(trunk)})
