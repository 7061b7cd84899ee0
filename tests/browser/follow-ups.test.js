// A question may point back at the one before; the page says how it was understood, and can be told to take the words as typed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
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

/** Types a question and waits until it is answered by all that this site has. */
async function ask({ page, box }, question) {
  await page.evaluate(() => document.querySelector('campanile-ask')?.removeAttribute('data-read'));
  await box.fill(question);
  await box.press('Enter');
  await page.locator('campanile-ask[data-stage="hybrid"][data-read="true"][data-state="answered"]').waitFor();
}

test('a follow-up is completed, shown, and can be asked as typed', async () => {
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    const note = page.getByTestId('asked-as');
    await ask(reader, 'How is WEN210 assessed?');
    assert.equal(await note.count(), 0, 'a first question stands alone');

    await ask(reader, 'And WEN220?');
    await note.waitFor();
    assert.equal(await note.locator('q').innerText(), 'How is WEN220 assessed?');
    assert.equal(await reader.box.inputValue(), 'And WEN220?');
    assert.match(page.url(), /#q=And\+WEN220/u);

    await note.getByRole('button').click();
    await note.waitFor({ state: 'detached' });
    assert.equal(await reader.box.inputValue(), 'And WEN220?');

    await ask(reader, 'How do I apply for an extension?');
    assert.equal(await note.count(), 0, 'what stands alone is left alone');
  });
});

test('nothing of a conversation outlives its tab', async () => {
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    await ask(reader, 'How is WEN210 assessed?');
    await ask(reader, 'And WEN220?');
    // Questions are offered again, each for itself; the visitor can forget them, or have none kept.
    const kept = await page.evaluate(() => {
      const { 'campanile-questions:/': questions, ...others } = localStorage;
      return [JSON.parse(questions).map(({ question }) => question), JSON.stringify([others, { ...sessionStorage }])];
    });
    assert.deepEqual(kept[0], ['And WEN220?', 'How is WEN210 assessed?'], 'as they were typed');
    assert.doesNotMatch(kept[1], /assessed|WEN2/u);
    // What is on its way to be kept would be broken off.
    await reader.kept();
    await page.reload();
    await reader.opened();
    assert.equal(await page.getByTestId('asked-as').count(), 0);
  });
});
