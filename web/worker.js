// @ts-check
/**
 * Search and answers, off the page's thread. Holds the `core` module; everything
 * it needs is fetched when the first request comes and kept (see `store.js`).
 */

/** @import { Asker, CoreRequests, OtherWords } from "./messages.js" */
/** @import { Core } from "./pkg/core/campanile_core.js" */

import { FirstPassages } from "./first-passages.js";
import { Progress, serve, tell } from "./serve.js";
import { siteManifest } from "./site-manifest.js";
import { MANIFEST, ReadError, SiteStore } from "./store.js";

/** @type {Set<Progress>} */
const watching = new Set();

const store = new SiteStore({
  onBytes: (bytes) => {
    for (const progress of watching) progress.add(bytes);
  },
  onNotice: (message) => tell({ kind: "notice", message }),
});

const first = new FirstPassages(store);
/** @type {Promise<Core> | undefined} */
let opening;
/** @type {Promise<void> | undefined} */
let encoding;
/** @type {Uint8Array | undefined} */
let manifest;
/** The question that `core` answered last, and for whom; a prompt for prose is about that answer. */
let answered = "";

/** The opened site; a failure is not remembered, so that the next request tries again. */
function core() {
  opening ??= open().catch((error) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

async function open() {
  await first.over;
  const module = await loadModule();
  return module.Core.open(async (path, reload) => {
    if (path !== MANIFEST) return store.read(path, reload);
    if (reload || !manifest) manifest = await store.read(path, reload);
    return manifest;
  });
}

/** @param {string} question @param {Asker} asker @param {OtherWords} [words] */
async function ask(question, asker, words) {
  const result = await (await core()).ask(
    question,
    asker.profile,
    asker.everyone,
    words?.phrasings ?? [],
    words?.passage,
  );
  answered = keyOf(question, asker, words);
  return result;
}

/** @param {string} question @param {Asker} asker @param {OtherWords} [words] */
const keyOf = (question, asker, words) => JSON.stringify([question, asker.profile, asker.everyone, words]);

async function loadModule() {
  try {
    const [module, program] = await Promise.all([
      import("./pkg/core/campanile_core.js"),
      store.program(new URL("./pkg/core/campanile_core_bg.wasm", import.meta.url)),
    ]);
    await module.default({ module_or_path: program });
    return module;
  } catch (error) {
    if (error instanceof ReadError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ReadError(`The search program could not be loaded (${reason}). Check the connection and try again.`);
  }
}

/**
 * Runs a download and sends its progress to the request that asked for it.
 * @template Result
 * @param {number} id
 * @param {number} total  bytes, 0 while unknown
 * @param {(onProgress: (loaded: number, total: number) => void) => Promise<Result>} download
 */
async function followed(id, total, download) {
  const progress = new Progress(total, (loaded, all) => tell({ kind: "progress", id, loaded, total: all }));
  watching.add(progress);
  try {
    return await download((loaded, all) => progress.at(loaded, all));
  } finally {
    watching.delete(progress);
  }
}

/** @type {import("./serve.js").Handlers<CoreRequests>} */
const handlers = {
  manifest: async (_, id) => {
    first.expect();
    const bytes = await store.read(MANIFEST, false).catch(() => null);
    const site = bytes && siteManifest(bytes);
    if (site) {
      manifest = bytes;
      first.open(site.raw);
      return site.manifest;
    }
    // What is wrong with it, and what to do, `core` can say.
    first.skip();
    return (await followed(id, 0, core)).manifest();
  },

  find: ({ question, today }) => first.find(question, today),

  choices: async () => (await core()).choices(),

  "follow-up": async ({ question, earlier }) => (await core()).follow_up(question, earlier) ?? null,

  ask: async ({ question, asker, words }) => {
    first.skipUnlessWanted();
    return { ...(await ask(question, asker, words)), question };
  },

  read: async ({ question, asker, words }) => {
    // A worker that was started again, or asked something else, does not remember the answer.
    if (answered !== keyOf(question, asker, words)) await ask(question, asker, words);
    const result = (await core()).read();
    return result && { ...result, question };
  },

  "to-read": async ({ question, asker, words }) => {
    if (answered !== keyOf(question, asker, words)) await ask(question, asker, words);
    return (await core()).to_read() ?? null;
  },

  "read-with": async ({ question, asker, words, numbers }) => {
    // What was read is about those passages and no others.
    if (answered !== keyOf(question, asker, words)) return null;
    const result = (await core()).read_with(numbers);
    return result && { ...result, question };
  },

  "load-instant": async () => {
    await (await core()).load_instant();
    return null;
  },

  "load-encoder": async (_, id) => {
    const opened = await core();
    if (opened.encoder_ready()) return null;
    encoding ??= followed(id, opened.manifest().encoder?.bytes ?? 0, (report) => opened.load_encoder(report)).finally(
      () => {
        encoding = undefined;
      },
    );
    await encoding;
    return null;
  },

  "load-span-reader": async () => {
    await (await core()).load_span_reader();
    return null;
  },

  document: async ({ chunk }) => (await core()).document(chunk),

  prefetch: async (_, id) => {
    const opened = await core();
    await followed(id, 0, (report) => opened.prefetch(report));
    // Now every shard of the index has been read once, so the others are left over from an
    // older publication. They only take up room: a browser that keeps them is no failure.
    if (manifest) await store.prune(manifest).catch(() => undefined);
    return null;
  },

  "prose-prompt": async ({ question, asker, words }) => {
    // A worker that was started again, or asked something else, does not remember the answer.
    if (answered !== keyOf(question, asker, words)) await ask(question, asker, words);
    const prompt = (await core()).prose_prompt();
    if (!prompt) throw new Error("There is no passage to write from.");
    return prompt;
  },

  cite: async ({ question, asker, words, prose }) => {
    const opened = await core();
    // A worker that was started again, or asked something else, does not remember the answer.
    if (answered !== keyOf(question, asker, words)) await ask(question, asker, words);
    if (opened.manifest().checker && opened.encoder_ready()) {
      await opened.load_checker().catch((error) => {
        tell({
          kind: "notice",
          message: `Sentences are held against the sources less strictly: ${error instanceof Error ? error.message : String(error)}`,
        });
      });
    }
    return opened.cite(prose) ?? [];
  },
};

serve(handlers, { fetching: () => store.fetching });
