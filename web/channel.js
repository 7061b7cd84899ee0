// @ts-check
/**
 * The page's end of the conversation with a worker: numbers the requests,
 * hands each answer to whoever asked, and replaces a worker that has broken
 * down or gone silent.
 */

/** @import { PongMessage, Trouble, WorkerMessage } from "./messages.js" */

/** Patience is counted in these. */
export const TICK_MILLISECONDS = 5_000;

/** After so many ticks without a byte or a word the visitor is told. */
const QUIET_TICKS = 2;

/** A request failed, and it is known what is behind it. */
export class WorkerFailure extends Error {
  /** @param {string} message @param {Trouble | undefined} trouble  undefined: the request was at fault, not the worker */
  constructor(message, trouble) {
    super(message);
    this.name = "WorkerFailure";
    this.trouble = trouble;
  }
}

/**
 * @typedef {object} RequestHooks
 * @property {(loaded: number, total: number) => void} [onProgress]
 * @property {(text: string) => void} [onToken]
 * @property {number} [patienceTicks]  instead of the channel's own
 */

/**
 * @typedef {object} Pending
 * @property {{ id: number, kind: string, payload: object }} message
 * @property {(value: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {RequestHooks} hooks
 * @property {number} quietTicks  ticks without progress and without network traffic
 * @property {boolean} retried
 */

/**
 * @typedef {object} ChannelOptions
 * @property {number} patienceTicks  silent ticks of five seconds after which the worker is replaced
 * @property {boolean} retry  whether open requests are sent again, once, to the new worker
 * @property {(message: string) => void} [onNotice]
 * @property {(reason: string, trouble: Trouble) => void} [onRestart]
 * @property {(isQuiet: boolean) => void} [onQuiet]  for a while nothing has come of any request, neither from the worker
 *   nor from the network; or it has again
 */

/** @template {Record<string, { takes: object, gives: unknown }>} Requests */
export class WorkerChannel {
  /** @type {() => Worker} */ #start;
  /** @type {ChannelOptions} */ #options;
  /** @type {Worker | undefined} */ #worker;
  /** @type {Map<number, Pending>} */ #pending = new Map();
  /** @type {ReturnType<typeof setInterval> | undefined} */ #timer;
  #nextId = 1;
  #unansweredPings = 0;
  /** Ticks without a byte or a word. */ #silentTicks = 0;
  /** Bytes that the worker had received when it last spoke. */ #received = 0;

  /**
   * @param {() => Worker} start
   * @param {ChannelOptions} options
   */
  constructor(start, options) {
    this.#start = start;
    this.#options = options;
  }

  /**
   * @template {keyof Requests & string} Kind
   * @param {Kind} kind
   * @param {Requests[Kind]["takes"]} payload
   * @param {RequestHooks} [hooks]
   * @returns {Promise<Requests[Kind]["gives"]>}
   */
  request(kind, payload, hooks = {}) {
    return new Promise((resolve, reject) => {
      const message = { id: this.#nextId++, kind, payload };
      this.#pending.set(message.id, { message, resolve, reject, hooks, quietTicks: 0, retried: false });
      this.#running().postMessage(message);
      this.#timer ??= setInterval(() => this.#tick(), TICK_MILLISECONDS);
    });
  }

  /** Sends a word that wants no answer; nothing happens when no worker runs. @param {{ kind: string }} message */
  send(message) {
    this.#worker?.postMessage(message);
  }

  /** Ends the worker; open requests fail with `reason`. @param {string} reason */
  close(reason) {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#unansweredPings = 0;
    const open = [...this.#pending.values()];
    this.#pending.clear();
    this.#rest();
    for (const { reject } of open) reject(new Error(reason));
  }

  #running() {
    if (this.#worker) return this.#worker;
    const worker = this.#start();
    worker.addEventListener("message", ({ data }) => {
      if (worker === this.#worker) this.#receive(data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker)
        this.#restart(
          event.message || "Part of the program could not be loaded. Check the connection and try again.",
          "broken",
        );
    });
    this.#worker = worker;
    return worker;
  }

  /** @param {WorkerMessage} message */
  #receive(message) {
    if (message.kind === "pong") return this.#heard(message);
    this.#break();
    if (message.kind === "notice") return this.#options.onNotice?.(message.message);
    if (message.kind === "fatal") return this.#restart(message.message, message.trouble);
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    pending.quietTicks = 0;
    if (message.kind === "progress") return pending.hooks.onProgress?.(message.loaded, message.total);
    if (message.kind === "token") return pending.hooks.onToken?.(message.text);
    this.#pending.delete(message.id);
    this.#rest();
    if (message.kind === "result") pending.resolve(message.value);
    else pending.reject(new WorkerFailure(message.message, message.trouble));
  }

  /** @param {PongMessage} message */
  #heard({ fetching, received }) {
    this.#unansweredPings = 0;
    if (received !== this.#received) this.#break();
    this.#received = received;
    if (fetching > 0) for (const pending of this.#pending.values()) pending.quietTicks = 0;
  }

  /** Something came: the silence is broken. */
  #break() {
    if (this.#silentTicks >= QUIET_TICKS) this.#options.onQuiet?.(false);
    this.#silentTicks = 0;
  }

  /** Counts ticks, not time: a phone that slept has not been waiting. */
  #tick() {
    this.#unansweredPings += 1;
    this.#silentTicks += 1;
    if (this.#silentTicks === QUIET_TICKS) this.#options.onQuiet?.(true);
    for (const pending of this.#pending.values()) pending.quietTicks += 1;
    for (const { quietTicks, hooks } of this.#pending.values()) {
      if (Math.max(this.#unansweredPings, quietTicks) > (hooks.patienceTicks ?? this.#options.patienceTicks)) {
        return this.#restart("The program stopped answering and was started again.", "silent");
      }
    }
    this.#worker?.postMessage({ kind: "ping" });
  }

  #rest() {
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#unansweredPings = 0;
    this.#break();
  }

  /** @param {string} reason @param {Trouble} trouble */
  #restart(reason, trouble) {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#unansweredPings = 0;
    for (const pending of [...this.#pending.values()]) {
      if (this.#options.retry && !pending.retried) {
        pending.retried = true;
        pending.quietTicks = 0;
        this.#running().postMessage(pending.message);
      } else {
        this.#pending.delete(pending.message.id);
        pending.reject(new WorkerFailure(reason, trouble));
      }
    }
    this.#rest();
    this.#options.onRestart?.(reason, trouble);
  }
}
