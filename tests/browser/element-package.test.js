// `@campanile/element` as it is published: packed, installed into an empty project, and used on a page of others.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serveFolders } from './harness/origin.js';
import { installedPackage, run, tool } from './harness/packages.js';
import { ASKED } from './harness/questions.js';
import { sampleSite } from './harness/site.js';
import { explainedBy } from './harness/view.js';

let site;
let project;

before(async () => {
  site = await sampleSite();
  project = await installedPackage('element');
});
after(() => project && rm(project, { recursive: true, force: true }));

const installed = (name) => join(project, 'node_modules/@campanile/element', name);

test('holds its licences and no page around the element', () => {
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT', 'third-party-licences.txt', 'README.md', 'index.d.ts'])
    assert.ok(existsSync(installed(name)), name);
  for (const name of ['web/page.js', 'web/service-worker.js', 'tsconfig.json'])
    assert.ok(!existsSync(installed(name)), name);
});

test('a page has the element from one origin and the site from another, in its own words', async (context) => {
  const browser = await launch();
  context.after(() => browser.close());
  const packageServer = await serveFolders({ '/element/': installed('.') });
  context.after(() => packageServer.stop());
  const siteServer = await serveFolders({ '/handbook/': site });
  context.after(() => siteServer.stop());
  const html = `<!doctype html><html lang="de"><title>Other</title>
    <style>button, input, h2 { background: pink !important; display: block; width: 30px }</style>
    <script type="module" src="${packageServer.origin}/element/index.js"></script>
    <campanile-ask lang="de" src="${siteServer.origin}/handbook/"></campanile-ask>`;
  const pageServer = await serveFolders({}, { files: { '/': html, '/favicon.ico': '' } });
  context.after(() => pageServer.stop());

  const page = await browser.newPage();
  const troubles = [];
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(String(error)));
  const programs = [];
  page.on('request', (request) => {
    if (request.url().startsWith(siteServer.origin) && !request.url().includes('/shards/'))
      programs.push(request.url());
  });
  await explainedBy(browser, async () => {
    await page.goto(pageServer.origin);
    const ask = page.locator('campanile-ask');
    const box = ask.getByRole('combobox', { name: 'Ihre Frage' });
    await box.fill(ASKED.question);
    await box.press('Enter');
    await page.locator('campanile-ask[data-state="answered"][data-read="true"]').waitFor();
    assert.match(await ask.getByTestId('answer-text').innerText(), ASKED.answer);
    assert.notEqual(await box.evaluate((input) => getComputedStyle(input).backgroundColor), 'rgb(255, 192, 203)');
    await page.locator('campanile-ask[data-offline="ready"]').waitFor();
    assert.deepEqual([...new Set(programs)], [`${siteServer.origin}/handbook/campanile.json`]);
    assert.deepEqual(troubles, []);
  });
});

test('its types hold in a strict program', async () => {
  await writeFile(
    join(project, 'program.ts'),
    `import { CampanileAsk } from "@campanile/element";
     const found = document.querySelector("campanile-ask");
     if (!(found instanceof CampanileAsk)) throw new Error("no element");
     const site: URL = found.site;
     await found.ask("When is the library open?");
     // @ts-expect-error
     await found.ask(7);
     export { site };`,
  );
  const flags = ['--strict', '--noEmit', '--target', 'es2024', '--lib', 'es2024,esnext.disposable,dom,dom.iterable'];
  await assert.doesNotReject(
    run(tool('tsc'), [...flags, '--module', 'nodenext', '--types', '', 'program.ts'], { cwd: project }),
  );
});
