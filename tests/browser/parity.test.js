// The page and the terminal give the same ranking and the same answer to every sample question.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { askNatively, serve } from './harness/command.js';
import { visit } from './harness/reader.js';
import { relay } from './harness/relay.js';
import { manifestOf, oneShardOfEach, partitionedSite, sampleQuestions, sampleSite, shardsIn } from './harness/site.js';

let browser;
let site;
let server;
let questions;

before(async () => {
  site = await sampleSite();
  questions = (await sampleQuestions()).map(({ question }) => question);
  [browser, server] = await Promise.all([launch(), serve(site)]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('by keywords and meaning', async () => {
  await visit(browser, server.origin, async (reader) => {
    await reader.askFor(questions[0]);
    await comparesAll(reader, 'hybrid');
  });
});

test('by keywords and meaning, with vectors in parts', async () => {
  const parts = await partitionedSite();
  const { partitions, vectors } = await manifestOf(parts);
  assert.ok(partitions.bits.shards > 0 && vectors === null, 'vectors are in parts');
  const few = questions.filter((_, index) => index % 5 === 0);
  const server = await serve(parts);
  try {
    await visit(browser, server.origin, async (reader) => {
      await reader.askFor(few[0]);
      await comparesAll(reader, 'hybrid', parts, few);
    });
  } finally {
    await server.stop();
  }
  // The passages are those of the same documents with whole vectors.
  const whole = await askNatively(site, few, 'hybrid');
  const inParts = await askNatively(parts, few, 'hybrid');
  for (const [index, question] of few.entries()) {
    assert.equal(inParts[index].sources[0].chunk, whole[index].sources[0].chunk, question);
  }
});

test('by keywords and the static encoder', async () => {
  const held = new Set(shardsIn((await manifestOf(site)).encoder).map((path) => `/${path}`));
  const slow = await relay(server.origin, { isHeld: (path) => held.has(path) });
  try {
    await visit(browser, slow.origin, async (reader) => {
      await reader.askFor(questions[0], 'instant');
      await comparesAll(reader, 'instant');
    });
  } finally {
    await slow.stop();
  }
});

test('by keywords alone', async () => {
  const { encoder, instant } = await manifestOf(site);
  const held = oneShardOfEach(encoder, instant);
  const slow = await relay(server.origin, { isHeld: (path) => held.has(path) });
  try {
    await visit(browser, slow.origin, (reader) => comparesAll(reader, 'lexical'));
  } finally {
    await slow.stop();
  }
});

async function comparesAll(reader, mode, of = site, asked = questions) {
  // The terminal counts bytes, the page UTF-16 units.
  const inBytes = (text, { start, end }) => Buffer.from(text).subarray(start, end).toString();
  const inUnits = (text, { start, end }) => text.slice(start, end);
  const native = (await askNatively(of, asked, mode)).map((reply) => outline(reply, inBytes));
  const inPage = (await reader.page.evaluate(askAll, asked)).map((reply) => outline(reply, inUnits));
  for (const [index, question] of asked.entries()) {
    assert.deepEqual(inPage[index], native[index], question);
  }
}

/** What must not differ: not scores to the last bit, and not times. */
const outline = ({ stage, answer, sources, read, readings }, slice) => ({
  stage,
  read: read ?? readings !== null,
  exact: answer.exact ? slice(sources[answer.source - 1].text, answer.exact) : null,
  kind: answer.kind,
  text: answer.text,
  source: answer.source ?? null,
  chunks: sources.map(({ chunk }) => chunk),
});

/** Runs in the page. @param {string[]} questions */
async function askAll(questions) {
  const element = document.querySelector('campanile-ask');
  const results = [];
  for (const question of questions) {
    const answered = new Promise((resolve) => {
      // Before everything is there, what was found is told as passages alone.
      for (const told of ['campanile-answer', 'campanile-passages'])
        element.addEventListener(told, ({ detail }) => resolve(detail), { once: true });
    });
    await element.ask(question);
    results.push(await answered);
  }
  return results;
}
