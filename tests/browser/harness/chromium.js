// Starts the Chromium that the tests drive. `cargo xtask` names the browser and the folder of Node.js tools.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { WAIT_MILLISECONDS } from './patience.js';

/** An environment variable that `cargo xtask test` sets; without it these tests can't run. */
export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests through \`cargo xtask test browser-tests\``);
  return value;
}

/** Loads one of the pinned packages of package.json from the tools folder. */
export const requireTool = createRequire(join(required('CAMPANILE_NODE_TOOLS'), 'package.json'));

// Shared with the WebDriver of the Rust tests: software WebGPU, and nothing that talks to the outside by itself.
export const FLAGS = JSON.parse(readFileSync(new URL('../chromium-flags.json', import.meta.url), 'utf8'));

/**
 * Starts the browser; whatever is waited for in its pages is waited for as long as everywhere.
 * @param {object} [options]
 * @param {boolean} [options.webgpu]
 * @param {boolean} [options.hardware]  with the machine's own graphics processor, for benchmarks
 * @returns {Promise<import('playwright-core').Browser>}
 */
export async function launch({ webgpu = true, hardware = false } = {}) {
  const { chromium } = requireTool('playwright-core');
  const browser = await chromium.launch({
    executablePath: required('CAMPANILE_CHROMIUM'),
    args: hardware
      ? [...FLAGS.filter((flag) => !flag.includes('swiftshader')), '--enable-features=Vulkan']
      : webgpu
        ? FLAGS
        : FLAGS.filter((flag) => !flag.includes('webgpu')),
    ignoreDefaultArgs: ['--headless'],
    timeout: WAIT_MILLISECONDS,
  });
  const newContext = browser.newContext.bind(browser);
  // A page that is opened by itself has a context of its own, made here too.
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(WAIT_MILLISECONDS);
    return context;
  };
  return browser;
}
