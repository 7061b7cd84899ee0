// @ts-check
/** Why this answer: how each source was found, what was searched for, what was left out, and how long it took. */

/** @import { AskResult, Source, StageScore } from "./pkg/core/campanile_core.js" */

import { leftOutWords } from "./profile.js";
import { formatDuration } from "./sizes.js";
import { element } from "./text.js";
import { laterWords } from "./later-words.js";
import { words } from "./words.js";

export class WhyView {
  /** @type {AskResult | null} */ #result = null;
  #body = element("div", { class: "why-body" });

  constructor() {
    this.root = element(
      "details",
      // Made when it is looked at: most never do.
      { class: "fine-print why", part: "why", "data-testid": "why", hidden: true, ontoggle: () => this.#fill() },
      element("summary", {}, laterWords.why.heading),
      this.#body,
    );
  }

  /** @param {AskResult | null} result  an answer that stands */
  offer(result) {
    this.root.hidden = !result;
    if (result === this.#result) return;
    this.#result = result;
    this.#fill();
  }

  #fill() {
    const result = this.#result;
    if (!this.root.open || !result) return;
    this.#body.replaceChildren(
      element("ul", {}, ...facts(result).map((fact) => element("li", {}, fact))),
      table(
        laterWords.why.sources,
        [laterWords.why.source, ...ways(result).map(([, name]) => name)],
        result.sources.map((source) => row(source, result)),
      ),
      table(
        laterWords.why.stages,
        [laterWords.why.stage, laterWords.why.candidates, laterWords.why.time],
        result.trace.stages.map(({ name, candidates, milliseconds }) => [
          stageName(name),
          candidates.toLocaleString(words.language),
          formatDuration(milliseconds),
        ]),
      ),
    );
  }
}

/** What took part in the search, with its name: columns that would be empty are left out. @param {AskResult} result */
function ways({ sources }) {
  const all = /** @type {const} */ ([
    ["lexical", laterWords.why.lexical],
    ["dense", laterWords.why.dense],
    ["instant", laterWords.why.instant],
    ["late", laterWords.why.late],
    ["cross", laterWords.why.cross],
    ["fused", laterWords.why.fused],
  ]);
  return all.filter(([way]) => sources.some(({ scores }) => scores[way]));
}

/** @param {Source} source @param {AskResult} result */
const row = ({ number, title, scores }, result) => [
  `${number}. ${title}`,
  ...ways(result).map(([way]) => scoreWords(scores[way])),
];

/** @param {StageScore | null | undefined} score */
const scoreWords = (score) =>
  score
    ? laterWords.why.score(score.rank, score.score.toLocaleString(words.language, { maximumSignificantDigits: 3 }))
    : "–";

/** @param {AskResult} result */
function facts({ answer, confidence, read, trace, left_out: leftOut, question }) {
  const percent = (confidence ?? 0).toLocaleString(words.language, { style: "percent" });
  return [
    laterWords.why.question(question),
    ...(answer.kind === "refusal" ? [] : [laterWords.why.confidence(percent)]),
    read ? laterWords.why.read : laterWords.why.unread,
    ...(trace.terms.length > 0 ? [laterWords.why.terms(trace.terms.join(", "))] : []),
    ...trace.corrections.map(({ word, instead }) => words.notes.corrected(instead, word)),
    ...trace.expansions.map(({ found, added }) => laterWords.why.expansion(found, added)),
    ...(leftOut.length > 0 ? [`${leftOutWords(leftOut)}.`] : []),
  ];
}

/** @param {string} name */
const stageName = (name) => /** @type {Record<string, string>} */ (laterWords.why.names)[name] ?? name;

/** @param {string} caption @param {string[]} heads @param {string[][]} rows */
const table = (caption, heads, rows) =>
  // A wide table scrolls by itself, by keyboard too, so that the page does not.
  element(
    "div",
    { class: "why-table", role: "region", tabindex: 0, "aria-label": caption },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element(
        "tbody",
        {},
        ...rows.map(([first, ...cells]) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, first ?? ""),
            ...cells.map((cell) => element("td", {}, cell)),
          ),
        ),
      ),
    ),
  );
