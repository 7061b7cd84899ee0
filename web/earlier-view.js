// @ts-check
/** Questions that were asked on this device before, with a way to forget them. */

import { KeptList } from "./kept-list.js";
import { element } from "./text.js";
import { laterWords } from "./later-words.js";

const MOST_KEPT = 100;
const MOST_SHOWN = 5;

export class EarlierView {
  /** @type {KeptList<{ question: string, at: string }>} */ #list;
  #items = element("ul", { class: "example-list" });
  /** @type {(question: string) => void} */ #onChoice;
  /** @type {(words: string) => void} */ #say;

  /** @param {{ site: URL, onChoice: (question: string) => void, say: (words: string) => void }} options */
  constructor({ site, onChoice, say }) {
    this.#list = new KeptList("questions", site, MOST_KEPT);
    this.#onChoice = onChoice;
    this.#say = say;
    this.root = element(
      "section",
      { class: "examples", "aria-labelledby": "campanile-earlier-heading", hidden: true, "data-testid": "earlier" },
      element("h2", { id: "campanile-earlier-heading", class: "section-label" }, laterWords.earlier.heading),
      this.#items,
      element(
        "button",
        { class: "link-button", type: "button", onclick: () => this.forget() },
        laterWords.earlier.clear,
      ),
    );
  }

  /** The questions, the last one first. */
  get questions() {
    return this.#list.items.map(({ question }) => question).filter((question) => typeof question === "string");
  }

  /** @param {string} question */
  add(question) {
    this.#list.add({ question, at: new Date().toISOString() }, (other) => other.question === question);
  }

  forget() {
    this.#list.clear();
    this.root.hidden = true;
    this.#say(laterWords.earlier.cleared);
  }

  /** Shows the last ones. */
  show() {
    const { questions } = this;
    this.root.hidden = questions.length === 0;
    this.#items.replaceChildren(
      ...questions
        .slice(0, MOST_SHOWN)
        .map((question) =>
          element(
            "li",
            {},
            element(
              "button",
              { class: "example", type: "button", dir: "auto", onclick: () => this.#onChoice(question) },
              question,
            ),
          ),
        ),
    );
  }
}
