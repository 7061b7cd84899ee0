// @ts-check
/**
 * Reading on the graphics processor, for the page: measured beside the processor once an answer stands, and used
 * where it is faster and finds the same words. Whatever goes wrong here, the processor reads.
 */

/** @import { DeviceWish, ReadingMeasurement, ReadingRequests, Trouble } from "./messages.js" */
/** @import { Asked } from "./client.js" */
/** @import { AskResult } from "./pkg/core/campanile_core.js" */

import { TICK_MILLISECONDS, WorkerChannel } from "./channel.js";
import { startWorker } from "./origin.js";
import { isWorthwhile, measurementLines, measurementOf, readingKey, sameAnswer } from "./reading-choice.js";
import { SITE } from "./store.js";
import { wordsOf } from "./trouble.js";

/** Two minutes: compiling kernels takes its time on some drivers. */
const PATIENCE_TICKS = 24;

/** Ten seconds, and four times what reading took when it was measured: a device that hangs is not waited for. */
const LEAST_PATIENCE_TICKS = 2;

/** How often the graphics processor may be lost before it is left alone, for as long as the page is open. */
const LOSSES_ALLOWED = 1;

/** @param {URL} site */
const startReading = (site) =>
  startWorker(
    new URL("./reading-worker.js", import.meta.url),
    () => new Worker(new URL("./reading-worker.js", import.meta.url), { type: "module", name: "campanile-reading" }),
    site,
  );

export class ReadingClient {
  /** @type {WorkerChannel<ReadingRequests>} */ #channel;
  /** @type {"new" | "measuring" | "used" | "reopening" | "unused"} */ #state = "new";
  #losses = 0;
  /** For one batch, once it is known how long one takes. */
  #patienceTicks = PATIENCE_TICKS;
  #wish;
  #onChange;
  #site;
  /** What was found out, a line each. @type {string[]} */ lines = [];
  /** Whether the two devices found different words. */ disagrees = false;

  /**
   * @param {() => DeviceWish} wish
   * @param {() => void} onChange  the lines have changed
   * @param {URL} [site]  the site's folder
   */
  constructor(wish, onChange, site = SITE) {
    this.#wish = wish;
    this.#onChange = onChange;
    this.#site = site;
    this.#channel = new WorkerChannel(() => startReading(site), {
      patienceTicks: PATIENCE_TICKS,
      retry: false,
      onRestart: (reason, trouble) => this.#lose(reason, trouble),
    });
  }

  /** Whether passages are read here. */
  get isUsed() {
    return this.#state === "used";
  }

  /**
   * Measures both devices on an answer that the processor has read, once on a device: a later visit goes by the
   * figures, and only sees that the two still find the same. Nothing where the graphics processor is known to be slower.
   * @param {Asked} asked
   * @param {AskResult} result  as the processor read it
   */
  async measure(asked, result) {
    if (this.#state !== "new") return;
    this.#state = "measuring";
    const wish = this.#wish();
    try {
      const {
        report: { device, facts, lines },
        model,
      } = await this.#channel.request("probe", { wish });
      const adapter = facts.adapter?.name;
      if (device !== "webgpu" || !adapter) return this.#giveUp(lines[0] ?? "WebGPU: no");
      const known = measurementOf(kept(this.#site), adapter, model);
      if (known && !isWorthwhile(known, wish)) return this.#end(known, wish);
      await this.#channel.request("open", {});
      // The first time compiles the kernels, and shows whether the device computes as the processor does.
      const first = await this.#read(asked);
      if (!first) return this.#giveUp("There is no passage to read.");
      const agrees = sameAnswer(result, first.result);
      let times = known ?? { processorMs: 0, gpuMs: 0 };
      if (agrees && !known) {
        // Both are warm now.
        const processorMs = (await asked.read())?.timings_ms["read"];
        const gpuMs = (await this.#read(asked))?.result.timings_ms["read"];
        if (!processorMs || !gpuMs) return this.#giveUp("The processor cannot read any more.");
        times = { processorMs, gpuMs };
      }
      const { processorMs, gpuMs } = times;
      const measurement = { adapter, model, passages: first.passages, processorMs, gpuMs, agrees };
      keep(this.#site, measurement);
      this.#end(measurement, wish);
    } catch (error) {
      this.#giveUp(wordsOf(error));
    }
  }

  /**
   * The answer once its passages have been read here; null where the processor has to read them.
   * @param {Asked} asked
   * @returns {Promise<AskResult | null>}
   */
  async read(asked) {
    if (!this.isUsed) return null;
    try {
      return (await this.#read(asked))?.result ?? null;
    } catch (error) {
      // A worker that went away has been seen to already.
      if (this.isUsed) this.#giveUp(wordsOf(error));
      return null;
    }
  }

  /** @param {Asked} asked */
  async #read(asked) {
    const passages = await asked.passages();
    if (passages.length === 0) return null;
    const started = performance.now();
    const numbers = await this.#channel.request(
      "read",
      { question: asked.result.question, passages },
      { patienceTicks: this.#patienceTicks },
    );
    const spent = performance.now() - started;
    return { result: withReadingTime(await asked.readWith(numbers), spent), passages: passages.length };
  }

  /** @param {ReadingMeasurement} measurement @param {DeviceWish} wish */
  #end(measurement, wish) {
    const isUsed = isWorthwhile(measurement, wish);
    this.#state = isUsed ? "used" : "unused";
    this.disagrees = !measurement.agrees;
    this.#patienceTicks = LEAST_PATIENCE_TICKS + Math.ceil((4 * measurement.gpuMs) / TICK_MILLISECONDS);
    this.lines = measurementLines(measurement, wish);
    if (!isUsed) this.#channel.close("The processor is faster.");
    this.#onChange();
  }

  /** The worker is gone. @param {string} reason @param {Trouble} trouble */
  #lose(reason, trouble) {
    // While it is being opened or measured, the request that fails tells.
    if (!this.isUsed) return;
    this.#losses += 1;
    const words = trouble === "device-lost" ? `The graphics processor was lost: ${reason}` : reason;
    if (trouble !== "device-lost" || this.#losses > LOSSES_ALLOWED) this.#giveUp(words);
    else this.#reopen(words);
  }

  /** @param {string} reason */
  async #reopen(reason) {
    this.#state = "reopening";
    this.lines = [...this.lines, reason, "It is started again; the processor reads until then."];
    this.#onChange();
    try {
      await this.#channel.request("open", {});
      this.#state = "used";
      this.lines = [...this.lines, "The graphics processor reads again."];
      this.#onChange();
    } catch (error) {
      this.#giveUp(wordsOf(error));
    }
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

/** @param {URL} site @returns {string | null} */
function kept(site) {
  try {
    return localStorage.getItem(readingKey(site));
  } catch {
    return null;
  }
}

/** @param {URL} site @param {ReadingMeasurement} measurement */
function keep(site, measurement) {
  try {
    localStorage.setItem(readingKey(site), JSON.stringify(measurement));
  } catch {
    // A private window keeps nothing: both are measured again on the next visit.
  }
}
