// `<campanile-ask>` on a page of another origin than the site: one script tag and one element, on a server of its own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { launch } from './harness/chromium.js';
import { ROOT } from './harness/command.js';
import { serveFolders } from './harness/origin.js';
import { FLAGGING, Prose } from './harness/prose.js';
import { ASKED } from './harness/questions.js';
import { alteredSite, siteOf } from './harness/site.js';
import { explainedBy } from './harness/view.js';

let browser;
let site;

before(async () => {
  [browser, site] = await Promise.all([launch(), alteredSite('other-origin', FLAGGING)]);
});
after(() => browser?.close());

/** A page of another origin that shows the site of this one. @param {string} origin @param {string} [more]  HTML */
const pageOf = (origin, more = '') =>
  serveFolders(
    {},
    {
      files: {
        '/': `<!doctype html><html lang="en"><meta charset="utf-8"><title>Other</title>
          <script type="module" src="${origin}/handbook/campanile/campanile-ask.js"></script>
          <campanile-ask device="software"></campanile-ask>${more}`,
        '/favicon.ico': '',
      },
    },
  );

test('asks, opens a source, reads on WebGPU, writes prose, and keeps what it fetched', async (context) => {
  const server = await serveFolders({ '/handbook/': site });
  context.after(() => server.stop());
  const host = await pageOf(server.origin);
  context.after(() => host.stop());
  const page = await (await browser.newContext()).newPage();
  context.after(() => page.context().close());
  const troubles = [];
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));

  await explainedBy(browser, async () => {
    await page.goto(host.origin);
    await page.getByRole('combobox', { name: 'Your question' }).fill(ASKED.question);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('campanile-ask[data-state="answered"][data-read="true"]').waitFor();
    assert.match(await page.getByTestId('answer-text').innerText(), ASKED.answer);
    // What is kept lies with the page's origin, under the whole address of the site.
    await page.locator('campanile-ask[data-offline="ready"]').waitFor();
    assert.deepEqual(await page.evaluate(() => caches.keys()), [`campanile-data:${server.origin}/handbook/`]);
    await page.locator('campanile-ask[data-reading]').waitFor();
    assert.equal(await page.locator('campanile-ask').getAttribute('data-reading'), 'gpu');

    await page.getByTestId('source').first().getByRole('button').click();
    await page.getByTestId('reader').locator('mark').first().waitFor();
    await page.keyboard.press('Escape');

    const prose = new Prose(page);
    await prose.start('software');
    await prose.reaches('done');
    assert.match(await prose.words(), /\w+ \w+/);
    assert.deepEqual(troubles, []);

    // The next visit has the index and the models from what was kept.
    const fetched = [];
    page.on('request', (request) => {
      if (request.url().includes('/shards/')) fetched.push(request.url());
    });
    await page.goto(host.origin);
    await page.getByRole('combobox', { name: 'Your question' }).fill(ASKED.question);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('campanile-ask[data-state="answered"][data-read="true"]').waitFor();
    assert.deepEqual(fetched, []);
  });
});

test('two elements on one page ask two sites of two other origins, and keep them apart', async (context) => {
  const harbour = await siteOf('harbour', join(ROOT, 'tests/hosts/pages'));
  const server = await serveFolders({ '/handbook/': site });
  context.after(() => server.stop());
  const other = await serveFolders({ '/handbook/': harbour });
  context.after(() => other.stop());
  const host = await pageOf(server.origin, `<campanile-ask src="${other.origin}/handbook"></campanile-ask>`);
  context.after(() => host.stop());
  const page = await (await browser.newContext()).newPage();
  context.after(() => page.context().close());
  const programs = [];
  page.on('request', (request) => {
    if (request.url().startsWith(other.origin) && !request.url().includes('/shards/')) programs.push(request.url());
  });

  await explainedBy(browser, async () => {
    await page.goto(host.origin);
    for (const [at, question, answer] of [
      [0, ASKED.question, ASKED.answer],
      [1, 'What does late registration for an examination cost?', /25 euros/],
    ]) {
      const ask = page.locator('campanile-ask').nth(at);
      await ask.getByRole('combobox', { name: 'Your question' }).fill(question);
      await ask.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.locator(`campanile-ask:nth-of-type(${at + 1})[data-state="answered"][data-read="true"]`).waitFor();
      assert.match(await ask.getByTestId('answer-text').innerText(), answer);
      await page.locator(`campanile-ask:nth-of-type(${at + 1})[data-offline="ready"]`).waitFor();
    }
    assert.deepEqual(
      (await page.evaluate(() => caches.keys())).sort(),
      [server, other].map(({ origin }) => `campanile-data:${origin}/handbook/`).sort(),
    );
    // Of the second site only data is fetched: the program is the first one's.
    assert.deepEqual([...new Set(programs)], [`${other.origin}/handbook/campanile.json`]);
  });
});
