// `<campanile-ask>` in websites of other makes: each built by its own tool, with a site of the same documents beside it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { launch, required } from './harness/chromium.js';
import { ROOT, campanile } from './harness/command.js';
import { serveFolders } from './harness/origin.js';
import { explainedBy } from './harness/view.js';

const run = promisify(execFile);
const PROJECTS = join(ROOT, 'tests/hosts');
/** Two minutes and more on a busy machine with two cores. */
const BUILD_MILLISECONDS = 600_000;

/** @param {string} name  of what `cargo xtask` installed */
const tool = (name) => join(required('CAMPANILE_HOSTS'), name);

/**
 * How each host's project is built: `documents` is the folder of its pages, `built` that of its website, `page` the
 * address of the page that asks; `darken` is what its own switch does, where it has one.
 */
const HOSTS = {
  mdbook: {
    documents: 'src',
    built: 'book',
    page: '/ask.html',
    build: (project) => run(required('CAMPANILE_MDBOOK'), ['build', project]),
    darken: () => document.documentElement.classList.replace('light', 'navy'),
  },
  mkdocs: {
    documents: 'docs',
    built: 'site',
    page: '/',
    build: (project) => run(tool('mkdocs/bin/python'), ['-m', 'mkdocs', 'build', '--strict'], { cwd: project }),
    darken: () => document.body.setAttribute('data-md-color-scheme', 'slate'),
  },
  docusaurus: {
    documents: 'docs',
    built: 'build',
    page: '/students/ask/',
    build: async (project) => {
      const packages = tool('docusaurus/node_modules');
      await symlink(packages, join(project, 'node_modules'));
      // It looks for news of itself otherwise, and takes what it kept of another folder's build for this one's.
      const env = { ...process.env, CI: 'true', NO_UPDATE_NOTIFIER: '1', DOCUSAURUS_NO_PERSISTENT_CACHE: 'true' };
      await run(join(packages, '.bin/docusaurus'), ['build'], { cwd: project, env, timeout: BUILD_MILLISECONDS });
    },
    darken: () => document.documentElement.setAttribute('data-theme', 'dark'),
  },
  sphinx: {
    documents: 'source',
    built: 'build/html',
    page: '/',
    build: (project) =>
      run(tool('sphinx/bin/python'), ['-m', 'sphinx', '-M', 'html', 'source', 'build', '-W'], { cwd: project }),
  },
};

/** How light the ground is that an element stands on, 0 to 1. Runs in the page. @param {Element} element */
function lightness(element) {
  const canvas = document.createElement('canvas').getContext('2d');
  canvas.fillStyle = getComputedStyle(element.closest('.ask-box') ?? element).backgroundColor;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
  return (red + green + blue) / 3 / 255;
}

let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test('the guide shows what is built here', async () => {
  for (const name of Object.keys(HOSTS)) {
    const guide = await readFile(join(ROOT, `docs/guide/hosts/${name}.md`), 'utf8');
    const shown = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, kind]) => kind !== 'sh');
    assert.ok(shown.length >= 3, name);
    const files = await readdir(join(PROJECTS, name), { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'utf8')),
    );
    for (const [, , text] of shown)
      assert.ok(
        texts.some((whole) => whole.includes(text)),
        `${name}: ${text}`,
      );
  }
});

for (const [name, host] of Object.entries(HOSTS)) {
  test(name, async (context) => {
    const work = join(required('CAMPANILE_WORK'), 'hosts');
    const project = join(work, name);
    const built = join(project, host.built);
    await rm(project, { recursive: true, force: true });
    await cp(join(PROJECTS, name), project, { recursive: true });
    const documents = join(project, host.documents);
    // Sphinx has its own, in its own language.
    if (name !== 'sphinx') await cp(join(PROJECTS, 'pages'), documents, { recursive: true });
    await host.build(project);
    const settings = ['--config', join(project, 'campanile.toml'), '--no-report', '--strict'];
    await campanile(['build', documents, '-o', join(built, 'answers'), ...settings]);

    const server = await serveFolders({ '/': built }, { files: { '/favicon.ico': '' }, isShared: false });
    context.after(() => server.stop());
    const page = await browser.newPage();
    context.after(() => page.close());
    const troubles = [];
    page.on('console', (message) => troubles.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => troubles.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${server.origin}/`)) troubles.push(`left the host: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() !== 200) troubles.push(`${response.status()}: ${response.url()}`);
    });

    await explainedBy(browser, async () => {
      await page.goto(server.origin + host.page);
      const ask = page.locator('campanile-ask');
      assert.equal(await ask.count(), 1);
      await page.locator('campanile-ask[data-state="ready"]').waitFor();
      // Locators look into an open shadow root as well.
      await ask
        .getByRole('combobox', { name: 'Your question' })
        .fill('Until what time is the library open on Saturdays?');
      await ask.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.locator('campanile-ask[data-state="answered"][data-read="true"]').waitFor();
      const answer = (await ask.getByTestId('answer-text').innerText()).replace(/\s+/g, ' ');
      assert.match(answer, /On Saturdays it opens at 10:00 and closes at 16:00/);

      const box = ask.getByRole('combobox', { name: 'Your question' });
      assert.ok((await box.evaluate(lightness)) > 0.9, 'light, as the host is');
      if (host.darken) {
        await page.evaluate(host.darken);
        assert.ok((await box.evaluate(lightness)) < 0.3, 'dark, as the host has become');
      }

      // The source leads to the host's own page.
      await ask.getByTestId('source').first().getByRole('button').click();
      const link = page.getByTestId('open-document');
      await link.waitFor();
      const address = new URL((await link.getAttribute('href')) ?? '', page.url());
      assert.match(address.pathname, /^\/(docs\/)?library(\.html|\/)$/);
      await page.goto(address.href);
      assert.match(await page.locator('body').innerText(), /behind the ferry terminal/);
    });
    assert.deepEqual(troubles, []);
  });
}
