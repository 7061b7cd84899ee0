// Ours beside Pagefind and MiniSearch over the same documents, in the same Chromium:
// `node compare.js SITE PAGES QUESTIONS.jsonl OUT.json`, with the variables of `cargo xtask test browser-tests` and the folder of
// the pinned packages in CAMPANILE_BENCH_PAGEFIND. PAGES holds a page for each document; `cargo xtask bench search` makes them.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launch, required } from '../../tests/browser/harness/chromium.js';
import { UnwatchedBrowser } from '../page/memory.js';
import { writeMiniSearch } from './minisearch.js';
import { questions } from './questions.js';
import { serve } from './server.js';

/** As many documents as a reader looks at. */
const SHOWN = 5;
const [, , site, pages, file, out] = process.argv;
const asked = await questions(file);
/** What is searched for first: all sides find something. */
const FIRST = file.endsWith('samples/questions.jsonl') ? 'examination registration' : 'history';
const browser = await launch({ webgpu: false });
try {
  const rows = [await nothing(), ...await ours(), ...await pagefind(), await miniSearch()];
  const table = { questions: asked.length, rows, chromium: browser.version() };
  await writeFile(out, JSON.stringify(table, undefined, 1));
  for (const row of rows) console.log(row.name, JSON.stringify(row));
} finally {
  await browser.close();
}

/** What a first visit fetches before it sees passages: the program that answers comes behind them, and so does the static encoder. */
async function firstPassages() {
  const behind = new Set((await partsOf(site)).instant.map(({ path }) => `/${path}`));
  const isHeld = (path) => path.startsWith('/campanile/pkg/core/') || behind.has(path);
  const server = await serve(site, { isHeld });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.origin);
  await page.locator('#campanile-question').fill(FIRST);
  await page.locator('#campanile-question').press('Enter');
  const sources = page.locator('[data-testid="source"]');
  await sources.first().waitFor();
  const row = {
    name: 'campanile, first passages',
    bytes_until_first_result: server.bytes(),
    encoder_bytes: 0,
    largest: server.largest(),
    first_results: await sources.count(),
  };
  await context.close();
  server.stop();
  return row;
}

/** The shards of what finds by meaning, roughly and well. */
async function partsOf(site) {
  const { encoder, instant } = JSON.parse(await readFile(join(site, 'campanile.json'), 'utf8'));
  return {
    instant: Object.values(instant).filter((part) => part.path),
    encoder: encoder.files.map(({ shard }) => shard),
  };
}

/** What Chromium itself takes for a page. */
async function nothing() {
  return { name: 'a page with nothing in it', ...await heldAfter('about:blank', () => undefined, []) };
}

/**
 * What the page's process holds after all questions, each asked once by `run`, in a browser of its own.
 * @template Taken
 * @param {string} address
 * @param {(taken: Taken) => unknown} run  runs in the page
 * @param {Taken[]} questions
 */
async function heldAfter(address, run, questions) {
  const unwatched = await UnwatchedBrowser.launch();
  try {
    await unwatched.open(address);
    for (const question of questions) await unwatched.evaluate(run, question);
    return { megabytes: (await unwatched.megabytes()).page };
  } finally {
    await unwatched.close();
  }
}

/** Ours stage by stage, each with what the later ones need never arriving. */
async function ours() {
  const shards = await partsOf(site);
  const sizeOf = (name) => shards[name].reduce((sum, { bytes }) => sum + bytes, 0);
  const stages = [
    { name: 'campanile, keywords', stage: 'lexical', held: ['instant', 'encoder'], more: 0 },
    { name: 'campanile, and the static encoder', stage: 'instant', held: ['encoder'], more: sizeOf('instant') },
    { name: 'campanile, and the encoder', stage: 'hybrid', held: [], more: sizeOf('instant') + sizeOf('encoder') },
  ];
  const rows = [await firstPassages()];
  for (const { name, stage, held, more } of stages) {
    const paths = new Set(held.flatMap((part) => shards[part]).map(({ path }) => `/${path}`));
    const server = await serve(site, { isHeld: (path) => paths.has(path) });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.origin);
    const first = await page.evaluate(ask, { text: FIRST, stage });
    const bytes = server.bytes();
    const largest = server.largest();
    const isFirst = stage === 'lexical';
    rows.push({
      name,
      bytes_until_first_result: isFirst ? bytes : undefined,
      encoder_bytes: more,
      largest: isFirst ? largest : undefined,
      first_results: first.documents.length,
      ...await hits(async (text) => (await page.evaluate(ask, { text, stage })).documents),
      searching_milliseconds: await searching(page, stage),
      ...await heldAfter(server.origin, ask, asked.map(({ sentence }) => ({ text: sentence, stage }))),
    });
    await context.close();
    server.stop();
  }
  return rows;
}

/** Runs in the page: the documents of the sources, in their order, and how many milliseconds they were searched for. */
async function ask({ text, stage }) {
  const element = document.querySelector('campanile-ask');
  for (;;) {
    const answered = new Promise((resolve) => {
      // Before everything is there, what was found is told as passages alone.
      for (const told of ['campanile-answer', 'campanile-passages'])
        element.addEventListener(told, ({ detail }) => resolve(detail), { once: true });
    });
    await element.ask(text);
    const { stage: reached, sources, trace } = await answered;
    if (reached === stage) {
      const searching = trace.stages.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
      return { documents: sources.map(({ path, document }) => path ?? document), searching };
    }
    await new Promise((resolve) => { setTimeout(resolve, 200); });
  }
}

/** How long the searches of a question take that was asked before, without reading what they find: the middle of all. */
async function searching(page, stage) {
  const times = [];
  for (const { sentence } of asked) times.push((await page.evaluate(ask, { text: sentence, stage })).searching);
  return middle(times);
}

/** @param {number[]} times */
function middle(times) {
  return times.sort((left, right) => left - right)[times.length >> 1];
}

async function pagefind() {
  const program = join(required('CAMPANILE_BENCH_PAGEFIND'), 'node_modules/.bin/pagefind');
  await promisify(execFile)(program, ['--site', pages]);
  const head = '<!doctype html>\n<meta charset="utf-8">\n<title>Search</title>\n<link rel="icon" href="data:,">\n';
  await writeFile(join(pages, 'search.html'), head);
  await writeFile(join(pages, 'interface.html'), `${head}<link href="/pagefind/pagefind-ui.css" rel="stylesheet">
<script src="/pagefind/pagefind-ui.js"></script><div id="search"></div>
<script>new PagefindUI({ element: '#search' });</script>\n`);
  return [await pagefindModule(), await pagefindInterface()];
}

/** Its module alone, which finds and shows nothing by itself. */
async function pagefindModule() {
  const server = await serve(pages);
  const page = await browser.newPage();
  await page.goto(`${server.origin}/search.html`);
  const first = await page.evaluate(search, { text: FIRST, shown: 1 });
  const row = {
    name: 'Pagefind, its module without its interface',
    bytes_until_first_result: server.bytes(),
    encoder_bytes: 0,
    largest: server.largest(),
    first_results: first.length,
    ...await hits(async (text) => {
      const addresses = await page.evaluate(search, { text, shown: SHOWN });
      return addresses.map((address) => decodeURIComponent(address).slice(1).replace(/\.html$/, ''));
    }),
    ...await heldAfter(`${server.origin}/search.html`, search, asked.map(({ sentence }) => ({ text: sentence, shown: SHOWN }))),
  };
  await page.close();
  server.stop();
  return row;
}

/** What a reader gets who searches with its own interface: a box, and the first five results. */
async function pagefindInterface() {
  const server = await serve(pages);
  const page = await browser.newPage();
  await page.goto(`${server.origin}/interface.html`);
  await page.locator('.pagefind-ui__search-input').fill(FIRST);
  await page.locator('.pagefind-ui__result-link').first().waitFor();
  const row = {
    name: 'Pagefind with its interface',
    bytes_until_first_result: server.bytes(),
    encoder_bytes: 0,
    largest: server.largest(),
    first_results: await page.locator('.pagefind-ui__result-link').count(),
  };
  await page.close();
  server.stop();
  return row;
}

/** An index that the page holds whole. */
async function miniSearch() {
  await writeMiniSearch(pages, required('CAMPANILE_BENCH_PAGEFIND'));
  const server = await serve(pages);
  const page = await browser.newPage();
  const address = `${server.origin}/minisearch/search.html`;
  await page.goto(address);
  const first = await page.evaluate(searchMiniSearch, FIRST);
  const row = {
    name: 'MiniSearch, its module without an interface',
    bytes_until_first_result: server.bytes(),
    encoder_bytes: 0,
    largest: server.largest(),
    first_results: first.length,
    ...await hits((text) => page.evaluate(searchMiniSearch, text)),
    ...await heldAfter(address, searchMiniSearch, asked.map(({ sentence }) => sentence)),
  };
  await page.close();
  server.stop();
  return row;
}

/** Runs in the page: the addresses of the first pages. @param {string} text */
function searchMiniSearch(text) {
  return window.search(text);
}

/** Runs in the page: the addresses of the first pages. */
async function search({ text, shown }) {
  const module = await import('/pagefind/pagefind.js');
  const { results } = await module.search(text);
  const found = await Promise.all(results.slice(0, shown).map((result) => result.data()));
  return found.map(({ url }) => url);
}

/** The questions with a right document among the first, asked in two ways, and how long one took in the middle. */
async function hits(documentsFor) {
  const found = {};
  for (const way of ['sentence', 'keywords']) {
    let right = 0;
    const times = [];
    for (const question of asked) {
      const begun = performance.now();
      const documents = await documentsFor(question[way]);
      times.push(performance.now() - begun);
      right += documents.slice(0, SHOWN).some((path) => question.documents.has(path));
    }
    found[`hit@5, ${way}`] = right;
    found[`milliseconds, ${way}`] = middle(times);
  }
  return found;
}
