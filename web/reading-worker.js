// @ts-check
/**
 * Reads passages on the graphics processor, in a worker of its own: it is started once an answer stands, and can
 * be thrown away without touching the search.
 */

/** @import { ReadingRequests } from "./messages.js" */
/** @import { Manifest } from "./pkg/core/campanile_core.js" */
/** @import { PassageReader } from "./pkg/gpu/campanile_gpu.js" */
/** @import { Diagnosis } from "./serve.js" */

import { watchDevices } from "./device-watch.js";
import { deviceFacts, judge } from "./devices.js";
import { serve, tell } from "./serve.js";
import { MANIFEST, ReadError, SiteStore, shardPaths } from "./store.js";

/** @type {PassageReader | undefined} */
let reader;
/** The reading that was asked for last. @type {Promise<unknown>} */
let reading = Promise.resolve();
/** What has befallen the graphics device. @type {Diagnosis | undefined} */
let deviceTrouble;

const store = new SiteStore({
  onBytes: () => undefined,
  onNotice: (message) => tell({ kind: "notice", message }),
});

watchDevices((trouble) => {
  deviceTrouble ??= trouble;
  tell({ kind: "fatal", ...trouble });
});

async function loadModule() {
  const [module, program] = await Promise.all([
    import("./pkg/gpu/campanile_gpu.js"),
    store.program(new URL("./pkg/gpu/campanile_gpu_bg.wasm", import.meta.url)),
  ]);
  await module.default({ module_or_path: program });
  return module;
}

/** The program and the models that a measurement holds for: the models' files are named after what is in them. */
async function model() {
  const bytes = await store.read(MANIFEST, false);
  const { generator, encoder, reader: change } = /** @type {Manifest} */ (JSON.parse(new TextDecoder().decode(bytes)));
  return [generator, ...shardPaths([encoder, change])].join(" ");
}

/** @type {import("./serve.js").Handlers<ReadingRequests>} */
const handlers = {
  probe: async ({ wish }) => ({ report: judge(await deviceFacts(), wish), model: await model() }),

  open: async () => {
    const module = await loadModule();
    reader = await module.PassageReader.open((path, reload) => store.read(path, reload));
    return null;
  },

  read: ({ question, passages }) => {
    const found = reading.then(() => {
      if (!reader) throw new Error("The reader is not open yet.");
      return reader.read(question, passages);
    });
    // The reader takes one question at a time, and the next may be asked before it has done with the last.
    reading = found.catch(() => undefined);
    return found;
  },
};

serve(handlers, {
  store,
  onSite: (site) => store.move(new URL(site)),
  diagnose: async (error) =>
    error instanceof ReadError ? { trouble: "unread", message: error.message } : (deviceTrouble ?? null),
});
