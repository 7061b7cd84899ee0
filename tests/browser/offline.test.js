// The page without a network: the same page, opened again, and with no server at all.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { ASKED, OTHERS, OTHER_WORDS } from './harness/questions.js';
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

test('answers as before when the network is cut, on the open page and after it is opened again', async () => {
  await visit(browser, server.origin, async (reader) => {
    await reader.askFor(ASKED.question);
    await reader.kept();
    await reader.context.setOffline(true);
    await asksTheOthers(reader);
    await reader.page.reload();
    await reader.opened();
    await asksTheOthers(reader);
  });
});

test('answers as before when the server is gone', async () => {
  const own = await serve(await sampleSite());
  await visit(browser, own.origin, async (reader) => {
    await reader.askFor(ASKED.question);
    await reader.kept();
    await own.stop();
    await reader.open();
    await asksTheOthers(reader);
  });
});

/** Other questions than before: their parts of the index must have been kept before they were needed. */
async function asksTheOthers(reader) {
  for (const { question, answer } of [...OTHERS, OTHER_WORDS]) {
    await reader.askFor(question);
    assert.match(await reader.marked.innerText(), answer);
  }
}
