// Documents that are published with the site: a source opens the PDF at its page, and nothing is kept unasked.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { launch } from './harness/chromium.js';
import { ROOT, serve } from './harness/command.js';
import { visit } from './harness/reader.js';
import { siteOf } from './harness/site.js';

const PDF = join(ROOT, 'tests/sets/tables/shuttle.pdf');
const ORIGINAL = 'campanile/originals/shuttle-bus.pdf';

test('a source opens its original', async () => {
  const site = await siteOf('originals', {
    'Shuttle Bus.pdf': await readFile(PDF),
    'campanile.toml': '[documents]\npublish = true\n',
  });
  const server = await serve(site);
  const browser = await launch();
  try {
    await visit(browser, server.origin, async (reader) => {
      const requested = [];
      reader.context.on('request', (request) => requested.push(request.url()));
      await reader.askFor('When does the shuttle bus leave?');
      await reader.sources.first().getByRole('button').click();
      const link = reader.page.getByTestId('open-document');
      const address = new URL(await link.getAttribute('href'), server.origin);
      assert.equal(address.pathname, `/${ORIGINAL}`);
      assert.match(address.hash, /^#page=1(:~:text=|$)/);
      await reader.page.locator('campanile-ask[data-offline="ready"]').waitFor();
      assert.ok(!requested.some((url) => url.includes('originals')), 'it is fetched when it is asked for');
      const kept = await reader.page.evaluate(async () => {
        const names = await caches.keys();
        const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return keys.flat().map((request) => request.url);
      });
      assert.ok(kept.length > 0 && !kept.some((url) => url.includes('originals')), 'and not kept');
      const response = await reader.page.request.get(address.href);
      assert.equal(response.headers()['content-type'], 'application/pdf');
      assert.deepEqual(await response.body(), await readFile(PDF));
    });
  } finally {
    await browser.close();
    await server.stop();
  }
});
