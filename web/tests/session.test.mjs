// A visitor's questions without a page: what is asked, and what comes of it, with a search that answers at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { WorkerFailure } from "../channel.js";
import { Asked } from "../client.js";
import { Session } from "../session.js";

const MANIFEST = {
  title: "T",
  examples: [],
  counts: { documents: 1, chunks: 2 },
  index_bytes: 1_000,
  keep_bytes: 1_000,
  encoder: { name: "E", bytes: 5 },
  instant: null,
  reader: { name: "R", bytes: 6 },
  prose: null,
};

/** A search whose models come when they are loaded. */
class Search {
  /** @type {any[]} */ asked = [];
  isEncoderThere = false;
  isReaderThere = false;
  /** @type {Error | null} */ failure = null;

  isInstantThere = false;
  /** @type {any} */ site = MANIFEST;

  async manifest() {
    return this.site;
  }
  async loadInstant() {
    this.isInstantThere = true;
  }
  async choices() {
    return null;
  }
  async find() {
    return null;
  }
  async followUp() {
    return null;
  }
  async loadEncoder() {
    this.isEncoderThere = true;
  }
  async loadSpanReader() {
    this.isReaderThere = true;
  }
  async prefetch() {}
  restarts = 0;
  async restart() {
    this.restarts += 1;
  }

  /** @param {string} question @param {object} asker @param {object | undefined} words */
  async ask(question, asker, words) {
    this.asked.push({ question, asker, words });
    if (this.failure) throw this.failure;
    const stage = this.isEncoderThere ? "hybrid" : this.isInstantThere ? "instant" : "lexical";
    const result = { question, stage, read: false, sources: [{ number: 1 }], trace: { phrasings: [] }, timings_ms: {} };
    return { result, read: async () => (this.isReaderThere ? { ...result, read: true } : null) };
  }
}

/** @param {Search} search @param {object} [surroundings] */
function sessionOf(search, surroundings = {}) {
  /** @type {any[]} */ const told = [];
  const session = new Session(
    /** @type {any} */ ({
      onState: (/** @type {string} */ state) => told.push(state),
      onOpening: () => undefined,
      onOpen: () => told.push("open"),
      onLoaded: async () => undefined,
      onPassages: (/** @type {any} */ _sources, /** @type {string} */ _question, /** @type {any} */ found) =>
        told.push(`passages ${found?.stage}`),
      onResult: (/** @type {any} */ { stage, read }, /** @type {any} */ { better }) =>
        told.push(`${stage}${read ? " read" : ""}${better ? ", better" : ""}`),
      onFailure: (/** @type {string} */ what, /** @type {Error} */ error, /** @type {() => void} */ retry) =>
        told.push({ what, message: error.message, retry }),
      onPart: () => undefined,
      onNotice: () => undefined,
      onReading: () => undefined,
    }),
    { wish: () => "cpu", sparesData: () => false, profile: {}, ...surroundings },
    () => /** @type {any} */ (search),
  );
  return { session, told };
}

test("no answer is told before its passages were read, as long as what reads them is on its way", async () => {
  const search = new Search();
  const { session, told } = sessionOf(search);
  await session.ask("When does it open?");
  await delay(20);
  assert.deepEqual(
    told.filter((word) => /lexical|hybrid/.test(String(word))),
    ["passages lexical", "hybrid read"],
  );
  assert.equal(session.state, "answered");
  assert.equal(session.result?.read, true);
  assert.equal(search.asked.length, 2, "what came while it was asked again is no reason to ask a third time");
  assert.ok(search.asked.every(({ question }) => question === "When does it open?"));
});

test("where the models do not come, the answer is what was found without them", async () => {
  for (const missing of ["loadEncoder", "loadSpanReader"]) {
    const search = new Search();
    Object.assign(search, { [missing]: () => Promise.reject(new Error("no network")) });
    const { session, told } = sessionOf(search);
    await session.ask("When does it open?");
    await delay(20);
    assert.equal(session.isAwaited, false);
    const stage = missing === "loadEncoder" ? "lexical" : "hybrid";
    assert.deepEqual(
      told.filter((word) => word === stage),
      [stage],
      `an answer, once, without ${missing}`,
    );
  }
});

test("a site without an encoder answers with what comes before it, once", async () => {
  const search = new Search();
  search.site = { ...MANIFEST, encoder: null, reader: null, instant: {} };
  const { session, told } = sessionOf(search);
  await session.ask("When does it open?");
  await delay(20);
  assert.deepEqual(
    told.filter((word) => /lexical|instant/.test(String(word))),
    ["passages lexical", "instant"],
  );
  await session.ask("And when does it close?");
  assert.equal(told.at(-1), "instant", "the next is asked with it");
});

test("an answer that stands is made better, and not taken back for passages", async () => {
  const search = new Search();
  const { session, told } = sessionOf(search, { sparesData: () => true });
  await session.open();
  await session.ask("When does it open?");
  await session.loadEncoder();
  await delay(20);
  assert.deepEqual(
    told.filter((word) => /lexical|hybrid/.test(String(word))),
    ["lexical", "hybrid, better", "hybrid read, better"],
  );
});

test("what is started again does once more what was asked, with models that are loaded anew", async () => {
  const search = new Search();
  const { session } = sessionOf(search);
  search.failure = new WorkerFailure("The search program could not be loaded.", "broken");
  await session.ask("Who?", true);
  assert.equal(session.state, "failed");
  search.failure = null;
  await session.startAgain();
  await delay(20);
  assert.equal(session.state, "answered");
  assert.equal(search.restarts, 1);
  assert.deepEqual([search.asked.at(-1).question, search.asked.at(-1).asker.everyone], ["Who?", true]);
});

test("a late answer to an old question is dropped", async () => {
  const search = new Search();
  const { session } = sessionOf(search);
  const first = session.ask("Old?");
  await Promise.all([first, session.ask("New?")]);
  await delay(20);
  assert.equal(session.result?.question, "New?");
});

test("where data is to be spared, models and index are offered, not fetched", async () => {
  const search = new Search();
  Object.assign(globalThis, { caches: {} });
  try {
    const { session } = sessionOf(search, { sparesData: () => true });
    await session.open();
    await session.ask("Who?");
    await delay(20);
    assert.equal(session.part("encoder").state, "offered");
    assert.equal(session.part("index").state, "offered");
    assert.equal(search.isEncoderThere, false);
    await session.loadEncoder();
    await delay(20);
    assert.equal(session.result?.stage, "hybrid");
  } finally {
    Reflect.deleteProperty(globalThis, "caches");
  }
});

test("an index is kept without asking up to the size that its site names", async () => {
  Object.assign(globalThis, { caches: {} });
  try {
    for (const [keep_bytes, expected] of [
      [1_000, "ready"],
      [999, "offered"],
    ]) {
      const search = new Search();
      search.site = { ...MANIFEST, keep_bytes };
      const { session } = sessionOf(search);
      await session.open();
      await session.ask("Who?");
      // A busy machine takes its time.
      for (let turn = 0; turn < 200 && session.part("index").state !== expected; turn += 1) await delay(10);
      assert.equal(session.part("index").state, expected, String(keep_bytes));
    }
  } finally {
    Reflect.deleteProperty(globalThis, "caches");
  }
});

test("what the encoder may ask for is kept too, behind the answer", async () => {
  const search = new Search();
  /** @type {string[]} */ const order = [];
  const readers = search.loadSpanReader.bind(search);
  search.loadSpanReader = async () => {
    await delay(5);
    order.push("reader");
    await readers();
  };
  search.prefetch = async () => {
    order.push(search.isEncoderThere ? "kept with the encoder's" : "kept");
    await delay(50);
  };
  Object.assign(globalThis, { caches: {} });
  try {
    const { session } = sessionOf(search);
    await session.open();
    session.keepIndex();
    await session.loadEncoder();
    assert.equal(session.part("index").state, "loading");
    await session.keepIndex();
    assert.deepEqual(order, ["kept", "reader", "kept with the encoder's"]);
    assert.equal(session.part("index").state, "ready");
  } finally {
    Reflect.deleteProperty(globalThis, "caches");
  }
});

test("devices are compared once the language model rests", async () => {
  Object.assign(globalThis, { caches: {} });
  try {
    const { session } = sessionOf(new Search());
    const model = { isFree: false, isAtWork: true, reword: async () => null };
    session.rewriter = model;
    await session.ask("When does it open?");
    await delay(20);
    assert.equal(session.part("index").state, "ready");
    assert.deepEqual(session.readingLines, [], "its figures would be spoilt");
    // Its text stands: `isFree` stays false.
    model.isAtWork = false;
    session.rest();
    await delay(20);
    assert.equal(session.readingLines.at(-1), "The processor reads.", "here, where there are no workers");
  } finally {
    Reflect.deleteProperty(globalThis, "caches");
  }
});

test("a question that fails can be asked again", async () => {
  const search = new Search();
  const { session, told } = sessionOf(search);
  search.failure = new Error("no network");
  await session.ask("Who?");
  assert.equal(session.state, "failed");
  const { what, message, retry } = told.find((word) => typeof word === "object");
  assert.deepEqual([what, message], ["ask", "no network"]);
  search.failure = null;
  await retry();
  assert.equal(session.state, "answered");
});

test("what a worker has forgotten is asked once more, and other failures are not", async () => {
  /** @type {string[]} */ const requests = [];
  let isForgotten = true;
  const channel = {
    request: async (/** @type {string} */ kind) => {
      requests.push(kind);
      if (kind === "ask") isForgotten = false;
      else if (isForgotten) throw new WorkerFailure("The question is to be asked again.", "forgotten");
      else if (kind === "prompt") throw new WorkerFailure("There is no passage to write from.", undefined);
      return ["a passage"];
    },
  };
  const told = { asked: 1, question: "Who?", asker: { profile: "{}", everyone: false } };
  const asked = new Asked(/** @type {any} */ (channel), told, /** @type {any} */ ({}));
  assert.deepEqual(await asked.passages(), ["a passage"]);
  assert.deepEqual(requests, ["passages", "ask", "passages"]);
  await assert.rejects(asked.prompt(), /no passage/);
  assert.deepEqual(requests.slice(3), ["prompt"]);
});
