// What a first visit waits for: `node waiting.js SITE OUT.json [ROUNDS [slow|fast]]`, with the variables of
// `cargo xtask test browser-tests`. The address holds a question, so that all that its answer needs is asked for at once;
// times run from the beginning of the navigation.
import { writeFile } from 'node:fs/promises';
import { launch } from '../../tests/browser/harness/chromium.js';
import { SLOW_4G } from '../../tests/browser/harness/line.js';
import { ASKED } from '../../tests/browser/harness/questions.js';
import { serve } from '../pagefind/server.js';

const LINES = { slow: SLOW_4G, fast: undefined };
const PATIENCE_MILLISECONDS = 400_000;
/** Characters of a waterfall. */
const WIDTH = 60;

const [, , site, out, rounds = '3', only] = process.argv;
const names = /** @type {(keyof typeof LINES)[]} */ (Object.keys(LINES)).filter((name) => !only || name === only);
// The probe for graphics processors would be one of a software adapter, which no visitor has.
const browser = await launch({ webgpu: false });
try {
  /** @type {Record<string, Visit[]>} */
  const visits = {};
  for (const name of names) {
    visits[name] = [];
    for (let round = 0; round < Number(rounds); round += 1) {
      const visit = await firstVisit(LINES[name]);
      visits[name].push(visit);
      console.log(`${name} line, visit ${round + 1}: ${Object.entries(visit.moments).map(([moment, { ms, bytes }]) => `${moment} ${seconds(ms)} s (${kilobytes(bytes)} kB)`).join(', ')}`);
    }
  }
  console.log(`\n${waterfall(visits[names[0]][0])}`);
  await writeFile(out, JSON.stringify({ lines: visits, chromium: browser.version() }));
} finally {
  await browser.close();
}

/** @typedef {{ moments: Record<string, { ms: number, bytes: number, requests: number }>, requests: import('../pagefind/server.js').Request[] }} Visit */

/** @param {{ bytesPerSecond: number, latencyMilliseconds: number } | undefined} speed @returns {Promise<Visit>} */
async function firstVisit(speed) {
  const server = await serve(site, { speed });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const reached = {};
    await page.exposeFunction('reachedInTest', (moment, ms) => {
      reached[moment] = { ms, bytes: server.bytes(), requests: server.requests().length };
    });
    await page.addInitScript(watch);
    await page.goto(`${server.origin}/#${new URLSearchParams({ q: ASKED.question })}`, { waitUntil: 'commit' });
    await page.locator('campanile-ask[data-offline="ready"]').waitFor({ timeout: PATIENCE_MILLISECONDS });
    await page.waitForFunction(() => window.reachedAll);
    const answer = await page.getByTestId('answer-text').innerText();
    if (!ASKED.answer.test(answer)) throw new Error(`the answer is wrong: ${answer}`);
    return { moments: reached, requests: structuredClone(server.requests()) };
  } finally {
    await context.close();
    server.stop();
  }
}

/** Runs in the page: tells when each thing that a visitor waits for stands there for the first time. */
function watch() {
  const MOMENTS = {
    'first passages': '[data-testid="source"]',
    'first answer': '[data-testid="answer-text"]',
    'everything kept': 'campanile-ask[data-offline="ready"]',
  };
  const waited = new Set(Object.keys(MOMENTS));
  const look = () => {
    // The page's parts stand in the element's shadow root, which no observer of the document sees.
    const places = [document, document.querySelector('campanile-ask')?.shadowRoot];
    for (const moment of waited) {
      if (!places.some((place) => place?.querySelector(MOMENTS[moment]))) continue;
      waited.delete(moment);
      window.reachedInTest(moment, performance.now());
    }
    if (waited.size > 0) requestAnimationFrame(look);
    else window.reachedAll = true;
  };
  look();
}

/** The requests in their order, each with a bar from its beginning to its end. @param {Visit} visit */
function waterfall({ requests, moments }) {
  const last = Math.max(...requests.map(({ end }) => end));
  const lines = requests.map(({ path, status, bytes, start, end }) => {
    const at = Math.floor((start / last) * WIDTH);
    const bar = `${' '.repeat(at)}${'#'.repeat(Math.max(1, Math.round(((end - start) / last) * WIDTH)))}`;
    const size = status === 200 ? `${kilobytes(bytes)} kB` : String(status);
    return `${seconds(start).padStart(6)} ${seconds(end).padStart(6)} ${size.padStart(9)} |${bar.padEnd(WIDTH + 1)}| ${path}`;
  });
  const reached = Object.entries(moments).map(([moment, { ms, bytes, requests: count }]) => `${seconds(ms).padStart(6)} s: ${moment}, after ${count} requests and ${kilobytes(bytes)} kB`);
  return [...lines, ...reached].join('\n');
}

/** @param {number} ms */
function seconds(ms) {
  return (ms / 1000).toFixed(1);
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return (bytes / 1000).toFixed(1);
}
