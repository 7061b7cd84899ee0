#!/usr/bin/env bash
# A table of four rows and three columns, each cell framed by a rectangle and its words drawn once: the plainest table a program can make.
#
# PDF Oxide 0.3.78 gives such a page in two ways. Its text has one line for each row, cells in order. Its Markdown, which is the form that
# is advised for language models, makes a table of the last two rows alone, and puts the cells of the first two on lines of their own,
# some of them behind the table: the head no longer stands above its columns. Without frames no row is left whole. So the richer form is
# the poorer witness: a program that asks for Markdown to keep tables loses just these.
#
# Seen on 29 November 2026 with pdf-oxide 0.3.78 and reportlab 4.5.1 (Python 3.11). Needs Python; fails if the output is another one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv here
here/bin/pip install --quiet pdf-oxide==0.3.78 reportlab==4.5.1

cat > table.py <<'PYTHON'
from pdf_oxide import PdfDocument
from reportlab.pdfgen.canvas import Canvas

ROWS = [("Task", "Person", "Room"), ("Repairs", "Ida Marlow", "Shed 4"), ("Invoices", "Ruth Alder", "Office 12"), ("First aid", "Jon Birk", "Ward 3")]

for name, is_framed in (("framed", True), ("plain", False)):
    canvas = Canvas(f"{name}.pdf", pagesize=(595, 842))
    canvas.setFont("Helvetica", 11)
    canvas.drawString(50, 780, "The people below answer on working days.")
    for row, cells in enumerate(ROWS):
        for column, words in enumerate(cells):
            left, baseline = 54 + 150 * column, 750 - 21 * row
            if is_framed:
                canvas.rect(left - 4, baseline - 6, 150, 21)
            canvas.drawString(left, baseline, words)
    canvas.save()
    page = PdfDocument(f"{name}.pdf")
    for form, text in (("text", page.extract_text(0)), ("Markdown", page.to_markdown(0))):
        print(f"[{name}, as {form}]")
        print("\n".join(line.rstrip() for line in text.splitlines() if line.strip()))
PYTHON
here/bin/python table.py > seen.txt

diff seen.txt - <<'SEEN'
[framed, as text]
The people below answer on working days.
Task Person Room
Repairs Ida Marlow Shed 4
Invoices Ruth Alder Office 12
First aid Jon Birk Ward 3
[framed, as Markdown]
The people below answer on working days.
Task
Repairs
| Invoices | Ruth Alder | Office 12 |
|---|---|---|
| First aid | Jon Birk | Ward 3 |
Person
Room
Ida Marlow
Shed 4
[plain, as text]
The people below answer on working days.
Task Person Room
Repairs Ida Marlow Shed 4
Invoices Ruth Alder Office 12
First aid Jon Birk Ward 3
[plain, as Markdown]
The people below answer on working days.
Task
Repairs
Invoices
First aid
Person
Room
Ida Marlow
Shed 4
Ruth Alder
Office 12
Jon Birk
Ward 3
SEEN
echo "as seen: pdf-oxide 0.3.78 keeps the rows of a table in its text and takes them apart in its Markdown"
