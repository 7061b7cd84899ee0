// One question from the empty page to the passage in its document.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { askNatively, serve } from './harness/command.js';
import { ASKED, OTHER_WORDS, UNANSWERABLE } from './harness/questions.js';
import { visit } from './harness/reader.js';
import { relay } from './harness/relay.js';
import { manifestOf, oneShardOfEach, sampleSite, shardsIn } from './harness/site.js';
import { startingBytes } from '../../web/manifest.js';

let browser;
let site;
let server;

before(async () => {
  site = await sampleSite();
  [browser, server] = await Promise.all([launch(), serve(site)]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('with the keyboard alone: ask, read the marked sentence, open a source, come back', async () => {
  const [
    {
      sources: [first],
    },
  ] = await askNatively(site, [ASKED.question], 'hybrid');
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    await page.keyboard.press('/');
    await page.keyboard.type(ASKED.question);
    await page.keyboard.press('Enter');
    await page.locator('campanile-ask[data-stage="hybrid"][data-read="true"]').waitFor();
    assert.match(await reader.marked.innerText(), ASKED.answer);
    assert.equal(await reader.marked.locator('.answer-exact').innerText(), ASKED.words);

    const opener = reader.sources.first().getByRole('button');
    for (let presses = 0; !(await isFocused(opener)); presses += 1) {
      // Behind what can be done with the answer; a citation's link goes there at once.
      assert.ok(presses < 16, 'the first source is not within sixteen presses of Tab');
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await reader.dialog.waitFor();
    assert.equal(await page.getByTestId('reader-title').innerText(), first.title);
    // A first heading that repeats the title is left out: the title stands right above.
    const headings = first.section[0] === first.title ? first.section.slice(1) : first.section;
    assert.ok(headings.length > 0, 'the source has a heading of its own');
    assert.equal(await page.getByTestId('reader-path').innerText(), headings.join(' › '));
    const passage = reader.dialog.locator('mark').first();
    await passage.waitFor();
    assert.ok(await isInView(passage), 'the dialog opens at the passage');
    const words = (await reader.dialog.locator('mark.passage').allInnerTexts()).join(' ');
    assert.equal(plain(words), plain(first.text));
    const link = await page.getByTestId('open-document').getAttribute('href');
    assert.equal(link?.split('#')[0], first.link?.split('#')[0]);

    await reader.closeSource();
    assert.ok(await isFocused(opener), 'the focus returns to the source');
  });
});

test('keyword results stand before anything else has arrived', async () => {
  const { encoder, instant } = await manifestOf(site);
  const held = oneShardOfEach(encoder, instant);
  const slow = await relay(server.origin, { isHeld: (path) => held.has(path) });
  try {
    await visit(browser, slow.origin, async (reader) => {
      await reader.askFor(ASKED.question, 'lexical');
      assert.ok((await reader.sources.count()) > 0, 'there are keyword results');
      slow.release();
      await reader.page.locator('campanile-ask[data-stage="hybrid"][data-read="true"]').waitFor();
    });
  } finally {
    await slow.stop();
  }
});

test('meaning is searched, roughly, before the encoder has arrived, and well when it has', async () => {
  const { encoder } = await manifestOf(site);
  const encoderShards = new Set(shardsIn(encoder).map((path) => `/${path}`));
  const slow = await relay(server.origin, { isHeld: (path) => encoderShards.has(path) });
  try {
    await visit(browser, slow.origin, async (reader) => {
      await reader.askFor(ASKED.question, 'instant');
      assert.ok((await reader.sources.count()) > 0, 'there are results');
      const status = reader.page.getByTestId('status');
      await status.filter({ hasText: 'by keywords and, roughly, by meaning' }).waitFor();
      const size = new RegExp(`${(startingBytes(encoder) / 1e6).toFixed(1)} MB`);
      await status.filter({ hasText: size }).waitFor();
      slow.release();
      await reader.page.locator('campanile-ask[data-stage="hybrid"][data-read="true"]').waitFor();
      assert.match(await reader.marked.innerText(), ASKED.answer);
    });
  } finally {
    await slow.stop();
  }
});

test('the vectors of words that no document has come with the question that has them', async () => {
  const { encoder } = await manifestOf(site);
  const parts = new Set(encoder.files.filter((file) => file.on_demand).map((file) => `/${file.shard.path}`));
  const slow = await relay(server.origin, { isHeld: (path) => parts.has(path) });
  try {
    await visit(browser, slow.origin, async (reader) => {
      await reader.askFor(ASKED.question);
      assert.match(await reader.marked.innerText(), ASKED.answer, 'none of them is waited for');
      const asked = reader.askFor(OTHER_WORDS.question);
      await reader.page.locator('campanile-ask[data-state="asking"]').waitFor();
      slow.release();
      await asked;
      assert.match(await reader.marked.innerText(), OTHER_WORDS.answer);
    });
  } finally {
    await slow.stop();
  }
});

test('a question that the documents do not answer is refused', async () => {
  await visit(browser, server.origin, async (reader) => {
    await reader.askFor(UNANSWERABLE);
    assert.equal(await reader.ask.getAttribute('data-kind'), 'refusal');
    assert.match(await reader.page.getByTestId('refusal-advice').first().innerText(), /Searched by .*: \d+ documents/);
    const whom = reader.page.getByTestId('contact').getByRole('link');
    assert.equal(await whom.getAttribute('href'), 'mailto:office.water@example.edu');
    assert.equal(await reader.marked.count(), 0);
  });
});

/** White space is the page's own matter. @param {string} text */
const plain = (text) => text.replace(/\s+/g, '');

/** @param {import('playwright-core').Locator} locator */
const isFocused = (locator) => locator.evaluate((element) => element === element.getRootNode().activeElement);

/** @param {import('playwright-core').Locator} locator */
const isInView = (locator) =>
  locator.evaluate(
    (element) =>
      new Promise((resolve) => {
        new IntersectionObserver(([entry]) => resolve(entry.isIntersecting)).observe(element);
      }),
  );
