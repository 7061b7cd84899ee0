// Our encoder, with the weights of a built site.
import init, { Embedding } from '/campanile/campanile_models.js';
import { answer, modelFiles, timed } from './answering.js';

let encoder;

answer({
  load: async () => { await init(); },
  model: async (shards) => { encoder = new Embedding(...await modelFiles('encoder', shards)); },
  tokenIds: (text) => [...encoder.token_ids(text)],
  vector: (text) => [...encoder.embed(text)],
  time: (text, repeats) => timed(repeats, () => encoder.embed(text)),
});
