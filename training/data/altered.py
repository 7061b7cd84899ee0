"""Questions that a passage no longer answers, made from those that it does.

SQuAD 2.0's people wrote theirs by swapping a name, negating, putting an antonym (Rajpurkar et al.
2018, table 2). Here the commonest of these is done by rule: one name or number of the question
becomes another of the same article."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from training.data.reading import Question

_NUMBER = re.compile(r"\b\d[\d,.]*\d\b|\b\d\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w-]*(?: (?:of |the )?[A-Z][\w-]*)*")


def marks(text: str) -> list[tuple[str, int, int]]:
    """The numbers and names of a text: `("number3", start, end)` for a number of three characters,
    `("name1", start, end)` for a name with a space in it. A sentence's first word is no name: its capital says nothing."""
    numbers = [(f"number{len(found[0])}", *found.span()) for found in _NUMBER.finditer(text)]
    names = [(f"name{found[0].count(' ')}", *found.span()) for found in _NAME.finditer(text)]
    return numbers + names


def altered(questions: Sequence[Question], share: float, seed: str) -> list[Question]:
    """Questions made from a drawn `share` of the answerable ones; those without a name or number, and
    those whose article has no other, give none."""
    by_article: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in questions:
        kinds = by_article[row.article]
        for text in (row.question, row.passage):
            for kind, start, end in marks(text):
                kinds[kind].add(text[start:end])
    draw = random.Random(seed)
    answerable = [row for row in questions if row.answerable]
    made = []
    for row in draw.sample(answerable, int(len(answerable) * share)):
        places = marks(row.question)
        if not places:
            continue
        kind, start, end = draw.choice(places)
        said = row.question[start:end]
        others = sorted(
            other
            for other in by_article[row.article][kind]
            if other not in row.question and said not in other and other not in row.answers
        )
        if others:
            question = row.question[:start] + draw.choice(others) + row.question[end:]
            made.append(replace(row, question=question, answers=(), spans=()))
    return made
