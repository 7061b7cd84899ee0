// @ts-check
/** What can be done with an answer: copied with its citation, printed, judged. Nothing is sent anywhere. */

/** @import { AskResult, Manifest } from "./pkg/core/campanile_core.js" */

import { asMarkdown, asText } from "./cite-as.js";
import { Judgements } from "./judgements.js";
import { element, questionFragment } from "./text.js";
import { laterWords } from "./later-words.js";

export class AnswerTools {
  #copy = element("details", { class: "menu", "data-testid": "copy" });
  #fallback = element("textarea", { class: "copy-text", readonly: true, rows: 5, hidden: true });
  #judge = element("div", { class: "judge", role: "group", "data-testid": "judge" });
  #judgements;
  /** @type {(words: string) => void} */ #say;
  /** @type {URL} */ #site;
  #shown = "";

  /** @param {{ site: URL, say: (words: string) => void }} options */
  constructor({ site, say }) {
    this.#say = say;
    this.#site = site;
    this.#judgements = new Judgements(site);
    this.root = element(
      "div",
      { class: "tools", part: "tools", "data-testid": "tools", hidden: true },
      this.#copy,
      element("button", { class: "link-button", type: "button", onclick: () => print() }, laterWords.copy.print),
      this.#judge,
      this.#fallback,
    );
  }

  /** @param {AskResult | null} result  an answer that stands @param {Manifest | null} manifest */
  offer(result, manifest) {
    this.root.hidden = !result;
    // A menu that is open stays open while the same answer stands.
    const shown = result ? JSON.stringify([result.question, result.answer]) : "";
    if (!result || shown === this.#shown) return;
    this.#shown = shown;
    this.#fallback.hidden = true;
    const address = new URL(questionFragment(result.question), this.#site).href;
    const citing = { result, title: manifest?.title ?? "", site: this.#site, address };
    this.#copy.open = false;
    this.#copy.replaceChildren(
      element("summary", {}, laterWords.copy.copy),
      element(
        "div",
        { class: "menu-items" },
        this.#way(laterWords.copy.text, () => asText(citing)),
        this.#way(laterWords.copy.markdown, () => asMarkdown(citing)),
        this.#way(laterWords.copy.link, () => address),
      ),
    );
    this.#offerJudgement(result, manifest);
  }

  /** One way to copy. @param {string} label @param {() => string} make */
  #way(label, make) {
    return element("button", { class: "menu-item", type: "button", onclick: () => this.#put(make()) }, label);
  }

  /** @param {string} text */
  async #put(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.#copy.open = false;
      this.#copy.querySelector("summary")?.focus();
      this.#say(laterWords.copy.done);
      this.#flash(laterWords.copy.done);
    } catch {
      // Not every page may write there: without HTTPS none may. Then the visitor copies it.
      this.#fallback.hidden = false;
      this.#fallback.setAttribute("aria-label", laterWords.copy.byHand);
      this.#fallback.value = text;
      this.#fallback.focus();
      this.#fallback.select();
      this.#say(laterWords.copy.byHand);
    }
  }

  /** Says it in the place of the menu's name, for a moment. @param {string} told */
  #flash(told) {
    const name = this.#copy.querySelector("summary");
    if (!name) return;
    name.textContent = told;
    setTimeout(() => {
      name.textContent = laterWords.copy.copy;
    }, 2_000);
  }

  /** @param {AskResult} result @param {Manifest | null} manifest */
  #offerJudgement(result, manifest) {
    const before = this.#judgements.of(result);
    const button = (/** @type {boolean} */ right, /** @type {string} */ label) =>
      element(
        "button",
        {
          class: "button button-quiet",
          type: "button",
          "aria-pressed": String(before === right),
          onclick: () => {
            this.#judgements.tell(result, right);
            this.#offerJudgement(result, manifest);
            // The button that was pressed has been replaced: the one in its place takes the focus.
            /** @type {HTMLElement | null} */ (this.#judge.querySelector('[aria-pressed="true"]'))?.focus();
            this.#say(laterWords.judge.thanks);
          },
        },
        label,
      );
    this.#judge.setAttribute("aria-label", laterWords.judge.ask);
    this.#judge.replaceChildren(
      element("span", { class: "judge-question" }, laterWords.judge.ask),
      button(true, laterWords.judge.yes),
      button(false, laterWords.judge.no),
      ...(before === null
        ? []
        : [element("span", { class: "fine-print" }, laterWords.judge.thanks), ...this.#ways(manifest)]),
    );
  }

  /** How the department hears of it, where it wants to: by the visitor's own hand. @param {Manifest | null} manifest */
  #ways(manifest) {
    const link = this.#judgements.letter(manifest?.feedback ?? "", manifest?.title ?? "");
    return link
      ? [element("a", { href: link.href, target: "_blank", rel: "noopener noreferrer" }, laterWords.judge.tell)]
      : [];
  }
}
