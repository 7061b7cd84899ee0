"""The handbook as a web page, for the makers that print pages. Each function takes the handbook and the file to write."""

import html
import re
import subprocess

#: What every page looks like, whoever prints it.
LOOK = """
body { font-family: serif; font-size: 11pt; line-height: 1.35 }
h1 { font-size: 17pt } h2 { font-size: 13pt }
p { text-align: justify; hyphens: auto }
sup { font-size: 60%; vertical-align: super; line-height: 0 }
table { border-collapse: collapse; width: 100%; margin: 8pt 0 }
td, th { padding: 3pt 5pt; text-align: left; vertical-align: top }
.grid td, .grid th { border: 0.5pt solid black }
.frame { border: 0.7pt solid black } .frame thead th { border-bottom: 0.7pt solid black }
.frame td, .frame th { border-left: 0.7pt solid black }
caption { caption-side: bottom; font-size: 9pt; padding-top: 4pt }
.columns { columns: 2; column-gap: 20pt } .break { break-after: column }
.aside { position: relative; margin-right: 28% }
.aside aside { position: absolute; left: 105%; top: 0; width: 30%; font-size: 8.5pt }
.notes { border-top: 0.5pt solid black; margin-top: 14pt; font-size: 9pt }
.page { break-after: page; page-break-after: always }
.formula { text-align: center }
"""


def inline(text, mark=r"<sup>\1</sup>", struck=r"<s>\1</s>"):
    """A text with its raised marks and what is struck."""
    text = html.escape(text, quote=False)
    return re.sub(r"~(.*?)~", struck, re.sub(r"\^(.*?)\^", mark, text))


def formula(block):
    """A formula's letters slanted, its power raised."""
    made = ""
    for text, is_slanted, is_raised in block["parts"]:
        text = f"<i>{text}</i>" if is_slanted else text
        made += f"<sup>{text}</sup>" if is_raised else text
    return made


def table(block, mark):
    """A table with its head, which a maker repeats on each page."""
    widths = "".join(f'<col style="width:{width}%">' for width in block["widths"])
    heads = ""
    for head in block["heads"]:
        cells = (f'<th colspan="{span}">{inline(text)}</th>' for text, span in head)
        heads += f"<tr>{''.join(cells)}</tr>"
    rows = ""
    for row in block["rows"]:
        rows += "<tr>" + "".join(f"<td>{inline(cell, mark)}</td>" for cell in row) + "</tr>"
    caption = f"<caption>{block['caption']}</caption>" if "caption" in block else ""
    head = f"<colgroup>{widths}</colgroup><thead>{heads}</thead><tbody>{rows}</tbody>"
    return f'<table class="{block["look"]}">{caption}{head}</table>'


def body(handbook, notes_where_marked=False, columns=None, aside=None):
    """The page's elements, with notes in a block of their own or, for a maker that knows footnotes, where their marks are."""
    notes = dict(note for block in handbook["blocks"] if block["kind"] == "notes" for note in block["notes"])

    def mark(found):
        return f'<span class="note">{notes[found[1]]}</span>' if notes_where_marked else f"<sup>{found[1]}</sup>"

    for block in handbook["blocks"]:
        kind = block["kind"]
        if kind == "title":
            yield f'<p style="font-size:22pt;text-align:left"><b>{block["text"]}</b></p>'
        elif kind == "heading":
            yield f"<h{block['level']}>{block['text']}</h{block['level']}>"
        elif kind == "paragraph":
            yield f"<p>{inline(block['text'], mark)}</p>"
        elif kind == "table":
            yield table(block, mark)
        elif kind == "notes" and not notes_where_marked:
            made = (f"<div><sup>{name}</sup> {text}</div>" for name, text in block["notes"])
            yield f'<div class="notes">{"".join(made)}</div>'
        elif kind == "page":
            yield '<div class="page"></div>'
        elif kind == "columns":
            left, right = ("".join(f"<p>{text}</p>" for text in block[side]) for side in ("left", "right"))
            yield (columns or '<div class="columns">{}<div class="break"></div>{}</div>').format(left, right)
        elif kind == "aside":
            yield (aside or '<div class="aside"><aside>{}</aside><p>{}</p></div>').format(block["text"], block["beside"])
        elif kind == "list":
            items = "".join(f"<li>{text}</li>" for text in block["items"])
            style = "lower-alpha" if block["style"][0] == "a" else "decimal"
            yield f'<ol style="list-style-type:{style}">{items}</ol>'
        elif kind == "formula":
            yield f'<p class="formula">{formula(block)}</p>'


def page(handbook, look="", **how):
    """The whole page."""
    made = "\n".join(body(handbook, **how))
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><style>{LOOK}{look}</style><body>{made}</body></html>'


#: A running head with the number of its page, as a page's style sheet says it.
HEAD = '@page {{ size: A4; margin: 25mm 22mm; @top-center {{ content: "{} " counter(page) }} }}'


def weasyprint(handbook, out):
    import weasyprint

    notes = ".note { float: footnote } ::footnote-call { font-size: 60%; vertical-align: super; line-height: 0 }"
    look = HEAD.format(handbook["running"]) + notes
    weasyprint.HTML(string=page(handbook, look, notes_where_marked=True)).write_pdf(out)


def chromium(handbook, out, program):
    source = out.with_suffix(".html")
    source.write_text(page(handbook, HEAD.format(handbook["running"])), encoding="utf-8")
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={out}", source.as_uri()]
    subprocess.run([program, *words], check=True, capture_output=True, timeout=120)


#: For makers that know no columns, as their users do it: a table of two cells.
CELLS = '<table><tr><td style="width:48%">{}</td><td style="width:4%"></td><td style="width:48%">{}</td></tr></table>'
BESIDE = '<table><tr><td style="width:70%"><p>{1}</p></td><td style="width:30%;font-size:8.5pt">{0}</td></tr></table>'


def wkhtmltopdf(handbook, out):
    source = out.with_suffix(".html")
    source.write_text(page(handbook, columns=CELLS), encoding="utf-8")
    words = ["wkhtmltopdf", "-q", "--margin-top", "25mm", "--margin-left", "22mm", "--margin-right", "22mm", source, out]
    subprocess.run(words, check=True, capture_output=True, timeout=120, env={"QT_QPA_PLATFORM": "offscreen", "PATH": "/usr/bin:/bin"})


def xhtml2pdf(handbook, out):
    from xhtml2pdf import pisa

    frames = """@page { size: a4; @frame head { -pdf-frame-content: head; top: 10mm; left: 22mm; width: 166mm; height: 8mm }
    @frame body { top: 25mm; left: 22mm; width: 166mm; height: 245mm } } .page { pdf-next-page: true }"""
    look = re.sub(r"hyphens: auto|line-height: 0", "", LOOK) + frames
    made = "\n".join(body(handbook, columns=CELLS, aside=BESIDE))
    made = re.sub(r"</?colgroup>|<col [^>]*>", "", made).replace('<div class="page"></div>', "<pdf:nextpage />")
    # It knows neither captions nor a width of a column but in its cells.
    made = re.sub(r"(<table[^>]*>)<caption>(.*?)</caption>(.*?</table>)", r'\1\3<p style="font-size:9pt">\2</p>', made, flags=re.S)
    made = re.sub(r'<table class="(grid|frame)">', r'<table class="\1" repeat="1">', made)
    head = f'<div id="head" style="text-align:center">{handbook["running"]} <pdf:pagenumber></div>'
    with open(out, "wb") as file:
        pisa.CreatePDF(f"<html><head><style>{look}</style></head><body>{head}{made}</body></html>", dest=file)


def pymupdf_story(handbook, out):
    import pymupdf

    made = "\n".join(body(handbook, columns="{}{}", aside="<p>{1}</p><p>{0}</p>"))
    # It knows no captions, and of lists those with numbers alone.
    made = re.sub(r"<caption>(.*?)</caption>(.*?</table>)", r"\2<p>\1</p>", made, flags=re.S)
    for letter, item in zip("ab", next(block for block in handbook["blocks"] if block.get("style") == "a)")["items"]):
        made = made.replace(f"<li>{item}</li>", f"<p>{letter}) {item}</p>")
    made = re.sub(r'<ol style="list-style-type:lower-alpha">(.*?)</ol>', r"\1", made)
    look = LOOK.replace("hyphens: auto", "")
    paper = pymupdf.paper_rect("a4")
    writer = pymupdf.DocumentWriter(str(out))
    number = 0
    for part in made.split('<div class="page"></div>'):
        story, more = pymupdf.Story(html=part, user_css=look), 1
        while more:
            number += 1
            device = writer.begin_page(paper)
            head = pymupdf.Story(html=f'<p style="font-size:9pt;text-align:center">{handbook["running"]} {number}</p>')
            head.place(pymupdf.Rect(60, 25, 535, 50))
            head.draw(device)
            more, _ = story.place(paper + (62, 72, -62, -62))
            story.draw(device)
            writer.end_page()
    writer.close()
