// A client of the W3C WebDriver protocol, which every engine's driver speaks: https://www.w3.org/TR/webdriver2/
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { WAIT_MILLISECONDS } from './patience.js';

/** The name under which an element stands in an answer; laid down by the specification. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const POLL_MILLISECONDS = 100;

/** What drivers say of a script whose page was left while it ran: there is another page in a moment. */
const IS_LEFT = /unloaded|navigat|discarded|execution context|detached/i;

/** Escape and Enter as the protocol writes them. */
export const KEYS = { escape: '\uE00C', enter: '\uE007', tab: '\uE004' };

/** How often a driver is started: one that finds its port taken by then ends at once. */
const ATTEMPTS = 3;

/**
 * How a browser is started by its driver.
 * @typedef {object} Start
 * @property {string} program  the driver
 * @property {string[]} ports  its flags that take a free port each; the first one is where it listens
 * @property {string[]} flags
 * @property {object} capabilities
 * @property {Record<string, string>} [env]
 */

/**
 * Starts a driver and a browser under it.
 * @param {Start} engine
 * @returns {Promise<Session>}
 */
export async function startSession(engine) {
  for (let attempt = 1; ; attempt += 1) {
    const driver = await startDriver(engine);
    try {
      await answers(driver);
    } catch (error) {
      await driver.stop();
      if (driver.hasEnded() && attempt < ATTEMPTS) continue;
      throw driver.failure(error);
    }
    try {
      const { sessionId, capabilities } = await send('POST', `${driver.address}/session`, {
        capabilities: { alwaysMatch: engine.capabilities },
      });
      return new Session(`${driver.address}/session/${sessionId}`, capabilities, driver.said, driver.stop);
    } catch (error) {
      await driver.stop();
      throw driver.failure(error);
    }
  }
}

/** @param {Start} engine */
async function startDriver({ program, ports, flags, env = {} }) {
  const free = await freePorts(ports.length);
  // A group of its own, so that no browser outlives a driver that had to be ended.
  const driver = spawn(program, [...ports.map((flag, place) => `${flag}=${free[place]}`), ...flags], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const said = [];
  for (const stream of [driver.stdout, driver.stderr]) {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      said.push(...lines);
    });
  }
  let isStopped = false;
  let isOver = false;
  const ended = new Promise((resolve) => {
    driver.on('close', () => {
      isOver = !isStopped;
      resolve(undefined);
    });
  });
  /** Rejects where the program cannot be started, and when it ends. @type {Promise<never>} */
  const broken = new Promise((_, reject) => {
    driver.on('error', reject).on('close', (code) => reject(new Error(`the driver ended with ${code}`)));
  });
  // It ends in any case, when nobody listens any more.
  broken.catch(() => undefined);
  return {
    address: `http://127.0.0.1:${free[0]}`,
    said,
    broken,
    hasEnded: () => isOver,
    failure: (error) => new Error(`${program}: ${error.message}\n${said.slice(-20).join('\n')}`, { cause: error }),
    async stop() {
      isStopped = true;
      try {
        if (driver.pid !== undefined) process.kill(-driver.pid, 'SIGKILL');
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
      if (driver.pid !== undefined) await ended;
    },
  };
}

/** One window of one browser. */
export class Session {
  #address;
  #stop;

  /**
   * @param {string} address
   * @param {{ browserName: string, browserVersion: string }} capabilities  the browser's own
   * @param {string[]} said  each line that the driver and the browser print, as it comes
   * @param {() => Promise<void>} stop
   */
  constructor(address, capabilities, said, stop) {
    this.#address = address;
    this.#stop = stop;
    this.capabilities = capabilities;
    this.said = said;
  }

  /** @param {string} url */
  async open(url) {
    await this.#post('url', { url });
  }

  /**
   * Runs a function in the page; elements go both ways. What has to stay for the next one is put on `window`: the
   * global object may be one that Firefox's driver makes for each call.
   * @param {(...words: any[]) => unknown} act
   * @param {...unknown} words
   */
  async run(act, ...words) {
    const script = `return (${act}).apply(null, arguments);`;
    return this.#post('execute/sync', { script, args: words });
  }

  /** @param {object} element */
  async click(element) {
    await this.#post(`element/${element[ELEMENT]}/click`, {});
  }

  /**
   * Types into whatever has the focus.
   * @param {string} text
   */
  async type(text) {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#post('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  /**
   * Waits until a function gives something in the page, and gives that.
   * @param {string} what  for the message when it does not come
   * @param {(...words: any[]) => unknown} look
   * @param {...unknown} words
   */
  until(what, look, ...words) {
    return this.untilWithin(WAIT_MILLISECONDS, what, look, ...words);
  }

  /**
   * The same for what takes longer than what a page shows by itself.
   * @param {number} milliseconds
   * @param {string} what
   * @param {(...words: any[]) => unknown} look
   * @param {...unknown} words
   */
  async untilWithin(milliseconds, what, look, ...words) {
    const end = Date.now() + milliseconds;
    for (;;) {
      const found = await this.run(look, ...words).catch((error) => {
        if (!IS_LEFT.test(error.message)) throw error;
      });
      if (found) return found;
      if (Date.now() > end) throw new Error(`after ${milliseconds / 1000} s there was still not ${what}`);
      await delay(POLL_MILLISECONDS);
    }
  }

  /** Makes the window as small or large as asked for, where the browser can. @param {number} width @param {number} height */
  resize(width, height) {
    return this.#post('window/rect', { width, height });
  }

  /** A picture of the page, as PNG. */
  async picture() {
    return Buffer.from(await send('GET', `${this.#address}/screenshot`), 'base64');
  }

  async end() {
    try {
      await send('DELETE', this.#address);
    } finally {
      await this.#stop();
    }
  }

  /**
   * @param {string} command
   * @param {object} parameters
   */
  #post(command, parameters) {
    return send('POST', `${this.#address}/${command}`, parameters);
  }
}

/**
 * @param {string} method
 * @param {string} url
 * @param {object} [body]
 */
async function send(method, url, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** Waits until a driver takes commands. @param {Awaited<ReturnType<typeof startDriver>>} driver */
async function answers({ address, broken }) {
  const end = Date.now() + WAIT_MILLISECONDS;
  for (;;) {
    try {
      const { ready } = await Promise.race([broken, send('GET', `${address}/status`)]);
      if (ready) return;
    } catch (error) {
      // It does not listen yet.
      if (!(error instanceof TypeError) || Date.now() > end) throw error;
    }
    await Promise.race([broken, delay(POLL_MILLISECONDS)]);
  }
}

/**
 * The ports that systems hand out by themselves begin at 32768 (Linux) and 49152 (IANA). Of those, one that was free could be
 * the end of somebody's connection before the driver has taken it: test files beside this one make many.
 */
const [FIRST_PORT, PORTS] = [12_000, 20_000];

/** WebKit's driver can't choose a port by itself and tell it. @param {number} count @returns {Promise<number[]>} */
async function freePorts(count) {
  /** @type {Set<number>} */
  const found = new Set();
  while (found.size < count) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false)).listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
