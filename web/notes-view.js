// @ts-check
/**
 * What has to be said beside an answer: where levels of the university differ,
 * and which passages are not shown because they are for others.
 */

/** @import { AskResult } from "./messages.js" */

import { leftOutWords } from "./profile.js";
import { element } from "./text.js";

export class NotesView {
  /** @type {(everyone: boolean) => void} */ #onEveryone;

  /** @param {(everyone: boolean) => void} onEveryone  the reader wants to see what is for others, or no longer */
  constructor(onEveryone) {
    this.#onEveryone = onEveryone;
    this.root = element("div", { class: "notes", "aria-live": "polite", "data-testid": "notes" });
  }

  /**
   * @param {AskResult} result
   * @param {boolean} everyone  whether documents for others were searched too
   */
  show({ differences = [], left_out: leftOut = [] }, everyone) {
    /** @type {HTMLElement[]} */
    const notes = differences.map(({ words }) => element("p", { class: "note note-difference", "data-testid": "difference" }, words));
    if (everyone) {
      notes.push(element("p", { class: "note", "data-testid": "everyone" }, "Passages for others are shown too. ",
        this.#button("Show only those for me", false)));
    } else if (leftOut.length > 0) {
      notes.push(element("div", { class: "note", "data-testid": "left-out" },
        element("details", {},
          element("summary", {}, `${leftOutWords(leftOut)}.`),
          element("ul", {}, ...leftOut.map(({ title, reasons }) => element("li", {}, element("cite", {}, title), ` (${reasons.join("; ")})`)))),
        this.#button(leftOut.length === 1 ? "Show it" : "Show them", true)));
    }
    this.root.replaceChildren(...notes);
  }

  /** @param {string} words @param {boolean} everyone */
  #button(words, everyone) {
    return element("button", { class: "link-button", type: "button", onclick: () => this.#onEveryone(everyone) }, words);
  }
}
