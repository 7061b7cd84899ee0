// Files that are fetched before they are asked for: each once, in their order, and no harm where one does not come.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { SiteStore, shardsOf } from "../store.js";

const SITE = new URL("http://site.test/");
const LARGE = 400_000;

const fetched = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = fetched;
});

/** A host that sends of each file what it is told to. */
function host() {
  /** @type {string[]} */ const asked = [];
  /** @type {Map<string, ReadableStreamDefaultController<Uint8Array>>} */ const sending = new Map();
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {URL} */ url) => {
      const path = url.pathname.slice(1);
      asked.push(path);
      return new Response(new ReadableStream({ start: (controller) => void sending.set(path, controller) }));
    }
  );
  const send = async (/** @type {string} */ path, /** @type {number} */ bytes) => {
    sending.get(path)?.enqueue(new Uint8Array(bytes));
    await delay(5);
  };
  const end = async (/** @type {string} */ path) => {
    sending.get(path)?.close();
    await delay(5);
  };
  const fail = async (/** @type {string} */ path) => {
    sending.get(path)?.error(new TypeError("no network"));
    await delay(5);
  };
  return { asked, send, end, fail };
}

const shard = (/** @type {string} */ name, /** @type {number} */ bytes) => ({ path: `shards/${name}`, bytes });

test("a file that is on its way is not fetched a second time", async () => {
  const { asked, send, end } = host();
  const store = new SiteStore({}, SITE);
  store.ahead("shards/a");
  store.ahead("shards/a");
  const reading = store.read("shards/a", false);
  await delay(5);
  await send("shards/a", 3);
  await end("shards/a");
  assert.equal((await reading).byteLength, 3);
  assert.deepEqual(asked, ["shards/a"]);
});

test("one that did not come early is fetched once more when it is asked for", async () => {
  const { asked, send, end, fail } = host();
  const store = new SiteStore({}, SITE);
  store.ahead("shards/a");
  await delay(5);
  await fail("shards/a");
  const reading = store.read("shards/a", false);
  await delay(5);
  await send("shards/a", 4);
  await end("shards/a");
  assert.equal((await reading).byteLength, 4);
  assert.deepEqual(asked, ["shards/a", "shards/a"]);
});

test("who asks past all caches gets nothing that was on its way before", async () => {
  const { asked, send, end } = host();
  const store = new SiteStore({}, SITE);
  store.ahead("shards/a");
  await delay(5);
  await end("shards/a");
  const reading = store.read("shards/a", true);
  await delay(5);
  await send("shards/a", 2);
  await end("shards/a");
  assert.equal((await reading).byteLength, 2);
  assert.equal(asked.length, 2);
});

test("in turn, the next file is asked for when the one before has nearly come", async () => {
  const { asked, send, end, fail } = host();
  const store = new SiteStore({}, SITE);
  store.aheadInTurn([shard("large", LARGE), shard("small", 10), shard("last", LARGE)]);
  store.aheadInTurn([shard("later", 10)]);
  await delay(5);
  await send("shards/large", LARGE / 2);
  assert.deepEqual(asked, ["shards/large"], "half of it is missing");
  await send("shards/large", LARGE / 2 - 1_000);
  // Of the small one nothing has come, and no more than its time on the way is won.
  assert.deepEqual(asked, ["shards/large", "shards/small", "shards/last"]);
  await end("shards/large");
  await fail("shards/last");
  assert.equal(asked.at(-1), "shards/later", "one that fails holds up none");
});

test("the shards of a part of the manifest, wherever in it they stand", () => {
  const file = (/** @type {string} */ name) => ({ name, shard: { ...shard(name, 1), sha256: "" } });
  const encoder = { name: "shards/no", bytes: 2, files: [file("a"), file("b")] };
  assert.deepEqual([encoder, null, undefined, shard("c", 3)].flatMap(shardsOf), [
    shard("a", 1),
    shard("b", 1),
    shard("c", 3),
  ]);
});
