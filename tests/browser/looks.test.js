// The page for everybody: rules of accessibility in light and dark, and narrow screens.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { checkRules, checkWidth } from './harness/looks.js';
import { ASKED, UNANSWERABLE } from './harness/questions.js';
import { visit } from './harness/reader.js';
import { sampleSite } from './harness/site.js';

const PHONES = [
  { width: 360, height: 740 },
  { width: 320, height: 568 },
];

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), serve(await sampleSite())]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`breaks no rule of accessibility in ${colorScheme}`, async () => {
    await visit(
      browser,
      server.origin,
      async (reader) => {
        await everyView(reader, (view) => checkRules(reader, view));
      },
      { colorScheme, reducedMotion: 'reduce' },
    );
  });
}

for (const viewport of PHONES) {
  test(`fits a screen ${viewport.width} pixels wide without scrolling sideways`, async () => {
    await visit(
      browser,
      server.origin,
      async (reader) => {
        await everyView(reader, (view) => checkWidth(reader, view));
      },
      { viewport, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
    );
  });
}

test('every file and page that the page points to is there', async () => {
  await visit(browser, server.origin, async (reader) => {
    const addresses = await reader.page.evaluate(() =>
      [...document.querySelectorAll('[href], [src]')]
        .map((element) => element.href ?? element.src)
        .filter((address) => address.startsWith(location.origin)),
    );
    assert.ok(addresses.length > 5, `only ${addresses.length} addresses`);
    for (const address of addresses) {
      const { status } = await fetch(address);
      assert.equal(status, 200, address);
    }
  });
});

/** Goes through the views of the page. @param {(view: string) => Promise<void>} check */
async function everyView(reader, check) {
  await check('start');
  await reader.askFor(ASKED.question);
  await check('answer');
  await reader.sources.first().getByRole('button').click();
  await reader.dialog.locator('mark').first().waitFor();
  await check('passage reader');
  await reader.closeSource();
  await reader.askFor(UNANSWERABLE);
  await check('refusal');
}
