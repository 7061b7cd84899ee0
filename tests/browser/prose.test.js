// Prose by the language model: the known words on both devices, and what the reader sees of it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { ROOT, serve } from './harness/command.js';
import { ASKED } from './harness/questions.js';
import { visit } from './harness/reader.js';
import { manifestOf, sampleSite } from './harness/site.js';

const MINUTES = 60_000;

let server;
let model;
let known;

before(async () => {
  const site = await sampleSite();
  model = (await manifestOf(site)).prose;
  // Made by another implementation: see make_smollm2.py beside it.
  const { prompts } = JSON.parse(await readFile(join(ROOT, 'crates/model/tests/fixtures/smollm2.json'), 'utf8'));
  known = prompts.find(({ name }) => name === 'a question with evidence');
  server = await serve(site);
});
after(() => server?.stop());

for (const device of /** @type {const} */ (['webgpu', 'cpu'])) {
  test(`greedy text on ${device} is the reference's, word for word`, { timeout: 15 * MINUTES }, async () => {
    await inBrowser({ webgpu: device === 'webgpu' }, async (reader) => {
      const [system, user] = known.messages.map(({ content }) => content);
      const request = { prompt: { system, user }, maxTokens: known.answer_tokens.length };
      const written = await reader.page.evaluate(writeInWorker, { device, bytes: model.bytes, request });
      assert.equal(written.device, device);
      assert.equal(written.text.trim(), known.answer.trim());
      assert.equal(written.streamed.trim(), known.answer.trim(), 'the tokens that came one by one');
    });
  });
}

test('asks before it downloads, streams, can be stopped, cites, and says that the processor does the work', { timeout: 5 * MINUTES }, async () => {
  await inBrowser({ webgpu: false }, async (reader) => {
    const { page } = reader;
    const fetched = [];
    reader.context.on('request', (request) => fetched.push(request.url()));
    await reader.askFor(ASKED.question);
    const start = page.getByTestId('prose-start');
    assert.match(await start.innerText(), new RegExp(`${Math.round(model.bytes / 1e6)} MB`));
    assert.deepEqual(fetched.filter((url) => url.includes('/pkg/gpu/')), [], 'nothing is fetched before the click');

    await start.click();
    await page.evaluate(stopAtTheFirstWords);
    await page.getByTestId('prose-again').waitFor();
    assert.match(await page.getByTestId('prose').innerText(), /Stopped\./);
    assert.match(await page.getByTestId('prose-device-note').innerText(), /processor/);
    await page.locator('[data-testid="prose"][data-cited="true"]').waitFor();
    assert.match(await page.getByTestId('prose-check').innerText(), /sentence/, 'each is held against the sources');
  });
});

/** In the page, since a short answer may be over before a click from outside arrives. */
function stopAtTheFirstWords() {
  return new Promise((resolve) => {
    const look = () => {
      const stop = document.querySelector('[data-testid="prose-stop"]');
      const text = document.querySelector('[data-testid="prose-text"]');
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

async function inBrowser(options, act) {
  const browser = await launch(options);
  try {
    await visit(browser, server.origin, act);
  } finally {
    await browser.close();
  }
}

/** Runs in the page: speaks with the prose worker as the page does. */
async function writeInWorker({ device, bytes, request }) {
  const worker = new Worker('/campanile/prose-worker.js', { type: 'module' });
  let streamed = '';
  const ask = (id, kind, payload) => new Promise((resolve, reject) => {
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
