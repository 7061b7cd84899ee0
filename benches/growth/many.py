"""A build of very many documents, one in a hundred hostile: it ends, names each of those, and reads all others.

    python3 benches/growth/many.py CAMPANILE DATA COUNT WORK OUT.json

Each document is one passage of DATA, in one of four formats. In WORK are then the documents, the site, the same passages
as web pages, and questions.jsonl with the documents that answer. Nothing but Python's own library is needed, and the same
data make the same documents.
"""

import html
import io
import json
import resource
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from collect import FOLDER, as_page, evenly, heading, letters_of, passages, write_answered, write_page

#: One in so many is hostile.
EVERY = 100


def good(kind, title, paragraph, page):
    """A document that is to be read: its ending and its text; as HTML it is the web page."""
    if kind == 0:
        return ".md", f"# {title}\n\n{paragraph}\n"
    if kind == 1:
        return ".html", page
    if kind == 2:
        return ".txt", f"{title}\n\n{paragraph}\n"
    return ".rst", f"{title}\n{'=' * len(title)}\n\n{paragraph}\n"


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


def make(found, documents, pages, count):
    """Writes the documents, and those that are to be read as web pages too.

    Gives the paths of the hostile ones, and where each passage stands, by its letters.
    """
    kinds = hostile()
    bad, places = [], {}
    bad_numbers = range(EVERY // 2, count, EVERY)
    paragraphs = iter(evenly(found, count - len(bad_numbers)))
    for number in range(count):
        folder = Path(f"{number // FOLDER:04}")
        (documents / folder).mkdir(parents=True, exist_ok=True)
        if number in bad_numbers:
            ending, content = kinds[len(bad) % len(kinds)]
            path = folder / f"bad-{number:06}{ending}"
            bad.append(path.as_posix())
            (documents / path).write_bytes(content)
            continue
        _, paragraph = next(paragraphs)
        title = heading(paragraph)
        page = as_page(title, f"<p>{html.escape(paragraph)}</p>\n")
        ending, text = good(number % 4, title, paragraph, page)
        path = folder / f"{number:06}{ending}"
        (documents / path).write_text(text, encoding="utf-8")
        places[letters_of(paragraph)] = path.as_posix()
        write_page(pages, path.as_posix(), page)
    return bad, places


def main(campanile, data, count, work, out):
    """Makes the documents, builds the site and compares what the build says with what was made."""
    found = list(passages(data))
    if count > len(found):
        raise SystemExit(f"the data have {len(found)} passages, which is too few for {count} documents")
    shutil.rmtree(work, ignore_errors=True)
    documents, site, report = work / "documents", work / "site", work / "report"
    bad, places = make(found, documents, work / "pages", count)
    write_answered(data, places, work / "questions.jsonl")
    print(f"{count} documents, {len(bad)} of them hostile", flush=True)

    began = time.monotonic()
    code = subprocess.run([campanile, "build", documents, "-o", site, "--report", report, "--fresh"], check=False).returncode
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


if __name__ == "__main__":
    CAMPANILE, DATA, COUNT, WORK, OUT = sys.argv[1:]
    main(CAMPANILE, Path(DATA), int(COUNT), Path(WORK), Path(OUT))
