"""Measures. Those of SQuAD follow the official evaluation script of SQuAD 2.0."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence

import numpy

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = set(string.punctuation)


def normalised(text: str) -> list[str]:
    """Lower case, without ASCII punctuation and articles, cut at white space."""
    text = "".join(letter for letter in text.lower() if letter not in _PUNCTUATION)
    return _ARTICLES.sub(" ", text).split()


def exact_match(answer: str, golds: Sequence[str]) -> float:
    return float(any(normalised(answer) == normalised(gold) for gold in golds))


def f1(answer: str, golds: Sequence[str]) -> float:
    """The best over the annotators. No gold means that nothing is the answer."""
    if not golds:
        return float(not normalised(answer))
    return max(_f1(normalised(answer), normalised(gold)) for gold in golds)


def _f1(answer: list[str], gold: list[str]) -> float:
    if not answer or not gold:
        return float(answer == gold)
    same = sum((Counter(answer) & Counter(gold)).values())
    return 2 * same / (len(answer) + len(gold))


def auroc(scores: Sequence[float] | numpy.ndarray, positive: Sequence[bool]) -> float:
    """The probability that a positive row scores above a negative one; ties count half."""
    values, truth = numpy.asarray(scores, float), numpy.asarray(positive, bool)
    order = numpy.argsort(values, kind="stable")
    ranks = numpy.empty(len(values))
    ranks[order] = numpy.arange(1, len(values) + 1)
    for value, count in zip(*numpy.unique(values, return_counts=True), strict=True):
        if count > 1:
            ranks[values == value] = ranks[values == value].mean()
    yes, no = int(truth.sum()), int((~truth).sum())
    return float((ranks[truth].sum() - yes * (yes + 1) / 2) / (yes * no))


def balanced_threshold(scores: Sequence[float] | numpy.ndarray, positive: Sequence[bool]) -> float:
    """The threshold at which as large a share of the positives lies above as of the negatives at or
    below: where both errors are equally frequent."""
    values, truth = numpy.asarray(scores, float), numpy.asarray(positive, bool)
    places = numpy.unique(values)
    above = numpy.array([(values[truth] > place).mean() for place in places])
    below = numpy.array([(values[~truth] <= place).mean() for place in places])
    return float(places[numpy.argmin(numpy.abs(above - below))])


def reciprocal_rank(ranked: Sequence[str], relevant: set[str], depth: int = 10) -> float:
    for place, document in enumerate(ranked[:depth], 1):
        if document in relevant:
            return 1 / place
    return 0.0


def ndcg(ranked: Sequence[str], relevant: set[str], depth: int = 10) -> float:
    """Binary relevance, as trec_eval counts it."""
    gains = [1 / numpy.log2(place + 1) for place in range(1, depth + 1)]
    found = sum(gain for gain, document in zip(gains, ranked, strict=False) if document in relevant)
    return float(found / sum(gains[: len(relevant)])) if relevant else 0.0


def balanced_accuracy(
    scores: Sequence[float] | numpy.ndarray, positive: Sequence[bool], threshold: float
) -> float:
    """The mean of the share of positives at or above the threshold and of negatives below."""
    values, truth = numpy.asarray(scores, float), numpy.asarray(positive, bool)
    return float(((values[truth] >= threshold).mean() + (values[~truth] < threshold).mean()) / 2)
