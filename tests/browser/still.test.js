// What is being read stays where it is: when passages stand, and the form about the visitor and the answer arrive, little moves.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { ASKED, OTHERS, UNANSWERABLE } from './harness/questions.js';
import { visit } from './harness/reader.js';
import { relay } from './harness/relay.js';
import { manifestOf, sampleSite, shardsIn } from './harness/site.js';

/** The layout shift that a visitor may see while an answer arrives: https://web.dev/articles/cls calls 0.1 good. */
const MOST_SHIFT = 0.05;

const SCREENS = {
  phone: { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1120, height: 760 } },
};

let browser;
let server;
let encoder;

before(async () => {
  const site = await sampleSite();
  encoder = new Set(shardsIn((await manifestOf(site)).encoder).map((path) => `/${path}`));
  [browser, server] = await Promise.all([launch(), serve(site)]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const [screen, options] of Object.entries(SCREENS)) {
  for (const question of [ASKED.question, OTHERS[0].question, UNANSWERABLE]) {
    test(`on a ${screen} little moves when an answer arrives: ${question}`, async () => {
      const slow = await relay(server.origin, { isHeld: (path) => encoder.has(path) });
      try {
        await visit(
          browser,
          slow.origin,
          async (reader) => {
            await reader.askFor(question, 'instant');
            // Whoever has just pressed a key expects things to move; what comes later, when passages stand, is not expected.
            await reader.page.evaluate(watchShifts);
            await reader.page.waitForTimeout(1_500);
            slow.release();
            await reader.page.locator('campanile-ask[data-stage="hybrid"][data-read="true"]').waitFor();
            await reader.page.waitForTimeout(1_000);
            const shifts = await reader.page.evaluate(() => window.shiftsOfTest);
            const sum = shifts.reduce((total, { value }) => total + value, 0);
            assert.ok(sum <= MOST_SHIFT, `${sum.toFixed(3)}: ${JSON.stringify(shifts)}`);
          },
          options,
        );
      } finally {
        await slow.stop();
      }
    });
  }
}

/** In the page: keeps what moves, other than by the visitor's own doing. */
function watchShifts() {
  window.shiftsOfTest = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const moved = sources.map(({ node }) => node?.className || node?.nodeName);
      if (!hadRecentInput) window.shiftsOfTest.push({ value, moved });
    }
  }).observe({ type: 'layout-shift' });
}
