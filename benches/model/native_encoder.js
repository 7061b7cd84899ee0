// Embedding passages natively, beside onnxruntime on the same cores.
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { required, MODELS } from './environment.js';
import { start } from './lines.js';
import { cosine, takeTurns } from './rounds.js';

const THREADS = [1, 2];
const PASSAGES = 16;
const PASSAGE_WORDS = 160;
// Batches of onnxruntime: it takes the one that is fastest on this machine.
const BATCHES = [1, 8];
const LOWEST_COSINE = 0.99;

export async function measure() {
  const texts = await passages();
  const measured = { cases: [], checks: [], versions: { onnxruntime: pinned('onnxruntime') } };
  for (const threads of THREADS) {
    await withThreads(threads, texts, measured);
  }
  return measured;
}

async function withThreads(threads, texts, measured) {
  const processes = {
    'campanile, 8-bit weights': await campanile('encoder', threads),
    'campanile, f32 weights': await campanile('encoder-f32', threads),
    'onnxruntime, f32': await fastest('encoder.onnx', threads, texts),
    'onnxruntime, 8-bit': await fastest('encoder-int8.onnx', threads, texts),
  };
  const sides = {};
  const answers = {};
  for (const [name, process] of Object.entries(processes)) {
    sides[name] = async (work) => (answers[name] = await process.ask({ texts: work })).milliseconds;
  }
  const times = await takeTurns(sides, () => texts);
  await Promise.all(Object.values(processes).map((process) => process.stop()));

  const reference = answers['onnxruntime, f32'];
  measured.cases.push({ name: `${texts.length} passages, threads: ${threads}`, tokens: reference.tokens, sides: times });
  for (const [name, { vectors }] of Object.entries(answers)) {
    const lowest = Math.min(...vectors.map((vector, index) => cosine(vector, reference.vectors[index])));
    // What the peer's own 8 bits cost is for its users to judge.
    const ours = name.startsWith('campanile');
    if (ours) measured.checks.push({
      what: `${name}, threads: ${threads}: lowest cosine to onnxruntime, f32`,
      passed: lowest > LOWEST_COSINE,
      found: lowest.toFixed(5),
    });
  }
}

const campanile = (model, threads) =>
  start(required('CAMPANILE_BENCH_PROGRAM'), ['encoder', join(MODELS, model)], { RAYON_NUM_THREADS: String(threads) });

/** Starts onnxruntime with the batch size that suits it best. */
async function fastest(model, threads, texts) {
  let best;
  for (const batch of BATCHES) {
    const process = await start(required('CAMPANILE_BENCH_PYTHON'), [
      new URL('onnxruntime_native.py', import.meta.url).pathname,
      join(MODELS, model), join(MODELS, 'encoder/tokenizer.json'), String(threads), '256', String(batch),
    ], { RAYON_NUM_THREADS: String(threads) });
    await process.ask({ texts });
    const { milliseconds } = await process.ask({ texts });
    if (best === undefined || milliseconds < best.milliseconds) {
      await best?.process.stop();
      best = { process, milliseconds };
    } else {
      await process.stop();
    }
  }
  return best.process;
}

/** Passages of the sample campus, of about the size that the index holds. */
async function passages() {
  const folder = new URL('../../samples/campus/', import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md')).sort();
  const found = [];
  for (const file of files) {
    const words = (await readFile(new URL(file, folder), 'utf8')).split(/\s+/).filter(Boolean);
    for (let start = 0; start < words.length; start += PASSAGE_WORDS) {
      found.push(words.slice(start, start + PASSAGE_WORDS).join(' '));
    }
  }
  if (found.length < PASSAGES) throw new Error(`samples/campus gives ${found.length} passages, ${PASSAGES} are needed`);
  return found.slice(0, PASSAGES);
}

function pinned(name) {
  const requirements = readFileSync(new URL('requirements.txt', import.meta.url), 'utf8');
  return new RegExp(`^${name}==(.+)$`, 'm').exec(requirements)[1];
}
