// The language model on the page, on a site whose prose worker is tampered with: a device that is
// lost, lacks room or computes wrongly can be had in no other way.
import { launch } from './chromium.js';
import { serve } from './command.js';
import { MODEL_MILLISECONDS } from './patience.js';
import { ASKED } from './questions.js';
import { visit } from './reader.js';
import { alteredSite, inManifest, replaced } from './site.js';

const WORKER = 'campanile/prose-worker.js';
const CLIENT = 'campanile/prose-client.js';

/** A change to a site: the model is offered for every answer, and its words stand on the page as they come, which tells what it does. */
export const FLAGGING = {
  'campanile.json': inManifest((manifest) => {
    manifest.prose_settings = { unsupported: 'flag', offered: 'always' };
  }),
};

/** Enough to be in the middle of, and quick on an adapter that computes in software. */
const TOKENS = 16;

/**
 * Runs `act` on the page of a site whose prose worker starts with the function `tamper`.
 * @param {string} name
 * @param {object} options
 * @param {() => void} [options.tamper]
 * @param {(bytes: Buffer) => Uint8Array} [options.program]  changes the compiled program
 * @param {boolean} [options.webgpu]
 * @param {number} [options.tokens]  how long the text is at most
 * @param {boolean} [options.impatient]  twenty seconds of silence are taken for a breakdown
 * @param {(reader: import('./reader.js').Reader, prose: Prose) => Promise<void>} act
 */
export async function tampered(name, { tamper, program, webgpu = true, tokens = TOKENS, impatient = false }, act) {
  const site = await alteredSite(name, {
    [CLIENT]: (bytes) => {
      const short = replaced(bytes, /usual: \d+/, `usual: ${tokens}`);
      return impatient ? replaced(short, /const PATIENCE_TICKS = \d+/, 'const PATIENCE_TICKS = 3') : short;
    },
    ...FLAGGING,
    ...(tamper && { [WORKER]: (bytes) => `(${tamper})();\n${bytes}` }),
    ...(program && { 'campanile/pkg/gpu/campanile_gpu_bg.wasm': program }),
  });
  const server = await serve(site);
  const browser = await launch({ webgpu });
  try {
    await visit(browser, server.origin, async (reader) => {
      await reader.askFor(ASKED.question);
      await act(reader, new Prose(reader.page));
    });
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** The panel of the language model. */
export class Prose {
  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    this.page = page;
    this.panel = page.getByTestId('prose');
    this.text = page.getByTestId('prose-text');
    this.note = page.getByTestId('prose-device-note');
    this.problem = page.getByTestId('prose-problem');
    this.activity = page.getByTestId('prose-activity');
    this.trace = page.getByTestId('prose-trace');
  }

  /** @param {'auto' | 'cpu' | 'software'} device */
  async start(device) {
    await this.page.locator('campanile-ask').evaluate((element, wish) => element.setAttribute('device', wish), device);
    await this.page.getByTestId('prose-start').click();
  }

  /** @param {'writing' | 'done' | 'failed'} state */
  async reaches(state) {
    await this.page.locator(`[data-testid="prose"][data-state="${state}"]`).waitFor({ timeout: MODEL_MILLISECONDS });
  }

  /** The whole text without citations and marks, once it has been held against the sources. */
  async words() {
    await this.page.locator('[data-testid="prose"][data-cited]').waitFor();
    return this.text.evaluate((element) => {
      const copy = element.cloneNode(true);
      for (const mark of copy.querySelectorAll('.citation, .prose-mark')) mark.remove();
      return copy.textContent.replaceAll('\u2060', '').trim();
    });
  }

  /** Waits until some words stand on the page. */
  async writes() {
    await this.text.filter({ hasText: /\w+ \w+/ }).waitFor({ timeout: MODEL_MILLISECONDS });
  }

  /** Whether the model was begun anew, and how often. */
  async resumed() {
    return Number((await this.panel.getAttribute('data-resumed')) ?? 0);
  }

  /** The worker that was started last for the model. */
  worker() {
    return this.page.workers().findLast((worker) => worker.url().endsWith('/prose-worker.js'));
  }
}
