// What several tests need and takes long to make is made once for all of them, by the first that asks for it. Nobody changes it
// afterwards: it lies in a folder that is named for all that it was made of, and files of tests run side by side.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rmdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { required } from './chromium.js';
import { MODEL_MILLISECONDS } from './patience.js';

const POLL_MILLISECONDS = 100;

/**
 * Gives the place of something that is made where it is not there yet.
 * @param {string} name  what people know it by
 * @param {(string | Uint8Array)[]} parts  all that it is made of
 * @param {(place: string) => Promise<void>} make  makes it, whole, at a place that nobody looks at yet
 * @returns {Promise<string>}
 */
export async function madeOnce(name, parts, make) {
  const folder = join(required('CAMPANILE_WORK'), 'made');
  const place = join(folder, `${name}-${digest(parts)}`);
  await mkdir(folder, { recursive: true });
  await alone(`${place}.lock`, async () => {
    if (existsSync(place)) return;
    const unfinished = `${place}.${process.pid}`;
    await make(unfinished);
    await rename(unfinished, place);
  });
  return place;
}

/** The command that builds sites, as a part of them: one that was compiled anew makes others. */
export async function commandPart() {
  const { size, mtimeMs } = await stat(required('CAMPANILE_COMMAND'));
  return `${size} ${mtimeMs}`;
}

/**
 * The files of a folder as parts of what is made of them: path and content by turns, in the order of the paths.
 * @param {string} folder
 */
export async function folderParts(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = paths.sort().map(async (path) => [relative(folder, path), await readFile(path)]);
  return (await Promise.all(contents)).flat();
}

/** @param {(string | Uint8Array)[]} parts */
function digest(parts) {
  const hash = createHash('sha256');
  // With their lengths: what ends one part does not begin the next.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}\n`).update(part);
  return hash.digest('hex').slice(0, 16);
}

/** Files of tests run side by side: the first one makes something, those that want it too wait. @param {string} lock */
async function alone(lock, work) {
  const end = Date.now() + MODEL_MILLISECONDS;
  while (!(await isTaken(lock))) {
    if (Date.now() > end) throw new Error(`${lock} is still there; if no test is running any more, remove it`);
    await delay(POLL_MILLISECONDS);
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
