// @ts-check
/** A button and a form behind it: how to search on this device. */

/** @import { Preferences } from "./preferences.js" */

import { CONTEXT, SOURCES, USUAL, preferencesOf } from "./preferences.js";
import { element } from "./text.js";
import { laterWords } from "./later-words.js";
import { words } from "./words.js";

export class PreferencesForm {
  /** @type {Preferences} */ #preferences;
  /** @type {(preferences: Preferences) => void} */ #onChange;

  #chip = element(
    "button",
    {
      class: "profile-chip",
      type: "button",
      "aria-expanded": "false",
      "aria-controls": "campanile-preferences",
      "data-testid": "settings",
      onclick: () => this.#toggle(Boolean(this.#form.hidden)),
    },
    laterWords.settings.open,
  );
  #form = element("form", {
    id: "campanile-preferences",
    class: "profile-form",
    "aria-labelledby": "campanile-preferences-heading",
    hidden: true,
    "data-testid": "settings-form",
    onsubmit: (/** @type {SubmitEvent} */ event) => this.#save(event),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") this.#toggle(false);
    },
  });

  /** @param {Preferences} preferences @param {(preferences: Preferences) => void} onChange */
  constructor(preferences, onChange) {
    this.#preferences = preferences;
    this.#onChange = onChange;
    const { settings } = laterWords;
    this.#form.append(
      element("h2", { id: "campanile-preferences-heading", class: "section-label" }, settings.heading),
      box("keywords", settings.keywords),
      box("saver", settings.saver),
      box("history", settings.history),
      element(
        "div",
        { class: "profile-fields" },
        choice("sources", settings.sources, SOURCES.map(String)),
        choice("context", settings.context, CONTEXT.map(String)),
        choice("words", settings.words, ["short", "long"], { short: settings.short, long: settings.long }),
      ),
      element(
        "div",
        { class: "profile-actions" },
        element("button", { class: "button", type: "submit" }, settings.save),
        element("button", { class: "link-button", type: "button", onclick: () => this.#become(USUAL) }, settings.reset),
        element("button", { class: "link-button", type: "button", onclick: () => this.#toggle(false) }, words.cancel),
      ),
    );
    this.root = element("div", { class: "profile", part: "settings" }, this.#chip, this.#form);
  }

  /** @param {boolean} open */
  #toggle(open) {
    this.#form.hidden = !open;
    this.#chip.setAttribute("aria-expanded", String(open));
    if (!open) return this.#chip.focus();
    for (const [name, value] of Object.entries(this.#preferences)) {
      const control = this.#form.elements.namedItem(name);
      if (control instanceof HTMLInputElement) control.checked = value === true;
      else if (control instanceof HTMLSelectElement) control.value = value === null ? "" : String(value);
    }
    this.#form.querySelector("input")?.focus();
  }

  /** @param {SubmitEvent} event */
  #save(event) {
    event.preventDefault();
    const told = new FormData(this.#form);
    const number = (/** @type {string} */ name) => (told.get(name) ? Number(told.get(name)) : null);
    this.#become(
      preferencesOf({
        keywords: told.has("keywords"),
        saver: told.has("saver"),
        history: told.has("history"),
        sources: number("sources"),
        context: number("context"),
        words: told.get("words"),
      }),
    );
  }

  /** @param {Preferences} preferences */
  #become(preferences) {
    this.#preferences = preferences;
    this.#toggle(false);
    this.#onChange(preferences);
  }
}

/** @param {string} name @param {string} label */
const box = (name, label) =>
  element("label", { class: "settings-box" }, element("input", { type: "checkbox", name }), ` ${label}`);

/** @param {string} name @param {string} label @param {string[]} values @param {Record<string, string>} [names] */
const choice = (name, label, values, names = {}) =>
  element(
    "div",
    { class: "profile-field" },
    element("label", { for: `campanile-preferences-${name}` }, label),
    element(
      "select",
      { id: `campanile-preferences-${name}`, name },
      element("option", { value: "" }, laterWords.settings.usual),
      ...values.map((value) => element("option", { value }, names[value] ?? value)),
    ),
  );
