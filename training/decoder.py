"""The language model of the page, a Llama (Touvron et al. 2023) of 30 layers, in plain PyTorch.

Its numbers are those that the page computes with: the blocks of the published GGUF file, written out in f32. So what is learned
on top of them makes up for their rounding too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from gguf import GGUFReader
from gguf.quants import dequantize
from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE
from torch import Tensor, nn
from torch.nn import functional

from training.lora import LowRank

MATRICES = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
"""The matrices of a layer by GGUF's names, with the published ones."""

CONTROL = 3
"""The type of tokens that stand for no text."""


@dataclass(frozen=True)
class Shape:
    layers: int
    heads: int
    shared_heads: int
    """Heads of keys and values, each for several of the queries'."""
    head: int
    base: float
    """Of the rotations (Su et al. 2021)."""
    epsilon: float


class Norm(nn.Module):
    def __init__(self, weight: Tensor, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight, requires_grad=False)
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, (x.shape[-1],), self.weight, self.epsilon)


class Block(nn.Module):
    """One layer; its matrices are modules of the names in `MATRICES`."""

    def __init__(self, shape: Shape, tensors: dict[str, Tensor]) -> None:
        super().__init__()
        self.shape = shape
        self.attn_norm = Norm(tensors["attn_norm"], shape.epsilon)
        self.ffn_norm = Norm(tensors["ffn_norm"], shape.epsilon)
        for name in MATRICES:
            self.add_module(name, frozen(tensors[name]))

    def forward(self, x: Tensor, turned: tuple[Tensor, Tensor], hidden_from: Tensor) -> Tensor:
        """`x` is `[rows, tokens, hidden]`; what a token may not see has minus infinity in `hidden_from`, `[rows, 1, tokens, tokens]`."""
        rows, tokens, _ = x.shape
        normed = self.attn_norm(x)

        def heads(projected: Tensor) -> Tensor:
            return projected.view(rows, tokens, -1, self.shape.head).transpose(1, 2)

        query = rotated(heads(self.attn_q(normed)), *turned)
        key = rotated(heads(self.attn_k(normed)), *turned)
        value = heads(self.attn_v(normed))
        each = self.shape.heads // self.shape.shared_heads
        key, value = key.repeat_interleave(each, 1), value.repeat_interleave(each, 1)
        scores = query @ key.transpose(2, 3) / math.sqrt(self.shape.head)
        mixed = torch.softmax(scores + hidden_from, dim=-1) @ value
        x = x + self.attn_output(mixed.transpose(1, 2).reshape(rows, tokens, -1))
        normed = self.ffn_norm(x)
        return x + self.ffn_down(functional.silu(self.ffn_gate(normed)) * self.ffn_up(normed))


class Decoder(nn.Module):
    def __init__(self, shape: Shape, tensors: dict[str, Tensor]) -> None:
        super().__init__()
        self.shape = shape
        self.token_embd = nn.Parameter(tensors["token_embd"], requires_grad=False)
        self.blk = nn.ModuleList(
            Block(shape, {name.split(".", 2)[2]: one for name, one in tensors.items() if name.startswith(f"blk.{number}.")})
            for number in range(shape.layers)
        )
        self.output_norm = Norm(tensors["output_norm"], shape.epsilon)

    def forward(self, ids: Tensor) -> Tensor:
        """The last layer's vectors of `ids` `[rows, tokens]`, padded at the end: `[rows, tokens, hidden]`."""
        tokens = ids.shape[1]
        x = functional.embedding(ids, self.token_embd)
        later = torch.full((tokens, tokens), -math.inf).triu(1)[None, None]
        turned = rotations(tokens, self.shape)
        for block in self.blk:
            x = block(x, turned, later)
        return self.output_norm(x)

    def logits(self, vectors: Tensor) -> Tensor:
        """Of vectors `[places, hidden]`, over the vocabulary; the output matrix is that of the tokens."""
        return functional.linear(vectors, self.token_embd)


def frozen(weight: Tensor) -> nn.Linear:
    made = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
    made.weight = nn.Parameter(weight, requires_grad=False)
    return made


def rotations(tokens: int, shape: Shape) -> tuple[Tensor, Tensor]:
    """Cosine and sine of each place and pair: `[tokens, head / 2]`."""
    speeds = shape.base ** (-torch.arange(0, shape.head, 2) / shape.head)
    angles = torch.arange(tokens)[:, None] * speeds
    return angles.cos(), angles.sin()


def rotated(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """`x` is `[rows, heads, tokens, head]`. GGUF puts the two numbers of a pair side by side."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cosine - odd * sine, even * sine + odd * cosine), -1).flatten(-2)


def load_decoder(path: Path) -> Decoder:
    """A Llama from a GGUF file, with nothing that learns."""
    file = GGUFReader(path)

    def number(key: str) -> float:
        return float(file.fields[f"llama.{key}"].contents())

    tensors = {
        one.name.removesuffix(".weight"): torch.from_numpy(dequantize(one.data, one.tensor_type).copy())
        for one in file.tensors
    }
    heads, hidden = int(number("attention.head_count")), int(number("embedding_length"))
    shape = Shape(
        layers=int(number("block_count")),
        heads=heads,
        shared_heads=int(number("attention.head_count_kv")),
        head=hidden // heads,
        base=number("rope.freq_base"),
        epsilon=number("attention.layer_norm_rms_epsilon"),
    )
    return Decoder(shape, tensors)


def adapt_decoder(decoder: Decoder, rank: int, scale: float) -> None:
    """Puts a low-rank change beside each matrix of each layer."""
    for block in decoder.blk:
        for name in MATRICES:
            matrix = getattr(block, name)
            assert isinstance(matrix, nn.Linear)
            setattr(block, name, LowRank(matrix, rank, scale))


def changes_of(decoder: Decoder) -> Iterator[tuple[str, LowRank, int]]:
    """The changes, each with the published name of its matrix, such as `model.layers.0.self_attn.q_proj`, and the number of
    heads whose rows GGUF has in another order than that; 0 where it has not."""
    heads = {"attn_q": decoder.shape.heads, "attn_k": decoder.shape.shared_heads}
    for number, block in enumerate(decoder.blk):
        for name, published in MATRICES.items():
            change = getattr(block, name)
            assert isinstance(change, LowRank)
            yield f"model.layers.{number}.{published}", change, heads.get(name, 0)


def published_rows(matrix: Tensor, heads: int) -> Tensor:
    """Rows of queries or keys as published: the first numbers of all pairs of a head, then the second ones."""
    return matrix.unflatten(0, (heads, -1, 2)).transpose(1, 2).flatten(0, 2) if heads else matrix


def gguf_rows(matrix: Tensor, heads: int) -> Tensor:
    """Back from `published_rows`."""
    return matrix.unflatten(0, (heads, 2, -1)).transpose(1, 2).flatten(0, 2) if heads else matrix


def tokenizer_of(path: Path) -> Tokenizer:
    """The tokenizer in a GGUF file: byte pairs (Sennrich et al. 2016) over bytes, every digit alone, as `smollm` names."""
    fields = GGUFReader(path).fields
    cuts = fields["tokenizer.ggml.pre"].contents()
    if cuts != "smollm":
        raise SystemExit(f"{path} cuts texts by the rules {cuts!r}; only smollm's are known here")
    tokens = fields["tokenizer.ggml.tokens"].contents()
    merges = [tuple(pair.split(" ")) for pair in fields["tokenizer.ggml.merges"].contents()]
    made = Tokenizer(BPE({token: number for number, token in enumerate(tokens)}, merges))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    made.decoder = decoders.ByteLevel()
    kinds = fields["tokenizer.ggml.token_type"].contents()
    made.add_special_tokens([token for token, kind in zip(tokens, kinds, strict=True) if kind == CONTROL])
    return made
