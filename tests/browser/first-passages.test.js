// A first visit sees passages before the program that answers has arrived; later ones do not need to.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './harness/chromium.js';
import { askNatively, serve } from './harness/command.js';
import { ASKED } from './harness/questions.js';
import { visit } from './harness/reader.js';
import { relay } from './harness/relay.js';
import { alteredSite, damagedSite, manifestOf, replaced, sampleSite } from './harness/site.js';

const PROGRAM = '/campanile/pkg/core/campanile_core_bg.wasm';
const SMALL_PROGRAM = '/campanile/pkg/keywords/campanile_keywords_bg.wasm';

/** The page goes on without first passages where nobody has asked for a while; a busy machine types more slowly than that. */
const LISTENING = {
  'campanile/first-passages.js': (bytes) =>
    replaced(bytes, /LISTENING_MILLISECONDS = [\d_]+/, 'LISTENING_MILLISECONDS = 3_600_000'),
};

let browser;
let site;
let server;
/** The same site, whose page listens until it is asked. */
let listening;

before(async () => {
  site = await sampleSite();
  const patient = alteredSite('listening', LISTENING);
  [browser, server, listening] = await Promise.all([launch(), serve(site), patient.then((it) => serve(it))]);
});
after(async () => {
  await browser?.close();
  await Promise.all([server, listening].map((it) => it?.stop()));
});

test('passages stand before the program that answers has arrived, and its answer takes their place', async () => {
  await behindSlowProgram(listening.origin, async (reader, release) => {
    await reader.box.fill(ASKED.question);
    await reader.box.press('Enter');
    await reader.page.locator('campanile-ask[data-stage="keywords"]').waitFor();
    const found = await reader.sources.count();
    assert.ok(found > 0 && found <= 5, `${found} passages`);
    assert.equal(await reader.ask.getAttribute('data-state'), 'asking');
    assert.equal(await reader.answer.count(), 0, 'there is no answer yet');
    await reader.page.getByRole('heading', { name: 'Passages found by keywords' }).waitFor();
    const first = await reader.sources.first().getAttribute('data-chunk');
    await reader.sources.first().getByRole('button').focus();

    release();
    await reader.page.locator('campanile-ask[data-stage="hybrid"][data-read="true"]').waitFor();
    assert.match(await reader.marked.innerText(), ASKED.answer);
    const [{ sources }] = await askNatively(site, [ASKED.question], 'hybrid');
    const shown = await reader.sources.evaluateAll((items) => items.map((item) => Number(item.dataset.chunk)));
    assert.deepEqual(
      shown,
      sources.map(({ chunk }) => chunk),
    );
    const focused = await reader.page.evaluate(() => {
      const active = document.activeElement?.shadowRoot?.activeElement;
      return active?.closest('[data-chunk]')?.getAttribute('data-chunk') ?? active?.id;
    });
    assert.ok([first, 'campanile-sources-heading'].includes(focused), `the focus is on ${focused}`);
  });
});

test('a passage can be read in its place as soon as the program is there', async () => {
  await behindSlowProgram(listening.origin, async (reader, release) => {
    await reader.box.fill(ASKED.question);
    await reader.box.press('Enter');
    await reader.sources.first().getByRole('button').click();
    release();
    await reader.dialog.locator('mark').first().waitFor();
  });
});

test('who comes again, or has told who they are, is not shown passages that are only on the way', async () => {
  const asked = [];
  await visit(browser, server.origin, async (reader) => {
    await reader.askFor(ASKED.question, 'hybrid');
    await reader.kept();
    reader.context.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await reader.page.reload();
    await reader.opened();
    await reader.askFor(ASKED.question, 'hybrid');
    assert.ok(!asked.includes(SMALL_PROGRAM), 'the small program is not needed again');
  });
  const told = { 'campanile-profile:/': JSON.stringify({ programme: 'MSc Hydroinformatics' }) };
  await behindSlowProgram(
    server.origin,
    async (reader, release) => {
      await reader.box.fill(ASKED.question);
      await reader.box.press('Enter');
      await reader.page.waitForTimeout(2_500);
      assert.equal(await reader.sources.count(), 0);
      release();
      await reader.page.locator('campanile-ask[data-state="answered"]').waitFor();
    },
    told,
  );
});

test('a damaged index spoils no more than the passages that would have come first', async () => {
  const { path } = (await manifestOf(site)).lexical.head;
  const spoilt = await serve(await damagedSite('damaged-lexical-head', [path]));
  try {
    await visit(browser, spoilt.origin, async (reader) => {
      await reader.askFor(ASKED.question, 'hybrid');
      await reader.page.getByTestId('status').filter({ hasText: path }).waitFor();
      assert.ok((await reader.sources.count()) > 0, 'meaning still finds passages');
    });
  } finally {
    await spoilt.stop();
  }
});

/** Visits the site with the program that answers held back until `release` is called; `kept` is what the device remembers. */
async function behindSlowProgram(origin, act, kept = {}) {
  const slow = await relay(origin, { isHeld: (path) => path === PROGRAM });
  const localStorage = Object.entries(kept).map(([name, value]) => ({ name, value }));
  const storageState = { cookies: [], origins: [{ origin: slow.origin, localStorage }] };
  try {
    await visit(browser, slow.origin, (reader) => act(reader, slow.release), { storageState });
  } finally {
    await slow.stop();
  }
}
