// The page of a campus asks the sites of several departments: one beside it, one of another origin, one that is gone.
import assert from 'node:assert/strict';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, required } from './harness/chromium.js';
import { askNatively, campanile } from './harness/command.js';
import { serveFolders } from './harness/origin.js';
import { siteOf } from './harness/site.js';
import { explainedBy } from './harness/view.js';

const DEPARTMENTS = {
  physics: '# Laboratory\n\n## Lasers\n\nWhoever works with a laser wears the goggles that hang beside the door.\n',
  law: '# Moot court\n\n## Teams\n\nA team for the moot court has four students and one coach.\n',
  arts: '# The kiln\n\n## Rota\n\nThe kiln is fired on Thursdays, and pots are brought until noon.\n',
};
const QUESTION = 'How many people are in a moot court team?';

let browser;
let work;
/** The campus with physics and arts; and law, on a host of its own. */
let host;
let other;

before(async () => {
  work = join(required('CAMPANILE_WORK'), 'departments');
  await rm(work, { recursive: true, force: true });
  for (const [name, text] of Object.entries(DEPARTMENTS)) {
    const site = await siteOf(name, { 'rules.md': text }, { flags: ['--index-only'] });
    await cp(site, join(work, name), { recursive: true });
  }
  const folders = Object.fromEntries(['campus', 'physics', 'arts'].map((name) => [`/${name}/`, join(work, name)]));
  [browser, host, other] = await Promise.all([
    launch(),
    serveFolders(folders),
    serveFolders({ '/law/': join(work, 'law') }),
  ]);
  const addresses = { physics: '../physics/', law: `${other.origin}/law/`, arts: '../arts/' };
  const sites = Object.entries(addresses).map(
    ([name, address]) => `[[sites]]\nname = "${name}"\naddress = "${address}"\n`,
  );
  await writeFile(join(work, 'campus.toml'), `[site]\ntitle = "University"\n${sites.join('')}`);
  await campanile(['federate', join(work, 'campus.toml'), '-o', join(work, 'campus')]);
  await rm(join(work, 'arts'), { recursive: true });
});
after(async () => {
  await browser?.close();
  await host?.stop();
  await other?.stop();
});

test('what departments publish is found as in the terminal, with whose it is, and who could not be asked', () =>
  explainedBy(browser, async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const troubles = [];
    // What is gone is asked for once: the browser says so by itself.
    const isOfArts = (message) => message.location().url === `${host.origin}/arts/campanile.json`;
    page.on('console', (message) => {
      if (message.type() === 'error' && !isOfArts(message)) troubles.push(message.text());
    });
    page.on('pageerror', (error) => troubles.push(String(error)));
    await page.goto(`${host.origin}/campus/#${new URLSearchParams({ q: QUESTION })}`);
    await page.locator('campanile-ask[data-state="answered"][data-read="true"]').waitFor();

    assert.match(await page.getByTestId('answer-text').innerText(), /four students and one coach/);
    const [native] = await askNatively(join(work, 'campus'), [QUESTION], 'hybrid');
    const sources = page.getByTestId('source');
    const chunks = await sources.evaluateAll((items) => items.map((item) => Number(item.dataset['chunk'])));
    assert.deepEqual(
      chunks,
      native.sources.map(({ chunk }) => chunk),
    );
    assert.match(await sources.first().innerText(), /^.*Moot court\s+law/s);

    const note = page.getByTestId('sites');
    await note.getByText('Asked: ').waitFor();
    const link = note.getByRole('link', { name: 'law' });
    assert.equal(await link.getAttribute('href'), `${other.origin}/law/#${new URLSearchParams({ q: QUESTION })}`);

    // The passage is opened where it stands, on its own site.
    await sources.first().getByRole('button').click();
    await page.getByTestId('reader').locator('mark').first().waitFor();
    assert.match(await page.getByTestId('reader').innerText(), /four students and one coach/);
    await page.keyboard.press('Escape');

    // Who could answer this is gone: that is said, and others are asked in its place.
    await page.getByRole('combobox', { name: 'Your question' }).fill('On what day of the week is the kiln fired?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByTestId('sites').getByText('arts could not be asked').click();
    await page
      .getByTestId('sites')
      .getByText(/campanile\.json/)
      .waitFor();
    assert.doesNotMatch(await page.getByTestId('answer-text').innerText(), /Thursdays/);
    assert.deepEqual(troubles, []);
    const kept = await page.evaluate(() => caches.keys());
    assert.ok(kept.includes(`campanile-data:${other.origin}/law/`), kept.join());
    await context.close();
  }));

test('the page of a campus fetches from the hosts of its sites and from no others', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${host.origin}/campus/`);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  assert.match(policy ?? '', new RegExp(`connect-src 'self' ${other.origin};`));
  await page.context().close();
});
