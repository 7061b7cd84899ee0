// Reading a prompt and writing an answer natively, beside llama.cpp on the same cores.
import { join } from 'node:path';
import { required, MODELS, peerVersion } from './environment.js';
import { start } from './lines.js';
import { open } from './llama_cpp.js';
import { timedPrompt } from './prompts.js';
import { decoderCases } from './answers.js';

const THREADS = [1, 2];

export async function measure() {
  const cases = [];
  const checks = [];
  for (const threads of THREADS) {
    const campanile = await start(required('CAMPANILE_BENCH_PROGRAM'), ['decoder', join(MODELS, 'decoder')], {
      RAYON_NUM_THREADS: String(threads),
    });
    const llama = await open(threads);
    const measured = await decoderCases(`threads: ${threads}`, {
      campanile: (prompt, tokens) => campanile.ask({ prompt, tokens }),
      'llama.cpp': (prompt, tokens) => llama.write(prompt, tokens),
    }, timedPrompt, { promptTokens: llama.tokenIds(timedPrompt(0)).length });
    await campanile.stop();
    await llama.stop();
    cases.push(...measured.cases);
    checks.push(...measured.checks);
  }
  return { cases, checks, versions: { 'node-llama-cpp': peerVersion('node-llama-cpp') } };
}
