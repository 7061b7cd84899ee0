// The page in the languages it speaks, and in one that is made up: every word in brackets, and read from the right.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { checkRules, checkWidth } from './harness/looks.js';
import { Reader } from './harness/reader.js';
import { alteredSite, sampleSite } from './harness/site.js';

const QUESTION = 'What does late examination registration cost?';
const UNANSWERED = 'Who feeds the penguins of the chancellor?';
const EXPECTED = {
  'de-AT': { box: 'Ihre Frage', ask: 'Fragen', answer: 'Antwort', html: 'de' },
  'fr-FR': { box: 'Votre question', ask: 'Demander', answer: 'Réponse', html: 'fr' },
  'es-ES': { box: 'Tu pregunta', ask: 'Preguntar', answer: 'Respuesta', html: 'es' },
  // The browser's language is not there: the page speaks English.
  'nl-NL': { box: 'Your question', ask: 'Ask', answer: 'Answer', html: 'en' },
};

/** A language of brackets in the place of German; it is made of English where the page runs. */
const english = (name) => readFileSync(new URL(`../../web/words/${name}.js`, import.meta.url), 'utf8');
const brackets = (name) => `
  ${english('counter').replaceAll(/^export /gmu, '')}
  ${english(name)
    .replace(/^import .*$/mu, '')
    .replace('export const words', 'const english')}
  const bracketed = (word) =>
    typeof word === 'string' ? '⟦' + word + '⟧'
    : typeof word === 'function' ? (...values) => '⟦' + word(...values) + '⟧'
    : Object.fromEntries(Object.entries(word).map(([name, part]) => [name, bracketed(part)]));
  export const words = { ...bracketed(english), language: 'de', direction: 'rtl' };
`;

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

for (const [locale, expected] of Object.entries(EXPECTED)) {
  test(`a browser of ${locale} gets the page in its language`, async () => {
    await read(server.origin, { locale }, async (reader) => {
      const { page } = reader;
      assert.equal(await page.locator('html').getAttribute('lang'), expected.html);
      const box = page.getByRole('combobox', { name: expected.box });
      await box.fill(QUESTION);
      await page.getByRole('button', { name: expected.ask, exact: true }).click();
      await page.locator('campanile-ask[data-read="true"]').waitFor();
      await page.getByRole('heading', { name: expected.answer, exact: true }).waitFor();
      await checkRules(reader, locale);
    });
  });
}

test('nothing that the visitor reads is left untranslated, and all of it can be read from the right', async () => {
  const bracketed = await alteredSite('bracketed', {
    'campanile/words/de.js': () => brackets('en'),
    'campanile/words/de-later.js': () => brackets('en-later'),
  });
  const other = await serve(bracketed);
  try {
    await read(
      other.origin,
      { locale: 'de', reducedMotion: 'reduce', viewport: { width: 1100, height: 800 } },
      async (reader) => {
        const { page } = reader;
        const check = async (view) => {
          assert.deepEqual(await page.evaluate(unbracketed), [], view);
          await checkWidth(reader, view);
          await checkRules(reader, view);
        };
        await check('start');
        const [box, button] = await Promise.all(
          ['.ask-input', '.ask-button'].map((part) => page.locator(`campanile-ask ${part}`).boundingBox()),
        );
        assert.ok(button.x < box.x, 'the button stands at the end, which is the left');
        for (const [view, question] of Object.entries({ answer: QUESTION, refusal: UNANSWERED })) {
          await page.locator('.ask-input').fill(question);
          await page.locator('.ask-input').press('Enter');
          const isThere = view === 'refusal' ? '[data-kind="refusal"]' : '[data-read="true"]';
          await page.locator(`campanile-ask${isThere}`).waitFor();
          await page.locator('campanile-ask[data-state="answered"]').waitFor();
          await check(view);
        }
        for (const part of ['profile-chip', 'settings']) {
          await page.getByTestId(part).click();
          await check(part);
          await page.keyboard.press('Escape');
        }
        await page.getByTestId('why').locator('> summary').click();
        await page.getByTestId('more').click();
        await page.getByTestId('facets').locator('summary').click();
        await check('reasons and more results');
        await page.getByTestId('source').first().getByRole('button').click();
        await page.getByTestId('reader').locator('mark').first().waitFor();
        await check('passage reader');
        await page.keyboard.press('Escape');
        await page.locator('#kept summary').click();
        await check('what is kept');
      },
    );
  } finally {
    await other.stop();
  }
});

/**
 * @param {string} origin
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {(reader: Reader) => Promise<void>} act
 */
async function read(origin, options, act) {
  const context = await browser.newContext(options);
  try {
    const reader = new Reader(context, await context.newPage(), origin);
    await reader.explained(async () => {
      await reader.open();
      await act(reader);
    });
    assert.deepEqual(reader.troubles, []);
  } finally {
    await context.close();
  }
}

/** In the page: words that are shown or read out, stand in no brackets, and come from no document. */
function unbracketed() {
  const ofDocuments =
    'cite, .why-table:nth-child(2) tbody th, .source-path, .reader-path, .example, .answer-quote, .answer-section, .answer-form, .source-title, .source-text, .source-also li, .reader-title, .reader-body, .reader-file, .asked, option[value]:not([value=""]), .profile-courses label, .masthead, title, .ask-key, .citation, .rescue, noscript, .technical p, .reading-trace li, .prose-trace li, .contact';
  const isSpoken = (words) =>
    /\p{L}{2}/u.test(
      words
        .replace(/ › .*/u, '')
        .replaceAll(/⟦[^⟧]*(?:⟦[^⟧]*⟧[^⟧]*)*⟧/gu, '')
        .replaceAll(/\b(?:kB|MB|ms)\b/gu, ''),
    );
  const found = [];
  for (const place of [document.body, document.querySelector('campanile-ask').shadowRoot]) {
    for (const element of place.querySelectorAll('*')) {
      if (element.closest(`${ofDocuments}, script, style`)) continue;
      const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data);
      const told = ['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? '');
      for (const words of [...own, ...told]) if (isSpoken(words)) found.push(`${element.className}: ${words}`);
    }
  }
  return found;
}
