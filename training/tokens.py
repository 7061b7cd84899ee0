"""Texts as word pieces, pairs of texts as inputs, long passages as windows: FORMAT.md, "Input"."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy
import torch
from tokenizers import Tokenizer

from training.settings import Input
from training.trunk import Batch

CLS = 101
SEP = 102


@dataclass(frozen=True)
class Pieces:
    """A text's word pieces: ids, and from which to which character each reaches."""

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]

    def first(self, tokens: int) -> Pieces:
        return Pieces(self.ids[:tokens], self.spans[:tokens])


class WordPieces:
    def __init__(self, folder: Path) -> None:
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        # The published file ships a truncation and a padding to 128, which aren't the model's.
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.pieces = lru_cache(maxsize=50_000)(self._pieces)

    def _pieces(self, text: str) -> Pieces:
        encoding = self.tokenizer.encode(text, add_special_tokens=False)
        return Pieces(tuple(encoding.ids), tuple(encoding.offsets))


@dataclass(frozen=True)
class Window:
    """One input: `[CLS] a [SEP] b [SEP]`, with the tokens `start..end` of the passage as b."""

    ids: numpy.ndarray
    passage_at: int
    start: int
    end: int

    def __len__(self) -> int:
        return len(self.ids)


def windows(question: Pieces, passage: Pieces, limits: Input) -> list[Window]:
    question = question.first(limits.max_question)
    size = limits.max_length - 3 - len(question.ids)
    made: list[Window] = []
    start = 0
    while True:
        end = min(start + size, len(passage.ids))
        ids = (CLS, *question.ids, SEP, *passage.ids[start:end], SEP)
        made.append(Window(numpy.array(ids, numpy.int32), len(question.ids) + 2, start, end))
        if end == len(passage.ids):
            return made
        start += size - limits.stride


def alone(text: Pieces, limit: int) -> Window:
    """A text by itself, `[CLS] text [SEP]`, cut to `limit` tokens."""
    ids = (CLS, *text.ids[: limit - 2], SEP)
    return Window(numpy.array(ids, numpy.int32), len(ids), 0, 0)


def batch_of(inputs: list[Window]) -> Batch:
    """Pads to the longest input."""
    longest = max(len(window) for window in inputs)
    ids = numpy.zeros((len(inputs), longest), numpy.int64)
    types = numpy.zeros_like(ids)
    mask = numpy.zeros(ids.shape, bool)
    for row, window in enumerate(inputs):
        ids[row, : len(window)] = window.ids
        types[row, window.passage_at : len(window)] = 1
        mask[row, : len(window)] = True
    return Batch(torch.from_numpy(ids), torch.from_numpy(types), torch.from_numpy(mask))
