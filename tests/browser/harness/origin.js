// A server of static files that lets pages of every origin read them, unless it is told not to.
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { TYPES } from './faulty.js';

/**
 * Serves some folders, each below an address of its own, and some files that are made up.
 * @param {Record<string, string>} folders  by the beginning of their addresses, such as "/"
 * @param {{ files?: Record<string, string>, isShared?: boolean }} [options]  `files`: HTML by its address
 */
export async function serveFolders(folders, { files = {}, isShared = true } = {}) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const shared = isShared ? { 'access-control-allow-origin': '*' } : {};
    const reply = (status, type, content) =>
      response.writeHead(status, { ...shared, 'content-type': type }).end(content);
    if (Object.hasOwn(files, pathname)) return reply(200, TYPES['.html'], files[pathname]);
    const [start, folder] = Object.entries(folders).find(([beginning]) => pathname.startsWith(beginning)) ?? [];
    if (!start || !folder || pathname.includes('..')) return reply(404, 'text/plain', 'not here');
    let path = join(folder, pathname.slice(start.length));
    try {
      if ((await stat(path)).isDirectory()) path = join(path, 'index.html');
      return reply(200, TYPES[extname(path)] ?? 'application/octet-stream', await readFile(path));
    } catch (error) {
      return reply(404, 'text/plain', String(error));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return {
    origin: `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
