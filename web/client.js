// @ts-check
/** Search and answers for the page: a thin face on `worker.js`. */

/** @import { AskResult, Asker, AudienceChoices, CitedSentence, CoreRequests, OtherWords, ProsePrompt, ReaderDocument, SiteManifest, Source } from "./messages.js" */
/** @typedef {(loaded: number, total: number) => void} OnProgress */

import { WorkerChannel } from "./channel.js";
import { askerOf } from "./profile.js";

/** A minute without a sign of life. */
const PATIENCE_TICKS = 12;

const startWorker = () =>
  new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "campanile-search" });

export class CoreClient {
  /** @type {WorkerChannel<CoreRequests>} */ #channel;

  /**
   * @param {object} [hooks]
   * @param {(message: string) => void} [hooks.onNotice]
   * @param {() => void} [hooks.onRestart]  the new worker has no reading model yet
   */
  constructor(hooks = {}) {
    this.#channel = new WorkerChannel(startWorker, {
      patienceTicks: PATIENCE_TICKS,
      retry: true,
      onNotice: hooks.onNotice,
      onRestart: hooks.onRestart,
    });
  }

  /** Opens the site. @param {OnProgress} onProgress @returns {Promise<SiteManifest>} */
  manifest(onProgress) {
    return this.#channel.request("manifest", {}, { onProgress });
  }

  /** What a reader may tell of themselves that makes a difference here. @returns {Promise<AudienceChoices>} */
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
   * @returns {Promise<AskResult>}
   */
  ask(question, asker = askerOf(), words) {
    return this.#channel.request("ask", { question, asker, words });
  }

  /**
   * The same answer once its passages have been read for the words that answer; null where nothing can read
   * them yet.
   * @param {string} question
   * @param {Asker} asker
   * @param {OtherWords} [words]
   * @returns {Promise<AskResult | null>}
   */
  read(question, asker, words) {
    return this.#channel.request("read", { question, asker, words });
  }

  /**
   * The question and the passages that are read for it, for a reader elsewhere; null where there is no answer.
   * @param {string} question
   * @param {Asker} asker
   * @param {OtherWords} [words]
   * @returns {Promise<string[] | null>}
   */
  toRead(question, asker, words) {
    return this.#channel.request("to-read", { question, asker, words });
  }

  /**
   * The same answer with what was read elsewhere; null where something else has been asked since.
   * @param {string} question
   * @param {Asker} asker
   * @param {OtherWords | undefined} words
   * @param {Float32Array} numbers
   * @returns {Promise<AskResult | null>}
   */
  readWith(question, asker, words, numbers) {
    return this.#channel.request("read-with", { question, asker, words, numbers });
  }

  /** Fetches what searches by meaning, roughly, before the reading model is there. @returns {Promise<null>} */
  loadInstant() {
    return this.#channel.request("load-instant", {});
  }

  /** Fetches the reading model and makes it ready. @param {OnProgress} onProgress */
  loadEncoder(onProgress) {
    return this.#channel.request("load-encoder", {}, { onProgress });
  }

  /** Fetches what finds the words that answer in a passage; the reading model has to be ready. @returns {Promise<null>} */
  loadSpanReader() {
    return this.#channel.request("load-span-reader", {});
  }

  /** The document that a passage stands in. @param {number} chunk @returns {Promise<ReaderDocument>} */
  document(chunk) {
    return this.#channel.request("document", { chunk });
  }

  /** Fetches the whole index, so that every question can be asked offline. @param {OnProgress} onProgress */
  prefetch(onProgress) {
    return this.#channel.request("prefetch", {}, { onProgress });
  }

  /**
   * What the language model is told: the evidence of one answer and nothing else.
   * @param {string} question
   * @param {Asker} [asker]
   * @param {OtherWords} [words]  with which that answer was found
   * @returns {Promise<ProsePrompt>}
   */
  prosePrompt(question, asker = askerOf(), words) {
    return this.#channel.request("prose-prompt", { question, asker, words });
  }

  /**
   * What each sentence of some prose about an answer rests on.
   * @param {string} question
   * @param {Asker} asker
   * @param {OtherWords | undefined} words  with which that answer was found
   * @param {string} prose
   * @returns {Promise<CitedSentence[]>}
   */
  cite(question, asker, words, prose) {
    return this.#channel.request("cite", { question, asker, words, prose });
  }

  /** Starts over with a new worker: a program that failed to load is not fetched twice by the same one. */
  restart() {
    this.#channel.close("The search program is being started again.");
  }
}
