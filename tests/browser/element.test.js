// `<campanile-ask>` in the page of somebody else: two of them, loud styles around, and behind a button.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { checkRules } from './harness/looks.js';
import { visit } from './harness/reader.js';
import { relay } from './harness/relay.js';
import { sampleSite } from './harness/site.js';
import { explainedBy } from './harness/view.js';

const PAGES = fileURLToPath(new URL('pages', import.meta.url));
const QUESTION = 'What does late examination registration cost?';
const OTHER = 'How long can I borrow a book?';
/** What the page around could change of an element by a style sheet, or by what is handed down. */
const LOOKS = [
  'color',
  'backgroundColor',
  'fontFamily',
  'fontSize',
  'fontStyle',
  'lineHeight',
  'letterSpacing',
  'textAlign',
  'textTransform',
  'borderTopWidth',
  'marginTop',
  'paddingTop',
  'display',
];

let server;
let host;
let browser;

before(async () => {
  server = await serve(await sampleSite());
  host = await relay(server.origin, { folders: { pages: PAGES } });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await host?.stop();
  await server?.stop();
});

test('the styles of the page around stay out, the element’s stay in, and no id stands twice', async () => {
  const viewport = { width: 1000, height: 900 };
  const expected = {};
  await visit(
    browser,
    host.origin,
    async (reader) => {
      await reader.askFor(QUESTION);
      // Until all is kept, buttons come and go that say so.
      await reader.kept();
      Object.assign(expected, await reader.ask.evaluate(looksOf, LOOKS));
    },
    { viewport },
  );
  await visitPage('loud.html', { viewport }, async (page) => {
    const before = await page.locator('#own, #own-button').evaluateAll(ownLooks);
    const [first, second] = await page.locator('campanile-ask').all();
    await ask(first, QUESTION);
    await ask(second, OTHER);
    await first.and(page.locator('[data-offline="ready"]')).waitFor();
    const found = await first.evaluate(looksOf, LOOKS);
    for (const [name, looks] of Object.entries(expected)) {
      if (found[name]) assert.deepEqual(found[name], looks, name);
    }
    const shared = Object.keys(expected).filter((name) => name in found);
    assert.ok(shared.length > 40, `only ${shared.length} elements were compared`);
    assert.deepEqual(await page.locator('#own, #own-button').evaluateAll(ownLooks), before);
    assert.deepEqual(await page.evaluate(repeatedIds), []);
    assert.match(await first.getByTestId('answer-text').innerText(), /25/);
    assert.match(await second.getByTestId('answer-text').innerText(), /weeks|days/);
  });
});

test('light or dark is what the page around says, or the attribute', async () => {
  await visitPage('loud.html', { colorScheme: 'dark' }, async (page) => {
    const ask = page.locator('campanile-ask').first();
    const ground = () =>
      ask.locator('.ask-box').evaluate((box) => getComputedStyle(box).backgroundColor.match(/\d+/g).map(Number)[0]);
    const cases = [
      { around: '', theme: null, isDark: false },
      { around: 'dark', theme: null, isDark: true },
      { around: 'light dark', theme: null, isDark: true },
      { around: 'light', theme: null, isDark: false },
      { around: 'dark', theme: 'light', isDark: false },
      { around: 'light', theme: 'dark', isDark: true },
      { around: 'light', theme: 'auto', isDark: true },
    ];
    for (const { around, theme, isDark } of cases) {
      await page.evaluate((scheme) => {
        document.documentElement.style.colorScheme = scheme;
      }, around);
      await ask.evaluate((element, value) => element.toggleAttribute('theme', value !== null), theme);
      if (theme) await ask.evaluate((element, value) => element.setAttribute('theme', value), theme);
      assert.equal((await ground()) < 128, isDark, `${around || 'nothing'} around, theme ${theme}`);
    }
  });
});

test('behind a button nothing is fetched; a key opens it, Escape gives the focus back', async () => {
  await visitPage('window.html', {}, async (page, requests) => {
    const opener = page.getByRole('button', { name: 'Ask the handbook' });
    await opener.waitFor();
    assert.deepEqual(
      requests.filter((address) => /campanile\.json|\.wasm|shards/.test(address)),
      [],
    );
    const notes = page.getByRole('textbox', { name: 'Notes' });
    await notes.focus();
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', { name: 'Your question' });
    assert.ok(await box.evaluate((element) => element === element.getRootNode().activeElement));
    await checkRules({ page }, 'window');
    await box.fill(QUESTION);
    await box.press('Enter');
    await page.locator('campanile-ask[data-read="true"]').waitFor();
    await checkRules({ page }, 'window with an answer');
    const button = page.locator('campanile-ask .ask-button');
    assert.deepEqual(
      await button.evaluate((element) => [
        getComputedStyle(element).backgroundColor,
        getComputedStyle(element).borderTopLeftRadius,
      ]),
      ['rgb(0, 0, 160)', '0px'],
    );
    // A source opens over the window; the first Escape closes it, the second the window.
    await page.getByTestId('source').first().getByRole('button').click();
    const reader = page.getByTestId('reader');
    await reader.locator('mark').first().waitFor();
    await page.keyboard.press('Escape');
    await reader.waitFor({ state: 'hidden' });
    // The focus goes back when the dialog has said that it is closed.
    await page.getByTestId('source').first().getByRole('button').and(page.locator(':focus')).waitFor();
    assert.ok(await page.getByTestId('window').isVisible());
    await page.keyboard.press('Escape');
    await page.getByTestId('window').waitFor({ state: 'hidden' });
    // The focus comes back.
    await notes.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+k');
    assert.ok(await page.getByTestId('answer-text').isVisible(), 'the answer still stands');
    await page.keyboard.press('Control+k');
    await page.getByTestId('window').waitFor({ state: 'hidden' });
  });
});

/**
 * @param {string} name  of a page in `pages/`
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {(page: import('playwright-core').Page, requests: string[]) => Promise<void>} act
 */
async function visitPage(name, options, act) {
  const context = await browser.newContext(options);
  const requests = [];
  const troubles = [];
  context.on('request', (request) => requests.push(request.url()));
  context.on('console', (message) => troubles.push(`console ${message.type()}: ${message.text()}`));
  context.on('weberror', (error) => troubles.push(`error: ${error.error()}`));
  try {
    const page = await context.newPage();
    await page.goto(`${host.origin}/pages/${name}`);
    await explainedBy(browser, () => act(page, requests));
    assert.deepEqual(troubles, []);
  } finally {
    await context.close();
  }
}

/** Asks one of several. @param {import('playwright-core').Locator} element @param {string} question */
async function ask(element, question) {
  await element.locator('.ask-input').fill(question);
  await element.locator('.ask-input').press('Enter');
  await element.and(element.page().locator('[data-read="true"]')).waitFor();
}

/** In the page: how each element inside looks, by its class and place. */
function looksOf(host, properties) {
  const seen = {};
  const found = {};
  for (const element of host.shadowRoot.querySelectorAll('.content *')) {
    const key = `${element.localName}.${element.className}`;
    seen[key] = (seen[key] ?? 0) + 1;
    const style = getComputedStyle(element);
    found[`${key} ${seen[key]}`] = Object.fromEntries(properties.map((name) => [name, style[name]]));
  }
  return found;
}

/** In the page: what is the page's own. */
const ownLooks = (elements) =>
  elements.map((element) => {
    const { color, backgroundColor, font, margin, padding, borderTopWidth, display } = getComputedStyle(element);
    return { color, backgroundColor, font, margin, padding, borderTopWidth, display };
  });

/** In the page: ids that stand twice in one tree. */
function repeatedIds() {
  const trees = [document, ...[...document.querySelectorAll('campanile-ask')].map(({ shadowRoot }) => shadowRoot)];
  return trees.flatMap((tree) => {
    const ids = [...tree.querySelectorAll('[id]')].map(({ id }) => id);
    return ids.filter((id, place) => ids.indexOf(id) !== place);
  });
}
