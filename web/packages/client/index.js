// @ts-check
/**
 * Opens a Campanile site in a browser.
 *
 * The search runs in a worker. It is this package's own program: of the site, only data is fetched.
 */

/** @typedef {import("./site.js").AskOptions} AskOptions */
/** @typedef {import("./site.js").AskResult} AskResult */
/** @typedef {import("./site.js").Choices} Choices */
/** @typedef {import("./site.js").CitedSentence} CitedSentence */
/** @typedef {import("./site.js").Manifest} Manifest */
/** @typedef {import("./site.js").OpenOptions} OpenOptions */
/** @typedef {import("./site.js").Profile} Profile */
/** @typedef {import("./site.js").Progress} Progress */
/** @typedef {import("./site.js").ProsePrompt} ProsePrompt */
/** @typedef {import("./site.js").Source} Source */
/** @typedef {import("./site.js").SourceDocument} SourceDocument */

import { folderOf } from "./address.js";
import { Site } from "./site.js";

export { CampanileError, Reply, Site } from "./site.js";

/**
 * Opens a site.
 * @param {string | URL} address  of the site's folder, absolute or relative to the page. The server of another origin has
 *   to allow this one to read it (`Access-Control-Allow-Origin`)
 * @param {OpenOptions} [options]
 * @returns {Promise<Site>}
 */
export function open(address, options = {}) {
  return Site.open({ site: folderOf(new URL(address, globalThis.location?.href)) }, options);
}
