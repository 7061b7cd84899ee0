// What a page holds after questions, each another one: `node held.js SITE QUESTIONS.jsonl COUNT OUT.json [MILLISECONDS]`, with the
// variables of `cargo xtask test browser-tests`. Between questions so many milliseconds pass, none unless said; what is held after a
// longer pause is told at the end.
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { serve } from '../../tests/browser/harness/command.js';
import { UnwatchedBrowser } from './memory.js';

const [, , site, file, count, out, between = '0'] = process.argv;
/** Somebody reads: the browser gives back what it has not used for a while. */
const PAUSE_MILLISECONDS = 20_000;
const looks = new Set([1, 10, 20, 40, 80, 160, 320, 640].filter((look) => look < Number(count))).add(Number(count));

const questions = (await readFile(file, 'utf8')).trim().split('\n').map((line) => JSON.parse(line).question);
const server = await serve(site);
const browser = await UnwatchedBrowser.launch();
const rows = [];
try {
  await look('a page with nothing in it');
  await browser.openSite(server.origin);
  await look('opened');
  for (let asked = 1; asked <= Number(count); asked += 1) {
    const stage = await browser.evaluate(ask, questions[(asked - 1) % questions.length]);
    await delay(Number(between));
    if (looks.has(asked)) await look(`question ${asked}, by ${stage}`);
  }
  await delay(PAUSE_MILLISECONDS);
  await look(`${PAUSE_MILLISECONDS / 1000} seconds later`);
} finally {
  await browser.close();
  await server.stop();
}
await writeFile(out, JSON.stringify({ rows }, undefined, 1));

/** @param {string} after */
async function look(after) {
  const megabytes = await browser.megabytes();
  rows.push({ after, megabytes });
  console.log(`${after}: ${megabytes.page.toFixed(0)} MB, all processes ${megabytes.all.toFixed(0)} MB`);
}

/** Runs in the page: the stage that has answered. @param {string} text */
async function ask(text) {
  const element = document.querySelector('campanile-ask');
  const answered = new Promise((resolve) => {
    element.addEventListener('campanile-answer', ({ detail }) => resolve(detail), { once: true });
  });
  await element.ask(text);
  return (await answered).stage;
}
