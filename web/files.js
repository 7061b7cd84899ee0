// @ts-check
/**
 * The page's own files, each by its path in the site, with the beginning of its SHA-256 in hexadecimal digits.
 *
 * `campanile build` writes this file anew. As it stands here nothing is known of any file, and none is checked.
 */

/** @type {Record<string, string>} */
export const FILES = {};
