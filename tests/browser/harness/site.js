// The sites that the tests look at, each built once for a run, and copies of them to spoil.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { link, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { served } from '../../../crates/xtask/scripts/page.mjs';
import { ROOT, campanile } from './command.js';
import { commandPart, folderParts, madeOnce } from './store.js';

const CAMPUS = join(ROOT, 'samples/campus');
const SETTINGS = 'campanile.toml';

/** The folder of the sample site. */
export const sampleSite = () => siteOf('campus', CAMPUS);

/** The same with the language model as it is published. */
export const publishedModelSite = async () =>
  siteOf('published-model', CAMPUS, {
    settings: replaced(await readFile(join(CAMPUS, SETTINGS)), /^\[prose\]$/m, '[prose]\nadapter = "none"'),
  });

/** The same with its vectors in parts, as a large site has them. */
export const partitionedSite = async () =>
  siteOf('partitioned', CAMPUS, {
    settings: `${await readFile(join(CAMPUS, SETTINGS), 'utf8')}\n[search]\ndense = "partitions"\n`,
  });

/**
 * The folder of the site of some documents, built by the first test that asks for it. It is everybody's: who wants to change
 * it takes {@link alteredSite}.
 * @param {string} name  what people know it by
 * @param {string | Record<string, string | Uint8Array>} documents  their folder; or each, by its path
 * @param {{ settings?: string, flags?: string[] }} [options]  `settings`: instead of those beside the documents
 */
export async function siteOf(name, documents, { settings, flags = [] } = {}) {
  const files = typeof documents === 'string' ? await folderParts(documents) : Object.entries(documents).flat();
  const parts = [await commandPart(), ...files, 'settings', settings ?? 'their own', ...flags];
  return madeOnce(name, parts, async (place) => {
    const beside = `${place}-documents`;
    const folder = typeof documents === 'string' ? documents : beside;
    if (typeof documents !== 'string') await writeFiles(beside, documents);
    const config = `${place}-${SETTINGS}`;
    if (settings) await writeFile(config, settings);
    await campanile(['build', folder, '-o', place, '--no-report', ...(settings ? ['--config', config] : []), ...flags]);
    for (const path of [beside, config]) await rm(path, { recursive: true, force: true });
  });
}

/** Writes some files into a folder. @param {string} folder @param {Record<string, string | Uint8Array>} files  by their paths in it */
export async function writeFiles(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** @param {string} site */
export const manifestOf = async (site) => JSON.parse(await readFile(join(site, 'campanile.json'), 'utf8'));

/** The questions of the sample campus. */
export async function sampleQuestions() {
  const lines = (await readFile(join(ROOT, 'samples/questions.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/**
 * A copy of the site in which the named files are damaged: one byte in the middle is flipped.
 * @param {string} name
 * @param {string[]} paths
 */
export function damagedSite(name, paths) {
  const flip = (bytes) => {
    bytes[bytes.length >> 1] ^= 0x20;
  };
  return alteredSite(name, Object.fromEntries(paths.map((path) => [path, flip])));
}

/** Scripts are served in parts of others, without comments and with short names; changes are made to what was written. */
const SCRIPT = /^campanile\/([\w-]+\.js)$/;
const WRITTEN = join(ROOT, 'web');

/**
 * A copy of a site in which some files are others. Where several tests want the same, they have the same.
 * @param {string} name
 * @param {Record<string, (bytes: Buffer) => Uint8Array | string | void>} changes  by path; a change in place gives nothing back
 * @param {Promise<string>} [from]  the site; the sample site if not given
 */
export async function alteredSite(name, changes, from = sampleSite()) {
  const site = await from;
  /** @type {Record<string, string>} */
  const scripts = {};
  /** @type {Record<string, Uint8Array | string>} */
  const others = {};
  for (const [path, change] of Object.entries(changes)) {
    const [, script] = SCRIPT.exec(path) ?? [];
    const bytes = await read(script ? join(WRITTEN, script) : join(site, path));
    const changed = change(bytes) ?? bytes;
    if (script) scripts[script] = changed.toString();
    else others[path] = changed;
  }
  if (Object.keys(scripts).length > 0) {
    const [before, now] = [await servedScripts({}), await servedScripts(scripts)];
    for (const [path, text] of Object.entries(now)) if (text !== before[path]) others[`campanile/${path}`] = text;
  }
  return madeOnce(name, [site, ...Object.entries(others).flat()], async (place) => {
    await linked(site, place);
    for (const [path, content] of Object.entries(others)) await put(place, path, content);
  });
}

/** A file of a site; one that is to come into it is empty. @param {string} path */
const read = (path) =>
  readFile(path).catch((error) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });

/** The page's scripts as a site serves them, with some that are others: to put them together takes seconds. @param {Record<string, string>} changed */
async function servedScripts(changed) {
  const parts = [...(await folderParts(WRITTEN)), 'changed', ...Object.entries(changed).flat()];
  const file = await madeOnce('scripts', parts, async (place) =>
    writeFile(place, JSON.stringify(await served(WRITTEN, changed))),
  );
  return JSON.parse(await readFile(file, 'utf8'));
}

/** Makes a second site of the same files: a copy would be a hundred megabytes. Files in it are replaced and never written to. */
async function linked(site, place) {
  const entries = await readdir(site, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const second = join(place, relative(site, path));
    await mkdir(dirname(second), { recursive: true });
    await link(path, second);
  }
}

/** Replaces a file of a copy: the one that stood there is the other site's too. */
async function replace(path, content) {
  await rm(path, { force: true });
  await writeFile(path, content);
}

/** A file of a site as it is now. */
async function put(site, path, content) {
  await replace(join(site, path), content);
  await publish(site, path, content);
}

const FILES = 'campanile/files.js';

/** What the page and its service worker know of its files goes by the file as it is now, as if the site had been built with it. */
async function publish(site, path, content) {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
  for (const table of [FILES, 'service-worker.js']) {
    const before = await readFile(join(site, table), 'utf8');
    const now = before.replace(new RegExp(`(${JSON.stringify(path)}:")[0-9a-f]{16}`), `$1${digest}`);
    if (now === before) continue;
    await replace(join(site, table), now);
    if (table === FILES) await publish(site, FILES, now);
  }
  await compare(site, path, content);
}

/** The page compares its first scripts by itself, with an import map that its policy knows. */
async function compare(site, path, content) {
  const index = join(site, 'index.html');
  const page = await readFile(index, 'utf8');
  const [, before] = /<script type="importmap">(.*?)<\/script>/.exec(page) ?? [];
  const { integrity } = JSON.parse(before ?? '{}');
  if (!integrity?.[`./${path}`]) return;
  integrity[`./${path}`] = sourceHash(content);
  const now = JSON.stringify({ integrity });
  await replace(index, page.replace(before, now).replace(sourceHash(before), sourceHash(now)));
}

const sourceHash = (content) => `sha256-${createHash('sha256').update(content).digest('base64')}`;

/**
 * A change to a manifest, for {@link alteredSite}.
 * @param {(manifest: any) => void} change
 */
export const inManifest = (change) => (/** @type {Buffer} */ bytes) => {
  const manifest = JSON.parse(bytes.toString());
  change(manifest);
  return JSON.stringify(manifest);
};

/**
 * A text file in which one place is another.
 * @param {Buffer | string} bytes
 * @param {RegExp} pattern
 * @param {string} by
 */
export function replaced(bytes, pattern, by) {
  assert.match(bytes.toString(), pattern);
  return bytes.toString().replace(pattern, by);
}

/**
 * Every shard that a part of the manifest names, wherever in it the name stands.
 * @param {unknown} value
 * @returns {string[]}
 */
export function shardsIn(value) {
  if (typeof value === 'string') return value.startsWith('shards/') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(shardsIn) : [];
}

/**
 * One file of each part of a manifest, by its path on a host: without it the part cannot be used. To hold all of their files back
 * would hold everything back: a browser has six connections to a host, and the page's other files would wait for one.
 * @param {...unknown} parts
 */
export const oneShardOfEach = (...parts) => new Set(parts.map((part) => `/${shardsIn(part)[0]}`));
