"""From logits to answers: FORMAT.md, "Output", reader."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from training.tokens import Pieces, Window


@dataclass(frozen=True)
class WindowLogits:
    """What a reader says of one window. `start` and `end` are of the window's passage tokens."""

    window: Window
    start: numpy.ndarray
    end: numpy.ndarray
    null: float
    answerable: float


@dataclass(frozen=True)
class Span:
    """From a first to a last token of the passage, both in it, and the span's log probability in its
    window, given that there is an answer."""

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


def read(windows: list[WindowLogits], max_answer: int, count: int = 5) -> Reading:
    merged: dict[tuple[int, int], tuple[float, Span]] = {}
    margins = []
    for logits in windows:
        spans, top = read_window(logits, max_answer, count)
        margin = top - logits.null
        margins.append(margin)
        holds = -numpy.logaddexp(0, -margin)
        for span in spans:
            value = (span.log_probability + holds, span)
            key = (span.first, span.last)
            merged[key] = max(merged.get(key, value), value, key=lambda pair: pair[0])
    ordered = sorted(merged.values(), key=lambda pair: -pair[0])[:count]
    return Reading(
        tuple(span for _, span in ordered),
        max(margins),
        max(logits.answerable for logits in windows),
    )
