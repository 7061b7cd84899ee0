"""The handbook as a PDF of each maker that is there:

    python make.py FOLDER NODE_PACKAGES CHROMIUM

A maker whose program is not on the PATH is left out and named. FOLDER gets the files, and `makers.json` with their versions.
"""

import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pages
import prints
import programs
import typeset

HERE = Path(__file__).parent


def package(name):
    """The version of a Python package."""
    return importlib.metadata.version(name)


def program(name, *words):
    """The version of a program, as it says itself."""
    said = subprocess.run([name, *(words or ["--version"])], capture_output=True, text=True, timeout=60)
    words = said.stdout + said.stderr
    # An engine of TeX names TeX's own version first: `pdfTeX 3.141592653-2.6-1.40.24 (TeX Live 2022)`.
    found = re.search(r"\d+(?:\.\d+)+(?= \(TeX)", words) or re.search(r"\d+(?:\.\d+)+", words)
    return found[0] if found else ""


def makers(handbook, chromium, node_packages):
    """Each maker: its name, the programs that it needs, its version and what makes the file."""

    def plain(function):
        return lambda out: function(handbook, out)

    def node(name):
        words = ["node", HERE / "programs.js", name, HERE / "handbook.json"]
        return lambda out: subprocess.run([*words, out], cwd=node_packages, check=True, capture_output=True, timeout=300)

    def node_version(name):
        return lambda: json.loads((node_packages / "node_modules" / name / "package.json").read_text())["version"]

    return [
        ("Typst", [], lambda: package("typst"), plain(typeset.typst)),
        ("pdfTeX", ["pdflatex"], lambda: program("pdflatex"), plain(typeset.pdflatex)),
        ("XeTeX", ["xelatex"], lambda: program("xelatex"), plain(typeset.xelatex)),
        ("LuaTeX", ["lualatex"], lambda: program("lualatex"), plain(typeset.lualatex)),
        ("pandoc", ["pandoc", "pdflatex"], lambda: program("pandoc"), plain(typeset.pandoc)),
        ("groff", ["groff", "gropdf"], lambda: program("groff"), plain(typeset.groff)),
        ("Asciidoctor", ["asciidoctor-pdf"], lambda: program("asciidoctor-pdf"), plain(typeset.asciidoctor)),
        ("Apache FOP", ["fop"], lambda: program("fop", "-version"), plain(typeset.fop)),
        ("LibreOffice", ["soffice"], lambda: program("soffice"), plain(programs.libreoffice)),
        ("Chromium", [chromium], lambda: program(chromium), lambda out: pages.chromium(handbook, out, chromium)),
        ("wkhtmltopdf", ["wkhtmltopdf"], lambda: program("wkhtmltopdf"), plain(pages.wkhtmltopdf)),
        ("WeasyPrint", [], lambda: package("weasyprint"), plain(pages.weasyprint)),
        ("xhtml2pdf", [], lambda: package("xhtml2pdf"), plain(pages.xhtml2pdf)),
        ("MuPDF", [], lambda: package("pymupdf"), plain(pages.pymupdf_story)),
        ("ReportLab", [], lambda: package("reportlab"), plain(programs.reportlab)),
        ("fpdf2", [], lambda: package("fpdf2"), plain(programs.fpdf2)),
        ("jsPDF", ["node"], node_version("jspdf"), node("jspdf")),
        ("pdfmake", ["node"], node_version("pdfmake"), node("pdfmake")),
        ("PDFKit", ["node"], node_version("pdfkit"), node("pdfkit")),
        ("react-pdf", ["node"], node_version("@react-pdf/renderer"), node("react-pdf")),
        # From the pages of another maker, which are made before.
        ("Ghostscript", ["ps2pdf", "pdftops", "soffice"], lambda: program("gs"), lambda out: prints.ghostscript(out, out.with_name("LibreOffice.pdf"))),
        ("Tesseract", ["tesseract", "pdftoppm"], lambda: program("tesseract"), lambda out: prints.tesseract(out, out.with_name("WeasyPrint.pdf"))),
    ]


def main(folder, node_packages, chromium):
    """Makes all files; a maker that fails ends the bench, one that is not there does not."""
    folder = Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    handbook = json.loads((HERE / "handbook.json").read_text(encoding="utf-8"))
    made, missing = [], []
    for name, needed, version, make in makers(handbook, chromium, Path(node_packages)):
        absent = [word for word in needed if not shutil.which(word)]
        if absent:
            missing.append(f"{name} (no `{absent[0]}`)")
            continue
        print(name, flush=True)
        out = folder / f"{name.replace(' ', '-')}.pdf"
        make(out)
        made.append({"name": name, "version": version(), "file": out.name})
    (folder / "makers.json").write_text(json.dumps({"makers": made, "missing": missing}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
