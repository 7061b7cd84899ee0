// @ts-check
/**
 * What the page says to its visitor, in their language. One file for each language lies in `words/`; English is here
 * with the page, another is fetched while the page's own modules are.
 *
 * The language is that of a `<campanile-ask lang="…">`, else the first of the browser's that is there. What engineers
 * read (the details behind a disclosure, the traces of devices, all that workers say) stays in English.
 */

/** @typedef {typeof import("./words/en.js").words} Words */

import { words as english } from "./words/en.js";

/** @type {Record<string, () => Promise<{ words: Words }>>} */
const OTHERS = {
  de: () => import("./words/de.js"),
  es: () => import("./words/es.js"),
  fr: () => import("./words/fr.js"),
};

/** The languages that the page speaks. */
export const LANGUAGES = ["en", ...Object.keys(OTHERS)];

/** What the page says. @type {Words} */
export const words = await load();

/** Falls back to English where the file of another language does not come: a page in it is better than none. */
async function load() {
  const loadOther = OTHERS[chosen()];
  if (!loadOther) return english;
  try {
    return (await loadOther()).words;
  } catch {
    return english;
  }
}

/** The language to speak, of those there are. */
function chosen() {
  // A worker's words are for engineers.
  const page = /** @type {any} */ (globalThis).document;
  if (!page) return "en";
  const said = page.querySelector("campanile-ask[lang]")?.getAttribute("lang");
  /** @type {readonly string[]} */
  const wanted = said ? [said] : navigator.languages;
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => LANGUAGES.includes(tag)) ?? "en";
}
