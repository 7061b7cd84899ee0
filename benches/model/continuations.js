// llama.cpp's greedy continuations of the twenty questions, the fixture of `crates/model/tests/decoder_llama_cpp.rs`:
// `node continuations.js ../../crates/model/tests/fixtures/llama_cpp.json`, after `cargo xtask bench model native-decoder`
// has brought llama.cpp. One thread; each step with its two best tokens and their logits, so that a near tie can be told.
import { writeFile } from 'node:fs/promises';
import { peerVersion } from './environment.js';
import { open } from './llama_cpp.js';
import { chat, QUESTIONS } from './prompts.js';

const NEW_TOKENS = 64;

const llama = await open(1);
const lines = [];
for (const question of QUESTIONS) {
  const { prompt_ids: prompt, steps } = await llama.explain(chat(question), NEW_TOKENS);
  lines.push(JSON.stringify({ prompt, steps: steps.map(({ top }) => top.flatMap(([token, logit]) => [token, Number(logit.toFixed(4))])) }));
}
await writeFile(
  process.argv[2],
  `{"node-llama-cpp":${JSON.stringify(peerVersion('node-llama-cpp'))},"continuations":[\n${lines.join(',\n')}\n]}\n`,
);
await llama.stop();
