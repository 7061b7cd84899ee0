// @ts-check
/**
 * A dialog with the whole document, scrolled to the passage. The native
 * `<dialog>` keeps the focus inside and closes on Escape.
 */

/** @import { SectionRecord, Source, SourceDocument, Span, Table } from "./pkg/core/campanile_core.js" */

import { renderTable, tableRange } from "./document-table.js";
import {
  clampRange,
  element,
  headingPath,
  pageName,
  markedText,
  placeInDocument,
  splitAt,
  within,
  withTextFragment,
} from "./text.js";
import { laterWords } from "./later-words.js";
import { words } from "./words.js";

/** Longer documents are shown in part at first: some are books. In UTF-16 units. */
const SHOWN_AT_ONCE = 150_000;

/**
 * @typedef {object} ReaderOptions
 * @property {(chunk: number) => Promise<SourceDocument>} fetch
 * @property {(chunk: number) => void} onClose  gives the focus back
 * @property {URL} site  relative addresses of documents start from its folder
 */

export class PassageReader {
  #title = element("h2", { id: "campanile-reader-title", class: "reader-title", "data-testid": "reader-title" });
  #path = element("p", { class: "reader-path", "data-testid": "reader-path" });
  #body = element("div", {
    class: "reader-body",
    tabindex: 0,
    autofocus: true,
    role: "region",
    "aria-labelledby": "campanile-reader-title",
    "data-testid": "reader-body",
  });
  #foot = element("footer", { class: "reader-foot" });
  /** @type {ReaderOptions} */ #options;
  #chunk = -1;

  /** @param {ReaderOptions} options */
  constructor(options) {
    this.#options = options;
    this.root = element(
      "dialog",
      { class: "reader", part: "reader", "aria-labelledby": "campanile-reader-title", "data-testid": "reader" },
      element(
        "header",
        { class: "reader-head" },
        element("div", { class: "reader-name" }, this.#title, this.#path),
        element(
          "button",
          { class: "icon-button", type: "button", "aria-label": words.close, onclick: () => this.root.close() },
          "×",
        ),
      ),
      this.#body,
      this.#foot,
    );
    this.root.addEventListener("click", (event) => {
      if (event.target === this.root) this.root.close();
    });
    this.root.addEventListener("close", () => {
      this.#body.replaceChildren();
      this.#options.onClose(this.#chunk);
    });
  }

  /**
   * @param {Source} source
   * @param {Span | null} highlight  the answer's sentence within the source's text
   * @param {string | null} language
   */
  async open(source, highlight, language) {
    this.#chunk = source.chunk;
    this.#title.textContent = source.title;
    this.#path.textContent = [headingPath(source), pageName(source)].filter(Boolean).join(" · ");
    this.#path.hidden = this.#path.textContent === "";
    this.#foot.replaceChildren(element("span", { class: "reader-file" }, source.document));
    this.#body.replaceChildren(element("p", { class: "reader-waiting" }, laterWords.reader.opening));
    for (const part of [this.#title, this.#path, this.#body]) {
      if (language) part.lang = language;
    }
    this.root.showModal();
    try {
      const whole = await this.#options.fetch(source.chunk);
      if (this.#isStill(source)) this.#show(whole, source, highlight);
    } catch (error) {
      if (this.#isStill(source)) this.#fail(source, error);
    }
  }

  /** The reader may have closed the dialog or opened another passage meanwhile. @param {Source} source */
  #isStill(source) {
    return this.root.open && this.#chunk === source.chunk;
  }

  /**
   * @param {SourceDocument} whole
   * @param {Source} source
   * @param {Span | null} highlight
   */
  #show(whole, source, highlight) {
    const passage = clampRange(whole.passage, whole.text.length);
    const sentence = passage && sentenceInDocument(whole.text, passage, source.text, highlight);
    const quoted = sentence ?? passage;
    const link = placeInDocument(whole, source, this.#options.site);
    if (link) {
      const target = withTextFragment(link, quoted ? whole.text.slice(quoted.start, quoted.end) : "");
      this.#foot.prepend(
        element(
          "a",
          {
            class: "button",
            href: target,
            target: "_blank",
            rel: "noopener noreferrer",
            "data-testid": "open-document",
          },
          laterWords.reader.open,
          element("span", { class: "visually-hidden" }, laterWords.reader.newTab),
        ),
      );
    }
    this.#render(whole, passage, sentence, around(whole, passage));
    this.#body.querySelector("mark")?.scrollIntoView({ block: "center", behavior: "instant" });
  }

  /**
   * @param {SourceDocument} whole
   * @param {Span | null} passage
   * @param {Span | null} sentence
   * @param {Span} shown
   */
  #render(whole, passage, sentence, shown) {
    const parts = documentParts(whole, shown).map((part) => renderPart(part, whole.text, shown, passage, sentence));
    this.#body.replaceChildren(...parts);
    if (shown.start > 0 || shown.end < whole.text.length) {
      this.#body.prepend(
        element(
          "p",
          { class: "reader-long" },
          laterWords.reader.long,
          element(
            "button",
            {
              class: "link-button",
              type: "button",
              onclick: () => this.#render(whole, passage, sentence, { start: 0, end: whole.text.length }),
            },
            laterWords.reader.all,
          ),
        ),
      );
    }
  }

  /** @param {Source} source @param {unknown} error */
  #fail(source, error) {
    this.#body.replaceChildren(
      element(
        "p",
        { class: "problem", role: "alert" },
        laterWords.reader.failed(error instanceof Error ? error.message : ""),
      ),
      element("p", {}, laterWords.reader.passage),
      element("p", { class: "reader-paragraph" }, element("mark", { class: "passage" }, source.text)),
    );
  }
}

/**
 * The answer's sentence in the coordinates of the whole document; null when
 * the passage does not read the same there.
 * @param {string} text
 * @param {Span} passage
 * @param {string} passageText
 * @param {Span | null} highlight
 */
function sentenceInDocument(text, passage, passageText, highlight) {
  const inside = clampRange(highlight, passageText.length);
  if (!inside || text.slice(passage.start, passage.end) !== passageText) return null;
  return { start: passage.start + inside.start, end: passage.start + inside.end };
}

/** The part of a document to show at first. @param {SourceDocument} whole @param {Span | null} passage */
function around({ text }, passage) {
  if (text.length <= SHOWN_AT_ONCE) return { start: 0, end: text.length };
  const middle = passage?.start ?? 0;
  const start = Math.max(0, Math.min(middle - SHOWN_AT_ONCE / 2, text.length - SHOWN_AT_ONCE));
  const line = text.lastIndexOf("\n", start);
  return { start: Math.max(0, line), end: Math.min(text.length, start + SHOWN_AT_ONCE) };
}

/** @typedef {{ heading: string, level: number } | { table: Table, captionIsShown: boolean } | Span} Part */

/**
 * Headings and paragraphs in order, each paragraph with its place in the text.
 * @param {SourceDocument} whole
 * @param {Span} shown
 * @returns {Part[]}
 */
function documentParts({ sections, text, tables }, shown) {
  /** @type {Part[]} */
  const parts = [];
  const tablesByStart = new Map(tables.map((table) => [tableRange(table).start, table]));
  for (const section of sections.length > 0 ? sections : [wholeText(text)]) {
    if (section.span.end < shown.start || section.span.start > shown.end) continue;
    if (section.heading) parts.push({ heading: section.heading, level: section.level });
    let before = "";
    for (const part of paragraphs(text, section.span)) {
      if (part.end <= shown.start || part.start >= shown.end) continue;
      const table = tablesByStart.get(part.start);
      const isTable = table && tableRange(table).end === part.end;
      parts.push(isTable ? { table, captionIsShown: before === table.caption } : part);
      before = text.slice(part.start, part.end);
    }
  }
  return parts;
}

/** @param {string} text @returns {Pick<SectionRecord, "heading" | "level" | "span">} */
const wholeText = (text) => ({ heading: "", level: 0, span: { start: 0, end: text.length } });

/**
 * The stretches between blank lines.
 * @param {string} text
 * @param {Span} range
 * @returns {Span[]}
 */
export function paragraphs(text, range) {
  const body = text.slice(range.start, range.end);
  return [...body.matchAll(/\S(?:[^\n]|\n(?![^\S\n]*\n))*/gu)].map((found) => ({
    start: range.start + found.index,
    end: range.start + found.index + found[0].trimEnd().length,
  }));
}

/**
 * @param {Part} part
 * @param {string} text
 * @param {Span} shown
 * @param {Span | null} passage
 * @param {Span | null} sentence
 */
function renderPart(part, text, shown, passage, sentence) {
  if ("heading" in part) {
    const tag = /** @type {"h3" | "h4" | "h5" | "h6"} */ (`h${Math.min(6, Math.max(3, part.level + 2))}`);
    return element(tag, { class: "reader-heading" }, part.heading);
  }
  if ("table" in part) return renderTable(part.table, part.captionIsShown, shown, passage, sentence);
  const shownText = text.slice(part.start, part.end);
  const paragraph = element("p", { class: "reader-paragraph" });
  const inPassage = within(passage, part.start, part.end);
  if (!inPassage) {
    paragraph.append(shownText);
    return paragraph;
  }
  const { before, marked, after } = splitAt(shownText, inPassage);
  const inSentence = within(sentence, part.start + inPassage.start, part.start + inPassage.end);
  paragraph.append(before, element("mark", { class: "passage" }, ...markedText(marked, inSentence, "sentence")), after);
  return paragraph;
}
