// Questions in the language model's other words: only once it is in memory, the same as in the terminal, and told.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { campanile, serve } from './harness/command.js';
import { checkRules } from './harness/looks.js';
import { MODEL_MILLISECONDS, TEST_MILLISECONDS } from './harness/patience.js';
import { ASKED, OTHERS } from './harness/questions.js';
import { visit } from './harness/reader.js';
import { alteredSite, inManifest, publishedModelSite, replaced } from './harness/site.js';

const MANIFEST = 'campanile.json';
const CLIENT = 'campanile/prose-client.js';

let browser;
let site;
let server;

/** The sample site, for which other words are wanted; what the model writes for readers is short. */
before(async () => {
  site = await alteredSite(
    'other-words',
    {
      [MANIFEST]: inManifest((manifest) => {
        Object.assign(manifest.search, { phrasings: 2, hypothetical: true });
        // Eight tokens are no sentence that a source says.
        manifest.prose_settings = { ...manifest.prose_settings, unsupported: 'flag' };
      }),
      [CLIENT]: (bytes) => replaced(bytes, /usual: \d+/, 'usual: 8'),
    },
    publishedModelSite(),
  );
  // Without WebGPU, whose sums differ in the last digits: the words are compared with the terminal's.
  [browser, server] = await Promise.all([launch({ webgpu: false }), serve(site)]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** What the page was answered last. */
const result = (reader) => reader.ask.evaluate((element) => element.lastResult);

test('the loaded model words the next question anew, and the page says how', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  const question = 'Which modules must I have passed before WEN310?';
  const natively = JSON.parse(await campanile(['ask', site, question, '--json', '--phrasings', '2', '--hypothetical']));
  const expected = natively.trace.phrasings.map((phrasing) => phrasing.question ?? phrasing.passage);
  assert.ok(
    natively.trace.phrasings.some((phrasing) => phrasing.question),
    'a question in other words',
  );
  assert.ok(
    natively.trace.phrasings.some((phrasing) => phrasing.passage),
    'a made-up passage',
  );

  await visit(browser, server.origin, async (reader) => {
    const { page, ask } = reader;
    const note = page.getByTestId('other-words');
    const fetched = [];
    reader.context.on('request', (request) => fetched.push(request.url()));
    await ask.evaluate((element) =>
      element.addEventListener('campanile-answer', ({ detail }) => {
        element.lastResult = detail;
      }),
    );

    await reader.askFor(ASKED.question);
    assert.deepEqual(
      fetched.filter((url) => url.includes('/pkg/gpu/')),
      [],
      'no model is fetched for other words',
    );
    await page.getByTestId('prose-start').click();
    await page.locator('[data-testid="prose"][data-state="done"]').waitFor({ timeout: MODEL_MILLISECONDS });
    assert.equal(await note.count(), 0, 'the passages that the text is about stay');

    await reader.askFor(question);
    await note.waitFor({ timeout: MODEL_MILLISECONDS });
    assert.equal(await ask.getAttribute('data-stage'), 'hybrid');
    assert.match(await page.locator('[data-matter="search"]').innerText(), /in other words too/);
    const found = await result(reader);
    assert.deepEqual(found.trace.phrasings, natively.trace.phrasings);
    assert.deepEqual(
      found.sources.map(({ chunk }) => chunk),
      natively.sources.map(({ chunk }) => chunk),
    );
    assert.ok(found.trace.stages.some(({ name }) => name === 'further'));

    // By keyboard, as any other disclosure; a change of the notes is spoken.
    assert.equal(await page.getByTestId('notes').getAttribute('aria-live'), 'polite');
    const summary = note.locator('summary');
    assert.match(
      await summary.innerText(),
      new RegExp(
        `^Also searched in ${expected.length} other wordings?, written by the language model on this device\\.$`,
      ),
    );
    await summary.focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await note.locator('q').allTextContents(), expected);
    assert.match(await note.innerText(), /made up to look for others like it, and taken from no document/);
    await checkRules(reader, 'other words');

    // They are remembered: the answer has them at once.
    await reader.askFor(ASKED.question);
    await reader.askFor(question);
    assert.deepEqual((await result(reader)).trace.phrasings, natively.trace.phrasings);
  });
});

test('who writes meanwhile has the model for themselves', { timeout: TEST_MILLISECONDS }, async () => {
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    const done = () =>
      page.locator('[data-testid="prose"][data-state="done"]').waitFor({ timeout: MODEL_MILLISECONDS });
    await reader.askFor(ASKED.question);
    await page.getByTestId('prose-start').click();
    await done();
    await reader.askFor(OTHERS[1].question);
    // At once, while the question is being put in other words.
    await page.getByTestId('prose-start').click();
    await done();
    assert.equal(await page.getByTestId('other-words').count(), 0, 'the text and the passages belong together');
    assert.notEqual((await page.getByTestId('prose-text').innerText()).trim(), '');
  });
});
