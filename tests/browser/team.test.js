// Several workers with one language model, on a page where memory can be shared.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { ROOT, serve } from './harness/command.js';
import { TEST_MILLISECONDS } from './harness/patience.js';
import { FLAGGING, Prose } from './harness/prose.js';
import { ASKED } from './harness/questions.js';
import { visit } from './harness/reader.js';
import { alteredSite, manifestOf, publishedModelSite, replaced } from './harness/site.js';
const HELPER = 'campanile/prose-helper.js';

let browser;

before(async () => {
  browser = await launch({ webgpu: false });
});
after(() => browser?.close());

for (const workers of [2, 3]) {
  test(`greedy text by ${workers} workers is the reference's, word for word`, {
    timeout: TEST_MILLISECONDS,
  }, async () => {
    const site = await publishedModelSite();
    const {
      prose: { bytes },
    } = await manifestOf(site);
    const { prompts } = JSON.parse(await readFile(join(ROOT, 'crates/model/tests/fixtures/smollm2.json'), 'utf8'));
    const known = prompts.find(({ name }) => name === 'a question with evidence');
    const [system, user] = known.messages.map(({ content }) => content);
    await onSite(site, true, async ({ page }) => {
      const request = { prompt: { system, user }, maxTokens: known.answer_tokens.length };
      const written = await page.evaluate(write, { open: { device: 'cpu', bytes, workers }, request });
      assert.deepEqual(written.opened, { device: 'cpu', workers, rewords: false });
      assert.equal(written.text.trim(), known.answer.trim());
    });
  });
}

test('an isolated page has its cores work, and says with how many workers', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  await onSite(await short('team'), true, async (reader) => {
    const prose = await asked(reader);
    await prose.start('auto');
    await prose.reaches('done');
    const workers = await reader.page.evaluate(() => Math.min(navigator.hardwareConcurrency, 4));
    assert.ok(workers > 1, 'this test needs a machine with two cores');
    assert.match(await prose.note.innerText(), new RegExp(`${workers} workers share the work`));
    assert.equal(helpers(reader.page).length, workers - 1);
  });
});

test('a page that is not isolated has one worker', { timeout: TEST_MILLISECONDS }, async () => {
  await onSite(await short('alone'), false, async (reader) => {
    const prose = await asked(reader);
    await prose.start('auto');
    await prose.reaches('done');
    assert.match(await prose.note.innerText(), /processor\. This is slower\.$/);
    assert.deepEqual(helpers(reader.page), []);
  });
});

test('a helper that does not start: one worker, which the page says', { timeout: TEST_MILLISECONDS }, async () => {
  const broken = (bytes) => replaced(bytes, /await init\(/, 'throw new Error("no"); await init(');
  await onSite(await short('no-helper', { [HELPER]: broken }), true, async (reader) => {
    const prose = await asked(reader);
    await prose.start('auto');
    await prose.reaches('done');
    assert.match(await prose.note.innerText(), /One worker does it all, since others could not be used/);
    assert.deepEqual(helpers(reader.page), []);
  });
});

test('a helper that breaks down while the text is written: begun anew, and after the second time alone', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  // Long after the known answer, which is asked for when the model is opened.
  const fragile = (bytes) => replaced(bytes, /let answer = call;/, 'let answer = call > 1_100 ? FAILED : call;');
  await onSite(await short('lost-helper', { [HELPER]: fragile }), true, async (reader) => {
    const prose = await asked(reader);
    await prose.start('auto');
    await prose.reaches('done');
    assert.equal(await prose.resumed(), 2);
    assert.match(await prose.note.innerText(), /One worker does it all, since others could not be used/);
    assert.ok((await prose.text.innerText()).length > 0);
  });
});

const helpers = (page) => page.workers().filter((worker) => worker.url().endsWith('/prose-helper.js'));

/** A site that writes a few words only. */
const short = (name, changes = {}) =>
  alteredSite(name, {
    'campanile/prose-client.js': (bytes) => replaced(bytes, /usual: \d+/, 'usual: 24'),
    ...FLAGGING,
    ...changes,
  });

/** @param {import('./harness/reader.js').Reader} reader */
async function asked(reader) {
  await reader.askFor(ASKED.question);
  return new Prose(reader.page);
}

async function onSite(site, isolated, act) {
  const server = await serve(site, isolated ? ['--isolated'] : []);
  try {
    await visit(browser, server.origin, act);
  } finally {
    await server.stop();
  }
}

/** Runs in the page: speaks with the prose worker as the page does. */
async function write({ open, request }) {
  const worker = new Worker('/campanile/prose-worker.js', { type: 'module' });
  const ask = (id, kind, payload) =>
    new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }) => {
        if (data.kind === 'result' && data.id === id) resolve(data.value);
        if (data.kind === 'failure' || data.kind === 'fatal') reject(new Error(data.message));
      });
      worker.postMessage({ id, kind, payload });
    });
  const opened = await ask(1, 'open', open);
  const { text } = await ask(2, 'generate', request);
  worker.terminate();
  return { opened, text };
}
