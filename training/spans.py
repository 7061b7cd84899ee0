"""From logits to answers: FORMAT.md, "Output", reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy

from training.tokens import Pieces, Window

Null = Literal["cls", "answerable"]


@dataclass(frozen=True)
class WindowLogits:
    """What a reader says of one window. `start` and `end` are of the window's passage tokens."""

    window: Window
    start: numpy.ndarray
    end: numpy.ndarray
    null: float
    answerable: float


@dataclass(frozen=True)
class Sureness:
    """How a margin becomes the probability that there is an answer."""

    null: Null = "cls"
    threshold: float = 0.0
    temperature: float = 1.0

    def log_probability(self, cls: float, answerable: float) -> float:
        margin = cls if self.null == "cls" else answerable
        return float(-numpy.logaddexp(0, -(margin - self.threshold) / self.temperature))


@dataclass(frozen=True)
class Span:
    """From a first to a last token of the passage, both in it, and its log probability: in its
    window, if `read_window` says it, or that of being the answer to the question."""

    first: int
    last: int
    log_probability: float

    def text(self, passage: str, pieces: Pieces) -> str:
        return passage[pieces.spans[self.first][0] : pieces.spans[self.last][1]]


@dataclass(frozen=True)
class Reading:
    """The best spans of a passage, and how sure it is that it holds an answer, by either way."""

    spans: tuple[Span, ...]
    margin_cls: float
    margin_answerable: float


def read_window(logits: WindowLogits, max_answer: int, count: int) -> tuple[list[Span], float]:
    """The best `count` spans, and the best span's score."""
    tokens = len(logits.start)
    if tokens == 0:
        return [], -numpy.inf
    scores = logits.start[:, None] + logits.end[None, :]
    places = numpy.arange(tokens)
    distance = places[None, :] - places[:, None]
    scores = numpy.where((distance >= 0) & (distance < max_answer), scores, -numpy.inf)
    best = numpy.argsort(-scores, axis=None, kind="stable")[:count]
    top = scores.flat[best[0]]
    total = top + numpy.log(numpy.exp(scores - top).sum())
    spans = []
    for place in best:
        first, last = divmod(int(place), tokens)
        if numpy.isfinite(scores[first, last]):
            offset = logits.window.start
            log_probability = float(scores[first, last] - total)
            spans.append(Span(first + offset, last + offset, log_probability))
    return spans, float(top)


def read(
    windows: list[WindowLogits], max_answer: int, sure: Sureness | None = None, count: int = 5
) -> Reading:
    sure = sure or Sureness()
    merged: dict[tuple[int, int], tuple[float, Span]] = {}
    margins = []
    for logits in windows:
        spans, top = read_window(logits, max_answer, count)
        margins.append(top - logits.null)
        holds = sure.log_probability(top - logits.null, logits.answerable)
        for span in spans:
            value = (span.log_probability + holds, span)
            key = (span.first, span.last)
            merged[key] = max(merged.get(key, value), value, key=lambda pair: pair[0])
    ordered = sorted(merged.items(), key=lambda item: (-item[1][0], item[0]))[:count]
    return Reading(
        tuple(Span(*key, probability) for key, (probability, _) in ordered),
        max(margins),
        max(logits.answerable for logits in windows),
    )
