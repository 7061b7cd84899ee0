// `campanile serve` sends what static hosts send: the page and its programs compressed, shards as they lie there.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
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
  const other = await serve(await alteredSite('precompressed', { [`${PROGRAM}.gz`]: () => compressed }));
  try {
    const { headers, body } = await get(other.origin, PROGRAM, 'gzip');
    assert.equal(headers['content-encoding'], 'gzip');
    assert.deepEqual(body, compressed);
  } finally {
    await other.stop();
  }
});

test('a part of a file is sent, and what lies beyond its end is refused', async () => {
  const path = shardOf(await manifestOf(site));
  const whole = await readFile(join(site, path));
  const { length } = whole;
  const parts = [
    ['bytes=0-9', 206, whole.subarray(0, 10)],
    [`bytes=${length - 5}-`, 206, whole.subarray(-5)],
    ['bytes=-7', 206, whole.subarray(-7)],
    [`bytes=${length}-`, 416, null],
    ['bytes=9-3', 416, null],
  ];
  for (const [range, status, bytes] of parts) {
    const { status: found, body } = await get(server.origin, path, 'identity', { range });
    assert.equal(found, status, range);
    if (bytes) assert.deepEqual(body, bytes, range);
  }
});

test('no path leads out of the site', async () => {
  const outside = join(dirname(site), 'outside.txt');
  await writeFile(outside, 'not for the world');
  const ways = [
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/shards/../../outside.txt',
    '/shards/%2e%2e%2f%2e%2e%2foutside.txt',
    '/..\\outside.txt',
    '/%5c..%5coutside.txt',
    `/${outside}`,
    `//${outside}`,
    `/%2f${outside.slice(1)}`,
    '/....//outside.txt',
    '/index.html%00.txt',
    `/${'a'.repeat(100_000)}`,
  ];
  for (const way of ways) {
    const answer = await said(server.origin, `GET ${way} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 (4\d\d|3\d\d) /, way.slice(0, 80));
    assert.ok(!answer.includes('not for the world'), way);
  }
});

test('who says nothing, or half of a request, or takes nothing, keeps nobody waiting', async () => {
  const { port } = new URL(server.origin);
  const large = `/${(await manifestOf(site)).encoder.files.map(({ shard }) => shard).sort((left, right) => right.bytes - left.bytes)[0].path}`;
  const words = ['', 'GET / HT', `GET ${large} HTTP/1.1\r\nhost: here\r\n\r\n`];
  const idle = Array.from({ length: 150 }, (_, number) => {
    const socket = connect(Number(port), '127.0.0.1').pause();
    socket.write(words[number % words.length] ?? '');
    return socket;
  });
  try {
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(server.origin, 'index.html', 'gzip')));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.ok(performance.now() - started < 5_000, 'fifty pages within five seconds');
  } finally {
    for (const socket of idle) socket.destroy();
  }
});

/** One that is not small. */
const shardOf = (manifest) => manifest.vectors.path;

/** All that a server answers to these bytes. */
function said(origin, bytes) {
  return new Promise((resolve, reject) => {
    const { port } = new URL(origin);
    let answer = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
}

/** A file as it comes over the line; `fetch` would unpack it. */
function get(origin, path, encoding, further = {}) {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': encoding, ...further };
    const asked = request(`${origin}/${path}`, { headers }, async (answer) => {
      const pieces = await answer.toArray();
      resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(pieces) });
    });
    asked.on('error', reject).end();
  });
}
