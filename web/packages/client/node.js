// @ts-check
/**
 * Opens a Campanile site in Node.js: from a folder on disk, or by its address.
 *
 * The search runs in a thread of its own, so that a server goes on while a question is answered.
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

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker as Thread } from "node:worker_threads";
import { folderOf } from "./address.js";
import { CampanileError, Site } from "./site.js";

export { CampanileError, Reply, Site } from "./site.js";

/**
 * @typedef {object} NodeOptions
 * @property {string | undefined} [keep]  a folder in which the files of a site on the network are kept, so that the next
 *   program that opens it need not fetch them again; made where it is not there. Without one, they are kept in memory alone
 */

/** A thread with the face of a browser's worker. */
class ThreadWorker extends EventTarget {
  #thread;
  /** Whether that is meant. */ #isEnded = false;

  /** @param {string | undefined} keep */
  constructor(keep) {
    super();
    this.#thread = new Thread(new URL("./thread.js", import.meta.url), { workerData: { keep }, execArgv: [] });
    this.#thread.on("message", (data) => this.dispatchEvent(Object.assign(new Event("message"), { data })));
    this.#thread.on("error", ({ message }) => this.#fail(message));
    // After an error it ends as well; by then another has taken its place.
    this.#thread.on("exit", () => {
      if (!this.#isEnded) this.#fail("The search program ended before it had answered.");
    });
    // A program may end although it has a site open; while something is asked, the one who waits keeps it alive. Last:
    // who listens keeps it alive as well.
    this.#thread.unref();
  }

  /** @param {unknown} message */
  postMessage(message) {
    this.#thread.postMessage(message);
  }

  terminate() {
    this.#isEnded = true;
    this.#thread.terminate();
  }

  /** @param {string} message */
  #fail(message) {
    this.dispatchEvent(Object.assign(new Event("error", { cancelable: true }), { message }));
  }
}

/**
 * Opens a site.
 * @param {string | URL} place  a folder on disk, or the address of one (`http:`, `https:` or `file:`)
 * @param {OpenOptions & NodeOptions} [options]
 * @returns {Promise<Site>}
 */
export async function open(place, { keep, ...options } = {}) {
  const site = folderOf(addressOf(place));
  if (site.protocol === "file:" && !existsSync(new URL("campanile.json", site))) {
    const folder = fileURLToPath(site);
    throw new CampanileError(
      "unreadable",
      `${folder} holds no site: there is no campanile.json in it. \`campanile build\` makes one.`,
    );
  }
  const start = () => {
    const thread = new ThreadWorker(keep);
    thread.postMessage({ kind: "site", site: site.href });
    return /** @type {Worker} */ (/** @type {unknown} */ (thread));
  };
  return Site.open({ site, start }, options);
}

/** @param {string | URL} place */
const addressOf = (place) =>
  typeof place !== "string" || /^(?:https?|file):/i.test(place) ? new URL(place) : pathToFileURL(resolve(place));
