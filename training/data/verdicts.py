"""Questions that are answered by yes, no, or "it depends": BoolQ (Clark et al. 2019) and ShARC (Saeidi et al. 2018)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Literal

from training.data.reading import Question

Half = Literal["train", "test"]


def half_of(name: str) -> Half:
    """Which half of a set something named belongs to, by its SHA-256: what is measured is not learned from."""
    return "train" if hashlib.sha256(name.encode()).digest()[0] < 128 else "test"


def boolq(data: Path, half: Half) -> list[Question]:
    """Questions that people typed into a search field, each with a paragraph that settles it, by its article."""
    lines = (data / "boolq_dev" / "dev.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [
        Question(
            f"boolq:{number}",
            row["title"],
            row["question"] + "?",
            row["passage"],
            kind="yes" if row["answer"] else "no",
        )
        for number, row in enumerate(rows)
        if half_of(row["title"]) == half
    ]


def sharc(data: Path) -> list[Question]:
    """Rules of public offices, for measuring alone: the set states no licence. A question without what has to
    be known is answered by "it depends" (the data ask back there); one that its scenario settles by yes
    or no. Dialogues are left out."""
    rows = json.loads((data / "sharc_dev" / "sharc_dev.json").read_text(encoding="utf-8"))
    said = {"Yes": "yes", "No": "no", "Irrelevant": None}
    made: dict[tuple[str, str], Question] = {}
    for row in rows:
        if row["history"]:
            continue
        asked = f"{row['scenario']} {row['question']}".strip()
        kind = said.get(row["answer"], "depends")
        question = Question(row["utterance_id"], row["tree_id"], asked, row["snippet"], kind=kind)
        made.setdefault((asked, row["snippet"]), question)
    return list(made.values())
