// Serves folders as a static host does, and counts what it sends.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES = {
  '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.webmanifest': 'application/manifest+json',
};
/** What static hosts compress; the rest of both sites is compressed as it lies there. */
const COMPRESSED = new Set(['.html', '.js', '.css', '.wasm', '.json', '.svg', '.webmanifest']);

/**
 * @param {string} folder
 * @param {{ isHeld?: (path: string) => boolean }} [options]  requests that get no answer
 */
export async function serve(folder, { isHeld = () => false } = {}) {
  /** Bytes of bodies sent, by path. @type {Map<string, number>} */
  const sent = new Map();
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://page').pathname));
    if (isHeld(path)) return;
    const name = path.endsWith('/') ? `${path}index.html` : path;
    const found = await readFile(join(folder, name)).catch(() => undefined);
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    const ending = extname(name);
    const headers = { 'content-type': TYPES[ending] ?? 'application/octet-stream', 'cache-control': 'max-age=600' };
    const body = COMPRESSED.has(ending) ? gzipSync(found, { level: 6 }) : found;
    if (body !== found) headers['content-encoding'] = 'gzip';
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    headers.etag = etag;
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end();
      return;
    }
    sent.set(path, (sent.get(path) ?? 0) + body.length);
    response.writeHead(200, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    /** Bytes sent so far. */
    bytes: () => [...sent.values()].reduce((sum, bytes) => sum + bytes, 0),
    /** The largest of what was sent so far. */
    largest: () => [...sent].sort(([, left], [, right]) => right - left).slice(0, 8),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
