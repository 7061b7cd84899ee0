// @ts-check
/**
 * A table of a document as a table. Its rows also stand in the document's text,
 * written out one by one; what is marked there is marked in the cells here.
 */

/** @import { Span, Table, TableRow } from "./pkg/core/campanile_core.js" */

import { element, within } from "./text.js";
import { laterWords } from "./later-words.js";

/** Cells that say they are larger are cut: a document may say anything. */
const MOST_SPANNED = 100;

/** Where a table stands in the document's text. @param {Table} table @returns {Span} */
export const tableRange = ({ lines }) => ({
  start: lines[0]?.span.start ?? 0,
  end: lines.at(-1)?.span.end ?? 0,
});

/**
 * The table's heads and those of its rows that lie within `shown`.
 * @param {Table} table
 * @param {boolean} captionIsShown  whether the paragraph before the table is its caption
 * @param {Span} shown
 * @param {Span | null} passage
 * @param {Span | null} sentence
 */
export function renderTable(table, captionIsShown, shown, passage, sentence) {
  /** @type {Map<number, "sentence" | "passage" | "">} */
  const marks = new Map();
  for (const { row, span } of table.lines) {
    const { start, end } = span;
    if (end <= shown.start || start >= shown.end) continue;
    const mark = within(sentence, start, end) ? "sentence" : within(passage, start, end) ? "passage" : "";
    if (mark === "sentence" || !marks.get(row)) marks.set(row, mark);
  }
  const body = element("tbody");
  const head = element("thead");
  table.rows.forEach((row, number) => {
    const mark = marks.get(number);
    if (mark !== undefined) body.append(renderRow(row, mark));
    else if (row.is_head) head.append(renderRow(row, ""));
  });
  const caption = table.caption && !captionIsShown ? element("caption", {}, table.caption) : null;
  // A wide table scrolls by itself, by keyboard too, so that the page does not.
  return element(
    "div",
    { class: "reader-table", role: "region", tabindex: 0, "aria-label": table.caption || laterWords.reader.table },
    element("table", {}, caption, ...(head.hasChildNodes() ? [head] : []), body),
  );
}

/**
 * @param {TableRow} row
 * @param {"sentence" | "passage" | ""} mark
 */
function renderRow({ cells, is_head }, mark) {
  return element(
    "tr",
    {},
    ...cells.map((cell) => {
      const isHeader = cell.is_header || is_head;
      const text =
        mark && cell.text
          ? element(
              "mark",
              { class: "passage" },
              mark === "sentence" ? element("mark", { class: "sentence" }, cell.text) : cell.text,
            )
          : cell.text;
      return element(
        isHeader ? "th" : "td",
        {
          scope: isHeader ? (is_head ? "col" : "row") : null,
          colspan: cell.columns > 1 ? Math.min(cell.columns, MOST_SPANNED) : null,
          rowspan: cell.rows > 1 ? Math.min(cell.rows, MOST_SPANNED) : null,
        },
        text,
      );
    }),
  );
}
