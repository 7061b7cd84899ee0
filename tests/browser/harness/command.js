// The `campanile` command as a reader of its help would use it.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { required } from './chromium.js';

/** Where the checkout is. */
export const ROOT = new URL('../../../', import.meta.url).pathname;

/**
 * Runs the command to its end and gives what it printed.
 * @param {string[]} words
 * @param {string} [input]  for standard input
 */
export async function campanile(words, input = '') {
  const child = spawn(required('CAMPANILE_COMMAND'), words, { cwd: ROOT });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      printed[name] += text;
    });
  }
  const code = await new Promise((resolve, reject) => {
    // A command that reads nothing may have ended before anything was written to it.
    child.stdin.on('error', (error) => error.code !== 'EPIPE' && reject(error));
    child.on('error', reject).on('close', resolve);
    child.stdin.end(input);
  });
  if (code !== 0)
    throw new Error(`campanile ${words.join(' ')} ended with ${code}\n${printed.stdout}\n${printed.stderr}`);
  return printed.stdout;
}

/**
 * Asks the site on disk; one result for each question.
 * @param {string} site
 * @param {string[]} questions
 * @param {'hybrid' | 'instant' | 'lexical'} mode
 */
export async function askNatively(site, questions, mode) {
  const lines = await campanile(
    ['ask', site, '--json', '--mode', mode],
    questions.map((question) => `${question}\n`).join(''),
  );
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/**
 * Serves a site with `campanile serve` on a free port.
 * @param {string} site
 * @param {string[]} [flags]
 */
export const serve = (site, flags = []) => serving(['serve', site, ...flags]);

/**
 * Watches a folder of documents with `campanile watch` on a free port.
 * @param {string} documents
 */
export const watch = (documents) => serving(['watch', documents]);

/** @param {string[]} words */
async function serving(words) {
  const child = spawn(required('CAMPANILE_COMMAND'), [...words, '--port', '0'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const lines = createInterface({ input: child.stdout });
  const origin = await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const address = /https?:\/\/\S+?(?=\/?$)/.exec(line);
      if (address) resolve(address[0]);
    });
    child.on('error', reject);
    ended.then((code) => reject(new Error(`campanile ${words[0]} ended with ${code} before it printed an address`)));
  });
  return {
    /** @type {string} */ origin,
    async stop() {
      child.kill('SIGINT');
      // A browser keeps connections open, and a server may wait for them.
      const patience = setTimeout(() => child.kill('SIGKILL'), 2_000);
      await ended;
      clearTimeout(patience);
    },
  };
}
