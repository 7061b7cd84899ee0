// Cross-origin isolation by the page's own service worker, for hosts that send no headers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { ASKED } from './harness/questions.js';
import { visit } from './harness/reader.js';
import { alteredSite, replaced, sampleSite } from './harness/site.js';

const SERVICE_WORKER = 'service-worker.js';

let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const isIsolated = (page) => page.evaluate(() => crossOriginIsolated);

/** Switches isolation on, as `[page] cross_origin_isolated = true` does. */
const isolating = (bytes) => replaced(bytes, /ISOLATED = false/, 'ISOLATED = true');

test('switched on: isolated after one reload, in the worker too, and without a network', async () => {
  await onSite(await alteredSite('isolated', { [SERVICE_WORKER]: isolating }), [], async (reader) => {
    const { page } = reader;
    await page.waitForFunction(() => crossOriginIsolated);
    // The page is isolated a moment before it counts as loaded.
    await reader.opened();
    assert.equal(reader.loads, 2, 'the page was opened once more, and no oftener');
    await reader.askFor(ASKED.question);
    assert.match(await reader.marked.innerText(), ASKED.answer);
    const worker = page.workers().find((one) => one.url().endsWith('/worker.js'));
    assert.ok(await worker.evaluate(() => crossOriginIsolated && typeof SharedArrayBuffer === 'function'));

    await reader.kept();
    await reader.context.setOffline(true);
    await page.reload();
    await reader.opened();
    assert.ok(await isIsolated(page));
  });
});

test('a browser that does not isolate the page is asked once, and the page works', async () => {
  const refused = (bytes) => replaced(isolating(bytes), /"require-corp"/, '"unsafe-none"');
  await onSite(await alteredSite('not-isolated', { [SERVICE_WORKER]: refused }), [], async (reader) => {
    await reader.page.waitForFunction(() => performance.getEntriesByType('navigation')[0].type === 'reload');
    await reader.opened();
    // What is on its way would be broken off: the rest of the index comes behind the answer.
    await reader.askFor(ASKED.question);
    await reader.page.locator('campanile-ask[data-offline="ready"]').waitFor();
    await reader.page.reload();
    await reader.opened();
    await reader.askFor(ASKED.question);
    assert.equal(reader.loads, 3, 'one reload is the page’s, one the test’s');
    assert.equal(await isIsolated(reader.page), false);
  });
});

test('switched off: the page is opened once and is not isolated', async () => {
  await onSite(await sampleSite(), [], async (reader) => {
    await reader.askFor(ASKED.question);
    await reader.kept();
    assert.equal(reader.loads, 1);
    assert.equal(await isIsolated(reader.page), false);
  });
});

test('`campanile serve --isolated` sends the headers itself', async () => {
  await onSite(await sampleSite(), ['--isolated'], async (reader) => {
    assert.ok(await isIsolated(reader.page));
    await reader.askFor(ASKED.question);
    await reader.kept();
    assert.equal(reader.loads, 1);
    await reader.page.reload();
    await reader.opened();
    assert.ok(await isIsolated(reader.page), 'also from what the service worker has kept');
  });
});

async function onSite(site, flags, act) {
  const server = await serve(site, flags);
  try {
    await visit(browser, server.origin, act);
  } finally {
    await server.stop();
  }
}
