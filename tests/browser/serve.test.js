// `campanile serve` sends what static hosts send: the page and its programs compressed, shards as they lie there.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { required } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { alteredSite, manifestOf, sampleSite } from './harness/site.js';

const PROGRAM = 'campanile/pkg/core/campanile_core_bg.wasm';

let site;
let server;

before(async () => {
  site = await sampleSite();
  server = await serve(site);
});
after(() => server?.stop());

test('a program is compressed for who takes it, and is the same', async () => {
  const plain = await readFile(join(site, PROGRAM));
  const { headers, body } = await get(server.origin, PROGRAM, 'gzip');
  assert.equal(headers['content-encoding'], 'gzip');
  assert.equal(headers['content-type'], 'application/wasm');
  assert.ok(body.length < plain.length / 2, `${body.length} of ${plain.length} bytes`);
  assert.deepEqual(gunzipSync(body), plain);
  const whole = await get(server.origin, PROGRAM, 'identity');
  assert.deepEqual([whole.headers['content-encoding'], whole.body.length], [undefined, plain.length]);
});

test('a shard, which is compressed inside, is sent as it is', async () => {
  const { path } = (await manifestOf(site)).lexical.head;
  const { headers, body } = await get(server.origin, path, 'gzip');
  assert.equal(headers['content-encoding'], undefined);
  assert.deepEqual(body, await readFile(join(site, path)));
});

test('a compressed file that lies beside another is sent for it', async () => {
  const compressed = gzipSync('lies here');
  const other = await serve(await alteredSite('precompressed', {}));
  try {
    await writeFile(join(required('CAMPANILE_WORK'), 'precompressed', `${PROGRAM}.gz`), compressed);
    const { headers, body } = await get(other.origin, PROGRAM, 'gzip');
    assert.equal(headers['content-encoding'], 'gzip');
    assert.deepEqual(body, compressed);
  } finally {
    await other.stop();
  }
});

/** A file as it comes over the line; `fetch` would unpack it. */
function get(origin, path, encoding) {
  return new Promise((resolve, reject) => {
    const asked = request(`${origin}/${path}`, { headers: { 'accept-encoding': encoding } }, async (answer) => {
      const pieces = await answer.toArray();
      resolve({ headers: answer.headers, body: Buffer.concat(pieces) });
    });
    asked.on('error', reject).end();
  });
}
