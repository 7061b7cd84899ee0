// The three engines that run the page, each with its own driver. `cargo xtask test` names the programs.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { required } from './chromium.js';
import { WAIT_MILLISECONDS } from './patience.js';
import { explained, viewOfSession } from './view.js';
import { KEYS, startSession } from './webdriver.js';

const FLAGS = JSON.parse(readFileSync(new URL('../chromium-flags.json', import.meta.url), 'utf8'));

/**
 * An engine: how it is started, and how its console is heard.
 * @typedef {object} Engine
 * @property {string} name
 * @property {(options?: { webAssembly?: boolean }) => Parameters<typeof startSession>[0]} start  as everybody has it, or as a
 *   strict setting leaves it
 * @property {RegExp} printed  a line of its output that is the console's; the first group is what was said
 * @property {boolean} [sharesMemory]  on an isolated page its workers do
 * @property {boolean} [needsDisplay]
 * @property {boolean} [isListenedTo]  it prints nothing of the console: a function in the page listens instead
 * @property {string[]} hears  what of `talkingHost` reaches us
 */

const chosen = process.env.CAMPANILE_ENGINES?.split(',');

/** @type {Engine[]} */
const ALL = [
  {
    name: 'chromium',
    start: ({ webAssembly = true } = {}) => ({
      program: required('CHROMEDRIVER'),
      ports: ['--port'],
      flags: ['--enable-chrome-logs'],
      capabilities: {
        browserName: 'chrome',
        'goog:chromeOptions': {
          binary: required('CAMPANILE_CHROMIUM'),
          args: [...FLAGS, '--enable-logging=stderr', ...(webAssembly ? [] : ['--js-flags=--jitless'])],
        },
      },
    }),
    sharesMemory: true,
    printed: /:CONSOLE:\d+\] (.*)/,
    hears: ['the page speaks', 'an object', 'thrown by the page', 'the worker speaks', 'thrown by the worker'],
  },
  {
    name: 'firefox',
    start: ({ webAssembly = true } = {}) => ({
      program: required('GECKODRIVER'),
      // The second one is the browser's, on which the driver speaks with it.
      ports: ['--port', '--marionette-port'],
      flags: [],
      capabilities: {
        browserName: 'firefox',
        'moz:firefoxOptions': {
          binary: required('CAMPANILE_FIREFOX'),
          args: ['-headless'],
          prefs: {
            'devtools.console.stdout.content': true,
            'javascript.options.wasm': webAssembly,
            // As everybody has it; its driver would let pages in a folder read their neighbours.
            'security.fileuri.strict_origin_policy': true,
          },
        },
      },
    }),
    sharesMemory: true,
    // What its own parts say has their name in front (`console.error: RSLoader: …`), and their exceptions come from
    // `resource:`, `chrome:` and `moz-src:`; what a page says is in quotes or brackets.
    printed:
      /^(console\.\w+: (?!\w+: |\(new \w+\(.*"(?:resource|chrome|moz-src):).*|JavaScript (?:error|warning): (?:https?|file|blob):.*)/,
    hears: ['the page speaks', 'an object', 'thrown by the page', 'the worker speaks'],
  },
  {
    name: 'webkit',
    start: ({ webAssembly = true } = {}) => ({
      program: required('CAMPANILE_WEBKIT_DRIVER'),
      ports: ['--port'],
      env: { JSC_useWasm: String(webAssembly) },
      flags: [],
      // The browser that comes with the driver, which knows where it lies.
      capabilities: { browserName: 'MiniBrowser' },
    }),
    printed: /^.*CONSOLE (.*)/,
    needsDisplay: true,
    // A window under automation is a private one, and WebKit prints nothing of those.
    isListenedTo: true,
    hears: ['the page speaks', 'an object', 'thrown by the page'],
  },
];

export const ENGINES = ALL.map((engine) => ({
  ...engine,
  /** Why it is not tested, for the runner, which names what it skips. */
  skipped: chosen !== undefined && !chosen.includes(engine.name) && 'CAMPANILE_ENGINES leaves it out',
}));

/**
 * Starts an engine with an empty profile and gives a visitor to `act`.
 * @param {Engine} engine
 * @param {(visitor: Visitor) => Promise<void>} act
 * @param {{ webAssembly?: boolean }} [options]
 */
export async function inEngine(engine, act, options = {}) {
  const display = engine.needsDisplay ? await startDisplay() : undefined;
  try {
    const start = engine.start(options);
    const session = await startSession({ ...start, env: { ...start.env, ...(display && { DISPLAY: display.name }) } });
    try {
      const visitor = new Visitor(engine, session);
      await visitor.explained(() => act(visitor));
    } finally {
      await session.end();
    }
  } finally {
    await display?.stop();
  }
}

/** A screen in memory, for an engine that draws on none by itself. */
async function startDisplay() {
  // The server chooses a free number and says it once it can be used.
  const flags = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
  const server = spawn(required('CAMPANILE_XVFB'), flags, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  let complaint = '';
  server.stderr.setEncoding('utf8').on('data', (text) => {
    complaint += text;
  });
  const ended = new Promise((resolve) => server.on('close', resolve));
  const number = await new Promise((resolve, reject) => {
    server.on('error', reject);
    server.stdio[3].once('data', (bytes) => resolve(String(bytes).trim()));
    ended.then((code) => reject(new Error(`Xvfb ended with ${code}\n${complaint}`)));
  });
  return {
    name: `:${number}`,
    async stop() {
      server.kill();
      await ended;
    },
  };
}

/** Runs in the page: the first match in the document, or in the element's own root where it has one. */
const inPage = (selector) =>
  document.querySelector(selector) ??
  document.querySelector('campanile-ask')?.shadowRoot?.querySelector(selector) ??
  null;

/** Runs in the page: the first match, if it is where it was when it was looked for the last time. @param {string} selector */
function standing(selector) {
  const element =
    document.querySelector(selector) ?? document.querySelector('campanile-ask')?.shadowRoot?.querySelector(selector);
  const box = element?.getBoundingClientRect();
  const place = JSON.stringify([selector, box]);
  const isStill = element === window.standingElement && place === window.standingPlace;
  window.standingElement = element;
  window.standingPlace = place;
  return element && isStill ? element : null;
}

/** Somebody who looks at the page in one engine. */
export class Visitor {
  /**
   * @param {Engine} engine
   * @param {import('./webdriver.js').Session} session
   */
  constructor(engine, session) {
    this.engine = engine;
    this.session = session;
  }

  /**
   * Does something, and where that fails adds to the error what the page shows and what its console heard.
   * @param {() => Promise<void>} act
   */
  explained(act) {
    const heard = () => this.heard().catch((error) => [String(error)]);
    return explained(act, async () => [await viewOfSession(this.session), 'in the console:', ...(await heard())]);
  }

  /** @param {string} url */
  async open(url) {
    await this.session.open(url);
    await this.#listen();
  }

  /** As the button of the browser does it: the command of Firefox's driver goes past the service worker. */
  async reload() {
    await this.session.run(() => {
      window.isBefore = true;
      setTimeout(() => location.reload());
    });
    await this.session.until('the page again', () => !window.isBefore && document.readyState === 'complete');
    await this.#listen();
  }

  /** Each thing that was said in the console so far, warnings and exceptions among it. */
  async heard() {
    const printed = this.session.said.flatMap((line) => this.engine.printed.exec(line)?.[1] ?? []);
    return this.engine.isListenedTo ? [...printed, ...(await this.session.run(() => window.heard))] : printed;
  }

  async #listen() {
    if (!this.engine.isListenedTo) return;
    await this.session.run(() => {
      const heard = [];
      window.heard = heard;
      for (const kind of ['debug', 'log', 'info', 'warn', 'error']) {
        console[kind] = (...words) => heard.push(`${kind}: ${words.join(' ')}`);
      }
      addEventListener('error', (event) => heard.push(event.message));
      addEventListener('unhandledrejection', (event) => heard.push(String(event.reason)));
    });
  }

  /**
   * Waits for an element and gives it.
   * @param {string} selector
   * @param {number} [milliseconds]  where it takes longer than what a page shows by itself
   */
  find(selector, milliseconds = WAIT_MILLISECONDS) {
    return this.session.untilWithin(milliseconds, `"${selector}" on the page`, inPage, selector);
  }

  /** @param {string} testId */
  findTestId(testId) {
    return this.find(`[data-testid="${testId}"]`);
  }

  /**
   * Clicks on an element once it stands still, and gives it. A driver looks where an element is and then clicks there: what
   * moves in between, as when a line above it goes away, is missed in silence.
   * @param {string} selector
   */
  async click(selector) {
    await this.find(selector);
    const element = await this.session.until(`"${selector}" standing still`, standing, selector);
    await this.session.click(element);
    return element;
  }

  /**
   * The element as it is now, or null.
   * @param {string} selector
   */
  look(selector) {
    return this.session.run(inPage, selector);
  }

  /**
   * The text of an element as it is shown.
   * @param {string} selector
   */
  async text(selector) {
    return this.session.run((element) => element.innerText, await this.find(selector));
  }

  /** Waits until the index is open. */
  async opened() {
    await this.find('campanile-ask:is([data-state="ready"], [data-state="answered"])');
  }

  /**
   * Types a question into the box and waits until its passages have been read.
   * @param {string} question
   */
  async askFor(question) {
    const box = await this.find('input[type="search"]');
    await this.session.run((input) => input.focus(), box);
    await this.session.run((input) => input.select(), box);
    await this.session.type(`${question}${KEYS.enter}`);
    await this.answered(question);
  }

  /**
   * Waits for the answer to a question, its passages read.
   * @param {string} question
   */
  async answered(question) {
    await this.session.until(
      `an answer to "${question}"`,
      (asked) => {
        const element = document.querySelector('campanile-ask');
        const { state, stage, read } = element?.dataset ?? {};
        return state === 'answered' && stage === 'hybrid' && read === 'true' && element.question === asked;
      },
      question,
    );
  }

  /** Waits until the service worker is in charge and the whole index is kept on the device. */
  async kept() {
    await this.session.until('a service worker', async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return registration?.active?.state === 'activated' && Boolean(navigator.serviceWorker.controller);
    });
    await this.find('campanile-ask[data-offline="ready"]');
    // What compares devices would be broken off by a reload: see `Reader.kept`.
    await this.find('campanile-ask:is([data-reading], :not([data-read="true"]))');
  }
}
