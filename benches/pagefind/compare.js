// Ours beside Pagefind over the same documents, in the same Chromium:
// `node compare.js SITE PAGES OUT.json`, with the variables of `cargo xtask test browser-tests` and the folder of the pinned
// package in CAMPANILE_BENCH_PAGEFIND. PAGES holds a page for each document; `cargo xtask bench search` makes them.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launch, required } from '../../tests/browser/harness/chromium.js';
import { questions } from './questions.js';
import { serve } from './server.js';

/** As many documents as a reader looks at. */
const SHOWN = 5;
/** What is searched for first: both sides find something. */
const FIRST = 'examination registration';
const [, , site, pages, out] = process.argv;
const asked = await questions();
const browser = await launch({ webgpu: false });
try {
  const rows = [...await ours(), await pagefind()];
  const table = { questions: asked.length, rows, chromium: browser.version() };
  await writeFile(out, JSON.stringify(table, undefined, 1));
  for (const row of rows) console.log(row.name, JSON.stringify(row));
} finally {
  await browser.close();
}

/** Keywords alone, with the encoder never arriving; then keywords and meaning. */
async function ours() {
  const { encoder } = JSON.parse(await readFile(join(site, 'campanile.json'), 'utf8'));
  const files = new Set(encoder.files.map(({ shard }) => `/${shard.path}`));
  const encoderBytes = encoder.files.reduce((sum, { shard }) => sum + shard.bytes, 0);
  const rows = [];
  for (const stage of ['lexical', 'hybrid']) {
    const server = await serve(site, { isHeld: (path) => stage === 'lexical' && files.has(path) });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.origin);
    await page.locator('campanile-ask:is([data-state="ready"], [data-state="answered"])').waitFor();
    const first = await page.evaluate(ask, { text: FIRST, stage });
    const bytes = server.bytes();
    const largest = server.largest();
    rows.push({
      name: stage === 'lexical' ? 'campanile, keywords' : 'campanile, keywords and meaning',
      bytes_until_first_result: stage === 'lexical' ? bytes : undefined,
      encoder_bytes: stage === 'hybrid' ? encoderBytes : 0,
      largest: stage === 'lexical' ? largest : undefined,
      first_results: first.length,
      ...await hits((text) => page.evaluate(ask, { text, stage })),
    });
    await context.close();
    server.stop();
  }
  return rows;
}

/** Runs in the page: the documents of the sources, in their order. */
async function ask({ text, stage }) {
  const element = document.querySelector('campanile-ask');
  for (;;) {
    const answered = new Promise((resolve) => {
      element.addEventListener('campanile-answer', ({ detail }) => resolve(detail), { once: true });
    });
    await element.ask(text);
    const { stage: reached, sources } = await answered;
    if (reached === stage) return sources.map(({ path, document }) => path ?? document);
    await new Promise((resolve) => { setTimeout(resolve, 200); });
  }
}

async function pagefind() {
  const program = join(required('CAMPANILE_BENCH_PAGEFIND'), 'node_modules/.bin/pagefind');
  await promisify(execFile)(program, ['--site', pages]);
  await writeFile(join(pages, 'search.html'), '<!doctype html>\n<meta charset="utf-8">\n<title>Search</title>\n<link rel="icon" href="data:,">\n');
  const server = await serve(pages);
  const page = await browser.newPage();
  await page.goto(`${server.origin}/search.html`);
  const first = await page.evaluate(search, { text: FIRST, shown: 1 });
  const row = {
    name: 'Pagefind, its module without its interface',
    bytes_until_first_result: server.bytes(),
    largest: server.largest(),
    first_results: first.length,
    ...await hits(async (text) => {
      const addresses = await page.evaluate(search, { text, shown: SHOWN });
      return addresses.map((address) => decodeURIComponent(address).slice(1).replace(/\.html$/, ''));
    }),
  };
  server.stop();
  return row;
}

/** Runs in the page: the addresses of the first pages. */
async function search({ text, shown }) {
  const module = await import('/pagefind/pagefind.js');
  const { results } = await module.search(text);
  const found = await Promise.all(results.slice(0, shown).map((result) => result.data()));
  return found.map(({ url }) => url);
}

/** The share of questions with a right document among the first, asked in two ways. */
async function hits(documentsFor) {
  const found = {};
  for (const way of ['sentence', 'keywords']) {
    let right = 0;
    for (const question of asked) {
      const documents = await documentsFor(question[way]);
      right += documents.slice(0, SHOWN).some((path) => question.documents.has(path));
    }
    found[`hit@5, ${way}`] = right;
  }
  return found;
}
