// An answer stands in the form that its question asks for, and every part of it opens its source.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { UNANSWERABLE } from './harness/questions.js';
import { visit } from './harness/reader.js';
import { sampleSite } from './harness/site.js';

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), serve(await sampleSite())]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('dates are dates, and a refusal has no form', async () => {
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    const form = page.getByTestId('form');
    await reader.askFor('When is the resit period in 2027?');
    assert.equal(await form.getAttribute('data-form'), 'date_range');
    const times = await form.locator('time').evaluateAll((all) => all.map((it) => [it.dateTime, it.textContent]));
    assert.deepEqual(times, [
      ['2027-08-23', '23 August'],
      ['2027-09-03', '3 September 2027'],
    ]);
    assert.match(await form.innerText(), /^23 August to 3 September 2027/u);

    const link = form.getByRole('link', { name: /^Source \d:/u });
    const source = page.locator(`#campanile-source-${/\d/u.exec((await link.getAttribute('aria-label')) ?? '')}`);
    await link.click();
    assert.ok(await source.isVisible());
    assert.match(await source.innerText(), /resit/iu);

    await reader.askFor(UNANSWERABLE);
    assert.equal(await form.count(), 0);
  });
});

test('what to do is told in steps, each with its source', async () => {
  await visit(browser, server.origin, async (reader) => {
    await reader.askFor('How do I apply for an extension?');
    const steps = reader.page.getByTestId('form').locator('ol > li');
    // A form comes when the passages have been read.
    await steps.first().waitFor();
    assert.equal(await steps.count(), 3);
    assert.match(await steps.first().innerText(), /^Fill in form EX-2 in Gannet\./u);
    assert.equal(await reader.page.getByTestId('form').getByRole('link').count(), 3);
    assert.equal(await steps.first().evaluate((step) => getComputedStyle(step).listStyleType), 'decimal');
    // The source sets off the first step, not the whole section, and not its number, which the step has by its list.
    const source = reader.page.locator('.source-text', { hasText: 'Fill in form EX-2' }).locator('mark');
    assert.match(await source.innerText(), /^Fill in form EX-2 in Gannet\. Name the module, .* that you need\.$/u);
    assert.deepEqual(await steps.evaluateAll((all) => all.map((step) => step.value)), [1, 2, 3]);
  });
});

test('a row of a table is pairs that fit a phone', async () => {
  await visit(
    browser,
    server.origin,
    async (reader) => {
      const { page } = reader;
      await reader.askFor('How many items can I borrow from the library while I am writing a registered thesis?');
      const form = page.getByTestId('form');
      assert.equal(await form.getAttribute('data-form'), 'row');
      const names = await form.locator('dt').allInnerTexts();
      assert.deepEqual(names, ['Who', 'Items at one time', 'Loan period', 'Renewals']);
      const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.ok(!isWider, 'the page has to be scrolled sideways');
    },
    { viewport: { width: 320, height: 640 } },
  );
});
