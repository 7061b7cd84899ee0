"""The handbook from programs: ReportLab, fpdf2 and, by way of a document of Word, LibreOffice."""

import re
import subprocess

from typeset import notes_of


def pieces(text):
    """A text as its pieces: the words, whether they are raised and whether they are struck."""
    for part in re.findall(r"\^.*?\^|~.*?~|[^^~]+", text):
        yield part.strip("^~") if part[0] in "^~" else part, part[0] == "^", part[0] == "~"


def numbered(block):
    """The items of a list with their numbers."""
    numbers = "1234" if block["style"][0] == "1" else "abcd"
    return [(f"{number}{block['style'][1]}", text) for number, text in zip(numbers, block["items"])]


# ReportLab


def reportlab(handbook, out):
    from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
    from reportlab.lib.units import mm
    from reportlab.platypus import ListFlowable, PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

    styles = getSampleStyleSheet()
    text = ParagraphStyle("text", fontName="Times-Roman", fontSize=11, leading=14, alignment=TA_JUSTIFY, spaceAfter=5)
    small = ParagraphStyle("small", parent=text, fontSize=8.5, leading=10, alignment=0)
    cell = ParagraphStyle("cell", parent=text, alignment=0, spaceAfter=0)
    width = A4[0] - 44 * mm

    def inline(words):
        return re.sub(r"~(.*?)~", r"<strike>\1</strike>", re.sub(r"\^(.*?)\^", r"<super>\1</super>", words))

    def table(block):
        heads = [[Paragraph(f"<b>{words}</b>", cell) if words else "" for words, span in head for words in [words, *[""] * (span - 1)]] for head in block["heads"]]
        rows = [[Paragraph(inline(words), cell) for words in row] for row in block["rows"]]
        last = len(heads) - 1
        look = {
            "grid": [("GRID", (0, 0), (-1, -1), 0.5, "black")],
            "none": [],
            "frame": [("BOX", (0, 0), (-1, -1), 0.7, "black"), ("LINEBELOW", (0, last), (-1, last), 0.7, "black"), ("LINEAFTER", (0, 0), (-2, -1), 0.7, "black")],
        }[block["look"]]
        for place, head in enumerate(block["heads"]):
            column = 0
            for _, span in head:
                look.append(("SPAN", (column, place), (column + span - 1, place)))
                column += span
        widths = [width * share / 100 for share in block["widths"]]
        return Table(heads + rows, colWidths=widths, repeatRows=len(heads), style=[("VALIGN", (0, 0), (-1, -1), "TOP"), *look])

    def beside(left, right, shares):
        return Table([[left, right]], colWidths=[width * share for share in shares], style=[("VALIGN", (0, 0), (-1, -1), "TOP")])

    story = []
    for block in handbook["blocks"]:
        kind = block["kind"]
        if kind in ("title", "heading"):
            story.append(Paragraph(block["text"], styles["Title" if kind == "title" else f"Heading{block['level']}"]))
        elif kind == "paragraph":
            story.append(Paragraph(inline(block["text"]), text))
        elif kind == "table":
            story.append(table(block))
            if "caption" in block:
                story.append(Paragraph(block["caption"], ParagraphStyle("caption", parent=small, alignment=TA_CENTER, spaceBefore=4)))
            story.append(Spacer(1, 8))
        elif kind == "notes":
            story.append(Spacer(1, 250))
            story += [Paragraph(f"<super>{mark}</super> {words}", small) for mark, words in block["notes"]]
        elif kind == "page":
            story.append(PageBreak())
        elif kind == "columns":
            story.append(beside(*([Paragraph(words, text) for words in block[side]] for side in ("left", "right")), (0.5, 0.5)))
        elif kind == "aside":
            story.append(beside(Paragraph(block["beside"], text), Paragraph(block["text"], small), (0.72, 0.28)))
        elif kind == "list":
            style = block["style"]
            items = [Paragraph(words, cell) for words in block["items"]]
            story.append(ListFlowable(items, bulletType=style[0], bulletFormat=f"%s{style[1]}", leftIndent=20))
        elif kind == "formula":
            made = "".join(f"<super>{words}</super>" if is_raised else f"<i>{words}</i>" if is_slanted else words for words, is_slanted, is_raised in block["parts"])
            story.append(Paragraph(made, ParagraphStyle("formula", parent=text, alignment=TA_CENTER)))

    def head(canvas, document):
        canvas.setFont("Helvetica", 9)
        canvas.drawCentredString(A4[0] / 2, A4[1] - 14 * mm, f"{handbook['running']} {document.page}")

    SimpleDocTemplate(str(out), pagesize=A4, leftMargin=22 * mm, rightMargin=22 * mm, topMargin=25 * mm).build(story, onFirstPage=head, onLaterPages=head)


# fpdf2


def fpdf2(handbook, out):
    from fpdf import FPDF
    from fpdf.enums import TableBordersLayout
    from fpdf.fonts import FontFace

    class Handbook(FPDF):
        def header(self):
            self.set_font("helvetica", size=9)
            self.cell(0, 6, f"{handbook['running']} {self.page_no()}", align="C", new_x="LMARGIN", new_y="NEXT")
            self.ln(6)
            self.set_font("times", size=11)

    pdf = Handbook(format="A4")
    pdf.set_margins(22, 12)
    pdf.add_page()

    def write(text, size=11):
        for words, is_raised, is_struck in pieces(text):
            pdf.char_vpos = "SUP" if is_raised else "LINE"
            pdf.set_font("times", style="S" if is_struck else "", size=size)
            pdf.write(5.2, words)
        pdf.char_vpos = "LINE"
        pdf.set_font("times", size=11)
        pdf.ln(7)

    def table(block):
        look = {"grid": "ALL", "none": "NONE", "frame": TableBordersLayout.SINGLE_TOP_LINE}[block["look"]]
        pdf.set_font("times", size=11)
        with pdf.table(col_widths=tuple(block["widths"]), borders_layout=look, num_heading_rows=len(block["heads"]), line_height=5.2,
                       headings_style=FontFace(emphasis="BOLD"), text_align="LEFT", padding=1, v_align="TOP") as made:
            top = pdf.get_y()
            for head in block["heads"]:
                row = made.row()
                for words, span in head:
                    row.cell(words, colspan=span)
            for cells in block["rows"]:
                row = made.row()
                for words in cells:
                    # A cell has no raised digits of its own: those of the character set take their place.
                    row.cell(re.sub(r"\^(.)\^", lambda found: "⁰¹²³"[int(found[1])], words))
        if block["look"] == "frame":
            pdf.rect(22, top, pdf.w - 44, pdf.get_y() - top)
        pdf.ln(3)

    for block in handbook["blocks"]:
        kind = block["kind"]
        if kind in ("title", "heading"):
            pdf.set_font("times", style="B", size=22 if kind == "title" else 20 - 3 * block["level"])
            pdf.ln(2)
            pdf.multi_cell(0, 8, block["text"], align="L", new_x="LMARGIN", new_y="NEXT")
            pdf.ln(1)
            pdf.set_font("times", size=11)
        elif kind == "paragraph":
            if re.search("[~^]", block["text"]):
                write(block["text"])
            else:
                pdf.multi_cell(0, 5.2, block["text"], align="J", new_x="LMARGIN", new_y="NEXT")
                pdf.ln(2)
        elif kind == "table":
            table(block)
            if "caption" in block:
                pdf.set_font("times", style="I", size=9)
                pdf.cell(0, 5, block["caption"], align="C", new_x="LMARGIN", new_y="NEXT")
                pdf.set_font("times", size=11)
                pdf.ln(3)
        elif kind == "notes":
            pdf.set_y(-50)
            for mark, words in block["notes"]:
                write(f"^{mark}^ {words}", 9)
        elif kind == "page":
            pdf.add_page()
        elif kind == "columns":
            with pdf.text_columns(ncols=2, gutter=8, text_align="J") as columns:
                columns.write("\n\n".join(block["left"]))
                columns.new_column()
                columns.write("\n\n".join(block["right"]))
            pdf.ln(10)
        elif kind == "aside":
            top, page_width = pdf.get_y(), pdf.w
            pdf.set_font("times", size=8.5)
            pdf.set_xy(page_width - 60, top)
            pdf.multi_cell(38, 4, block["text"], align="L", new_x="LMARGIN", new_y="NEXT")
            pdf.set_font("times", size=11)
            pdf.set_xy(22, top)
            pdf.multi_cell(page_width - 44 - 45, 5.2, block["beside"], align="J", new_x="LMARGIN", new_y="NEXT")
            pdf.ln(2)
        elif kind == "list":
            for number, words in numbered(block):
                pdf.set_x(28)
                pdf.cell(8, 5.5, number)
                pdf.multi_cell(0, 5.5, words, new_x="LMARGIN", new_y="NEXT")
            pdf.ln(2)
        elif kind == "formula":
            pdf.set_x(90)
            for words, is_slanted, is_raised in block["parts"]:
                pdf.char_vpos = "SUP" if is_raised else "LINE"
                pdf.set_font("times", style="I" if is_slanted else "", size=11)
                pdf.write(5.2, words)
            pdf.char_vpos = "LINE"
            pdf.set_font("times", size=11)
            pdf.ln(7)
    pdf.output(str(out))


# Word, printed by LibreOffice


def word(handbook, out):
    from docx import Document
    from docx.enum.section import WD_SECTION
    from docx.enum.text import WD_BREAK
    from docx.oxml import OxmlElement, parse_xml
    from docx.oxml.ns import nsdecls, qn
    from docx.shared import Mm, Pt

    document = Document()
    body = document.sections[0]
    body.page_width, body.page_height = Mm(210), Mm(297)
    body.left_margin = body.right_margin = Mm(22)
    document.styles["Normal"].font.name, document.styles["Normal"].font.size = "Liberation Serif", Pt(11)
    head = body.header.paragraphs[0]
    head.alignment = 1
    head.add_run(f"{handbook['running']} ")
    for kind, text in (("begin", None), (None, "PAGE"), ("end", None)):
        run = head.add_run()
        mark = OxmlElement("w:fldChar" if kind else "w:instrText")
        if kind:
            mark.set(qn("w:fldCharType"), kind)
        else:
            mark.text = text
        run._r.append(mark)

    def write(paragraph, text):
        for words, is_raised, is_struck in pieces(text):
            run = paragraph.add_run(words)
            run.font.superscript, run.font.strike = is_raised or None, is_struck or None
        return paragraph

    def table(block):
        made = document.add_table(rows=0, cols=len(block["widths"]))
        made.autofit = False
        if block["look"] == "grid":
            made.style = "Table Grid"
        if block["look"] == "frame":
            sides = "".join(f'<w:{side} w:val="single" w:sz="6" w:color="000000"/>' for side in ("top", "left", "bottom", "right", "insideV"))
            made._tbl.tblPr.append(parse_xml(f"<w:tblBorders {nsdecls('w')}>{sides}</w:tblBorders>"))
        for head in block["heads"]:
            row = made.add_row()
            # Repeated on each page.
            row._tr.get_or_add_trPr().append(parse_xml(f'<w:tblHeader {nsdecls("w")}/>'))
            column = 0
            for words, span in head:
                cell = row.cells[column].merge(row.cells[column + span - 1])
                cell.paragraphs[0].add_run(words).bold = True
                column += span
        for cells in block["rows"]:
            for place, cell in zip(cells, made.add_row().cells):
                write(cell.paragraphs[0], place)
        for row in made.rows:
            for share, cell in zip(block["widths"], row.cells):
                cell.width = Mm(166 * share / 100)
                cell.paragraphs[0].paragraph_format.space_after = Pt(0)
        if "caption" in block:
            document.add_paragraph(block["caption"], style="Caption")

    def in_columns(section, count):
        section._sectPr.xpath("./w:cols")[0].set(qn("w:num"), str(count))

    for block in handbook["blocks"]:
        kind = block["kind"]
        if kind in ("title", "heading"):
            document.add_heading(block["text"], 0 if kind == "title" else block["level"])
        elif kind == "paragraph":
            write(document.add_paragraph(), block["text"])
        elif kind == "table":
            table(block)
        elif kind == "notes":
            for mark, words in block["notes"]:
                write(document.add_paragraph(), f"^{mark}^ {words}").paragraph_format.space_after = Pt(0)
        elif kind == "page":
            document.add_page_break()
        elif kind == "columns":
            section = document.add_section(WD_SECTION.CONTINUOUS)
            in_columns(section, 2)
            for words in block["left"]:
                document.add_paragraph(words)
            document.paragraphs[-1].add_run().add_break(WD_BREAK.COLUMN)
            for words in block["right"]:
                document.add_paragraph(words)
            in_columns(document.add_section(WD_SECTION.CONTINUOUS), 1)
        elif kind == "aside":
            note = document.add_paragraph(block["text"])
            frame = 'w:w="2400" w:hSpace="180" w:wrap="around" w:vAnchor="text" w:hAnchor="margin" w:xAlign="right" w:y="1"'
            note._p.get_or_add_pPr().append(parse_xml(f"<w:framePr {nsdecls('w')} {frame}/>"))
            note.runs[0].font.size = Pt(8.5)
            document.add_paragraph(block["beside"])
        elif kind == "list" and block["style"] == "1.":
            for words in block["items"]:
                document.add_paragraph(words, style="List Number")
        elif kind == "list":
            for number, words in numbered(block):
                document.add_paragraph(f"{number}\t{words}")
        elif kind == "formula":
            made = document.add_paragraph()
            made.alignment = 1
            for words, is_slanted, is_raised in block["parts"]:
                run = made.add_run(words)
                run.italic, run.font.superscript = is_slanted, is_raised or None
    document.save(out)


def libreoffice(handbook, out):
    source = out.with_suffix(".docx")
    word(handbook, source)
    profile = f"-env:UserInstallation=file://{out.parent.resolve()}/office-profile"
    words = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(out.parent), str(source)]
    subprocess.run(words, check=True, capture_output=True, timeout=300)
