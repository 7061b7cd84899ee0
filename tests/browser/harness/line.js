// A line between a server and a browser that has so many bytes a second for all connections together, and makes every
// request wait. The throttling of a browser's own tools leaves out the requests of workers, which fetch most of a site.
import { setTimeout as delay } from 'node:timers/promises';

/** What a browser's tools call slow 4G: 1.44 Mbit/s, and 562 ms from a request to its first byte. */
export const SLOW_4G = { bytesPerSecond: 180_000, latencyMilliseconds: 562 };

/** As much as a network card sends in one piece; connections take turns by it. */
const PACKET_BYTES = 1_460;
const TURN_MILLISECONDS = 5;

export class Line {
  #bytesPerSecond;
  #latencyMilliseconds;
  /** What is being sent, each with what is left of it. @type {{ outgoing: import('node:http').ServerResponse, rest: Buffer, done: () => void }[]} */
  #sending = [];
  #isRunning = false;

  /** @param {{ bytesPerSecond: number, latencyMilliseconds: number }} speed */
  constructor({ bytesPerSecond, latencyMilliseconds }) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#latencyMilliseconds = latencyMilliseconds;
  }

  /** Waits for as long as a request is on its way there and back. */
  async answer() {
    await delay(this.#latencyMilliseconds);
  }

  /**
   * Sends a body to its end, or until nobody listens any more.
   * @param {import('node:http').ServerResponse} outgoing  whose head is written
   * @param {Buffer} body
   * @returns {Promise<void>}
   */
  send(outgoing, body) {
    return new Promise((resolve) => {
      this.#sending.push({ outgoing, rest: body, done: resolve });
      if (!this.#isRunning) this.#run();
    });
  }

  async #run() {
    this.#isRunning = true;
    let last = performance.now();
    let credit = 0;
    while (this.#sending.length > 0) {
      await delay(TURN_MILLISECONDS);
      const now = performance.now();
      credit += ((now - last) / 1000) * this.#bytesPerSecond;
      last = now;
      while (credit >= PACKET_BYTES && this.#sending.length > 0) credit -= this.#packet();
    }
    this.#isRunning = false;
  }

  /** Sends the next piece of whoever's turn it is; gives its length. */
  #packet() {
    const [next] = this.#sending.splice(0, 1);
    const piece = next.rest.subarray(0, PACKET_BYTES);
    next.rest = next.rest.subarray(PACKET_BYTES);
    if (!next.outgoing.destroyed) next.outgoing.write(piece);
    if (next.rest.length > 0 && !next.outgoing.destroyed) this.#sending.push(next);
    else {
      next.outgoing.end();
      next.done();
    }
    return piece.length;
  }
}
