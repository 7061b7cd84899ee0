// @ts-check
/**
 * Several workers that compute with one language model on the processor, each
 * with a part of the rows of every matrix in a memory of its own.
 *
 * The leading worker drives: it puts what is to be multiplied into memory that
 * all share, wakes the others, multiplies with its own rows and waits for theirs.
 *
 * Memory can be shared on a cross-origin isolated page only, and not in every browser.
 */

import { startWorker } from "./origin.js";

/** What the control words are for: the number of the call, its product, the length of its input, and how far each helper is. */
export const CALL = 0,
  PRODUCT = 1,
  LENGTH = 2,
  ANSWERED = 3;

/** What a helper answers in place of a call's number when it cannot go on. */
export const FAILED = -1;

/** A helper is given up after so many turns of waiting: turns, not time, since a device that slept has not been waiting. */
const PATIENCE_TURNS = 12;
const TURN_MILLISECONDS = 5_000;

/** About a tenth of a millisecond: as long as a product takes, or waking a core. */
const SPINS = 20_000;

/** The most waits without a spin, after spins that were for nothing. */
const MOST_SKIPPED = 64;

/** More workers than these gain little: they wait for the same memory. */
const MOST_WORKERS = 4;

/**
 * How many workers are to compute on the processor.
 * @param {{ sharedMemory: boolean, cores: number }} facts
 */
export const workersFor = ({ sharedMemory, cores }) => (sharedMemory ? Math.max(1, Math.min(cores, MOST_WORKERS)) : 1);

/** What a helper is told first. @typedef {{ kind: "help", number: number, of: number, site: string }} HelpMessage */
/** A file that the leader has read: it can be had from the cache now. @typedef {{ kind: "file", path: string }} FileMessage */
/** The memory in which calls come from now on. @typedef {{ kind: "work", shared: SharedPlaces }} WorkMessage */
/** @typedef {HelpMessage | FileMessage | WorkMessage} ToHelper */

/** The helper has its rows, and needs so much room for values. @typedef {{ kind: "ready", mostInput: number, mostOutput: number }} ReadyMessage */
/** @typedef {{ kind: "failed", message: string }} FailedMessage */
/** @typedef {ReadyMessage | FailedMessage} FromHelper */

/**
 * Memory that all share: the call, its input, and a helper's own output.
 * @typedef {{ control: Int32Array<SharedArrayBuffer>, input: Float32Array<SharedArrayBuffer>, output: Float32Array<SharedArrayBuffer> }} SharedPlaces
 */

/** A helper did not start, or is gone. */
export class HelperLost extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "HelperLost";
  }
}

/**
 * Waits for a word of shared memory to change, first with open eyes: a product
 * takes less time than it takes to wake a core. Where other programs hold the
 * cores, whoever spins takes one that another worker needs; so after a spin for
 * nothing the next waits go without, twice as many each time, until one succeeds.
 */
export class Lookout {
  #skipped = 0;
  #left = 0;

  /**
   * @param {Int32Array<SharedArrayBuffer>} control
   * @param {number} at
   * @param {number} old
   * @param {number} [milliseconds]
   * @returns {"ok" | "not-equal" | "timed-out"}
   */
  wait(control, at, old, milliseconds) {
    if (this.#left > 0) {
      this.#left -= 1;
      return Atomics.wait(control, at, old, milliseconds);
    }
    for (let spin = 0; spin < SPINS; spin += 1) {
      if (Atomics.load(control, at) === old) continue;
      this.#skipped = 0;
      return "not-equal";
    }
    this.#skipped = Math.min(2 * this.#skipped + 1, MOST_SKIPPED);
    this.#left = this.#skipped;
    return Atomics.wait(control, at, old, milliseconds);
  }
}

/** The leader's side; the model's program calls `ready`, `begin` and `end`. */
export class Team {
  /** @type {Worker[]} */ #workers = [];
  /** @type {Promise<ReadyMessage[]>} */ #started;
  #site;
  #control;
  #lookout = new Lookout();
  /** @type {Float32Array<SharedArrayBuffer> | undefined} */ #input;
  /** @type {Float32Array<SharedArrayBuffer>[]} */ #outputs = [];
  /** Why the team cannot go on. @type {HelperLost | undefined} */ lost;

  /**
   * @param {number} workers  how many compute, the leader among them
   * @param {URL} site  the folder of the site whose model it is
   */
  constructor(workers, site) {
    this.#site = site;
    this.#control = new Int32Array(new SharedArrayBuffer((ANSWERED + workers) * Int32Array.BYTES_PER_ELEMENT));
    this.#started = Promise.all(Array.from({ length: workers - 1 }, (_, at) => this.#start(at + 1, workers)));
    // Whoever opens the model hears of it there, and may have failed before.
    this.#started.catch(() => undefined);
  }

  /** How many help. */
  get count() {
    return this.#workers.length;
  }

  /**
   * @param {number} number
   * @param {number} of
   * @returns {Promise<ReadyMessage>}
   */
  #start(number, of) {
    const worker = startWorker(
      new URL("./prose-helper.js", import.meta.url),
      () =>
        new Worker(new URL("./prose-helper.js", import.meta.url), { type: "module", name: "campanile-prose-helper" }),
    );
    this.#workers.push(worker);
    this.#tell(worker, { kind: "help", number, of, site: this.#site.href });
    return new Promise((resolve, reject) => {
      /** @param {string} message */
      const fail = (message) => {
        this.lost ??= new HelperLost(message);
        reject(this.lost);
      };
      worker.addEventListener("message", ({ data }) => {
        const message = /** @type {FromHelper} */ (data);
        if (message.kind === "ready") resolve(message);
        else fail(message.message);
      });
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        fail(event.message || "Its program could not be loaded.");
      });
    });
  }

  /** @param {Worker} worker @param {ToHelper} message */
  #tell(worker, message) {
    worker.postMessage(message);
  }

  /** The leader has read a file, and helpers need not fetch it. @param {string} path */
  has(path) {
    for (const worker of this.#workers) this.#tell(worker, { kind: "file", path });
  }

  /** Waits until every helper has its rows, and shares the memory. */
  async ready() {
    const ready = await this.#started;
    const input = floats(Math.max(...ready.map(({ mostInput }) => mostInput)));
    this.#input = input;
    this.#outputs = ready.map(({ mostOutput }) => floats(mostOutput));
    for (const [at, output] of this.#outputs.entries()) {
      this.#tell(/** @type {Worker} */ (this.#workers[at]), {
        kind: "work",
        shared: { control: this.#control, input, output },
      });
    }
  }

  /** @param {number} product @param {Float32Array} input */
  begin(product, input) {
    if (!this.#input) throw new HelperLost("The helpers have not begun.");
    if (this.lost) throw this.lost;
    this.#input.set(input);
    this.#control[PRODUCT] = product;
    this.#control[LENGTH] = input.length;
    Atomics.add(this.#control, CALL, 1);
    Atomics.notify(this.#control, CALL);
  }

  /** @param {number} number  from 1 @param {Float32Array} output */
  end(number, output) {
    const call = Atomics.load(this.#control, CALL);
    for (let turns = 0; ; ) {
      const answered = Atomics.load(this.#control, ANSWERED + number);
      if (answered === call) break;
      if (answered === FAILED || turns > PATIENCE_TURNS) {
        this.lost ??= new HelperLost(answered === FAILED ? "A helper broke down." : "A helper does not answer.");
        throw this.lost;
      }
      if (this.#lookout.wait(this.#control, ANSWERED + number, answered, TURN_MILLISECONDS) === "timed-out") turns += 1;
    }
    const written = /** @type {Float32Array} */ (this.#outputs[number - 1]);
    output.set(written.subarray(0, output.length));
  }

  /** Ends the helpers. */
  close() {
    for (const worker of this.#workers) worker.terminate();
  }
}

/** @param {number} count */
const floats = (count) => new Float32Array(new SharedArrayBuffer(count * Float32Array.BYTES_PER_ELEMENT));
