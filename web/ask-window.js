// @ts-check
/**
 * The question box behind a button, as sites of documentation have it: a window over the page, opened by a click or by
 * a key. Until then nothing of the site is fetched.
 */

import { keyName } from "./shortcut.js";
import { element } from "./text.js";
import { words } from "./words.js";

/** The looks of the button and of the window. */
export { SHEET as WINDOW_SHEET } from "./pkg/sheets/window.js";

export class AskWindow {
  #key = element("kbd", { class: "ask-key", "aria-hidden": "true" });

  /**
   * @param {string} label  of the button
   * @param {string} shortcut
   * @param {Node} content  of the window
   * @param {() => void} onOpen
   */
  constructor(label, shortcut, content, onOpen) {
    this.#key.textContent = keyName(shortcut);
    this.opener = element(
      "button",
      {
        class: "opener",
        part: "opener",
        type: "button",
        "aria-haspopup": "dialog",
        "aria-keyshortcuts": shortcut.replace("Mod", "Control"),
        onclick: () => this.open(),
      },
      element("span", {}, label),
      this.#key,
    );
    this.dialog = element(
      "dialog",
      { class: "window", part: "window", "aria-label": label, "data-testid": "window" },
      element(
        "button",
        {
          class: "icon-button window-close",
          type: "button",
          "aria-label": words.close,
          onclick: () => this.dialog.close(),
        },
        "×",
      ),
      content,
    );
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    this.#onOpen = onOpen;
  }

  /** @type {() => void} */ #onOpen;

  /** Shows the window, or closes it where it is open. */
  toggle() {
    if (this.dialog.open) this.dialog.close();
    else this.open();
  }

  open() {
    if (!this.dialog.open) this.dialog.showModal();
    this.#onOpen();
  }
}
