// @ts-check
/** A language model's text, sentence by sentence, with what each rests on. */

/** @import { CitedSentence, Source, Span } from "./pkg/core/campanile_core.js" */

import { citation, element } from "./text.js";
import { laterWords } from "./later-words.js";

/**
 * The text with a citation behind each sentence that a source supports, the others marked or left out.
 * @param {string} prose
 * @param {CitedSentence[]} sentences  in their order
 * @param {{ sources: Source[], removes: boolean, onCitation: (source: Source, highlight: Span | null) => void }} options
 * @returns {(Node | string)[]}
 */
export function citedProse(prose, sentences, { sources, removes, onCitation }) {
  const nodes = [];
  let at = 0;
  for (const sentence of sentences) {
    const { span, support, source: number, highlight, unstated } = sentence;
    const text = prose.slice(span.start, span.end);
    // That the passages do not answer is said below, in the page's words.
    const left = support === "declined" || (removes && fails(sentence));
    if (!left) nodes.push(prose.slice(at, span.start));
    at = span.end;
    if (left) continue;
    const source = sources.find((one) => one.number === number);
    if ((support === "supported" || support === "aside") && source) {
      nodes.push(
        text,
        "\u2060",
        citation(source, () => onCitation(source, highlight ?? null)),
      );
    } else if (support === "unsupported") {
      nodes.push(
        element("span", { class: "prose-unsupported", "data-testid": "prose-unsupported" }, text),
        element("span", { class: "prose-mark" }, markOf(unstated)),
      );
    } else {
      nodes.push(text);
    }
  }
  nodes.push(prose.slice(at));
  return nodes.filter((node) => node !== "");
}

/**
 * Whether a sentence is left out where that is wanted: no source says it, or it rests on other words than the answer.
 * @param {CitedSentence} sentence
 */
const fails = ({ support }) => support === "unsupported" || support === "aside";

/**
 * How the sentences came off, in words.
 * @param {CitedSentence[]} sentences
 * @param {boolean} removes
 */
export function tally(sentences, removes) {
  const claims = sentences.filter(({ support }) => support !== "nothing" && support !== "declined");
  if (claims.length === 0) {
    return sentences.some(({ support }) => support === "declined")
      ? laterWords.prose.notFound
      : laterWords.prose.noClaims;
  }
  const failed = claims.filter((sentence) => (removes ? fails(sentence) : sentence.support === "unsupported")).length;
  if (failed === 0) return laterWords.prose.allFound;
  if (!removes) return laterWords.prose.marked(failed, claims.length);
  return failed === claims.length ? laterWords.prose.noneShown : laterWords.prose.leftOut(failed, claims.length);
}

/** @param {string[]} unstated */
const markOf = (unstated) =>
  unstated.length > 0 ? laterWords.prose.unstated(unstated.join(", ")) : laterWords.prose.unfound;
