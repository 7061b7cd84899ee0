// How long a visitor waits in each engine: `cargo xtask bench engines`. Prints a table in Markdown.
import { serve } from './harness/command.js';
import { ENGINES, inEngine } from './harness/engines.js';
import { ASKED, OTHERS } from './harness/questions.js';
import { sampleSite } from './harness/site.js';

/** The engines take turns; the first round warms the machine up and does not count. */
const ROUNDS = 7;

const server = await serve(await sampleSite());
/** @type {Map<string, { version: string, visits: Visit[] }>} */
const measured = new Map();
try {
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const engine of ENGINES.filter(({ skipped }) => !skipped)) {
      await inEngine(engine, async (visitor) => {
        const visit = await firstVisit(visitor);
        const { browserVersion } = visitor.session.capabilities;
        const { visits } = measured.get(engine.name) ?? { visits: [] };
        measured.set(engine.name, { version: browserVersion, visits: round > 0 ? [...visits, visit] : [] });
      });
    }
  }
} finally {
  await server.stop();
}

console.log(`${[...measured].map(([name, { version }]) => `${name} ${version}`).join(', ')}.\n`);
console.log('| engine | page open to the first passages | page open to the answer | a later question to its answer |');
console.log('|---|---|---|---|');
for (const [name, { visits }] of measured) {
  const cells = [visits.map(({ passages }) => passages), visits.map(({ answer }) => answer)];
  cells.push(visits.flatMap(({ later }) => later));
  console.log(`| ${[name, ...cells.map(medianAndLeast)].join(' | ')} |`);
}

/**
 * Milliseconds that somebody waited.
 * @typedef {{ passages: number, answer: number, later: number[] }} Visit
 */

/**
 * Follows a link with a question in an empty profile, then asks others when all is there.
 * @param {import('./harness/engines.js').Visitor} visitor
 * @returns {Promise<Visit>}
 */
async function firstVisit(visitor) {
  const { session } = visitor;
  await visitor.open(`${server.origin}/#${new URLSearchParams({ q: ASKED.question })}`);
  await session.run(noteStages);
  await visitor.answered(ASKED.question);
  const { passages, answer } = await session.run(() => window.waited);
  await visitor.kept();
  const later = [];
  for (const { question } of OTHERS) {
    await session.run(noteAsking);
    await visitor.askFor(question);
    later.push(await session.run(() => window.waited.answer - window.waited.asked));
  }
  return { passages, answer, later };
}

/** In the page: notes when the element first shows something, and when it has answered; from the opening of the page. */
function noteStages() {
  const element = document.querySelector('campanile-ask');
  const waited = {};
  window.waited = waited;
  const note = () => {
    const { state, stage, read } = element.dataset;
    if (stage) waited.passages ??= performance.now();
    if (state === 'answered' && stage === 'hybrid' && read === 'true') waited.answer ??= performance.now();
  };
  note();
  new MutationObserver(note).observe(element, { attributes: true });
}

/** In the page: the next answer is counted from the key that asks for it. */
function noteAsking() {
  const press = ({ key }) => {
    if (key !== 'Enter') return;
    window.waited.asked = performance.now();
    window.waited.answer = undefined;
    removeEventListener('keydown', press, true);
  };
  addEventListener('keydown', press, true);
}

/** @param {number[]} samples */
function medianAndLeast(samples) {
  const sorted = samples.toSorted((one, other) => one - other);
  const median = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
  return `${seconds(median)} (${seconds(sorted[0])})`;
}

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
