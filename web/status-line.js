// @ts-check
/**
 * What the page is doing, in one quiet line per matter: searching, fetching
 * the reading model, keeping files. Only the changes that matter are spoken
 * by a screen reader; the running numbers are not.
 */

import { formatProgress } from "./sizes.js";
import { element } from "./text.js";
import { technical } from "./trouble.js";
import { words } from "./words.js";

/** @typedef {"search" | "words" | "instant" | "encoder" | "spans" | "keeping" | "network" | "room" | "notice"} Matter */

/**
 * @typedef {object} Status
 * @property {string} text
 * @property {"quiet" | "problem"} [tone]
 * @property {{ loaded: number, total: number }} [progress]
 * @property {{ label: string, onclick: () => void }} [action]
 * @property {string[]} [details]  technical words behind it, to be opened
 */

export class StatusLine {
  #spoken = element("p", { class: "visually-hidden", role: "status", "data-testid": "announcement" });
  #list = element("ul", {
    class: "status",
    part: "status",
    "aria-label": words.box.doing,
    "data-testid": "status",
    hidden: true,
  });
  /** @type {Map<Matter, StatusItem>} */
  #items = new Map();

  /** The nodes to put on the page. */
  get nodes() {
    return [this.#list, this.#spoken];
  }

  /**
   * Shows a matter, or takes it away with null.
   * @param {Matter} matter
   * @param {Status | null} status
   */
  set(matter, status) {
    let item = this.#items.get(matter);
    if (!status) {
      item?.root.remove();
      this.#items.delete(matter);
    } else {
      if (!item) {
        item = new StatusItem(matter);
        this.#items.set(matter, item);
        this.#list.append(item.root);
      }
      item.show(status);
    }
    this.#list.hidden = this.#items.size === 0;
  }

  /** Says something to those who listen to the page. @param {string} words */
  say(words) {
    this.#spoken.textContent = words;
  }
}

class StatusItem {
  #text = element("span", { class: "status-text" });
  #amount = element("span", { class: "status-amount" });
  #bar = element("progress", { class: "bar", hidden: true });
  #button = element("button", { class: "link-button", type: "button", hidden: true });
  #details = element("div", { class: "status-details" });
  #told = "";
  #onclick = () => {};

  /** @param {Matter} matter */
  constructor(matter) {
    this.root = element(
      "li",
      { class: "status-item", "data-matter": matter },
      this.#text,
      this.#amount,
      this.#bar,
      this.#button,
      this.#details,
    );
    this.#button.addEventListener("click", () => this.#onclick());
  }

  /** @param {Status} status */
  show({ text, tone, progress, action, details = [] }) {
    this.root.classList.toggle("status-problem", tone === "problem");
    this.#text.textContent = text;
    this.#bar.hidden = !progress;
    this.#amount.textContent = progress && progress.loaded > 0 ? formatProgress(progress.loaded, progress.total) : "";
    if (progress) showProgress(this.#bar, progress.loaded, progress.total, text);
    // What the visitor has opened stays open while it says the same.
    if (this.#told !== details.join("\n"))
      this.#details.replaceChildren(...(details.length ? [technical(details)] : []));
    this.#told = details.join("\n");
    this.#button.hidden = !action;
    if (action) {
      this.#button.textContent = action.label;
      this.#onclick = action.onclick;
    }
  }
}

/**
 * Sets a `<progress>`; it stays indeterminate while the whole is not known.
 * @param {HTMLProgressElement} bar
 * @param {number} loaded
 * @param {number} total
 * @param {string} label
 */
export function showProgress(bar, loaded, total, label) {
  bar.setAttribute("aria-label", label);
  if (total > 0) {
    bar.max = total;
    bar.value = loaded;
  } else {
    bar.removeAttribute("value");
  }
}
