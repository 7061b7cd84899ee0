// Embedding one question on one thread of wasm, beside onnxruntime-web in the same browser.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onPage } from './browser.js';
import { MODELS, peerVersion } from './environment.js';
import { cosine, takeTurns } from './rounds.js';

// Tokens with the two special ones, and how often one sample repeats them: the clock of a page is coarse.
const LENGTHS = [[16, 8], [32, 4], [128, 2], [256, 1]];
const LOWEST_COSINE = 0.99;
const OURS = 'campanile, 8-bit weights';
const PEERS = { 'onnxruntime-web, f32': 'encoder.onnx', 'onnxruntime-web, 8-bit': 'encoder-int8.onnx' };
const REFERENCE = 'onnxruntime-web, f32';

export async function measure() {
  const shards = await shardsOf('encoder');
  const { chromium, ...measured } = await onPage(async (page) => {
    const campanile = await worker(page, 'campanile_encoder.js', shards);
    const peers = {};
    for (const [name, file] of Object.entries(PEERS)) peers[name] = await worker(page, 'onnxruntime_encoder.js', file);
    const cases = [];
    const checks = [];
    for (const [tokens, repeats] of LENGTHS) {
      const { text, ids } = await textOf(tokens, campanile);
      const sides = { [OURS]: () => campanile('time', text, repeats) };
      for (const [name, peer] of Object.entries(peers)) sides[name] = () => peer('time', ids, repeats);
      cases.push({ name: `${tokens} tokens`, tokens, sides: await takeTurns(sides, () => undefined) });
      const found = cosine(await campanile('vector', text), await peers[REFERENCE]('vector', ids));
      checks.push({ what: `${tokens} tokens: cosine of ours to ${REFERENCE}`, passed: found > LOWEST_COSINE, found: found.toFixed(5) });
    }
    return { cases, checks };
  });
  return { ...measured, versions: { Chromium: chromium, 'onnxruntime-web': peerVersion('onnxruntime-web') } };
}

/** The files of a model's weights, in order. */
export const shardsOf = async (model) =>
  (await readdir(join(MODELS, model))).filter((name) => name.endsWith('.safetensors')).sort();

/** Starts a worker of the page and loads its model; gives what calls it. */
export async function worker(page, script, model) {
  const handle = await page.evaluateHandle(async ([name, words]) => {
    const call = await globalThis.open(name);
    await call('model', words);
    return call;
  }, [script, model]);
  return (name, ...words) => page.evaluate(([call, ...rest]) => call(...rest), [handle, name, ...words]);
}

/** Running text cut so that the model sees exactly `tokens`. */
async function textOf(tokens, campanile) {
  const source = await readFile(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const words = source.replace(/[^A-Za-z.,\s]/g, ' ').split(/\s+/).filter(Boolean);
  let ids = [];
  let text = '';
  for (const word of words) {
    const longer = `${text} ${word}`.trim();
    const longerIds = await campanile('tokenIds', longer);
    if (longerIds.length > tokens) continue;
    [text, ids] = [longer, longerIds];
    if (ids.length === tokens) return { text, ids };
  }
  throw new Error(`no text of ${tokens} tokens found`);
}
