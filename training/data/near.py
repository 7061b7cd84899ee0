"""What a page reads: the passages that a search brought, each after its title.

The people who wrote SQuAD's questions had the passage before them, and a network that has only seen
theirs takes any text about the same thing for one that answers (Wang et al. 2019, "Multi-passage BERT",
who train on the passages that were found). Here a question is put to those that the trunk's own vectors
take for near.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy

from training.data.reading import Place, Question

DEPTH = 12

Encode = Callable[[Sequence[str]], numpy.ndarray]


def near(questions: Sequence[Question], share: float, seed: str, encode: Encode) -> list[Question]:
    """A drawn `share` of the questions, each with one of the passages nearest to it that doesn't hold
    its answer; those whose nearest all hold it give none."""
    draw = random.Random(seed)
    chosen = draw.sample(list(questions), int(len(questions) * share))
    passages = list(dict.fromkeys(row.passage for row in questions))
    if not chosen or not passages:
        return []
    cosines = encode([row.question for row in chosen]) @ encode(passages).T
    made = []
    for row, near_to in zip(chosen, cosines, strict=True):
        order = numpy.argsort(-near_to, kind="stable")[:DEPTH]
        others = [passages[place] for place in order if not _answers(passages[place], row)]
        if others:
            # The nearest most often, as a page reads it most often.
            place = min(int(draw.expovariate(0.5)), len(others) - 1)
            made.append(replace(row, passage=others[place], answers=(), spans=(), kind=None, evidence=None))
    return made


def _answers(passage: str, row: Question) -> bool:
    lower = passage.lower()
    return passage == row.passage or any(answer.lower() in lower for answer in row.answers)


def titled(question: Question) -> Question:
    """The same, its passage after its article's title, as `context` of crates/retrieve writes it."""
    return behind(question, question.article.replace("_", " ") + ". ")


def behind(question: Question, before: str) -> Question:
    """The same, its passage after other words."""

    def moved(places: Sequence[Place]) -> tuple[Place, ...]:
        return tuple((start + len(before), end + len(before)) for start, end in places)

    evidence = None if question.evidence is None else moved(question.evidence)
    return replace(
        question, passage=before + question.passage, spans=moved(question.spans), evidence=evidence
    )
