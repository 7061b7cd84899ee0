// When the program that answers may be fetched: behind the first passages, and never later than somebody waits for it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { FirstPassages } from "../first-passages.js";
import { siteManifest } from "../site-manifest.js";

/** A store without a network: whatever is asked for does not come. */
const offline = /** @type {any} */ ({
  program: async () => {
    throw new Error("no network");
  },
  read: async () => {
    throw new Error("no network");
  },
});

/** Whether a promise has settled by now. @param {Promise<unknown>} promise */
const settled = (promise) => Promise.race([promise.then(() => true), delay(20, false)]);

test("a worker that is told of no site waits for nothing", async () => {
  assert.equal(await settled(new FirstPassages(offline).over), true);
});

test("what cannot be had is not waited for", async () => {
  const first = new FirstPassages(offline);
  first.expect();
  first.open({});
  assert.equal(await first.find("library hours", "2026-11-22"), null);
  assert.equal(await settled(first.over), true);
});

test("a question waits for the manifest as long as that takes, and for none that nobody asked for", async () => {
  const [first, restarted] = [new FirstPassages(offline), new FirstPassages(offline)];
  first.expect();
  const found = first.find("library hours", "2026-11-22");
  assert.equal(await settled(found), false, "the manifest is on its way");
  assert.equal(await settled(first.over), false, "passages are wanted");
  assert.equal(await restarted.find("library hours", "2026-11-22"), null);
  first.skip();
  assert.equal(await found, null);
  assert.equal(await settled(first.over), true);
});

test("who asks the program itself releases it, unless passages are wanted first", async () => {
  // A cache that takes its time: the small program is neither there nor known to be missing.
  Object.assign(globalThis, { caches: { match: () => new Promise(() => undefined) } });
  try {
    const [first, wanted] = [new FirstPassages(offline), new FirstPassages(offline)];
    for (const each of [first, wanted]) {
      each.expect();
      each.open({});
    }
    wanted.find("library hours", "2026-11-22");
    assert.equal(await settled(first.over), false, "a question may come");
    for (const each of [first, wanted]) each.skipUnlessWanted();
    assert.equal(await settled(first.over), true);
    assert.equal(await settled(wanted.over), false, "passages are wanted");
  } finally {
    Reflect.deleteProperty(globalThis, "caches");
  }
});

/** @param {object} changes */
const fileOf = (changes) =>
  new TextEncoder().encode(
    JSON.stringify({
      format: 3,
      title: "T",
      description: "",
      language: "en",
      examples: ["Who?"],
      counts: { documents: 1, chunks: 2 },
      lexical: { head: { path: "shards/a.bin", bytes: 3 }, bytes: 10 },
      documents: { head: { path: "shards/b.bin", bytes: 4 }, bytes: 20 },
      instant: {
        pieces: 7,
        table: { path: "shards/c.bin", bytes: 100 },
        passages: { path: "shards/d.bin", bytes: 200 },
      },
      encoder: { name: "E", bytes: 5_000, files: [{ name: "x", shard: { bytes: 5_000 } }] },
      prose: null,
      reader: { name: "R", bytes: 600, files: [{ name: "y", shard: { bytes: 600 } }] },
      ...changes,
    }),
  );

test("a manifest says what the page needs, models counted apart", () => {
  const { manifest } = siteManifest(fileOf({})) ?? assert.fail("a manifest");
  assert.deepEqual(manifest.index, { bytes: 337 });
  assert.deepEqual(manifest.instant, { bytes: 300 });
  assert.deepEqual(manifest.encoder, { name: "E", bytes: 5_000 });
  assert.deepEqual(manifest.reader, { name: "R", bytes: 600 });
  assert.equal(manifest.prose, null);
  assert.deepEqual(manifest.counts, { documents: 1, chunks: 2 });
});

test("what is no manifest of this format is left to the program that can explain it", () => {
  for (const changes of [{ format: 4 }, { lexical: null }, { documents: {} }, { counts: undefined }]) {
    assert.equal(siteManifest(fileOf(changes)), null, JSON.stringify(changes));
  }
  assert.equal(siteManifest(new TextEncoder().encode("<!doctype html>")), null);
  assert.equal(siteManifest(new TextEncoder().encode("null")), null);
});
