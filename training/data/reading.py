"""What every source of reading questions gives."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

OVERLAP_WORDS = 8

KINDS = ("words", "passage", "yes", "no", "depends")
"""What answers: a few words, sentences of the passage or all of it, or one of three verdicts."""

Place = tuple[int, int]


@dataclass(frozen=True)
class Question:
    """A question on a passage. `answers` are the annotators' texts, none if the passage holds no
    answer or one that isn't a few words; `spans` says where they stand, in characters, one for each
    annotator whose text was found. `kind` is one of `KINDS`, or none where the source doesn't say;
    `evidence` are the sentences that answer, none where the source doesn't say."""

    id: str
    article: str
    question: str
    passage: str
    answers: tuple[str, ...] = ()
    spans: tuple[Place, ...] = ()
    kind: str | None = None
    evidence: tuple[Place, ...] | None = None

    @property
    def answerable(self) -> bool:
        """Whether the passage holds what is asked, in whatever form."""
        return bool(self.answers) or self.kind is not None


def sentence_around(passage: str, place: Place) -> Place:
    """The sentence or line that characters stand in."""
    ends = [m.end() for m in re.finditer(r"[.!?](?=\s)|\n", passage)]
    start = max((end for end in ends if end <= place[0]), default=0)
    end = min((end for end in ends if end >= place[1]), default=len(passage))
    return start, end


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def place_of(answer: str, passage: str, question: str) -> tuple[int, int] | None:
    """Where `answer` stands in `passage`. Of several places, the one with the most of the question's
    words within 60 characters: the data tells the first, which is often another."""
    places = [match.start() for match in re.finditer(re.escape(answer), passage)]
    if not places or not answer:
        return None
    asked = set(words(question))

    def near(start: int) -> int:
        around = passage[max(0, start - 60) : start] + passage[start + len(answer) :][:60]
        return len(asked & set(words(around)))

    best = max(places, key=near)
    return best, best + len(answer)


def shingles(text: str) -> set[tuple[str, ...]]:
    """Every run of eight words."""
    said = words(text)
    return {tuple(said[at : at + OVERLAP_WORDS]) for at in range(len(said) - OVERLAP_WORDS + 1)}


def without_texts_of(rows: Iterable[Question], held_out: Iterable[Question]) -> list[Question]:
    """`rows` less those whose passage shares a run of eight words with a passage held out."""
    kept_back: set[tuple[str, ...]] = set()
    for passage in {row.passage for row in held_out}:
        kept_back |= shingles(passage)
    clean: dict[str, bool] = {}
    for row in rows:
        if row.passage not in clean:
            clean[row.passage] = kept_back.isdisjoint(shingles(row.passage))
    return [row for row in rows if clean[row.passage]]
