// The form with which a department looks at written questions, opened from the disk as it is handed out; where windows tell each
// other of decisions, from a server.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { launch, required } from './harness/chromium.js';
import { campanile } from './harness/command.js';
import { openedFile } from './harness/file.js';
import { checkRules, checkWidth } from './harness/looks.js';
import { serveFolders } from './harness/origin.js';

const folder = join(required('CAMPANILE_WORK'), 'review');
const questions = join(folder, 'questions.jsonl');
const form = join(folder, 'form.html');
const address = pathToFileURL(form).href;
let browser;
/** The form over HTTP: in 5 of 60 tries a second window of a `file:` page did not see what the first wrote to localStorage. */
let shared;
let server;

/** Whose text would end the script that it lies in, and is nothing but text. */
const PASSAGE = 'The library opens at 8:00. </script><script>throw new Error("run")</script>';

before(async () => {
  await mkdir(folder, { recursive: true });
  const proposals = ['When does the library open?', 'How late is the library open?', 'Is there a library?'].map(
    (question, place) => ({
      question: {
        id: `w${place}`,
        question,
        category: 'answerable',
        answers: ['8:00'],
        gold: [{ document: 'library.md', passage: 'The library opens at 8:00.' }],
      },
      template: 'model',
      document: 'library.md',
      place: 'Library > Hours',
      passage: PASSAGE,
    }),
  );
  await writeFile(questions, `${proposals.map((one) => JSON.stringify(one)).join('\n')}\n`);
  await campanile(['questions', 'review', questions, '--form', form]);
  browser = await launch();
  // The browser asks a server for an icon by itself.
  server = await serveFolders({}, { files: { '/': await readFile(form, 'utf8'), '/favicon.ico': '' } });
  shared = `${server.origin}/`;
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('decisions are made with the keyboard, outlive a reload, and come back as a review that the command reads', async () => {
  await openedFile(browser, address, 'blob:', { acceptDownloads: true }, async (page) => {
    const progress = page.locator('#progress');
    assert.equal(await page.locator('#passage').innerText(), PASSAGE);
    await page.keyboard.press('a');
    await page.getByLabel('Question', { exact: true }).fill('Until when is the library open?');
    await page.getByLabel('Answer (several with ; between)').fill('22:00');
    await page.keyboard.press('Escape');
    assert.match(await page.locator('#astray').innerText(), /does not say “22:00”/);
    await page.keyboard.press('a');
    await page.keyboard.press('r');
    const decided = '3 of 3: 1 accepted, 1 edited, 1 rejected, 0 undecided';
    assert.equal(await progress.innerText(), decided);
    await page.reload();
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    // A page that is loaded at once may hear of its decisions a moment later: they are written by another process.
    await progress.getByText(decided, { exact: true }).waitFor();
    // On a busy machine Chromium loses what a `file:` page wrote to localStorage.
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await progress.getByText(decided, { exact: true }).waitFor();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the review' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'questions.jsonl');
    await download.saveAs(questions);
    const reviewed = (await readFile(questions, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      reviewed.map((one) => one.decision),
      ['accepted', 'edited', 'rejected'],
    );
    assert.equal(reviewed[1].question.question, 'Until when is the library open?');
    assert.match(await campanile(['questions', 'review', questions]), /1 accepted, 1 edited, 1 rejected/);
  });
});

test('decisions of two windows are added up, and what is being typed stays', async () => {
  await openedFile(browser, shared, 'blob:', {}, async (page) => {
    const other = await page.context().newPage();
    await other.goto(shared);
    // The browser connects what is kept with a window only after the window has read it: what another decides in between reaches it late.
    await other.waitForTimeout(1_000);
    await other.keyboard.press('n');
    const typed = other.getByLabel('Question', { exact: true });
    await typed.fill('Until when can I stay?');
    await page.keyboard.press('a');
    await other.getByText('2 of 3: 1 accepted, 0 edited, 0 rejected, 2 undecided', { exact: true }).waitFor();
    assert.equal(await typed.inputValue(), 'Until when can I stay?');
    await other.keyboard.press('Escape');
    await other.keyboard.press('r');
    await page.getByText('2 of 3: 1 accepted, 0 edited, 1 rejected, 1 undecided', { exact: true }).waitFor();
  });
});

test('a window that was not told of another’s decision learns of it when it is turned to', async () => {
  await openedFile(browser, shared, 'blob:', {}, async (page) => {
    const other = await page.context().newPage();
    await other.addInitScript(() => {
      window.addEventListener('storage', (event) => event.stopImmediatePropagation());
    });
    await other.goto(shared);
    await page.keyboard.press('a');
    await page.getByText('1 accepted').waitFor();
    await other.waitForTimeout(1_000);
    assert.match(await other.locator('#progress').innerText(), /0 accepted/);
    await other.evaluate(() => window.dispatchEvent(new Event('focus')));
    await other.getByText('1 accepted').waitFor();
    // Where the browser keeps nothing, what was decided in the window stays.
    await other.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new Error('full');
      };
    });
    await other.keyboard.press('r');
    await other.evaluate(() => window.dispatchEvent(new Event('focus')));
    // It was the same question's, so the other's "accepted" is the one that would come back.
    assert.match(await other.locator('#progress').innerText(), /0 accepted, 0 edited, 1 rejected/);
  });
});

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const width of [1280, 320]) {
    test(`it fits ${width} pixels and breaks no rule of accessibility in ${colorScheme}`, async () => {
      await openedFile(
        browser,
        address,
        'blob:',
        { viewport: { width, height: 700 }, colorScheme, bypassCSP: true },
        async (page) => {
          await checkWidth({ page }, 'as it is opened');
          await checkRules({ page }, 'form');
          await page.screenshot({ path: join(folder, `${width} ${colorScheme}.png`), fullPage: true });
        },
      );
    });
  }
}
