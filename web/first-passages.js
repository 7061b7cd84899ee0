// @ts-check
/**
 * The first passages of a first visit, in the worker.
 *
 * `core` takes many times longer to arrive than the files of one keyword search. Until it is there, the small
 * `keywords` module finds passages by the question's words; `core` is not fetched beside them,
 * but behind them. Where it has been kept by an earlier visit, or who asks has told who they are, there
 * is nothing to bridge: passages for others would only flash up.
 */

/** @import { Manifest, Source } from "./pkg/core/campanile_core.js" */
/** @import { Keywords } from "./pkg/keywords/campanile_keywords.js" */
/** @typedef {typeof import("./pkg/keywords/campanile_keywords.js")} Program */
/** @import { SiteStore } from "./store.js" */

import { isSingleFile } from "./single-file.js";

/** How long `core` waits for a question: who has a link with one asks at once, who types takes longer. */
const LISTENING_MILLISECONDS = 1_500;

const PROGRAM = new URL("./pkg/keywords/campanile_keywords_bg.wasm", import.meta.url);

export class FirstPassages {
  /** @type {SiteStore} */ #store;
  #isExpected = false;
  #isWanted = false;
  /** Whether this device has the program that answers already. */ #isCoreKept = Promise.resolve(false);
  /** The program, for which the manifest is not waited; null where `core` is kept. @type {Promise<Program | null>} */
  #program = Promise.resolve(null);
  /** @type {(search: Promise<Keywords | null> | null) => void} */ #become = () => undefined;
  /** @type {() => void} */ #release = () => undefined;
  /** @type {Promise<Keywords | null>} */ #search = new Promise((resolve) => {
    this.#become = resolve;
  });
  /** @type {Promise<void>} */ #over = new Promise((resolve) => {
    this.#release = resolve;
  });

  /** @param {SiteStore} store */
  constructor(store) {
    this.#store = store;
  }

  /**
   * Settles as soon as nobody waits for first passages: time to fetch `core`. A worker that took another's
   * place is not told of the site again, and has nothing to wait for.
   */
  get over() {
    if (!this.#isExpected) this.skip();
    return this.#over;
  }

  /** The site's manifest is on its way: what is asked now can be found once it is there. */
  expect() {
    this.#isExpected = true;
    this.#isCoreKept = isCoreKept();
    this.#program = this.#fetchProgram();
    // Whoever needs it hears of it.
    this.#program.catch(() => undefined);
  }

  /** Gets ready for a question. @param {Manifest} manifest  of the site */
  open(manifest) {
    // Whatever goes wrong, `core` meets it too, tries again past all caches, and says what it is.
    const search = this.#load(manifest).catch(() => null);
    search.then((found) => {
      if (!found) this.skip();
    });
    this.#become(search);
    setTimeout(() => this.skipUnlessWanted(), LISTENING_MILLISECONDS);
  }

  /** Nobody has asked for them so far. */
  skipUnlessWanted() {
    if (!this.#isWanted) this.skip();
  }

  /** Nobody needs first passages, or nobody any more. */
  skip() {
    this.#release();
    this.#become(null);
  }

  /**
   * The best passages by their words; null where they can't be had.
   * @param {string} question
   * @param {string} today  such as "2026-11-22"
   * @returns {Promise<Source[] | null>}
   */
  async find(question, today) {
    this.#isWanted = true;
    if (!this.#isExpected) this.skip();
    try {
      const search = await this.#search;
      return search ? await this.#ask(search, question, today) : null;
    } catch {
      // As above: `core` is asked next.
      return null;
    } finally {
      this.skip();
    }
  }

  /** @param {Keywords} search @param {string} question @param {string} today */
  async #ask(search, question, today) {
    for (;;) {
      const step = search.ask(question, today);
      if ("sources" in step) return step.sources;
      await Promise.all(step.needs.map(async (path) => search.give(path, await this.#store.read(path, false))));
    }
  }

  /** @returns {Promise<Program | null>} */
  async #fetchProgram() {
    if (await this.#isCoreKept) return null;
    const [module, program] = await Promise.all([
      import("./pkg/keywords/campanile_keywords.js"),
      this.#store.program(PROGRAM),
    ]);
    await module.default({ module_or_path: program });
    return module;
  }

  /** @param {Manifest} manifest @returns {Promise<Keywords | null>} */
  async #load(manifest) {
    const { lexical, documents } = manifest;
    const program = this.#program;
    // The program asks for both heads first: on a slow line they come while it does.
    if (!(await this.#isCoreKept)) for (const { head } of [lexical, documents]) this.#store.ahead(head.path);
    const module = await program;
    if (!module) return null;
    const search = new module.Keywords(manifest);
    // Nothing is found for no words, but on the way both heads are fetched.
    await this.#ask(search, "", "2000-01-01");
    return search;
  }
}

/** Whether this device has the program that answers already. */
async function isCoreKept() {
  if (isSingleFile()) return true;
  if (!("caches" in globalThis)) return false;
  const file = new URL("./pkg/core/campanile_core_bg.wasm", import.meta.url);
  return (await caches.match(file.href).catch(() => undefined)) !== undefined;
}
