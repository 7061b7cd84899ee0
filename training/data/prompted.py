"""AdversarialQA and Quoref as the T0 prompts show them (Bach et al. 2022): 200 rows a prompt, of which
one prompt for each source is read. SciQ, which is there as well, may not be used commercially, and
what learned from it could not be shipped."""

from __future__ import annotations

import json
import re
from pathlib import Path

from training.data.reading import Question, place_of

_ADVERSARIAL = re.compile(r'Question: "(?P<q>.*?)"\s*Context: "(?P<p>.*)"\s*Answer:\s*', re.S)
_QUOREF = re.compile(
    r"Read the following paragraph and extract the answer for the question: (?P<q>.*?)\n\n(?P<p>.*)",
    re.S,
)
_FILES = {
    "adversarial_qa_dbert_question_context_answer": _ADVERSARIAL,
    "adversarial_qa_dbidaf_question_context_answer": _ADVERSARIAL,
    "adversarial_qa_droberta_question_context_answer": _ADVERSARIAL,
    "quoref_Read_And_Extract_": _QUOREF,
}


def prompted(data: Path) -> list[Question]:
    """The rows whose answer stands in their passage."""
    questions = []
    for name, pattern in _FILES.items():
        lines = (data / "t0_qa" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            row = json.loads(line)
            parts = pattern.search(row["prompt"])
            if parts is None:
                continue
            answer = row["completion"].removesuffix("<|endoftext|>").strip()
            question, passage = parts["q"].strip(), parts["p"].strip()
            place = place_of(answer, passage, question)
            if place is not None:
                key = f"{name}:{number}"
                questions.append(Question(key, key, question, passage, (answer,), (place,)))
    return questions
