// @ts-check
/** What this device keeps of a visitor, by site: nothing of it is ever sent, and all of it can be forgotten. */

import { nameOf } from "./origin.js";

/** The key that a value is kept under: several sites can share one origin. @param {string} name @param {URL} site */
export const keyOf = (name, site) => `campanile-${name}:${nameOf(site)}`;

/**
 * What is kept under a name; null where nothing is. It may be of an older version, or not ours.
 * @param {string} name
 * @param {URL} site
 * @returns {unknown}
 */
export function kept(name, site) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(name, site)) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Keeps a value, or forgets what was kept with null. A private window keeps nothing: what was told holds there until
 * the page is closed.
 * @param {string} name
 * @param {URL} site
 * @param {unknown} value
 */
export function keep(name, site, value) {
  try {
    if (value === null) localStorage.removeItem(keyOf(name, site));
    else localStorage.setItem(keyOf(name, site), JSON.stringify(value));
  } catch {
    // As above.
  }
}
