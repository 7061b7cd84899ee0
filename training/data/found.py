"""Questions with the passages that a search brought for them: what a page reads.

`found.jsonl` is made by `python -m training.find`, which builds a site of each collection with the command and asks it. The
questions are those of `handbooks/` (invented universities, written for this) and of doc2dial's pages.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from training.data.near import behind
from training.data.reading import Place, Question, place_of

_WORD = re.compile(r"[^\W_]+")
SECTION_SHARE = 0.5
"""A passage holds an answer of several sentences if it has this share of them."""


@dataclass(frozen=True)
class Asked:
    """A question of a site and its passages, best first: `gold` those that answer, `others` those that don't."""

    site: str
    question: str
    kind: str | None
    gold: tuple[Question, ...]
    others: tuple[Question, ...]


def words_of(text: str) -> list[tuple[str, Place]]:
    return [(match[0].lower(), match.span()) for match in _WORD.finditer(text)]


def located(evidence: str, passage: str) -> Place | None:
    """Where a sentence stands in a passage, whatever stands between its words; or, since a table's row is
    written out with its columns' names, the line that has all of its words in their order."""
    wanted = [word for word, _ in words_of(evidence)]
    said = words_of(passage)
    if not wanted:
        return None
    for at in range(len(said) - len(wanted) + 1):
        if all(said[at + n][0] == word for n, word in enumerate(wanted)):
            return said[at][1][0], said[at + len(wanted) - 1][1][1]
    if "|" not in evidence and "," not in evidence:
        return None
    for start, line in _lines(passage):
        words = iter(words_of(line))
        if all(any(word == other for other, _ in words) for word in wanted):
            return start, start + len(line)
    return None


def held_in(source: dict[str, Any], row: dict[str, Any]) -> list[Place]:
    """Where the evidence for a question stands in a passage; nowhere in one of another document."""
    if source["document"] != row["document"]:
        return []
    places = [located(sentence, source["text"]) for sentence in row["evidence"]]
    return [place for place in places if place is not None]


def is_enough(held: Sequence[Place], row: dict[str, Any]) -> bool:
    """Whether a passage with these places of the evidence answers."""
    return bool(held) and len(held) >= SECTION_SHARE * len(row["evidence"])


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def labelled(row: dict[str, Any]) -> Asked:
    gold, others = [], []
    kind = {"sentences": "passage", "section": "passage", "nothing": None}.get(row["kind"], row["kind"])
    for rank, source in enumerate(row["passages"]):
        text = source["text"]
        plain = Question(f"{row['id']}:{rank}", row["site"], row["question"], text, evidence=())
        before = context(source["title"], source["section"])
        held = held_in(source, row)
        if row["kind"] == "nothing" or not held:
            # The section that answers, cut so that this part of it doesn't: neither one nor the other.
            near = source["document"] == row["document"] and row["heading"] in source["section"]
            if row["kind"] == "nothing" or not near:
                others.append(behind(plain, before))
            continue
        if not is_enough(held, row):
            continue
        spans: tuple[Place, ...] = ()
        answers: tuple[str, ...] = ()
        if row["kind"] == "words":
            for start, end in held:
                place = place_of(row["words"], text[start:end], row["question"])
                if place is not None:
                    spans = ((start + place[0], start + place[1]),)
                    answers = (row["words"],)
        marked = replace(plain, kind=kind, evidence=tuple(held), spans=spans, answers=answers)
        gold.append(behind(marked, before))
    return Asked(row["site"], row["question"], kind, tuple(gold), tuple(others))


def context(title: str, headings: Sequence[str]) -> str:
    """As `context` of crates/retrieve writes it."""
    return " — ".join([title, *(h for h in headings if h != title)]) + ". "


def found(path: Path) -> list[Asked]:
    if not path.exists():
        raise SystemExit(f"no {path}: `python -m training.find` makes it")
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [labelled(row) for row in rows]


def drawn(asked: Sequence[Asked], negatives: int, seed: str) -> Iterator[list[Question]]:
    """Of each question the passages that answer, at most two, and some that don't, the first ones most often."""
    draw = random.Random(seed)
    for one in asked:
        made = list(one.gold[:2])
        others = list(one.others)
        for _ in range(min(negatives, len(others))):
            made.append(others.pop(min(int(draw.expovariate(0.5)), len(others) - 1)))
        yield made
