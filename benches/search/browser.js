// Our searches in WebAssembly, in the Chromium of the tests, one thread: `node browser.js MODULE PARTS OUT.json`, with the
// variables of `cargo xtask test browser-tests`. PARTS holds a folder for each size, as `search-bench parts` writes it.
import { createReadStream } from 'node:fs';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { launch } from '../../tests/browser/harness/chromium.js';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json' };
const [, , module, parts, out] = process.argv;
const roots = { page: new URL('page', import.meta.url).pathname, module, parts };

const server = createServer(async (request, response) => {
  const [root, ...rest] = normalize(new URL(request.url ?? '/', 'http://page').pathname).slice(1).split('/');
  const path = root in roots ? join(roots[root], ...rest) : undefined;
  const found = path && await stat(path).catch(() => undefined);
  if (!found?.isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream', 'content-length': found.size });
  createReadStream(path).pipe(response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await launch({ webgpu: false });
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.goto(`http://127.0.0.1:${server.address().port}/page/index.html`);
  const cases = [];
  const sizes = (await readdir(parts)).filter((name) => /^\d+$/.test(name)).sort((left, right) => left - right);
  for (const size of sizes) {
    const { questions, sides } = await page.evaluate((folder) => globalThis.measure(folder), `/parts/${size}`);
    for (const [name, samples] of Object.entries(sides)) {
      cases.push({ name: `${size} passages, ${name}`, tokens: questions, unit: 'questions', sides: [{ name: 'campanile, wasm', samples }] });
    }
  }
  const found = `${(await readFile(join(module, 'campanile_search_bg.wasm'))).length} bytes`;
  const checks = [{ what: 'the module', passed: true, found }];
  await writeFile(out, JSON.stringify({ cases, checks, versions: { Chromium: browser.version() } }));
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
