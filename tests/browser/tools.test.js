// What people expect of such a page: copying, more results, suggestions, reasons, settings, a history, light and dark.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { checkRules, checkWidth } from './harness/looks.js';
import { visit } from './harness/reader.js';
import { alteredSite, inManifest, manifestOf, sampleSite, shardsIn } from './harness/site.js';

const QUESTION = 'What does late examination registration cost?';

let site;
let server;
let browser;

before(async () => {
  site = await sampleSite();
  server = await serve(site);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('an answer is copied as text, as Markdown and as a link', async () => {
  const options = { permissions: ['clipboard-read', 'clipboard-write'] };
  await visit(
    browser,
    server.origin,
    async (reader) => {
      await reader.askFor(QUESTION);
      const menu = reader.page.getByTestId('copy');
      const copied = async (name) => {
        await menu.locator('summary').click();
        // It is said for two seconds only, and may still be said of what was copied before.
        const said = menu.locator('summary').evaluate(saysAnew, 'Copied.');
        await menu.getByRole('button', { name }).click();
        await said;
        return reader.page.evaluate(() => navigator.clipboard.readText());
      };
      const link = `${server.origin}/#${new URLSearchParams({ q: QUESTION })}`;
      const text = await copied('As text, with its source');
      assert.match(text, /^“Late registration costs €25[^”]*”\n— Examination registration, .*Late registration\n/u);
      assert.ok(text.endsWith(`:\n${link}`), text);
      assert.match(
        await copied('As Markdown'),
        /^> Late registration costs €25.*\n>\n> — \[Examination registration\]\(/u,
      );
      assert.equal(await copied('A link to this question'), link);
    },
    options,
  );
});

test('where a page may not write to the clipboard the words stand there to be copied', async () => {
  await visit(browser, server.origin, async (reader) => {
    await reader.askFor(QUESTION);
    await reader.page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    });
    await reader.page.getByTestId('copy').locator('summary').click();
    await reader.page.getByRole('button', { name: 'As text, with its source' }).click();
    const words = reader.page.getByRole('textbox', { name: /copy it from here/ });
    assert.match(await words.inputValue(), /€25/u);
  });
});

test('ten more at a time, narrowed by what their documents are', async () => {
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    await reader.askFor(QUESTION);
    const before = await reader.sources.count();
    const answer = await reader.answer.innerText();
    await page.getByTestId('more').press('Enter');
    await page.getByTestId('more-told').filter({ hasText: 'more.' }).waitFor();
    const listed = await reader.sources.count();
    assert.ok(listed > before && listed <= before + 10, `${listed} after ${before}`);
    const numbers = await page.locator('.source-number').allTextContents();
    assert.deepEqual(
      numbers,
      numbers.map((_, place) => String(place + 1)),
    );
    const focused = await page.evaluate(() => {
      const { activeElement } = document.querySelector('campanile-ask').shadowRoot;
      return activeElement.closest('[data-chunk]').querySelector('.source-number').textContent;
    });
    assert.equal(focused, String(before + 1), 'the focus is on the first that is new');
    assert.equal(await reader.answer.innerText(), answer, 'the answer stays');
    await page.getByTestId('facets').locator('summary').click();
    const kind = page.getByTestId('facets').getByRole('combobox').first();
    const [, choice] = await kind.locator('option').allTextContents();
    const [, count] = /\((\d+)\)$/u.exec(choice);
    await kind.selectOption({ index: 1 });
    assert.equal(await reader.sources.filter({ visible: true }).count(), Number(count));
    await page
      .getByTestId('facets-count')
      .filter({ hasText: `${count} of ${listed} passages` })
      .waitFor();
    await checkRules(reader, 'more results');
    await checkWidth(reader, 'more results');
    // Another question begins with its own sources.
    await reader.askFor('How long can I borrow a book?');
    assert.ok((await reader.sources.count()) <= before + 1);
  });
});

test('suggestions come from what is kept, and are chosen by keys', async () => {
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    await reader.askFor(QUESTION);
    await reader.kept();
    await reader.box.fill('');
    await reader.box.pressSequentially('late reg');
    const list = page.getByTestId('suggestions');
    await list.getByRole('option', { name: /Late registration/ }).waitFor();
    assert.equal(await reader.box.getAttribute('aria-expanded'), 'true');
    await checkRules(reader, 'suggestions');
    await reader.box.press('ArrowDown');
    const chosen = list.getByRole('option', { selected: true });
    const text = await chosen.locator('.suggestion-text').innerText();
    assert.equal(await reader.box.getAttribute('aria-activedescendant'), await chosen.getAttribute('id'));
    await reader.box.press('Escape');
    await list.waitFor({ state: 'hidden' });
    assert.equal(await reader.box.inputValue(), 'late reg', 'Escape takes the list alone');
    await reader.box.press('End');
    await reader.box.pressSequentially('i');
    await reader.box.press('ArrowDown');
    await reader.box.press('Enter');
    await list.waitFor({ state: 'hidden' });
    await page.waitForFunction((asked) => document.querySelector('campanile-ask').question === asked, text);
  });
});

test('the reasons of an answer can be looked at', async () => {
  await visit(browser, server.origin, async (reader) => {
    await reader.askFor(QUESTION);
    const why = reader.page.getByTestId('why');
    await why.locator('> summary').click();
    const rows = why.getByRole('table').first().locator('tbody tr');
    await rows.first().waitFor();
    assert.equal(await rows.count(), await reader.sources.count());
    assert.match(await rows.first().innerText(), /1\. Examination registration\s+1st \([\d.]+\)\s+1st \([\d.]+\)/u);
    assert.match(await why.innerText(), /about \d+% are right/u);
    assert.match(await why.getByRole('table').nth(1).innerText(), /Keywords\s+\d+\s+(?:under )?[\d.]+ m?s/u);
    await checkRules(reader, 'why');
    await checkWidth(reader, 'why');
  });
});

test('settings hold on the next visit: fewer passages, keywords alone, no history', async () => {
  const encoder = new Set(shardsIn((await manifestOf(site)).encoder).map((path) => `${server.origin}/${path}`));
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    let asked = 0;
    page.context().on('request', (request) => {
      if (encoder.has(request.url())) asked += 1;
    });
    await page.getByTestId('settings').click();
    const form = page.getByTestId('settings-form');
    await checkRules(reader, 'settings');
    await form.getByRole('checkbox', { name: /keywords alone/ }).check();
    await form.getByRole('combobox', { name: 'Passages shown with an answer' }).selectOption('3');
    await form.getByRole('button', { name: 'Use these' }).click();
    await page.reload();
    await reader.opened();
    await reader.askFor(QUESTION, 'lexical');
    await reader.page.locator('campanile-ask[data-kind]').waitFor();
    assert.equal(await reader.sources.count(), 3);
    assert.equal(asked, 0, 'nothing of the encoder is fetched');
    await page.getByTestId('settings').click();
    await form.getByRole('button', { name: 'As the site has it' }).click();
    await page.locator('campanile-ask[data-read="true"]').waitFor();
    assert.ok((await reader.sources.count()) > 3);
  });
});

test('earlier questions are offered on the next visit, and forgotten when told so', async () => {
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    await reader.askFor(QUESTION);
    // What is still fetched would be broken off.
    await reader.kept();
    await page.goto('about:blank');
    await reader.open();
    const earlier = page.getByTestId('earlier');
    await earlier.getByRole('button', { name: QUESTION }).waitFor();
    await checkRules(reader, 'earlier questions');
    await earlier.getByRole('button', { name: 'Forget these' }).click();
    await earlier.waitFor({ state: 'hidden' });
    await page.reload();
    await reader.opened();
    await page.getByTestId('settings').waitFor();
    assert.equal(await earlier.isVisible(), false);
  });
});

test('what the visitor says of an answer stays here; a letter is theirs to send', async () => {
  const asking = await alteredSite('asking', {
    'campanile.json': inManifest((manifest) => {
      manifest.feedback = 'office@uni.example';
    }),
  });
  const other = await serve(asking);
  try {
    await visit(browser, other.origin, async (reader) => {
      const { page } = reader;
      await reader.askFor(QUESTION);
      const judge = page.getByTestId('judge');
      await judge.getByRole('button', { name: 'No', exact: true }).click();
      assert.equal(await judge.getByRole('button', { name: 'No', exact: true }).getAttribute('aria-pressed'), 'true');
      const letter = new URL(await judge.getByRole('link', { name: 'Tell the department' }).getAttribute('href'));
      assert.equal(letter.protocol, 'mailto:');
      assert.match(
        letter.searchParams.get('body'),
        /^− What does late examination registration cost\?\n {2}Late registration costs €25/u,
      );
      await checkRules(reader, 'judged');
      await page.locator('#kept summary').click();
      await page.locator('#kept-judgements', { hasText: '1 answer' }).waitFor();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Save it as a file' }).click(),
      ]);
      assert.equal(file.suggestedFilename(), 'campanile-answers.jsonl');
      await page.locator('#kept-judgements').getByRole('button', { name: 'Forget it' }).click();
      await page.locator('#kept-judgements').waitFor({ state: 'hidden' });
    });
  } finally {
    await other.stop();
  }
});

test('light or dark by hand holds before anything is painted', async () => {
  await visit(
    browser,
    server.origin,
    async (reader) => {
      const { page } = reader;
      const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const light = await ground();
      await page.locator('#look summary').click();
      await page.getByRole('button', { name: 'Dark', exact: true }).click();
      const dark = await ground();
      assert.notEqual(dark, light);
      await checkRules(reader, 'dark by hand');
      await page.reload({ waitUntil: 'commit' });
      await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
      await reader.opened();
      assert.equal(await ground(), dark);
      await page.locator('#look summary').click();
      await page.getByRole('button', { name: 'As the device has it' }).click();
      assert.equal(await ground(), light);
    },
    { colorScheme: 'light' },
  );
});

test('on paper stands the answer with its sources, and nothing to press', async () => {
  await visit(browser, server.origin, async (reader) => {
    await reader.askFor(QUESTION);
    await reader.page.emulateMedia({ media: 'print' });
    assert.ok(await reader.answer.isVisible());
    assert.ok(await reader.sources.first().isVisible());
    for (const part of ['.ask-form', '.tools', '.status', '.sources-foot', '.profile-chip'])
      assert.equal(await reader.page.locator(part).first().isVisible(), false, part);
  });
});

/** In the page: waits until an element's words become these, though they may have been these before. */
function saysAnew(element, words) {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (element.textContent !== words) return;
      observer.disconnect();
      resolve(undefined);
    });
    observer.observe(element, { childList: true, characterData: true, subtree: true });
  });
}
