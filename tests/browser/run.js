// Runs the browser tests: `node tests/browser/run.js [NAME...]`, as `cargo xtask test browser-tests` does; with names, such as
// `profile`, those files alone. Files run side by side, since much of a test is waiting, and the longest begin first, so that
// none is left for the end. Those that measure time run afterwards, each by itself. Prints what `node --test` prints.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const FOLDER = new URL('.', import.meta.url).pathname;
const ENDING = '.test.js';

/** Files that take longest, on two cores and the longest first. Those that are not named come behind them. */
const LONGEST = [
  'faults',
  'reading-devices',
  'parity',
  'devices',
  'engines',
  'hosts',
  'encoder-devices',
  'team',
  'other-words',
  'prose',
  'client-package',
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

/** What ends a run, of all its tests: one line for each. */
const SUM = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/;

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

const rounds = [
  { names: beside, concurrency: SIDE_BY_SIDE },
  { names: alone, concurrency: 1 },
];
Readable.from(results()).compose(new spec()).pipe(process.stdout);

/** What all rounds tell, as if they were one; in the end what took longest. */
async function* results() {
  /** @type {Map<string, number>} */
  const sums = new Map();
  /** @type {ReturnType<typeof timeOf>[]} */
  const tests = [];
  for (const { names, concurrency } of rounds.filter(({ names }) => names.length > 0)) {
    const files = names.map((name) => join(FOLDER, name + ENDING));
    for await (const event of run({ files, concurrency })) {
      const [, name, number] = (event.type === 'test:diagnostic' && SUM.exec(event.data.message)) || [];
      if (name) sums.set(name, (sums.get(name) ?? 0) + Number(number));
      else yield event;
      if (event.type === 'test:fail' && event.data.todo === undefined) process.exitCode = 1;
      if (event.type === 'test:pass' || event.type === 'test:fail') tests.push(timeOf(event.data));
    }
  }
  for (const [name, number] of sums) yield line(`${name} ${number}`);
  for (const told of longest(tests)) yield line(told);
}

/** A line behind those of the tests. @param {string} message */
const line = (message) => ({ type: 'test:diagnostic', data: { nesting: 0, message } });

/** How long a test took; one in another is a part of that one's time. @param {any} data */
const timeOf = ({ file, name, nesting, details }) => ({
  file: basename(file ?? '', ENDING),
  name,
  isWhole: nesting === 0,
  seconds: details.duration_ms / 1_000,
});

/** The lines that name the tests and the files that took longest. @param {ReturnType<typeof timeOf>[]} tests */
function longest(tests) {
  const first = (all) => all.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN);
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { file, seconds } of tests.filter(({ isWhole }) => isWhole))
    sums.set(file, (sums.get(file) ?? 0) + seconds);
  const files = [...sums].map(([file, seconds]) => ({ file, seconds }));
  return [
    ...first(tests).map(({ file, name, seconds }) => `longest test: ${seconds.toFixed(1)} s, ${file}: ${name}`),
    ...first(files).map(({ file, seconds }) => `longest file: ${seconds.toFixed(1)} s, ${file}`),
  ];
}
