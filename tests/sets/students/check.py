"""Checks the students' questions: counts, names, and that what answers stands in its document. Exit 1 on any fault.

The two sets about public sites are checked where those lie (../shared/data beside the project), else named as skipped.
"""

import csv
import html
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
DATA = HERE.parents[3] / "shared" / "data"
PUBLIC = {"cmu_handbooks": DATA / "cmu_facts" / "Scraped_pdf_file", "heidelberg_erstis": DATA / "heidelberg_erstis"}
COUNTS = {True: (25, 12), False: (18, 8)}
"""Questions with an answer and without: of an institution of ours, and of a public site."""
MOST_QUOTED_WORDS = 8
"""Of others' texts so many words in a row are quoted at most."""


def words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def plain(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".csv":
        return " ".join(cell for row in csv.reader(text.splitlines()) for cell in row)
    if path.suffix == ".html":
        return html.unescape(re.sub(r"</?(?:b|i|em|strong|a|sup|span|code)\b[^>]*>", "", text).replace("<", " <"))
    return re.sub(r"\]\([^)]*\)", "]", text.replace("*", ""))


def without_tags(text: str) -> str:
    return re.sub(r"<[^>]*>", " ", text)


faults: list[str] = []
skipped: list[str] = []
sets = {path.parent.name: (path, path.parent / "documents") for path in sorted(HERE.glob("*/questions.jsonl"))}
sets |= {name: (HERE / f"{name}.jsonl", folder) for name, folder in PUBLIC.items()}
total = 0
for name, (file, documents) in sets.items():
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    total += len(rows)
    answerable = [row for row in rows if row["category"] == "answerable"]
    if (len(answerable), len(rows) - len(answerable)) != COUNTS[name not in PUBLIC]:
        faults.append(f"{name}: {len(answerable)} with an answer of {len(rows)}")
    if len({row["id"] for row in rows}) != len(rows) or len({row["question"].lower() for row in rows}) != len(rows):
        faults.append(f"{name}: an id or a question stands twice")
    for row in rows:
        is_whole = bool(row.get("answers") and row.get("gold")) if row in answerable else bool(row.get("reason"))
        if not is_whole:
            faults.append(f"{row['id']}: no answer and place, or no reason")
        for gold in row.get("gold", []):
            if name in PUBLIC and len(gold["passage"].split()) > MOST_QUOTED_WORDS:
                faults.append(f"{row['id']}: quotes more than {MOST_QUOTED_WORDS} words")
            if not documents.is_dir():
                continue
            path = documents / gold["document"]
            if not path.is_file():
                faults.append(f"{row['id']}: no document {gold['document']}")
            elif words(gold["passage"]) not in words(without_tags(plain(path))):
                faults.append(f"{row['id']}: not in {gold['document']}: {gold['passage']}")
    if not documents.is_dir():
        skipped.append(name)
if skipped:
    print(f"skipped: no {DATA} for {', '.join(skipped)}")
print(f"{total} questions of {len(sets)} sets", "FAULTS" if faults else "OK", len(faults))
for fault in faults:
    print(" ", fault)
sys.exit(bool(faults))
