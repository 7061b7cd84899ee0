// @ts-check
/**
 * What the page says once an answer stands, and of what its visitor opens, in the language of `words.js`. The first
 * passages of a first visit do not wait for it: only modules that come behind them import it, by `later.js`.
 */

/** @typedef {typeof import("./words/en-later.js").words} LaterWords */

import { words as english } from "./words/en-later.js";
import { words } from "./words.js";

/** @type {Record<string, () => Promise<{ words: LaterWords }>>} */
const OTHERS = {
  de: () => import("./words/de-later.js"),
  es: () => import("./words/es-later.js"),
  fr: () => import("./words/fr-later.js"),
};

/** In English until {@link spoken}; `later.js` gives no module before that. @type {LaterWords} */
export let laterWords = english;

/** Settles once the words are those of the visitor's language: in English where its file does not come, as `words.js` does. */
export const spoken = Promise.resolve(OTHERS[words.language]?.()).then(
  (other) => {
    laterWords = other?.words ?? english;
  },
  () => {},
);
