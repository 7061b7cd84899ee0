// A browser whose memory can be measured. Playwright watches the network, and then each page's process holds on to what was
// fetched for whoever may ask to see it, up to 200 MB: what is seen there is not what a visitor's page holds. Here the browser is
// driven by a few commands of its protocol instead, of which none is about the network.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FLAGS, required } from '../../tests/browser/harness/chromium.js';

/** Ends a message of the protocol, both ways. */
const END = '\0';

export class UnwatchedBrowser {
  /** What was said in the page's console, and its errors. @type {string[]} */
  troubles = [];
  #process;
  #folder;
  #session;
  #count = 0;
  #waiting = new Map();

  /** A browser with one page, of nothing. */
  static async launch() {
    const browser = new UnwatchedBrowser();
    await browser.#start();
    return browser;
  }

  async #start() {
    this.#folder = await mkdtemp(join(tmpdir(), 'campanile-memory-'));
    const flags = FLAGS.filter((flag) => !flag.includes('webgpu'));
    this.#process = spawn(
      required('CAMPANILE_CHROMIUM'),
      [...flags, `--user-data-dir=${this.#folder}`, '--remote-debugging-pipe', 'about:blank'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    );
    this.#process.on('exit', () => this.#ended());
    let rest = '';
    this.#process.stdio[4].setEncoding('utf8').on('data', (text) => {
      const messages = (rest + text).split(END);
      rest = messages.pop();
      for (const message of messages) this.#received(JSON.parse(message));
    });
    const { targetInfos } = await this.#toBrowser('Target.getTargets');
    const { targetId } = targetInfos.find(({ type }) => type === 'page');
    this.#session = (await this.#toBrowser('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    await this.#toPage('Runtime.enable');
    await this.#toPage('Log.enable');
  }

  #received({ id, error, result, method, params }) {
    if (method) {
      this.#told(method, params);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }

  #told(method, params) {
    if (method === 'Runtime.consoleAPICalled')
      this.troubles.push(`console ${params.type}: ${params.args.map(({ value, description }) => value ?? description).join(' ')}`);
    if (method === 'Runtime.exceptionThrown') this.troubles.push(`error: ${params.exceptionDetails.text}`);
    // The browser itself warns that a machine has no graphics card, which is no trouble.
    if (method === 'Log.entryAdded' && params.entry.level === 'error')
      this.troubles.push(`${params.entry.text} (${params.entry.url})`);
  }

  #ended() {
    for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended'));
    this.#waiting.clear();
  }

  #toPage(method, params) {
    return this.#toBrowser(method, params, this.#session);
  }

  /** @param {string} method @param {object} [params] @param {string} [sessionId]  of the page that is meant */
  #toBrowser(method, params = {}, sessionId = undefined) {
    this.#count += 1;
    const id = this.#count;
    const message = { id, method, params, sessionId };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.stdio[3].write(JSON.stringify(message) + END);
    });
  }

  /** Opens a site, and waits until it takes questions. @param {string} origin */
  async openSite(origin) {
    await this.open(origin);
    await this.evaluate(ready);
  }

  /** Opens an address, and waits until it has loaded. @param {string} address */
  async open(address) {
    await this.#toPage('Page.navigate', { url: address });
    for (;;) {
      // The page of before may go while it is asked.
      const place = await this.evaluate(() => [location.href, document.readyState]).catch(() => []);
      if (place[0]?.startsWith(address) && place[1] === 'complete') return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /**
   * Runs a function in the page, with an argument that JSON can say, and returns what it comes to.
   * @template Taken, Given
   * @param {(taken: Taken) => Given | Promise<Given>} run
   * @param {Taken} [taken]
   */
  async evaluate(run, taken) {
    const expression = `(${run})(${JSON.stringify(taken) ?? ''})`;
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.#toPage('Runtime.evaluate', params);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /**
   * What the page's process holds, in megabytes, its workers with it, and what all processes for pages hold (an empty one
   * stands ready for the next page). What several share, the browser's own program above all, counts a share for each. On Linux.
   */
  async megabytes() {
    const { processInfo } = await this.#toBrowser('SystemInfo.getProcessInfo');
    const held = [];
    for (const { id } of processInfo.filter(({ type }) => type === 'renderer')) {
      const told = await readFile(`/proc/${id}/smaps_rollup`, 'utf8');
      held.push(Number(/^Pss:\s+(\d+)/m.exec(told)?.[1] ?? 0) / 1000);
    }
    const all = held.reduce((sum, each) => sum + each, 0);
    assert.ok(all > 0, 'the system tells what a process holds');
    return { page: Math.max(...held), all };
  }

  async close() {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill();
    await ended;
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs in the page. */
async function ready() {
  while (!document.querySelector('campanile-ask[data-state="ready"]')) await new Promise((resolve) => setTimeout(resolve, 50));
}
