// @ts-check
/** What this package says is for programs: English, whatever the language of a page. Lies where `web/words.js` does. */

export { words } from "./words/en.js";
