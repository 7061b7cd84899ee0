// @ts-check
/** What went wrong, in the visitor's words; the technical ones stand behind a disclosure, for who runs the site. */

import { WorkerFailure } from "./channel.js";
import { element, withCode } from "./text.js";

/** @param {unknown} error */
export const wordsOf = (error) => (error instanceof Error ? error.message : String(error));

/** What a visitor can make of an error. @param {unknown} error */
export function explain(error) {
  if (!navigator.onLine) return "There is no network, and this device has not kept what that takes.";
  const isProgram = error instanceof WorkerFailure && error.trouble !== undefined;
  const what = isProgram ? "The program that searches did not arrive whole, or broke down." : PART;
  return `${what} ${ADVICE}`;
}

const PART = "Part of this site did not arrive as it should.";
const ADVICE = "Try again; if it stays so, tell the people who publish this site.";

/** The technical words, to be opened. @param {string[]} lines */
export function technical(lines) {
  return element(
    "details",
    { class: "technical", "data-testid": "technical" },
    element("summary", {}, "What happened, in detail"),
    ...lines.map((line) => element("p", {}, ...withCode(line))),
  );
}
