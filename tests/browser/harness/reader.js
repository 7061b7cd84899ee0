// A reader of the page: opens it, asks, and notes everything that should not have happened.
import assert from 'node:assert/strict';
import { explained, viewsOf } from './view.js';

/**
 * Opens the page in a browser profile of its own, runs `act` and then requires that nothing was
 * said in any console, no request failed, and none went to another place.
 * @param {import('playwright-core').Browser} browser
 * @param {string} origin
 * @param {(reader: Reader) => Promise<void>} act
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function visit(browser, origin, act, options = {}) {
  const context = await browser.newContext(options);
  try {
    const reader = new Reader(context, await context.newPage(), origin);
    await reader.explained(async () => {
      await reader.open();
      await act(reader);
    });
    assert.deepEqual(reader.troubles, [], 'the console and the network are to stay quiet');
  } finally {
    await context.close();
  }
}

export class Reader {
  /** @type {string[]} */ #noted = [];
  /** Requests that were broken off, and how often the page had been left when they began. */
  #brokenOff = [];
  /** How often the page was opened, reloads included. */
  loads = 0;
  /** How often the page was left for another, or for itself. */
  #leaves = 0;
  /** What is on its way, by how often the page had been left when it was asked for. @type {Map<import('playwright-core').Request, number>} */
  #underway = new Map();

  /**
   * @param {import('playwright-core').BrowserContext} context
   * @param {import('playwright-core').Page} page
   * @param {string} origin
   */
  constructor(context, page, origin) {
    Object.assign(this, { context, page, origin });
    page.on('domcontentloaded', () => {
      this.loads += 1;
    });
    const note = (what) => this.#noted.push(what);
    context.on('console', (message) =>
      note(`console ${message.type()}: ${message.text()} (${message.location().url})`),
    );
    context.on('weberror', (error) => note(`error: ${error.error().stack ?? error.error()}`));
    context.on('requestfailed', (request) => {
      const asked = this.#underway.get(request) ?? this.#leaves;
      this.#underway.delete(request);
      // The service worker may try the network and answer from what it has kept.
      if (request.serviceWorker()) return;
      const { errorText } = request.failure() ?? {};
      const what = `failed: ${request.url()} ${errorText}`;
      if (errorText === 'net::ERR_ABORTED') this.#brokenOff.push({ what, asked });
      else note(what);
    });
    context.on('requestfinished', (request) => this.#underway.delete(request));
    context.on('request', (request) => {
      if (!request.url().startsWith(`${this.origin}/`)) note(`left the site: ${request.url()}`);
      if (request.serviceWorker()) return;
      this.#underway.set(request, this.#leaves);
    });
    // Until another page has come, this one may go on asking.
    let isAskedFor = false;
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) isAskedFor = true;
    });
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) return;
      // A change of the fragment makes no request and leaves nothing; about:blank makes none either.
      if (isAskedFor || !frame.url().startsWith(`${this.origin}/`)) this.#leaves += 1;
      isAskedFor = false;
    });
    context.on('serviceworker', (worker) =>
      worker.on('console', (message) => note(`service worker ${message.type()}: ${message.text()}`)),
    );
  }

  /** What should not have happened. A page that is left takes what it had asked for with it, which is nobody's fault. */
  get troubles() {
    const ofThisPage = this.#brokenOff.filter(({ asked }) => asked >= this.#leaves);
    return [...this.#noted, ...ofThisPage.map(({ what }) => what)];
  }

  /**
   * Does something, and where that fails adds to the error what is shown, what is on its way and what was wrong before.
   * @param {() => Promise<void>} act
   */
  explained(act) {
    return explained(act, async () => [
      ...(await viewsOf([this.context])),
      `on its way: ${[...this.#underway.keys()].map((request) => request.url()).join(' ') || 'nothing'}`,
      ...this.troubles,
    ]);
  }

  /** The search element; its data attributes tell of its state. */
  get ask() {
    return this.page.locator('campanile-ask');
  }
  get box() {
    return this.page.getByRole('combobox', { name: 'Your question' });
  }
  get answer() {
    return this.page.getByTestId('answer-text');
  }
  get marked() {
    return this.answer.locator('mark');
  }
  get sources() {
    return this.page.getByTestId('source');
  }
  get dialog() {
    return this.page.getByRole('dialog');
  }

  async open() {
    await this.page.goto(`${this.origin}/`);
    await this.opened();
  }

  /** Waits until the index is open, and the question that the address may hold is answered. */
  async opened() {
    await this.page.locator('campanile-ask:is([data-state="ready"], [data-state="answered"])').waitFor();
  }

  /**
   * Types a question and waits for its answer at a stage.
   * @param {string} question
   * @param {'lexical' | 'instant' | 'hybrid'} stage
   * @param {{ isRead?: boolean }} [options]  whether its passages have to be read too: what does that comes behind the encoder
   */
  async askFor(question, stage = 'hybrid', { isRead = stage === 'hybrid' } = {}) {
    await this.box.fill(question);
    await this.box.press('Enter');
    await this.page.waitForFunction(
      ([wanted, asked, hasToBeRead]) => {
        const element = document.querySelector('campanile-ask');
        if (element?.dataset.state !== 'answered' || element.question !== asked) return false;
        const { read, reader } = element.dataset;
        return element.dataset.stage === wanted && (!hasToBeRead || read === 'true' || reader === 'absent');
      },
      [stage, question, isRead],
    );
  }

  /**
   * Closes the source that is open with Escape, and waits until the focus is back where it was: that comes after the dialog is
   * gone, and would take the next key that is pressed.
   */
  async closeSource() {
    await this.page.evaluate(() => {
      const dialog = document.querySelector('campanile-ask').shadowRoot.querySelector('dialog[open]');
      window.closedOfTest = new Promise((resolve) => {
        dialog.addEventListener('close', () => setTimeout(resolve), { once: true });
      });
    });
    await this.page.keyboard.press('Escape');
    await this.page.evaluate(() => window.closedOfTest);
    await this.dialog.waitFor({ state: 'hidden' });
  }

  /** Waits until the service worker is in charge and the whole index is kept on the device. */
  async kept() {
    await this.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await this.page.locator('campanile-ask[data-offline="ready"]').waitFor();
    // Devices are compared once an answer was read, which may be after all is kept: a reload would break off what that fetches.
    await this.page.locator('campanile-ask:is([data-reading], :not([data-read="true"]))').waitFor();
  }
}
