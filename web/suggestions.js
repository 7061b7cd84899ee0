// @ts-check
/**
 * Suggestions while the visitor types: the department's questions, what was asked before, titles and headings. All
 * of it is on the device already; nothing is fetched for a suggestion.
 */

/** @typedef {{ text: string, kind: "question" | "earlier" | "document" | "heading" }} Suggestion */

const MOST = 6;
/** Fewer letters fit almost everything. */
const LEAST_LETTERS = 2;

/** Words without case, accents and more space than between them, as they are compared. @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replace(/\s+/gu, " ").toLowerCase();

/**
 * The suggestions that fit what is typed, best first: every word that was typed begins a word of theirs, in any order.
 * Those that begin with what was typed come first, then questions, then the shorter ones.
 * @param {string} typed
 * @param {Suggestion[]} pool
 * @returns {Suggestion[]}
 */
export function suggest(typed, pool) {
  const wanted = plain(typed)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  if (wanted.join("").length < LEAST_LETTERS) return [];
  const start = plain(typed).trimStart();
  const fits = pool.filter(({ text }) => {
    const words = plain(text).split(/[^\p{L}\p{N}]+/u);
    return plain(text) !== start && wanted.every((one) => words.some((word) => word.startsWith(one)));
  });
  const rank = (/** @type {Suggestion} */ { text, kind }) =>
    (plain(text).startsWith(start) ? 0 : 4) + ["question", "earlier", "document", "heading"].indexOf(kind);
  const seen = new Set();
  return fits
    .sort((one, other) => rank(one) - rank(other) || one.text.length - other.text.length)
    .filter(({ text }) => !seen.has(plain(text)) && seen.add(plain(text)))
    .slice(0, MOST);
}
