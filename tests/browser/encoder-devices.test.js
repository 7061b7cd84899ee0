// The encoder finds the same passages on WebGPU as on the CPU, and the reader the same words in them, both in the page.
// A module that is built for this stands beside the site.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, required } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { TEST_MILLISECONDS } from './harness/patience.js';
import { visit } from './harness/reader.js';
import { relay } from './harness/relay.js';
import { manifestOf, sampleQuestions, sampleSite } from './harness/site.js';
const DEVICES = /** @type {const} */ (['cpu', 'webgpu']);
/** How many passages of a ranking are compared. */
const PASSAGES = 10;
const LOWEST_COSINE = 0.9999;
/** Scores that are no further apart may change places: the devices do not round alike. */
const ROUNDING = 1e-4;

/** As many as a page may read at once, as long as passages are. */
const READ_PASSAGES = 20;
const READ_WORDS = 160;
/** An adapter in software takes half a minute for a batch; three are compared where CAMPANILE_ALL_QUESTIONS is set. */
const READ_QUESTIONS = process.env.CAMPANILE_ALL_QUESTIONS ? 3 : 1;
/** Logits and probabilities that are no further apart are the same: the devices do not round alike. */
const MARGIN_ROUNDING = 2e-2;
const SPAN_ROUNDING = 2e-3;

let browser;
let server;
let beside;
let encoder;
let reader;
let questions;

before(async () => {
  const site = await sampleSite();
  ({ encoder, reader } = await manifestOf(site));
  questions = (await sampleQuestions()).map(({ question }) => question);
  [browser, server] = await Promise.all([launch({ webgpu: true }), serve(site)]);
  beside = await relay(server.origin, { folders: { models: required('CAMPANILE_BROWSER_MODELS') } });
});
after(async () => {
  await browser?.close();
  await beside?.stop();
  await server?.stop();
});

test('every sample question finds the same passages on WebGPU and on the CPU', {
  timeout: TEST_MILLISECONDS,
}, async (context) => {
  await visit(browser, beside.origin, async ({ page }) => {
    const found = {};
    for (const device of DEVICES) {
      // One more than is compared, with which the last may change places.
      found[device] = await page.evaluate(rankInPage, { device, files: encoder.files, questions, count: PASSAGES + 1 });
      assert.equal(found[device].device, device);
      context.diagnostic(
        `${device}: opened in ${seconds(found[device].opening)} s, ${questions.length} questions embedded in ${seconds(found[device].embedding)} s`,
      );
    }
    const pairs = questions.map((question, index) => ({
      question,
      cpu: found.cpu.answers[index],
      webgpu: found.webgpu.answers[index],
    }));
    const lowest = Math.min(...pairs.map(({ cpu, webgpu }) => cosine(cpu.vector, webgpu.vector)));
    const ties = pairs.flatMap(({ question, cpu, webgpu }) => tiesBetween(cpu, webgpu, question));
    const furthest = Math.max(
      ...pairs.flatMap(({ cpu, webgpu }) => cpu.scores.map((score, rank) => Math.abs(score - webgpu.scores[rank]))),
    );
    context.diagnostic(
      `lowest cosine ${lowest}, scores of one rank at most ${furthest.toExponential(1)} apart, ties that changed places: ${ties.length} in ${questions.length} rankings of ${PASSAGES}`,
    );
    for (const tie of ties) context.diagnostic(tie);
    assert.ok(lowest > LOWEST_COSINE, `the lowest cosine is ${lowest}`);
  });
});

test('twenty passages are read for the same words in one batch on WebGPU', {
  timeout: TEST_MILLISECONDS,
}, async (context) => {
  await visit(browser, beside.origin, async ({ page }) => {
    const found = {};
    for (const device of DEVICES) {
      found[device] = await page.evaluate(readInPage, {
        device,
        files: [...encoder.files, ...reader.files],
        questions: questions.slice(0, READ_QUESTIONS),
        count: READ_PASSAGES,
        words: READ_WORDS,
      });
      const { opening, first } = found[device];
      context.diagnostic(
        `${device}: opened in ${seconds(opening)} s, ${READ_PASSAGES} passages of ${READ_WORDS} words in ${Math.round(first)} ms at first`,
      );
    }
    for (const [index, question] of questions.slice(0, READ_QUESTIONS).entries()) {
      const [cpu, webgpu] = DEVICES.map((device) => readingsOf(found[device].numbers[index]));
      assert.deepEqual([cpu.length, webgpu.length], [READ_PASSAGES, READ_PASSAGES], question);
      cpu.forEach((expected, passage) => {
        const other = webgpu[passage];
        assert.ok(
          Math.abs(expected.margin - other.margin) < MARGIN_ROUNDING,
          `${question}, passage ${passage}: margin ${other.margin}, on the CPU ${expected.margin}`,
        );
        // Which tokens answer, and in what kind, is told alike.
        for (const told of ['evidence', 'kinds']) {
          assert.ok(
            expected[told].length > 0 && expected[told].length === other[told].length,
            `${question}, passage ${passage}: ${told}`,
          );
          for (const [at, one] of expected[told].entries()) {
            assert.ok(
              Math.abs(one - other[told][at]) < SPAN_ROUNDING,
              `${question}, passage ${passage}, ${told} ${at}: ${other[told][at]}, on the CPU ${one}`,
            );
          }
        }
        // The same words first, unless two are as probable.
        const [best] = expected.spans;
        const [again] = other.spans;
        const isTie = Math.abs(best.probability - again.probability) < SPAN_ROUNDING;
        assert.ok(
          (best.start === again.start && best.end === again.end) || isTie,
          `${question}, passage ${passage}: ${JSON.stringify([best, again])}`,
        );
      });
    }
  });
});

/** @param {number[]} numbers  as the module gives them */
function readingsOf(numbers) {
  const readings = [];
  let at = 0;
  const next = (count) => {
    at += count;
    return numbers.slice(at - count, at);
  };
  while (at < numbers.length) {
    const [, margin, count, tokens, kinds] = next(5);
    const spans = Array.from({ length: count }, () => {
      const [start, end, probability] = next(4);
      return { start, end, probability };
    });
    const evidence = Array.from({ length: tokens }, () => next(3)[2]);
    readings.push({ margin, spans, evidence, kinds: next(kinds) });
  }
  return readings;
}

/** Runs in the page: reads passages for some questions on a device. */
async function readInPage({ device, files, questions, count, words }) {
  const modelFile = async (wanted) => {
    const {
      shard: { path, encoding },
    } = files.find(({ name }) => name === wanted);
    const response = await fetch(`/${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    const stream =
      encoding === 'raw' ? response.body : response.body.pipeThrough(new DecompressionStream('deflate-raw'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  const named = files
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.safetensors') && !name.endsWith('adapter.safetensors'));
  const [module, config, tokenizer, adapter, ...weights] = await Promise.all([
    import('/models/campanile_models.js'),
    ...['config.json', 'tokenizer.json', 'adapter.safetensors', ...named].map(modelFile),
  ]);
  await module.default();
  const begun = performance.now();
  const reader = await module.PairReader.open(device, config, tokenizer, weights, adapter);
  const opening = performance.now() - begun;

  // Running text of the page's own program, which is there in any case, cut into passages.
  const text = (await (await fetch('/campanile.json')).text()).match(/[A-Za-z]{2,12}/g);
  const passages = Array.from({ length: count }, (_, passage) =>
    Array.from({ length: words }, (_, word) => text[(passage * 37 + word) % text.length]).join(' '),
  );
  const timed = async (question) => {
    const started = performance.now();
    const numbers = [...(await reader.read(question, passages))];
    return { numbers, milliseconds: performance.now() - started };
  };
  const read = [];
  for (const question of questions) read.push(await timed(question));
  return { opening, first: read[0].milliseconds, numbers: read.map(({ numbers }) => numbers) };
}

/**
 * Requires that two rankings begin with the same passages in the same order, but for neighbours
 * whose scores lie within rounding of each other on both devices; gives a line for each such pair
 * that changed places.
 * @param {Found} cpu
 * @param {Found} webgpu
 * @param {string} question
 */
function tiesBetween(cpu, webgpu, question) {
  const ties = [];
  assert.deepEqual([cpu.chunks.length, webgpu.chunks.length], [PASSAGES + 1, PASSAGES + 1], question);
  for (let rank = 0; rank < PASSAGES; rank += 1) {
    if (cpu.chunks[rank] === webgpu.chunks[rank]) continue;
    const swapped = cpu.chunks[rank] === webgpu.chunks[rank + 1] && cpu.chunks[rank + 1] === webgpu.chunks[rank];
    const gap = Math.max(...[cpu, webgpu].map(({ scores }) => scores[rank] - scores[rank + 1]));
    const message = `${question}: passage ${rank + 1} differs, and is no tie (${gap}):\n${describe(cpu)}\n${describe(webgpu)}`;
    assert.ok(swapped && gap < ROUNDING, message);
    ties.push(`tie of ${gap.toExponential(1)} at ranks ${rank + 1} and ${rank + 2}: ${question}`);
    // The pair's other half is compared already.
    rank += 1;
  }
  return ties;
}

/** @param {Found} found */
const describe = ({ chunks, scores }) => chunks.map((chunk, rank) => `${chunk} (${scores[rank].toFixed(6)})`).join(' ');

/** @param {number} milliseconds */
const seconds = (milliseconds) => (milliseconds / 1000).toFixed(1);

/** Of two vectors of any length. @param {number[]} left @param {number[]} right */
function cosine(left, right) {
  const dot = (one, other) => one.reduce((sum, value, index) => sum + value * other[index], 0);
  return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right));
}

/** @typedef {{ vector: number[], chunks: number[], scores: number[] }} Found  for one question, best first */

/** Runs in the page: embeds the questions on a device and ranks the site's passages. */
async function rankInPage({ device, files, questions, count }) {
  const read = async (path, transform = new TransformStream()) => {
    const response = await fetch(`/${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return new Uint8Array(await new Response(response.body.pipeThrough(transform)).arrayBuffer());
  };
  const modelFile = ({ shard: { path, encoding } }) =>
    read(path, encoding === 'raw' ? undefined : new DecompressionStream('deflate-raw'));
  const [module, config, tokenizer, ...weights] = await Promise.all([
    import('/models/campanile_models.js'),
    ...['config.json', 'tokenizer.json'].map((wanted) => modelFile(files.find(({ name }) => name === wanted))),
    ...files.filter(({ name }) => name.endsWith('.safetensors') && name !== 'query-adapter.safetensors').map(modelFile),
  ]);
  await module.default();
  const passages = await module.Passages.open((path) => read(path));

  const begun = performance.now();
  const encoder = await module.QuestionEncoder.open(device, config, tokenizer, weights);
  const opened = performance.now();
  const vectors = [];
  for (const question of questions) vectors.push(await encoder.embed(question));
  const embedded = performance.now();

  const answers = [];
  for (const vector of vectors) {
    const { chunks, scores } = await passages.nearest(vector, count);
    answers.push({ vector: [...vector], chunks: [...chunks], scores: [...scores] });
  }
  return { device: encoder.device, opening: opened - begun, embedding: embedded - opened, answers };
}
