// @ts-check
/** The numbered passages behind an answer; each opens in the passage reader. */

/** @import { AskResult, Scores, Source, Span } from "./pkg/core/campanile_core.js" */
/** @import { FacetsView } from "./facets-view.js" */

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
import { explain } from "./trouble.js";
import { words } from "./words.js";

/** Passages that come at once when more are wanted, and the most there can be. */
const AT_ONCE = 10;
const MOST = 50;
/** Text shown of each passage, in UTF-16 units. */
const EXCERPT = 300;

export class SourcesView {
  #heading = element("h2", { id: "campanile-sources-heading", class: "section-label", tabindex: -1 });
  #list = element("ol", { class: "source-list" });
  /** @type {Map<number, { item: HTMLLIElement, shown: string }>} */
  #items = new Map();
  /** What came with "Show ten more", beside what the answer has. @type {Source[]} */ #further = [];
  /** All that is listed. @type {Source[]} */ #listed = [];
  #question = "";
  /** @type {string | null} */ #language = null;
  /** Comes with the first ten more. @type {FacetsView | null} */ #facets = null;
  #more = element(
    "button",
    { class: "button button-quiet", type: "button", "data-testid": "more", onclick: () => this.#showMore() },
    words.more.more,
  );
  #told = element("p", { class: "fine-print", role: "status", "data-testid": "more-told" });
  #foot = element("div", { class: "sources-foot", hidden: true }, this.#more, this.#told);
  /** @type {(source: Source) => void} */ #onOpen;
  /** @type {(count: number) => Promise<Source[]>} */ #onMore;

  /**
   * @param {(source: Source) => void} onOpen
   * @param {(count: number) => Promise<Source[]>} onMore  the best passages, so many at most
   */
  constructor(onOpen, onMore) {
    this.#onOpen = onOpen;
    this.#onMore = onMore;
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
      this.#foot,
    );
  }

  /**
   * Shows passages for which there is no answer yet.
   * @param {string} heading
   * @param {Source[]} sources
   * @param {string | null} language
   */
  preview(heading, sources, language) {
    this.#further = [];
    this.#foot.hidden = true;
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
    if (result.question !== this.#question) this.#further = [];
    this.#question = result.question;
    this.#more.hidden = false;
    this.#told.textContent = "";
    const further = this.#further.filter(({ chunk }) => !result.sources.some((source) => source.chunk === chunk));
    this.#show(heading, numbered([...result.sources, ...further]), marked, language);
    this.#foot.hidden = result.sources.length === 0;
  }

  /** Lists ten more, and offers to narrow what is long by then. */
  async #showMore() {
    const question = this.#question;
    const before = this.#listed.length;
    this.#more.disabled = true;
    this.#told.textContent = words.more.searching;
    try {
      const [found, { FacetsView }] = await Promise.all([
        this.#onMore(Math.min(before + AT_ONCE, MOST)),
        import("./facets-view.js"),
      ]);
      if (question !== this.#question) return;
      const isNew = (/** @type {Source} */ { chunk }) => !this.#listed.some((source) => source.chunk === chunk);
      const added = numbered([...this.#listed, ...found.filter(isNew)]).slice(before);
      this.#further.push(...added);
      for (const source of added) {
        const item = this.#item(source, source.found ?? null, this.#language);
        this.#items.set(source.chunk, { item, shown: "" });
        this.#list.append(item);
      }
      this.#listed.push(...added);
      this.#told.textContent = added.length > 0 ? words.more.found(added.length) : words.more.none;
      this.#more.hidden = added.length === 0 || this.#listed.length >= MOST;
      if (!this.#facets) {
        this.#facets = new FacetsView(() => this.#narrow());
        this.#list.before(this.#facets.root);
      }
      this.#facets.offer(this.#listed, this.#language);
      this.#narrow();
      if (added[0]) this.#focus(added[0].chunk);
    } catch (error) {
      this.#told.textContent = explain(error);
    } finally {
      this.#more.disabled = false;
    }
  }

  /** Hides what was not chosen. */
  #narrow() {
    const shown = this.#listed.filter((source) => this.#facets?.shows(source) ?? true);
    for (const { chunk } of this.#listed) {
      const item = this.#items.get(chunk)?.item;
      if (item) item.hidden = !shown.some((source) => source.chunk === chunk);
    }
    this.#facets?.tell(shown.length, this.#listed.length);
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
    this.#listed = [...sources];
    this.#language = language;
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
    this.#facets?.offer(this.#listed, language);
    this.#narrow();
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

/** Passages with their numbers in the list. @param {Source[]} sources */
const numbered = (sources) => sources.map((source, place) => ({ ...source, number: place + 1 }));

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
