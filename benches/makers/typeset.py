"""The handbook for typesetters: Typst, the three engines of LaTeX, pandoc, groff and Apache FOP."""

import re
import subprocess


def run(*words, folder, **how):
    """Runs a program in a folder; what it says is seen where it fails."""
    done = subprocess.run(list(map(str, words)), cwd=folder, capture_output=True, timeout=300, **how)
    if done.returncode != 0:
        raise RuntimeError((done.stdout + done.stderr).decode("utf-8", "replace")[-900:])
    return done.stdout


def notes_of(handbook):
    """The notes by their marks."""
    return dict(note for block in handbook["blocks"] if block["kind"] == "notes" for note in block["notes"])


def marked(text, note, struck):
    """A text with its marks and what is struck, each made by a function."""
    text = re.sub(r"~(.*?)~", lambda found: struck(found[1]), text)
    return re.sub(r"\^(.*?)\^", lambda found: note(found[1]), text)


# Typst


def typst_source(handbook):
    notes = notes_of(handbook)

    def inline(text):
        return marked(text, lambda mark: f"#footnote[{notes[mark]}]", lambda words: f"#strike[{words}]")

    yield f"""#set page(paper: "a4", margin: (x: 22mm, y: 25mm), header: context align(center,
      text(9pt)[{handbook["running"]} #counter(page).display()]))
    #set text(lang: "en", size: 11pt)
    #set par(justify: true)
    #set table.hline(stroke: 0.6pt)"""
    for block in handbook["blocks"]:
        kind = block["kind"]
        if kind == "title":
            yield f'#text(20pt, weight: "bold")[{block["text"]}]'
        elif kind == "heading":
            # Its own `1.2` is in the words.
            yield f"#heading(level: {block['level']})[{block['text']}]"
        elif kind == "paragraph":
            yield inline(block["text"])
        elif kind == "table":
            yield typst_table(block, inline)
        elif kind == "page":
            yield "#pagebreak()"
        elif kind == "columns":
            left, right = ("\n\n".join(block[side]) for side in ("left", "right"))
            yield f"#block(columns(2)[{left}\n#colbreak()\n{right}])"
        elif kind == "aside":
            yield f"#pad(right: 28%)[#place(right + top, dx: 46%, block(width: 40%, text(8.5pt)[{block['text']}]))\n{block['beside']}]"
        elif kind == "list":
            items = "".join(f"[{text}]," for text in block["items"])
            yield f'#enum(numbering: "{block["style"]}", {items})'
        elif kind == "formula":
            yield "$ T = 6 n + 10^2 $"


def typst_table(block, inline):
    widths = ", ".join(f"{width}fr" for width in block["widths"])
    look = {"grid": "0.5pt", "none": "none", "frame": "(x, y) => (left: .6pt, right: .6pt, top: if y < 2 {.6pt}, bottom: if y == 0 {.6pt})"}
    heads = "".join(f"table.cell(colspan: {span})[*{text}*]," for head in block["heads"] for text, span in head)
    heads = heads.replace("[**]", "[]")
    rows = "".join(f"[{inline(cell)}]," for row in block["rows"] for cell in row)
    last = "table.hline()," if block["look"] == "frame" else ""
    made = f"table(columns: ({widths}), stroke: {look[block['look']]}, table.header({heads}), {rows} {last})"
    caption = block.get("caption")
    # A figure counts its tables itself; this one is the third of the handbook.
    if caption:
        made = f"figure(caption: [{caption}], supplement: none, numbering: none, {made})"
    return f"#{made}"


def typst(handbook, out):
    import typst as maker

    source = out.with_suffix(".typ")
    source.write_text("\n\n".join(typst_source(handbook)), encoding="utf-8")
    maker.compile(str(source), output=str(out))


# LaTeX


def latex_source(handbook, preamble):
    notes = notes_of(handbook)

    def inline(text):
        return marked(text, lambda mark: rf"\footnote{{{notes[mark]}}}", lambda words: rf"\sout{{{words}}}")

    def in_cell(text):
        return marked(text, lambda mark: r"\footnotemark{}", lambda words: rf"\sout{{{words}}}")

    yield r"\documentclass[11pt,a4paper]{article}" + preamble
    yield r"""\usepackage[english]{babel}\usepackage[margin=25mm,marginparwidth=20mm,right=38mm]{geometry}
    \usepackage[normalem]{ulem}\usepackage{multicol,longtable,array,fancyhdr}\pagestyle{fancy}\fancyhf{}
    \fancyhead[C]{%s \thepage}\setlength{\headheight}{14pt}\setlength{\parindent}{0pt}\setlength{\parskip}{5pt}
    \begin{document}""" % handbook["running"]
    for block in handbook["blocks"]:
        kind = block["kind"]
        if kind == "title":
            yield rf"{{\LARGE\bfseries {block['text']}\par}}"
        elif kind == "heading":
            yield rf"\{'sub' * (block['level'] - 1)}section*{{{block['text']}}}"
        elif kind == "paragraph":
            yield inline(block["text"])
        elif kind == "table":
            yield latex_table(block, in_cell)
            for mark in re.findall(r"\^(.*?)\^", str(block["rows"])):
                yield rf"\footnotetext{{{notes[mark]}}}"
        elif kind == "page":
            yield r"\newpage"
        elif kind == "columns":
            left, right = ("\n\n".join(block[side]) for side in ("left", "right"))
            yield rf"\begin{{multicols}}{{2}}{left}\columnbreak" + "\n\n" + rf"{right}\end{{multicols}}"
        elif kind == "aside":
            yield rf"\marginpar{{\footnotesize\raggedright {block['text']}}}{block['beside']}"
        elif kind == "list":
            style = r"\renewcommand{\labelenumi}{\alph{enumi})}" if block["style"][0] == "a" else ""
            items = "".join(rf"\item {text} " for text in block["items"])
            yield rf"{{{style}\begin{{enumerate}}{items}\end{{enumerate}}}}"
        elif kind == "formula":
            yield r"\[ T = 6n + 10^2 \]"
    yield r"\end{document}"


def latex_table(block, inline):
    look = block["look"]
    rule = {"grid": r"\hline", "none": "", "frame": ""}[look]
    edge = {"grid": "|", "none": "", "frame": "|"}[look]
    columns = "".join(rf"{edge}>{{\raggedright\arraybackslash}}p{{{width * 0.8 / 100:.3f}\linewidth}}" for width in block["widths"])

    def row(cells):
        return " & ".join(cells) + r" \\ " + rule + "\n"

    heads = [
        row(rf"\multicolumn{{{span}}}{{{edge if place == 0 else ''}l{edge}}}{{\textbf{{{text}}}}}" for place, (text, span) in enumerate(head))
        for head in block["heads"]
    ]
    framed = "\\hline\n" if edge else ""
    head = framed + "\n".join(heads) + ("\\hline\n" if look == "frame" else "")
    rows = "\n".join(row(map(inline, cells)) for cells in block["rows"])
    last = r"\hline" if look == "frame" else ""
    if block.get("long"):
        return rf"\begin{{longtable}}{{{columns}{edge}}}{head}\endhead {rows}{last}\end{{longtable}}"
    caption = rf"\par\smallskip{{\small {block['caption']}}}" if "caption" in block else ""
    made = rf"\begin{{tabular}}{{{columns}{edge}}}{head}{rows}{last}\end{{tabular}}"
    return rf"\begin{{center}}{made}{caption}\end{{center}}"


def latex(handbook, out, engine, preamble):
    source = out.with_suffix(".tex")
    source.write_text("\n\n".join(latex_source(handbook, preamble)), encoding="utf-8")
    # Twice: where a note in the margin stands is known after the first time.
    for _ in range(2):
        run(engine, "-interaction=nonstopmode", "-halt-on-error", source.name, folder=out.parent)


def pdflatex(handbook, out):
    latex(handbook, out, "pdflatex", r"\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern}")


def xelatex(handbook, out):
    latex(handbook, out, "xelatex", r"\usepackage{fontspec}")


def lualatex(handbook, out):
    latex(handbook, out, "lualatex", r"\usepackage{fontspec}\setmainfont{DejaVu Serif}")


# pandoc, with its own template of LaTeX


def markdown_source(handbook, struck="~~{}~~"):
    notes = notes_of(handbook)

    def inline(text):
        return marked(text, lambda mark: f"[^{mark}]", struck.format)

    for block in handbook["blocks"]:
        kind = block["kind"]
        if kind == "heading":
            yield f"{'#' * block['level']} {block['text']}"
        elif kind in ("title", "paragraph"):
            yield inline(block["text"]) if kind == "paragraph" else f"**{block['text']}**"
        elif kind == "table":
            yield markdown_table(block, inline)
        elif kind == "notes":
            yield from (f"[^{mark}]: {text}" for mark, text in notes.items())
        elif kind == "page":
            yield "\\newpage"
        elif kind == "columns":
            yield "\\begin{multicols}{2}"
            yield from block["left"]
            yield "\\columnbreak"
            yield from block["right"]
            yield "\\end{multicols}"
        elif kind == "aside":
            yield f"\\marginpar{{\\footnotesize\\raggedright {block['text']}}}{block['beside']}"
        elif kind == "list":
            numbers = "1234" if block["style"][0] == "1" else "abcd"
            yield "\n".join(f"{number}{block['style'][1]} {text}" for number, text in zip(numbers, block["items"]))
        elif kind == "formula":
            yield "$$T = 6n + 10^2$$"


def markdown_table(block, inline):
    # A table of pipes has one row of heads: the groups stand before the names.
    if len(block["heads"]) == 1:
        heads = [text for text, _ in block["heads"][0]]
    else:
        groups = [text for text, span in block["heads"][0] for _ in range(span)]
        heads = [f"{group}: {name}".removeprefix(": ") for group, (name, _) in zip(groups, block["heads"][1])]
    lines = [heads, ["-" * width for width in block["widths"]], *([inline(cell) for cell in row] for row in block["rows"])]
    made = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return made + (f"\n\n{block['caption']}" if "caption" in block else "")


def pandoc(handbook, out):
    source = out.with_suffix(".md")
    source.write_text("\n\n".join(markdown_source(handbook)), encoding="utf-8")
    head = (
        r"\usepackage{multicol,fancyhdr}\pagestyle{fancy}\fancyhf{}\fancyhead[C]{%s \thepage}\setlength{\headheight}{14pt}"
        % handbook["running"]
    )
    words = ["pandoc", source.name, "-o", out.name, "-V", f"header-includes={head}", "-V", "papersize=a4", "-V", "marginparwidth=22mm"]
    run(*words, "-V", "geometry=margin=28mm,right=40mm", folder=out.parent)


# groff, with the macros ms and the preprocessors of tables and formulas


def groff_source(handbook):
    notes = notes_of(handbook)

    def raised(mark):
        return rf"\*{{{mark}\*}}"

    def text(words, with_notes=True):
        # What is struck is drawn over by a line of its width.
        made = marked(words, raised, lambda old: rf"\Z'{old}'\v'-.25m'\l'\w'{old}'u'\v'.25m'")
        yield made
        for mark in re.findall(r"\^(.*?)\^", words) if with_notes else ():
            yield f".FS {mark}\n{notes[mark]}\n.FE"

    yield f'.nr PS 11\n.nr VS 15\n.nr PO 2.2c\n.nr LL 16c\n.nr FM 2.5c\n.ds CH {handbook["running"]} %\n.ds LH\n.ds RH\n.nr HM 2.5c\n.P1'
    yield ".ds CF"
    for block in handbook["blocks"]:
        kind = block["kind"]
        if kind == "title":
            yield f".LP\n.LG\n.B \"{block['text']}\"\n.NL"
        elif kind == "heading":
            yield f".SH {block['level']}\n{block['text']}"
        elif kind == "paragraph":
            yield ".LP"
            yield from text(block["text"])
        elif kind == "table":
            yield groff_table(block, lambda words: next(text(words)))
            for mark in re.findall(r"\^(.*?)\^", str(block["rows"])):
                yield f".FS {mark}\n{notes[mark]}\n.FE"
        elif kind == "page":
            yield ".bp"
        elif kind in ("columns", "aside"):
            left, right = (block["left"], block["right"]) if kind == "columns" else ([block["beside"]], [block["text"]])
            widths = "lw(7.6c) lw(7.6c)." if kind == "columns" else "lw(11c) lw(4c)."
            cells = "\t".join("T{\n" + "\n.sp\n".join(side) + "\nT}" for side in (left, right))
            yield f".LP\n.TS\n;\n{widths}\n{cells}\n.TE"
        elif kind == "list":
            numbers = "1234" if block["style"][0] == "1" else "abcd"
            for number, item in zip(numbers, block["items"]):
                yield f".IP {number}{block['style'][1]}\n{item}"
        elif kind == "formula":
            yield ".EQ\nT = 6 n + 10 sup 2\n.EN"


def groff_table(block, inline):
    look = {"grid": "allbox", "none": "", "frame": "box"}[block["look"]]
    edge = " | " if block["look"] == "frame" else " "
    widths = [f"lw({width * 0.15:.1f}c)" for width in block["widths"]]
    formats = []
    for head in block["heads"]:
        formats.append(" ".join(" ".join(["lb", *["s"] * (span - 1)]) for _, span in head))
    formats.append(edge.join(widths) + ".")
    long = block.get("long")
    rows = ["\t".join(text for text, _ in head) for head in block["heads"]]
    rows += ["_"] if block["look"] == "frame" else []
    rows += [".TH"] if long else []
    rows += ["\t".join(f"T{{\n{inline(cell)}\nT}}" if len(cell) > 20 else inline(cell) for cell in row) for row in block["rows"]]
    # Without a paragraph of its own the text blocks take the font of the heading above.
    made = f".LP\n.TS{' H' if long else ''}\n{look};\n" + "\n".join(formats + rows) + "\n.TE"
    return made + (f"\n.LP\n{block['caption']}" if "caption" in block else "")


def groff(handbook, out):
    source = out.with_suffix(".ms")
    source.write_text("\n".join(groff_source(handbook)) + "\n", encoding="utf-8")
    out.write_bytes(run("groff", "-K", "utf8", "-t", "-e", "-ms", "-Tpdf", "-P-pa4", source.name, folder=out.parent))


# Asciidoctor, which draws with Prawn


def asciidoc_source(handbook):
    notes = notes_of(handbook)

    def inline(text):
        return marked(text, lambda mark: f"footnote:[{notes[mark]}]", lambda words: f"[.line-through]##{words}##")

    yield ":pdf-page-size: A4\n:notitle:\n:doctype: article"
    for block in handbook["blocks"]:
        kind = block["kind"]
        if kind == "title":
            yield f"[.lead]\n*{block['text']}*"
        elif kind == "heading":
            yield f"{'=' * (block['level'] + 1)} {block['text']}"
        elif kind == "paragraph":
            yield inline(block["text"])
        elif kind == "table":
            yield asciidoc_table(block, inline)
        elif kind == "page":
            yield "<<<"
        elif kind in ("columns", "aside"):
            left, right = (block["left"], block["right"]) if kind == "columns" else ([block["beside"]], [block["text"]])
            widths = "1,1" if kind == "columns" else "3,1"
            cells = "\n".join("| " + " ".join(side) for side in (left, right))
            yield f'[cols="{widths}",frame=none,grid=none]\n|===\n{cells}\n|==='
        elif kind == "list":
            style = "loweralpha" if block["style"][0] == "a" else "arabic"
            yield f"[{style}]\n" + "\n".join(f". {text}" for text in block["items"])
        elif kind == "formula":
            made = "".join(f"^{text}^" if is_raised else f"__{text}__" if is_slanted else text for text, is_slanted, is_raised in block["parts"])
            yield f"[.text-center]\n{made}"


def asciidoc_table(block, inline):
    look = {"grid": "frame=all,grid=all", "none": "frame=none,grid=none", "frame": "frame=all,grid=cols"}[block["look"]]
    widths = ",".join(map(str, block["widths"]))
    # One row of heads is repeated on each page; a further one is a row of bold cells.
    heads = ["".join(f"{span}+h|{text} " for text, span in head) for head in block["heads"]]
    rows = [" ".join(f"| {inline(cell)}" for cell in row) for row in block["rows"]]
    caption = f"\n\n{block['caption']}" if "caption" in block else ""
    option = ",options=header" if len(heads) == 1 else ""
    return f'[cols="{widths}",{look}{option}]\n|===\n' + "\n".join(heads + rows) + f"\n|==={caption}"


#: A running head with the number of its page.
ASCIIDOC_THEME = """extends: default
header:
  height: 20mm
  recto: {{ center: {{ content: "{0} {{page-number}}" }} }}
  verso: {{ center: {{ content: "{0} {{page-number}}" }} }}
footer: {{ recto: {{ right: {{ content: "" }} }}, verso: {{ left: {{ content: "" }} }} }}
"""


def asciidoctor(handbook, out):
    source, theme = out.with_suffix(".adoc"), out.with_name("asciidoctor-theme.yml")
    source.write_text("\n\n".join(asciidoc_source(handbook)), encoding="utf-8")
    theme.write_text(ASCIIDOC_THEME.format(handbook["running"]), encoding="utf-8")
    words = ["-a", f"pdf-theme={theme.name}", "-a", "pdf-themesdir=.", "-o", out.name]
    run("asciidoctor-pdf", *words, source.name, folder=out.parent)


# Apache FOP


def fop_source(handbook):
    notes = notes_of(handbook)
    raised = '<fo:inline font-size="60%" baseline-shift="super">{}</fo:inline>'

    def note(mark):
        body = f'<fo:block font-size="9pt" text-align="start">{raised.format(mark)} {notes[mark]}</fo:block>'
        return f"<fo:footnote>{raised.format(mark)}<fo:footnote-body>{body}</fo:footnote-body></fo:footnote>"

    def inline(text, note=note):
        return marked(text, note, lambda words: f'<fo:inline text-decoration="line-through">{words}</fo:inline>')

    span = 'span="all" '
    yield f"""<?xml version="1.0" encoding="utf-8"?><fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format" font-family="Times" font-size="11pt">
    <fo:layout-master-set><fo:simple-page-master master-name="a4" page-width="210mm" page-height="297mm" margin="12mm 22mm">
    <fo:region-body margin-top="13mm" margin-bottom="10mm" column-count="2" column-gap="8mm"/><fo:region-before extent="8mm"/>
    </fo:simple-page-master></fo:layout-master-set><fo:page-sequence master-reference="a4" language="en"><fo:static-content flow-name="xsl-region-before">
    <fo:block text-align="center" font-size="9pt">{handbook["running"]} <fo:page-number/></fo:block></fo:static-content>
    <fo:flow flow-name="xsl-region-body">"""
    breaks = ""
    for block in handbook["blocks"]:
        kind = block["kind"]
        if kind in ("title", "heading"):
            size = 22 if kind == "title" else 19 - 3 * block["level"]
            yield f'<fo:block {span}{breaks}font-size="{size}pt" font-weight="bold" space-before="10pt" space-after="5pt">{block["text"]}</fo:block>'
            breaks = ""
        elif kind == "page":
            breaks = 'break-before="page" '
        elif kind == "paragraph":
            yield f'<fo:block {span}text-align="justify" hyphenate="true" space-before="5pt">{inline(block["text"])}</fo:block>'
        elif kind == "table":
            yield f"<fo:block {span}>{fop_table(block, inline)}</fo:block>"
        elif kind == "columns":
            left, right = ("".join(f'<fo:block text-align="justify">{text}</fo:block>' for text in block[side]) for side in ("left", "right"))
            yield left + f'<fo:block break-before="column">{right}</fo:block>'
        elif kind == "aside":
            beside = f'<fo:block text-align="justify">{block["beside"]}</fo:block>'
            note = f'<fo:block font-size="8.5pt">{block["text"]}</fo:block>'
            cells = f'<fo:table-cell>{beside}</fo:table-cell><fo:table-cell padding-left="5mm">{note}</fo:table-cell>'
            columns = '<fo:table-column column-width="75%"/><fo:table-column column-width="25%"/>'
            body = f"<fo:table-body><fo:table-row>{cells}</fo:table-row></fo:table-body>"
            yield f'<fo:block {span}><fo:table table-layout="fixed" width="100%">{columns}{body}</fo:table></fo:block>'
        elif kind == "list":
            numbers = "1234" if block["style"][0] == "1" else "abcd"
            items = "".join(
                f'<fo:list-item><fo:list-item-label end-indent="label-end()"><fo:block>{number}{block["style"][1]}</fo:block></fo:list-item-label>'
                f'<fo:list-item-body start-indent="body-start()"><fo:block>{text}</fo:block></fo:list-item-body></fo:list-item>'
                for number, text in zip(numbers, block["items"])
            )
            yield f'<fo:block {span}><fo:list-block provisional-distance-between-starts="8mm">{items}</fo:list-block></fo:block>'
        elif kind == "formula":
            made = "".join(
                raised.format(text) if is_raised else f'<fo:inline font-style="italic">{text}</fo:inline>' if is_slanted else text
                for text, is_slanted, is_raised in block["parts"]
            )
            yield f'<fo:block {span}text-align="center" space-before="6pt">{made}</fo:block>'
    yield "</fo:flow></fo:page-sequence></fo:root>"


def fop_table(block, inline):
    look = block["look"]
    cell = {"grid": 'border="0.5pt solid black"', "none": "", "frame": 'border-left="0.5pt solid black" border-right="0.5pt solid black"'}[look]
    columns = "".join(f'<fo:table-column column-width="{width}%"/>' for width in block["widths"])

    def row(cells, more=""):
        made = (
            f'<fo:table-cell padding="3pt" number-columns-spanned="{span}" {cell} {more}><fo:block>{text}</fo:block></fo:table-cell>'
            for text, span in cells
        )
        return f"<fo:table-row>{''.join(made)}</fo:table-row>"

    below = 'border-bottom="0.5pt solid black" font-weight="bold"' if look == "frame" else 'font-weight="bold"'
    heads = "".join(row(head, below) for head in block["heads"])
    rows = "".join(row([(inline(text), 1) for text in cells]) for cells in block["rows"])
    frame = 'border="0.5pt solid black"' if look == "frame" else ""
    table = f'<fo:table table-layout="fixed" width="100%" space-before="6pt" border-collapse="collapse" {frame}>{columns}'
    table += f"<fo:table-header>{heads}</fo:table-header><fo:table-body>{rows}</fo:table-body></fo:table>"
    caption = f'<fo:block font-size="9pt" text-align="center" space-before="4pt">{block["caption"]}</fo:block>' if "caption" in block else ""
    return table + caption


def fop(handbook, out):
    source = out.with_suffix(".fo")
    source.write_text("".join(fop_source(handbook)), encoding="utf-8")
    run("fop", "-q", source.name, out.name, folder=out.parent)
