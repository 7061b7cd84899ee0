// Times the page's language model on the processor with one and with several workers, in turns.
//
//     node benches/model/workers.js SITE [WORKERS] [ROUNDS]
//
// SITE is a built site with a language model. Needs the variables that `cargo xtask test browser-tests`
// sets for its scripts: CAMPANILE_COMMAND, CAMPANILE_CHROMIUM and CAMPANILE_NODE_TOOLS.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch } from '../../tests/browser/harness/chromium.js';
import { ROOT, serve } from '../../tests/browser/harness/command.js';
import { manifestOf } from '../../tests/browser/harness/site.js';

const TOKENS = 48;

const [site, workers = '2', rounds = '10'] = process.argv.slice(2);
const { prompts } = JSON.parse(await readFile(join(ROOT, 'crates/model/tests/fixtures/smollm2.json'), 'utf8'));
const [system, user] = prompts.find(({ name }) => name === 'a question with evidence').messages.map(({ content }) => content);
const { prose: { bytes } } = await manifestOf(site);

const server = await serve(site, ['--isolated']);
const browser = await launch({ webgpu: false });
try {
  const page = await browser.newPage();
  await page.goto(`${server.origin}/`);
  const sides = await page.evaluate(measure, { bytes, system, user, tokens: TOKENS, workers: Number(workers), rounds: Number(rounds) });
  for (const { count, text, reading, writing } of sides) {
    const same = JSON.stringify(text) === JSON.stringify(sides[0].text) ? 'the same texts' : 'OTHER TEXTS';
    console.log(`workers: ${count}; reading ${spread(reading)} ms; writing ${spread(writing)} ms a token; ${same}`);
  }
} finally {
  await browser.close();
  await server.stop();
}

/** @param {number[]} times */
function spread(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return `median ${sorted[sorted.length >> 1].toFixed(1)}, least ${sorted[0].toFixed(1)}`;
}

/** Runs in the page: speaks with prose workers as the page does. */
async function measure({ bytes, system, user, tokens, workers, rounds }) {
  const sides = [];
  for (let planned = 1; planned <= workers; planned += 1) {
    const worker = new Worker('/campanile/prose-worker.js', { type: 'module' });
    const ask = (id, kind, payload, onText) => new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        if (data.kind === 'token' && data.text !== '') onText();
        if (data.kind === 'result') resolve(data.value);
        if (data.kind === 'failure' || data.kind === 'fatal') reject(new Error(data.message));
      };
      worker.postMessage({ id, kind, payload });
    });
    const opened = await ask(1, 'open', { device: 'cpu', bytes, workers: planned });
    sides.push({ ask, count: opened.workers, text: [], reading: [], writing: [] });
  }
  // The first round is for warming up. Each has a prompt that differs at its beginning, so that nothing is reused.
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of sides) {
      let first;
      const start = performance.now();
      const prompt = { system: `Round ${round}. ${system}`, user };
      const written = await side.ask(2, 'generate', { prompt, maxTokens: tokens }, () => { first ??= performance.now(); });
      const end = performance.now();
      side.text.push(written.text);
      if (round === 0) continue;
      side.reading.push(first - start);
      side.writing.push((end - first) / (written.tokens - 1));
    }
  }
  return sides.map(({ ask, ...figures }) => figures);
}
