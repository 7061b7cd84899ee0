"""Documents with their sentences numbered, and questions that name what answers by number.

Who writes questions on documents reads them with

    python -m training.numbered show DOCUMENT ...

and writes a line for each question into a text file, under the name of its document:

    = fees.md
    12 | words | EUR 40 | whats the damage if i enrol a week late
    14, 15 | sentences | | how do i get my deposit back
    20 | no | | Can I pay the semester fee in two parts?

`python -m training.numbered make NOTES DOCUMENTS QUESTIONS` turns that into the rows of `data/handbooks/README.md` and names each
line that cannot be one. Copying sentences by hand is slow, and one letter wrong makes the row useless.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

KINDS = ("words", "sentences", "section", "yes", "no", "depends", "nothing")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’)]?\s+(?=[\"“‘(]?[A-Z0-9])")
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_RULE = re.compile(r"[\s|:=+*_-]+")


@dataclass(frozen=True)
class Piece:
    """A sentence, list item or table row, as it stands in the file."""

    heading: str
    text: str


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of a Markdown, CSV or text file in their order; front matter is left out."""
    if text.startswith("---\n"):
        text = text.partition("\n---\n")[2]
    heading = ""
    for line in text.splitlines():
        line = line.strip()
        if found := _HEADING.fullmatch(line):
            heading = found[1].strip("# ")
        elif not line or _RULE.fullmatch(line):
            continue
        elif line.startswith("|"):
            yield Piece(heading, line)
        else:
            for sentence in _SENTENCE_END.split(line):
                yield Piece(heading, sentence.strip())


def shown(path: Path) -> Iterator[str]:
    yield f"= {path.name}"
    heading = ""
    for number, piece in enumerate(pieces(path.read_text(encoding="utf-8")), 1):
        if piece.heading != heading:
            heading = piece.heading
            yield f"\n# {heading}"
        yield f"{number} {piece.text}"


def row_of(line: str, document: str, numbered: list[Piece], name: str) -> dict[str, object]:
    """Raises `ValueError`, which says what is wrong with the line."""
    parts = [part.strip() for part in line.split("|", 3)]
    if len(parts) != 4:
        raise ValueError("not of the form NUMBERS | kind | words | question")
    numbers, kind, words, question = parts
    if kind not in KINDS:
        raise ValueError(f"no kind is called {kind!r}")
    if len(question.split()) < 2:
        raise ValueError("no question")
    chosen = [int(number) for number in re.findall(r"\d+", numbers)]
    if not chosen or min(chosen) < 1 or max(chosen) > len(numbered):
        raise ValueError(f"{numbers!r} are no numbers of {document}")
    evidence = [numbered[number - 1] for number in chosen]
    row: dict[str, object] = {
        "id": name,
        "question": question,
        "document": document,
        "heading": evidence[0].heading,
        "kind": kind,
    }
    if kind == "words":
        if not words or not any(words in piece.text for piece in evidence):
            raise ValueError(f"{words!r} stands in none of {numbers}")
        row["words"] = words
    return row | {"evidence": [] if kind == "nothing" else [piece.text for piece in evidence]}


def rows(notes: str, documents: Path, name: str) -> Iterator[dict[str, object] | str]:
    """Rows, and what is wrong with lines that are none."""
    document, numbered, made = "", [], 0
    for at, line in enumerate(notes.splitlines(), 1):
        if not line.strip():
            continue
        if line.startswith("= "):
            document = line.removeprefix("= ").strip()
            path = documents / document
            numbered = list(pieces(path.read_text(encoding="utf-8"))) if path.is_file() else []
            if not numbered:
                yield f"line {at}: no document {document!r} in {documents}"
            continue
        if not numbered:
            continue
        try:
            yield row_of(line, document, numbered, f"{name}-{made + 1:03}")
            made += 1
        except ValueError as error:
            yield f"line {at}: {error}: {line}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    todo = parser.add_subparsers(dest="todo", required=True)
    show = todo.add_parser("show", help="print documents with numbered sentences")
    show.add_argument("documents", nargs="+", type=Path)
    make = todo.add_parser("make", help="turn notes into rows of questions")
    make.add_argument("notes", type=Path)
    make.add_argument("documents", type=Path)
    make.add_argument("questions", type=Path)
    told = parser.parse_args()
    if told.todo == "show":
        for path in told.documents:
            print("\n".join(shown(path)), end="\n\n")
        return
    name = told.questions.parent.name if told.questions.stem == "questions" else told.questions.stem
    made = list(rows(told.notes.read_text(encoding="utf-8"), told.documents, name))
    right = [row for row in made if isinstance(row, dict)]
    told.questions.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in right), encoding="utf-8")
    wrong = [row for row in made if isinstance(row, str)]
    print("\n".join(wrong), file=sys.stderr)
    print(f"{len(right)} questions, {len(wrong)} lines that are none")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
