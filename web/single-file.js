// @ts-check
/**
 * A whole site in one file, as `campanile build --single-file` writes it: it is opened by a double click, and nothing is
 * fetched. Each of its other files is a part of the page, as data in a script element of its own, in base64, by its path in
 * the site; `crates/build/src/single_file.rs` writes them. In any other page there are none, and this does nothing.
 */

/**
 * A file of the site, as it lies in the page.
 * @typedef {object} Part
 * @property {string} text  in base64; no `Blob`, which WebKit cannot read in a worker of a page from a file
 * @property {boolean} isZipped  by gzip
 */

/** By the path in the site. @type {Map<string, Part>} */
let parts = new Map();
/** The addresses that scripts of workers have in this page. @type {Map<string, string>} */
let scripts = new Map();

/** Whether everything lies in one file with the page. */
export const isSingleFile = () => parts.size > 0;

/** All parts, for a worker. */
export const allParts = () => parts;

/**
 * From now on these are the parts: of this page, or in a worker of the page that has started it.
 * @param {Map<string, Part>} found
 * @param {Map<string, string>} [addresses]  of the scripts of workers
 */
export function holdParts(found, addresses = new Map()) {
  parts = found;
  scripts = addresses;
}

/** The address of a worker's script, by its path in the site. @param {string} path */
export const scriptOf = (path) => scripts.get(path) ?? null;

/**
 * A part as if it had been fetched; null where there is none of this path.
 * @internal
 * @param {string} path
 */
export function responseOf(path) {
  const part = parts.get(path);
  if (!part) return null;
  const { body } = new Response(bytesOf(asciiOf(part.text)));
  const unzipped = part.isZipped ? body?.pipeThrough(new DecompressionStream("gzip")) : body;
  const [, ending = ""] = path.split(/\.(?=[^.]*$)/u);
  return new Response(unzipped, { headers: { "content-type": TYPES[ending] ?? "application/octet-stream" } });
}

/** What files are, by their ending. @type {Record<string, string>} */
const TYPES = { wasm: "application/wasm", txt: "text/plain; charset=utf-8" };

/** @param {string} text */
export const asciiOf = (text) => new TextEncoder().encode(text);

const DIGITS = asciiOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const VALUES = new Uint8Array(128);
DIGITS.forEach((digit, value) => {
  VALUES[digit] = value;
});
const PADDING = 61;

/**
 * What base64 says (RFC 4648, section 4), without line breaks.
 * @param {Uint8Array} text
 */
export function bytesOf(text) {
  let length = text.length;
  while (length > 0 && text[length - 1] === PADDING) length -= 1;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let at = 0;
  let bits = 0;
  for (let index = 0; index < length; index += 1) {
    bits = (bits << 6) | (VALUES[text[index] ?? 0] ?? 0);
    // Of every four digits the first ends no byte.
    if (index % 4 > 0) {
      bytes[at] = bits >> (6 - 2 * (index % 4));
      at += 1;
    }
  }
  return bytes;
}
