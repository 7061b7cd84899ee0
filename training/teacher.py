"""A stronger encoder to learn from: all-mpnet-base-v2, twelve layers of 768, in plain PyTorch.

Song et al., "MPNet: Masked and Permuted Pre-training for Language Understanding" (2020). Its layers are BERT's but for a bias that
attention adds by how far apart two tokens stand, one table for all layers (Raffel et al., "T5", 2020). It is used as it is
published, and only for what late interaction compares: the vector of each token. Its files lie where the trunk's do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cached_property

import numpy
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from training.settings import trunk_folder
from training.trunk import HALF_IS_FASTER

NAME = "all-mpnet-base-v2"
LAYERS = 12
HEADS = 12
HIDDEN = 768
BUCKETS = 32
FARTHEST = 128
"""Tokens that stand farther apart than this share the last bucket."""
NORM_EPSILON = 1e-5
BEGIN, PADDING, END = 0, 1, 2
BATCH_TOKENS = 2048


class Teacher:
    def __init__(self, stop: frozenset[str]) -> None:
        folder = trunk_folder(NAME)
        number = torch.bfloat16 if HALF_IS_FASTER else torch.float32
        weights = load_file(folder / "model.safetensors")
        self.weights = {name.removeprefix("mpnet."): tensor.to(number) for name, tensor in weights.items()}
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.stop = stop

    @cached_property
    def carries(self) -> numpy.ndarray:
        """By token id, whether it is compared: as of the trunk's tokens."""
        return carrying(self.tokenizer.get_vocab(), self.stop)

    @torch.no_grad()
    def token_vectors(self, texts: Sequence[str], limit: int) -> list[Tensor]:
        """Of each text the tokens that are compared, `[tokens, hidden]` in f16, each of length 1."""
        encodings = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        inputs = [[BEGIN, *encoding.ids[: limit - 2], END] for encoding in encodings]
        order = sorted(range(len(inputs)), key=lambda number: len(inputs[number]))
        vectors: list[Tensor] = [torch.empty(0)] * len(inputs)
        at = 0
        while at < len(order):
            longest = len(inputs[order[min(at + 8, len(order) - 1)]])
            chosen = order[at : at + max(1, min(16, BATCH_TOKENS // longest))]
            at += len(chosen)
            states = self._states([inputs[number] for number in chosen])
            for place, number in enumerate(chosen):
                own = states[place, : len(inputs[number])]
                keep = torch.from_numpy(self.carries[inputs[number]])
                vectors[number] = functional.normalize(own[keep] if keep.any() else own, dim=-1).half()
        return vectors

    def _states(self, inputs: Sequence[Sequence[int]]) -> Tensor:
        """The last layer's vectors, `[texts, tokens, hidden]`."""
        texts, longest = len(inputs), max(map(len, inputs))
        ids = torch.full((texts, longest), PADDING)
        for row, own in enumerate(inputs):
            ids[row, : len(own)] = torch.tensor(own)
        # Positions begin behind the padding token's number.
        places = torch.arange(longest)
        table, positions = (self.weights[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position"))
        x = self._norm(table[ids] + positions[places + PADDING + 1], "embeddings.LayerNorm")
        apart = bucket(places[None] - places[:, None])
        bias = self.weights["encoder.relative_attention_bias.weight"][apart].permute(2, 0, 1)[None]
        bias = bias.masked_fill((ids == PADDING)[:, None, None], -1e9)
        for number in range(LAYERS):
            layer = f"encoder.layer.{number}."

            def heads(name: str, layer: str = layer, x: Tensor = x) -> Tensor:
                return self._linear(x, f"{layer}attention.attn.{name}").view(texts, longest, HEADS, -1).transpose(1, 2)

            mixed = functional.scaled_dot_product_attention(heads("q"), heads("k"), heads("v"), attn_mask=bias)
            mixed = mixed.transpose(1, 2).reshape(texts, longest, HIDDEN)
            x = self._norm(x + self._linear(mixed, f"{layer}attention.attn.o"), f"{layer}attention.LayerNorm")
            wide = functional.gelu(self._linear(x, f"{layer}intermediate.dense"))
            x = self._norm(x + self._linear(wide, f"{layer}output.dense"), f"{layer}output.LayerNorm")
        return x.float()

    def _linear(self, x: Tensor, name: str) -> Tensor:
        return functional.linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return functional.layer_norm(
            x, (HIDDEN,), self.weights[f"{name}.weight"], self.weights[f"{name}.bias"], NORM_EPSILON
        )


def bucket(apart: Tensor) -> Tensor:
    """The row of the bias for tokens so far apart, as T5 counts: half of the rows for each direction, and of these half for one
    distance each, the rest for distances that grow like a logarithm."""
    half = BUCKETS // 2
    exact = half // 2
    distance = apart.abs()
    far = exact + (torch.log(distance.clamp(min=1) / exact) / math.log(FARTHEST / exact) * (half - exact)).long()
    return (apart > 0).long() * half + torch.where(distance < exact, distance, far.clamp(max=half - 1))


def carrying(vocabulary: dict[str, int], stop: frozenset[str]) -> numpy.ndarray:
    """By token id: whether it is compared one by one, as `ContentPieces` of crates/retrieve decides."""
    carries = numpy.zeros(max(vocabulary.values()) + 1, bool)
    for piece, number in vocabulary.items():
        word, begins = (piece[2:], False) if piece.startswith("##") and len(piece) > 2 else (piece, True)
        special = (piece[0], piece[-1]) in {("[", "]"), ("<", ">")}
        carries[number] = not special and bool(re.search(r"[^\W_]", word)) and not (begins and word in stop)
    return carries
