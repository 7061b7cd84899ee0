// @ts-check
/** The form of an answer: a date as a date, steps as steps, two sides beside each other. Each part is cited. */

/** @import { Form, FormPart, Source } from "./pkg/core/campanile_core.js" */

import { clampRange, element } from "./text.js";
import { words } from "./words.js";

/**
 * The form as an element; null where a part has no words.
 * @param {Form} form
 * @param {Source[]} sources
 * @param {string | null} language  of the documents
 * @param {(source: Source) => Node} cite  makes a citation of a source
 */
export function formView(form, sources, language, cite) {
  const parts = form.parts.map((part) => cited(part, sources));
  const first = parts[0];
  if (!first || parts.some((part) => part.text === "")) return null;
  /** @param {ReturnType<typeof cited>} part */
  const told = (part) => [part.text, ...citation(part, cite)];
  /** @param {string} name */
  const pairs = (name) =>
    element(
      "dl",
      { class: name },
      ...parts.map((part) => element("div", {}, element("dt", {}, part.name), element("dd", {}, ...told(part)))),
    );
  const body = {
    date: () => short(...stretches(parts).map(time), ...citation(first, cite)),
    date_range: () => short(...stretches(parts).map(time), ...citation(first, cite)),
    amount: () => short(...told(first)),
    steps: () => items("ol", parts, told),
    list: () => items("ul", parts, told),
    comparison: () => pairs("form-sides"),
    row: () => pairs("form-row"),
    permission: () => {
      const [, condition] = parts;
      const verdict = element(
        "span",
        { lang: words.language },
        condition ? `${verdictWords(first.value)}: ` : verdictWords(first.value),
      );
      return short(verdict, condition?.text ?? "", ...citation(first, cite));
    },
  }[form.kind];
  return body
    ? element("div", { class: "answer-form", "data-form": form.kind, "data-testid": "form", lang: language }, body())
    : null;
}

/**
 * Items below each other, counted as their document counts them: whoever reads "repeat step 4" looks for a 4.
 * @param {"ol" | "ul"} name  of the list where the document has no numbers
 * @param {ReturnType<typeof cited>[]} parts
 * @param {(part: ReturnType<typeof cited>) => (Node | string)[]} told
 */
function items(name, parts, told) {
  const numbers = parts.map((part) => /^(\d+)\.$/u.exec(part.name)?.[1]);
  if (numbers.every((number) => number !== undefined)) {
    const item = (/** @type {ReturnType<typeof cited>} */ part, /** @type {number} */ at) =>
      element("li", { value: numbers[at] }, ...told(part));
    return element("ol", { class: "form-list" }, ...parts.map(item));
  }
  // `(a)` is nothing that a browser can count by, so the number stands in the item itself.
  const isLabelled = parts.some((part) => part.name !== "");
  const item = (/** @type {ReturnType<typeof cited>} */ part) =>
    isLabelled
      ? element("li", {}, element("span", { class: "form-number" }, part.name), " ", ...told(part))
      : element("li", {}, ...told(part));
  return element(name, { class: isLabelled ? "form-list form-labelled" : "form-list" }, ...parts.map(item));
}

/** @param {(Node | string)[]} children */
const short = (...children) => element("p", { class: "form-short" }, ...children);

/**
 * A part with its source and words; no words where its source or they are not there.
 * @param {FormPart} part
 * @param {Source[]} sources
 */
export function cited({ name, value, source: number, span }, sources) {
  const source = sources.find((one) => one.number === number);
  const range = source ? clampRange(span, source.text.length) : null;
  const text = source && range ? source.text.slice(range.start, range.end) : "";
  return { name: name ?? "", value: value ?? null, source, range, text };
}

/**
 * The words from the first part to the last, those between them included, each with what it means.
 * @param {ReturnType<typeof cited>[]} parts  of one source, in the order of its text
 * @returns {{ text: string, value: string | null }[]}
 */
export function stretches(parts) {
  /** @type {{ text: string, value: string | null }[]} */
  const found = [];
  let end = parts[0]?.range?.start ?? 0;
  for (const { text, value, range, source } of parts) {
    if (!range || !source) continue;
    if (range.start > end) found.push({ text: source.text.slice(end, range.start), value: null });
    found.push({ text, value });
    end = range.end;
  }
  return found;
}

/** @param {{ text: string, value: string | null }} stretch */
const time = ({ text, value }) => (value ? element("time", { datetime: value }, text) : text);

/** @param {{ source?: Source | undefined }} part @param {(source: Source) => Node} cite */
const citation = ({ source }, cite) => (source ? ["\u2060", cite(source)] : []);

/** What a sentence that permits or forbids says to the question. @param {string | null} value */
export const verdictWords = (value) =>
  value === "yes" ? words.answer.yes : value === "no" ? words.answer.no : words.answer.depends;
