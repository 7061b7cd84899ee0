// @ts-check
/**
 * A folder in the place of a browser's Cache API: as much of it as `store.js` uses. One file holds one answer: its
 * address on the first line, then its bytes.
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const NEWLINE = 10;

/** @param {string} text */
const digest = (text) => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** @param {string | URL | { url: string }} request */
const addressOf = (request) => (typeof request === "object" && "url" in request ? request.url : String(request));

export class KeptFolder {
  #folder;

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
  }

  /** @param {string} name */
  async open(name) {
    const folder = join(this.#folder, digest(name));
    await mkdir(folder, { recursive: true });
    return new KeptFiles(folder);
  }

  /** Of the page's own program, which comes with the package, nothing is kept here. */
  async match() {
    return undefined;
  }
}

class KeptFiles {
  #folder;

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
  }

  /** @param {string | URL} request */
  async match(request) {
    try {
      const kept = await readFile(this.#file(addressOf(request)));
      return new Response(kept.subarray(kept.indexOf(NEWLINE) + 1));
    } catch (error) {
      if (/** @type {{ code?: string }} */ (error).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** @param {string | URL} request @param {Response} response */
  async put(request, response) {
    const address = addressOf(request);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const file = this.#file(address);
    // Another program may be reading, or writing the same: a file is there whole or not at all.
    const unfinished = `${file}.${process.pid}`;
    await writeFile(unfinished, Buffer.concat([Buffer.from(`${address}\n`), bytes]));
    await rename(unfinished, file);
  }

  async keys() {
    const names = await readdir(this.#folder);
    return Promise.all(
      names.map(async (name) => {
        const kept = await readFile(join(this.#folder, name));
        return { url: kept.subarray(0, kept.indexOf(NEWLINE)).toString() };
      }),
    );
  }

  /** @param {{ url: string }} request */
  async delete({ url }) {
    await rm(this.#file(url), { force: true });
  }

  /** @param {string} address */
  #file(address) {
    return join(this.#folder, digest(address));
  }
}
