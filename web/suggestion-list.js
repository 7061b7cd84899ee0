// @ts-check
/** The list of suggestions under the question box: a combobox with a listbox, by the patterns of WAI-ARIA 1.2. */

/** @import { Suggestion } from "./suggestions.js" */

import { suggest } from "./suggestions.js";
import { element } from "./text.js";
import { laterWords } from "./later-words.js";

export class SuggestionList {
  #list = element("ul", {
    class: "suggestions",
    id: "campanile-suggestions",
    role: "listbox",
    "aria-label": laterWords.suggest.list,
    hidden: true,
    "data-testid": "suggestions",
  });
  /** @type {HTMLInputElement} */ #input;
  /** @type {() => Suggestion[]} */ #pool;
  /** @type {(suggestion: Suggestion) => void} */ #onChoice;
  /** @type {(words: string) => void} */ #say;
  /** @type {Suggestion[]} */ #shown = [];
  #chosen = -1;

  /**
   * @param {HTMLInputElement} input
   * @param {{ pool: () => Suggestion[], onChoice: (suggestion: Suggestion) => void, say: (words: string) => void }} options
   */
  constructor(input, { pool, onChoice, say }) {
    this.#input = input;
    this.#pool = pool;
    this.#onChoice = onChoice;
    this.#say = say;
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-controls", this.#list.id);
    input.setAttribute("aria-expanded", "false");
    input.addEventListener("input", () => this.#follow());
    input.addEventListener("keydown", (event) => this.#onKey(event));
    input.addEventListener("blur", () => this.close());
    input.form?.addEventListener("submit", () => this.close());
    this.root = this.#list;
  }

  close() {
    this.#list.hidden = true;
    this.#chosen = -1;
    this.#input.setAttribute("aria-expanded", "false");
    this.#input.removeAttribute("aria-activedescendant");
  }

  #follow() {
    const found = suggest(this.#input.value, this.#pool());
    if (found.length === 0) return this.close();
    this.#chosen = -1;
    this.#shown = found;
    this.#input.removeAttribute("aria-activedescendant");
    this.#list.replaceChildren(
      ...found.map(({ text, kind }, place) =>
        element(
          "li",
          {
            id: `campanile-suggestion-${place}`,
            class: "suggestion",
            role: "option",
            "aria-selected": "false",
            // Not a click: the box would lose the focus before, and the list go.
            onmousedown: (/** @type {MouseEvent} */ event) => {
              event.preventDefault();
              this.#choose(place);
            },
          },
          element("span", { class: "suggestion-text" }, text),
          " ",
          element("span", { class: "suggestion-kind" }, laterWords.suggest[kind]),
        ),
      ),
    );
    if (this.#list.hidden) this.#say(laterWords.suggest.found(found.length));
    this.#list.hidden = false;
    this.#input.setAttribute("aria-expanded", "true");
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (this.#list.hidden || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const count = this.#shown.length + 1;
      // One place more than there are suggestions: back in the box.
      this.#mark(((this.#chosen + 1 + step + count) % count) - 1);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    } else if (event.key === "Enter" && this.#chosen >= 0) {
      event.preventDefault();
      this.#choose(this.#chosen);
    }
  }

  /** @param {number} place */
  #mark(place) {
    this.#chosen = place;
    [...this.#list.children].forEach((item, number) => {
      item.setAttribute("aria-selected", String(number === place));
    });
    if (place >= 0) this.#input.setAttribute("aria-activedescendant", `campanile-suggestion-${place}`);
    else this.#input.removeAttribute("aria-activedescendant");
  }

  /** @param {number} place */
  #choose(place) {
    const chosen = this.#shown[place];
    this.close();
    if (chosen) this.#onChoice(chosen);
  }
}
