// The sample site that the tests look at, built once for a run, and copies of it to spoil.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFile, cp, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { required } from './chromium.js';
import { served } from '../../../crates/xtask/scripts/page.mjs';
import { ROOT, campanile } from './command.js';

const DOCUMENTS = 'samples/campus';

/** The folder of the sample site; built by the first test file that asks for it. */
export const sampleSite = () => built('site', async () => DOCUMENTS);

/** The same with the language model as it is published. */
export const publishedModelSite = () =>
  built('published-model', async (work) => {
    const documents = join(work, 'published-model-documents');
    await cp(join(ROOT, DOCUMENTS), documents, { recursive: true });
    const settings = join(documents, 'campanile.toml');
    await writeFile(settings, replaced(await readFile(settings), /^\[prose\]$/m, '[prose]\nadapter = "none"'));
    return documents;
  });

/** The same with its vectors in parts, as a large site has them. */
export const partitionedSite = () =>
  built('partitioned', async (work) => {
    const documents = join(work, 'partitioned-documents');
    await cp(join(ROOT, DOCUMENTS), documents, { recursive: true });
    await appendFile(join(documents, 'campanile.toml'), '\n[search]\ndense = "partitions"\n');
    return documents;
  });

/**
 * A site in the folder of this run, built where it is not there yet.
 * @param {string} name
 * @param {(work: string) => Promise<string>} documents
 */
async function built(name, documents) {
  const work = required('CAMPANILE_WORK');
  const site = join(work, name);
  await mkdir(work, { recursive: true });
  await alone(`${site}.lock`, async () => {
    if (existsSync(site)) return;
    const unfinished = join(work, `${name}-${process.pid}`);
    await campanile(['build', await documents(work), '-o', unfinished]);
    await rename(unfinished, site);
  });
  return site;
}

const LOCKED_MILLISECONDS = 300_000;

/** Files of tests run side by side: the first one builds a site, those that want it too wait. @param {string} lock */
async function alone(lock, work) {
  const end = Date.now() + LOCKED_MILLISECONDS;
  while (!(await isTaken(lock))) {
    if (Date.now() > end) throw new Error(`${lock} is still there; if no test is running any more, remove it`);
    await delay(100);
  }
  try {
    await work();
  } finally {
    await rmdir(lock);
  }
}

/** @param {string} lock */
async function isTaken(lock) {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
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
 * A copy of the site in which some files are others.
 * @param {string} name
 * @param {Record<string, (bytes: Buffer) => Uint8Array | string | void>} changes  by path; a change in place gives nothing back
 * @param {Promise<string>} [from]  the site; the sample site if not given
 */
export async function alteredSite(name, changes, from = sampleSite()) {
  const copy = join(required('CAMPANILE_WORK'), name);
  await rm(copy, { recursive: true, force: true });
  await cp(await from, copy, { recursive: true });
  /** @type {Record<string, string>} */
  const scripts = {};
  for (const [path, change] of Object.entries(changes)) {
    const [, script] = SCRIPT.exec(path) ?? [];
    const bytes = await readFile(script ? join(WRITTEN, script) : join(copy, path));
    const changed = change(bytes) ?? bytes;
    if (script) scripts[script] = changed.toString();
    else await put(copy, path, changed);
  }
  const before = await served(WRITTEN);
  for (const [name, text] of Object.entries(await served(WRITTEN, scripts))) {
    if (text !== before[name]) await put(copy, `campanile/${name}`, text);
  }
  return copy;
}

/** A file of a site as it is now. */
async function put(site, path, content) {
  await writeFile(join(site, path), content);
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
    await writeFile(join(site, table), now);
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
  await writeFile(index, page.replace(before, now).replace(sourceHash(before), sourceHash(now)));
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
