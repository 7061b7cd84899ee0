// @ts-check
/** The numbered passages behind an answer; each opens in the passage reader. */

/** @import { AskResult, Scores, Source, Span } from "./pkg/core/campanile_core.js" */

import {
  beginning,
  clampRange,
  element,
  focusedBeside,
  headingPath,
  markedText,
  neighbourhood,
  pageName,
} from "./text.js";
import { words } from "./words.js";

/** Text shown of each passage, in UTF-16 units. */
const EXCERPT = 300;

export class SourcesView {
  #heading = element("h2", { id: "campanile-sources-heading", class: "section-label", tabindex: -1 });
  #list = element("ol", { class: "source-list" });
  /** @type {Map<number, { item: HTMLLIElement, shown: string }>} */
  #items = new Map();
  /** @type {(source: Source) => void} */ #onOpen;

  /** @param {(source: Source) => void} onOpen */
  constructor(onOpen) {
    this.#onOpen = onOpen;
    this.root = element(
      "section",
      {
        class: "sources",
        part: "sources",
        "aria-labelledby": "campanile-sources-heading",
        "data-testid": "sources",
      },
      this.#heading,
      this.#list,
    );
  }

  /**
   * Shows passages for which there is no answer yet.
   * @param {string} heading
   * @param {Source[]} sources
   * @param {string | null} language
   */
  preview(heading, sources, language) {
    this.#show(heading, sources, () => null, language);
  }

  /**
   * Shows the sources of a result. A passage that was there before keeps its
   * element, and with it the visitor's focus.
   * @param {AskResult} result
   * @param {string | null} language
   */
  show(result, language) {
    const heading = result.answer.kind === "refusal" ? words.sources.nearest : words.sources.sources;
    // Of a section as a whole the sentence that comes nearest is set off.
    const { source: answering, highlight, marks } = result.answer;
    const marked = (/** @type {Source} */ source) =>
      (source.number === answering ? (marks?.[0] ?? highlight) : null) ?? null;
    this.#show(heading, result.sources, marked, language);
  }

  /**
   * @param {string} heading
   * @param {Source[]} sources
   * @param {(source: Source) => Span | null} answerIn
   * @param {string | null} language
   */
  #show(heading, sources, answerIn, language) {
    this.#heading.textContent = heading;
    this.root.hidden = sources.length === 0;
    const focused = this.#focusedChunk();
    const before = this.#items;
    this.#items = new Map();
    for (const source of sources) {
      const highlight = answerIn(source) ?? source.found ?? null;
      const shown = JSON.stringify([source, highlight]);
      const kept = before.get(source.chunk);
      const item = kept?.shown === shown ? kept.item : this.#item(source, highlight, language);
      this.#items.set(source.chunk, { item, shown });
    }
    this.#list.replaceChildren(...[...this.#items.values()].map(({ item }) => item));
    if (focused !== null) this.#focus(focused);
  }

  /** Brings one source into view and gives it the focus, as a followed link would. @param {number} number */
  goTo(number) {
    const item = this.#list.querySelector(`#campanile-source-${number}`);
    const button = item?.querySelector("button");
    button?.focus({ preventScroll: true });
    item?.scrollIntoView({ block: "nearest" });
  }

  /** Gives the focus back to a passage's button, or to the heading when the passage is gone. @param {number} chunk */
  #focus(chunk) {
    const button = this.#items.get(chunk)?.item.querySelector("button");
    (button ?? this.#heading).focus({ preventScroll: true });
  }

  /** Where the focus goes when the passage reader closes. @param {number} chunk */
  returnTo(chunk) {
    this.#focus(chunk);
  }

  #focusedChunk() {
    const focused = focusedBeside(this.root);
    for (const [chunk, { item }] of this.#items) if (item.contains(focused)) return chunk;
    return null;
  }

  /**
   * @param {Source} source
   * @param {Span | null} highlight
   * @param {string | null} language
   */
  #item(source, highlight, language) {
    const path = [headingPath(source), pageName(source)].filter(Boolean).join(" · ");
    const button = element(
      "button",
      {
        class: "source-open",
        type: "button",
        "aria-haspopup": "dialog",
        onclick: () => this.#onOpen(source),
      },
      element("span", { class: "source-title", part: "source-title", lang: language }, source.title),
      path ? element("span", { class: "source-path", lang: language }, path) : null,
    );
    return element(
      "li",
      {
        class: "source",
        part: "source",
        id: `campanile-source-${source.number}`,
        "data-testid": "source",
        "data-chunk": source.chunk,
      },
      element("span", { class: "source-number", "aria-hidden": "true" }, String(source.number)),
      element(
        "div",
        { class: "source-main" },
        element("h3", { class: "source-heading" }, button),
        element("p", { class: "source-text", lang: language }, ...excerpt(source.text, highlight)),
        element("p", { class: "source-meta" }, describeScores(source.scores)),
        alsoIn(source.also ?? [], language),
      ),
    );
  }
}

/**
 * @param {string} text
 * @param {Span | null} highlight
 */
function excerpt(text, highlight) {
  const range = clampRange(highlight, text.length);
  if (!range) return [beginning(text, EXCERPT)];
  const near = neighbourhood(text, range, EXCERPT / 3);
  return [near.cutBefore ? "… " : "", ...markedText(near.text, near.range), near.cutAfter ? " …" : ""];
}

/**
 * Where else a passage stands.
 * @param {NonNullable<Source["also"]>} others
 * @param {string | null} language
 */
function alsoIn(others, language) {
  if (others.length === 0) return null;
  const names = others.map(({ title, document: path }) => element("li", { lang: language, title: path }, title));
  return element("div", { class: "source-also" }, words.sources.alsoIn, element("ul", {}, ...names));
}

/** How a passage was found, in words. @param {Scores} scores */
function describeScores(scores) {
  const lexical = scores.lexical?.rank;
  const dense = scores.dense?.rank;
  const instant = scores.instant?.rank;
  const ways = [];
  if (lexical) ways.push(words.sources.rankByKeywords(lexical));
  if (dense) ways.push(words.sources.rankByMeaning(dense));
  if (instant) ways.push(words.sources.rankByRoughMeaning(instant));
  return ways.join(", ");
}
