// @ts-check
/** Search and answers for the page: a thin face on `worker.js`. */

/** @import { Asker, CoreRequests } from "./messages.js" */
/** @import { AskResult, Choices, Contents, Manifest, Source, SourceDocument } from "./pkg/core/campanile_core.js" */
/** @import { OtherWords } from "./pkg/gpu/campanile_gpu.js" */
/** @typedef {(loaded: number, total: number) => void} OnProgress */

/**
 * @typedef {object} ClientHooks
 * @property {(message: string) => void} onNotice
 * @property {() => void} onRestart  the new worker has no models yet
 * @property {(isQuiet: boolean) => void} onQuiet  nothing has come for a while, or it has again
 */

import { WorkerChannel, WorkerFailure } from "./channel.js";
import { askerOf } from "./profile.js";
import { startWorker } from "./origin.js";
import { fetchAfresh } from "./store.js";

/** A minute without a sign of life. */
const PATIENCE_TICKS = 12;

/**
 * Where the search runs, and of what site.
 * @typedef {object} Whereabouts
 * @property {() => URL | undefined} [site]  the site's folder; the one that this script is served from, if not given
 * @property {(site: URL | undefined) => Worker} [start]  starts `worker.js` for it
 */

/** @param {URL | undefined} site */
export const startSearch = (site) =>
  startWorker(
    new URL("./worker.js", import.meta.url),
    () => new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "campanile-search" }),
    site,
  );

export class CoreClient {
  /** @type {WorkerChannel<CoreRequests>} */ #channel;
  /** Counts the questions: the worker knows each by its number. */ #asked = 0;

  /** @param {ClientHooks} hooks @param {Whereabouts} [whereabouts] */
  constructor(hooks, { site, start = startSearch } = {}) {
    this.#channel = new WorkerChannel(() => start(site?.()), {
      patienceTicks: PATIENCE_TICKS,
      retry: true,
      onNotice: hooks.onNotice,
      onRestart: hooks.onRestart,
      onQuiet: hooks.onQuiet,
    });
  }

  /** Opens the site. @param {OnProgress} onProgress @returns {Promise<Manifest>} */
  manifest(onProgress) {
    return this.#channel.request("manifest", {}, { onProgress });
  }

  /** What a visitor may tell of themselves that makes a difference here. @returns {Promise<Choices>} */
  choices() {
    return this.#channel.request("choices", {});
  }

  /**
   * Passages by the question's words, while the program that answers is on its way; null where that is there, or
   * will be in a moment. To be asked before `ask`, which otherwise fetches that program at once.
   * @param {string} question
   * @param {string} today  such as "2026-11-22"
   * @returns {Promise<Source[] | null>}
   */
  find(question, today) {
    return this.#channel.request("find", { question, today });
  }

  /**
   * A question that points back at earlier ones, as it stands alone; null where it does already.
   * @param {string} question
   * @param {string[]} earlier  those of this conversation that were searched, in their order
   * @returns {Promise<string | null>}
   */
  followUp(question, earlier) {
    return this.#channel.request("follow-up", { question, earlier });
  }

  /**
   * @param {string} question
   * @param {Asker} [asker]  nobody in particular, today
   * @param {OtherWords} [words]  searched beside it
   * @returns {Promise<Asked>}
   */
  async ask(question, asker = askerOf(), words) {
    const told = { asked: ++this.#asked, question, asker, words };
    return new Asked(this.#channel, told, await this.#channel.request("ask", told));
  }

  /** Fetches what searches by meaning, roughly, before the encoder is there. @returns {Promise<null>} */
  loadInstant() {
    return this.#channel.request("load-instant", {});
  }

  /** Fetches the encoder and makes it ready. @param {OnProgress} onProgress */
  loadEncoder(onProgress) {
    return this.#channel.request("load-encoder", {}, { onProgress });
  }

  /** Fetches what finds the words that answer in a passage; the encoder has to be ready. @returns {Promise<null>} */
  loadSpanReader() {
    return this.#channel.request("load-span-reader", {});
  }

  /** The titles of all documents with the headings in them. @returns {Promise<Contents[]>} */
  contents() {
    return this.#channel.request("contents", {});
  }

  /** The document that a passage stands in. @param {number} chunk @returns {Promise<SourceDocument>} */
  document(chunk) {
    return this.#channel.request("document", { chunk });
  }

  /** Fetches the whole index, so that every question can be asked offline. @param {OnProgress} onProgress */
  prefetch(onProgress) {
    return this.#channel.request("prefetch", {}, { onProgress });
  }

  /** Starts over with a new worker, and scripts fetched anew: what failed to load is not tried twice by the same one. */
  async restart() {
    this.#channel.close("The search program is being started again.");
    await fetchAfresh();
  }

  /** Ends the search program; what is being asked fails with this reason. @param {string} reason */
  close(reason) {
    this.#channel.close(reason);
  }
}

/**
 * A question that was asked, with its answer: what is made of that answer is asked here, and is about no other.
 *
 * The worker holds what was found. Where it has forgotten that, because it was started again or many questions were
 * asked since, the question is asked once more.
 */
export class Asked {
  #channel;
  #told;

  /**
   * @param {WorkerChannel<CoreRequests>} channel
   * @param {CoreRequests["ask"]["takes"]} told
   * @param {AskResult} result
   */
  constructor(channel, told, result) {
    this.#channel = channel;
    this.#told = told;
    /** The answer as it was found, before its passages were read. */
    this.result = result;
  }

  /** The answer once its passages have been read for the words that answer; null where nothing can read them yet. */
  read() {
    return this.#remembered(() => this.#channel.request("read", { asked: this.#told.asked }));
  }

  /** The passages that are read, for a reader elsewhere. */
  passages() {
    return this.#remembered(() => this.#channel.request("passages", { asked: this.#told.asked }));
  }

  /** The answer with what was read elsewhere. @param {Float32Array} numbers */
  readWith(numbers) {
    return this.#remembered(() => this.#channel.request("read-with", { asked: this.#told.asked, numbers }));
  }

  /** What the language model is told: the evidence of the answer and nothing else. */
  prompt() {
    return this.#remembered(() => this.#channel.request("prompt", { asked: this.#told.asked }));
  }

  /** What each sentence of some prose about the answer rests on. @param {string} prose */
  cite(prose) {
    return this.#remembered(() => this.#channel.request("cite", { asked: this.#told.asked, prose }));
  }

  /** @template Result @param {() => Promise<Result>} request */
  async #remembered(request) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof WorkerFailure) || error.trouble !== "forgotten") throw error;
      await this.#channel.request("ask", this.#told);
      return request();
    }
  }
}
