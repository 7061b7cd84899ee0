// A server in front of `campanile serve` that holds chosen files back as a poor line would, or sends files beside the site
// that are part of none.
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TYPES } from './faulty.js';

/** Between the pieces that come of a file that is held: the encoder takes half a minute to its last piece. */
const PAUSE_MILLISECONDS = 100;
/** The end of such a file, which comes byte by byte, and for hours. A smaller one comes so from the beginning. */
const END_BYTES = 8_192;
/** Between these bytes: a page gives up a host that sends nothing. */
const SIGN_MILLISECONDS = 1_000;

/**
 * @param {string} origin  the server behind
 * @param {object} [options]
 * @param {(path: string) => boolean} [options.isHeld]  which files drip and are not whole until `release` is called
 * @param {Record<string, string>} [options.folders]  whose files are served beside the site, by the first part of their address
 */
export async function relay(origin, { isHeld = () => false, folders = {} } = {}) {
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
        if (!isHeld(incoming.url ?? '')) answer.pipe(outgoing);
        else hold(answer, outgoing, released).catch(() => outgoing.destroy());
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
 * Sends a file on slowly, and its end not before it is released, however long that takes.
 * @param {import('node:http').IncomingMessage} from
 * @param {import('node:http').ServerResponse} to
 * @param {Promise<unknown>} released
 */
async function hold(from, to, released) {
  let isHeld = true;
  released.then(() => {
    isHeld = false;
  });
  let rest = Buffer.alloc(0);
  const send = async (count, milliseconds) => {
    to.write(rest.subarray(0, count));
    rest = rest.subarray(count);
    if (isHeld) await Promise.race([released, delay(milliseconds)]);
  };
  for await (const piece of from) {
    rest = Buffer.concat([rest, piece]);
    if (to.destroyed) return;
    if (rest.length > END_BYTES) await send(rest.length - END_BYTES, PAUSE_MILLISECONDS);
  }
  while (isHeld && !to.destroyed && rest.length > 1) await send(1, SIGN_MILLISECONDS);
  await released;
  to.end(rest);
}
