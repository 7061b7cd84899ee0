// What `cargo xtask bench model` says about where things are.
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** @param {string} name  of a variable that the job sets */
export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this through \`cargo xtask bench model\``);
  return value;
}

/** The folder of the pinned peers. */
export const PEERS = required('CAMPANILE_BENCH_PEERS');

/** The folder of models as each engine wants them. */
export const MODELS = required('CAMPANILE_BENCH_MODELS');

/** The language model's GGUF file. */
export const GGUF = required('CAMPANILE_BENCH_GGUF');

const requirePeer = createRequire(join(PEERS, 'package.json'));

/** @param {string} name  of a pinned package */
export const peerVersion = (name) => requirePeer(join(PEERS, 'node_modules', name, 'package.json')).version;
