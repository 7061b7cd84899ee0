// Serves folders as a static host does, and counts what it sends.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Line } from '../../tests/browser/harness/line.js';

const TYPES = {
  '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.webmanifest': 'application/manifest+json',
};
/** What static hosts compress; the rest of both sites is compressed as it lies there. */
const COMPRESSED = new Set(['.html', '.js', '.css', '.wasm', '.json', '.svg', '.webmanifest']);

/** A request, with its times in milliseconds since the first one. @typedef {{ path: string, status: number, bytes: number, start: number, end: number }} Request */

/**
 * @param {string} folder
 * @param {{ isHeld?: (path: string) => boolean, speed?: { bytesPerSecond: number, latencyMilliseconds: number } }} [options]
 *   `isHeld`: requests that get no answer; `speed`: of the line to the browser, without which it is as fast as the machine
 */
export async function serve(folder, { isHeld = () => false, speed } = {}) {
  /** Bytes of bodies sent, by path. @type {Map<string, number>} */
  const sent = new Map();
  /** Compressed once, as hosts do: the line is measured and not the compressing. @type {Map<string, Buffer>} */
  const packed = new Map();
  /** @type {Request[]} */
  const requests = [];
  const line = speed && new Line(speed);
  /** @type {number | undefined} */
  let began;
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://page').pathname));
    if (isHeld(path)) return;
    const now = performance.now();
    began ??= now;
    const told = { path, status: 404, bytes: 0, start: now - began, end: now - began };
    requests.push(told);
    response.on('close', () => { told.end = performance.now() - began; });
    await line?.answer();
    const name = path.endsWith('/') ? `${path}index.html` : path;
    const found = await readFile(join(folder, name)).catch(() => undefined);
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    const ending = extname(name);
    const headers = { 'content-type': TYPES[ending] ?? 'application/octet-stream', 'cache-control': 'max-age=600' };
    let body = found;
    if (COMPRESSED.has(ending)) {
      body = packed.get(name) ?? gzipSync(found, { level: 6 });
      packed.set(name, body);
      headers['content-encoding'] = 'gzip';
    }
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    headers.etag = etag;
    if (request.headers['if-none-match'] === etag) {
      told.status = 304;
      response.writeHead(304, headers).end();
      return;
    }
    Object.assign(told, { status: 200, bytes: body.length });
    sent.set(path, (sent.get(path) ?? 0) + body.length);
    response.writeHead(200, headers);
    if (line) await line.send(response, body);
    else response.end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    /** Bytes sent so far. */
    bytes: () => [...sent.values()].reduce((sum, bytes) => sum + bytes, 0),
    /** The largest of what was sent so far. */
    largest: () => [...sent].sort(([, left], [, right]) => right - left).slice(0, 8),
    /** All requests so far, in the order in which they came. */
    requests: () => requests,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
