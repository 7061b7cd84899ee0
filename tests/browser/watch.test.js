// `campanile watch`: the open page shows each build by itself, and says why one failed.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { launch, required } from './harness/chromium.js';
import { watch } from './harness/command.js';
import { explainedBy } from './harness/view.js';

const QUESTION = 'For how long are books lent?';

test('a page that is open follows the documents', async () => {
  const documents = join(required('CAMPANILE_WORK'), 'watched');
  await rm(documents, { recursive: true, force: true });
  await mkdir(documents, { recursive: true });
  const lent = (time) => writeFile(join(documents, 'library.md'), `# Library\n\nBooks are lent for ${time} weeks.\n`);
  await lent('four');
  const watching = await watch(documents);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const troubles = [];
    // The answer 503 to a page that is asked for before the first build.
    page.on('console', (message) => {
      if (!message.text().includes('503'))
        troubles.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => troubles.push(String(error)));
    await explainedBy(browser, async () => {
      await page.goto(watching.origin);
      // Opened before there was a site, it has come by itself; asked, it asks again after a build.
      await page.getByRole('combobox').fill(QUESTION);
      await page.getByRole('combobox').press('Enter');
      const answer = page.getByTestId('answer-text');
      await answer.filter({ hasText: 'four weeks' }).waitFor();
      await lent('six');
      await answer.filter({ hasText: 'six weeks' }).waitFor();

      const note = page.getByTestId('watch-note');
      await writeFile(join(documents, 'campanile.toml'), '[site]\ntitel = "Library"\n');
      await note.filter({ hasText: 'titel' }).waitFor();
      assert.match(await answer.innerText(), /six weeks/, 'the page is as it was');
      await writeFile(join(documents, 'campanile.toml'), '[site]\ntitle = "The Library"\n');
      await page.locator('#site-title', { hasText: 'The Library' }).waitFor();
      await answer.filter({ hasText: 'six weeks' }).waitFor();
      assert.equal(await note.count(), 0, 'nothing is wrong any more');
      await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistrations()).length === 0);
    });
    assert.deepEqual(troubles, []);
  } finally {
    await browser.close();
    await watching.stop();
  }
});
