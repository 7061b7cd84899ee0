"""SQuAD 1.1 and 2.0, the development sets (Rajpurkar et al. 2016, 2018), split by article."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Literal

from training.data.reading import Question, place_of

Split = Literal["train", "validation", "test"]

TEST_ARTICLES = 7
VALIDATION_ARTICLES = 3


def _articles(data: Path, version: str) -> list[dict[str, Any]]:
    path = data / "squad_dev" / f"dev-v{version}.rebuilt.json"
    return json.loads(path.read_text(encoding="utf-8"))["data"]


def splits(data: Path) -> dict[str, Split]:
    """Which article is for what. Those of 2.0 are put in the order of their titles' SHA-256: the first
    seven are for the test, the next three for choosing, the rest, and what only 1.1 has, for
    training."""
    titles = sorted(
        (article["title"] for article in _articles(data, "2.0")),
        key=lambda title: hashlib.sha256(title.encode()).hexdigest(),
    )
    split: dict[str, Split] = {article["title"]: "train" for article in _articles(data, "1.1")}
    for title in titles[:TEST_ARTICLES]:
        split[title] = "test"
    for title in titles[TEST_ARTICLES:][:VALIDATION_ARTICLES]:
        split[title] = "validation"
    return split


def _questions(article: dict[str, Any]) -> list[Question]:
    questions = []
    for paragraph in article["paragraphs"]:
        passage = paragraph["context"]
        for row in paragraph["qas"]:
            answers = tuple(answer["text"] for answer in row["answers"])
            if row.get("is_impossible"):
                answers = ()
            places = (place_of(answer, passage, row["question"]) for answer in answers)
            spans = tuple(place for place in places if place is not None)
            questions.append(
                Question(row["id"], article["title"], row["question"], passage, answers, spans)
            )
    return questions


def squad(data: Path, split: Split) -> list[Question]:
    """The questions of 2.0 on the articles of `split`, and for training those that only 1.1 has."""
    of = splits(data)
    versions = ("2.0", "1.1") if split == "train" else ("2.0",)
    found: dict[str, Question] = {}
    for version in versions:
        for article in _articles(data, version):
            if of[article["title"]] == split:
                for question in _questions(article):
                    found.setdefault(question.id, question)
    return list(found.values())
