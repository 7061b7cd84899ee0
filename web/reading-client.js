// @ts-check
/**
 * Reading on the graphics processor, for the page: measured beside the processor once an answer stands, and used
 * where it is faster and finds the same words. Whatever goes wrong here, the processor reads.
 */

/** @import { AskResult, DeviceWish, ReadingMeasurement, ReadingRequests } from "./messages.js" */

import { WorkerChannel } from "./channel.js";
import { isWorthwhile, measurementLines, measurementOf, readingKey, sameAnswer } from "./reading-choice.js";
import { SITE } from "./store.js";

/** Two minutes: compiling kernels takes its time on some drivers. */
const PATIENCE_TICKS = 24;

const startWorker = () =>
  new Worker(new URL("./reading-worker.js", import.meta.url), { type: "module", name: "campanile-reading" });

/**
 * What the search gives, and takes back.
 * @typedef {object} Passages
 * @property {() => Promise<string[] | null>} take  the question and its passages
 * @property {(numbers: Float32Array) => Promise<AskResult | null>} answer  the answer that follows from what was read
 */

export class ReadingClient {
  /** @type {WorkerChannel<ReadingRequests>} */ #channel;
  /** @type {"new" | "measuring" | "used" | "unused"} */ #state = "new";
  #wish;
  #onChange;
  /** What was found out, a line each. @type {string[]} */ lines = [];

  /**
   * @param {() => DeviceWish} wish
   * @param {() => void} onChange  the lines have changed
   */
  constructor(wish, onChange) {
    this.#wish = wish;
    this.#onChange = onChange;
    this.#channel = new WorkerChannel(startWorker, {
      patienceTicks: PATIENCE_TICKS,
      retry: false,
      onRestart: (reason) => this.#giveUp(reason),
    });
  }

  /** Whether passages are read here. */
  get isUsed() {
    return this.#state === "used";
  }

  /**
   * Measures both devices on an answer that the processor has read, once in a visit; nothing where it is known that
   * the graphics processor is slower.
   * @param {AskResult} result
   * @param {string} model  the site's reader
   * @param {Passages} passages
   */
  async measure(result, model, passages) {
    if (this.#state !== "new") return;
    this.#state = "measuring";
    const wish = this.#wish();
    try {
      const { device, facts, lines } = await this.#channel.request("probe", { wish });
      const adapter = facts.adapter?.name;
      if (device !== "webgpu" || !adapter) return this.#giveUp(lines[0] ?? "WebGPU: no");
      const known = measurementOf(kept(), adapter, model);
      if (known && !isWorthwhile(known, wish)) return this.#end(known, wish);
      await this.#channel.request("open", {});
      const taken = await passages.take();
      const [question, ...texts] = taken ?? [];
      if (question === undefined || texts.length === 0) return this.#giveUp("There was nothing to measure with.");
      // The first time compiles the kernels.
      await this.#channel.request("read", { question, passages: texts });
      const started = performance.now();
      const numbers = await this.#channel.request("read", { question, passages: texts });
      const gpuMs = performance.now() - started;
      const other = await passages.answer(numbers);
      if (!other) return this.#giveUp("Meanwhile something else was asked.");
      const agrees = sameAnswer(result, other);
      const measurement = { adapter, model, passages: texts.length, processorMs: result.timings_ms["read"] ?? 0, gpuMs, agrees };
      keep(measurement);
      this.#end(measurement, wish);
    } catch (error) {
      this.#giveUp(error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * The answer once its passages have been read here; null where the processor has to read them.
   * @param {Passages} passages
   * @returns {Promise<AskResult | null>}
   */
  async read(passages) {
    if (!this.isUsed) return null;
    try {
      const [question, ...texts] = await passages.take() ?? [];
      if (question === undefined || texts.length === 0) return null;
      const started = performance.now();
      const numbers = await this.#channel.request("read", { question, passages: texts });
      const spent = performance.now() - started;
      const result = await passages.answer(numbers);
      return result && withReadingTime(result, spent);
    } catch (error) {
      this.#giveUp(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** @param {ReadingMeasurement} measurement @param {DeviceWish} wish */
  #end(measurement, wish) {
    const isUsed = isWorthwhile(measurement, wish);
    this.#state = isUsed ? "used" : "unused";
    this.lines = measurementLines(measurement, wish);
    if (!isUsed) this.#channel.close("The processor is faster.");
    this.#onChange();
  }

  /** @param {string} reason */
  #giveUp(reason) {
    if (this.#state === "unused") return;
    this.#state = "unused";
    this.lines = [...this.lines, reason, "The processor reads."];
    this.#channel.close("The graphics processor is not used.");
    this.#onChange();
  }
}

/** @param {AskResult} result @param {number} spent @returns {AskResult} */
function withReadingTime(result, spent) {
  const { timings_ms: timings } = result;
  return { ...result, timings_ms: { ...timings, read: spent, total: (timings["total"] ?? 0) + spent } };
}

/** @returns {string | null} */
function kept() {
  try {
    return localStorage.getItem(readingKey(SITE));
  } catch {
    return null;
  }
}

/** @param {ReadingMeasurement} measurement */
function keep(measurement) {
  try {
    localStorage.setItem(readingKey(SITE), JSON.stringify(measurement));
  } catch {
    // A private window keeps nothing: both are measured again on the next visit.
  }
}
