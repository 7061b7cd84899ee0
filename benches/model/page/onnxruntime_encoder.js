// onnxruntime-web on one thread of wasm. It is given token ids: it brings no tokenizer.
import * as ort from '/peers/onnxruntime-web/dist/ort.wasm.min.mjs';
import { answer, bytes, timed } from './answering.js';

ort.env.wasm.wasmPaths = '/peers/onnxruntime-web/dist/';
ort.env.wasm.numThreads = 1;

let session;

async function embed(ids) {
  const shape = [1, ids.length];
  const { vectors } = await session.run({
    input_ids: new ort.Tensor('int32', Int32Array.from(ids), shape),
    attention_mask: new ort.Tensor('int32', new Int32Array(ids.length).fill(1), shape),
  });
  return [...vectors.data];
}

answer({
  load: () => {},
  model: async (file) => {
    session = await ort.InferenceSession.create(await bytes(`/models/${file}`), {
      executionProviders: ['wasm'],
      graphOptimizationLevel: 'all',
    });
  },
  vector: embed,
  time: (ids, repeats) => timed(repeats, () => embed(ids)),
});
