"""Questions beside all passages of the site that was asked: which of them answer.

`python -m training.find` writes both. The collections are handbooks of invented universities, doc2dial's pages, and public pages
whose questions stand in `public/`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.data.found import SECTION_SHARE, located
from training.find import FOUND, QUESTIONS, passages_file
from training.splits import split_of


@dataclass(frozen=True)
class Collection:
    name: str
    split: str
    passages: tuple[str, ...]
    """Each after its title and headings, as the site embeds it."""
    questions: tuple[tuple[str, tuple[int, ...]], ...]
    """Questions that have an answer, and the numbers of the passages that hold it."""


def collections() -> Iterator[Collection]:
    if not (FOUND / QUESTIONS).exists():
        raise SystemExit(f"no {FOUND / QUESTIONS}: `python -m training.find` makes it")
    by_site: dict[str, list[dict[str, Any]]] = {}
    for line in (FOUND / QUESTIONS).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        by_site.setdefault(row["site"], []).append(row)
    for site, rows in by_site.items():
        yield collection(site, split_of(site), rows, passages_file(site))


def collection(name: str, split: str, rows: list[dict[str, Any]], file: Path) -> Collection:
    passages = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    questions = []
    for row in rows:
        if row["kind"] == "nothing":
            continue
        gold = tuple(n for n, passage in enumerate(passages) if answers(passage, row))
        if gold:
            questions.append((row["question"], gold))
    texts = tuple(f"{passage['place']}\n{passage['text']}" for passage in passages)
    return Collection(name, split, texts, tuple(questions))


def answers(passage: dict[str, Any], row: dict[str, Any]) -> bool:
    """Whether a passage holds enough of what answers."""
    if passage["document"] != row["document"]:
        return False
    held = sum(located(piece, passage["text"]) is not None for piece in row["evidence"])
    return held > 0 and held >= SECTION_SHARE * len(row["evidence"])
