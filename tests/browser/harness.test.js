// What the other tests stand on: things that are made once, a host that holds files back, and failures that say what was shown.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { launch } from './harness/chromium.js';
import { ENGINES } from './harness/engines.js';
import { serveFolders } from './harness/origin.js';
import { visit } from './harness/reader.js';
import { relay } from './harness/relay.js';
import { madeOnce } from './harness/store.js';

test('what several want is made once, and what is made of something else is another', async () => {
  let made = 0;
  const make = async (place) => {
    made += 1;
    await delay(50);
    await writeFile(place, 'made');
  };
  const parts = [String(process.pid), String(Date.now())];
  const places = await Promise.all([1, 2, 3].map(() => madeOnce('harness', parts, make)));
  assert.equal(made, 1);
  assert.equal(new Set(places).size, 1);
  assert.equal(await readFile(places[0], 'utf8'), 'made');
  // The same bytes, divided in another way.
  const other = await madeOnce('harness', [parts.join('')], make);
  assert.notEqual(other, places[0]);
  assert.equal(made, 2);
  for (const place of [places[0], other]) await rm(place);
});

test('what could not be made is tried anew', async () => {
  const parts = ['fails', String(process.pid), String(Date.now())];
  const fails = () => Promise.reject(new Error('no room'));
  await assert.rejects(madeOnce('harness', parts, fails), { message: 'no room' });
  const place = await madeOnce('harness', parts, (place) => writeFile(place, 'made'));
  await rm(place);
});

test('what Firefox says of its own parts is not what a page says', () => {
  const { printed } = ENGINES.find(({ name }) => name === 'firefox');
  const own = [
    'console.error: RSLoader: "not found"',
    `console.error: (new TypeError("can't access property", "moz-src:///browser/components/Search.sys.mjs", 12))`,
    'console.error: (new Error("late", "resource://gre/modules/Late.sys.mjs", 3))',
    'console.warn: (new Error("late", "chrome://browser/content/late.js", 3))',
    'JavaScript error: resource://gre/modules/Late.sys.mjs, line 3: Error: late',
    '*** You are running in headless mode.',
  ];
  for (const line of own) assert.equal(printed.exec(line), null, line);
  const pages = [
    'console.log: "the page speaks"',
    'console.error: (new TypeError("not there", "http://127.0.0.1:1/app.js", 12))',
    'console.warn: ({})',
    'JavaScript error: http://127.0.0.1:1/app.js, line 3: Error: late',
    'JavaScript warning: blob:http://127.0.0.1:1/1-2, line 3: late',
  ];
  for (const line of pages) assert.equal(printed.exec(line)?.[1], line);
});

test('a file that is held comes byte by byte and is not whole before it is released', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campanile-held-'));
  const bytes = Buffer.alloc(100_000, 'campanile');
  await writeFile(join(folder, 'held.bin'), bytes);
  await writeFile(join(folder, 'free.bin'), bytes);
  const server = await serveFolders({ '/': folder });
  const slow = await relay(server.origin, { isHeld: (path) => path === '/held.bin' });
  try {
    const free = await (await fetch(`${slow.origin}/free.bin`)).arrayBuffer();
    assert.equal(free.byteLength, bytes.length);
    let came = 0;
    let isWhole = false;
    const held = (async () => {
      const pieces = [];
      for await (const piece of (await fetch(`${slow.origin}/held.bin`)).body) {
        pieces.push(piece);
        came += piece.length;
      }
      isWhole = true;
      return Buffer.concat(pieces);
    })();
    await delay(2_500);
    assert.ok(came > bytes.length / 2 && came < bytes.length, `${came} of ${bytes.length} bytes`);
    assert.equal(isWhole, false);
    slow.release();
    assert.deepEqual(await held, bytes);
  } finally {
    await slow.stop();
    await server.stop();
    await rm(folder, { recursive: true });
  }
});

test('a failure says what the page showed, and a page that is left may take its requests with it', async () => {
  const page = `<!doctype html><title>Slow</title><p>The library is open.</p>
    <campanile-ask data-state="ready">Ask</campanile-ask>`;
  const host = await serveFolders({}, { files: { '/': page, '/favicon.ico': '' } });
  const browser = await launch();
  const failure = new Error('not there');
  try {
    const seen = visit(browser, host.origin, async (reader) => {
      await reader.page.route('**/never', () => undefined);
      const ask = () => Promise.all([reader.page.waitForRequest('**/never'), reader.page.evaluate(fetchNever)]);
      await ask();
      await reader.page.reload();
      assert.deepEqual(reader.troubles, [], 'what the page that was left had asked for is no trouble');
      await ask();
      await reader.page.goBack();
      assert.equal(reader.page.url(), 'about:blank');
      assert.deepEqual(reader.troubles, [], 'nor where it was left for the empty page before it');
      await reader.page.goForward();
      await ask();
      throw failure;
    });
    await assert.rejects(seen, (error) => {
      assert.equal(error.cause, failure);
      assert.match(error.message, /^not there\n[\s\S]*"state":"ready"[\s\S]*The library is open\.[\s\S]*\/never/);
      return true;
    });
    const broken = visit(browser, host.origin, async (reader) => {
      await reader.page.route('**/never', () => undefined);
      await Promise.all([reader.page.waitForEvent('requestfailed'), reader.page.evaluate(breakOff)]);
    });
    await assert.rejects(broken, /never net::ERR_ABORTED/, 'what a page breaks off while it stands is trouble');
  } finally {
    await browser.close();
    await host.stop();
  }
});

/** In the page: asks for what does not come, and no longer wants it a moment later. */
function breakOff() {
  const control = new AbortController();
  fetch('/never', { signal: control.signal }).catch(() => undefined);
  setTimeout(() => control.abort(), 100);
}

/** In the page: asks for what does not come. */
function fetchNever() {
  fetch('/never').catch(() => undefined);
}
