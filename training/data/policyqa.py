"""PolicyQA (Ahmad et al. 2020): questions on paragraphs of websites' privacy policies. The answers are
what a policy says on the matter, more often a clause than a name."""

from __future__ import annotations

import json
from pathlib import Path

from training.data.reading import Question


def policyqa(data: Path) -> list[Question]:
    """The development part, where a question's answers stand where they are said to."""
    path = data / "policyqa" / "data" / "dev.json"
    questions = []
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            passage = paragraph["context"]
            for row in paragraph["qas"]:
                found = [
                    (answer["text"], answer["answer_start"])
                    for answer in row["answers"]
                    if passage[answer["answer_start"] :].startswith(answer["text"])
                ]
                spans = tuple((start, start + len(text)) for text, start in found)
                if spans:
                    answers = tuple(text for text, _ in found)
                    questions.append(
                        Question(row["id"], article["title"], row["question"], passage, answers, spans)
                    )
    return questions
