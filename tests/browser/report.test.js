// The report of an evaluation, opened from the disk as its readers open it.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { launch, required } from './harness/chromium.js';
import { ROOT, campanile } from './harness/command.js';
import { openedFile } from './harness/file.js';
import { checkRules, checkWidth } from './harness/looks.js';
import { sampleSite } from './harness/site.js';

const SCREENS = [
  { name: 'desktop', options: { viewport: { width: 1280, height: 900 } } },
  {
    name: 'phone',
    options: { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  },
  {
    name: 'small phone',
    options: { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  },
];
/** One of the plots for each that the guide names. */
const PLOTS = 7;

const folder = join(required('CAMPANILE_WORK'), 'report');
const address = pathToFileURL(join(folder, 'report.html')).href;
let browser;

before(async () => {
  await written(await sampleSite());
  browser = await launch();
});
after(() => browser?.close());

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const { name, options } of SCREENS) {
    test(`every plot is there and fits on a ${name} in ${colorScheme}`, async () => {
      await openedFile(browser, address, 'data:', { ...options, colorScheme }, async (page) => {
        const plots = await boxes(page);
        assert.ok(plots.length >= PLOTS, `${plots.length} plots`);
        for (const plot of plots) {
          assert.ok(plot.width > 100 && plot.height > 50, `${plot.name} is ${plot.width} by ${plot.height} pixels`);
          assert.ok(
            plot.left >= 0 && plot.right <= options.viewport.width,
            `${plot.name} reaches from ${plot.left} to ${plot.right}`,
          );
          assert.ok(plot.marks > 0, `${plot.name} draws nothing`);
        }
        await checkWidth({ page }, 'as it is opened');
        // The cases and the numbers below the plots are the widest of it.
        await page.evaluate(() =>
          document.querySelectorAll('details').forEach((details) => {
            details.open = true;
          }),
        );
        await checkWidth({ page }, 'with everything unfolded');
        await page.evaluate(() =>
          document.querySelectorAll('details').forEach((details) => {
            details.open = false;
          }),
        );
        await page.screenshot({
          path: join(folder, `${name} ${colorScheme}.png`),
          fullPage: true,
          animations: 'disabled',
        });
      });
    });
  }

  test(`the report breaks no rule of accessibility in ${colorScheme}`, async () => {
    await openedFile(browser, address, 'data:', { ...SCREENS[0].options, colorScheme, bypassCSP: true }, (page) =>
      checkRules({ page }, 'report'),
    );
  });
}

test('the field above the cases leaves those that match', async () => {
  await openedFile(browser, address, 'data:', SCREENS[0].options, async (page) => {
    const shown = () => page.locator('details.case:visible').count();
    const all = await shown();
    const question = await page.locator('details.case summary').first().innerText();
    await page.getByRole('searchbox').first().fill(question.split('\n')[0]);
    await page.waitForFunction(
      (before) => [...document.querySelectorAll('details.case')].filter((one) => one.checkVisibility()).length < before,
      all,
    );
    assert.ok((await shown()) >= 1, 'the case itself stays');
  });
});

/** Three ways of searching, asked the questions of the sample campus. @param {string} site */
async function written(site) {
  await mkdir(folder, { recursive: true });
  const text = (value) => JSON.stringify(value);
  const experiment = join(folder, 'searches.toml');
  await writeFile(
    experiment,
    `
title = "Three searches <on> a campus"
[sets.campus]
site = ${text(site)}
questions = ${text(join(ROOT, 'samples/questions.jsonl'))}
[grid]
retriever = ["hybrid", "lexical", "dense"]
`,
  );
  await campanile(['eval', 'run', experiment, '--work', join(folder, 'work'), '--report', folder]);
}

/** Where the plots stand on the screen. @param {import('playwright-core').Page} page */
function boxes(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('.charts svg')].map((plot) => {
      const { left, right, width, height } = plot.getBoundingClientRect();
      const marks = plot.querySelectorAll('path, rect, circle, line, polyline, polygon, use').length;
      return {
        name: plot.getAttribute('aria-label') ?? plot.textContent?.slice(0, 40),
        left,
        right,
        width,
        height,
        marks,
      };
    }),
  );
}
