"""The readers beside ours: each gives the text of a PDF as lines, rows of tables on a line each.

    python readers.py READER OUT.json PDF...

Each in the way that its own pages begin with; where a reader writes Markdown, Markdown is asked for.
"""

import importlib.metadata
import json
import sys
import tempfile
import time
from pathlib import Path


def pymupdf4llm():
    import pymupdf4llm

    # It knows running heads and says how to leave them out.
    return lambda path: pymupdf4llm.to_markdown(path, header=False, footer=False)


def markitdown():
    from markitdown import MarkItDown

    reader = MarkItDown()
    return lambda path: reader.convert(path).text_content


def pdfplumber():
    import pdfplumber

    def page_text(page):
        """The words outside tables, and the tables it finds at their places, as its users put the two together."""
        tables = page.find_tables()
        parts, top = [], 0
        for table in sorted(tables, key=lambda table: table.bbox[1]):
            if table.bbox[1] > top:
                parts.append(page.crop((0, top, page.width, table.bbox[1])).extract_text())
            parts += [" | ".join((cell or "").replace("\n", " ") for cell in row) for row in table.extract()]
            top = max(top, min(table.bbox[3], page.height))
        if top < page.height:
            parts.append(page.crop((0, top, page.width, page.height)).extract_text())
        return "\n".join(parts)

    def read(path):
        with pdfplumber.open(path) as pdf:
            return "\n\n".join(map(page_text, pdf.pages))

    return read


def opendataloader():
    import opendataloader_pdf

    def read(path):
        with tempfile.TemporaryDirectory() as folder:
            opendataloader_pdf.convert(input_path=[path], output_dir=folder, format="markdown", quiet=True)
            return next(Path(folder).glob("*.md")).read_text(encoding="utf-8")

    return read


def kreuzberg():
    import kreuzberg

    config = kreuzberg.ExtractionConfig(output_format="markdown")
    return lambda path: kreuzberg.extract_file_sync(path, config=config).content


def pdf_oxide():
    from pdf_oxide import PdfDocument

    return lambda path: PdfDocument(path).to_markdown_all()


def liteparse():
    from liteparse import LiteParse

    # Without reading pictures: that would fetch a model.
    reader = LiteParse(ocr_enabled=False)
    return lambda path: reader.parse(path).text


#: Each reader with the package that its version is of.
READERS = {
    "PyMuPDF4LLM": (pymupdf4llm, "pymupdf"),
    "MarkItDown": (markitdown, "markitdown"),
    "pdfplumber": (pdfplumber, "pdfplumber"),
    "OpenDataLoader": (opendataloader, "opendataloader-pdf"),
    "Kreuzberg": (kreuzberg, "kreuzberg"),
    "PDF Oxide": (pdf_oxide, "pdf-oxide"),
    "LiteParse": (liteparse, "liteparse"),
}


def main(name, out, *paths):
    """Reads all files; the time to load the reader is not counted."""
    make, package = READERS[name]
    read = make()
    found = {}
    for path in paths:
        began = time.perf_counter()
        try:
            text = read(path)
        except Exception as error:  # noqa: BLE001 - a reader that fails has found nothing
            print(f"{name} {path}: {error!r}", file=sys.stderr)
            text = ""
        found[Path(path).stem] = {"text": text, "seconds": time.perf_counter() - began}
    Path(out).write_text(json.dumps({"version": importlib.metadata.version(package), "read": found}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
