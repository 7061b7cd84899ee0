"""Pairs of a premise and a hypothesis from seven sets, split by premise."""

from __future__ import annotations

import csv
import hashlib
import json
import random
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.data.altered import marks
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
    another question on the same passage. Half of either are whole sentences, so that a claim's length
    tells nothing."""
    claims = []
    for passage, questions in _by_passage(data, split).items():
        sentences = _sentence_spans(passage)
        for question in questions:
            wrong = _others_answer(question, questions)
            around = _sentence_of(question, sentences)
            long_right, long_wrong = (_number(question, salt) % 2 == 0 for salt in ("right", "wrong"))
            if question.answerable:
                right = question.answers[0]
                if long_right and around is not None:
                    right = passage[slice(*around)]
                claims.append(Claim("squad", f"{question.question} {right}", passage, ("entailed",)))
            if wrong is not None:
                if long_wrong and around is not None:
                    wrong = _with(passage, around, question.spans[0], wrong)
                claim = f"{question.question} {wrong}"
                claims.append(Claim("squad", claim, passage, ("contradicted", "neutral")))
    return claims


def amended(data: Path, split: Split) -> list[Claim]:
    """Sentences of SQuAD's passages as claims: as they stand, and with one of their names or numbers
    become another of the same length, from the passage if it has one, from the article if not. That
    is how a language model gets a fact wrong."""
    by_passage = _by_passage(data, split)
    of_article: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for passage, questions in by_passage.items():
        for kind, start, end in marks(passage):
            of_article[questions[0].article][kind].add(passage[start:end])
    claims = []
    for passage, questions in by_passage.items():
        of_passage: dict[str, set[str]] = defaultdict(set)
        for kind, start, end in marks(passage):
            of_passage[kind].add(passage[start:end])
        for around in _sentence_spans(passage):
            sentence = passage[slice(*around)]
            draw = random.Random(sentence)
            places = marks(sentence)
            draw.shuffle(places)
            for kind, start, end in places:
                others = next(
                    (
                        found
                        for known in (of_passage, of_article[questions[0].article])
                        if (found := sorted(other for other in known[kind] if other not in sentence))
                    ),
                    None,
                )
                if others is not None:
                    wrong = sentence[:start] + draw.choice(others) + sentence[end:]
                    claims.append(Claim("amended", sentence, passage, ("entailed",)))
                    claims.append(Claim("amended", wrong, passage, ("contradicted", "neutral")))
                    break
    return claims


def _sentence_of(question: Question, sentences: list[tuple[int, int]]) -> tuple[int, int] | None:
    if not question.spans:
        return None
    start, end = question.spans[0]
    return next((s for s in sentences if s[0] <= start and end <= s[1]), None)


def _with(passage: str, around: tuple[int, int], span: tuple[int, int], said: str) -> str:
    """The sentence `around` with `said` where `span` was."""
    return passage[around[0] : span[0]] + said + passage[span[1] : around[1]]


def _number(question: Question, salt: str) -> int:
    return int(hashlib.sha256(f"{salt} {question.id}".encode()).hexdigest(), 16)


def _by_passage(data: Path, split: Split) -> dict[str, list[Question]]:
    by_passage: dict[str, list[Question]] = {}
    for question in squad(data, split):
        by_passage.setdefault(question.passage, []).append(question)
    return by_passage


def _sentence_spans(text: str) -> list[tuple[int, int]]:
    ends = [found.start() for found in re.finditer(r"(?<=[.!?])\s+(?=[A-Z\"])", text)]
    starts = [0, *(re.compile(r"\s*").match(text, end).end() for end in ends)]  # type: ignore[union-attr]
    return list(zip(starts, [*ends, len(text)], strict=True))


def _others_answer(question: Question, questions: list[Question]) -> str | None:
    """One that isn't among the question's own, the same at every call."""
    others = [
        other.answers[0]
        for other in questions
        if other.answerable and other.answers[0] not in question.answers
    ]
    return others[_number(question, "other") % len(others)] if others else None
