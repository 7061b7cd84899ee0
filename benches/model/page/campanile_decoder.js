// Our language model on the CPU.
import init, { Writing } from '/campanile/campanile_models.js';
import { answer, modelFiles } from './answering.js';

let model;

answer({
  load: async () => { await init(); },
  model: async (shards) => { model = new Writing(...await modelFiles('decoder', shards)); },
  tokenIds: (prompt) => [...model.token_ids(prompt)],
  write: async (ids, tokens) => {
    const written = await model.write(Uint32Array.from(ids), tokens);
    return { text: written.text, tokens: [...written.tokens], first: written.first_milliseconds, total: written.total_milliseconds };
  },
});
