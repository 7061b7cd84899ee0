// When the program that answers may be fetched: behind the first passages, and never later than somebody waits for it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { FirstPassages } from "../first-passages.js";
import { readManifest } from "../manifest.js";

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
    JSON.stringify({ format: 3, counts: {}, lexical: { head: {} }, documents: { head: {} }, ...changes }),
  );

test("a manifest is read with its file", () => {
  const bytes = fileOf({ title: "T" });
  const site = readManifest(bytes) ?? assert.fail("a manifest");
  assert.equal(site.manifest.title, "T");
  assert.equal(site.bytes, bytes);
});

test("what is no manifest of this format is left to the program that can explain it", () => {
  for (const changes of [{ format: 4 }, { lexical: null }, { documents: {} }, { counts: undefined }]) {
    assert.equal(readManifest(fileOf(changes)), null, JSON.stringify(changes));
  }
  for (const text of ["<!doctype html>", "null", "3", "[]"]) {
    assert.equal(readManifest(new TextEncoder().encode(text)), null, text);
  }
});
