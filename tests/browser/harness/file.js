// A page that lies on the disk, opened as those open it who were handed it.
import assert from 'node:assert/strict';
import { explainedBy } from './view.js';

/**
 * Opens the page and requires that it says nothing in the console and requests nothing but itself and addresses of one scheme.
 * @param {import('playwright-core').Browser} browser
 * @param {string} address
 * @param {'data:' | 'blob:'} scheme  of what it holds itself
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {(page: import('playwright-core').Page) => Promise<void>} look
 */
export async function openedFile(browser, address, scheme, options, look) {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const troubles = [];
    context.on('console', (message) => troubles.push(`console ${message.type()}: ${message.text()}`));
    context.on('weberror', (error) => troubles.push(`error: ${error.error().stack ?? error.error()}`));
    context.on('request', (request) => {
      const isOwn = request.url() === address || request.url().startsWith(scheme);
      if (!isOwn) troubles.push(`requested: ${request.url()}`);
    });
    await page.goto(address);
    await explainedBy(browser, () => look(page));
    assert.deepEqual(troubles, [], 'the page says nothing and loads nothing');
  } finally {
    await context.close();
  }
}
