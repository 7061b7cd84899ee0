// The page for everybody: rules of accessibility, and narrow screens.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { requireTool } from './chromium.js';

const AXE = readFileSync(requireTool.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Requires that the page as it stands breaks no rule of accessibility.
 * @param {import('./reader.js').Reader} reader
 * @param {string} view  what is shown, for the message
 */
export async function checkRules(reader, view) {
  // Through the debugger, since the page's policy allows no script from elsewhere.
  await reader.page.evaluate(AXE);
  await reader.page.evaluate(settled);
  const violations = await reader.page.evaluate(async () => {
    const options = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
    // What lies under an open dialog is out of reach; of one in a shadow root the checker does not know that.
    const open = document.querySelector('campanile-ask')?.shadowRoot?.querySelector('dialog[open]');
    const found = await globalThis.axe.run(open ?? document, options);
    return found.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' ')}`);
  });
  assert.deepEqual(violations, [], view);
}

/**
 * In the page: waits until nothing changes its colour or place any more. In the middle of a change from light to dark
 * a colour is neither, and what is in motion without end (a mark of waiting) is let be.
 */
async function settled() {
  const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  const ending = roots
    .flatMap((root) => root.getAnimations())
    .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
  // One that is taken back ends as well as one that is played to its end.
  await Promise.allSettled(ending.map((animation) => animation.finished));
}

/**
 * Requires that nothing sticks out of the screen's width.
 * @param {import('./reader.js').Reader} reader
 * @param {string} view  what is shown, for the message
 */
export async function checkWidth(reader, view) {
  const tooWide = await reader.page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const inside = document.querySelector('campanile-ask')?.shadowRoot;
    const open = inside?.querySelector('dialog[open]');
    const places = open ? [open] : [document.body, ...(inside ? [inside] : [])];
    const wide = places
      .flatMap((place) => [...place.querySelectorAll('*')])
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && box.right > width + 0.5 && getComputedStyle(element).position !== 'fixed';
      });
    const scrolls = document.documentElement.scrollWidth > width;
    return scrolls ? wide.map((element) => element.outerHTML.slice(0, 120)).concat('the page scrolls sideways') : [];
  });
  assert.deepEqual(tooWide, [], view);
}
