// A whole question in the page, as a reader asks it: `node whole.js SITE QUESTIONS.jsonl OUT.json`, with the variables of
// `cargo xtask test browser-tests`. Each question is asked twice; the second time, everything that it needs is in memory.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch } from '../../tests/browser/harness/chromium.js';
import { serve } from '../pagefind/server.js';

const ASKED = 100;
/** Milliseconds below which a stage is not worth a row. */
const SHORTEST = 0.05;
const [, , site, questions, out] = process.argv;
const { counts } = JSON.parse(await readFile(join(site, 'campanile.json'), 'utf8'));
const lines = (await readFile(questions, 'utf8')).trim().split('\n').slice(0, ASKED);
const asked = lines.map((line) => JSON.parse(line).question);
const server = await serve(site);
const browser = await launch({ webgpu: false });
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.goto(server.origin);
  await page.evaluate(first, asked[0]);
  await page.locator('campanile-ask[data-offline="ready"]').waitFor({ timeout: 300_000 });
  for (const question of asked) await page.evaluate(ask, question);
  const timings = [];
  for (const question of asked) {
    const timing = await page.evaluate(ask, question);
    const sentence = timing.total - timing.read;
    timings.push({ ...timing, 'to the passages': sentence - timing.sentence, 'to the sentence': sentence });
  }
  const stages = [...new Set(timings.flatMap(Object.keys))];
  const cases = stages
    .map((stage) => ({ stage, samples: timings.map((timing) => timing[stage] ?? 0) }))
    .filter(({ samples }) => middle(samples) >= SHORTEST)
    .map(({ stage, samples }) => ({
      name: `${counts.chunks} passages: ${stage}`, tokens: 1, unit: 'questions', sides: [{ name: 'campanile in the page', samples }],
    }));
  const search = timings.map((timing) => timing['to the sentence']).sort((left, right) => left - right);
  const [median, late] = [0.5, 0.95].map((share) => search[Math.floor(search.length * share)]);
  const found = `${median.toFixed(1)} ms, ${late.toFixed(1)} ms for 19 of 20`;
  const checks = [{ what: 'from the question to the sentence that answers in at most 60 ms at the median', passed: median <= 60, found }];
  await writeFile(out, JSON.stringify({ cases, checks, versions: { Chromium: browser.version() } }));
  console.log(checks[0].found);
} finally {
  await browser.close();
  server.stop();
}

/** @param {number[]} samples */
function middle(samples) {
  return [...samples].sort((left, right) => left - right)[Math.floor(samples.length / 2)];
}

/** Runs in the page: asks until the encoder has taken part, and the reader. */
async function first(text) {
  const element = document.querySelector('campanile-ask');
  const whole = new Promise((resolve) => {
    element.addEventListener('campanile-answer', ({ detail }) => { if (detail.stage === 'hybrid' && detail.read) resolve(undefined); });
  });
  await element.ask(text);
  await whole;
}

/** Runs in the page: milliseconds by stage. */
async function ask(text) {
  const element = document.querySelector('campanile-ask');
  const answered = new Promise((resolve) => {
    element.addEventListener('campanile-answer', ({ detail }) => resolve(detail.timings_ms), { once: true });
  });
  await element.ask(text);
  return answered;
}
