"""Asks sites of the training collections, and keeps the passages that the search brings: `data/found.py` reads them.

    python -m training.find --command campanile

Each collection in `data/handbooks` becomes a site, and doc2dial's pages (from ../shared/data) two: those to learn from and
those for the test. Sites are kept in `training/runs/found`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.data.verdicts import half_of
from training.settings import DATA, ROOM

DEPTH = 8
FOUND = ROOM / "runs" / "found"
HANDBOOKS = ROOM / "data" / "handbooks"


def handbooks() -> Iterator[tuple[str, Path, list[dict[str, Any]]]]:
    for folder in sorted(path.parent for path in HANDBOOKS.glob("*/questions.jsonl")):
        lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        yield folder.name, folder / "documents", [json.loads(line) for line in lines]


def doc2dial(kept: Path) -> Iterator[tuple[str, Path, list[dict[str, Any]]]]:
    """Pages as Markdown, the first questions of dialogues, and what answers them as evidence."""
    pages = json.loads((DATA / "doc2dial" / "documents.json").read_text(encoding="utf-8"))
    lines = (DATA / "doc2dial" / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for half in ("train", "test"):
        folder = kept / f"doc2dial-{half}-documents"
        folder.mkdir(parents=True, exist_ok=True)
        names = {title: f"{n:03}.md" for n, title in enumerate(sorted(pages))}
        for title, name in names.items():
            if half == "test" or half_of(title) == half:
                heading = title.partition("#")[0]
                (folder / name).write_text(f"# {heading}\n\n{pages[title]['text']}\n", encoding="utf-8")
        questions = [
            {
                "id": row["id"],
                "question": row["turns"][0]["text"],
                "document": names[row["document"]],
                "heading": "",
                "kind": "sentences",
                "evidence": [row["answer"].strip()],
            }
            for row in rows
            if len(row["turns"]) == 1 and half_of(row["document"]) == half
        ]
        yield f"doc2dial-{half}", folder, questions


def ask(command: str, site: Path, questions: list[str]) -> list[dict[str, Any]]:
    lines = "\n".join(" ".join(question.split()) for question in questions) + "\n"
    told = subprocess.run(
        [command, "ask", str(site), "--json", "--sources", str(DEPTH)],
        input=lines, capture_output=True, text=True, check=True,
    )
    return [json.loads(line) for line in told.stdout.splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--command", default="campanile", help="the command to build and ask with")
    told = parser.parse_args()
    FOUND.mkdir(parents=True, exist_ok=True)
    with (FOUND / "found.new").open("w", encoding="utf-8") as file:
        for name, documents, questions in [*handbooks(), *doc2dial(FOUND)]:
            site = FOUND / name
            # What has not changed is not computed again.
            subprocess.run([told.command, "build", str(documents), "-o", str(site)], check=True)
            replies = ask(told.command, site, [row["question"] for row in questions])
            for row, reply in zip(questions, replies, strict=True):
                keep = ("document", "title", "section", "text")
                passages = [{key: source[key] for key in keep} for source in reply["sources"]]
                file.write(json.dumps(row | {"site": name, "passages": passages}) + "\n")
            print(f"{name}: {len(questions)} questions", flush=True)
    (FOUND / "found.new").replace(FOUND / "found.jsonl")


if __name__ == "__main__":
    main()
