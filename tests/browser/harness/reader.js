// A reader of the page: opens it, asks, and notes everything that should not have happened.
import assert from 'node:assert/strict';

const ANSWER_MILLISECONDS = 60_000;

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
    await reader.open();
    await act(reader);
    assert.deepEqual(reader.troubles, [], 'the console and the network are to stay quiet');
  } finally {
    await context.close();
  }
}

export class Reader {
  /** @type {string[]} */ troubles = [];
  /** How often the page was opened, reloads included. */
  loads = 0;

  /**
   * @param {import('playwright-core').BrowserContext} context
   * @param {import('playwright-core').Page} page
   * @param {string} origin
   */
  constructor(context, page, origin) {
    Object.assign(this, { context, page, origin });
    page.setDefaultTimeout(ANSWER_MILLISECONDS);
    page.on('domcontentloaded', () => {
      this.loads += 1;
    });
    const note = (what) => this.troubles.push(what);
    context.on('console', (message) =>
      note(`console ${message.type()}: ${message.text()} (${message.location().url})`),
    );
    context.on('weberror', (error) => note(`error: ${error.error().stack ?? error.error()}`));
    context.on('requestfailed', (request) => {
      // The service worker may try the network and answer from what it has kept.
      if (!request.serviceWorker()) note(`failed: ${request.url()} ${request.failure()?.errorText}`);
    });
    context.on('request', (request) => {
      if (!request.url().startsWith(`${this.origin}/`)) note(`left the site: ${request.url()}`);
    });
    context.on('serviceworker', (worker) =>
      worker.on('console', (message) => note(`service worker ${message.type()}: ${message.text()}`)),
    );
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

  /** Waits until the service worker is in charge and the whole index is kept on the device. */
  async kept() {
    await this.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await this.page.locator('campanile-ask[data-offline="ready"]').waitFor();
    // Devices are compared once an answer was read, which may be after all is kept: a reload would break off what that fetches.
    await this.page.locator('campanile-ask:is([data-reading], :not([data-read="true"]))').waitFor();
  }
}
