// @ts-check
/**
 * Search and answers, off the page's thread. Holds the `core` module; everything
 * it needs is fetched when the first request comes and kept (see `store.js`).
 */

/** @import { CoreRequests, Trouble } from "./messages.js" */
/** @import { Asked, Core, Manifest } from "./pkg/core/campanile_core.js" */

import { FirstPassages } from "./first-passages.js";
import { Progress, serve, tell, wordsOf } from "./serve.js";
import { readManifest, startingBytes, startingFiles } from "./manifest.js";
import { BeyondBrowser, MANIFEST, ReadError, SiteStore, shardsOf } from "./store.js";

/** @type {Set<Progress>} */
const watching = new Set();

/** @type {import("./store.js").StoreEvents} */
const events = {
  onBytes: (bytes) => {
    for (const progress of watching) progress.add(bytes);
  },
  onNotice: (message) => tell({ kind: "notice", message }),
};

const store = new SiteStore(events);

const first = new FirstPassages(store);
/** @type {Promise<Core> | undefined} */
let opening;
/** @type {Promise<void> | undefined} */
let encoding;
/** The site's manifest, and the bytes of its file. @type {{ manifest: Manifest, bytes: Uint8Array } | undefined} */
let site;
/** The questions whose answers can be read and written about, by the number that the page gave them. @type {Map<number, Asked>} */
const remembered = new Map();
/** The work under way with some of them. @type {WeakMap<Asked, Promise<unknown>>} */
const underWay = new WeakMap();
/** So many: those that are shown, made better or written about, and some that are not yet done with. */
const REMEMBERED = 8;

/** Nothing is known here of a question. */
class Forgotten extends Error {}

/** The program that answers is not there. */
class NoProgram extends Error {
  /** @type {Trouble} */ trouble;

  /** @param {string} message @param {Trouble} trouble */
  constructor(message, trouble) {
    super(message);
    this.trouble = trouble;
  }
}

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
    if (site && !reload) return site.bytes;
    const bytes = await store.read(path, reload);
    site = readManifest(bytes) ?? undefined;
    return bytes;
  }, reach);
}

/** What reads the files of a site that a campus asks, each into a cache of its own. @param {string} address */
function reach(address) {
  const other = new SiteStore(events, new URL(address, store.site));
  return (/** @type {string} */ path, /** @type {boolean} */ reload) => other.read(path, reload);
}

/** @param {CoreRequests["ask"]["takes"]} told */
async function ask({ asked, question, asker, words }) {
  const found = await (await core()).ask(
    question,
    asker.profile,
    asker.everyone,
    words?.phrasings ?? [],
    words?.passage,
    asker.settings,
  );
  forget(asked);
  remembered.set(asked, found);
  for (const number of remembered.keys()) {
    if (remembered.size <= REMEMBERED) break;
    forget(number);
  }
  return found.result();
}

/** Has all that an answer by meaning needs fetched in the order in which it is needed, without a rest between the files. */
function fetchForAnswers() {
  if (!site) return;
  const { encoder, vectors, late, reader } = site.manifest;
  // A graph stands in for vectors, and is fetched in parts.
  store.aheadInTurn(
    [startingFiles(encoder), site.manifest.graph ? null : vectors, late?.head, reader].flatMap(shardsOf),
  );
}

/** Gives up a question once nothing is being done with it: it may wait for a file. @param {number} asked */
async function forget(asked) {
  const question = remembered.get(asked);
  if (!question) return;
  remembered.delete(asked);
  await underWay.get(question);
  question.free();
}

/**
 * Does something with a question that was asked.
 * @template T
 * @param {number} asked
 * @param {(question: Asked) => Promise<T>} work
 */
function during(asked, work) {
  const question = recall(asked);
  const done = work(question);
  underWay.set(question, Promise.allSettled([underWay.get(question), done]));
  return done;
}

/** A question that was asked. @param {number} asked */
function recall(asked) {
  const found = remembered.get(asked);
  if (!found) throw new Forgotten("The question is to be asked again.");
  return found;
}

async function loadModule() {
  try {
    const [module, program] = await Promise.all([
      import("./pkg/core/campanile_core.js"),
      store.program(new URL("./pkg/core/campanile_core_bg.wasm", import.meta.url)),
    ]);
    await module.default({ module_or_path: program });
    return module;
  } catch (error) {
    const trouble = error instanceof BeyondBrowser ? "browser" : "broken";
    throw new NoProgram(`The search program could not be loaded (${wordsOf(error)}).`, trouble);
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
    const found = bytes && readManifest(bytes);
    if (found) {
      site = found;
      // A campus has no passages of its own.
      if (found.manifest.campus) first.skip();
      else first.open(found.manifest);
      return found.manifest;
    }
    // What is wrong with it, and what to do, `core` can say; or it reads it past all caches.
    first.skip();
    await followed(id, 0, core);
    if (!site) throw new ReadError("The site’s `campanile.json` could not be read.");
    return site.manifest;
  },

  find: ({ question, today }) => first.find(question, today),

  choices: async () => (await core()).choices(),

  "follow-up": async ({ question, earlier }) => (await core()).follow_up(question, earlier) ?? null,

  ask: (told) => {
    first.skipUnlessWanted();
    return ask(told);
  },

  read: async ({ asked }) => during(asked, (question) => question.read()),

  passages: async ({ asked }) => recall(asked).passages_to_read(),

  "read-with": async ({ asked, numbers }) => recall(asked).read_with(numbers),

  prompt: async ({ asked }) => {
    const prompt = await during(asked, (question) => question.prompt());
    if (!prompt) throw new Error("There is no passage to write from.");
    return prompt;
  },

  cite: async ({ asked, prose }) => {
    const opened = await core();
    if (site?.manifest.checker && opened.encoder_ready()) {
      await opened.load_checker().catch((error) => {
        tell({
          kind: "notice",
          message: `Sentences are held against the sources less strictly: ${wordsOf(error)}`,
        });
      });
    }
    return during(asked, (question) => question.cite(prose));
  },

  "load-instant": async () => {
    // It is small, and comes beside the program that searches with it.
    first.over.then(() => store.aheadInTurn(shardsOf(site?.manifest.instant)));
    await (await core()).load_instant();
    return null;
  },

  "load-encoder": async (_, id) => {
    const opened = await core();
    if (opened.encoder_ready()) return null;
    fetchForAnswers();
    encoding ??= followed(id, startingBytes(site?.manifest.encoder), (report) => opened.load_encoder(report)).finally(
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

  contents: async () => (await core()).contents(),
  document: async ({ chunk }) => (await core()).document(chunk),

  prefetch: async (_, id) => {
    const opened = await core();
    await followed(id, 0, (report) => opened.prefetch(report));
    // Now every shard of the index has been read once, so the others are left over from an
    // older publication. They only take up room: a browser that keeps them is no failure.
    if (site) await store.prune(site.bytes).catch(() => undefined);
    return null;
  },
};

serve(handlers, {
  store,
  onSite: (site) => store.move(new URL(site)),
  diagnose: async (error) => {
    if (error instanceof Forgotten) return { trouble: "forgotten", message: error.message };
    return error instanceof NoProgram ? { trouble: error.trouble, message: error.message } : null;
  },
});
