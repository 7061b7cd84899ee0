// A host that goes wrong: serves a site's folder as static hosts do, with one file that does not come as it is.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

/** What a file is sent as, by its ending. */
export const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.css': 'text/css',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** As a hotel's log-in page, or a host that answers everything with its home page. */
const OTHER_PAGE = '<!doctype html><title>Welcome</title><h1>Log in to go on</h1>';

/** What can become of a file on its way; each answers instead of sending it. */
export const FAULTS = {
  missing: (outgoing) => outgoing.writeHead(404, { 'content-type': TYPES['.html'] }).end(OTHER_PAGE),
  cut: (outgoing, head, bytes) => send(outgoing, head, bytes.subarray(0, bytes.length >> 1)),
  flipped: (outgoing, head, bytes) => {
    const flipped = Buffer.from(bytes);
    flipped[flipped.length >> 1] ^= 0x20;
    send(outgoing, head, flipped);
  },
  'other page': (outgoing, head) =>
    send(outgoing, { ...head, 'content-type': TYPES['.html'] }, Buffer.from(OTHER_PAGE)),
  // Neither an answer nor an end.
  silent: () => undefined,
};

function send(outgoing, head, bytes) {
  outgoing.writeHead(200, { ...head, 'content-length': bytes.length }).end(bytes);
}

/**
 * Serves a folder with one fault, until it is healed. Answers may be kept for ten minutes, good or bad, as on GitHub Pages.
 * @param {string} site
 * @param {keyof typeof FAULTS} fault
 * @param {(path: string) => boolean} isHit  which files it befalls
 */
export async function faultyHost(site, fault, isHit) {
  let healed = false;
  let hits = 0;
  const server = createServer(async (incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
    const path = pathname === '/' ? 'index.html' : pathname.slice(1);
    try {
      const bytes = await readFile(join(site, path));
      const head = {
        'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
        'cache-control': 'max-age=600',
      };
      if (healed || !isHit(path)) return send(outgoing, head, bytes);
      hits += 1;
      FAULTS[fault](outgoing, head, bytes);
    } catch {
      outgoing.writeHead(404, { 'content-type': TYPES['.html'] }).end(OTHER_PAGE);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return {
    origin: `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`,
    /** How often the fault was met. */
    get hits() {
      return hits;
    },
    heal() {
      healed = true;
      // Requests that were never answered are given up by the host, as when it is started again.
      server.closeAllConnections();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
