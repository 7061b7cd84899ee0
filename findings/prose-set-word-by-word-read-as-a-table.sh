#!/usr/bin/env bash
# A justified paragraph whose words are set one by one, without characters for the spaces between them, as TeX sets every line.
#
# MarkItDown 0.1.9 looks for columns in the gaps between words before it takes a page for prose. Of this paragraph it makes a table with
# one row, whose cells are runs of words between two wide gaps, while the lines above and below stay text. The last line, which is not
# stretched, has gaps of 2.5 points, the width of a space in Times at 10 points: below the tolerance of 3 points that pdfplumber, on which
# it stands, has by default, and so the line has no spaces at all. The same paragraph with characters for its spaces is read as it
# stands. Whoever indexes LaTeX's documents through it finds sentences in cells, and words that nobody wrote.
#
# Seen on 29 November 2026 with markitdown 0.1.9, pdfplumber 0.11.10 and reportlab 4.5.1 (Python 3.11). Needs Python; fails if the output is another one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv here
here/bin/pip install --quiet 'markitdown[pdf]==0.1.9' pdfplumber==0.11.10 reportlab==4.5.1

cat > paragraph.py <<'PYTHON'
from reportlab.pdfgen.canvas import Canvas

WORDS = (
    "The library lends books to students for four weeks and to guests for two weeks. Whoever brings a book back late pays "
    "one euro for each day until the book is there again. Books that somebody else has asked for are not lent a second time."
).split()
FONT, SIZE, WIDTH, A_LINE, SPACE = "Times-Roman", 10, 300, 12, 2.5


def write(path, with_spaces):
    canvas = Canvas(path, pagesize=(400, 300))
    canvas.setFont(FONT, SIZE)
    for number, start in enumerate(range(0, len(WORDS), A_LINE)):
        words = WORDS[start : start + A_LINE]
        widths = [canvas.stringWidth(word, FONT, SIZE) for word in words]
        gap = (WIDTH - sum(widths)) / (len(words) - 1) if len(words) == A_LINE else SPACE
        left, baseline = 50, 240 - 14 * number
        if with_spaces:
            line = canvas.beginText(left, baseline)
            line.setWordSpace(gap - SPACE)
            line.textOut(" ".join(words))
            canvas.drawText(line)
            continue
        for word, width in zip(words, widths):
            canvas.drawString(left, baseline, word)
            left += width + gap
    canvas.save()


write("with-spaces.pdf", True)
write("word-by-word.pdf", False)
PYTHON
here/bin/python paragraph.py

cat > read.py <<'PYTHON'
import re
from markitdown import MarkItDown

for name in ("with-spaces.pdf", "word-by-word.pdf"):
    print(name)
    text = MarkItDown().convert(name).text_content
    print("\n".join(re.sub(" +", " ", line).rstrip() for line in text.strip().splitlines()))
PYTHON
here/bin/python read.py > seen.txt

diff seen.txt - <<'SEEN'
with-spaces.pdf
The library lends books to students for four weeks and to guests
for two weeks. Whoever brings a book back late pays one euro
for each day until the book is there again. Books that somebody
else has asked for are not lent a second time.
word-by-word.pdf
The library lends books to students for four weeks and to guests
| for two weeks. | Whoever brings | a book back | late pays one | euro |
| -------------- | -------------- | ----------- | ------------- | ---- |
for each day until the book is there again. Books that somebody
elsehasaskedforarenotlentasecondtime.
SEEN
echo "as seen: markitdown 0.1.9 reads a line of a paragraph that is set word by word as a table, and the next one without spaces"
