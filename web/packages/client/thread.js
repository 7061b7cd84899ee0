// @ts-check
/**
 * The search in a thread of Node.js: gives the thread what a browser's worker has, and starts the same program in it.
 *
 * Two things differ: files of a folder on disk are had by `fetch` as well, and there is no Cache API, in whose place a
 * folder keeps what came from the network, if one is given.
 */

import { mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { KeptFolder } from "./kept-folder.js";

const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);
const fetchFromNetwork = globalThis.fetch;

/** @param {string} path */
const typeOf = (path) => (path.endsWith(".wasm") ? "application/wasm" : "application/octet-stream");

/** @param {URL} url */
async function fromDisk(url) {
  try {
    return new Response(await readFile(fileURLToPath(url)), { headers: { "content-type": typeOf(url.pathname) } });
  } catch (error) {
    const { code } = /** @type {{ code?: string }} */ (error);
    if (code === "ENOENT" || code === "ENOTDIR") return new Response(null, { status: 404 });
    throw error;
  }
}

Object.assign(globalThis, {
  /** @param {unknown} message */
  postMessage: (message) => port.postMessage(message),
  /** @param {string} kind @param {(event: object) => void} heard */
  addEventListener(kind, heard) {
    const preventDefault = () => undefined;
    if (kind === "message") port.on("message", (data) => heard({ data }));
    else if (kind === "error") process.on("uncaughtException", (error) => heard({ error, preventDefault }));
    else if (kind === "unhandledrejection")
      process.on("unhandledRejection", (reason) => heard({ reason, preventDefault }));
  },
  /** @param {URL} url @param {RequestInit} init */
  fetch: (url, init) => (url.protocol === "file:" ? fromDisk(url) : fetchFromNetwork(url, init)),
});
const { keep } = /** @type {{ keep?: string }} */ (workerData);
if (keep) {
  // A browser goes on without keeping anything; who names a folder wants to know that it can't be had.
  await mkdir(keep, { recursive: true });
  Object.assign(globalThis, { caches: new KeptFolder(keep) });
}

await import("../../worker.js");
