// One benchmark, its samples written as JSON: `node run.js BENCHMARK OUT.json`. Called by `cargo xtask bench model`.
import { writeFile } from 'node:fs/promises';

const [, , name, out] = process.argv;
const benchmarks = {
  'native-encoder': () => import('./native_encoder.js'),
  'web-encoder': () => import('./web_encoder.js'),
  'native-decoder': () => import('./native_decoder.js'),
  'web-decoder': () => import('./web_decoder.js'),
};
if (!(name in benchmarks) || !out) {
  throw new Error(`usage: run.js ${Object.keys(benchmarks).join(' | ')} OUT.json`);
}
const { measure } = await benchmarks[name]();

/**
 * What a benchmark hands over. `cases` hold milliseconds for the same piece of work by side, ours first;
 * `tokens` is the size of that work. `checks` say whether the sides computed the same.
 * @typedef {{ name: string, tokens: number, sides: Record<string, number[]> }} Case
 * @typedef {{ what: string, passed: boolean, found: string }} Check
 * @typedef {{ cases: Case[], checks: Check[], versions: Record<string, string> }} Measured
 */
const { cases, ...rest } = await measure();
const ordered = cases.map((one) => ({
  ...one,
  // As a list: ours has to stay the first.
  sides: Object.entries(one.sides).map(([side, samples]) => ({ name: side, samples })),
}));
await writeFile(out, JSON.stringify({ cases: ordered, ...rest }));
