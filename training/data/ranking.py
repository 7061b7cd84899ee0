"""Questions and the passages that answer them: SQuAD by article, SciFact by its own parts."""

from __future__ import annotations

import ast
import csv
import hashlib
import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

from training.data.squad import Split, squad


@dataclass(frozen=True)
class Collection:
    """Passages by key, queries by key, and for each query the keys of the passages that are right."""

    name: str
    passages: dict[str, str]
    queries: dict[str, str]
    relevant: dict[str, set[str]]


def squad_passages(data: Path, split: Split) -> Collection:
    """Answerable questions; the passages are all of the split's articles."""
    questions = squad(data, split)
    keys = {
        passage: f"p{number}"
        for number, passage in enumerate(dict.fromkeys(q.passage for q in questions))
    }
    asked = [question for question in questions if question.answerable]
    return Collection(
        f"squad-{split}",
        {key: passage for passage, key in keys.items()},
        {question.id: question.question for question in asked},
        {question.id: {keys[question.passage]} for question in asked},
    )


def _table(data: Path, name: str) -> list[dict[str, str]]:
    csv.field_size_limit(1 << 24)
    with zipfile.ZipFile(data / "scifact_beir" / "scifact.zip") as archive:
        text = archive.read(f"{name}.csv").decode("utf-8")
    return list(csv.DictReader(io.StringIO(text)))


def _abstract(told: str) -> str:
    """The sentences are written as numpy prints an array of strings: quoted, one a line."""
    try:
        sentences = ast.literal_eval(told.replace("'\n '", "', '").replace("\"\n '", "\", '"))
        return " ".join(sentence.strip() for sentence in sentences)
    except (SyntaxError, ValueError):
        return " ".join(told.strip("[]").split())


def scifact(data: Path, split: Split) -> Collection:
    """Claims and the abstracts they cite (Wadden et al. 2020). The 300 of the published validation
    part are the test, as in BEIR. Of those for training, a tenth of the abstracts is for choosing, and
    claims on an abstract of another split are left out: many are another one's negation."""
    passages = {
        row["doc_id"]: f"{row['title']} {_abstract(row['abstract'])}"
        for row in _table(data, "corpus_train")
    }
    tested = {key for row in _table(data, "claims_validation") for key in _cited(row)}
    queries, relevant = {}, {}
    for row in _table(data, "claims_validation" if split == "test" else "claims_train"):
        cited = _cited(row) & passages.keys()
        if split != "test":
            of = {"test" if key in tested else _part(key) for key in cited}
            if of != {split}:
                continue
        if cited:
            queries[row["id"]] = row["claim"]
            relevant[row["id"]] = cited
    return Collection(f"scifact-{split}", passages, queries, relevant)


def _cited(row: dict[str, str]) -> set[str]:
    return set(row["cited_doc_ids"].strip("[]").replace(",", " ").split())


def _part(key: str) -> Split:
    return "validation" if hashlib.sha256(key.encode()).digest()[0] < 26 else "train"
