// Prose by the language model: the known words on both devices, and what the reader sees of it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { ROOT, campanile, serve } from './harness/command.js';
import { MODEL_MILLISECONDS, TEST_MILLISECONDS } from './harness/patience.js';
import { FLAGGING, Prose } from './harness/prose.js';
import { ASKED } from './harness/questions.js';
import { visit } from './harness/reader.js';
import { alteredSite, manifestOf, publishedModelSite, sampleSite } from './harness/site.js';

let server;
let site;
let model;

before(async () => {
  site = await sampleSite();
  model = (await manifestOf(site)).prose;
  server = await serve(site);
});
after(() => server?.stop());

for (const device of /** @type {const} */ (['webgpu', 'cpu'])) {
  test(`greedy text of the published model on ${device} is the reference's, word for word`, {
    timeout: TEST_MILLISECONDS,
  }, async () => {
    // Made by another implementation: see make_smollm2.py beside it.
    const { prompts } = JSON.parse(await readFile(join(ROOT, 'crates/model/tests/fixtures/smollm2.json'), 'utf8'));
    const known = prompts.find(({ name }) => name === 'a question with evidence');
    const published = await publishedModelSite();
    const {
      prose: { bytes },
    } = await manifestOf(published);
    const host = await serve(published);
    try {
      await inBrowser(
        { webgpu: device === 'webgpu' },
        async (reader) => {
          const [system, user] = known.messages.map(({ content }) => content);
          const request = { prompt: { system, user }, maxTokens: known.answer_tokens.length };
          const written = await reader.page.evaluate(writeInWorker, { device, bytes, request });
          assert.equal(written.device, device);
          assert.equal(written.text.trim(), known.answer.trim());
          assert.equal(written.streamed.trim(), known.answer.trim(), 'the tokens that came one by one');
        },
        host,
      );
    } finally {
      await host.stop();
    }
  });
}

test('asks before it downloads, shows what the sources say and nothing else, and says that the processor does the work', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  const natively = JSON.parse(await campanile(['ask', site, ASKED.question, '--prose', '--json'])).prose;
  await inBrowser({ webgpu: false }, async (reader) => {
    const { page } = reader;
    const fetched = [];
    reader.context.on('request', (request) => fetched.push(request.url()));
    await reader.askFor(ASKED.question);
    const start = page.getByTestId('prose-start');
    assert.match(await start.innerText(), new RegExp(`${Math.round(model.bytes / 1e6)} MB`));
    assert.deepEqual(
      fetched.filter((url) => url.includes('/pkg/gpu/')),
      [],
      'nothing is fetched before the click',
    );

    await page.evaluate(noteWhatStands);
    await start.click();
    await page.locator('[data-testid="prose"][data-cited="true"]').waitFor({ timeout: MODEL_MILLISECONDS });
    assert.match(await page.getByTestId('prose-device-note').innerText(), /processor/);
    const stood = await page.evaluate(() => globalThis.stood);
    const sentences = natively.sentences
      .filter(({ support }) => support === 'nothing' || support === 'supported')
      .map(({ span }) => Buffer.from(natively.text).subarray(span.start, span.end).toString());
    const shown = await new Prose(page).words();
    assert.equal(shown, sentences.join(' '), 'as in the terminal, without what no source says');
    assert.deepEqual(
      stood.filter((text) => text !== ''),
      shown === '' ? [] : [shown],
      'no sentence stood there before it was checked',
    );
    assert.match(await page.getByTestId('prose-check').innerText(), /sentence|model/);
  });
});

/** In the page: notes every text that a reader could see of the model's. */
function noteWhatStands() {
  const stood = [];
  globalThis.stood = stood;
  const place = document.querySelector('campanile-ask').shadowRoot.querySelector('[data-testid="prose-text"]');
  const words = () => {
    const copy = place.cloneNode(true);
    for (const mark of copy.querySelectorAll('.citation, .prose-mark')) mark.remove();
    return copy.textContent.replaceAll('\u2060', '').trim();
  };
  new MutationObserver(() => {
    const text = words();
    if (text !== stood.at(-1)) stood.push(text);
  }).observe(place, { childList: true, characterData: true, subtree: true });
}

test('a text can be stopped, and what there is of it is held against the sources', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  const flagging = await alteredSite('flagging', FLAGGING);
  const host = await serve(flagging);
  try {
    await inBrowser(
      { webgpu: false },
      async (reader) => {
        const { page } = reader;
        await reader.askFor(ASKED.question);
        await page.getByTestId('prose-start').click();
        await page.evaluate(stopAtTheFirstWords);
        await page.getByTestId('prose-again').waitFor({ timeout: MODEL_MILLISECONDS });
        assert.match(await page.getByTestId('prose').innerText(), /Stopped\./);
        await page.locator('[data-testid="prose"][data-cited="true"]').waitFor({ timeout: MODEL_MILLISECONDS });
        assert.match(await page.getByTestId('prose-check').innerText(), /sentence/, 'each is held against the sources');
      },
      host,
    );
  } finally {
    await host.stop();
  }
});

/** In the page, since a short answer may be over before a click from outside arrives. */
function stopAtTheFirstWords() {
  return new Promise((resolve) => {
    const look = () => {
      const stop = document.querySelector('campanile-ask').shadowRoot.querySelector('[data-testid="prose-stop"]');
      const text = document.querySelector('campanile-ask').shadowRoot.querySelector('[data-testid="prose-text"]');
      if (!stop || !/\w+ \w+/.test(text?.textContent ?? '')) {
        setTimeout(look, 5);
        return;
      }
      stop.click();
      resolve(undefined);
    };
    look();
  });
}

async function inBrowser(options, act, host = server) {
  const browser = await launch(options);
  try {
    await visit(browser, host.origin, act);
  } finally {
    await browser.close();
  }
}

/** Runs in the page: speaks with the prose worker as the page does. */
async function writeInWorker({ device, bytes, request }) {
  const worker = new Worker('/campanile/prose-worker.js', { type: 'module' });
  let streamed = '';
  const ask = (id, kind, payload) =>
    new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }) => {
        if (id === 2 && data.kind === 'token') streamed += data.text;
        if (data.kind === 'result' && data.id === id) resolve(data.value);
        if (data.kind === 'failure' || data.kind === 'fatal') reject(new Error(data.message));
      });
      worker.postMessage({ id, kind, payload });
    });
  const opened = await ask(1, 'open', { device, bytes, workers: 1 });
  const { text } = await ask(2, 'generate', request);
  worker.terminate();
  return { device: opened.device, text, streamed };
}
