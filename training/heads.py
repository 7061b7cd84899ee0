"""The trunk with a head for one task."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn import functional

from training.data.reading import KINDS
from training.trunk import HIDDEN, Batch, Trunk, mean_vector

PER_TOKEN = {"span", "evidence"}
OUTPUTS = {
    "reader": {"span": 2, "answerable": 1, "evidence": 1, "kind": len(KINDS)},
    "reranker": {"score": 1},
    "checker": {"label": 3},
    # Its vectors are compared as they are.
    "query": {},
    # The directions along which token vectors are compared.
    "passage": {"directions": 128},
}


class Model(nn.Module):
    def __init__(self, trunk: Trunk, task: str, pooling: str = "cls") -> None:
        super().__init__()
        self.trunk = trunk
        self.pooling = pooling
        self.head = nn.ModuleDict()
        for name, size in OUTPUTS[task].items():
            self.head[name] = nn.Linear(HIDDEN, size)
        for _, head in self.heads():
            nn.init.normal_(head.weight, std=0.02)
            nn.init.zeros_(head.bias)

    def heads(self) -> Iterator[tuple[str, nn.Linear]]:
        for name, head in self.head.items():
            assert isinstance(head, nn.Linear)
            yield name, head

    def forward(self, batch: Batch) -> dict[str, Tensor]:
        """Logits of each head in f32: `span` `[batch, tokens, 2]`, `evidence` `[batch, tokens, 1]`, the
        others `[batch, n]`."""
        vectors = self.trunk(batch)
        with torch.autocast(vectors.device.type, enabled=False):
            vectors = vectors.float()
            pooled = vectors[:, 0] if self.pooling == "cls" else mean_vector(vectors, batch.mask)
            return {
                name: functional.linear(
                    vectors if name in PER_TOKEN else pooled, head.weight.float(), head.bias.float()
                )
                for name, head in self.heads()
            }
