// Runs the browser tests: `node tests/browser/run.js [NAME...]`, as `cargo xtask test browser-tests` does; with names, such as
// `profile`, those files alone. Files run side by side, since much of a test is waiting, and the longest begin first, so that
// none is left for the end. Those that measure time run afterwards, each by itself. Prints what `node --test` prints; where
// CAMPANILE_JUNIT names a file, the results are written there too, for programs.
import { createWriteStream, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { run } from 'node:test';
import { junit, spec } from 'node:test/reporters';

const FOLDER = new URL('.', import.meta.url).pathname;
const ENDING = '.test.js';

/** Files that take longest, on two cores and the longest first. Those that are not named come behind them. */
const LONGEST = [
  'reading-devices',
  'faults',
  'engines',
  'devices',
  'hosts',
  'encoder-devices',
  'client-package',
  'team',
  'report',
  'parity',
  'other-words',
  'prose',
  'tools',
  'languages',
  'single-file',
  'looks',
  'first-passages',
  'ask',
];

/** Files that hold something to a time. */
const MEASURING = ['serve'];

/** More than there are cores: see above. */
const SIDE_BY_SIDE = Number(process.env.CAMPANILE_SIDE_BY_SIDE ?? availableParallelism() + 1);

/** So many of what took longest are named in the end. */
const SHOWN = 10;

/** What ends a file's run, of all its tests: one line for each. */
const SUM = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/;
const TIME = 'duration_ms';

const known = readdirSync(FOLDER)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length));
const asked = process.argv.slice(2);
for (const name of [...asked, ...LONGEST, ...MEASURING]) {
  if (!known.includes(name)) throw new Error(`there is no ${name}${ENDING} in ${FOLDER}`);
}
const wanted = asked.length > 0 ? asked : known;
const rank = (/** @type {string} */ name) => (LONGEST.includes(name) ? LONGEST.indexOf(name) : LONGEST.length);
const beside = wanted.filter((name) => !MEASURING.includes(name)).sort((one, other) => rank(one) - rank(other));
const alone = wanted.filter((name) => MEASURING.includes(name));

// Each file's run listens to the end of this process.
process.setMaxListeners(0);
const told = Readable.from(results());
// Each reader has its own queue: one that is slower keeps nothing from the other.
told
  .pipe(new PassThrough({ objectMode: true }))
  .compose(new spec())
  .pipe(process.stdout);
const report = process.env.CAMPANILE_JUNIT;
if (report !== undefined) {
  told
    .pipe(new PassThrough({ objectMode: true }))
    .compose(junit)
    .pipe(createWriteStream(report));
}

/** What all files tell, each as soon as it has ended, as if they were one run; in the end what took longest. */
async function* results() {
  /** @type {Map<string, number>} */
  const sums = new Map();
  /** @type {Timed[]} */
  const tests = [];
  /** @type {Timed[]} */
  const files = [];
  for await (const { name, events, seconds } of ended()) {
    files.push({ name, seconds });
    for (const event of events) {
      const [, sum, number] = (event.type === 'test:diagnostic' && SUM.exec(event.data.message)) || [];
      // The time is that of a file: files run side by side, and their sum is nobody's.
      if (sum) sums.set(sum, sum === TIME ? performance.now() : (sums.get(sum) ?? 0) + Number(number));
      else yield named(event, name);
      if (event.type === 'test:fail' && event.data.todo === undefined) process.exitCode = 1;
      if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
      tests.push({ name: `${name}: ${event.data.name}`, seconds: event.data.details.duration_ms / 1_000 });
    }
  }
  for (const [sum, number] of sums) yield line(`${sum} ${number}`);
  for (const told of [...longest('test', tests), ...longest('file', files)]) yield line(told);
}

/**
 * The event with the file's name before that of a test that stands in no other.
 * @param {any} event
 * @param {string} file
 */
function named(event, file) {
  const { name, nesting } = event.data;
  if (nesting !== 0 || name === undefined) return event;
  return { ...event, data: { ...event.data, name: `${file}: ${name}` } };
}

/** The files as they end: first those that run side by side, then the others. */
async function* ended() {
  yield* inTurn(beside, SIDE_BY_SIDE);
  yield* inTurn(alone, 1);
}

/**
 * Runs files, so many at a time, and gives each when it has ended.
 * @param {string[]} names
 * @param {number} atOnce
 */
async function* inTurn(names, atOnce) {
  const waiting = [...names];
  /** @type {Map<string, ReturnType<typeof runFile>>} */
  const running = new Map();
  while (waiting.length > 0 || running.size > 0) {
    while (running.size < atOnce && waiting.length > 0) {
      const [name] = waiting.splice(0, 1);
      running.set(name, runFile(name));
    }
    const file = await Promise.race(running.values());
    running.delete(file.name);
    yield file;
  }
}

/** @param {string} name */
async function runFile(name) {
  const began = performance.now();
  const events = [];
  for await (const event of run({ files: [join(FOLDER, name + ENDING)] })) {
    events.push(event);
    // A sign of life: the results themselves are printed when the file has ended.
    if (event.type === 'test:pass' || event.type === 'test:fail') console.log(`… ${name}: ${event.data.name}`);
  }
  return { name, events, seconds: (performance.now() - began) / 1_000 };
}

/** @typedef {{ name: string, seconds: number }} Timed */

/** A line behind those of the tests. @param {string} message */
const line = (message) => ({ type: 'test:diagnostic', data: { nesting: 0, message } });

/** The lines that name what took longest. @param {string} kind @param {Timed[]} all */
function longest(kind, all) {
  const first = all.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN);
  return first.map(({ name, seconds }) => `longest ${kind}: ${seconds.toFixed(1)} s, ${name}`);
}
