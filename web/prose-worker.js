// @ts-check
/**
 * The language model, in a worker of its own: it is started only when the
 * visitor asks for prose, and can be thrown away without touching the search.
 */

/** @import { ProseDevice, ProseRequests } from "./messages.js" */
/** @import { Prose } from "./pkg/gpu/campanile_gpu.js" */
/** @import { Diagnosis } from "./serve.js" */

import { watchDevices } from "./device-watch.js";
import { deviceFacts, judge } from "./devices.js";
import { isAllocationFailure, takenWhenFull } from "./memory.js";
import { Progress, serve, tell, wordsOf } from "./serve.js";
import { ReadError, SiteStore } from "./store.js";
import { formatBytes } from "./sizes.js";
import { Team } from "./team.js";

/** A failed kernel call and the word that the device is gone come in any order; on a busy machine they are seconds apart. */
const SETTLE_MILLISECONDS = 5_000;

/** @type {Progress | undefined} */
let progress;
/** @type {Prose | undefined} */
let prose;
/** @type {WebAssembly.Memory | undefined} */
let memory;
/** @type {ProseDevice | undefined} */
let device;
/** Those who compute with this worker on the processor. @type {Team | undefined} */
let team;
let modelBytes = 0;
let stopping = false;
/** @type {(trouble: Diagnosis) => void} */
let tellTrouble;
/** What befalls the graphics device first. @type {Promise<Diagnosis>} */
const deviceTrouble = new Promise((resolve) => {
  tellTrouble = resolve;
});
/** The last file of the model could not be read, so that its device is not to blame. */
let unread = false;

const store = new SiteStore({
  onBytes: (bytes) => progress?.add(bytes),
  onNotice: (message) => tell({ kind: "notice", message }),
});

watchDevices((trouble) => {
  tellTrouble(trouble);
  tell({ kind: "fatal", ...trouble });
});

/**
 * What is behind an error. The model's program says only that it failed.
 * @param {unknown} error
 * @returns {Promise<Diagnosis | null>}
 */
async function diagnose(error) {
  if (error instanceof ReadError || unread) return { trouble: "unread", message: wordsOf(error) };
  if (team?.lost) return { trouble: "helper-lost", message: team.lost.message };
  const taken = error instanceof WebAssembly.RuntimeError ? takenWhenFull(memory) : null;
  if (taken !== null || isAllocationFailure(error)) return outOfMemory(taken);
  if (device !== "webgpu") return null;
  /** @type {Promise<null>} */
  const settled = new Promise((resolve) => {
    setTimeout(resolve, SETTLE_MILLISECONDS, null);
  });
  return Promise.race([deviceTrouble, settled]);
}

/** @param {number | null} taken @returns {Diagnosis} */
function outOfMemory(taken) {
  const limit = taken === null ? "" : ` and was given no more than ${formatBytes(taken)}`;
  return { trouble: "memory", message: `The model takes ${formatBytes(modelBytes)} and room to work in${limit}.` };
}

async function loadModule() {
  try {
    const [module, program] = await Promise.all([
      import("./pkg/gpu/campanile_gpu.js"),
      store.program(new URL("./pkg/gpu/campanile_gpu_bg.wasm", import.meta.url)),
    ]);
    ({ memory } = await module.default({ module_or_path: program }));
    return module;
  } catch (error) {
    if (error instanceof ReadError || isAllocationFailure(error)) throw error;
    throw new ReadError(
      `The program that runs the language model could not be loaded (${wordsOf(error)}). Check the connection and try again.`,
    );
  }
}

/** @param {string} path @param {boolean} reload */
async function read(path, reload) {
  try {
    const bytes = await store.read(path, reload);
    unread = false;
    team?.has(path);
    return bytes;
  } catch (error) {
    unread = error instanceof ReadError;
    throw error;
  }
}

/** @type {import("./serve.js").Handlers<ProseRequests>} */
const handlers = {
  probe: async ({ wish }) => judge(await deviceFacts(), wish),

  open: async ({ device: wanted, bytes, workers }, id) => {
    /** @param {number} loaded @param {number} total */
    const report = (loaded, total) => tell({ kind: "progress", id, loaded, total });
    device = wanted;
    modelBytes = bytes;
    unread = false;
    try {
      // First the program, of no announced size, then the model.
      progress = new Progress(0, report);
      const module = await loadModule();
      progress = new Progress(bytes, report);
      if (wanted === "cpu" && workers > 1) team = new Team(workers, store.site);
      const open = () => module.Prose.open(read, wanted, (loaded, total) => progress?.at(loaded, total), team);
      prose = await open().catch((error) => {
        if (!team) throw error;
        const { lost } = team;
        team.close();
        team = undefined;
        // The files are kept by now, so that a second attempt costs no download.
        if (lost) return open();
        throw error;
      });
    } finally {
      progress = undefined;
    }
    return { device: prose.device(), workers: 1 + (team?.count ?? 0), rewords: prose.rewords() };
  },

  generate: async ({ prompt, maxTokens }, id) => {
    if (!prose) throw new Error("The language model is not open yet.");
    stopping = false;
    return prose.generate({ ...prompt, max_tokens: maxTokens }, (text) => {
      tell({ kind: "token", id, text });
      return !stopping;
    });
  },

  reword: async ({ question }) => {
    if (!prose) throw new Error("The language model is not open yet.");
    stopping = false;
    return prose.reword(question, () => !stopping);
  },
};

serve(handlers, {
  store,
  onSite: (site) => store.move(new URL(site)),
  onStop: () => {
    stopping = true;
  },
  diagnose,
});
