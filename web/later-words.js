// @ts-check
/**
 * What the page says once an answer stands, and of what its visitor opens, in the language of `words.js`. The first
 * passages of a first visit do not wait for it: only modules that come behind them import it.
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

/** @type {LaterWords} */
export const laterWords = await load();

/** Falls back to English, as `words.js` does. */
async function load() {
  try {
    return (await OTHERS[words.language]?.())?.words ?? english;
  } catch {
    return english;
  }
}
