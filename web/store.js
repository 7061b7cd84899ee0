// @ts-check
/**
 * The site's files as the workers see them: fetched once, then kept.
 *
 * Shards are named after their content, so a kept one never goes stale and is
 * taken from the cache first. The manifest is fetched anew each time and the
 * kept copy stands in when the network does not answer. Whether the bytes are
 * the right ones is decided in the `core` module, which asks again with
 * `reload` when they are not; that replaces the kept copy.
 *
 * This lives in the workers, and not in the service worker, so that the files
 * of the very first visit are kept too: a service worker that has just been
 * installed does not see the requests of workers that are already running.
 */

/** @import { ShardEntry } from "./pkg/core/campanile_core.js" */

import { nameOf } from "./origin.js";
import { isSingleFile, responseOf } from "./single-file.js";
import { formatBytes } from "./sizes.js";

/** A server that sends nothing for this long is taken to have gone. */
const STALL_MILLISECONDS = 12_000;

/** The page's own files are tried for this long before the page goes on with what it has. */
const AFRESH_MILLISECONDS = 8_000;

/**
 * Of two files that are read one behind the other, the second is asked for when no more than this is missing of the first:
 * what a slow line (180 kB a second) carries in the time from a request to its first byte (562 ms), and some more.
 */
const LEAD_BYTES = 128_000;

export const MANIFEST = "campanile.json";

/** A file could not be read; the message is meant for the visitor. */
export class ReadError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "ReadError";
  }
}

/** A program came as it was published, and this browser runs no such program: it is too old, or a strict setting forbids it. */
export class BeyondBrowser extends ReadError {
  /** @param {string} path @param {string} reason */
  constructor(path, reason) {
    super(`This browser cannot run ${path}: ${reason}.`);
    this.name = "BeyondBrowser";
  }
}

/** The folder that the site lives in, with its slash; the modules are one level below it. */
export const SITE = new URL("../", import.meta.url);

/** Name of the cache that holds a site's shards. @param {URL} [site] */
export const dataCacheName = (site = SITE) => `campanile-data:${nameOf(site)}`;

/**
 * @typedef {object} StoreEvents
 * @property {(bytes: number) => void} [onBytes]  bytes that have just arrived, cached or not
 * @property {(message: string) => void} [onNotice]  told once when files cannot be kept
 */

export class SiteStore {
  /** @type {URL} */ #site;
  /** @type {StoreEvents} */ #events;
  /** @type {Promise<Cache | null> | undefined} */ #cache;
  #keeping = true;
  /** Addresses of the files that this worker has read. @type {Set<string>} */
  #read = new Set();

  /** Files that are on their way before they were asked for, by path. @type {Map<string, Promise<Uint8Array<ArrayBuffer>>>} */
  #early = new Map();
  /** What is to be read behind what is being read. @type {Pick<ShardEntry, "path" | "bytes">[]} */
  #queue = [];
  #isRunning = false;
  /** Called with the bytes that have come of a file, by path. @type {Map<string, (bytes: number) => void>} */
  #watched = new Map();

  /** Requests that are on the network now. */
  fetching = 0;
  /** Bytes that have come from the network. */
  received = 0;

  /**
   * @param {StoreEvents} [events]
   * @param {URL} [site]
   */
  constructor(events = {}, site = SITE) {
    this.#site = site;
    this.#events = events;
  }

  /** The folder of the site that is read. */
  get site() {
    return this.#site;
  }

  /** From now on another site is read. @param {URL} site  its folder */
  move(site) {
    this.#site = site;
    this.#cache = undefined;
  }

  /**
   * Reads one file of the site.
   * @param {string} path  relative to the site's folder
   * @param {boolean} reload  passes over every cache and replaces the kept copy
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async read(path, reload) {
    const early = this.#early.get(path);
    this.#early.delete(path);
    if (early && !reload) {
      // What did not come early may come now.
      const bytes = await early.catch(() => null);
      if (bytes) return bytes;
    }
    return this.#readNow(path, reload);
  }

  /** Begins to read a file that will be asked for in a moment. @param {string} path */
  ahead(path) {
    if (this.#early.has(path)) return;
    const reading = this.#readNow(path, false);
    // Whoever asks for it tries again.
    reading.catch(() => undefined);
    this.#early.set(path, reading);
  }

  /**
   * Begins to read files that will be asked for, one behind the other: the line never rests between them, and none takes
   * of it what an earlier one needs.
   * @param {Pick<ShardEntry, "path" | "bytes">[]} shards
   */
  async aheadInTurn(shards) {
    this.#queue.push(...shards);
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      const { path, bytes } = next;
      const nearlyThere = new Promise((resolve) => {
        if (bytes <= LEAD_BYTES) resolve(undefined);
        this.#watched.set(path, (came) => came >= bytes - LEAD_BYTES && resolve(undefined));
      });
      this.ahead(path);
      await Promise.race([nearlyThere, this.#early.get(path)?.catch(() => undefined)]);
      this.#watched.delete(path);
    }
    this.#isRunning = false;
  }

  /** @param {string} path @param {boolean} reload @returns {Promise<Uint8Array<ArrayBuffer>>} */
  async #readNow(path, reload) {
    const url = this.#address(path);
    this.#read.add(url.href);
    if (path === MANIFEST) return this.#readManifest(url, reload);
    if (!reload) {
      const kept = await this.#kept(url);
      if (kept) {
        this.#events.onBytes?.(kept.byteLength);
        return kept;
      }
    }
    const bytes = await this.#fetch(url, path, reload ? "reload" : "default");
    await this.#keep(url, bytes, "application/octet-stream");
    return bytes;
  }

  /**
   * A program of the page, compiled. One that is not what was published is fetched again past all caches.
   * @param {URL} url
   * @returns {Promise<WebAssembly.Module>}
   */
  async program(url) {
    const path = url.href.slice(SITE.href.length);
    if (typeof WebAssembly === "undefined") throw new BeyondBrowser(path, "it has no WebAssembly");
    try {
      return await this.#program(url, path, "default");
    } catch (error) {
      if (error instanceof BeyondBrowser) throw error;
      return this.#program(url, path, "reload");
    }
  }

  /**
   * @param {URL} url
   * @param {string} path
   * @param {RequestCache} cache
   */
  #program(url, path, cache) {
    // On their way together: a program is not run before it was compared.
    const files = publishedFiles();
    files.catch(() => undefined);
    return this.#request(url, path, cache, async (response, patience) => {
      const copy = response.clone();
      // The browser's own response is handed on as it is: only then is the compiled code kept too.
      const isTyped = response.headers.get("content-type")?.startsWith("application/wasm");
      const compiled = isTyped
        ? WebAssembly.compileStreaming(response)
        : response.arrayBuffer().then(WebAssembly.compile);
      const [module, bytes] = await Promise.allSettled([compiled, this.#body(copy, patience)]);
      if (bytes.status === "rejected") throw bytes.reason;
      // Told first: what is damaged may not compile, and that is no fault of the browser.
      if (!(await isPublished((await files)[path], bytes.value))) throw new ReadError(`${path} is damaged.`);
      if (module.status === "fulfilled") return module.value;
      throw module.reason instanceof WebAssembly.CompileError
        ? new BeyondBrowser(path, module.reason.message)
        : module.reason;
    });
  }

  /**
   * Lets go of shards that nothing names any more. The manifest names the heads
   * and the models, the heads name the rest: call this when every shard of the
   * index has been read through this store.
   * @param {Uint8Array} manifest  the manifest's bytes
   */
  async prune(manifest) {
    const cache = await this.#open();
    if (!cache) return;
    const named = new Set([this.#address(MANIFEST).href, ...this.#read]);
    for (const path of shardPaths(JSON.parse(new TextDecoder().decode(manifest)))) {
      named.add(this.#address(path).href);
    }
    for (const request of await cache.keys()) {
      if (!named.has(request.url)) await cache.delete(request);
    }
  }

  /** @param {string} path */
  #address(path) {
    const url = new URL(path, this.#site);
    if (!url.href.startsWith(this.#site.href)) {
      throw new ReadError(`The site names a file outside its own folder: ${path}. Build the site again.`);
    }
    return url;
  }

  /** @param {URL} url @param {boolean} reload */
  async #readManifest(url, reload) {
    try {
      const bytes = await this.#fetch(url, MANIFEST, reload ? "reload" : "no-cache");
      // A hotel's log-in page also answers 200: keep only what is JSON.
      if (isJson(bytes)) await this.#keep(url, bytes, "application/json");
      return bytes;
    } catch (error) {
      const kept = reload ? null : await this.#kept(url);
      if (kept) return kept;
      throw error;
    }
  }

  /**
   * @param {URL} url
   * @param {string} path
   * @param {RequestCache} cache
   */
  #fetch(url, path, cache) {
    return this.#request(url, path, cache, (response, patience) =>
      this.#body(response, patience, this.#watched.get(path)),
    );
  }

  /**
   * Requests a file, for as long as bytes of it come.
   * @template Taken
   * @param {URL} url
   * @param {string} path
   * @param {RequestCache} cache
   * @param {(response: Response, patience: Patience) => Promise<Taken>} take
   */
  async #request(url, path, cache, take) {
    const patience = new Patience(STALL_MILLISECONDS);
    this.fetching += 1;
    try {
      const response = isSingleFile()
        ? responseOf(path)
        : await fetch(url, { cache, signal: patience.signal, credentials: "same-origin" });
      if (!response) throw new ReadError(`${path} is not in this file. Ask the people who made it for a whole one.`);
      if (response.status !== 200) throw new ReadError(explainStatus(path, response.status, url));
      return await take(response, patience);
    } catch (error) {
      if (error instanceof ReadError) throw error;
      throw new ReadError(
        patience.ended
          ? `The server stopped sending ${path}. Check the connection and try again.`
          : `${path} could not be fetched: there is no connection to the server. Connect and try again.`,
      );
    } finally {
      this.fetching -= 1;
      patience.stop();
    }
  }

  /**
   * @param {Response} response
   * @param {Patience} patience
   * @param {(bytes: number) => void} [onReceived]
   */
  async #body(response, patience, onReceived) {
    /** @type {Uint8Array[]} */
    const parts = [];
    let size = 0;
    const reader = response.body?.getReader();
    while (reader) {
      const { done, value } = await reader.read();
      if (done) break;
      patience.renew();
      parts.push(value);
      size += value.byteLength;
      this.received += value.byteLength;
      this.#events.onBytes?.(value.byteLength);
      onReceived?.(size);
    }
    const bytes = roomFor(size);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.byteLength;
    }
    return bytes;
  }

  /** The cache, or null where the browser gives none: plain HTTP, some private windows. */
  #open() {
    this.#cache ??= (async () => {
      if (!("caches" in globalThis) || isSingleFile()) return null;
      try {
        return await caches.open(dataCacheName(this.#site));
      } catch {
        return null;
      }
    })();
    return this.#cache;
  }

  /** @param {URL} url */
  async #kept(url) {
    const cache = await this.#open();
    const response = await cache?.match(url);
    return response ? new Uint8Array(await response.arrayBuffer()) : null;
  }

  /**
   * @param {URL} url
   * @param {Uint8Array<ArrayBuffer>} bytes  whole, never a part
   * @param {string} type
   */
  async #keep(url, bytes, type) {
    const cache = await this.#open();
    if (!cache || !this.#keeping) return;
    try {
      await cache.put(
        url,
        new Response(bytes, { headers: { "content-type": type, "content-length": String(bytes.byteLength) } }),
      );
    } catch {
      // Out of room: go on without keeping, and say so once.
      this.#keeping = false;
      this.#events.onNotice?.(await noRoomFor(bytes.byteLength));
    }
  }
}

/**
 * Why a file could not be kept, with what was asked for and what the browser grants.
 * @param {number} bytes
 */
async function noRoomFor(bytes) {
  // Some browsers tell nothing, and a private window may refuse the question.
  const estimate = await globalThis.navigator?.storage?.estimate?.().catch(() => undefined);
  const granted = estimate?.quota ? `, of the ${formatBytes(estimate.quota)} that the browser grants this site` : "";
  return `This device has no room to keep ${formatBytes(bytes)} more of the site’s files${granted}. Everything works, but the page will need the network next time; removing files or data of other sites makes room.`;
}

/** @param {number} size  bytes */
function roomFor(size) {
  try {
    return new Uint8Array(size);
  } catch (error) {
    if (error instanceof RangeError)
      throw new ReadError(
        `There is not enough memory for another ${formatBytes(size)}. Close other tabs and programs and try again.`,
      );
    throw error;
  }
}

/**
 * How many bytes of a site's files this device keeps.
 * @param {URL[]} [others]  sites whose files the page reads too
 * @returns {Promise<number>}
 */
export async function keptBytes(others = []) {
  if (!("caches" in globalThis) || isSingleFile()) return 0;
  let sum = 0;
  for (const site of [SITE, ...others]) {
    // What is not there is not made by looking.
    if (!(await caches.has(dataCacheName(site)))) continue;
    const kept = await (await caches.open(dataCacheName(site))).matchAll();
    for (const response of kept) sum += Number(response.headers.get("content-length") ?? 0);
  }
  return sum;
}

/**
 * Lets go of every kept file, the page's own too. The caches themselves stay, since a worker may hold them.
 * @param {URL[]} [others]  sites whose files the page reads too
 */
export async function removeKept(others = []) {
  if (isSingleFile()) return;
  const data = [SITE, ...others].map(dataCacheName);
  for (const name of await caches.keys()) {
    if (!data.includes(name) && !name.startsWith(`campanile-shell:${SITE.pathname}:`)) continue;
    const cache = await caches.open(name);
    for (const request of await cache.keys()) await cache.delete(request);
  }
}

/** Fetches the page's own scripts past all caches, so that a damaged one that was kept is replaced. */
export async function fetchAfresh() {
  if (isSingleFile()) return;
  const signal = AbortSignal.timeout(AFRESH_MILLISECONDS);
  /** @param {string | URL} path */
  const afresh = async (path) => (await fetch(new URL(path, SITE), { cache: "reload", signal })).arrayBuffer();
  // The list itself may be what was damaged.
  await afresh(new URL("./files.js", import.meta.url)).catch(() => null);
  const scripts = Object.keys(await publishedFiles().catch(() => ({}))).filter((path) => path.endsWith(".js"));
  // Those that don't arrive now are asked for once more when they are needed, and missed then.
  await Promise.allSettled(scripts.map(afresh));
}

/** The page's own files with their hashes. Imported where it is asked: no first passage waits for it. */
async function publishedFiles() {
  return (await import("./files.js")).FILES;
}

/**
 * Whether these are the bytes that were published; true where nothing is known of the file, or the browser can't tell.
 * @param {string | undefined} published  what the file's SHA-256 begins with
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function isPublished(published, bytes) {
  // Over plain HTTP from another machine a browser computes no hash.
  if (!published || !globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const digits = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.startsWith(published);
}

/** Aborts when it has not been renewed for a while. */
class Patience {
  #controller = new AbortController();
  /** @type {ReturnType<typeof setTimeout>} */ #timer;
  #milliseconds;

  /** @param {number} milliseconds */
  constructor(milliseconds) {
    this.#milliseconds = milliseconds;
    this.#timer = this.#start();
  }

  get signal() {
    return this.#controller.signal;
  }

  get ended() {
    return this.#controller.signal.aborted;
  }

  #start() {
    return setTimeout(() => this.#controller.abort(), this.#milliseconds);
  }

  renew() {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  stop() {
    clearTimeout(this.#timer);
  }
}

/** @param {string} path @param {number} status @param {URL} url */
function explainStatus(path, status, url) {
  // Programs open a site's folder too, without a server.
  if (url.protocol === "file:") return `${path} is not in the site’s folder. Build the site again.`;
  return status === 404
    ? `${path} is not on the server (404). The site may have been published anew since this page was opened: reload the page.`
    : `The server answered ${status} for ${path}. Try again in a moment.`;
}

/** @param {Uint8Array} bytes */
function isJson(bytes) {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/**
 * Every shard that a manifest names, wherever in it the name stands.
 * @param {unknown} value
 * @returns {Generator<string>}
 */
export function* shardPaths(value) {
  if (typeof value === "string") {
    if (value.startsWith("shards/")) yield value;
  } else if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) yield* shardPaths(inner);
  }
}

/**
 * Every shard that a part of a manifest names, with its length.
 * @param {unknown} value
 * @returns {Pick<ShardEntry, "path" | "bytes">[]}
 */
export function shardsOf(value) {
  if (typeof value !== "object" || value === null) return [];
  const { path, bytes } = /** @type {Partial<ShardEntry>} */ (value);
  if (path?.startsWith("shards/") && bytes !== undefined) return [{ path, bytes }];
  return Object.values(value).flatMap(shardsOf);
}
