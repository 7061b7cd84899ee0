// `campanile serve` under load, beside other servers of files: `node load.js SITE OUT.json`, with the command in
// CAMPANILE_COMMAND and, where there is one, another static server in CAMPANILE_STATIC_SERVER (`static-web-server`).
import { spawn } from 'node:child_process';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const CONNECTIONS = 200;
const MILLISECONDS = 8_000;
/** Who asks and takes nothing, and who does not finish the question. */
const IDLE = 100;
/** The index and the page; the models would measure the loopback. */
const LARGEST_BYTES = 200_000;

const [, , site, out] = process.argv;

/** @type {{ name: string, program: string | undefined, words: (port: number) => string[] }[]} */
const SERVERS = [
  {
    name: '`campanile serve`',
    program: process.env.CAMPANILE_COMMAND,
    words: (port) => ['serve', site, '--port', String(port)],
  },
  {
    name: '`python3 -m http.server`',
    program: 'python3',
    words: (port) => ['-m', 'http.server', String(port), '--bind', '127.0.0.1', '--directory', site],
  },
  {
    name: '`static-web-server`',
    program: process.env.CAMPANILE_STATIC_SERVER,
    words: (port) => ['--host', '127.0.0.1', '--port', String(port), '--root', site, '--log-level', 'error'],
  },
];

const paths = await filesOf(site);
const rows = [];
for (const [number, { name, program, words }] of SERVERS.entries()) {
  if (!program) {
    console.log(`${name} is not here, and left out`);
    continue;
  }
  const port = 18_400 + number;
  const child = spawn(program, words(port), { stdio: 'ignore' });
  const ended = new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  await answers(port);
  const alone = await load(port);
  const { sockets, lost } = idle(port, await largestOf(site));
  await delay(500);
  const beside = await load(port);
  for (const socket of sockets) socket.destroy();
  const row = { name, alone, beside, lost: lost(), megabytes: await peakMegabytes(child.pid) };
  rows.push(row);
  console.log(JSON.stringify(row));
  child.kill('SIGKILL');
  await ended;
}
await writeFile(out, JSON.stringify({ connections: CONNECTIONS, idle: IDLE, files: paths.length, rows }, undefined, 1));

/** @param {string} folder */
async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if ((await stat(path)).size <= LARGEST_BYTES) found.push(`/${relative(folder, path)}`);
  }
  return found.sort();
}

/** @param {string} folder */
async function largestOf(folder) {
  const { encoder } = JSON.parse(await readFile(join(folder, 'campanile.json'), 'utf8'));
  const [largest] = encoder.files.map(({ shard }) => shard).sort((left, right) => right.bytes - left.bytes);
  return `/${largest.path}`;
}

/** @param {number} port */
async function answers(port) {
  for (;;) {
    const status = await get(port, '/campanile.json').catch(() => null);
    if (status === 200) return;
    await delay(100);
  }
}

/** All connections ask for one file after the other, as fast as they are answered. @param {number} port */
async function load(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const times = [];
  let failed = 0;
  const end = performance.now() + MILLISECONDS;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, connection) => {
      for (let turn = connection; performance.now() < end; turn += 7) {
        const started = performance.now();
        const status = await get(port, paths[turn % paths.length], agent).catch(() => null);
        if (status === 200) times.push(performance.now() - started);
        else failed += 1;
      }
    }),
  );
  agent.destroy();
  times.sort((left, right) => left - right);
  const at = (share) => times[Math.floor(share * (times.length - 1))];
  return { per_second: (times.length * 1000) / MILLISECONDS, median_ms: at(0.5), p99_ms: at(0.99), failed };
}

/** @param {number} port @param {string} path @param {Agent} [agent] @returns {Promise<number | undefined>} */
function get(port, path, agent) {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, agent, timeout: 20_000, headers: { 'accept-encoding': 'gzip' } };
    const asked = request(options, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode)).on('error', reject);
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', reject).end();
  });
}

/** @param {number} port @param {string} large */
function idle(port, large) {
  let lost = 0;
  const words = [`GET ${large} HTTP/1.1\r\nhost: here\r\n\r\n`, 'GET / HT'];
  const sockets = Array.from({ length: IDLE }, (_, number) => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => {
      lost += 1;
    });
    socket.write(words[number % words.length]);
    return socket;
  });
  return { sockets, lost: () => lost };
}

/** The most memory that a process had, where the system tells. @param {number | undefined} pid */
async function peakMegabytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(status) ?? [];
  return kilobytes ? Number(kilobytes) / 1000 : null;
}
