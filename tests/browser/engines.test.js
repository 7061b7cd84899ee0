// The main way through the page in each engine: Chromium, Firefox and WebKit, by their own drivers.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { campanile, serve } from './harness/command.js';
import { ENGINES, inEngine } from './harness/engines.js';
import { faultyHost } from './harness/faulty.js';
import { MODEL_MILLISECONDS, TEST_MILLISECONDS, WAIT_MILLISECONDS } from './harness/patience.js';
import { ASKED, OTHERS } from './harness/questions.js';
import { alteredSite, replaced, sampleSite } from './harness/site.js';
import { KEYS } from './harness/webdriver.js';

/** What the page says of a language model that one worker runs. */
const ALONE = /processor\. This is slower\.$/;

let site;
let prose;

before(async () => {
  site = await sampleSite();
  prose = JSON.parse(await campanile(['ask', site, ASKED.question, '--prose', '--json'])).prose;
});

/**
 * What a visitor does, in this order and in one window.
 * @type {{ name: string, act: (visitor: import('./harness/engines.js').Visitor, server: { origin: string, stop: () => Promise<void> }) => Promise<void> }[]}
 */
const STEPS = [
  {
    name: 'opens the page for the first time',
    async act(visitor, server) {
      await visitor.open(`${server.origin}/`);
      await visitor.opened();
      assert.equal(await visitor.look('[data-testid="problem"]:not([hidden])'), null);
    },
  },
  {
    name: 'asks, and finds the words that answer marked',
    async act(visitor) {
      await visitor.askFor(ASKED.question);
      assert.match(await visitor.text('[data-testid="answer-text"] mark'), ASKED.answer);
      assert.equal(await visitor.text('[data-testid="answer-text"] mark .answer-exact'), ASKED.words);
    },
  },
  {
    name: 'opens a source at its passage, and closes it with Escape',
    async act(visitor) {
      const { session } = visitor;
      const opener = await visitor.click('[data-testid="source"] button');
      await visitor.find('dialog[open] mark.passage');
      assert.ok(
        await session.run(isInView, await visitor.find('dialog[open] mark')),
        'the dialog opens at the passage',
      );
      assert.match(await visitor.text('dialog[open] [data-testid="reader-body"]'), ASKED.answer);
      await session.type(KEYS.escape);
      await session.until('the dialog closed', (dialog) => !dialog.open, await visitor.find('dialog'));
      // When the dialog has said that it is closed.
      await session.until('the focus back at the source', hasFocus, opener);
    },
  },
  {
    name: 'has the language model write on the processor, as in the terminal',
    async act(visitor) {
      assert.equal(await write(visitor), supported(prose));
      assert.match(await visitor.text('[data-testid="prose-device-note"]'), ALONE);
    },
  },
  {
    name: 'asks on without a network, after the page was opened again',
    async act(visitor, server) {
      await visitor.kept();
      await server.stop();
      await visitor.reload();
      await visitor.answered(ASKED.question);
      for (const { question, answer } of OTHERS) {
        await visitor.askFor(question);
        assert.match(await visitor.text('[data-testid="answer-text"] mark'), answer);
      }
    },
  },
  {
    name: 'has nothing that sticks out of a narrow window',
    async act(visitor) {
      await visitor.session.resize(360, 740);
      const { width, scrolled } = await visitor.session.run(() => ({
        width: document.documentElement.clientWidth,
        scrolled: document.documentElement.scrollWidth,
      }));
      // The narrowest that each browser makes a window, which is not the same in all of them.
      assert.ok(width <= 500, `the window is ${width} pixels wide`);
      assert.equal(scrolled, width);
    },
  },
  {
    name: 'read nothing in the console on the way',
    async act(visitor) {
      assert.deepEqual(await visitor.heard(), []);
    },
  },
];

/** Browsers that run no program as ours is. */
const BEYOND = [
  // As the Lockdown Mode of an iPhone has it.
  { name: 'without WebAssembly', webAssembly: false, changes: {} },
  // As an old browser sees instructions that came later: `0xff` begins none.
  {
    name: 'with a program that it does not know',
    webAssembly: true,
    changes: {
      'campanile/pkg/core/campanile_core_bg.wasm': () =>
        Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, 5, 1, 3, 0, 0xff, 0x0b]),
    },
  },
];

for (const engine of ENGINES) {
  const { skipped: skip } = engine;
  test(`a visitor in ${engine.name}`, { skip, timeout: TEST_MILLISECONDS }, async (t) => {
    const server = await serve(site);
    try {
      await inEngine(engine, async (visitor) => {
        const { browserName, browserVersion } = visitor.session.capabilities;
        t.diagnostic(`${browserName} ${browserVersion}`);
        /** The step that went wrong: those behind it would fail for its reason, after a long wait. */
        let wrong = '';
        for (const { name, act } of STEPS) {
          await t.test(name, async () => {
            assert.equal(wrong, '', 'not tried: this step came first');
            wrong = name;
            await visitor.explained(() => act(visitor, server));
            wrong = '';
          });
        }
      });
    } finally {
      await server.stop();
    }
  });

  const hands = engine.sharesMemory ? 'several workers write' : 'one worker writes';
  test(`${hands} in ${engine.name}, on a page that its service worker isolates`, {
    skip,
    timeout: TEST_MILLISECONDS,
  }, async () => {
    const isolating = (bytes) => replaced(bytes, /ISOLATED = false/, 'ISOLATED = true');
    const server = await serve(await alteredSite('isolated-engines', { 'service-worker.js': isolating }));
    try {
      await inEngine(engine, async (visitor) => {
        await visitor.open(`${server.origin}/`);
        // It opens itself once more.
        await visitor.session.until(
          'isolation',
          () => window.crossOriginIsolated && document.readyState === 'complete',
        );
        await visitor.opened();
        await visitor.askFor(ASKED.question);
        assert.equal(await write(visitor), supported(prose));
        const note = engine.sharesMemory ? /\d workers share the work\. This is slower\.$/ : ALONE;
        assert.match(await visitor.text('[data-testid="prose-device-note"]'), note);
      });
    } finally {
      await server.stop();
    }
  });

  for (const { name, webAssembly, changes } of BEYOND) {
    test(`${engine.name} ${name} says that the browser cannot search`, { skip }, async () => {
      const server = await serve(await alteredSite('beyond-engines', changes));
      const look = async (visitor) => {
        await visitor.open(`${server.origin}/#${new URLSearchParams({ q: ASKED.question })}`);
        await visitor.find('campanile-ask[data-state="failed"]');
        assert.match(
          await visitor.text('[data-testid="problem"]'),
          /This browser cannot run the program that searches/,
        );
      };
      try {
        await inEngine(engine, look, { webAssembly });
      } finally {
        await server.stop();
      }
    });
  }

  test(`what is said in the console of ${engine.name} is heard`, { skip }, async () => {
    const host = await talkingHost();
    try {
      await inEngine(engine, async (visitor) => {
        await visitor.open(`${host.origin}/`);
        await visitor.session.run(() => globalThis.say());
        for (const words of engine.hears) await hears(visitor, words);
      });
    } finally {
      await host.stop();
    }
  });

  test(`${engine.name} says why the page cannot work from a folder`, { skip }, async () => {
    await inEngine(engine, async (visitor) => {
      await visitor.open(pathToFileURL(join(site, 'index.html')).href);
      await shows(visitor, /cannot work from a folder.*campanile serve/);
    });
  });

  test(`${engine.name} leads on where a script of the page is missing`, { skip }, async () => {
    const host = await faultyHost(site, 'missing', (path) => path === 'campanile/page.js');
    try {
      await inEngine(engine, async (visitor) => {
        await visitor.open(`${host.origin}/`);
        await shows(visitor, /has not arrived whole/);
        host.heal();
        await visitor.click('#rescue button');
        await visitor.opened();
        assert.equal(await visitor.session.run(isSeen, await visitor.find('#rescue')), false, 'the line is gone');
      });
    } finally {
      await host.stop();
    }
  });
}

/** Has the language model write, and gives what is shown of it. */
async function write(visitor) {
  await visitor.click('[data-testid="prose-start"]');
  // One worker of WebKit took 80 seconds beside work for both cores, and 15 on an idle machine.
  await visitor.find('[data-testid="prose"][data-state="done"][data-cited="true"]', MODEL_MILLISECONDS);
  return visitor.session.run(wordsOfProse, await visitor.findTestId('prose-text'));
}

/** Waits until some words were said in the console. */
async function hears(visitor, words) {
  const end = Date.now() + WAIT_MILLISECONDS;
  for (;;) {
    const heard = await visitor.heard();
    if (heard.some((line) => line.includes(words))) return;
    assert.ok(Date.now() < end, `"${words}" was not heard, but ${JSON.stringify(heard)}`);
    await delay(100);
  }
}

/** Waits until the line of rescue is seen. */
async function shows(visitor, words) {
  const line = await visitor.find('#rescue');
  await visitor.session.until('the line', isSeen, line);
  assert.match(await visitor.text('#rescue'), words);
}

/** In the page: whether an element has the focus, in whatever root. */
const hasFocus = (element) => element.getRootNode().activeElement === element;

/** In the page. */
const isSeen = (element) => element.checkVisibility({ visibilityProperty: true });

/** In the page. */
const isInView = (element) =>
  new Promise((resolve) => {
    new IntersectionObserver(([entry]) => resolve(entry.isIntersecting)).observe(element);
  });

/** In the page: the text of the language model without citations and marks. */
function wordsOfProse(place) {
  const copy = place.cloneNode(true);
  for (const mark of copy.querySelectorAll('.citation, .prose-mark')) mark.remove();
  return copy.textContent.replaceAll('\u2060', '').trim();
}

/** What the page shows of a text: its sentences that a source supports, or that state nothing. */
function supported({ text, sentences }) {
  const shown = sentences.filter(({ support }) => support === 'nothing' || support === 'supported');
  return shown.map(({ span }) => Buffer.from(text).subarray(span.start, span.end).toString()).join(' ');
}

/** A page and a worker that talk, and break. */
async function talkingHost() {
  const page = `<!doctype html><title>Talks</title><script>
    globalThis.say = () => {
      console.error('the page speaks');
      console.warn(new TypeError('an object'));
      setTimeout(() => { throw new Error('thrown by the page'); });
      globalThis.worker = new Worker('worker.js');
    };
  </script>`;
  const worker = `console.error('the worker speaks'); throw new Error('thrown by the worker');`;
  const server = createServer((incoming, outgoing) => {
    const isWorker = incoming.url === '/worker.js';
    outgoing.writeHead(200, { 'content-type': isWorker ? 'text/javascript' : 'text/html' });
    outgoing.end(isWorker ? worker : page);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return {
    origin: `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
