// wllama (llama.cpp compiled to wasm) on one thread. It starts its own worker, so this runs on the page.
import { Wllama } from '/peers/@wllama/wllama/esm/index.js';

/** Loads the model; gives a function that writes greedily. */
export async function open() {
  const wllama = new Wllama({ default: '/peers/@wllama/wllama/esm/wasm/wllama.wasm' }, { suppressNativeLog: true });
  const model = await (await fetch('/model.gguf')).blob();
  await wllama.loadModel([model], { n_ctx: 2048, n_threads: 1, n_gpu_layers: 0 });
  if (wllama.isMultithread()) throw new Error('wllama took several threads');
  return async (prompt, tokens) => {
    const start = performance.now();
    const times = [];
    let text = '';
    await wllama.createCompletion({
      prompt,
      max_tokens: tokens,
      temperature: 0,
      cache_prompt: false,
      stream: true,
      onData: ({ choices: [{ text: piece }] }) => {
        // The last message says why it ended and holds no text.
        if (!piece) return;
        times.push(performance.now() - start);
        text += piece;
      },
    });
    // The pieces stand for the tokens, whose ids it does not hand out.
    return { text, tokens: times, first: times[0], total: times[times.length - 1] };
  };
}
