// A server in front of `campanile serve` that sends chosen files as slowly as a poor line would.
import { createServer, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

// About half a minute for the encoder.
const PAUSE_MILLISECONDS = 100;

/**
 * @param {string} origin  the server behind
 * @param {(path: string) => boolean} isSlow  which files drip until `release` is called
 */
export async function relay(origin, isSlow) {
  let release = () => {};
  const released = new Promise((resolve) => { release = () => resolve(undefined); });
  const server = createServer((incoming, outgoing) => {
    const onward = request(new URL(incoming.url ?? '/', origin), { method: incoming.method, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (!isSlow(incoming.url ?? '')) answer.pipe(outgoing);
      else drip(answer, outgoing, released).catch(() => outgoing.destroy());
    });
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
