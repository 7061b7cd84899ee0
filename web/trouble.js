// @ts-check
/** What went wrong, in the visitor's words; the technical ones stand behind a disclosure, for who runs the site. */

import { WorkerFailure } from "./channel.js";
import { element, withCode } from "./text.js";
import { words } from "./words.js";

/** @param {unknown} error */
export const wordsOf = (error) => (error instanceof Error ? error.message : String(error));

/** What a visitor can make of an error. @param {unknown} error */
export function explain(error) {
  if (!navigator.onLine) return words.trouble.offline;
  if (error instanceof WorkerFailure && error.trouble === "browser") return words.trouble.browser;
  const isProgram = error instanceof WorkerFailure && error.trouble !== undefined;
  return isProgram ? words.trouble.program : words.trouble.part;
}

/** The technical words, to be opened. @param {string[]} lines */
export function technical(lines) {
  return element(
    "details",
    { class: "technical", "data-testid": "technical" },
    element("summary", {}, words.details),
    ...lines.map((line) => element("p", {}, ...withCode(line))),
  );
}
