// @ts-check
/** A language model's text, sentence by sentence, with what each rests on. */

/** @import { CitedSentence, Source, Span } from "./pkg/core/campanile_core.js" */

import { citation, counted, element } from "./text.js";

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
      ? "The model did not find the answer in these passages."
      : "No sentence claims anything that could be held against the sources.";
  }
  const failed = claims.filter((sentence) => (removes ? fails(sentence) : sentence.support === "unsupported")).length;
  const are = failed === 1 ? "is" : "are";
  if (failed === 0)
    return "Each sentence was found in the sources, as far as a small network can tell. Whether it answers the question is for you to judge.";
  if (!removes)
    return `Held against the sources, ${counted(failed, "sentence")} of ${claims.length} could not be found there and ${are} marked.`;
  if (failed === claims.length)
    return "Nothing that the model wrote was both found in the sources and to the point, so none of it is shown.";
  return `Held against the sources, ${counted(failed, "sentence")} of ${claims.length} could not be found there or ${are} beside the point, and ${are} left out.`;
}

/** @param {string[]} unstated */
const markOf = (unstated) =>
  unstated.length > 0 ? ` (not in the sources: ${unstated.join(", ")})` : " (not found in the sources)";
