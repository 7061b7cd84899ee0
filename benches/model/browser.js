// A page in the Chromium of the tests, without cross-origin isolation, as on any static host.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { launch } from '../../tests/browser/harness/chromium.js';
import { GGUF, MODELS, PEERS, required } from './environment.js';

const TYPES = {
  '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json',
};

/** Folders and files of the page by the first part of their address. */
const ROOTS = {
  page: new URL('page', import.meta.url).pathname,
  peers: join(PEERS, 'node_modules'),
  models: MODELS,
  campanile: required('CAMPANILE_BENCH_MODULE'),
};

/**
 * Opens the page for the time of `act`.
 * @template Result
 * @param {(page: import('playwright-core').Page) => Promise<Result>} act
 * @returns {Promise<Result & { chromium: string }>}
 */
export async function onPage(act) {
  const server = createServer((request, response) => {
    send(request.url ?? '/', response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launch({ webgpu: false });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    page.on('console', (message) => console.log(message.text()));
    await page.goto(`http://127.0.0.1:${server.address().port}/page/index.html`);
    if (await page.evaluate(() => globalThis.crossOriginIsolated)) throw new Error('the page is cross-origin isolated');
    return { ...(await act(page)), chromium: browser.version() };
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

async function send(address, response) {
  const [root, ...rest] = normalize(decodeURIComponent(new URL(address, 'http://page').pathname)).slice(1).split('/');
  const path = root === 'model.gguf' ? GGUF : root in ROOTS ? join(ROOTS[root], ...rest) : undefined;
  const found = path && await stat(path).catch(() => undefined);
  if (!found?.isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream', 'content-length': found.size });
  createReadStream(path).pipe(response);
}
