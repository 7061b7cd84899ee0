// Every kind of file of a site goes wrong in every way on its way to the page: nothing wrong is said, something is
// offered, and all is well once the fault is gone, on the page that stands and on the next visit.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch } from './harness/chromium.js';
import { FAULTS, faultyHost } from './harness/faulty.js';
import { WAIT_MILLISECONDS } from './harness/patience.js';
import { ASKED } from './harness/questions.js';
import { sampleSite } from './harness/site.js';

/** Which files each kind is. */
const FILES = {
  'the page’s first script': (path) => path === 'campanile/page.js',
  'the element’s script': (path) => path === 'campanile/campanile-ask.js',
  'the list of the page’s files': (path) => path === 'campanile/files.js',
  'the search’s script': (path) => path === 'campanile/worker.js',
  'the search program': (path) => path.endsWith('/campanile_core_bg.wasm'),
  'the site’s manifest': (path) => path === 'campanile.json',
  'the keyword index': (path) => /^shards\/(lexical|postings)-/.test(path),
  'the vectors': (path) => /^shards\/(reduced-)?vectors-/.test(path),
  'the documents': (path) => /^shards\/documents-(?!head)/.test(path),
  'the models': (path) => path.startsWith('shards/model-'),
};

/** What is to be clicked on may go away by itself, and is then looked for once more. */
const CLICKED_MILLISECONDS = 3_000;
/** Most of the time is waiting. */
const AT_ONCE = 4;

let browser;
let site;

before(async () => {
  [browser, site] = await Promise.all([launch(), sampleSite()]);
});
after(() => browser?.close());

test('fifty faults: none ends in a wrong claim, and all heal', { concurrency: AT_ONCE }, async (context) => {
  const cases = Object.keys(FILES).flatMap((file) => Object.keys(FAULTS).map((fault) => [file, fault]));
  await Promise.all(cases.map(([file, fault]) => context.test(`${file}: ${fault}`, () => heals(file, fault))));
});

test('a first script that is damaged and would run all the same is not run', async () => {
  const host = await faultyHost(site, 'missing', () => false);
  const context = await browser.newContext();
  try {
    for (const path of ['campanile/page.js', 'campanile/campanile-ask.js']) {
      const page = await context.newPage();
      await page.route(`**/${path}`, async (route) => {
        const body = `${await (await route.fetch()).text()};document.documentElement.dataset.ran = 'damaged';`;
        await route.fulfill({ body, contentType: 'text/javascript' });
      });
      await page.goto(`${host.origin}/`);
      await page.getByRole('button', { name: 'Load the page afresh' }).waitFor();
      assert.equal(await page.locator('html').getAttribute('data-ran'), null, path);
      await page.unroute(`**/${path}`);
      await page.getByRole('button', { name: 'Load the page afresh' }).click();
      await page.locator('campanile-ask[data-state="ready"]').waitFor();
      await page.close();
    }
  } finally {
    await context.close();
    await host.stop();
  }
});

test('opened from a folder, the page says why it cannot work and what does', async () => {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(site, 'index.html')).href);
    await page.getByText('This page cannot work from a folder').waitFor();
    await page.getByText('campanile serve').waitFor();
  } finally {
    await context.close();
  }
});

async function heals(file, fault) {
  const host = await faultyHost(site, fault, FILES[file]);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${host.origin}/#${new URLSearchParams({ q: ASKED.question })}`, { waitUntil: 'commit' });
    const told = await until(page, ({ isRead, isRefusal, ways }) => isRead || isRefusal || ways.length > 0);
    assert.ok(host.hits > 0, 'the fault was met');
    assert.ok(!told.isRefusal, `nothing is said of the documents: ${told.text}`);
    // An answer that is not the one may stand where the page says that something is missing.
    assert.ok(!told.isRead || ASKED.answer.test(told.text) || told.ways.length > 0, told.text);

    host.heal();
    const isTaken = await takeWay(page);
    if (!isTaken && told.ways.length === 0) await page.reload({ waitUntil: 'commit' });
    await answered(page, `after “${told.ways[0] ?? 'reload'}”`);
    await page.reload({ waitUntil: 'commit' });
    await answered(page, 'the next visit');
  } finally {
    await context.close();
    await host.stop();
  }
}

/** The first way on that the page offers still; what waited for the host may have gone on by itself. @param {import('playwright-core').Page} page */
async function offered(page) {
  await page.waitForTimeout(1_000);
  // While the page is being loaded again there is nothing to take.
  const [way] = (await page.evaluate(look).catch(() => NOTHING)).ways;
  return way ? page.getByRole('button', { name: way }).first() : null;
}

/** Takes the first way on; false if there is none, or none any more. @param {import('playwright-core').Page} page */
async function takeWay(page) {
  for (let way = await offered(page); way; way = await offered(page)) {
    try {
      await way.click({ timeout: CLICKED_MILLISECONDS });
      return true;
    } catch {
      // It has gone away just now, or another stands in its place.
    }
  }
  return false;
}

/** @param {import('playwright-core').Page} page @param {string} when */
async function answered(page, when) {
  const isWhole = (seen) => seen.isRead && seen.ways.length === 0;
  const { text, ways } = await until(page, isWhole, `${when}, `);
  assert.match(text, ASKED.answer, when);
  assert.deepEqual(ways, [], `${when}: no word of a fault is left`);
}

/** What a visitor sees, once it is so; it fails when the time is over. */
async function until(page, isSo, when = '') {
  const end = Date.now() + WAIT_MILLISECONDS;
  for (;;) {
    // While the page is being loaded again there is nothing to see.
    const seen = await page.evaluate(look).catch(() => NOTHING);
    if (isSo(seen)) return seen;
    if (Date.now() > end) assert.fail(`${when}after ${WAIT_MILLISECONDS / 1000} seconds: ${JSON.stringify(seen)}`);
    await page.waitForTimeout(200);
  }
}

const NOTHING = { isRead: false, isRefusal: false, ways: [], text: '' };

/** In the page: what it says, and the ways on that it offers. */
function look() {
  const ask = document.querySelector('campanile-ask');
  const { state, stage, read, kind } = ask?.dataset ?? {};
  const places = [document, ask?.shadowRoot].filter((place) => place);
  const isSeen = (/** @type {HTMLElement} */ node) => node.checkVisibility({ visibilityProperty: true });
  const text = places.map((place) => place.querySelector('main, .root')?.innerText ?? '').join('\n');
  const ways = places
    .flatMap((place) => [...place.querySelectorAll('button')])
    .filter(isSeen)
    .map((button) => button.textContent ?? '');
  return {
    isRead: state === 'answered' && stage === 'hybrid' && read === 'true',
    isRefusal: kind === 'refusal' && !text.includes('Not everything could be searched'),
    ways: ways.filter((way) => /^(Try again|Start again|Load the page afresh)$/.test(way)),
    text,
  };
}
