// @ts-check
/** A language model's text, sentence by sentence, with what each rests on. */

/** @import { CitedSentence, Source, TextRange } from "./messages.js" */

import { citation, counted, element } from "./text.js";

/**
 * The text with a citation behind each sentence that a source supports, the others marked or left out.
 * @param {string} prose
 * @param {CitedSentence[]} sentences  in their order
 * @param {{ sources: Source[], removes: boolean, onCitation: (source: Source, highlight: TextRange | null) => void }} options
 * @returns {(Node | string)[]}
 */
export function citedProse(prose, sentences, { sources, removes, onCitation }) {
  const nodes = [];
  let at = 0;
  for (const { span, support, source: number, highlight, unstated } of sentences) {
    const text = prose.slice(span.start, span.end);
    const left = removes && support === "unsupported";
    if (!left) nodes.push(prose.slice(at, span.start));
    at = span.end;
    if (left) continue;
    const source = sources.find((one) => one.number === number);
    if (support === "supported" && source) {
      nodes.push(text, "\u2060", citation(source, () => onCitation(source, highlight ?? null)));
    } else if (support === "unsupported") {
      nodes.push(element("span", { class: "prose-unsupported", "data-testid": "prose-unsupported" }, text),
        element("span", { class: "prose-mark" }, markOf(unstated)));
    } else {
      nodes.push(text);
    }
  }
  nodes.push(prose.slice(at));
  return nodes.filter((node) => node !== "");
}

/**
 * How the sentences came off, in words.
 * @param {CitedSentence[]} sentences
 * @param {boolean} removes
 */
export function tally(sentences, removes) {
  const claims = sentences.filter(({ support }) => support !== "nothing").length;
  const unsupported = sentences.filter(({ support }) => support === "unsupported").length;
  if (claims === 0) return "No sentence claims anything that could be held against the sources.";
  if (unsupported === 0) return "Each sentence was held against the sources and found there.";
  const done = removes ? "left out" : "marked";
  return `Held against the sources, ${counted(unsupported, "sentence")} of ${claims} could not be found there and ${unsupported === 1 ? "is" : "are"} ${done}.`;
}

/** @param {string[]} unstated */
const markOf = (unstated) => (unstated.length > 0
  ? ` (not in the sources: ${unstated.join(", ")})`
  : " (not found in the sources)");
