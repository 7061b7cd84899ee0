// @ts-check
/**
 * Putting text on the page. Everything goes through text nodes: nothing that
 * comes out of a document is ever parsed as HTML.
 */

/** @import { Span } from "./pkg/core/campanile_core.js" */

import { words } from "./words.js";

/**
 * Makes an element. Keys of `properties` are attributes, except `onclick`-like
 * functions, which become listeners; null and false leave an attribute out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} [properties]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") made.addEventListener(name.replace(/^on/, ""), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * A range that lies within a text of `length` UTF-16 units, or null when nothing is left of it.
 * @param {Span | null | undefined} range
 * @param {number} length
 * @returns {Span | null}
 */
export function clampRange(range, length) {
  if (!range) return null;
  const start = Math.min(Math.max(0, range.start), length);
  const end = Math.min(Math.max(start, range.end), length);
  return end > start ? { start, end } : null;
}

/**
 * The part of `range` inside `[start, end)`, counted from `start`.
 * @param {Span | null} range
 * @param {number} start
 * @param {number} end
 * @returns {Span | null}
 */
export function within(range, start, end) {
  return range ? clampRange({ start: range.start - start, end: range.end - start }, end - start) : null;
}

/**
 * Splits a text at one range.
 * @param {string} text
 * @param {Span | null} range
 * @returns {{ before: string, marked: string, after: string }}
 */
export function splitAt(text, range) {
  const inside = clampRange(range, text.length);
  if (!inside) return { before: text, marked: "", after: "" };
  return {
    before: text.slice(0, inside.start),
    marked: text.slice(inside.start, inside.end),
    after: text.slice(inside.end),
  };
}

/**
 * Text with one range in a `<mark>`.
 * @param {string} text
 * @param {Span | null} range
 * @param {string} [className]
 * @returns {(Node | string)[]}
 */
export function markedText(text, range, className) {
  const { before, marked, after } = splitAt(text, range);
  /** @type {(Node | string)[]} */
  const parts = [before, marked && element("mark", { class: className }, marked), after];
  return parts.filter((part) => part !== "");
}

/**
 * A message with its `commands` set as code.
 * @param {string} message
 * @returns {(Node | string)[]}
 */
export const withCode = (message) =>
  message.split("`").map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));

/** Finds where sentences end, by the rules of Unicode (UAX #29); missing in browsers of before 2024. */
const sentences = "Segmenter" in Intl ? new Intl.Segmenter(undefined, { granularity: "sentence" }) : null;
/** A full stop that ends no sentence, up to the character behind it: "Dr. K", "z. B", "Art. 3", "Sec. 4". */
const ABBREVIATED = /(?:^|[^\p{L}])(?:\p{L}{1,2}\.\s*\P{N}|\p{L}{1,4}\.\s*\p{N})$/u;

/**
 * The places in a text where a sentence begins or the last one ends, in their order.
 * @param {string} text
 * @returns {number[]}
 */
function sentenceEdges(text) {
  const edges = [];
  for (const { index } of sentences?.segment(text) ?? []) {
    if (!ABBREVIATED.test(text.slice(Math.max(0, index - 8), index + 1))) edges.push(index);
  }
  return [...edges, text.length];
}

/**
 * The neighbourhood of a range: whole sentences, at most `reach` units on either side. A sentence that the range
 * begins or ends in is cut between words where it is longer than that. Tells whether anything was left out at either end.
 * @param {string} text
 * @param {Span} range
 * @param {number} reach
 */
export function neighbourhood(text, range, reach) {
  const [first, last] = [Math.max(0, range.start - reach), Math.min(text.length, range.end + reach)];
  const edges = sentenceEdges(text);
  const start = edges.find((edge) => edge >= first && edge <= range.start) ?? wordStart(text, first, range.start);
  const end = edges.findLast((edge) => edge <= last && edge >= range.end) ?? wordEnd(text, range.end, last);
  return {
    text: text.slice(start, end).trimEnd(),
    range: { start: range.start - start, end: range.end - start },
    cutBefore: start > 0,
    cutAfter: text.slice(end).trim() !== "",
  };
}

/** @param {string} text @param {number} from @param {number} to */
function wordStart(text, from, to) {
  const space = text.slice(from, to).search(/\s/u);
  return space < 0 ? to : from + space + 1;
}

/** @param {string} text @param {number} from @param {number} to */
function wordEnd(text, from, to) {
  const space = text.slice(from, to).search(/\s\S*$/u);
  return space < 0 ? from : from + space;
}

/**
 * The beginning of a text: whole sentences, or words where the first sentences take less than half of the room.
 * @param {string} text
 * @param {number} limit  UTF-16 units
 */
export function beginning(text, limit) {
  if (text.length <= limit) return text;
  const end = sentenceEdges(text).findLast((edge) => edge <= limit && edge >= limit / 2);
  if (end) return `${text.slice(0, end).trimEnd()} …`;
  // A word that ends just at the limit stays whole.
  const cut = text
    .slice(0, limit + 1)
    .replace(/\s+\S*$/u, "")
    .slice(0, limit);
  return `${cut} …`;
}

/**
 * An address that may be followed: documents are not trusted, so only these schemes.
 * @param {string | null | undefined} link
 * @param {string} base
 * @returns {URL | null}
 */
export function safeLink(link, base) {
  if (!link) return null;
  try {
    const url = new URL(link, base);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/**
 * The address of the place that a source stands at in its document; null where that has none that may be followed.
 * @param {{ link: string | null }} document
 * @param {{ anchor: string | null, page: { number: number } | null }} source
 * @param {URL} site  the folder that links are relative to
 */
export function placeInDocument({ link }, { anchor, page }, site) {
  const url = safeLink(link, site.href);
  if (url && anchor && !url.hash) url.hash = anchor;
  // Every browser's reader of PDF files knows this fragment.
  if (url && page && !url.hash) url.hash = `page=${page.number}`;
  return url;
}

/** A question's fragment in the address of a site's page, which no browser sends. @param {string} question */
export const questionFragment = (question) => `#${new URLSearchParams({ q: question })}`;

/**
 * The address with a text fragment, so that a browser that knows them scrolls
 * to the passage: https://wicg.github.io/scroll-to-text-fragment/
 * @param {URL} url
 * @param {string} passage
 */
export function withTextFragment(url, passage) {
  if (!url.protocol.startsWith("http")) return url.href;
  const words = passage.trim().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return url.href;
  const edge = 5;
  const text =
    words.length <= 2 * edge
      ? fragmentPart(words)
      : `${fragmentPart(words.slice(0, edge))},${fragmentPart(words.slice(-edge))}`;
  return `${url.href}${url.hash ? "" : "#"}:~:text=${text}`;
}

/** A comma, an ampersand and a hyphen have a meaning of their own in a text fragment. @param {string[]} words */
const fragmentPart = (words) => encodeURIComponent(words.join(" ").toWellFormed()).replaceAll("-", "%2D");

/**
 * The number of a source as a link to it.
 * @param {{ number: number, title: string }} source
 * @param {() => void} follow  what a click does
 */
export const citation = (source, follow) =>
  element(
    "a",
    {
      class: "citation",
      href: `#campanile-source-${source.number}`,
      "aria-label": words.source(source.number, source.title),
      onclick: (/** @type {Event} */ event) => {
        // The address holds the question: do not let the link overwrite it.
        event.preventDefault();
        follow();
      },
    },
    `[${source.number}]`,
  );

/** What has the focus in the tree that a node stands in: of a page, or of an element's own. @param {Node} node */
export const focusedBeside = (node) =>
  /** @type {Partial<DocumentOrShadowRoot>} */ (/** @type {unknown} */ (node.getRootNode())).activeElement ?? null;

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** The language of the documents as a `lang` attribute; null when it is not known. @param {string} language */
export const contentLanguage = (language) => (language && language !== "none" ? language : null);

/**
 * The headings above a passage, without the one that only repeats the document's title; before them the site, where
 * several were asked.
 * @param {{ title: string, section: string[], site?: { name: string } | null }} source
 * @returns {string}
 */
export const headingPath = ({ title, section, site }) =>
  [...(site ? [site.name] : []), ...(section[0] === title ? section.slice(1) : section)].join(" › ");

/**
 * `page 12`, or nothing for a document without pages.
 * @param {{ page?: { label: string } | null }} source
 */
export const pageName = ({ page }) => (page ? words.page(page.label) : "");
