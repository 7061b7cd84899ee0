"""The trunk: all-MiniLM-L6-v2, a BERT of six layers, or another of its shape with more, in plain PyTorch.

Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers" (2019); Wang et al.,
"MiniLM" (2020). Weights come from the published safetensors file and keep their names there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

HIDDEN = 384
HEADS = 12
INNER = 1536
NORM_EPSILON = 1e-12
HALF_IS_FASTER = torch.ops.mkldnn._is_mkldnn_bf16_supported()
"""Whether this processor has bfloat16 products; without, they take several times as long as f32's."""


@dataclass(frozen=True)
class Batch:
    """Token ids, token types and which places are tokens at all: each `[batch, tokens]`."""

    ids: Tensor
    types: Tensor
    mask: Tensor


class Embeddings(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.word = nn.Embedding(30522, HIDDEN)
        self.position = nn.Embedding(512, HIDDEN)
        self.kind = nn.Embedding(2, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, NORM_EPSILON)

    def forward(self, batch: Batch) -> Tensor:
        places = torch.arange(batch.ids.shape[1], device=batch.ids.device)
        summed = self.word(batch.ids) + self.position(places) + self.kind(batch.types)
        return self.norm(summed)


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.query = nn.Linear(HIDDEN, HIDDEN)
        self.key = nn.Linear(HIDDEN, HIDDEN)
        self.value = nn.Linear(HIDDEN, HIDDEN)
        self.output = nn.Linear(HIDDEN, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, NORM_EPSILON)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """`x` is `[batch, tokens, hidden]`, `bias` is added to the scores: `[batch, 1, 1, tokens]`."""
        batch, tokens, _ = x.shape

        def heads(projected: Tensor) -> Tensor:
            return projected.view(batch, tokens, HEADS, -1).transpose(1, 2)

        # Written out: on a CPU the fused kernel's gradient takes longer than all matrices together.
        query, key, value = heads(self.query(x)), heads(self.key(x)), heads(self.value(x))
        scores = query @ key.transpose(2, 3) * (HIDDEN // HEADS) ** -0.5
        mixed = torch.softmax(scores + bias, dim=-1) @ value
        return self.output(mixed.transpose(1, 2).reshape(batch, tokens, HIDDEN))


class FeedForward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(HIDDEN, INNER)
        self.outer = nn.Linear(INNER, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, NORM_EPSILON)

    def forward(self, x: Tensor) -> Tensor:
        return self.outer(functional.gelu(self.inner(x)))


class Layer(nn.Module):
    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.attention = Attention()
        self.feed_forward = FeedForward()
        self.dropout = SharedDropout(dropout)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        x = self.attention.norm(x + self.dropout(self.attention(x, bias)))
        return self.feed_forward.norm(x + self.dropout(self.feed_forward(x)))


class SharedDropout(nn.Module):
    """Drops the same features at every token of a row, as Gal and Ghahramani (2016) do for
    recurrent networks: it regularises as well and draws a hundredth of the random numbers,
    which on a CPU cost more than the products they are for."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.rate == 0:
            return x
        kept = torch.rand(x.shape[0], 1, x.shape[2], device=x.device) >= self.rate
        return x * (kept / (1 - self.rate)).to(x.dtype)


class Trunk(nn.Module):
    def __init__(self, layers: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.embeddings = Embeddings()
        self.layer = nn.ModuleList(Layer(dropout) for _ in range(layers))

    def forward(self, batch: Batch) -> Tensor:
        """The last layer's vector of every token: `[batch, tokens, hidden]`."""
        x = self.embeddings(batch)
        bias = torch.zeros(batch.mask.shape, dtype=x.dtype, device=x.device)
        bias = bias.masked_fill(~batch.mask, torch.finfo(x.dtype).min)[:, None, None, :]
        for layer in self.layer:
            x = layer(x, bias)
        return x


def mean_vector(vectors: Tensor, mask: Tensor) -> Tensor:
    """The mean over a row's tokens: `[batch, hidden]`."""
    weights = mask[:, :, None].to(vectors.dtype)
    return (vectors * weights).sum(1) / weights.sum(1)


_PUBLISHED = {
    "embeddings.word": "embeddings.word_embeddings",
    "embeddings.position": "embeddings.position_embeddings",
    "embeddings.kind": "embeddings.token_type_embeddings",
    "embeddings.norm": "embeddings.LayerNorm",
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.output": "attention.output.dense",
    "attention.norm": "attention.output.LayerNorm",
    "feed_forward.inner": "intermediate.dense",
    "feed_forward.outer": "output.dense",
    "feed_forward.norm": "output.LayerNorm",
}


def published_name(name: str) -> str:
    """The name under which the published file holds our parameter `name`."""
    module, _, kind = name.rpartition(".")
    if module.startswith("layer."):
        _, number, rest = module.split(".", 2)
        return f"encoder.layer.{number}.{_PUBLISHED[rest]}.{kind}"
    return f"{_PUBLISHED[module]}.{kind}"


def load_trunk(folder: Path, dropout: float = 0.0) -> Trunk:
    """The trunk from a folder that holds `model.safetensors`, in f32."""
    tensors = load_file(folder / "model.safetensors")
    trunk = Trunk(layers_of(tensors), dropout)
    trunk.load_state_dict({name: tensors[published_name(name)] for name in trunk.state_dict()})
    return trunk


def layers_of(tensors: Mapping[str, Tensor]) -> int:
    numbers = [int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer.")]
    return 1 + max(numbers)


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
