// llama.cpp's greedy continuations of the twenty questions, for comparing texts: `node continuations.js OUT.json`.
// One thread; each step with its two best tokens and their logits, so that a near tie can be told.
import { writeFile } from 'node:fs/promises';
import { peerVersion } from './environment.js';
import { open } from './llama_cpp.js';
import { chat, QUESTIONS } from './prompts.js';

const NEW_TOKENS = 64;

const llama = await open(1);
const continuations = [];
for (const question of QUESTIONS) {
  const prompt = chat(question);
  continuations.push({ prompt, ...(await llama.explain(prompt, NEW_TOKENS)) });
}
await writeFile(process.argv[2], JSON.stringify({ 'node-llama-cpp': peerVersion('node-llama-cpp'), continuations }, null, 1));
await llama.stop();
