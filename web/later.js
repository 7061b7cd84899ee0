// @ts-check
/** What comes once an answer stands, or with what a visitor opens. */

/**
 * Brings such a module, and what it says in the visitor's language: both are fetched side by side, and the module is
 * given once the words are there.
 *
 * They wait here and not in the module of the words itself: of several modules that import one which waits (a top-level
 * `await`), WebKit leaves some waiting for ever (WebKit bug 242740), and the page would be without its settings.
 * @template Module
 * @param {() => Promise<Module>} load
 * @returns {Promise<Module>}
 */
export async function later(load) {
  const [module, { spoken }] = await Promise.all([load(), import("./later-words.js")]);
  await spoken;
  return module;
}
