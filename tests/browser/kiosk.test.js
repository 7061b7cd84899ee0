// `campanile serve --kiosk`: starts again, forgets, lets nobody out, and hands answers over.
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, required } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { checkRules, checkWidth } from './harness/looks.js';
import { visit } from './harness/reader.js';
import { sampleSite } from './harness/site.js';

const QUESTION = 'What does late examination registration cost?';
const UNANSWERED = 'Who is the Dean of Studies of the Faculty of Engineering and Environment?';
const IDLE_SECONDS = 10;

let log;
let server;
let browser;

before(async () => {
  log = join(required('CAMPANILE_WORK'), 'kiosk.jsonl');
  await rm(log, { force: true });
  server = await serve(await sampleSite(), ['--kiosk', '--idle', String(IDLE_SECONDS), '--log', log]);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('an answer can be taken along, also where it is long; what leads out of the site is a code too', async () => {
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    await page.getByTestId('kiosk-note').waitFor();
    await reader.askFor(QUESTION);
    await page.getByTestId('kiosk-take').click();
    const code = page.getByTestId('kiosk-code');
    const path = await code.locator('svg path').getAttribute('d');
    assert.ok(path.split('M').length > 200, 'a code has dark modules');
    await checkRules(reader, 'code');
    await checkWidth(reader, 'code');
    await code.getByRole('button', { name: 'Close' }).click();
    await reader.sources.first().getByRole('button').click();
    await reader.dialog.locator('mark').first().waitFor();
    await page.getByTestId('open-document').click();
    await code.getByText(/^https:/u).waitFor();
    assert.equal(page.context().pages().length, 1, 'no other window opens');
    const size = await page.locator('campanile-ask .ask-input').evaluate((box) => getComputedStyle(box).fontSize);
    assert.ok(Number.parseFloat(size) >= 24, `${size} is large type`);
  });
});

test('after a while without a touch it asks, starts again, and nothing of the visitor is left', async () => {
  await visit(browser, server.origin, async (reader) => {
    const { page } = reader;
    await page.getByTestId('profile-chip').click();
    await page.getByTestId('profile-form').getByRole('combobox').first().selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Search for me' }).click();
    await reader.askFor(QUESTION);
    await page.getByTestId('judge').getByRole('button', { name: 'Yes' }).click();
    const told = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('campanile-')));
    assert.ok((await told()).length >= 2, 'profile and judgement');
    const idle = page.getByTestId('kiosk-idle');
    await idle.waitFor({ timeout: (IDLE_SECONDS + 5) * 1000 });
    await checkRules(reader, 'are you there');
    await page.mouse.click(5, 5);
    await idle.waitFor({ state: 'hidden' });
    assert.ok(await reader.answer.isVisible(), 'a touch is enough to stay');
    const loads = reader.loads;
    await page.waitForFunction(() => location.hash === '', null, { timeout: 60_000 });
    await reader.opened();
    assert.ok(reader.loads > loads);
    // The page went while its icon was on the way.
    reader.troubles = reader.troubles.filter((trouble) => !/icons\/campanile\.svg net::ERR_ABORTED/u.test(trouble));
    assert.deepEqual(await told(), []);
    assert.equal(await reader.box.inputValue(), '');
    assert.equal(await page.getByTestId('earlier').isVisible(), false);
    await page.goBack().catch(() => undefined);
    assert.doesNotMatch(page.url(), /q=/u, 'nothing to go back to');
  });
});

test('what is not answered is kept, once, without who asked', async () => {
  await visit(browser, server.origin, async (reader) => {
    await reader.askFor(UNANSWERED, 'hybrid', { isRead: false });
    await reader.page.locator('campanile-ask[data-kind="refusal"]').waitFor();
    await reader.page.waitForTimeout(500);
    const lines = (await readFile(log, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ question, kind }) => ({ question, kind })),
      [{ question: UNANSWERED, kind: 'refusal' }],
    );
    assert.deepEqual(Object.keys(lines[0]).sort(), ['at', 'kind', 'question']);
  });
});
