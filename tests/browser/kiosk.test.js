// `campanile serve --kiosk`: starts again, forgets, lets nobody out, and hands answers over.
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { launch, required } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { checkRules, checkWidth } from './harness/looks.js';
import { WAIT_MILLISECONDS } from './harness/patience.js';
import { visit } from './harness/reader.js';
import { sampleSite } from './harness/site.js';

const QUESTION = 'What does late examination registration cost?';
const UNANSWERED = 'Who is the Dean of Studies of the Faculty of Engineering and Environment?';
/** Longer than a test takes: the page's clock is put forward by those that want to see it pass. */
const IDLE_SECONDS = 900;
/** As long as the page asks whether somebody is there. */
const ASKING_SECONDS = 15;

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
    await page.clock.install();
    await reader.open();
    await page.getByTestId('profile-chip').click();
    await page.getByTestId('profile-form').getByRole('combobox').first().selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Search for me' }).click();
    await reader.askFor(QUESTION);
    await page.getByTestId('judge').getByRole('button', { name: 'Yes' }).click();
    const told = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('campanile-')));
    assert.ok((await told()).length >= 2, 'profile and judgement');
    const idle = page.getByTestId('kiosk-idle');
    await page.clock.fastForward((IDLE_SECONDS - 60) * 1_000);
    assert.equal(await idle.isVisible(), false, 'nobody is asked before the time is over');
    await page.clock.fastForward(60_000);
    await idle.waitFor();
    await checkRules(reader, 'are you there');
    await page.mouse.click(5, 5);
    await idle.waitFor({ state: 'hidden' });
    assert.ok(await reader.answer.isVisible(), 'a touch is enough to stay');
    const loads = reader.loads;
    await page.clock.fastForward(IDLE_SECONDS * 1_000);
    await idle.waitFor();
    await page.clock.runFor((ASKING_SECONDS + 1) * 1_000);
    await page.waitForFunction(() => location.hash === '', null);
    await reader.opened();
    assert.ok(reader.loads > loads);
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
    await until(async () => (await kept()).length > 0);
    await reader.page.waitForTimeout(500);
    const lines = await kept();
    assert.deepEqual(
      lines.map(({ question, kind }) => ({ question, kind })),
      [{ question: UNANSWERED, kind: 'refusal' }],
    );
    assert.deepEqual(Object.keys(lines[0]).sort(), ['at', 'kind', 'question']);
  });
});

/** The lines of the log. */
async function kept() {
  const text = await readFile(log, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

/** Waits until something is so. @param {() => Promise<boolean>} isSo */
async function until(isSo) {
  const end = Date.now() + WAIT_MILLISECONDS;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, 'the question is not kept');
    await delay(100);
  }
}
