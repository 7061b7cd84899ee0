// llama.cpp as node-llama-cpp brings it, compiled, for the processor.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GGUF, PEERS } from './environment.js';

const CONTEXT_TOKENS = 2048;

/**
 * Loads the model on `threads` cores.
 * @param {number} threads
 */
export async function open(threads) {
  const entry = createRequire(join(PEERS, 'package.json')).resolve('node-llama-cpp');
  const { getLlama } = await import(pathToFileURL(entry).href);
  const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error', maxThreads: threads });
  const model = await llama.loadModel({ modelPath: GGUF, gpuLayers: 0 });
  const context = await model.createContext({ contextSize: CONTEXT_TOKENS, batchSize: 512, threads });
  const sequence = context.getSequence();

  return {
    /** The ids of a prompt whose control tokens are written out in it. @param {string} prompt */
    tokenIds: (prompt) => [...model.tokenize(prompt, true)],

    /** A greedy answer, timed. @param {string} prompt @param {number} tokens */
    async write(prompt, tokens) {
      await sequence.clearHistory();
      const ids = model.tokenize(prompt, true);
      const start = performance.now();
      const written = [];
      let first;
      for await (const token of sequence.evaluate(ids, { temperature: 0 })) {
        first ??= performance.now() - start;
        if (model.isEogToken(token)) break;
        written.push(token);
        if (written.length >= tokens) break;
      }
      return { tokens: written, first, total: performance.now() - start };
    },

    /**
     * A greedy answer with the two best tokens of each step and their logits.
     * @param {string} prompt @param {number} tokens
     */
    async explain(prompt, tokens) {
      await sequence.clearHistory();
      const ids = model.tokenize(prompt, true);
      const asking = { generateNext: { token: true, logits: { filter: { tokens: [], includeTop: 2 } }, options: { temperature: 0 } } };
      const steps = [];
      let pending = [...ids.slice(0, -1), [ids[ids.length - 1], asking]];
      while (steps.length < tokens) {
        const { next } = (await sequence.controlledEvaluate(pending)).at(-1);
        steps.push({ token: next.token, top: [...next.logits].sort((left, right) => right[1] - left[1]) });
        if (model.isEogToken(next.token)) break;
        pending = [[next.token, asking]];
      }
      const text = model.detokenize(steps.map(({ token }) => token).filter((token) => !model.isEogToken(token)));
      return { prompt_ids: [...ids], steps, text };
    },

    stop: () => llama.dispose(),
  };
}
