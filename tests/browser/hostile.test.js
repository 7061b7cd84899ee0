// Markup, links and pictures in documents and questions stay words on the page: nothing runs, nothing is fetched.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { checkWidth } from './harness/looks.js';
import { visit } from './harness/reader.js';
import { siteOf } from './harness/site.js';

const RUN = 'window.struck=true';

/** Each has a fact to ask for; whatever acts would set `window.struck` or leave the site. */
const DOCUMENTS = {
  'markup.txt': `Sauna\n\nThe sauna of Alder House opens at five. <img src=x onerror="${RUN}"><script>${RUN}</script><a href="javascript:${RUN}">x</a>\n`,
  'title.md': `# Boats &lt;img src=x onerror=${RUN}&gt;\n\nBirch House lends boats on Mondays.\n`,
  'links.md': `# Keys\n\nThe [porter](javascript:${RUN}) of Cedar House keeps the [keys](data:text/html,<script>${RUN}</script>) in ![a box](https://evil.example/box.png).\n`,
  'table.html': `<title>Rooms</title><h1>Rooms</h1><table><caption>&lt;script&gt;${RUN}&lt;/script&gt;</caption><tr><th>House<th>Room</tr><tr><td>Dun House<td>&lt;img src=x onerror=${RUN}&gt; 17</tr></table>`,
  'away.md': `---\ntitle: Pianos\nlink: "javascript:${RUN}"\n---\n\nElm House tunes its pianos in March.\n`,
  'long.txt': `Kennels\n\nThe kennels of Gorse House are called ${'unbroken'.repeat(400)} by all.\n`,
  'said.csv': `House,Remark\nFern House,"=HYPERLINK(""https://evil.example/"") is open in May"\n`,
};

const QUESTIONS = [
  'When does the sauna of Alder House open?',
  'When does Birch House lend boats?',
  'Who keeps the keys of Cedar House?',
  'Which room is in Dun House?',
  'When does Elm House tune its pianos?',
  'When is Fern House open?',
  `<img src=x onerror="${RUN}"> <script>${RUN}</script> When does the sauna of Alder House open? ![x](https://evil.example/x)`,
];

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), siteOf('hostile', DOCUMENTS).then(serve)]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('nothing that a document or a question says becomes an element, a link or a request', async () => {
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    // The form about the reader comes behind the index.
    await page.locator('form').nth(1).waitFor({ state: 'attached' });
    const quiet = await page.evaluate(elementsThatAct);
    for (const question of QUESTIONS) {
      await reader.askFor(question);
      assert.deepEqual(await page.evaluate(elementsThatAct), quiet, question);
      const count = await reader.sources.count();
      assert.ok(count > 0, question);
      for (let number = 0; number < count; number += 1) {
        await reader.sources.nth(number).getByRole('button').click();
        await reader.dialog.locator('mark').first().waitFor();
        assert.deepEqual(await page.evaluate(elementsThatAct), quiet, `${question}, source ${number + 1}`);
        await reader.closeSource();
      }
    }
    assert.equal(await page.evaluate(() => 'struck' in window), false);
  });
});

test('a word without a break stays within a phone’s screen', async () => {
  await visit(
    browser,
    server.origin,
    async (reader) => {
      await reader.askFor('How are the kennels of Gorse House called?');
      assert.match(await reader.page.getByTestId('sources').innerText(), /unbrokenunbroken/);
      await checkWidth(reader, 'answer');
      await reader.sources.first().getByRole('button').click();
      await reader.dialog.locator('mark').first().waitFor();
      await checkWidth(reader, 'passage reader');
    },
    { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true },
  );
});

/** In the page: what could act by itself, and where links lead but to the site, the web and mail. */
function elementsThatAct() {
  const places = [document, document.querySelector('campanile-ask').shadowRoot];
  const all = (/** @type {string} */ selector) => places.flatMap((place) => [...place.querySelectorAll(selector)]);
  const acting = all('script, img, iframe, object, embed, base, meta, form, template, svg');
  const handlers = all('*').filter((element) => [...element.attributes].some(({ name }) => name.startsWith('on')));
  const links = all('a[href]').map((link) => new URL(link.getAttribute('href'), document.baseURI).protocol);
  return {
    acting: acting.map((element) => element.localName),
    handlers: handlers.length,
    links: links.filter((protocol) => !['http:', 'https:', 'mailto:'].includes(protocol)),
  };
}
