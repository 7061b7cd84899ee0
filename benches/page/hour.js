// Random questions in one tab, for as long as is said: memory, errors, and answers beside those of the terminal.
// `node hour.js SITE QUESTIONS.jsonl MINUTES OUT.json`, with the variables of `cargo xtask test browser-tests`.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { askNatively, serve } from '../../tests/browser/harness/command.js';
import { UnwatchedBrowser } from './memory.js';

const [, , site, file, minutes, out] = process.argv;
/** Between two questions: somebody reads. */
const PAUSE_MILLISECONDS = 500;
/** Often enough to see it grow. */
const LOOK_MILLISECONDS = 30_000;

const questions = (await readFile(file, 'utf8')).trim().split('\n').map((line) => JSON.parse(line).question);
const random = generator(2026);
const asked = variants(questions);
const expected = new Map(
  (await askNatively(site, asked, 'hybrid')).map((reply) => [reply.question, outline(reply)]),
);

const browser = await UnwatchedBrowser.launch();
const server = await serve(site);
const memory = [];
let answered = 0;
const wrong = [];
try {
  await browser.openSite(server.origin);
  await browser.evaluate(ask, questions[0]);
  await browser.evaluate(kept);
  const end = Date.now() + Number(minutes) * 60_000;
  for (let next = 0; Date.now() < end; ) {
    if (Date.now() >= next) {
      await look();
      next = Date.now() + LOOK_MILLISECONDS;
    }
    const question = asked[Math.floor(random() * asked.length)];
    const found = outline(await browser.evaluate(ask, question));
    const { kind, text, chunks } = expected.get(question);
    const isSame = found.kind === kind && found.text === text && `${found.chunks}` === `${chunks}`;
    if (!isSame) wrong.push({ question, found, expected: { kind, text, chunks } });
    answered += 1;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
  await look();
  assert.deepEqual(browser.troubles, [], 'the console stays quiet');
} finally {
  await browser.close();
  await server.stop();
  await writeFile(out, JSON.stringify({ minutes: Number(minutes), answered, memory, wrong }, undefined, 1));
}
const [first, last] = [memory[Math.min(4, memory.length - 1)], memory.at(-1)];
console.log(
  `${answered} questions, ${wrong.length} answered otherwise than in the terminal; ` +
    `${first.megabytes.toFixed(0)} MB after ${first.answered}, ${last.megabytes.toFixed(0)} MB at the end`,
);

/** The questions, and each with a word less or two words exchanged: nobody asks the same for an hour. @param {string[]} all */
function variants(all) {
  const others = all.flatMap((question) => {
    const words = question.replace(/\?$/, '').split(' ');
    const place = Math.floor(random() * words.length);
    const fewer = words.filter((_, index) => index !== place);
    const exchanged = [...words];
    const other = Math.floor(random() * words.length);
    [exchanged[place], exchanged[other]] = [exchanged[other], exchanged[place]];
    return [fewer.join(' '), exchanged.join(' ')];
  });
  return [...new Set([...all, ...others])].filter((question) => question.trim().length > 0);
}

/** What must not differ. */
function outline({ answer, sources }) {
  return { kind: answer.kind, text: answer.text, chunks: sources.map(({ chunk }) => chunk) };
}

async function look() {
  const { page } = await browser.megabytes();
  memory.push({ answered, megabytes: page });
  console.log(`${answered} answered, ${page.toFixed(0)} MB, ${wrong.length} others`);
}

/** Runs in the page: the answer that stands once its passages were read. @param {string} text */
async function ask(text) {
  const element = document.querySelector('campanile-ask');
  let told;
  const listen = ({ detail }) => {
    told = detail;
  };
  element.addEventListener('campanile-answer', listen);
  await element.ask(text);
  const { dataset } = element;
  while (!(told && dataset.state === 'answered' && dataset.stage === 'hybrid' && dataset.read === 'true'))
    await new Promise((resolve) => setTimeout(resolve, 20));
  element.removeEventListener('campanile-answer', listen);
  return told;
}

/** Runs in the page: all is kept on the device. */
async function kept() {
  while (!document.querySelector('campanile-ask[data-offline="ready"]')) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Numbers from 0 to 1, the same in each run (Marsaglia's xorshift). @param {number} seed */
function generator(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
