// A client of the W3C WebDriver protocol, which every engine's driver speaks: https://www.w3.org/TR/webdriver2/
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** The name under which an element stands in an answer; laid down by the specification. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const START_MILLISECONDS = 30_000;
const POLL_MILLISECONDS = 100;

/** Escape and Enter as the protocol writes them. */
export const KEYS = { escape: '\uE00C', enter: '\uE007', tab: '\uE004' };

/**
 * Starts a driver and a browser under it.
 * @param {{ program: string, flags: string[], capabilities: object, env?: Record<string, string> }} engine
 */
export async function startSession({ program, flags, capabilities, env = {} }) {
  const port = await freePort();
  // A group of its own, so that no browser outlives a driver that had to be ended.
  const driver = spawn(program, [`--port=${port}`, ...flags], {
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
  const ended = new Promise((resolve) => driver.on('close', resolve));
  const failed = new Promise((_, reject) => driver.on('error', reject));
  const stop = async () => {
    try {
      if (driver.pid !== undefined) process.kill(-driver.pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
    await ended;
  };
  const address = `http://127.0.0.1:${port}`;
  try {
    await Promise.race([answers(address), failed]);
    const { sessionId, capabilities: given } = await send('POST', `${address}/session`, {
      capabilities: { alwaysMatch: capabilities },
    });
    return new Session(`${address}/session/${sessionId}`, given, said, stop);
  } catch (error) {
    await stop();
    throw new Error(`${program}: ${error.message}\n${said.slice(-20).join('\n')}`, { cause: error });
  }
}

/** One window of one browser. */
export class Session {
  /** How long `until` waits, in milliseconds: a guard against waiting for ever. A language model in WebKit takes 15 s, and 80 s
   *  beside other work. */
  patience = 300_000;
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
  async until(what, look, ...words) {
    const end = Date.now() + this.patience;
    for (;;) {
      const found = await this.run(look, ...words);
      if (found) return found;
      if (Date.now() > end) throw new Error(`after ${this.patience / 1000} s there was still not ${what}`);
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

/** @param {string} address */
async function answers(address) {
  const end = Date.now() + START_MILLISECONDS;
  for (;;) {
    try {
      const { ready } = await send('GET', `${address}/status`);
      if (ready) return;
    } catch (error) {
      // It does not listen yet.
      if (Date.now() > end) throw error;
    }
    await delay(POLL_MILLISECONDS);
  }
}

/** WebKit's driver can't choose a port by itself and tell it. @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}
