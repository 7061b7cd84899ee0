// A server in front of `campanile serve` that sends chosen files as slowly as a poor line would, or
// files beside the site that are part of none.
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TYPES } from './faulty.js';

// About half a minute for the encoder.
const PAUSE_MILLISECONDS = 100;
/** Between the bytes of a file that is held. */
const SIGN_MILLISECONDS = 1_000;

/**
 * @param {string} origin  the server behind
 * @param {object} [options]
 * @param {(path: string) => boolean} [options.isSlow]  which files drip until `release` is called
 * @param {(path: string) => boolean} [options.isHeld]  which files, too small to drip for long, come a byte a second until then
 * @param {Record<string, string>} [options.folders]  whose files are served beside the site, by the first part of their address
 */
export async function relay(origin, { isSlow = () => false, isHeld = () => false, folders = {} } = {}) {
  let release = () => {};
  const released = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  const server = createServer((incoming, outgoing) => {
    const [, first, name] = /^\/([^/]+)\/([^/?]+)$/.exec(incoming.url ?? '') ?? [];
    if (first !== undefined && Object.hasOwn(folders, first)) {
      sendFile(join(folders[first], name), outgoing);
      return;
    }
    const onward = request(
      new URL(incoming.url ?? '/', origin),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        if (isHeld(incoming.url ?? '')) hold(answer, outgoing, released).catch(() => outgoing.destroy());
        else if (!isSlow(incoming.url ?? '')) answer.pipe(outgoing);
        else drip(answer, outgoing, released).catch(() => outgoing.destroy());
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return {
    origin: `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`,
    release,
    async stop() {
      release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * @param {string} path
 * @param {import('node:http').ServerResponse} outgoing
 */
async function sendFile(path, outgoing) {
  try {
    const bytes = await readFile(path);
    outgoing.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(bytes);
  } catch (error) {
    outgoing.writeHead(404).end(String(error));
  }
}

/**
 * A page gives up a host that sends nothing.
 * @param {import('node:http').IncomingMessage} from
 * @param {import('node:http').ServerResponse} to
 * @param {Promise<unknown>} released
 */
async function hold(from, to, released) {
  let isHeld = true;
  released.then(() => {
    isHeld = false;
  });
  const parts = [];
  for await (const part of from) parts.push(part);
  const bytes = Buffer.concat(parts);
  let at = 0;
  while (isHeld && !to.destroyed && at < bytes.length - 1) {
    to.write(bytes.subarray(at, ++at));
    await Promise.race([released, delay(SIGN_MILLISECONDS)]);
  }
  await released;
  to.end(bytes.subarray(at));
}

/**
 * @param {import('node:http').IncomingMessage} from
 * @param {import('node:http').ServerResponse} to
 * @param {Promise<unknown>} released
 */
async function drip(from, to, released) {
  for await (const piece of from) {
    if (to.destroyed) return;
    to.write(piece);
    await Promise.race([released, delay(PAUSE_MILLISECONDS)]);
  }
  to.end();
}
