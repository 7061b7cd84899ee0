// @ts-check
/**
 * The language model for the page: where it runs, how it is stopped, and what
 * happens when the graphics processor lets it down.
 *
 * A device that is lost takes its worker with it. The model is then opened once
 * more, from the files that are kept, and the same text asked for again; at the
 * second loss the processor takes over for as long as the page is open.
 */

/** @import { DeviceReport, DeviceWish, FallbackReason, ModelNeeds, ProseDevice, ProseRequests, Trouble } from "./messages.js" */
/** @import { ProsePrompt } from "./pkg/core/campanile_core.js" */
/** @import { OtherWords, ProseResult } from "./pkg/gpu/campanile_gpu.js" */

import { WorkerChannel, WorkerFailure } from "./channel.js";
import { startWorker } from "./origin.js";

/** Ten minutes: the first token on a slow processor may take several. */
const PATIENCE_TICKS = 120;

/** Five minutes on the graphics processor, which leaves its worker free to answer in the meantime. */
const GPU_PATIENCE_TICKS = 60;

/** A worker that is busy computing may not hear the word to stop. */
const STOP_MILLISECONDS = 2_000;

/** The most tokens of a text, by the length that the visitor wants. */
export const TOKENS = { short: 80, usual: 200, long: 400 };

/**
 * How often the graphics processor may be lost over one text before the processor takes over, and
 * a helper before one worker computes alone.
 */
const LOSSES_ALLOWED = 1;

/** @param {URL | undefined} site */
const startProse = (site) =>
  startWorker(
    new URL("./prose-worker.js", import.meta.url),
    () => new Worker(new URL("./prose-worker.js", import.meta.url), { type: "module", name: "campanile-prose" }),
    site,
  );

/** The visitor cancelled; nothing is wrong. */
export class Cancelled extends Error {
  constructor() {
    super("Cancelled.");
    this.name = "Cancelled";
  }
}

/**
 * @typedef {object} Opened
 * @property {ProseDevice} device
 * @property {FallbackReason} reason  why it is the CPU, if it is
 * @property {number} workers  how many compute there
 * @property {number} planned  how many were to
 * @property {boolean} rewords  whether the site wants questions in other words
 */

/** @typedef {{ cancelled: boolean }} Attempt */

/**
 * @typedef {object} WriteHooks
 * @property {number} [tokens]  the most that are written
 * @property {(loaded: number, total: number) => void} onProgress
 * @property {(opened: Opened) => void} onOpen  the model is ready; once for each attempt
 * @property {(text: string) => void} onToken
 * @property {(trouble: Trouble | undefined, onProcessor: boolean) => void} onResume  the text begins anew
 */

export class ProseClient {
  /** @type {WorkerChannel<ProseRequests>} */ #channel;
  /** @type {Promise<Opened> | undefined} */ #opening;
  /** @type {DeviceReport | undefined} */ #report;
  /** Why the graphics processor is not to be used any more. @type {FallbackReason} */ #barred = "none";
  /** Whether one worker is to compute alone from now on. */
  #alone = false;
  /** @type {string[]} */ #history = [];
  /** The text that is being written, and those that wait for their turn. @type {Set<Attempt>} */
  #attempts = new Set();
  /** @type {Promise<unknown>} */ #last = Promise.resolve();
  /** Counts the questions that were to be put in other words: the last one matters. */
  #rewordings = 0;
  #rewording = false;
  #wish;

  /**
   * @param {() => DeviceWish} wish
   * @param {(message: string) => void} [onNotice]
   * @param {() => URL | undefined} [site]  the site's folder; the one that this script is served from, if not given
   */
  constructor(wish, onNotice, site) {
    this.#wish = wish;
    this.#channel = new WorkerChannel(() => startProse(site?.()), {
      patienceTicks: PATIENCE_TICKS,
      retry: false,
      onNotice,
      // The new worker has no model: open it again when it is next wanted.
      onRestart: (reason) => {
        this.#opening = undefined;
        this.#note(reason);
      },
    });
  }

  /** Whether the model is in memory. */
  get isOpen() {
    return this.#opening !== undefined;
  }

  /** What the probe found and what has befallen devices since, a line each. */
  get trace() {
    return [...(this.#report?.lines ?? []), ...this.#history];
  }

  /** Whether the graphics processor has failed and trying again goes to the CPU. */
  get gpuFailed() {
    return this.#barred !== "none";
  }

  /**
   * Opens the model where it is not open yet, and writes a text, on another
   * attempt or another device where the first one is lost. Texts are written
   * one after the other.
   * @param {ModelNeeds} needs
   * @param {() => Promise<ProsePrompt>} prompt
   * @param {WriteHooks} hooks
   * @returns {Promise<{ result: ProseResult, opened: Opened }>}
   */
  write(needs, prompt, hooks) {
    const attempt = { cancelled: false };
    this.#attempts.add(attempt);
    this.#endRewording();
    const running = this.#last
      .then(() => this.#write(attempt, needs, prompt, hooks))
      .finally(() => this.#attempts.delete(attempt));
    this.#last = running.catch(() => undefined);
    return running;
  }

  /**
   * Puts a question in other words with a model that is in memory; null where there is none, or where
   * it is wanted for something else. No model is ever opened for this, and no failure told: a question
   * is answered without.
   * @param {string} question
   * @returns {Promise<OtherWords | null>}
   */
  async reword(question) {
    this.#endRewording();
    const turn = ++this.#rewordings;
    await this.#last;
    const opening = this.#opening;
    const opened = await opening?.catch(() => undefined);
    const isFree = turn === this.#rewordings && this.#attempts.size === 0 && opening === this.#opening;
    if (!opened?.rewords || !isFree) return null;
    this.#rewording = true;
    const patienceTicks = opened.device === "webgpu" ? GPU_PATIENCE_TICKS : PATIENCE_TICKS;
    const running = this.#channel
      .request("reword", { question }, { patienceTicks })
      .catch((error) => {
        if (error instanceof WorkerFailure && error.trouble) this.#letGo(error, 1);
        return null;
      })
      .finally(() => {
        this.#rewording = false;
      });
    this.#last = running;
    const words = await running;
    return words?.stopped === false ? words : null;
  }

  #endRewording() {
    if (this.#rewording) this.#channel.send({ kind: "stop" });
  }

  /** Ends the text after the present token, or the worker when it does not listen. @param {Promise<unknown>} running */
  async stop(running) {
    const stopped = [...this.#attempts];
    this.#channel.send({ kind: "stop" });
    const late = new Promise((resolve) => {
      setTimeout(() => resolve("late"), STOP_MILLISECONDS);
    });
    const first = await Promise.race([
      running.then(
        () => "done",
        () => "done",
      ),
      late,
    ]);
    if (first === "late") this.#end(stopped);
  }

  /** Drops the worker and whatever it was doing. Finished files stay kept. */
  cancel() {
    this.#end([...this.#attempts]);
  }

  /** @param {Attempt[]} attempts */
  #end(attempts) {
    for (const attempt of attempts) attempt.cancelled = true;
    this.#drop("Cancelled.");
  }

  /** @param {string} reason */
  #drop(reason) {
    this.#opening = undefined;
    this.#channel.close(reason);
  }

  /**
   * @param {Attempt} attempt
   * @param {ModelNeeds} needs
   * @param {() => Promise<ProsePrompt>} prompt
   * @param {WriteHooks} hooks
   */
  async #write(attempt, needs, prompt, hooks) {
    for (let losses = 0; ; ) {
      /** @type {ProseDevice} */
      let device = "cpu";
      try {
        if (attempt.cancelled) throw new Cancelled();
        const opened = await this.#opened(attempt, needs, hooks.onProgress);
        device = opened.device;
        const told = await prompt();
        if (attempt.cancelled) throw new Cancelled();
        hooks.onOpen(opened);
        const patienceTicks = device === "webgpu" ? GPU_PATIENCE_TICKS : PATIENCE_TICKS;
        const result = await this.#channel.request(
          "generate",
          { prompt: told, maxTokens: hooks.tokens ?? TOKENS.usual },
          { onToken: hooks.onToken, patienceTicks },
        );
        return { result, opened };
      } catch (error) {
        if (attempt.cancelled) throw new Cancelled();
        if (!(error instanceof WorkerFailure)) throw error;
        if (device === "cpu" && error.trouble !== "helper-lost") throw error;
        losses += 1;
        this.#letGo(error, losses);
        // Nobody knows whether the request or the device is at fault: the visitor decides.
        if (error.trouble === undefined || error.trouble === "memory") throw error;
        hooks.onResume(error.trouble, this.gpuFailed);
      }
    }
  }

  /**
   * A text failed on the graphics processor, or for want of a helper: drops its
   * worker, and bars what is not worth another attempt.
   * @param {WorkerFailure} failure
   * @param {number} losses
   */
  #letGo({ message, trouble }, losses) {
    this.#note(message);
    this.#drop("The worker was let go.");
    if (trouble === "helper-lost") this.#alone = losses > LOSSES_ALLOWED;
    else if (trouble === "gpu-memory") this.#barred = "gpu-memory";
    else if (trouble === undefined || trouble === "gpu-error") this.#barred = "failed";
    else if (losses > LOSSES_ALLOWED) this.#barred = "lost";
  }

  /** @param {string} words */
  #note(words) {
    if (this.#history.at(-1) !== words) this.#history.push(words);
  }

  /**
   * @param {Attempt} attempt
   * @param {ModelNeeds} needs
   * @param {(loaded: number, total: number) => void} onProgress
   */
  #opened(attempt, needs, onProgress) {
    this.#opening ??= this.#open(attempt, needs, onProgress).catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /**
   * @param {Attempt} attempt
   * @param {ModelNeeds} needs
   * @param {(loaded: number, total: number) => void} onProgress
   * @returns {Promise<Opened>}
   */
  async #open(attempt, needs, onProgress) {
    const report = await this.#channel.request("probe", { wish: this.#wish() });
    this.#report = report;
    if (report.device === "webgpu" && this.#barred === "none") {
      try {
        const opened = await this.#channel.request(
          "open",
          { device: "webgpu", bytes: needs.bytes, workers: 1 },
          { onProgress, patienceTicks: GPU_PATIENCE_TICKS },
        );
        return { ...opened, reason: "none", planned: 1 };
      } catch (error) {
        const trouble = error instanceof WorkerFailure ? error.trouble : undefined;
        if (attempt.cancelled || trouble === "unread" || trouble === "memory") throw error;
        // What has been fetched is kept, so the second attempt costs no download.
        this.#note(error instanceof Error ? error.message : String(error));
        this.#barred = trouble === "gpu-memory" ? "gpu-memory" : "failed";
        this.#channel.close("The graphics processor could not be used.");
      }
    }
    const workers = this.#alone ? 1 : report.workers;
    const opened = await this.#channel.request("open", { device: "cpu", bytes: needs.bytes, workers }, { onProgress });
    return { ...opened, reason: this.#barred === "none" ? report.reason : this.#barred, planned: report.workers };
  }
}
