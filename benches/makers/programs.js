// The handbook from programs for Node.js: node programs.js MAKER HANDBOOK.json OUT.pdf
//
// MAKER is `jspdf`, `pdfmake`, `pdfkit` or `react-pdf`. The packages are found beside the folder that it runs in.

const fs = require("node:fs");
const path = require("node:path");
const { createRequire } = require("node:module");

const load = createRequire(path.join(process.cwd(), "package.json"));
const [maker, source, out] = process.argv.slice(2);
const handbook = JSON.parse(fs.readFileSync(source, "utf8"));

const MARGIN = 62;
const WIDTH = 595 - 2 * MARGIN;

/** A text as its pieces: the words, whether they are raised and whether they are struck. */
function pieces(text) {
  return text.match(/\^.*?\^|~.*?~|[^^~]+/g).map((part) => ({
    text: part.replace(/[\^~]/g, ""),
    raised: part[0] === "^",
    struck: part[0] === "~",
  }));
}

/** The pieces of a formula. */
function symbols(block) {
  return block.parts.map(([text, slanted, raised]) => ({ text, slanted, raised }));
}

/** The items of a list with their numbers. */
function numbered(block) {
  return block.items.map((text, place) => [(block.style[0] === "a" ? "abcd" : "1234")[place] + block.style[1], text]);
}

async function pdfmake() {
  const PdfPrinter = load("pdfmake/js/Printer").default;
  const fonts = { Times: { normal: "Times-Roman", bold: "Times-Bold", italics: "Times-Italic", bolditalics: "Times-BoldItalic" } };
  const inline = (text) =>
    pieces(text).map((piece) => ({
      text: piece.text,
      ...(piece.raised && { sup: true }),
      ...(piece.struck && { decoration: "lineThrough" }),
    }));
  const layout = {
    grid: {},
    none: "noBorders",
    frame: {
      hLineWidth: (line, node) => (line <= node.table.headerRows || line === node.table.body.length ? 0.7 : 0),
    },
  };
  const table = (block) => {
    const heads = block.heads.map((head) =>
      head.flatMap(([text, span]) => [{ text, bold: true, colSpan: span }, ...Array(span - 1).fill("")]),
    );
    const rows = block.rows.map((row) => row.map((text) => ({ text: inline(text) })));
    const body = [...heads, ...rows];
    const widths = block.widths.map((share) => `${share - 3}%`);
    return [
      { table: { headerRows: heads.length, widths, body }, layout: layout[block.look], margin: [0, 4, 0, 4] },
      ...(block.caption ? [{ text: block.caption, fontSize: 9, alignment: "center", margin: [0, 0, 0, 6] }] : []),
    ];
  };
  let breaks = {};
  const content = handbook.blocks.flatMap((block) => {
    const made = {
      title: () => ({ text: block.text, fontSize: 22, bold: true }),
      heading: () => ({ text: block.text, fontSize: 20 - 3 * block.level, bold: true, margin: [0, 8, 0, 4], ...breaks }),
      paragraph: () => ({ text: inline(block.text), alignment: "justify", margin: [0, 2, 0, 4] }),
      table: () => table(block),
      notes: () => block.notes.map(([mark, text]) => ({ text: [{ text: mark, sup: true }, ` ${text}`], fontSize: 9 })),
      page: () => [],
      columns: () => ({
        columns: [block.left, block.right].map((texts) => texts.map((text) => ({ text, alignment: "justify" }))),
        columnGap: 20,
      }),
      aside: () => ({ columns: [{ text: block.beside, width: "72%" }, { text: block.text, fontSize: 8.5, width: "28%" }], columnGap: 12 }),
      list: () => ({ ol: block.items, ...(block.style[0] === "a" && { type: "lower-alpha", separator: ")" }), margin: [0, 2, 0, 4] }),
      formula: () => ({
        text: symbols(block).map((one) => ({ text: one.text, italics: one.slanted, ...(one.raised && { sup: true }) })),
        alignment: "center",
      }),
    }[block.kind]();
    breaks = block.kind === "page" ? { pageBreak: "before" } : block.kind === "heading" ? {} : breaks;
    return made;
  });
  const header = (page) => ({ text: `${handbook.running} ${page}`, alignment: "center", fontSize: 9, margin: [0, 25, 0, 0] });
  const definition = { content, header, pageMargins: [MARGIN, 70], defaultStyle: { font: "Times", fontSize: 11 } };
  const virtualfs = load("pdfmake/js/virtual-fs").default;
  const URLResolver = load("pdfmake/js/URLResolver").default;
  const document = await new PdfPrinter(fonts, virtualfs, new URLResolver(virtualfs)).createPdfKitDocument(definition);
  await written(document);
}

function written(document) {
  return new Promise((resolve) => {
    document.pipe(fs.createWriteStream(out)).on("finish", resolve);
    document.end();
  });
}

async function pdfkit() {
  const PDFDocument = load("pdfkit");
  const pdf = new PDFDocument({ size: "A4", margins: { top: 70, bottom: 62, left: MARGIN, right: MARGIN } });
  let page = 0;
  const head = () => {
    page += 1;
    pdf.font("Times-Roman", 9).text(`${handbook.running} ${page}`, MARGIN, 30, { width: WIDTH, align: "center", lineBreak: false });
    pdf.font("Times-Roman", 11);
    [pdf.x, pdf.y] = [MARGIN, 70];
  };
  head();
  pdf.on("pageAdded", head);
  // Raised text is smaller and moved up, as its users do it.
  const write = (parts, options = {}) => {
    parts.forEach((part, place) => {
      const continued = place < parts.length - 1;
      pdf.font(part.slanted ? "Times-Italic" : "Times-Roman", part.raised ? 6.5 : 11);
      pdf.text(part.text, { ...options, continued, strike: Boolean(part.struck), ...(part.raised && { rise: 4 }) });
    });
    pdf.font("Times-Roman", 11).moveDown(0.5);
  };
  for (const block of handbook.blocks) {
    const { kind } = block;
    if (kind === "title" || kind === "heading") {
      pdf.font("Times-Bold", kind === "title" ? 22 : 20 - 3 * block.level).moveDown(0.3);
      pdf.text(block.text, MARGIN).moveDown(0.3).font("Times-Roman", 11);
    } else if (kind === "paragraph") {
      write(pieces(block.text));
    } else if (kind === "table") {
      const look = { grid: 0.6, none: 0, frame: { left: 0.6, right: 0.6, top: 0, bottom: 0 } }[block.look];
      const top = pdf.y;
      const around = block.look === "frame" && { border: { top: 0.6, bottom: 0.6, left: 0.6, right: 0.6 } };
      const bold = { font: { src: "Times-Bold" }, ...around };
      const heads = block.heads.map((row) => row.map(([text, colSpan]) => ({ text, colSpan, ...bold })));
      const rows = block.rows.map((row) => row.map((text) => text.replace(/\^(.)\^/, (_, mark) => "⁰¹²³"[mark])));
      const table = pdf.table({
        columnStyles: block.widths.map((share) => ({ width: (WIDTH * share) / 100, border: look, padding: 3 })),
      });
      for (const cells of [...heads, ...rows]) table.row(cells);
      table.end();
      if (around) pdf.rect(MARGIN, top, WIDTH, pdf.y - top).lineWidth(0.6).stroke();
      pdf.x = MARGIN;
      pdf.moveDown(0.4);
      if (block.caption) {
        pdf.fontSize(9).text(block.caption, { width: WIDTH, align: "center" }).fontSize(11).moveDown(0.5);
      }
    } else if (kind === "notes") {
      pdf.y = 690;
      for (const [mark, text] of block.notes) {
        pdf.font("Times-Roman", 6).text(mark, { continued: true, rise: 3 }).fontSize(9).text(` ${text}`, { rise: 0 });
      }
      pdf.fontSize(11);
    } else if (kind === "page") {
      pdf.addPage();
    } else if (kind === "columns") {
      const { y } = pdf;
      const options = { width: (WIDTH - 20) / 2, align: "justify" };
      pdf.text(block.left.join("\n"), MARGIN, y, options);
      const below = pdf.y;
      pdf.text(block.right.join("\n"), MARGIN + (WIDTH + 20) / 2, y, options);
      [pdf.x, pdf.y] = [MARGIN, Math.max(below, pdf.y)];
      pdf.moveDown(0.5);
    } else if (kind === "aside") {
      const { y } = pdf;
      pdf.fontSize(8.5).text(block.text, MARGIN + WIDTH - 105, y, { width: 105 }).fontSize(11);
      pdf.text(block.beside, MARGIN, y, { width: WIDTH - 120, align: "justify" }).moveDown(0.5);
    } else if (kind === "list") {
      for (const [number, text] of numbered(block)) {
        const { y } = pdf;
        pdf.text(number, MARGIN + 14, y).text(text, MARGIN + 34, y);
      }
      pdf.x = MARGIN;
      pdf.moveDown(0.5);
    } else if (kind === "formula") {
      pdf.x = 260;
      write(symbols(block));
      pdf.x = MARGIN;
    }
  }
  await written(pdf);
}

async function jspdf() {
  const { jsPDF } = load("jspdf");
  const { autoTable } = load("jspdf-autotable");
  const pdf = new jsPDF({ unit: "pt", format: "a4" });
  let y = 80;
  const font = (size = 11, style = "normal") => pdf.setFont("times", style).setFontSize(size);
  const head = (page) => {
    font(9).text(`${handbook.running} ${page}`, 297, 40, { align: "center" });
    font();
  };
  // It breaks lines of plain text; text with marks is set word by word.
  const flow = (parts, left, width, size = 11, leading = 15) => {
    let x = left;
    for (const part of parts) {
      for (const word of part.text.split(/(?<= )/)) {
        font(part.raised ? size * 0.6 : size, part.slanted ? "italic" : "normal");
        const wide = pdf.getTextWidth(word);
        if (x + pdf.getTextWidth(word.trimEnd()) > left + width) {
          x = left;
          y += leading;
        }
        pdf.text(word, x, y - (part.raised ? size * 0.35 : 0));
        if (part.struck) pdf.setLineWidth(0.6).line(x, y - size * 0.26, x + wide, y - size * 0.26);
        x += wide;
      }
    }
    y += leading + 4;
    font();
  };
  const plain = (text, left, width, size = 11) => flow([{ text }], left, width, size, size * 1.35);
  head(1);
  for (const block of handbook.blocks) {
    const { kind } = block;
    if (kind === "title" || kind === "heading") {
      y += 6;
      font(kind === "title" ? 22 : 20 - 3 * block.level, "bold").text(block.text, MARGIN, y);
      y += 20;
      font();
    } else if (kind === "paragraph") {
      flow(pieces(block.text), MARGIN, WIDTH);
    } else if (kind === "table") {
      const heads = block.heads.map((row) => row.map(([content, colSpan]) => ({ content, colSpan })));
      const body = block.rows.map((row) => row.map((text) => text.replace(/\^(.)\^/, (_, mark) => "⁰¹²³"[mark])));
      const width = { grid: 0.5, none: 0, frame: { left: 0.6, right: 0.6, top: 0, bottom: 0 } }[block.look];
      autoTable(pdf, {
        head: heads,
        body,
        startY: y,
        margin: { left: MARGIN, right: MARGIN, top: 70 },
        theme: "plain",
        styles: { font: "times", fontSize: 11, lineWidth: width, lineColor: 0, cellPadding: 3, valign: "top" },
        headStyles: block.look === "frame" ? { lineWidth: 0.6 } : {},
        ...(block.look === "frame" && { tableLineWidth: 0.6, tableLineColor: 0 }),
        columnStyles: Object.fromEntries(block.widths.map((share, place) => [place, { cellWidth: (WIDTH * share) / 101 }])),
        didDrawPage: ({ pageNumber }) => pageNumber > 1 && head(pdf.getNumberOfPages()),
      });
      y = pdf.lastAutoTable.finalY + 16;
      if (block.caption) {
        font(9).text(block.caption, 297, y, { align: "center" });
        y += 20;
        font();
      }
    } else if (kind === "notes") {
      y = 730;
      for (const [mark, text] of block.notes) {
        flow([{ text: mark, raised: true }, { text: ` ${text}` }], MARGIN, WIDTH, 9, 10);
      }
    } else if (kind === "page") {
      pdf.addPage();
      head(pdf.getNumberOfPages());
      y = 80;
    } else if (kind === "columns") {
      const top = y;
      plain(block.left.join(" "), MARGIN, (WIDTH - 20) / 2);
      const below = y;
      y = top;
      plain(block.right.join(" "), MARGIN + (WIDTH + 20) / 2, (WIDTH - 20) / 2);
      y = Math.max(y, below);
    } else if (kind === "aside") {
      const top = y;
      plain(block.text, MARGIN + WIDTH - 105, 105, 8.5);
      y = top;
      plain(block.beside, MARGIN, WIDTH - 120);
    } else if (kind === "list") {
      for (const [number, text] of numbered(block)) {
        pdf.text(number, MARGIN + 14, y).text(text, MARGIN + 34, y);
        y += 16;
      }
      y += 4;
    } else if (kind === "formula") {
      flow(symbols(block), 270, 200);
    }
  }
  fs.writeFileSync(out, Buffer.from(pdf.output("arraybuffer")));
}

async function reactPdf() {
  const React = load("react");
  const { Document, Page, Text, View, renderToFile } = await import(load.resolve("@react-pdf/renderer"));
  const create = React.createElement;
  const inline = (parts) =>
    parts.map((part, key) =>
      create(
        Text,
        {
          key,
          style: {
            ...(part.raised && { fontSize: 7, verticalAlign: "super" }),
            ...(part.struck && { textDecoration: "line-through" }),
            ...(part.slanted && { fontFamily: "Times-Italic" }),
          },
        },
        part.text,
      ),
    );
  const text = (content, style = {}, more = {}) => create(Text, { style, ...more }, content);
  const table = (block) => {
    const cell = {
      grid: { border: "0.5pt solid black" },
      none: {},
      frame: { borderLeft: "0.6pt solid black", borderRight: "0.6pt solid black" },
    }[block.look];
    const row = (cells, style, key, fixed) =>
      create(
        View,
        { key, fixed, wrap: false, style: { flexDirection: "row" } },
        cells.map(([parts, width], place) =>
          create(View, { key: place, style: { width: `${width}%`, padding: 3, ...cell, ...style } }, create(Text, {}, inline(parts))),
        ),
      );
    const under = block.look === "frame" ? { borderBottom: "0.6pt solid black" } : {};
    const heads = block.heads.map((head, key) => {
      let column = 0;
      const cells = head.map(([content, span]) => {
        const width = block.widths.slice(column, column + span).reduce((sum, share) => sum + share, 0);
        column += span;
        return [[{ text: content }], width];
      });
      return row(cells, { fontFamily: "Times-Bold", ...under }, `head ${key}`, Boolean(block.long));
    });
    const rows = block.rows.map((cells, key) => row(cells.map((one, place) => [pieces(one), block.widths[place]]), {}, key, false));
    const frame = block.look === "frame" ? { border: "0.6pt solid black" } : {};
    return [
      create(View, { style: { marginVertical: 6, ...frame } }, [...heads, ...rows]),
      ...(block.caption ? [text(block.caption, { fontSize: 9, textAlign: "center", marginBottom: 6 })] : []),
    ];
  };
  const made = {
    title: (block) => text(block.text, { fontSize: 22, fontFamily: "Times-Bold" }),
    heading: (block) => text(block.text, { fontSize: 20 - 3 * block.level, fontFamily: "Times-Bold", marginTop: 8, marginBottom: 4 }),
    paragraph: (block) => text(inline(pieces(block.text)), { marginBottom: 6, textAlign: "justify" }),
    table,
    notes: (block) =>
      create(
        View,
        { style: { marginTop: 220 } },
        block.notes.map(([mark, words], key) =>
          text(inline([{ text: mark, raised: true }, { text: ` ${words}` }]), { fontSize: 9 }, { key }),
        ),
      ),
    columns: (block) =>
      create(
        View,
        { style: { flexDirection: "row", gap: 20 } },
        [block.left, block.right].map((texts, key) => text(texts.join("\n"), { flex: 1, textAlign: "justify" }, { key })),
      ),
    aside: (block) =>
      create(View, { style: { flexDirection: "row", gap: 14 } }, [
        text(block.beside, { width: "73%", textAlign: "justify" }, { key: 0 }),
        text(block.text, { width: "24%", fontSize: 8.5 }, { key: 1 }),
      ]),
    list: (block) =>
      numbered(block).map(([number, words], key) =>
        create(View, { key, style: { flexDirection: "row", marginLeft: 14 } }, [
          text(number, { width: 20 }, { key: 0 }),
          text(words, { flex: 1 }, { key: 1 }),
        ]),
      ),
    formula: (block) => text(inline(symbols(block)), { textAlign: "center", marginVertical: 6 }),
  };
  const pages = [[]];
  for (const block of handbook.blocks) {
    if (block.kind === "page") pages.push([]);
    else pages.at(-1).push(...[made[block.kind](block)].flat());
  }
  const head = () =>
    create(Text, {
      fixed: true,
      key: "head",
      style: { position: "absolute", top: 30, left: 0, right: 0, textAlign: "center", fontSize: 9 },
      render: ({ pageNumber }) => `${handbook.running} ${pageNumber}`,
    });
  const style = { paddingHorizontal: MARGIN, paddingVertical: 70, fontFamily: "Times-Roman", fontSize: 11 };
  const sheets = pages.map((blocks, key) =>
    create(Page, { key, size: "A4", style }, [head(), ...blocks.map((one, place) => create(View, { key: place }, one))]),
  );
  await renderToFile(create(Document, {}, sheets), out);
}

const makers = { jspdf, pdfmake, pdfkit, "react-pdf": reactPdf };
makers[maker]().catch((error) => {
  console.error(error);
  process.exit(1);
});
