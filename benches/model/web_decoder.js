// Reading a prompt and writing an answer on one thread of wasm, beside wllama in the same browser.
import { onPage } from './browser.js';
import { peerVersion } from './environment.js';
import { timedPrompt } from './prompts.js';
import { decoderCases } from './answers.js';
import { shardsOf, worker } from './web_encoder.js';

// The peer takes tens of seconds for one answer.
const COUNTS = { warmUps: 1, rounds: 5 };
const NEW_TOKENS = 32;

export async function measure() {
  const shards = await shardsOf('decoder');
  const { chromium, ...measured } = await onPage(async (page) => {
    const campanile = await worker(page, 'campanile_decoder.js', shards);
    const wllama = await page.evaluateHandle(async () => (await import('./wllama.js')).open());
    const idsOf = (prompt) => campanile('tokenIds', prompt);
    return decoderCases('one wasm thread', {
      campanile: async (prompt, tokens) => campanile('write', await idsOf(prompt), tokens),
      wllama: (prompt, tokens) => page.evaluate(([write, ...words]) => write(...words), [wllama, prompt, tokens]),
    }, timedPrompt, { promptTokens: (await idsOf(timedPrompt(0))).length, newTokens: NEW_TOKENS, counts: COUNTS });
  });
  return { ...measured, versions: { Chromium: chromium, wllama: peerVersion('@wllama/wllama') } };
}
