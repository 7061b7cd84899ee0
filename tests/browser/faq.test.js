// A question that a department's FAQ asks too, in other words, is answered with its entry, which the page names.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { visit } from './harness/reader.js';
import { siteOf } from './harness/site.js';

const DOCUMENTS = {
  'desk.csv':
    'question,answer\n' +
    'What do I do if I lose my student card?,"Block it in Gannet at once. A new one costs EUR 12; collect it at the desk after two days."\n' +
    'How do I reset my password?,Choose Forgotten on the login page and follow the mail.\n' +
    'When is the desk open?,Monday to Friday from nine to three.\n',
  'house.md': '# The house\n\nThe reading room has forty places. Bicycles stand behind the house.\n',
};

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), siteOf('faq', DOCUMENTS).then(serve)]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('an entry answers a question in other words, under its own question', async () => {
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    await reader.askFor('my student card is lost, what now');
    const question = page.getByTestId('answer-question');
    await question.waitFor();
    assert.equal(await question.innerText(), 'What do I do if I lose my student card?');
    assert.match(
      await page.getByTestId('answer-text').innerText(),
      /^Block it in Gannet at once\. A new one costs EUR 12; collect it at the desk after two days\./u,
    );

    await reader.askFor('Where can I leave my bicycle?');
    assert.equal(await question.count(), 0, 'what is no entry names no question');
  });
});
