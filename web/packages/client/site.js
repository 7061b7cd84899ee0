// @ts-check
/**
 * An open site, for programs: asking, reading, citing, and the prompt that prose is written from. Nothing here knows a
 * page, or where it runs: `index.js` opens a site in a browser, `node.js` in Node.js.
 */

/** @import { Asked } from "../../client.js" */

/** @typedef {import("../../pkg/core/campanile_core.js").AskResult} AskResult */
/** @typedef {import("../../pkg/core/campanile_core.js").Choices} Choices */
/** @typedef {import("../../pkg/core/campanile_core.js").CitedSentence} CitedSentence */
/** @typedef {import("../../pkg/core/campanile_core.js").Manifest} Manifest */
/** @typedef {import("../../pkg/core/campanile_core.js").ProsePrompt} ProsePrompt */
/** @typedef {import("../../pkg/core/campanile_core.js").Source} Source */
/** @typedef {import("../../pkg/core/campanile_core.js").SourceDocument} SourceDocument */
/** @typedef {import("../../messages.js").Profile} Profile */

import { CoreClient } from "../../client.js";
import { WorkerFailure } from "../../channel.js";
import { askerOf, isSilent } from "../../profile.js";

/**
 * What is being fetched, in bytes; `total` is 0 while it is unknown. `site` is what a site needs to open, `models` are
 * what finds by meaning, `index` is all of the index.
 * @typedef {{ what: "site" | "models" | "index", loaded: number, total: number }} Progress
 */

/** @typedef {(progress: Progress) => void} OnProgress */

/**
 * @typedef {object} Waiting
 * @property {AbortSignal | undefined} [signal]  gives up: the promise is rejected with the signal's reason
 * @property {OnProgress | undefined} [onProgress]  is told what is being fetched
 */

/**
 * @typedef {object} OpenOptions
 * @property {AbortSignal | undefined} [signal]  gives up opening
 * @property {OnProgress | undefined} [onProgress]  is told what is being fetched, now and for as long as the site is open
 * @property {((message: string) => void) | undefined} [onNotice]  is told what is worth knowing and is no failure, in a
 *   sentence: such as that there is no room to keep files
 */

/**
 * @typedef {object} AskOptions
 * @property {Profile | undefined} [profile]  who asks; documents that are for others are left out
 * @property {boolean | undefined} [everyone]  search also what is for others
 * @property {string | undefined} [today]  the day of the question, such as "2026-11-22": documents hold for a time
 * @property {Record<string, unknown> | undefined} [settings]  those of `[search]` that are others than the site's, by the
 *   names that `campanile.toml` has for them: `{ sources: 3 }`
 * @property {string[] | undefined} [earlier]  the questions before this one, where it may point back at them
 * @property {"all" | "loaded" | undefined} [models]  "all", the default, waits until everything is there that makes the
 *   answer as good as the site can give it; "loaded" answers with what is there: at first, by keywords
 * @property {((sources: Source[]) => void) | undefined} [onPassages]  is told the passages that are found by keywords
 *   while the models are on their way
 * @property {AbortSignal | undefined} [signal]  gives up the question
 */

/**
 * Why something could not be done:
 * - `unreadable`: a file of the site is missing, damaged or cannot be reached, or there is no site;
 * - `program`: the program that answers could not be loaded, or broke down (it is started again by itself);
 * - `closed`: the site was closed.
 * @typedef {"unreadable" | "program" | "closed"} CampanileErrorCode
 */

/** Something could not be done; the message says it in a sentence and names the file or address. */
export class CampanileError extends Error {
  /** @param {CampanileErrorCode} code @param {string} message @param {ErrorOptions} [options] */
  constructor(code, message, options) {
    super(message, options);
    this.name = "CampanileError";
    /** @type {CampanileErrorCode} */
    this.code = code;
  }
}

const CLOSED = "The site was closed.";

/** An open site. */
export class Site {
  /** The address of its folder. @type {string} */ address;
  /** @type {Manifest | null} */ #manifest = null;
  /** @type {CoreClient} */ #client;
  /** Whoever is to be told what is being fetched. @type {Set<OnProgress>} */ #watching = new Set();
  /** What is loaded, or being loaded: one for all who wait for it. @type {{ instant?: Promise<unknown> | undefined, all?: Promise<unknown> | undefined }} */
  #models = {};
  /** How often the program was started again. */ #starts = 0;
  /** Whether all models are loaded. */ #isWhole = false;
  /** Whether the program that answers has answered once. */ #isThere = false;
  #isClosed = false;

  /**
   * To be had from `open`.
   * @internal
   * @param {{ site: URL, start?: (site: URL | undefined) => Worker }} place  a site, and what starts the search where a page would not
   * @param {OpenOptions} options
   */
  constructor({ site, start }, { onProgress, onNotice }) {
    this.address = site.href;
    if (onProgress) this.#watching.add(onProgress);
    const hooks = {
      onNotice: (/** @type {string} */ message) => onNotice?.(message),
      onRestart: () => this.#forget(),
      onQuiet: () => undefined,
    };
    this.#client = new CoreClient(hooks, { site: () => site, start });
  }

  /**
   * Opens a site.
   * @internal
   * @param {{ site: URL, start?: (site: URL | undefined) => Worker }} place  a site, and what starts the search where a page would not
   * @param {OpenOptions} options
   */
  static async open(place, options) {
    options.signal?.throwIfAborted();
    const site = new Site(place, options);
    try {
      site.#manifest = await site.#done(
        () => site.#client.manifest((loaded, total) => site.#tell({ what: "site", loaded, total })),
        options.signal,
      );
    } catch (error) {
      site.close();
      if (!(error instanceof CampanileError)) throw error;
      throw new CampanileError(error.code, `${site.address} could not be opened: ${error.message}`, { cause: error });
    }
    return site;
  }

  /** What the site says of itself: title, contact, example questions, counts. @returns {Manifest} */
  get manifest() {
    // Who has a site has it from `open`, which gives none without.
    return /** @type {Manifest} */ (this.#manifest);
  }

  /**
   * Asks a question.
   * @param {string} question
   * @param {AskOptions} [options]
   * @returns {Promise<Reply>}
   */
  async ask(question, options = {}) {
    const {
      profile = {},
      everyone = false,
      today,
      settings,
      earlier = [],
      models = "all",
      onPassages,
      signal,
    } = options;
    const typed = question.trim();
    if (typed === "") throw new TypeError("There is no question: it is empty.");
    const asker = askerOf(profile, everyone, today, settings);
    const meant =
      (earlier.length > 0 && (await this.#done(() => this.#client.followUp(typed, earlier), signal))) || typed;
    if (onPassages && !this.#isWhole) {
      const first = this.#isThere || !isSilent(profile) ? null : await this.#find(meant, asker.profile, signal);
      // Where the small search can't tell, the whole one does, as soon as it is there.
      const sources =
        first ??
        (models === "all" ? (await this.#done(() => this.#client.ask(meant, asker), signal)).result.sources : []);
      if (sources.length > 0) onPassages(sources);
    }
    for (;;) {
      const starts = this.#starts;
      if (models === "all") await this.load("all", { signal });
      const asked = await this.#done(() => this.#client.ask(meant, asker), signal);
      this.#isThere = true;
      // Null where the site has nothing that reads passages, or it is not loaded.
      const read = await this.#done(() => asked.read(), signal);
      // A program that was started again meanwhile has answered without the models.
      if (models === "all" && starts !== this.#starts) continue;
      return new Reply(this, asked, read ?? asked.result, (work, until) => this.#done(work, until));
    }
  }

  /**
   * Loads what finds by meaning, before it is needed: `instant` is some hundred kilobytes that find roughly, `all` is the
   * encoder and what reads passages for the words that answer, some ten megabytes. A site that has none loads nothing.
   * @param {"instant" | "all"} [models]
   * @param {Waiting} [options]
   * @returns {Promise<void>}
   */
  async load(models = "all", { signal, onProgress } = {}) {
    await this.#watched(onProgress, () => this.#done(() => this.#loaded(models), signal));
  }

  /**
   * Fetches all of the index, so that no question needs the network.
   * @param {Waiting} [options]
   * @returns {Promise<void>}
   */
  async prefetch({ signal, onProgress } = {}) {
    const fetching = () => this.#client.prefetch((loaded, total) => this.#tell({ what: "index", loaded, total }));
    await this.#watched(onProgress, () => this.#done(fetching, signal));
  }

  /**
   * The document that a passage stands in, whole.
   * @param {Source | number} passage  a source, or the number of its chunk
   * @param {{ signal?: AbortSignal | undefined }} [options]
   * @returns {Promise<SourceDocument>}
   */
  document(passage, { signal } = {}) {
    const chunk = typeof passage === "number" ? passage : passage.chunk;
    return this.#done(() => this.#client.document(chunk), signal);
  }

  /**
   * What may be told of who asks, and makes a difference to this site's documents.
   * @param {{ signal?: AbortSignal | undefined }} [options]
   * @returns {Promise<Choices>}
   */
  choices({ signal } = {}) {
    return this.#done(() => this.#client.choices(), signal);
  }

  /** Lets go of the site and the memory it takes. What is being asked is rejected; nothing can be asked any more. */
  close() {
    this.#isClosed = true;
    this.#client.close(CLOSED);
  }

  /** @param {"instant" | "all"} models */
  #loaded(models) {
    const loading = this.#models[models] ?? (models === "all" ? this.#loadAll() : this.#loadInstant());
    this.#models[models] = loading;
    loading.catch(() => {
      // A failure is not remembered: whoever asks next tries again.
      if (this.#models[models] === loading) this.#models[models] = undefined;
    });
    return loading;
  }

  async #loadInstant() {
    if (this.manifest.instant) await this.#client.loadInstant();
  }

  async #loadAll() {
    const { encoder, reader } = this.manifest;
    if (encoder) {
      await this.#client.loadEncoder((loaded, total) =>
        this.#tell({ what: "models", loaded, total: total || encoder.bytes }),
      );
      if (reader) await this.#client.loadSpanReader();
    }
    this.#isWhole = true;
  }

  /** @param {string} question @param {string} profile  as JSON, with the day @param {AbortSignal | undefined} signal */
  #find(question, profile, signal) {
    return this.#done(() => this.#client.find(question, JSON.parse(profile).date), signal);
  }

  /** The program was started again: it has no models yet. */
  #forget() {
    this.#starts += 1;
    this.#models = {};
    this.#isWhole = false;
    this.#isThere = false;
  }

  /** @param {Progress} progress */
  #tell(progress) {
    for (const told of this.#watching) told(progress);
  }

  /** @template Result @param {OnProgress | undefined} onProgress @param {() => Promise<Result>} work */
  async #watched(onProgress, work) {
    if (!onProgress) return work();
    // One function may be given twice.
    const told = (/** @type {Progress} */ progress) => onProgress(progress);
    this.#watching.add(told);
    try {
      return await work();
    } finally {
      this.#watching.delete(told);
    }
  }

  /**
   * Does something unless the signal says otherwise, and says in one way what is wrong with it. Files that are on their
   * way when it is given up still arrive: the next question needs them.
   * @template Result
   * @param {() => Promise<Result>} work
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<Result>}
   */
  #done(work, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#isClosed) return reject(new CampanileError("closed", CLOSED));
      const giveUp = () => reject(signal?.reason);
      signal?.addEventListener("abort", giveUp, { once: true });
      work()
        .then(resolve, (error) => reject(this.#explained(error)))
        .finally(() => signal?.removeEventListener("abort", giveUp));
    });
  }

  /** @param {unknown} error */
  #explained(error) {
    if (this.#isClosed) return new CampanileError("closed", CLOSED, { cause: error });
    if (!(error instanceof WorkerFailure)) return error;
    const isProgram = error.trouble !== undefined && error.trouble !== "unread";
    return new CampanileError(isProgram ? "program" : "unreadable", error.message, { cause: error });
  }
}

/** The reply to one question: what is made of it is about no other. */
export class Reply {
  /** All that was found. Spans count UTF-16 code units, as JavaScript's strings do. @type {AskResult} */ result;
  #site;
  #asked;
  #done;

  /**
   * @internal
   * @param {Site} site
   * @param {Asked} asked
   * @param {AskResult} result
   * @param {<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined) => Promise<Result>} done
   */
  constructor(site, asked, result, done) {
    this.result = result;
    this.#site = site;
    this.#asked = asked;
    this.#done = done;
  }

  /** The answer, a sentence of the documents, or the refusal's words. */
  get text() {
    return this.result.answer.text;
  }

  /** Whether the documents answer: false is a refusal. */
  get isAnswered() {
    return this.result.answer.kind !== "refusal";
  }

  /** The passages, best first. */
  get sources() {
    return this.result.sources;
  }

  /** The passage that the answer stands in; null after a refusal. @returns {Source | null} */
  get source() {
    const { source } = this.result.answer;
    return this.sources.find(({ number }) => number === source) ?? null;
  }

  /**
   * The document that a source stands in, whole.
   * @param {number} number  the source's
   * @param {{ signal?: AbortSignal | undefined }} [options]
   * @returns {Promise<SourceDocument>}
   */
  async document(number, options) {
    const found = this.sources.find((source) => source.number === number);
    if (!found) throw new RangeError(`There is no source ${number}: this reply has ${this.sources.length}.`);
    return this.#site.document(found, options);
  }

  /**
   * What a language model is to be told so that it words this answer: instructions, passages and question as chat
   * messages. Null after a refusal: where there is no evidence, no model is to be asked.
   * @param {{ signal?: AbortSignal | undefined }} [options]
   * @returns {Promise<ProsePrompt | null>}
   */
  async prompt({ signal } = {}) {
    return this.isAnswered ? this.#done(() => this.#asked.prompt(), signal) : null;
  }

  /**
   * What each sentence of some prose rests on: which passage says it, how sure that is, and what no passage says.
   * @param {string} prose
   * @param {{ signal?: AbortSignal | undefined }} [options]
   * @returns {Promise<CitedSentence[]>}
   */
  cite(prose, { signal } = {}) {
    return this.#done(() => this.#asked.cite(prose), signal);
  }
}
