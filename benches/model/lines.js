// A program that answers each line of JSON with one.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Starts the program and waits until it says that it is ready.
 * @param {string} program
 * @param {string[]} words
 * @param {Record<string, string>} [environment]
 */
export async function start(program, words, environment = {}) {
  const child = spawn(program, words, {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} ${words[0]} ended with ${await ended}; its complaint stands above`);
    return JSON.parse(value);
  };
  await next();
  return {
    async ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return next();
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
