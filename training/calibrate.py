"""Fits the weights that come with the command: how probable it is that words are right, and that a passage
covers what is asked (`Calibration` of crates/bundle, docs/concepts/confidence.md).

    python -m training.calibrate --command campanile
    python -m training.calibrate --command campanile --faq SITE

Asked are the institutions for choosing and half of the natural questions that are not learned from, a quarter of which has no page in its
site (`training.find` has built the sites): no question that the reader learned from, none of a test. For sections, what no page of a
handbook is about is asked as well (`data/off_topic.txt`, and natural questions). `--squad SITE` adds SQuAD's three
articles for choosing to the words, in a site of all of SQuAD. For sections every passage that was read counts, not
only the best: so they are put in their order by what is fitted. The second line fits the weights of a FAQ's entries, of which every
one that was read counts too, on a site of `tests/sets/faq/choosing/documents`. `campanile eval SITE QUESTIONS --calibrate` does the same for a department's
own questions and starts from these.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy

from training.data.found import held_in, is_enough, located
from training.data.squad import splits, squad
from training.find import FOUND, HANDBOOKS, QUESTIONS, ask, rows_in
from training.settings import DATA, ROOM
from training.splits import split_of

NAMES = ("bias", "answer", "support", "agreement", "cosine", "coverage", "gap")
LEAST, WIDEST, USUAL_COSINE, WIDEST_LEAD = 1e-4, 3.0, 0.6, 0.2
READ, NO_ANSWER, NEAR = 5, 0.05, 0.5
"""As in crates/answer/src/confidence.rs."""
FAQ = Path(__file__).parent.parent / "tests" / "sets" / "faq" / "choosing"
PRIOR = 0.002
HANDBOOK_WEIGHT = 10.0
"""A question on a handbook counts as ten on Wikipedia: it is what the page is for, and half of SQuAD's questions were written to
look answerable and not to be, which readers of a handbook seldom do."""
NATURAL_WEIGHT = 4.0
PASSAGE_WEIGHT = 2.0
"""The same of passages, where natural questions count as one."""
OFF_TOPIC_WEIGHT = 0.25
"""Of passages that a search brings for what no page of a handbook is about: with more, questions with an answer are refused as well."""
OFF_TOPIC = ROOM / "data" / "off_topic.txt"
NATURAL_BESIDE = 40
"""So many natural questions are asked on each handbook as well."""


def replies(command: str, site: Path, questions: Sequence[str]) -> list[dict[str, Any]]:
    """Nothing refused: the site with thresholds at 0, so that the words are always given."""
    answered = {"refuse_below": 0.0, "sure_from": 0.0}
    return ask(command, site, questions, lambda manifest: manifest["calibration"].update(answered))


def logit(probability: float) -> float:
    within = min(max(probability, LEAST), 1 - LEAST)
    return float(numpy.log(within / (1 - within)))


def values_of_words(evidence: dict[str, Any]) -> list[float]:
    read = evidence["reading"]
    cosine = evidence["best_cosine"]
    return [
        1.0,
        logit(read["answer_probability"]),
        float(numpy.log(max(read["support"], LEAST))),
        float(read["agrees"]),
        USUAL_COSINE if cosine is None else cosine,
        evidence["coverage"],
        min(evidence["gap"], WIDEST),
    ]


def values_of_passages(reply: dict[str, Any]) -> list[list[float]]:
    """Of each passage that was read; its coverage, whose weight has always come out as 0, is left at 0."""
    scores = [source["scores"]["fused"]["score"] for source in reply["sources"]]
    values = []
    odds = [math.exp(logit(reading["probability"])) for reading in reply["readings"]]
    every = sum(odds) + max(0, READ - len(odds)) * math.exp(logit(NO_ANSWER))
    for place, reading in enumerate(reply["readings"]):
        dense = reply["sources"][place]["scores"]["dense"]
        others = scores[:place] + scores[place + 1 :]
        cosine = USUAL_COSINE if dense is None else dense["score"]
        gap = scores[place] - max(others, default=scores[place])
        values.append(
            [
                1.0,
                logit(reading["probability"]),
                math.log(max(odds[place] / every, LEAST)),
                float(reply["answer"]["source"] == place + 1),
                cosine,
                0.0,
                lead(gap, cosine),
            ]
        )
    return values


def lead(gap: float, cosine: float) -> float:
    gap = min(max(gap, -WIDEST), WIDEST)
    return gap * min(max(cosine / NEAR, 0.0), 1.0) if gap > 0 else gap


def values_of_entries(reply: dict[str, Any]) -> dict[int, list[float]]:
    """Of each passage that was read and is an entry of a FAQ, by its place."""
    values = {}
    for place, reading in enumerate(reply["readings"]):
        if question := reply["sources"][place].get("question"):
            lead = min(max(question["gap"], -WIDEST_LEAD), WIDEST_LEAD)
            first = float(place == 0)
            values[place] = [1.0, logit(reading["probability"]), 0.0, first, question["cosine"], 0.0, lead]
    return values


class Observed:
    """Values and outcomes of words, of sections and of entries, with weights."""

    def __init__(self) -> None:
        self.words: list[tuple[list[float], bool, float]] = []
        self.sections: list[tuple[list[float], bool, float]] = []
        self.entries: list[tuple[list[float], bool, float]] = []

    def add_words(self, reply: dict[str, Any], are_right: bool, weight: float) -> None:
        if reply["evidence"]["reading"]:
            self.words.append((values_of_words(reply["evidence"]), are_right, weight))

    def add_passages(self, reply: dict[str, Any], answer: Sequence[bool], weight: float) -> None:
        for values, holds in zip(values_of_passages(reply), answer, strict=False):
            self.sections.append((values, holds, weight))


def handbook(command: str, name: str, into: Observed) -> None:
    lines = (HANDBOOKS / name / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for row, reply in zip(rows, replies(command, FOUND / name, [r["question"] for r in rows]), strict=True):
        answer = reply["answer"]
        source = reply["sources"][answer["source"] - 1] if answer["source"] else None
        said = source is not None and source["document"] == row["document"]
        if row.get("words"):
            words = said and row["words"].lower() in answer["text"].lower()
        else:
            words = said and any(located(piece, answer["text"]) for piece in row["evidence"])
        into.add_words(reply, words, HANDBOOK_WEIGHT)
        into.add_passages(reply, [is_enough(held_in(source, row), row) for source in reply["sources"]], PASSAGE_WEIGHT)


def natural_rows() -> list[dict[str, Any]]:
    """The natural questions for choosing."""
    rows = rows_in(FOUND / QUESTIONS)
    return [row for row in rows if row["site"] == "natural-test" and is_for_choosing(row["heading"])]


def natural(command: str, into: Observed) -> None:
    """Questions that people typed into a search field."""
    rows = natural_rows()
    for row, reply in zip(rows, replies(command, FOUND / "natural-test", [r["question"] for r in rows]), strict=True):
        answer = reply["answer"]
        source = reply["sources"][answer["source"] - 1] if answer["source"] else None
        said = source is not None and source["document"] == row["document"] and row["kind"] != "nothing"
        into.add_words(reply, said and folded(row["words"]) in folded(answer["text"]), NATURAL_WEIGHT)
        into.add_passages(reply, [is_enough(held_in(source, row), row) for source in reply["sources"]], 1.0)


def off_topic(command: str, names: Sequence[str], into: Observed) -> None:
    """What no page of a handbook is about: nothing that the search brings answers it."""
    own = OFF_TOPIC.read_text(encoding="utf-8").splitlines()
    others = [row["question"] for row in natural_rows() if row["kind"] != "nothing"]
    for number, name in enumerate(names):
        questions = own + others[number * NATURAL_BESIDE : (number + 1) * NATURAL_BESIDE]
        for reply in replies(command, FOUND / name, questions):
            into.add_passages(reply, [False] * len(reply["sources"]), OFF_TOPIC_WEIGHT)


def is_for_choosing(title: str) -> bool:
    """Of the pages of natural questions that are not learned from every second one is for choosing."""
    return hashlib.sha256(title.encode()).digest()[2] < 128


def faq(command: str, site: Path, into: Observed) -> None:
    lines = [line for name in ("ordinary", "questions") for line in (FAQ / f"{name}.jsonl").open(encoding="utf-8")]
    rows = [json.loads(line) for line in lines]
    for row, reply in zip(rows, replies(command, site, [r["question"] for r in rows]), strict=True):
        for place, values in values_of_entries(reply).items():
            is_right = reply["sources"][place]["section"][-1] == row["entry"]
            into.entries.append((values, is_right, 1.0))


def encyclopaedia(command: str, site: Path, into: Observed) -> None:
    split = splits(DATA)
    chosen = [row for row in squad(DATA, "validation") if split[row.article] == "validation"]
    for row, reply in zip(chosen, replies(command, site, [r.question for r in chosen]), strict=True):
        into.add_words(reply, holds_one(row.answers, reply["answer"]["text"]), 1.0)


def folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def holds_one(golds: Sequence[str], text: str) -> bool:
    said = f" {folded(text)} "
    return any(f" {folded(gold)} " in said for gold in golds)


def fit(observed: list[tuple[list[float], bool, float]]) -> numpy.ndarray:
    """Logistic regression whose weights, but the bias, are not below 0: projected gradient descent on values in
    units of their spread."""
    values = numpy.array([one for one, _, _ in observed])
    right = numpy.array([float(one) for _, one, _ in observed])
    counts = numpy.array([one for _, _, one in observed])
    counts = counts / counts.sum()
    spread = values.std(0)
    spread[spread == 0] = numpy.inf
    mean = values.mean(0)
    scaled = (values - mean) / spread
    weights, bias = numpy.zeros(len(NAMES)), 0.0
    for _ in range(4000):
        error = (sigmoid(scaled @ weights + bias) - right) * counts
        weights = numpy.maximum(weights - 0.5 * (scaled.T @ error + PRIOR * weights), 0.0)
        bias -= 0.5 * float(error.sum())
    real = weights / spread
    real[0] = bias - float(real @ mean)
    return real


def sigmoid(z: numpy.ndarray) -> numpy.ndarray:
    return 1 / (1 + numpy.exp(-z))


def calibration_error(forecasts: numpy.ndarray, right: numpy.ndarray, bins: int = 10) -> float:
    places = numpy.minimum((forecasts * bins).astype(int), bins - 1)
    parts = [(places == number) for number in range(bins)]
    return float(sum(abs(forecasts[p].mean() - right[p].mean()) * p.mean() for p in parts if p.any()))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--command", default="campanile")
    parser.add_argument("--squad", type=Path, help="a site of all of SQuAD 2.0")
    parser.add_argument("--faq", type=Path, help="a site of tests/sets/faq/choosing/documents: only entries are fitted")
    told = parser.parse_args()
    observed = Observed()
    if told.faq:
        faq(told.command, told.faq, observed)
    else:
        names = sorted(path.parent.name for path in HANDBOOKS.glob("*/questions.jsonl"))
        names = [name for name in names if split_of(name) == "validation"]
        for name in names:
            handbook(told.command, name, observed)
        natural(told.command, observed)
        off_topic(told.command, names, observed)
    if told.squad:
        encyclopaedia(told.command, told.squad, observed)
    kinds = (("words", observed.words), ("section", observed.sections), ("entry", observed.entries))
    for name, seen in kinds:
        if not seen:
            continue
        weights = fit(seen)
        forecasts = sigmoid(numpy.array([one for one, _, _ in seen]) @ weights)
        right = numpy.array([float(one) for _, one, _ in seen])
        error = calibration_error(forecasts, right)
        print(name, {key: round(float(value), 3) for key, value in zip(NAMES, weights, strict=True)})
        print(f"  {len(seen)} of them, {right.mean():.3f} right, calibration error {error:.3f}")


if __name__ == "__main__":
    main()
