"""Builds sites of the training collections and asks them: what there is to find, and what the search brings.

    python -m training.find --command campanile

Each collection in `data/handbooks` becomes a site, so do the public pages that `data/public` asks about, and doc2dial's pages
(from ../shared/data) two: those to learn from and those for the test. In `training/runs/found` are then the sites, the passages
of each, `questions.jsonl` (`data/asked.py` reads both) and `found.jsonl`, the questions with the passages that the search
brought (`data/found.py`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from training.data.reading import sentence_around
from training.data.verdicts import half_of
from training.numbered import rows
from training.settings import DATA, ROOM

DEPTH = 8
FOUND = ROOM / "runs" / "found"
HANDBOOKS = ROOM / "data" / "handbooks"
PUBLIC = ROOM / "data" / "public"
QUESTIONS = "questions.jsonl"
MANIFEST = "campanile.json"
PUBLIC_PAGES = {"gsa": "gsa_tts_handbook/pages", "carpentries": "carpentries_docs/source"}
"""Where in ../shared/data the pages lie that a file in `data/public` asks about."""

NATURAL = ("natural-train", "natural-test", "sections")
"""Pages of an encyclopaedia with questions that people typed into a search field, halved, and with questions that people wrote on
one of its sections."""
WITHHELD = 64
"""Of 256 pages that natural questions are answered on so many are not in their site: then nothing there answers."""

Site = tuple[str, Path, list[dict[str, Any]]]


def passages_file(site: str) -> Path:
    return FOUND / f"{site}-passages.jsonl"


def rows_in(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def handbooks() -> Iterator[Site]:
    for folder in sorted(path.parent for path in HANDBOOKS.glob("*/questions.jsonl")):
        yield folder.name, folder / "documents", rows_in(folder / "questions.jsonl")


def public() -> Iterator[Site]:
    for name, pages in PUBLIC_PAGES.items():
        yield name, DATA / pages, public_rows(name, DATA / pages)


def public_rows(name: str, documents: Path) -> list[dict[str, Any]]:
    """Our questions on pages that are others', which are named there by the numbers of their sentences."""
    made = list(rows((PUBLIC / f"{name}.txt").read_text(encoding="utf-8"), documents, name))
    if wrong := [row for row in made if isinstance(row, str)]:
        raise SystemExit(f"data/public/{name}.txt no longer fits its pages: {wrong[0]}")
    return [row for row in made if isinstance(row, dict)]


def doc2dial(kept: Path) -> Iterator[Site]:
    """Pages as Markdown, the first questions of dialogues, and what answers them as evidence; of the half to learn from
    the questions in `data/public` as well."""
    pages = json.loads((DATA / "doc2dial" / "documents.json").read_text(encoding="utf-8"))
    dialogues = rows_in(DATA / "doc2dial" / "rows.jsonl")
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
            for row in dialogues
            if len(row["turns"]) == 1 and half_of(row["document"]) == half
        ]
        if half == "train":
            questions += public_rows("doc2dial", folder)
        yield f"doc2dial-{half}", folder, questions


def natural(kept: Path) -> Iterator[Site]:
    """Natural Questions' paragraphs, each half of the pages a site of its own that lacks some of them."""
    rows = rows_in(DATA / "nq_gold" / "questions.jsonl")
    for half in ("train", "test"):
        folder = emptied(kept / f"natural-{half}-documents")
        questions = []
        for number, row in enumerate(rows):
            title, passage = row["title"], row["passage"]
            if half_of(title) != half:
                continue
            question = {"id": row["id"], "question": row["question"], "document": f"{number:04}.md", "heading": title}
            if hashlib.sha256(title.encode()).digest()[1] < WITHHELD:
                questions.append(question | {"kind": "nothing", "evidence": []})
                continue
            (folder / question["document"]).write_text(f"# {title}\n\n{passage}\n", encoding="utf-8")
            first, last = row["spans"][0]
            start, end = sentence_around(passage, (first, last))
            evidence = passage[start:end].strip()
            questions.append(question | {"kind": "words", "words": passage[first:last], "evidence": [evidence]})
        yield f"natural-{half}", folder, questions


def sections(kept: Path) -> Iterator[Site]:
    """SelQA's sections, those of one article on one page, and what people asked on them."""
    folder = emptied(kept / "sections-documents")
    pages: dict[str, dict[str, list[str]]] = {}
    questions = []
    for number, row in enumerate(rows_in(DATA / "selqa" / "questions.jsonl")):
        pages.setdefault(row["article"], {})[row["section"]] = row["candidates"]
        questions.append(
            {
                "id": f"selqa-{number}",
                "question": row["question"],
                "document": f"{list(pages).index(row['article']):04}.md",
                "heading": row["section"],
                "kind": "sentences",
                "evidence": [row["candidates"][place] for place in row["answers"]],
            }
        )
    for number, (article, parts) in enumerate(pages.items()):
        text = "\n\n".join(f"## {section}\n\n{' '.join(sentences)}" for section, sentences in parts.items())
        (folder / f"{number:04}.md").write_text(f"# {article}\n\n{text}\n", encoding="utf-8")
    yield "sections", folder, questions


def emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def ask(
    command: str,
    site: Path,
    questions: Sequence[str],
    change: Callable[[dict[str, Any]], object],
    options: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """The replies of a site whose manifest is changed in a copy; its other files are not copied."""
    lines = "\n".join(" ".join(question.split()) for question in questions) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        for file in site.iterdir():
            if file.name != MANIFEST:
                (Path(folder) / file.name).symlink_to(file.resolve())
        manifest = json.loads((site / MANIFEST).read_text(encoding="utf-8"))
        change(manifest)
        (Path(folder) / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        told = subprocess.run(
            [command, "ask", folder, "--json", *options], input=lines, capture_output=True, text=True, check=True
        )
    return [json.loads(line) for line in told.stdout.splitlines()]


def passages_found(command: str, site: Path, questions: Sequence[str]) -> list[dict[str, Any]]:
    """Passages are all that is wanted, so the site is asked without its reader, which takes most of the time."""
    return ask(command, site, questions, lambda manifest: manifest.pop("reader", None), ("--sources", str(DEPTH)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--command", default="campanile", help="the command to build and ask with")
    parser.add_argument(
        "--only-passages", action="store_true", help="stop before asking: all that the query adapter needs"
    )
    told = parser.parse_args()
    FOUND.mkdir(parents=True, exist_ok=True)
    sites = [*handbooks(), *public(), *doc2dial(FOUND), *natural(FOUND), *sections(FOUND)]
    with (FOUND / "questions.new").open("w", encoding="utf-8") as file:
        for name, documents, questions in sites:
            # What has not changed is not computed again.
            build = [told.command, "build", str(documents), "-o", str(FOUND / name), "--index-only"]
            subprocess.run(build, check=True)
            export = [told.command, "questions", "export", str(FOUND / name), "--output", str(passages_file(name))]
            subprocess.run(export, check=True)
            file.writelines(json.dumps(row | {"site": name}) + "\n" for row in questions)
            print(f"{name}: {len(questions)} questions", flush=True)
    (FOUND / "questions.new").replace(FOUND / QUESTIONS)
    if told.only_passages:
        return
    with (FOUND / "found.new").open("w", encoding="utf-8") as file:
        for name, _, questions in sites:
            replies = passages_found(told.command, FOUND / name, [row["question"] for row in questions])
            for row, reply in zip(questions, replies, strict=True):
                keep = ("document", "title", "section", "text")
                found = [{key: source[key] for key in keep} for source in reply["sources"]]
                file.write(json.dumps(row | {"site": name, "passages": found}) + "\n")
            print(f"{name} asked", flush=True)
    (FOUND / "found.new").replace(FOUND / "found.jsonl")


if __name__ == "__main__":
    main()
