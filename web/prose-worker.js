// @ts-check
/**
 * The language model, in a worker of its own: it is started only when the
 * reader asks for prose, and can be thrown away without touching the search.
 */

/** @import { ProseRequests, ProseDevice } from "./messages.js" */
/** @import { Prose } from "./pkg/gpu/campanile_gpu.js" */

import { Progress, serve, tell } from "./serve.js";
import { ReadError, SiteStore } from "./store.js";

/** @type {Progress | undefined} */
let progress;
/** @type {Prose | undefined} */
let prose;
let stopping = false;

const store = new SiteStore({
  onBytes: (bytes) => progress?.add(bytes),
  onNotice: (message) => tell({ kind: "notice", message }),
});

/**
 * Where the model can run. The GPU module needs timestamps from the adapter and
 * cannot recover when they are missing, so this is settled before it is loaded.
 * @returns {Promise<ProseDevice>}
 */
async function probe() {
  const adapter = await navigator.gpu?.requestAdapter();
  return adapter?.features.has("timestamp-query") ? "webgpu" : "cpu";
}

async function loadModule() {
  try {
    const [module, program] = await Promise.all([
      import("./pkg/gpu/campanile_gpu.js"),
      store.program(new URL("./pkg/gpu/campanile_gpu_bg.wasm", import.meta.url)),
    ]);
    await module.default({ module_or_path: program });
    return module;
  } catch (error) {
    if (error instanceof ReadError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ReadError(`The program that runs the language model could not be loaded (${reason}). Check the connection and try again.`);
  }
}

/** @type {import("./serve.js").Handlers<ProseRequests>} */
const handlers = {
  probe,

  open: async ({ device, bytes }, id) => {
    /** @param {number} loaded @param {number} total */
    const report = (loaded, total) => tell({ kind: "progress", id, loaded, total });
    try {
      // First the program, of no announced size, then the model.
      progress = new Progress(0, report);
      const module = await loadModule();
      progress = new Progress(bytes, report);
      prose = await module.Prose.open(
        (path, reload) => store.read(path, reload),
        { device },
        (loaded, total) => progress?.at(loaded, total),
      );
    } finally {
      progress = undefined;
    }
    return prose.device();
  },

  generate: async ({ prompt, maxTokens }, id) => {
    if (!prose) throw new Error("The language model is not open yet.");
    stopping = false;
    return prose.generate({ ...prompt, max_tokens: maxTokens }, (text) => {
      tell({ kind: "token", id, text });
      return !stopping;
    });
  },
};

serve(handlers, {
  fetching: () => store.fetching,
  onStop: () => { stopping = true; },
});
