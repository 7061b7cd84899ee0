// @ts-check
/** The answer: a passage with its sentence marked, or an honest "not found". */

/** @import { Answer, AskResult, Manifest, Source, Span } from "./pkg/core/campanile_core.js" */

import { contactOf, guidance, reservation } from "./advice.js";
import { formView } from "./form-view.js";
import { citation, clampRange, element, headingPath, neighbourhood, splitAt } from "./text.js";
import { words } from "./words.js";

/** Text shown on either side of the marked sentence, in UTF-16 units. */
const REACH = 320;

export class AnswerView {
  #asked = element("p", { class: "asked", dir: "auto" });
  #heading = element("h2", { id: "campanile-answer-heading", class: "section-label" });
  #body = element("div", { class: "answer-body" });
  #shown = "";
  /** @type {(number: number) => void} */ #onCitation;

  /** @param {(number: number) => void} onCitation  the visitor follows a citation */
  constructor(onCitation) {
    this.#onCitation = onCitation;
    this.root = element(
      "section",
      {
        class: "answer",
        part: "answer",
        "aria-labelledby": "campanile-answer-heading",
        "aria-live": "polite",
        "data-testid": "answer",
      },
      this.#asked,
      this.#heading,
      this.#body,
    );
  }

  /** Passages are here, and an answer is not on its way any more. */
  fail() {
    this.#heading.textContent = words.answer.wordsAlone;
    this.#body.querySelector(".answer-expected")?.remove();
    this.#shown = "";
  }

  /** @param {boolean} busy */
  set busy(busy) {
    this.root.setAttribute("aria-busy", String(busy));
  }

  /**
   * @param {AskResult} result
   * @param {string | null} language
   * @param {Manifest | null} site
   */
  show(result, language, site) {
    const { answer } = result;
    const source = result.sources.find(({ number }) => number === answer.source);
    // The same answer again is left alone: nothing is read out twice, no selection is lost.
    const shown = JSON.stringify([
      result.question,
      answer,
      result.confidence,
      result.form,
      result.problems.length,
      source?.chunk,
      source?.number,
    ]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.root.dataset.kind = answer.kind;
    this.#asked.textContent = result.question;
    const isPartial = answer.kind === "refusal" && result.problems.length > 0;
    this.#heading.textContent = isPartial ? words.answer.incomplete : words.answer[answer.kind];
    this.#body.replaceChildren(
      ...(answer.kind === "refusal" ? refusal(result, site) : this.#quotation(result, source, language)),
    );
  }

  /**
   * Says that passages are there and an answer is not, yet. The first passage stands where the answer will, and takes
   * about as much room.
   * @param {string} question
   * @param {string} reason  what the answer waits for
   * @param {Source | undefined} first
   * @param {string | null} language
   */
  expect(question, reason, first, language) {
    const shown = JSON.stringify([question, reason, first]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.root.dataset.kind = "expected";
    this.#asked.textContent = question;
    this.#heading.textContent = words.answer.looking;
    const passage = first
      ? [
          element("blockquote", { class: "answer-quote", part: "quotation", lang: language }, ...shortened(first)),
          attribution(first),
        ]
      : [];
    this.#body.replaceChildren(element("p", { class: "answer-expected" }, reason), ...passage);
  }

  /**
   * @param {AskResult} result
   * @param {Source | undefined} source
   * @param {string | null} language
   */
  #quotation(result, source, language) {
    const { answer, form, sources } = result;
    const highlight = source ? clampRange(answer.highlight, source.text.length) : null;
    const quote = element("blockquote", {
      class: "answer-quote",
      part: "quotation",
      lang: language,
      "data-testid": "answer-text",
    });
    const exact = source ? clampRange(answer.exact, source.text.length) : null;
    if (source && isSection(answer)) quote.append(...this.#wholePassage(source, answer.marks ?? []));
    else if (source && answer.question) quote.append(...this.#wholePassage(source, exact ? [exact] : []));
    else if (source && highlight) quote.append(...this.#inItsPassage(source, highlight, exact));
    else quote.append(answer.text, ...(source ? [this.#citation(source)] : []));
    const formed = form ? formView(form, sources, language, (cited) => this.#citation(cited)) : null;
    const doubt =
      answer.kind === "qualified" || answer.kind === "possible_section"
        ? advice("answer-doubt", reservation(result))
        : [];
    const named = source && isSection(answer) ? [sectionHeading(source)] : asked(answer);
    return [...(formed ? [formed] : []), ...named, quote, ...(source ? [attribution(source)] : []), ...doubt];
  }

  /**
   * @param {Source} source
   * @param {Span} highlight
   * @param {Span | null} exact
   */
  #inItsPassage(source, highlight, exact) {
    const near = neighbourhood(source.text, highlight, REACH);
    const { before, marked, after } = splitAt(near.text, near.range);
    return [
      near.cutBefore ? "… " : "",
      closed(before),
      element(
        "mark",
        {},
        ...withExact(marked, exact && { start: exact.start - highlight.start, end: exact.end - highlight.start }),
      ),
      // The number stays on the line of the word before it.
      "\u2060",
      this.#citation(source),
      closed(after),
      near.cutAfter ? " …" : "",
    ];
  }

  /**
   * A passage in full, with the sentences marked that come nearest to answering.
   * @param {Source} source
   * @param {Span[]} marks  in their order
   */
  #wholePassage(source, marks) {
    /** @type {(Node | string)[]} */
    const parts = [];
    let end = 0;
    for (const range of marks) {
      const mark = clampRange(range, source.text.length);
      if (!mark || mark.start < end) continue;
      parts.push(
        closed(source.text.slice(end, mark.start)),
        element("mark", {}, closed(source.text.slice(mark.start, mark.end))),
      );
      end = mark.end;
    }
    // The number stays on the line of the word before it.
    return [...parts, closed(source.text.slice(end).trimEnd()), "\u2060", this.#citation(source)];
  }

  /** @param {Source} source */
  #citation(source) {
    return citation(source, () => this.#onCitation(source.number));
  }
}

/**
 * The sentence, with the words that answer set off in it.
 * @param {string} sentence
 * @param {Span | null} exact  within the sentence
 */
function withExact(sentence, exact) {
  const range = exact && exact.start >= 0 ? clampRange(exact, sentence.length) : null;
  if (!range) return [closed(sentence)];
  const { before, marked, after } = splitAt(sentence, range);
  return [closed(before), element("strong", { class: "answer-exact" }, closed(marked)), closed(after)];
}

/** A passage around what was found in it, as an answer from there would be. @param {Source} source */
function shortened({ text, found }) {
  const range = clampRange(found, text.length) ?? { start: 0, end: 0 };
  const near = neighbourhood(text, range, REACH);
  return [near.cutBefore ? "… " : "", closed(near.text), near.cutAfter ? " …" : ""];
}

/** Blank lines closed up: a quotation is one block. @param {string} text */
const closed = (text) => text.replace(/\n\s*\n/gu, "\n");

/** @param {AskResult} result @param {Manifest | null} site */
function refusal(result, site) {
  if (result.problems.length > 0) {
    return [element("p", { class: "refusal-text", "data-testid": "answer-text" }, words.answer.incompleteRefusal)];
  }
  return [
    element("p", { class: "refusal-text", "data-testid": "answer-text" }, refusalWords(result)),
    ...advice("refusal-advice", guidance(result, site)),
    ...whomToAsk(site),
  ];
}

/** Why there is no answer. @param {AskResult} result */
const refusalWords = ({ sources }) => (sources.length > 0 ? words.answer.unclear : words.answer.nothing);

/** @param {string} name @param {string[]} sentences */
const advice = (name, sentences) =>
  sentences.map((sentence) => element("p", { class: name, "data-testid": name }, sentence));

/** @param {Manifest | null} site */
function whomToAsk(site) {
  const contact = contactOf(site);
  if (!contact) return [];
  const { before, address, href, after } = contact;
  const link = address ? [element("a", { href }, address)] : [];
  return [
    element(
      "p",
      { class: "refusal-advice", "data-testid": "contact" },
      words.answer.ask,
      element("span", { class: "contact" }, before, ...link, after),
    ),
  ];
}

/** The question of the documents that is answered, above its answer. @param {Answer} answer */
const asked = ({ question }) =>
  question ? [element("p", { class: "answer-section", "data-testid": "answer-question" }, question)] : [];

/** Whether a passage is given as a whole. @param {Answer} answer */
export const isSection = ({ kind }) => kind === "section" || kind === "possible_section";

/** The heading that a passage stands under. @param {Source} source */
const sectionHeading = ({ title, section }) => element("p", { class: "answer-section" }, section.at(-1) ?? title);

/** @param {Source} source */
function attribution(source) {
  const path = headingPath(source);
  return element(
    "p",
    { class: "answer-from" },
    words.answer.quotedFrom,
    element("cite", {}, source.title),
    path && ` › ${path}`,
  );
}
