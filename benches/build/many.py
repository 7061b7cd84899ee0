"""A build of very many documents, one in a hundred hostile: it ends, names each of those, and reads all others.

    python3 benches/build/many.py CAMPANILE COUNT WORK OUT.json

Nothing but Python's own library is needed. The documents are made in WORK, the same ones each time.
"""

import io
import json
import random
import resource
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

#: One in so many is hostile.
EVERY = 100
#: Documents in a folder.
FOLDER = 500

SUBJECTS = (
    "library laboratory canteen registry workshop archive greenhouse observatory studio boathouse gymnasium nursery "
    "reading_room print_shop lecture_hall seminar_room student_office examination_office foundry wind_tunnel"
).split()
PLACES = "Hill Mill North South River Orchard Castle Harbour Station Market Garden Abbey Tower Bridge Meadow".split()
ACTS = (
    "is open to|is closed to|is reserved for|is supervised by|is cleaned by|is paid for by|is booked by|is heated for"
).split("|")
PEOPLE = (
    "first-year students|doctoral candidates|visiting lecturers|members of the council|the hydraulics group|"
    "teaching assistants|the alumni|applicants from abroad|the works council|holders of a scholarship"
).split("|")
CONDITIONS = (
    "after a written request|with a valid card|for a deposit of {} euros|from room {}|until {} o'clock|"
    "up to {} hours a week|at least {} days before|in groups of {}"
).split("|")


def sentence(chance):
    """One statement; there are some tens of millions."""
    subject = chance.choice(SUBJECTS).replace("_", " ")
    place = f"{chance.choice(PLACES)} {chance.choice(PLACES)}"
    condition = chance.choice(CONDITIONS).format(chance.randint(2, 9_999))
    return f"The {subject} of {place} House {chance.choice(ACTS)} {chance.choice(PEOPLE)} {condition}."


def good(chance, number):
    """A document that is to be read: its ending and its bytes."""
    title = f"Notice {number}"
    sentences = [sentence(chance) for _ in range(chance.randint(1, 3))]
    kind = number % 4
    if kind == 0:
        return ".md", f"# {title}\n\n{' '.join(sentences)}\n".encode()
    if kind == 1:
        paragraphs = "".join(f"<p>{text}</p>" for text in sentences)
        return ".html", f"<!doctype html><title>{title}</title><h1>{title}</h1>{paragraphs}".encode()
    if kind == 2:
        return ".txt", "\n\n".join([title, *sentences]).encode()
    return ".rst", f"{title}\n{'=' * len(title)}\n\n{' '.join(sentences)}\n".encode()


def zipped(parts):
    """A zip file of these parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def word(document):
    """A Word file with this as its main part."""
    types = (
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override '
        'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.'
        'document.main+xml"/></Types>'
    )
    relations = (
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>'
    )
    return zipped({"[Content_Types].xml": types, "_rels/.rels": relations, "word/document.xml": document})


SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4_000)


def hostile():
    """What nobody can read, by ending: each kind once."""
    whole = word(f"<w:document {SPACE}><w:body><w:p/></w:body></w:document>")
    return [
        (".pdf", b""),
        (".pdf", b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 1 0 R >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF"),
        (".pdf", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        (".docx", whole[: len(whole) // 2]),
        (".docx", word(" " * 200_000_000)),
        (".docx", word(f"<w:document {SPACE}><w:body>{'<w:sdt><w:sdtContent>' * 100_000}")),
        (".docx", OLE),
        (".xlsx", zipped({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "\n" * 200_000_000})),
        (".xlsx", OLE),
        (".html", b"<div>" * 300_000),
        (".json", b"[" * 200_000 + b"]" * 200_000),
        (".json", b'{"a": [1, 2'),
        (".txt", b"text\0text"),
    ]


def make(folder, count):
    """Writes the documents; gives the paths of the hostile ones."""
    chance = random.Random(1)
    kinds = hostile()
    bad = []
    for number in range(count):
        is_bad = number % EVERY == EVERY // 2
        ending, content = kinds[number // EVERY % len(kinds)] if is_bad else good(chance, number)
        path = Path(f"{number // FOLDER:04}") / f"{'bad' if is_bad else 'notice'}-{number:06}{ending}"
        if is_bad:
            bad.append(path.as_posix())
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return bad


def main():
    campanile, count, work, out = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4])
    shutil.rmtree(work, ignore_errors=True)
    documents, site, report = work / "documents", work / "site", work / "report"
    began = time.monotonic()
    bad = make(documents, count)
    print(f"{count} documents, {len(bad)} of them hostile, written in {time.monotonic() - began:.0f} s", flush=True)

    began = time.monotonic()
    words = ["build", documents, "-o", site, "--index-only", "--report", report, "--fresh"]
    code = subprocess.run([campanile, *words], check=False).returncode
    seconds = time.monotonic() - began
    if code != 3:
        raise SystemExit(f"the build ended with {code}, where 3 says that some documents could not be read")
    # The largest of the command and of the readers that it started.
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024

    files = {file["path"]: file for file in json.loads((report / "report.json").read_text())["files"]}
    unread = {path for path, file in files.items() if not file["is_read"]}
    wrong = sorted(unread.symmetric_difference(bad))
    if wrong:
        raise SystemExit(f"{len(wrong)} documents ended otherwise than they should, {wrong[0]} among them")
    unnamed = [path for path in bad if path.rsplit("/", 1)[1] not in files[path]["remarks"][0]["message"]]
    if unnamed:
        raise SystemExit(f"{len(unnamed)} messages do not name their document, that of {unnamed[0]} among them")
    manifest = json.loads((site / "campanile.json").read_text())
    figures = {
        "documents": count,
        "hostile": len(bad),
        "passages": manifest["counts"]["chunks"],
        "seconds": seconds,
        "memory_bytes": memory,
        "index_bytes": manifest["index_bytes"],
    }
    out.write_text(json.dumps(figures))
    print(json.dumps(figures))


main()
