// @ts-check
/**
 * The worker's end of the conversation: takes requests, answers each by its
 * number, and says so when the wasm module behind it has broken down.
 */

/** @import { Request, Trouble, WorkerMessage } from "./messages.js" */

import { holdParts } from "./single-file.js";

/**
 * @template {Record<string, { takes: object, gives: unknown }>} Requests
 * @typedef {{ [Kind in keyof Requests]: (payload: Requests[Kind]["takes"], id: number) => Promise<Requests[Kind]["gives"]> }} Handlers
 */

/** @param {WorkerMessage} message */
export const tell = (message) => globalThis.postMessage(message);

/**
 * A trap inside wasm leaves the module in no known state: it must not be used again.
 * @param {unknown} error
 */
const isTrap = (error) => typeof WebAssembly !== "undefined" && error instanceof WebAssembly.RuntimeError;

/** @param {unknown} error */
export const wordsOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * What is behind an error, as far as the worker can tell.
 * @typedef {{ trouble: Trouble, message: string }} Diagnosis
 */

/**
 * @typedef {object} ServeHooks
 * @property {{ readonly fetching: number, readonly received: number }} store  requests on the network, and bytes that came of them
 * @property {() => void} [onStop]
 * @property {(site: string) => void} [onSite]
 * @property {(error: unknown) => Promise<Diagnosis | null>} [diagnose]  asked about every error, before it is told
 */

/**
 * Answers requests with the handler of their kind.
 * @template {Record<string, { takes: object, gives: unknown }>} Requests
 * @param {Handlers<Requests>} handlers
 * @param {ServeHooks} hooks
 */
export function serve(handlers, hooks) {
  /** @param {unknown} error @returns {Promise<Diagnosis>} */
  const breakdown = async (error) => (await hooks.diagnose?.(error)) ?? { trouble: "broken", message: wordsOf(error) };

  globalThis.addEventListener("message", async ({ data }) => {
    if (data.kind === "ping")
      return tell({ kind: "pong", fetching: hooks.store.fetching, received: hooks.store.received });
    if (data.kind === "stop") return hooks.onStop?.();
    if (data.kind === "site") {
      if (data.parts) holdParts(data.parts);
      return hooks.onSite?.(data.site);
    }
    const request = /** @type {Request<Requests>} */ (data);
    try {
      const value = await handlers[request.kind](request.payload, request.id);
      tell({ kind: "result", id: request.id, value });
    } catch (error) {
      if (isTrap(error)) return tell({ kind: "fatal", ...(await breakdown(error)) });
      const diagnosis = await hooks.diagnose?.(error);
      tell({ kind: "failure", id: request.id, message: wordsOf(error), ...diagnosis });
    }
  });
  // A panic inside a task that nobody awaits comes out here, and the promise
  // that the page waits for never settles.
  globalThis.addEventListener("error", async (event) => {
    // Else the page hears of it first, without the diagnosis.
    event.preventDefault();
    tell({ kind: "fatal", ...(await breakdown(event.error ?? event.message)) });
  });
  globalThis.addEventListener("unhandledrejection", async (event) => {
    event.preventDefault();
    tell({ kind: "fatal", ...(await breakdown(event.reason)) });
  });
}

/**
 * Turns the coarse progress of a module (whole files) into a smooth one by
 * adding the bytes that have come in since its last word.
 */
export class Progress {
  #base = 0;
  #since = 0;
  #shown = 0;
  #total;
  #report;

  /**
   * @param {number} total  bytes, 0 while unknown
   * @param {(loaded: number, total: number) => void} report
   */
  constructor(total, report) {
    this.#total = total;
    this.#report = report;
  }

  /** The module's own word: @param {number} loaded @param {number} total */
  at(loaded, total) {
    this.#base = loaded;
    this.#since = 0;
    this.#total = total;
    this.#show();
  }

  /** Bytes have come in. @param {number} bytes */
  add(bytes) {
    this.#since += bytes;
    this.#show();
  }

  #show() {
    const loaded = this.#base + this.#since;
    this.#shown = Math.max(this.#shown, this.#total > 0 ? Math.min(loaded, this.#total) : loaded);
    this.#report(this.#shown, this.#total);
  }
}
