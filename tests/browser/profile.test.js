// Who asks can be told, changes what is found, stays on the device and can be taken back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { visit } from './harness/reader.js';
import { sampleSite, siteOf } from './harness/site.js';

const QUESTION = 'How many percentage points does late coursework lose?';

const DOCUMENTS = {
  'campanile.toml': `[metadata]\nlevel = 'university'\n
[[rules]]\nmatch = 'physics/'\nlevel = 'department'\ndepartment = 'Physics'\n
[[rules]]\nmatch = 'chemistry/'\nlevel = 'department'\ndepartment = 'Chemistry'\n`,
  'late.md': '# Late coursework\n\nLate coursework loses five percentage points for each working day.\n',
  'physics/late.md':
    '# Late coursework in Physics\n\nLate coursework loses ten percentage points for each working day.\n',
  'physics/old.md':
    '---\nbatches: until 2021\n---\n# Late coursework of older students\n\nLate coursework of older students loses nothing.\n',
  'chemistry/late.md': '# Late coursework in Chemistry\n\nLate coursework loses all of its percentage points.\n',
  'library.md': '# Library\n\nThe library is open from nine to five.\n',
};

let browser;
let server;
let plain;

before(async () => {
  const sites = [siteOf('profiles', DOCUMENTS), siteOf('no-profiles', { 'library.md': DOCUMENTS['library.md'] })];
  const [told, silent] = await Promise.all(sites);
  // Which device reads makes no difference here, and a software adapter takes half a minute to be compared.
  [browser, server, plain] = await Promise.all([launch({ webgpu: false }), serve(told), serve(silent)]);
});
after(async () => {
  await browser?.close();
  await Promise.all([server, plain].map((it) => it?.stop()));
});

const titles = (reader) => reader.page.locator('.sources :is(h3, .source-title)').allTextContents();

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`with the keyboard, in a ${colorScheme} page: tell, ask, see the others, come back, forget`, async () => {
    await visit(
      browser,
      server.origin,
      async (reader) => {
        const { page } = reader;
        const chip = page.getByTestId('profile-chip');
        await chip.waitFor();
        assert.equal(await chip.innerText(), 'for: everybody');
        await chip.focus();
        await page.keyboard.press('Enter');
        const form = page.getByTestId('profile-form');
        await form.waitFor();
        assert.equal(await chip.getAttribute('aria-expanded'), 'true');
        const department = page.getByLabel('Department');
        assert.ok(
          await department.evaluate((it) => it === it.getRootNode().activeElement),
          'the first field has the focus',
        );
        assert.deepEqual(await department.locator('option').allInnerTexts(), ['not told', 'Chemistry', 'Physics']);
        assert.equal(await page.getByLabel('Faculty').count(), 0, 'nothing is asked that makes no difference');
        await department.selectOption('Physics');
        await page.getByLabel('Batch').fill('2024');
        await page.keyboard.press('Enter');
        await form.waitFor({ state: 'hidden' });
        assert.equal(await chip.innerText(), 'for: Physics, batch 2024');
        assert.ok(await chip.evaluate((it) => it === it.getRootNode().activeElement), 'the focus comes back');

        await reader.askFor(QUESTION);
        const leftOut = page.getByTestId('left-out');
        await leftOut.waitFor();
        assert.match(await leftOut.innerText(), /2 passages are for others/u);
        await leftOut.locator('summary').click();
        assert.match(await leftOut.innerText(), /department: for Chemistry, and the profile says Physics/u);
        assert.match(
          await page.getByTestId('difference').first().innerText(),
          /Your department’s rule differs from the university’s: ten percentage points \[\d\], five percentage points \[\d\]\./u,
        );

        await page.getByRole('button', { name: 'Show them' }).click();
        await page.getByTestId('everyone').waitFor();
        assert.ok((await page.getByTestId('results').innerText()).includes('Late coursework in Chemistry'));
        await page.getByRole('button', { name: 'Show only those for me' }).click();
        await leftOut.waitFor();
        assert.ok(!(await titles(reader)).some((title) => title?.includes('Chemistry')));

        // What is still fetched would be broken off.
        await reader.kept();
        await page.reload();
        await chip.waitFor();
        assert.equal(await chip.innerText(), 'for: Physics, batch 2024', 'the device has kept it');
        await chip.click();
        await page.getByRole('button', { name: 'Forget this' }).click();
        assert.equal(await chip.innerText(), 'for: everybody');
        const told = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('profile')));
        assert.deepEqual(told, [], 'nothing of it is left on the device');
      },
      { colorScheme },
    );
  });
}

test('Escape closes the form and changes nothing', async () => {
  await visit(browser, server.origin, async ({ page }) => {
    await page.getByTestId('profile-chip').click();
    await page.getByLabel('Department').selectOption('Physics');
    await page.keyboard.press('Escape');
    await page.getByTestId('profile-form').waitFor({ state: 'hidden' });
    assert.equal(await page.getByTestId('profile-chip').innerText(), 'for: everybody');
  });
});

test('where documents tell no readers apart, nothing is asked', async () => {
  await visit(browser, plain.origin, async (reader) => {
    await reader.askFor('When is the library open?');
    assert.ok(await reader.page.getByTestId('profile').isHidden());
    assert.equal(await reader.page.getByTestId('left-out').count(), 0);
  });
});

test('the sample campus offers what its documents name', async () => {
  const sample = await serve(await sampleSite());
  try {
    await visit(browser, sample.origin, async ({ page }) => {
      await page.getByTestId('profile-chip').click();
      await page.getByLabel('Degree programme').selectOption('MSc Hydroinformatics');
      await page.getByLabel('HYI510').check();
      await page.getByRole('button', { name: 'Search for me' }).click();
      assert.equal(await page.getByTestId('profile-chip').innerText(), 'for: MSc Hydroinformatics, HYI510');
    });
  } finally {
    await sample.stop();
  }
});
