// Where the documents answer differently for different readers, the page asks which is meant, and remembers it for this question alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { visit } from './harness/reader.js';
import { siteOf } from './harness/site.js';

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

before(async () => {
  [browser, server] = await Promise.all([launch(), siteOf('choices', DOCUMENTS).then(serve)]);
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
