// Where the documents answer differently for different readers, the page asks which is meant, and remembers it for this question alone.
import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, required } from './harness/chromium.js';
import { campanile, serve } from './harness/command.js';
import { visit } from './harness/reader.js';

const QUESTION = 'How many ECTS do I need before I can register a thesis?';

const DOCUMENTS = {
  'optics.md':
    '---\nprogrammes: MSc Optics\n---\n# Thesis in Optics\n\nA thesis can be registered once 60 ECTS have been earned.\n',
  'physics.md':
    '---\nprogrammes: BSc Physics\n---\n# Thesis in Physics\n\nA thesis can be registered once 120 ECTS have been earned.\n',
  'library.md': '# Library\n\nThe library is open from nine to five.\n',
};

let browser;
let server;

async function choiceSite() {
  const work = required('CAMPANILE_WORK');
  const [docs, site] = [join(work, 'choices-documents'), join(work, 'choices')];
  if (existsSync(site)) return site;
  for (const [path, text] of Object.entries(DOCUMENTS)) {
    await mkdir(dirname(join(docs, path)), { recursive: true });
    await writeFile(join(docs, path), text);
  }
  const unfinished = `${site}-${process.pid}`;
  await campanile(['build', docs, '-o', unfinished, '--no-report']);
  await rm(docs, { recursive: true });
  await rename(unfinished, site);
  return site;
}

before(async () => {
  [browser, server] = await Promise.all([launch(), choiceSite().then(serve)]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('a reader chooses, sees the answer for it, and takes it back', async () => {
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    const choice = page.getByTestId('choice');
    await reader.askFor(QUESTION);
    assert.match(await choice.innerText(), /depends on the programme/u);
    assert.deepEqual((await choice.getByRole('button').allInnerTexts()).sort(), ['BSc Physics', 'MSc Optics']);
    assert.equal(await page.getByTestId('form').count(), 0, 'what is not decided has no short form');

    await choice.getByRole('button', { name: 'MSc Optics' }).click();
    const narrowed = page.getByTestId('narrowed');
    await narrowed.waitFor();
    assert.match(await narrowed.innerText(), /MSc Optics/u);
    assert.match(await reader.marked.innerText(), /60 ECTS/u);
    assert.equal(
      await page.evaluate(() => JSON.stringify({ ...localStorage }).includes('Optics')),
      false,
      'nothing is kept',
    );

    await narrowed.getByRole('button').click();
    await choice.waitFor();
    assert.equal(await narrowed.count(), 0);
  });
});
