// @ts-check
/**
 * The language model for the page: where it runs, how it is stopped, and what
 * happens when the graphics processor lets it down.
 */

/** @import { ProseDevice, ProsePrompt, ProseRequests, ProseResult } from "./messages.js" */

import { WorkerChannel } from "./channel.js";

/** Ten minutes: the first token on a slow processor may take several. */
const PATIENCE_TICKS = 120;

/** A worker that is busy computing may not hear the word to stop. */
const STOP_MILLISECONDS = 2_000;

const MAX_TOKENS = 200;

const startWorker = () =>
  new Worker(new URL("./prose-worker.js", import.meta.url), { type: "module", name: "campanile-prose" });

/** The reader cancelled; nothing is wrong. */
export class Cancelled extends Error {
  constructor() {
    super("Cancelled.");
    this.name = "Cancelled";
  }
}

/**
 * @typedef {object} Opened
 * @property {ProseDevice} device
 * @property {"none" | "no-adapter" | "gpu-failed"} fallback  why it is the CPU, if it is
 */

export class ProseClient {
  /** @type {WorkerChannel<ProseRequests>} */ #channel;
  /** @type {Promise<Opened> | undefined} */ #opening;
  #gpuFailed = false;
  #cancelled = false;

  /** @param {(message: string) => void} [onNotice] */
  constructor(onNotice) {
    this.#channel = new WorkerChannel(startWorker, {
      patienceTicks: PATIENCE_TICKS,
      retry: false,
      onNotice,
      // The new worker has no model: open it again when it is next wanted.
      onRestart: () => { this.#opening = undefined; },
    });
  }

  /** Whether the model is in memory. */
  get isOpen() {
    return this.#opening !== undefined;
  }

  /**
   * Fetches the model and makes it ready; at once when it already is.
   * @param {number} bytes  size of the model
   * @param {(loaded: number, total: number) => void} onProgress
   * @returns {Promise<Opened>}
   */
  open(bytes, onProgress) {
    this.#cancelled = false;
    this.#opening ??= this.#open(bytes, onProgress).catch((error) => {
      this.#opening = undefined;
      throw this.#cancelled ? new Cancelled() : error;
    });
    return this.#opening;
  }

  /**
   * Writes a text. When the graphics processor fails on the way, the next
   * `open` goes to the CPU.
   * @param {ProsePrompt} prompt
   * @param {(text: string) => void} onToken
   * @returns {Promise<ProseResult>}
   */
  async generate(prompt, onToken) {
    const opened = await this.#opening;
    try {
      return await this.#channel.request("generate", { prompt, maxTokens: MAX_TOKENS }, { onToken });
    } catch (error) {
      if (this.#cancelled) throw new Cancelled();
      if (opened?.device === "webgpu") {
        this.#gpuFailed = true;
        this.cancel();
      }
      throw error;
    }
  }

  /** Whether the GPU has failed and trying again would go to the CPU. */
  get gpuFailed() {
    return this.#gpuFailed;
  }

  /** Ends the text after the present token, or the worker when it does not listen. @param {Promise<unknown>} running */
  async stop(running) {
    this.#channel.send({ kind: "stop" });
    const late = new Promise((resolve) => { setTimeout(() => resolve("late"), STOP_MILLISECONDS); });
    const first = await Promise.race([running.then(() => "done", () => "done"), late]);
    if (first === "late") this.cancel();
  }

  /** Drops the worker and whatever it was doing. Finished files stay kept. */
  cancel() {
    this.#cancelled = true;
    this.#opening = undefined;
    this.#channel.close("Cancelled.");
  }

  /**
   * @param {number} bytes
   * @param {(loaded: number, total: number) => void} onProgress
   * @returns {Promise<Opened>}
   */
  async #open(bytes, onProgress) {
    const best = this.#gpuFailed ? "cpu" : await this.#channel.request("probe", {});
    if (best === "webgpu") {
      try {
        const device = await this.#channel.request("open", { device: "webgpu", bytes }, { onProgress });
        return { device, fallback: "none" };
      } catch (error) {
        if (this.#cancelled) throw error;
        // What has been fetched is kept, so the second attempt costs no download;
        // a file that is missing fails here again, with its own message.
        this.#channel.close("The graphics processor could not be used.");
      }
    }
    const device = await this.#channel.request("open", { device: "cpu", bytes }, { onProgress });
    this.#gpuFailed ||= best === "webgpu";
    return { device, fallback: this.#gpuFailed ? "gpu-failed" : "no-adapter" };
  }
}
