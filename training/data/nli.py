"""Pairs of a premise and a hypothesis from seven sets, split by premise."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.data.reading import Question
from training.data.squad import Split, squad

LABELS = ("entailed", "contradicted", "neutral")
_NAMES = {
    "entailment": ("entailed",),
    "contradiction": ("contradicted",),
    "neutral": ("neutral",),
    # Sets of two labels don't say which of the two it is.
    "not_entailment": ("contradicted", "neutral"),
}
_TEST_SHARE = 0.15
_VALIDATION_SHARE = 0.05


@dataclass(frozen=True)
class Claim:
    """A claim, the text it is held against, and the labels that may be true of it."""

    source: str
    claim: str
    evidence: str
    labels: tuple[str, ...]

    @property
    def entailed(self) -> bool:
        return self.labels == ("entailed",)


def split_of(premise: str) -> Split:
    """By the premise's SHA-256, so that a premise's hypotheses stay together, and a premise that two
    sets share is in the same split of both."""
    digest = hashlib.sha256(" ".join(premise.lower().split()).encode()).digest()
    place = int.from_bytes(digest[:8]) / 2**64
    if place < _TEST_SHARE:
        return "test"
    return "validation" if place < _TEST_SHARE + _VALIDATION_SHARE else "train"


def nli(data: Path, name: str, split: Split) -> list[Claim]:
    """One of mnli, snli, scitail, sick, rte, mpe: what of its published parts falls to `split`."""
    claims = []
    for path in sorted((data / "nli_dev" / "nli_datasets" / name).glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                premise = " ".join(row["premise"].split())
                if name == "mpe":
                    # Each of its four captions has a picture's name in front.
                    premise = re.sub(r"\d+jpg\d", ". ", premise).removeprefix(". ")
                if row["label"] in _NAMES and split_of(premise) == split:
                    labels = _NAMES[row["label"]]
                    claims.append(Claim(name, row["hypothesis"].strip(), premise, labels))
    return claims


def halueval(data: Path) -> list[Claim]:
    """Right and hallucinated answers after their question, held against their knowledge. For the test
    only."""
    claims = []
    for part in ("one-turn", "multi-turn"):
        path = data / "halueval" / "generation" / "qa" / f"qa_{part}_data.json"
        for row in _rows(path):
            for key, labels in (
                ("right_answer", ("entailed",)),
                ("hallucinated_answer", ("contradicted", "neutral")),
            ):
                claim = f"{row['question']} {row[key]}"
                claims.append(Claim("halueval", claim, row["knowledge"], labels))
    return claims


def _rows(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def begin(data: Path) -> list[Claim]:
    """Replies of dialogue systems held against what they were given to know: Dziri et al. (2022). For
    the test only; replies that claim nothing (`Generic`) are left out."""
    claims = []
    for path in sorted((data / "begin").glob("*/*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row["begin_label"] in ("Fully attributable", "Not fully attributable"):
                    full = row["begin_label"] == "Fully attributable"
                    labels = ("entailed",) if full else ("contradicted", "neutral")
                    claims.append(Claim("begin", row["response"], row["knowledge"], labels))
    return claims


def answered(data: Path, split: Split) -> list[Claim]:
    """SQuAD's questions with an answer after them as claims: the right one, and one that answers
    another question on the same passage."""
    claims = []
    for passage, questions in _by_passage(data, split).items():
        for question in questions:
            if question.answerable:
                right = f"{question.question} {question.answers[0]}"
                claims.append(Claim("squad", right, passage, ("entailed",)))
            wrong = _others_answer(question, questions)
            if wrong is not None:
                claim = f"{question.question} {wrong}"
                claims.append(Claim("squad", claim, passage, ("contradicted", "neutral")))
    return claims


def amended(data: Path, split: Split) -> list[Claim]:
    """Sentences of SQuAD's passages as claims: as they stand, and with what answers one question put
    where another's answer was, a number for a number and a name for a name. That is how a language
    model gets a fact wrong."""
    claims = []
    for passage, questions in _by_passage(data, split).items():
        sentences = _sentence_spans(passage)
        amended_already: set[tuple[int, int]] = set()
        for question in questions:
            other = _others_answer(question, questions, alike=True)
            if other is None or not question.spans:
                continue
            start, end = question.spans[0]
            around = next((s for s in sentences if s[0] <= start and end <= s[1]), None)
            if around is None or around in amended_already:
                continue
            sentence = passage[around[0] : around[1]]
            if other in sentence:
                continue
            amended_already.add(around)
            wrong = passage[around[0] : start] + other + passage[end : around[1]]
            claims.append(Claim("amended", sentence, passage, ("entailed",)))
            claims.append(Claim("amended", wrong, passage, ("contradicted", "neutral")))
    return claims


def _by_passage(data: Path, split: Split) -> dict[str, list[Question]]:
    by_passage: dict[str, list[Question]] = {}
    for question in squad(data, split):
        by_passage.setdefault(question.passage, []).append(question)
    return by_passage


def _sentence_spans(text: str) -> list[tuple[int, int]]:
    ends = [found.start() for found in re.finditer(r"(?<=[.!?])\s+(?=[A-Z\"])", text)]
    starts = [0, *(re.compile(r"\s*").match(text, end).end() for end in ends)]  # type: ignore[union-attr]
    return list(zip(starts, [*ends, len(text)], strict=True))


def _others_answer(question: Question, questions: list[Question], alike: bool = False) -> str | None:
    """One that isn't among the question's own, the same at every call; if `alike`, a number for a
    number, a name for a name of as many words, and none for anything else."""
    own = _kind(question.answers[0]) if question.answerable else None
    if alike and own is None:
        return None
    others = [
        other.answers[0]
        for other in questions
        if other.answerable
        and other.answers[0] not in question.answers
        and (not alike or _kind(other.answers[0]) == own)
    ]
    number = int(hashlib.sha256(question.id.encode()).hexdigest(), 16)
    return others[number % len(others)] if others else None


def _kind(answer: str) -> tuple[str, int] | None:
    words = answer.split()
    if any(sign.isdigit() for sign in answer):
        return "number", len(words)
    if all(word[0].isupper() for word in words) and words[0] not in ("A", "An", "The"):
        return "name", len(words)
    return None
